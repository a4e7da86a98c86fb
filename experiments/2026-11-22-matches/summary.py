"""Summarizes the matches that matches.py played.

usage: summary.py intervals.tsv tests-*.tsv
"""

import csv
import math
import sys
from pathlib import Path


def rows(path: str) -> list[dict]:
    return list(csv.DictReader(Path(path).open(), delimiter="\t"))


def share(count: int, of: int) -> str:
    value = count / of
    return f"{count} of {of}, {100 * value:.2f} % ± {100 * math.sqrt(value * (1 - value) / of):.2f} (standard error)"


def main() -> None:
    intervals = rows(sys.argv[1])
    covering = sum(float(row["low"]) <= 2.5 <= float(row["high"]) for row in intervals)
    print(f"95 % intervals of matches of 200 sets that cover 2.5: {share(covering, len(intervals))}")
    ratio = sum(float(row["variance_ratio"]) for row in intervals) / len(intervals)
    print(f"mean variance ratio: {ratio:.3f}")
    tests = [row for path in sys.argv[2:] for row in rows(path)]
    accepted = sum(row["decision"] == "accept" for row in tests)
    assert all(row["decision"] in ("accept", "reject") for row in tests)
    sets = sorted(int(row["sets"]) for row in tests)
    print(f"tests (0, 0.05) at gain 0 that accept 0.05: {share(accepted, len(tests))}")
    print(f"sets of a test: mean {sum(sets) / len(sets):.0f}, median {sets[len(sets) // 2]}, most {sets[-1]}")


if __name__ == "__main__":
    main()
