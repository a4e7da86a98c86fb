"""Makes small rule books with `jantaku`, interrupts one, and counts figures a second time with DuckDB.

usage: rule_book.py PROGRAM

Wrong options and damaged files are errors. One book has everything in a few games, or in a thousandth if
JANTAKU_TESTS is `full`: every page is there, with every rule set and rule. Another has some pieces in a
thousandth of the games. It is made twice, once with interruptions, and both have the same figures.
"""

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

BOOK = Path(__file__).parents[2] / "experiments/2026-11-27-rule-book"
SETTINGS = tomllib.loads((BOOK / "book.toml").read_text())
PIECES = ["tenhou", "duo", "no red fives"]
TENHOU = "[tenhou](sets/tenhou.md)"
RUNNING = "another make of the book is running"
# When a make is interrupted, and how: with which piece, and how many seconds later. Without a delay, a make is
# still working on any machine. A killed make leaves its program, which holds the lock.
INTERRUPTIONS = [
    (1, 0.0, signal.SIGINT),
    (1, 0.3, signal.SIGKILL),
    (2, 0.0, signal.SIGKILL),
    (2, 0.3, signal.SIGTERM),
    (3, 0.0, signal.SIGTERM),
]


def command(program: Path, out: Path, *options: str) -> list:
    return [sys.executable, BOOK / "book.py", out, "--program", program, "--threads", "2", *options]


def make(program: Path, out: Path, *options: str) -> None:
    """Makes a book, after the end of a program that an interrupted make left."""
    with locked(out):
        pass
    done = subprocess.run(command(program, out, *options), capture_output=True, text=True)
    assert done.returncode == 0, f"{out}: {done.stdout}{done.stderr}"


@contextmanager
def locked(out: Path) -> Iterator[None]:
    """Waits for the lock of a book's folder, and holds it."""
    out.mkdir(exist_ok=True)
    with (out / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def interrupt(program: Path, out: Path, piece: int, seconds: float, how: signal.Signals, *options: str) -> bool:
    """Starts a make, which prints a line for each piece, and ends it. Returns whether it was still working."""
    with locked(out):
        pass
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command(program, out, *options), **pipes) as maker:
        for _ in range(piece):
            maker.stdout.readline()
        time.sleep(seconds)
        maker.send_signal(how)
        working = maker.wait() != 0
        if working and how is not signal.SIGKILL:
            said = maker.stderr.read()
            assert said.startswith("interrupted") and said.count("\n") == 1, f"after {how.name}: {said}"
    return working


def figures(out: Path) -> dict[str, list]:
    """The figures of each result."""
    return {path.name: json.loads(path.read_text())["result"]["figures"] for path in (out / "results").glob("*.json")}


# Options that are errors, and what the error says. MISSING, FILE and EMPTY are in the test's folder.
ERRORS = [
    (["EMPTY", "--scale", "0"], "above 0"),
    (["EMPTY", "--scale", "-1"], "above 0"),
    (["EMPTY", "--scale", "nan"], "above 0"),
    (["EMPTY", "--scale", "inf"], "above 0"),
    (["EMPTY", "--scale", "1e6"], "above 0"),
    (["EMPTY", "--scale", "half"], "'half'"),
    (["EMPTY", "--threads", "0"], "below 1"),
    (["EMPTY", "--only", "duo", "no red fifes"], "'no red fifes'; did you mean 'no red fives'?"),
    (["EMPTY", "--program", "MISSING"], "MISSING: No such file"),
    (["EMPTY", "--program", sys.executable], "is not jantaku; `--version` prints 'Python"),
    (["EMPTY", "--write"], "no results in"),
    (["EMPTY", "--pages", "FILE"], "FILE is not a folder"),
    (["FILE"], "FILE is not a folder"),
    (["FILE/out"], "Not a directory"),
    (["SCALED"], "scale 0.5"),
    (["DAMAGED"], "DAMAGED/scale: damaged"),
    (["DAMAGED", "--write"], "DAMAGED/results/tenhou.json: damaged"),
]


def check_errors(program: Path, folder: Path) -> None:
    """Checks that wrong options and damaged files are errors without a traceback, and claim no folder."""
    folder.mkdir()
    (folder / "FILE").touch()
    (folder / "SCALED").mkdir()
    (folder / "SCALED/scale").write_text("0.5")
    (folder / "DAMAGED/results").mkdir(parents=True)
    (folder / "DAMAGED/scale").touch()
    (folder / "DAMAGED/results/tenhou.json").write_text('{"program"')
    for options, expected in ERRORS:
        line = [sys.executable, BOOK / "book.py", "--threads", "2", "--program", program, *options]
        done = subprocess.run(line, capture_output=True, text=True, cwd=folder)
        found = done.stderr
        assert done.returncode in (1, 2) and expected in found and "Traceback" not in found, f"{options}: {found}"
        assert not (folder / "EMPTY").exists(), f"{options} made the folder"
    print(f"{len(ERRORS)} wrong commands are errors")


