"""Checks of arguments. Each error names the argument, what was expected and what was found."""

import inspect
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

MAX = 2**63 - 1
"""The largest number of a run: its files store signed integers of 64 bits."""

_LONGEST = 60
"""The most characters of a value in an error."""


def described(value: object) -> str:
    """A value as errors show it."""
    if value is None:
        return "None"
    kind = type(value).__name__
    if isinstance(value, (bool, int, float, str, os.PathLike)):
        text = repr(value)
        return f"{text} ({kind})" if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({kind})"
    return kind


def documented(*options: type) -> Callable[[_F], _F]:
    """Gives a function the options of these typed dicts in its signature and its docstring."""

    def decorate(function: _F) -> _F:
        own = inspect.signature(function)
        parameters = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
        parameters += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for one in options
            for name, kind in inspect.get_annotations(one).items()
        ]
        function.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        docs = [inspect.getdoc(one) or "" for one in options]
        lines = "\n".join(doc.partition("----------\n")[2] for doc in docs).splitlines()
        text = "\n".join(f"    {line}" if line else line for line in lines).strip()
        function.__doc__ = (function.__doc__ or "").replace("{options}", text)
        return function

    return decorate


def number(name: str, value: object, least: int = 1, most: int = MAX) -> int:
    """Checks that an argument is an integer between two bounds, both included."""
    try:
        exact = operator.index(None if isinstance(value, bool) else value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"`{name}`: expected an integer, found {described(value)}") from None
    if not least <= exact <= most:
        raise ValueError(f"`{name}`: expected a number from {least} to {most}, found {exact}")
    return exact


def optional_number(name: str, value: object, least: int = 1) -> int | None:
    """As `number`. None stays None."""
    return None if value is None else number(name, value, least)


def check_effect(name: str, has_effect: bool, why: str) -> None:
    """Checks that an argument has an effect beside the others."""
    if not has_effect:
        raise ValueError(f"`{name}`: without effect, because {why}")


def flag(name: str, value: object) -> bool:
    """Checks that an argument is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"`{name}`: expected True or False, found {described(value)}")
    return value


def seed(value: object) -> int:
    """Checks a seed: all calls accept the same range."""
    return number("seed", value, 0)


def several(name: str, value: object, what: str) -> list[Any]:
    """The items of an iterable. Raises TypeError for a text, a path or a mapping."""
    if isinstance(value, (str, bytes, os.PathLike, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"`{name}`: expected a list of {what}, found {described(value)}")
    return list(value)


def optional_numbers(name: str, value: object, least: int, most: int) -> list[int] | None:
    """An optional list of integers between two bounds."""
    if value is None:
        return None
    numbers = several(name, value, f"numbers such as [{least}, {least + 1}]")
    return [number(name, item, least, most) for item in numbers]


def optional_texts(name: str, value: object, example: str) -> list[str] | None:
    """An optional list of texts, in which None passes, too."""
    if value is None:
        return None
    texts = several(name, value, f"texts such as [{example!r}]")
    for item in texts:
        if item is not None and not isinstance(item, str):
            raise TypeError(
                f"`{name}`: expected a text such as {example!r}, found {described(item)}"
            )
    return texts
