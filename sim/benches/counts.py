"""Compares instruction counts with those of the last commit that changed them.

    counts.py MEASURED [--write]

MEASURED has the lines of JSON that the benches print. The table is ``counts.json`` beside this file.
Fails if a count rose by more than 2 %. With --write the table becomes what was measured.

Another compiler makes other instructions, so counts of another compiler version are compared, but never fail.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).with_name("counts.json")

MAX_CHANGE = 0.02
"""The largest change that needs no new table."""


def read(path: Path) -> dict[str, int]:
    """The instruction count of each bench."""
    counts = {}
    for line in path.read_text().splitlines():
        if not line.startswith("{"):
            continue
        bench = json.loads(line)
        metrics = bench["profiles"][0]["data"]["total"]["metrics"]
        counts[f"{bench['module_path']}::{bench['id']}"] = metrics["Ir"]["values"]["new"]
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("measured", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    compiler = compiler.stdout.strip()
    counts = read(options.measured)
    if not counts:
        sys.exit(f"{options.measured}: found no counts")
    if options.write:
        table = {"rustc": compiler, "instructions": counts}
        TABLE.write_text(json.dumps(table, indent=1) + "\n")
        return
    table = json.loads(TABLE.read_text())
    before = table["instructions"]
    slower, others = [], []
    for name in sorted(before | counts):
        if name not in before or name not in counts:
            others.append(name)
            continue
        change = counts[name] / before[name] - 1
        print(f"{name:<52}{before[name]:>15,}{counts[name]:>15,}{change:>+9.2%}")
        if abs(change) > MAX_CHANGE:
            (slower if change > 0 else others).append(name)
    if table["rustc"] != compiler:
        print(f"the table is of {table['rustc']}, this is {compiler}: counts may differ")
        return
    if others:
        print(f"faster, new or gone: {', '.join(others)}")
        print("write the table with `make bench WRITE=1`, and commit it")
    if slower:
        sys.exit(f"slower by more than {MAX_CHANGE:.0%}: {', '.join(slower)}")


if __name__ == "__main__":
    main()