def check_whole(program: Path, out: Path) -> None:
    """Checks that a book has a page for each rule set and a row for each rule, and that its links lead somewhere."""
    make(program, out, "--scale", "0.001" if os.environ.get("JANTAKU_TESTS") == "full" else "0.00001")
    pages = out / "pages"
    sets = [name for part in SETTINGS["frequencies"]["sets"].values() for name in part]
    for name in sets:
        assert f"# {name}\n" in (pages / f"sets/{name}.md").read_text(), name
    rules = (pages / "rules.md").read_text()
    for chapter in SETTINGS["chapters"]:
        text = rules.partition(f"## {chapter['name']}\n")[2].partition("\n## ")[0]
        for rule in chapter["rules"]:
            rows = text.count(f"| {rule['name']} |")
            assert rows == 4, f"{chapter['name']}, {rule['name']}: {rows} rows, expected one in each of four tables"
    players = (pages / "players.md").read_text()
    for source in tomllib.loads((BOOK / "published.toml").read_text())["population"]:
        for name in (name for of in source["of"] for kind in ("counts", "rates", "means") for name in of.get(kind, {})):
            assert f"| {name} |" in players, f"{source['name']}, {name}: the program has no such figure"
    signed = re.findall(r"[+−]0[.0]* [±(].*", rules)
    assert not signed, f"a difference that rounds to 0 has a sign: {signed[0]}"
    for page in pages.rglob("*.md"):
        for link in re.findall(r"\]\(([^)]*)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page}: no {link}"
    print(f"a book of {len(sets)} rule sets and {rules.count('`')} fields has all its pages")


def check_interrupted(program: Path, folder: Path) -> None:
    """Makes a part of the book with and without interruptions, and compares all figures."""
    options = ["--scale", "0.001", "--only", *PIECES]
    interrupted = sum(interrupt(program, folder / "resumed", *how, *options) for how in INTERRUPTIONS)
    assert interrupted >= 3, f"only {interrupted} makes were still working when they were interrupted"
    with locked(folder / "resumed"):
        second = subprocess.run(command(program, folder / "resumed", *options), capture_output=True, text=True)
    assert second.returncode == 1 and RUNNING in second.stderr, f"a second make in the same folder: {second.stderr}"
    for out in ("resumed", "whole"):
        make(program, folder / out, *options)
    resumed, whole = figures(folder / "resumed"), figures(folder / "whole")
    assert resumed == whole and len(whole) > len(PIECES), f"{sorted(resumed)} and {sorted(whole)} differ"
    print(f"{len(whole)} pieces have the same figures after {interrupted} interruptions")


# Figures of the page of frequencies under `tenhou`: the row and column, and a query over the run's hands.
FIGURES = {
    "hands.tsumo": (TENHOU, "tsumo %", "100 * avg((outcome = 'tsumo')::int) from hands"),
    "draws.exhaustive": (TENHOU, "exhaustive %", "100 * avg((outcome = 'exhaustive')::int) from hands"),
    "draws.kyuushu-kyuuhai": (TENHOU, "kyuushu kyuuhai %", "100 * avg((outcome = 'kyuushu-kyuuhai')::int) from hands"),
    "games.hands": (TENHOU, "hands a game", "count(*) / count(distinct game) from hands"),
    "turns.mean": (TENHOU, "turn of a win", "avg(turn) from hands where outcome in ('tsumo', 'ron')"),
    "points.mean": (TENHOU, "points of a win", "avg(points) from (select unnest(win_points) as points from hands)"),
    "players.deal-in": (TENHOU, "deal-in %", "25 * count(*) filter (outcome = 'ron') / count(*) from hands"),
    "players.riichi": (TENHOU, "riichi %", "25 * sum(list_count(riichi_turn)) / count(*) from hands"),
    "players.call": (TENHOU, "call %", "25 * sum(len(list_filter(calls, lambda n: n > 0))) / count(*) from hands"),
    "yaku.riichi": ("riichi", TENHOU, "100 * sum(list_contains(y, 'riichi')::int) / count(*) from (select unnest(yaku) as y from hands)"),
}


def check_figures(out: Path) -> None:
    """Counts figures of a page with DuckDB, from the tables of the run."""
    page = (out / "pages/frequencies.md").read_text()
    duckdb.sql(f"create or replace view hands as select * from '{out}/runs/tenhou_*/hands/*.parquet'")
    for name, (row, head, query) in FIGURES.items():
        ((expected,),) = duckdb.sql(f"select {query}").fetchall()
        shown = cell(page, row, head)
        value = shown.partition(" ")[0].replace(",", "")
        decimals = len(value.partition(".")[2])
        assert float(value) == round(expected, decimals), f"{name}: the page has {shown}, DuckDB counts {expected}"
    print(f"DuckDB counts the same as the page for {', '.join(FIGURES)}")


def cell(page: str, row: str, head: str) -> str:
    """The cell of a page in the row with this name and the column with this head."""
    heads: list[str] = []
    above: list[str] = []
    for line in page.splitlines():
        cells = [text.strip() for text in line.strip("|").split("|")]
        if line.startswith("|---"):
            heads = above
        elif cells[0] == row and head in heads:
            return cells[heads.index(head)]
        above = cells
    raise AssertionError(f"no row {row} and column {head}")


def main() -> None:
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_errors(program, folder / "errors")
        check_whole(program, folder / "all")
        check_interrupted(program, folder)
        check_figures(folder / "resumed")


main()
