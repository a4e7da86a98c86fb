"""The page of all public names matches their docstrings. ``JANTAKU_WRITE=1`` writes it."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import jantaku
import jantaku.results

PAGE = Path(__file__).parents[1] / "docs/api.md"
HEAD = """# The Python package

Every public name, with its docstring. `help(jantaku.Game)` prints the same.
[quickstart.md](quickstart.md) shows the package at work.
"""


def test_the_page_has_every_docstring() -> None:
    expected = page()
    if os.environ.get("JANTAKU_WRITE") == "1":
        PAGE.write_text(expected)
    assert PAGE.read_text() == expected, "python/docs/api.md differs; JANTAKU_WRITE=1 writes it"


def page() -> str:
    parts = [HEAD]
    for module in (jantaku, jantaku.results):
        names = getattr(module, "__all__", None) or own_names(module)
        shown = [name for name in names if not name.startswith("_")]
        parts.append(f"\n## {module.__name__}\n")
        parts += [entry(getattr(module, name), name) for name in sorted(shown, key=str.lower)]
    return "".join(parts)


def own_names(module: Any) -> list[str]:
    """The classes that a module without `__all__` defines."""
    classes = inspect.getmembers(module, inspect.isclass)
    return [
        name
        for name, found in classes
        if found.__module__ == module.__name__ and not name.startswith("_")
    ]


def entry(found: Any, name: str) -> str:
    """A class with its members, or a function."""
    text = f"\n### {name}\n\n"
    call = signature(found)
    if call is not None:
        text += f"```python\n{name}{call}\n```\n\n"
    text += markdown(inspect.getdoc(found) or "")
    if not inspect.isclass(found) or issubclass(found, Exception):
        return text
    members = dict(public_members(found))
    attributes = {name: doc for name, (call, doc) in members.items() if call is None and doc}
    methods = {name: (call, doc) for name, (call, doc) in members.items() if call is not None}
    if attributes:
        text += "\n**Attributes**\n\n"
    for member, doc in attributes.items():
        text += f"- `{member}`: {' '.join(doc.split())}\n"
    for member, (call, doc) in methods.items():
        text += f"\n**`{name}.{member}{call}`**\n\n{markdown(doc)}"
    return text


def public_members(found: type) -> Iterator[tuple[str, tuple[str | None, str]]]:
    """Name, signature and docstring of each member. Attributes have no signature."""
    for name, member in sorted(vars(found).items()):
        if name.startswith("_"):
            continue
        called = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        is_method = inspect.isroutine(called) and not inspect.isdatadescriptor(called)
        call = signature(called) or "()" if is_method else None
        doc = inspect.getdoc(called) if is_method or inspect.isdatadescriptor(called) else None
        if is_method or doc:
            yield name, (call, doc or "")


def signature(found: Any) -> str | None:
    """Names and defaults of the parameters: the docstring has their types."""
    try:
        call = inspect.signature(found)
    except (TypeError, ValueError):
        return None
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in call.parameters.items()
        if name not in ("self", "cls")
    ]
    return str(
        call.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    ).replace(", /", "")


def markdown(doc: str) -> str:
    """A docstring in the style of numpydoc as Markdown."""
    doc = re.sub(r"^(>>> .*(?:\n.+)*)", r"```pycon\n\1\n```", doc, flags=re.MULTILINE)
    # A table in reStructuredText is easy to read as it is.
    doc = re.sub(
        r"^(=+ =+\n(?:.+\n)+?=+ =+\n(?:.+\n)+?=+ =+)$", r"```text\n\1\n```", doc, flags=re.MULTILINE
    )
    out: list[str] = []
    lines = [*doc.splitlines(), ""]
    fence = False
    for line, after in pairwise(lines):
        if line.startswith("```"):
            fence = not fence
        if fence or line.startswith("```"):
            out.append(line)
        elif re.fullmatch("-{3,}", line):
            out[-1:] = [f"**{out[-1]}**", ""]
        elif line and not line.startswith(" ") and after.startswith("    "):
            out.append(f"- {line}:" if "`" in line else f"- `{line}`:")
        else:
            out.append(re.sub("^    ", "  ", line))
    return "\n".join(out).strip() + "\n"
