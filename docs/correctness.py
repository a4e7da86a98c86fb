"""Writes the numbers of correctness.md, and refuses numbers that no command wrote.

usage: correctness.py                             compare the page with the numbers, as `make site` does
       correctness.py --write                     write the numbers into the page
       correctness.py --measure WHAT              run the command of a number, and record what it prints
       correctness.py --measure WHAT --from LOG --at COMMIT
                                                  record what it printed at a commit

correctness.toml lists the numbers. Cheap ones are counted in the files of the project each time. Those that
take long to measure stand in correctness.json with their command, date and commit.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT, PAGE, RECORD = HERE.parent, HERE / "correctness.md", HERE / "correctness.json"
BEGIN, END = "<!-- written by docs/correctness.py -->", "<!-- end -->"
NUMBERS = {number["what"]: number for number in tomllib.loads((HERE / "correctness.toml").read_text())["number"]}


def count(pattern: str, files: str) -> int:
    """The number of matches in some files; if the pattern has a group, the sum of the numbers in it."""
    paths = sorted(ROOT.glob(files))
    assert paths, f"no file is called {files}"
    found = [match for path in paths for match in re.findall(pattern, path.read_text(), re.MULTILINE)]
    return sum(int(match) for match in found) if re.compile(pattern).groups else len(found)


def git(*words: str) -> str:
    return subprocess.check_output(["git", *words], cwd=ROOT, text=True).strip()


def measure(what: str, log: Path | None, at: str) -> None:
    """Runs the command of a number, unless there is a log, and records what it printed."""
    if not log and (changed := git("status", "--porcelain", "--untracked-files=no", "--", ":!docs")):
        sys.exit(f"expected the files of a commit; these differ:\n{changed}")
    command, pattern = NUMBERS[what]["command"], NUMBERS[what]["find"].replace("N", r"([\d,]+)")
    run = ["bash", "-c", command]
    output = log.read_text() if log else subprocess.run(run, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    if refused := re.search(NUMBERS[what].get("refuse", "(?!)"), output, re.MULTILINE):
        line = output[output.rfind("\n", 0, refused.start()) + 1 :].partition("\n")[0]
        sys.exit(f"`{command}` printed a line that `refuse` matches: {line}")
    found = [match.groups("0") for match in re.finditer(pattern, output, re.MULTILINE)]
    assert found, f"`{command}` printed nothing like {pattern}"
    values = [sum(int(number.replace(",", "")) for number in column) for column in zip(*found)]
    commit = git("rev-parse", "--short=8", at)
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    record[what] = {"command": command, "commit": commit, "date": str(datetime.date.today()), "values": values}
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


def row(number: dict, record: dict) -> str:
    """A line of the table."""
    what, command = number["what"], number["command"]
    if "count" in number:
        values, when = [count(*counted) for counted in number["count"]], "counted"
    else:
        measured = record.get(what)
        if not measured:
            return f"| {what} | not measured yet | `{command}` | |"
        if measured["command"] != command:
            sys.exit(f"{RECORD.name}: {what} was measured by `{measured['command']}`, expected `{command}`")
        values, when = measured["values"], f"{measured['date']}, `{measured['commit']}`"
    return f"| {what} | {number['text'].format(*values)} | `{command}` | {when} |"


def table() -> str:
    record = json.loads(RECORD.read_text())
    rows = [row(number, record) for number in NUMBERS.values()]
    return "\n".join(["", "", "| what | number | command | measured |", "|---|---|---|---|", *rows, "", ""])


def wrong_lines(page: str) -> list[str]:
    """The lines that differ from what the commands wrote, and those with numbers of no command."""
    before, _, rest = page.partition(BEGIN)
    written, _, after = rest.partition(END)
    prose = re.sub(r"`[^`\n]*[a-zA-Z][^`\n]*`|\]\([^)\n]*\)", "", before + BEGIN + "\n" * written.count("\n") + END + after)
    wrong = [f"{at}: no command wrote this number" for at, line in enumerate(prose.split("\n"), 1) if re.search(r"\d", line)]
    found, expected = written.split("\n"), table().split("\n")
    first = before.count("\n") + 1
    wrong += [f"{first + at}: no command wrote this line" for at, line in enumerate(found) if line not in expected]
    wrong += [f"{first}: the table lacks: {line}" for line in expected if line not in found]
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--measure", choices=[what for what, number in NUMBERS.items() if "find" in number], metavar="WHAT")
    parser.add_argument("--from", type=Path, dest="log", metavar="LOG")
    parser.add_argument("--at", metavar="COMMIT")
    args = parser.parse_args()
    if bool(args.log) != bool(args.at):
        parser.error("--from LOG and --at COMMIT belong together")
    if args.measure:
        return measure(args.measure, args.log, args.at or "HEAD")
    page = PAGE.read_text()
    if args.write:
        page = page.partition(BEGIN)[0] + BEGIN + table() + END + page.partition(END)[2]
        PAGE.write_text(page)
    if wrong := wrong_lines(page):
        sys.exit("\n".join(f"docs/correctness.md:{line}" for line in wrong) + "\n`docs/correctness.py --write` writes the table")


if __name__ == "__main__":
    main()
