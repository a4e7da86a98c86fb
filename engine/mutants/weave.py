"""Weaves many mutants into one copy of a source file.

A test of one mutant needs a build, so a thousand mutants need a thousand builds. In a woven file
each function begins with its mutants, and `crate::mutant::on(7)` selects mutant 7 while the program
runs. One build then serves all mutants:

    fn double(n: u32) -> u32 {
        if crate::mutant::on(7) { return { n + n / 2 } }
        if crate::mutant::on(8) { return { n - n } }
        n + n
    }
"""

import re
from collections import defaultdict
from dataclasses import dataclass


@dataclass
class Mutant:
    """A text that replaces the bytes `start` to `end` of a file.

    `function` has the bytes where the function around them begins and ends.
    """

    number: int
    function: tuple[int, int]
    start: int
    end: int
    text: str


def weave(source: bytes, mutants: list[Mutant]) -> bytes:
    """The source with the mutants at the start of their functions, which are no longer `const`."""
    woven = defaultdict(bytes)
    for mutant in mutants:
        start, end = body(source, mutant.function)
        changed = source[start : mutant.start] + mutant.text.encode() + source[mutant.end : end]
        woven[mutant.function] += b"if crate::mutant::on(%d) { return {/*<%d*/%b/*%d>*/}; }" % (
            mutant.number,
            mutant.number,
            changed,
            mutant.number,
        )
    for function in sorted(woven, reverse=True):
        line, start = signature(source, function), body(source, function)[0]
        head = source[line:start].replace(b"const fn ", b"fn ")
        source = source[:line] + head + woven[function] + source[start:]
    return source


def body(source: bytes, function: tuple[int, int]) -> tuple[int, int]:
    """Where the code between the braces of a function begins and ends."""
    start, end = function
    return source.index(b"{", signature(source, function)) + 1, source.rindex(b"}", start, end)


def signature(source: bytes, function: tuple[int, int]) -> int:
    """Where the line with `fn` begins, after comments and attributes."""
    start, end = function
    line = source.rfind(b"\n", 0, start) + 1
    return re.compile(rb"^(?! *(//|#)).*\bfn ", re.MULTILINE).search(source, line, end).start()


def name(source: bytes, function: tuple[int, int]) -> str:
    """The name of a function."""
    return re.compile(rb"\bfn (\w+)").search(source, signature(source, function))[1].decode()


def marked(source: bytes, start: int, end: int) -> set[int]:
    """The mutants in whose text the compiler found an error, from `start` to `end`."""
    opened = set(map(int, re.findall(rb"/\*<(\d+)\*/", source[:start])))
    closed = set(map(int, re.findall(rb"/\*(\d+)>\*/", source[:start])))
    return (opened - closed) & set(map(int, re.findall(rb"/\*(\d+)>\*/", source[end:])))
