"""The page of the keys of results follows from the structs. ``JANTAKU_WRITE=1`` writes it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "sim/docs/json.md"

# The sections whose keys are the fields of a struct.
SECTIONS = {
    "selfplay": "Summary",
    "match": "MatchResult",
    "match --shard": "MatchShard",
    "match --plan": "SetsPlan",
    "stats": "GamesReport",
    "stats --of": "CaseReport",
    "stats --plan": "GamesPlan",
    "sweep": "SweepReport",
    "league": "LeagueReport",
    "rebuild-manifest": "Rebuilt",
    "merge": "Merged",
    "label": "Labelled",
    "info": "RunInfo",
    "verify": "Verification",
    "verify --replay": "Replayed",
    "analyse": "Review",
    "convert": "Converted",
    "conform": "Conformance",
}

# Keys that are data.
PLACEHOLDERS = {"draws": "<reason>", "fault_shares": "<agent>"}


@dataclass
class Field:
    name: str
    kind: str
    serde: str
    doc: str


def test_the_page_has_the_fields_of_results() -> None:
    found = PAGE.read_text()
    expected = found
    for section, struct in SECTIONS.items():
        head, table = f"\n## {section}\n", "|---|---|---|\n"
        start = expected.index(table, expected.index(head)) + len(table)
        end = start + re.match(r"(\|.*\n)*", expected[start:]).end()  # type: ignore[union-attr]
        rows = "".join(f"| `{key}` | {kind} | {doc} |\n" for key, kind, doc in keys(struct, ""))
        expected = expected[:start] + rows + expected[end:]
    if os.environ.get("JANTAKU_WRITE") == "1":
        PAGE.write_text(expected)
        found = expected
    assert found == expected, "sim/docs/json.md differs from the structs; JANTAKU_WRITE=1 writes it"


def keys(struct: str, path: str) -> Iterator[tuple[str, str, str]]:
    """The keys of a struct that serializes, with their types and meanings."""
    for field in STRUCTS[struct]:
        if re.search(r"\bskip\b", field.serde):
            continue
        if "flatten" in field.serde:
            yield from keys(field.kind, path)
            continue
        renamed = re.search(r'rename = "(\w+)"', field.serde)
        name = path + (renamed[1] if renamed else field.name)
        yield from key(name, field.kind, field.doc, "skip_serializing_if" not in field.serde)


def key(name: str, kind: str, doc: str, is_always: bool = True) -> Iterator[tuple[str, str, str]]:
    """The key of a value of a Rust type."""
    if inner := within("Option", kind):
        rows = list(key(name, inner, doc))
        if rows == [(name, scalar(inner), doc)]:
            yield name, scalar(inner) + (" or null" if is_always else ""), doc
        else:
            yield from ((name, "null", doc) for _ in range(is_always))
            yield from rows
    elif inner := within("Vec", kind):
        rows = list(key(f"{name}[]", inner, doc))
        yield from rows
    elif kind.startswith("BTreeMap<"):
        inner = kind.removeprefix("BTreeMap<").removesuffix(">").split(", ", 1)[1]
        yield f"{name}.{PLACEHOLDERS[name]}", scalar(inner), doc
    elif kind in STRUCTS and not is_text(kind):
        yield from keys(kind, f"{name}.")
    else:
        yield name, scalar(kind), doc


def within(outer: str, kind: str) -> str:
    """The type in an option or a list; empty if it is neither."""
    return kind[len(outer) + 1 : -1] if kind.startswith(f"{outer}<") else ""


def scalar(kind: str) -> str:
    if re.fullmatch(r"[uif](\d+|size)", kind):
        return "number"
    if kind == "bool":
        return "true or false"
    is_object = kind in STRUCTS and not is_text(kind)
    return "any" if kind in {"Value", "Event"} or is_object else "text"


def is_text(kind: str) -> bool:
    """Whether the values of a struct are texts."""
    return kind in TEXTS


def structs() -> tuple[dict[str, list[Field]], set[str]]:
    """The public structs that serialize, by name, and those that serialize as texts."""
    found: dict[str, list[Field]] = {}
    texts: set[str] = set()
    sources = [*(ROOT / "sim").rglob("src/**/*.rs"), ROOT / "agents/src/fault.rs"]
    struct = re.compile(
        r"#\[derive\([^)]*\bSerialize\b[^)]*\)\]\n"
        r"((?:#\[[^\n]*\]\n)*)pub struct (\w+) \{\n(.*?)\n\}",
        re.S,
    )
    for source in sorted(sources):
        for attributes, name, body in struct.findall(source.read_text()):
            if name in SECTIONS.values() and name in found:
                raise AssertionError(f"two structs are named {name}")
            found[name] = list(fields(body))
            if 'into = "String"' in attributes:
                texts.add(name)
    return found, texts


def fields(body: str) -> Iterator[Field]:
    """The fields of a struct, from the lines between its brackets."""
    doc: list[str] = []
    serde = ""
    for line in map(str.strip, body.split("\n")):
        if line.startswith("///"):
            doc.append(line.removeprefix("///").strip())
        elif line.startswith("#["):
            serde += line
        elif found := re.fullmatch(r"pub (\w+): (.*),", line):
            kind = plain(found[2])
            if "Copied::serialize_numbers" in serde:
                kind = kind.replace("Copied", "CopiedNumbers")
            yield Field(found[1], kind, serde, meaning(" ".join(doc)))
            doc, serde = [], ""


def plain(kind: str) -> str:
    """A type without paths and lifetimes. Texts are ``String``, counts of places numbers."""
    kind = re.sub(r"Cow<'\w+, str>|&'\w+ str|PathBuf", "String", kind)
    return re.sub(r"\b\w+::", "", kind).replace("SharedCount", "f64")


def meaning(doc: str) -> str:
    """A doc comment as a cell of the page."""
    doc = re.sub(r" \(\[`[^`]*`\]\)", "", doc)
    doc = re.sub(r"`sim/docs/(\w+\.md)`", r"[\1](\1)", doc)
    doc = re.sub(r"\[(`[^`]*`)\](?!\()", r"\1", doc).replace(". None", "; null")
    doc = doc.replace("None", "null").removesuffix(".")
    return doc[:1].lower() + doc[1:] if doc[1:2].islower() or doc[1:2] == " " else doc


STRUCTS, TEXTS = structs()
