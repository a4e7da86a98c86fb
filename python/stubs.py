"""Writes ``jantaku/_jantaku.pyi``, the stubs of the compiled module, from its source in Rust.

Types follow from those in Rust. The type of an object that may be of several types is in
`ANY_OBJECT`, or in a comment above the function: ``// stub: wall: str | list[str] -> bool``. The
build backend of the package is here, too: it writes the stubs, and lets maturin build.
"""

import re
from pathlib import Path
from typing import Any

import maturin
from maturin import *  # noqa: F403

HEAD = """\
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, SupportsIndex, TypeAlias, TypedDict, final, overload

import numpy as np
from numpy.typing import NDArray

from ._types import AnyAgent as _Agent, AnyRules as _Rules, Path as _Path
from ._values import Replay, Reply
from ._vec_env import Batch
from .results import Opinion

__version__: str

_Encoder: TypeAlias = Encoder | str
_Planes: TypeAlias = NDArray[np.uint8] | NDArray[np.float32]
_Wind: TypeAlias = Literal["E", "S", "W", "N"]

class _Sparse(TypedDict):
    active: NDArray[np.uint16]
    scalars: NDArray[np.float32]

class _BatchColumns:
    {columns}
"""
BY_HAND = {
    "AgentBatch": """\
    # With "def __getattr__", checkers would find names that there are not.
    planes: NDArray[np.uint8]
    \"\"\"With planes: shape (n, channels, 34).\"\"\"
    active: NDArray[np.uint16]
    \"\"\"With features: the active ones, shape (n, at most active), padded with their number.\"\"\"
    tokens: NDArray[np.uint16]
    \"\"\"With tokens: shape (n, at most), padded with their number.\"\"\"
    counts: NDArray[np.uint16]
    \"\"\"The number of active features, or of tokens, of each row: shape (n,).\"\"\"
    scalars: NDArray[np.float32]
    \"\"\"With features or tokens: shape (n, scalars).\"\"\"
""",
    "Observation": """\
    @overload
    def encode(
        self, encoder: Literal["planes-v1"] | None = None, out: None = None
    ) -> NDArray[np.uint8]: ...
    @overload
    def encode(self, encoder: Literal["sparse-v1"], out: None = None) -> _Sparse: ...
    @overload
    def encode(self, encoder: _Encoder | None = None, out: _Planes | None = None) -> Any: ...
""",
}
"""Attributes that follow from the encoder, and the overloads of methods, by class."""

ANY_OBJECT = {
    "rules": "_Rules",
    "agent": "_Agent",
    "action": "SupportsIndex",
    "encoder": "_Encoder",
}
TYPES = {
    **dict.fromkeys(("u8", "u16", "u32", "u64", "usize", "i8", "i32", "i64", "SeatNumber"), "int"),
    **dict.fromkeys(("str", "char", "String", "OsString", "PyString", "TileName"), "str"),
    **dict.fromkeys(("f32", "f64"), "float"),
    **dict.fromkeys(("[u8]", "PyBytes"), "bytes"),
    "()": "None",
    "bool": "bool",
    "PathBuf": "_Path",
    "PyDict": "dict[str, Any]",
    "PyList": "list[Any]",
    "PyTuple": "tuple[Any, ...]",
    "PyUntypedArray": "NDArray[Any]",
}
DTYPES = {"u": "uint", "i": "int", "f": "float", "bool": "bool_"}
INHERITED = {"__repr__", "__str__", "__reduce__", "__traverse__"}
ONLY_POSITIONAL = {"__getattr__", "__getitem__"}
COMPARED = "def __{}__(self, other: {}, /) -> bool: ..."
EQUAL = [COMPARED.format(name, "object") for name in ("eq", "ne")]
ORDERED = [COMPARED.format(name, "SupportsIndex") for name in ("lt", "le", "gt", "ge")]

GETTER = r"((?:^        //.*\n)*)^        (\w+)(?:<'py>\(py\))?: (.*?) =(?= |$)"
"""A getter in a call of the macro `methods!`."""

HERE = Path(__file__).parent
SOURCES = {path.stem: path.read_text() for path in sorted((HERE / "src").glob("*.rs"))}
ALL = "\n".join(SOURCES.values())
TYPES |= {
    rust: name
    for name, rust in re.findall(r'#\[pyclass\(name = "(\w+)".*?struct (\w+)', ALL, re.DOTALL)
}
COLUMNS = (HERE.parent / "sim/src/env/batch.rs").read_text().partition("\ncolumns! {")[2]
"""The columns of `VecEnv`, as ``sim`` states them."""
ALIASES = dict(re.findall(r"^(?:pub\S* )?type (\w+)(?:<.*?>)? = (.*?);", ALL, re.M | re.S))


