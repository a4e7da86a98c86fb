"""The page of all public names matches their docstrings. ``JANTAKU_WRITE=1`` writes it."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import os
import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import jantaku
import jantaku.results

for extra in ("torch", "safetensors", "gymnasium", "pettingzoo", "stable_baselines3", "ray"):
    pytest.importorskip(extra)

import jantaku.env  # noqa: E402
import jantaku.networks  # noqa: E402
import jantaku.ray  # noqa: E402
import jantaku.train.player  # noqa: E402

MODULES = (
    jantaku,
    jantaku.results,
    jantaku.networks,
    jantaku.env,
    jantaku.ray,
    jantaku.train.player,
)
STUBS = Path(jantaku.__file__).with_name("_jantaku.pyi")
PAGE = Path(__file__).parents[1] / "docs/api.md"
HEAD = """# The Python package

Every public name, with its docstring. `help(jantaku.Game)` prints the same.
[quickstart.md](quickstart.md) shows the package at work. The modules `jantaku.networks`,
`jantaku.env`, `jantaku.ray` and `jantaku.train.player` need extras, and each is imported by its
name.
"""


def test_the_page_has_every_docstring() -> None:
    expected = page()
    if os.environ.get("JANTAKU_WRITE") == "1":
        PAGE.write_text(expected)
    assert PAGE.read_text() == expected, "python/docs/api.md differs; JANTAKU_WRITE=1 writes it"


def test_every_attribute_has_a_type_and_a_meaning() -> None:
    for module in MODULES:
        for name in public_names(module):
            found = getattr(module, name)
            if inspect.isclass(found) and not issubclass(found, Exception):
                for attribute, (kind, doc) in attributes(found).items():
                    assert kind, f"{module.__name__}.{name}.{attribute}: no type"
                    assert doc, f"{module.__name__}.{name}.{attribute}: no meaning"


def page() -> str:
    parts = [HEAD]
    for module in MODULES:
        parts.append(f"\n## {module.__name__}\n\n{markdown(inspect.getdoc(module) or '')}")
        parts += [entry(getattr(module, name), name) for name in public_names(module)]
    return "".join(parts)


def public_names(module: ModuleType) -> list[str]:
    """The public names of a module in order of the alphabet."""
    names = getattr(module, "__all__", None) or own_names(module)
    return sorted((name for name in names if not name.startswith("_")), key=str.lower)


def own_names(module: ModuleType) -> list[str]:
    """The classes that a module without `__all__` defines."""
    classes = inspect.getmembers(module, inspect.isclass)
    return [name for name, found in classes if found.__module__ == module.__name__]


def entry(found: Any, name: str) -> str:
    """A class with its members, or a function."""
    text = f"\n### {name}\n\n"
    # Results are made by functions.
    call = None if dataclasses.is_dataclass(found) else signature(found)
    if call is not None:
        text += f"```python\n{name}{call}\n```\n\n"
    text += markdown(inspect.getdoc(found) or "")
    if not inspect.isclass(found) or issubclass(found, Exception):
        return text
    listed = attributes(found)
    text += "\n**Attributes**\n\n" if listed else ""
    text += "".join(f"- `{name} : {kind}`: {doc}\n" for name, (kind, doc) in listed.items())
    for member, function in methods(found).items():
        call = signature(function) or "()"
        text += f"\n**`{name}.{member}{call}`**\n\n{markdown(inspect.getdoc(function) or '')}"
    return text


def methods(found: type) -> dict[str, Any]:
    """The public methods by name, also of base classes of the package."""
    members = {
        name: member.__func__ if isinstance(member, staticmethod | classmethod) else member
        for base in reversed(bases(found))
        for name, member in vars(base).items()
    }
    return {
        name: member
        for name, member in sorted(members.items())
        if not name.startswith("_")
        and inspect.isroutine(member)
        and not inspect.isdatadescriptor(member)
    }


def attributes(found: type) -> dict[str, tuple[str, str]]:
    """Type and meaning of the attributes by name, but not of those that the docstring lists."""
    listed = re.search(r"^Attributes\n-+\n((?:.+\n)+)", f"{inspect.getdoc(found)}\n", re.MULTILINE)
    names = re.findall(r"^(\w.*) :", listed[1], re.MULTILINE) if listed else []
    known = {name for several in names for name in several.split(", ")}
    stated = [one for base in reversed(bases(found)) for one in stated_attributes(base)]
    return {name: about for name, *about in stated if name not in known}  # type: ignore[misc]


def bases(found: type) -> list[type]:
    """A class and its base classes in the package."""
    return [base for base in found.__mro__ if base.__module__.split(".")[0] == "jantaku"]


def stated_attributes(found: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and meaning of the properties and annotated attributes of a class."""
    is_compiled = found.__module__ == "jantaku"
    tree = ast.parse(STUBS.read_text() if is_compiled else inspect.getsource(found))
    (source,) = (one for one in tree.body if getattr(one, "name", None) == found.__name__)
    assert isinstance(source, ast.ClassDef), found
    for statement, after in zip_longest(source.body, source.body[1:]):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name, kind = statement.target.id, ast.unparse(statement.annotation)
            follows = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            doc = str(after.value.value) if follows else ""
        elif isinstance(statement, ast.FunctionDef) and is_property(statement):
            assert statement.returns is not None, statement.name
            name, kind = statement.name, ast.unparse(statement.returns)
            doc = inspect.getdoc(vars(found)[name]) or ""
        else:
            continue
        if not name.startswith("_"):
            yield name, re.sub(r"^ClassVar\[(.*)\]$", r"\1", kind), " ".join(doc.split())


def is_property(function: ast.FunctionDef) -> bool:
    """Whether a function in the source of a class is a property."""
    return any(ast.unparse(one) == "property" for one in function.decorator_list)


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
    doc = doc.replace("  # doctest: +SKIP", "")
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