def split(text: str) -> list[str]:
    """The parts between commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([<") - (letter in ")]>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def python(rust: str, is_argument: bool = False) -> str:
    """The type in Python of a type in Rust."""
    rust = re.sub(r"'\w+(, )?|&|<>", "", " ".join(rust.split())).strip()
    outer, _, inner = rust.removesuffix(">").partition("<")
    if rust in TYPES:
        return TYPES[rust]
    if outer in ALIASES:
        return python(ALIASES[outer], is_argument)
    if re.match(r"Py(Readonly)?Array\d", outer):
        element = split(inner)[-1]
        return f"NDArray[np.{DTYPES.get(element) or DTYPES[element[0]] + element[1:]}]"
    if array := re.fullmatch(r"\[(.*); (\d)\]", rust):
        rust = f"({', '.join([array[1]] * int(array[2]))})"
    if rust.startswith("("):
        return f"tuple[{', '.join(python(part, is_argument) for part in split(rust[1:-1]))}]"
    if outer in ("Bound", "Py", "PyRef", "PyResult"):
        return python(split(inner)[-1 if outer != "PyResult" else 0], is_argument)
    if outer == "Option":
        found = python(inner, is_argument)
        return found if found == "Any" and not is_argument else f"{found} | None"
    if outer == "Vec":
        return f"{'Sequence' if is_argument else 'list'}[{python(inner, is_argument)}]"
    return "Any"


def parameters(above: str, arguments: str, stated: dict[str, str]) -> list[str]:
    """The parameters of a function."""
    types = {}
    for part in split(re.sub(r"#\[.*?\]\s*", "", arguments)):
        name, _, rust = part.removeprefix("mut ").partition(": ")
        if rust and not rust.startswith("Python<") and name != "slf":
            found = python(rust, is_argument=True)
            found = re.sub(r"^Any\b", ANY_OBJECT.get(name, "Any"), found)
            types[name] = stated.get(name, found)
    signature = re.search(r"signature = \((.*?)\)(, text_signature.*)?\)\]", above, re.DOTALL)
    if signature is None:
        return [f"{name}: {kind}" for name, kind in types.items()]
    lines = []
    for part in split(signature[1]):
        name, _, default = part.partition(" = ")
        default = {"true": " = True", "false": " = False"}.get(default, default and f" = {default}")
        default = re.sub(r" = .*\(.*", " = ...", default)
        kind = types.get(name, "Any")
        lines.append(part if part in ("*", "/") else f"{name}: {kind}{default}")
    return lines


def docstring(above: str) -> list[str]:
    """The lines of the docstring that the comments above an item make."""
    lines = re.findall(r"^ *///(?: (.*))?$", above, re.MULTILINE)
    text = "\n".join(lines)
    return f'"""{text}{"" if len(lines) == 1 else chr(10)}"""'.splitlines() if lines else []


def indented(lines: list[str]) -> list[str]:
    """The lines of a body."""
    return [f"    {line}".rstrip() for line in lines]


def function(item: str, owner: str = "") -> list[str]:
    """The lines of a function, or of a method of the class `owner`."""
    head = re.search(r"\bfn (\w+)(?:<[^(]*>)?\((.*?)\)(?: -> (.*?))? \{", item, re.DOTALL)
    assert head is not None, item
    above = item[: head.start()]
    named = re.search(r'name = "(\w+)"', above)
    name = named[1] if named else head[1]
    comment = re.search(r"// stub: (.*?)(?:-> (.*))?$", above, re.MULTILINE)
    stated = dict(part.split(": ", 1) for part in split(comment[1])) if comment else {}
    result = (comment and comment[2]) or python(head[3] or "()")
    if name == "__richcmp__":
        return EQUAL + ORDERED
    if name == "__eq__":
        return EQUAL[:1]
    first, lines = ["self"] if owner else [], []
    if "#[new]" in above:
        name, first, result = "__new__", ["cls"], owner
    elif "#[staticmethod]" in above:
        lines, first = ["@staticmethod"], []
    elif "#[getter]" in above:
        lines = ["@property"]
    elif name == "__next__":
        result = result.removesuffix(" | None")
    last = ["/"] if name in ONLY_POSITIONAL else []
    found = ", ".join([*first, *parameters(above, head[2], stated), *last])
    return [*lines, *definition(f"def {name}({found}) -> {result}:", above)]


def definition(head: str, above: str) -> list[str]:
    """A function without a body, with the docstring above it."""
    return [head, *indented(docstring(above))] if docstring(above) else [f"{head} ..."]


def members(rust: str, by_hand: str) -> list[str]:
    """The lines of a class, some of which are stated by hand."""
    start = r"(?:^///[^\n]*\n)*#\[pyclass\(([^\n]*)\)\]\n(?:#\[[^\n]*\n)*"
    start += rf"pub\(crate\) struct {rust}\b(?: \{{(.*?)\n\}})?"
    struct = re.search(start, ALL, re.DOTALL | re.MULTILINE)
    assert struct is not None, rust
    lines: list[str] = []
    field = r"((?:    [/#].*\n)*)    (?:pub\(crate\) )?(\w+): (.*),"
    fields = re.findall(field, struct[2] or "")
    start = rf"(?:#\[pymethods\]\nimpl {rust} \{{|methods! \{{\n    impl {rust};)\n"
    methods = re.findall(rf"{start}(.*?)\n\}}\n", ALL, re.DOTALL)
    if any("    pickle(text);" in text for text in methods):
        lines += ["@staticmethod", f"def _restore(text: str) -> {TYPES[rust]}: ..."]
    getters = [one for one in fields if "#[pyo3(get)]" in one[0]]
    getters += re.findall(GETTER, "\n".join(methods), re.M)
    for above, name, kind in getters:
        stated = re.search(r"// stub: -> (.*)", above)
        result = stated[1] if stated else python(kind)
        lines += ["@property", *definition(f"def {name}(self) -> {result}:", above)]
    for item in re.split(r"\n\n(?=    \S)", "\n\n".join(methods)):
        constant = re.search(r"/// (.*)\n    #\[classattr\]\n    const (\w+): (\w+)", item)
        name = re.search(r"\bfn (\w+)", item)
        if constant is not None:
            lines += [f"{constant[2]}: ClassVar[{python(constant[3])}]", f'"""{constant[1]}"""']
        elif name and name[1] not in INHERITED.union(re.findall(r"def (\w+)", by_hand)):
            lines += function(item, TYPES[rust])
    flags = split(struct[1])
    hashed = ["def __hash__(self) -> int: ..."] if "hash" in flags else []
    lines += (EQUAL if "eq" in flags else []) + hashed
    return [
        *indented(docstring(struct[0].partition("#[")[0])),
        *by_hand.splitlines(),
        *indented(lines),
    ]


def columns() -> list[str]:
    """The lines of the class `_BatchColumns`."""
    lines = []
    for above, name, kind in re.findall(r"((?:^    ///.*\n)+)^    (\w+): (\w+) =", COLUMNS, re.M):
        lines += [f"{name}: {python(f'PyArray1<{kind}>')}", *docstring(above)]
    return lines


def stubs() -> str:
    """The text of the stubs."""
    lines = [HEAD.replace("    {columns}", "\n".join(indented(columns())))]
    exported = re.search(r"use crate::\{(.*?)\};", SOURCES["lib"], re.DOTALL)
    assert exported is not None, "lib.rs exports nothing"
    for rust in re.findall(r"\b\w+\b(?!::)", exported[1]):
        made = rf'create_exception!\(\s*\w+,\s*{rust},\s*Py(\w+),\s*"(.*?)"'
        if error := re.search(made, ALL, re.DOTALL):
            text = re.sub(r"\\\s+", "", error[2])
            lines.append(f'class {rust}({error[1]}):\n    """{text}"""')
        elif rust in TYPES:
            lines.append(f"@final\nclass {TYPES[rust]}:")
            lines += members(rust, BY_HAND.get(TYPES[rust], ""))
        else:
            start = r"(?:^///[^\n]*\n)*^#\[pyfunction"
            found = re.search(rf"{start}[^{{]*?fn {rust}\b.*? \{{", ALL, re.DOTALL | re.MULTILINE)
            assert found is not None, rust
            lines += function(found[0])
    return "\n".join(lines) + "\n"


def write() -> None:
    """Writes the stubs."""
    (HERE / "jantaku/_jantaku.pyi").write_text(stubs())


def build_wheel(*arguments: Any, **options: Any) -> Any:
    """Builds a wheel with the stubs."""
    write()
    return maturin.build_wheel(*arguments, **options)


def build_editable(*arguments: Any, **options: Any) -> Any:
    """Installs the package as it is, with the stubs."""
    write()
    return maturin.build_editable(*arguments, **options)


if __name__ == "__main__":
    write()
