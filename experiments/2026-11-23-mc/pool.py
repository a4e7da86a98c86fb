"""Joins the results of matches with the same agents and other seeds.

    python3 pool.py match-256*.txt

Each file is what `jantaku match --luck` printed. A set counts the same in whichever match it was played.
"""

import math
import re
import sys


def read(path):
    """The sets of a match, and the challenger's placement with its interval: with and without luck."""
    text = open(path).read()
    sets = int(re.search(r"([\d,]+) sets of", text)[1].replace(",", ""))
    rows = re.findall(r"^  mc\S* +([\d.]+) ± ([\d.]+)", text, re.MULTILINE)
    if len(rows) < 2:
        sys.exit(f"{path}: found {len(rows)} placements of mc, expected two: with and without luck")
    return sets, [(float(mean), float(interval)) for mean, interval in rows[:2]]


matches = [read(path) for path in sys.argv[1:]]
total = sum(sets for sets, _ in matches)
print(f"{total:,} sets in {len(matches)} matches")
for at, name in enumerate(["placement", "without luck"]):
    mean = sum(sets * rows[at][0] for sets, rows in matches) / total
    interval = math.sqrt(sum((sets * rows[at][1]) ** 2 for sets, rows in matches)) / total
    print(f"{name:12}  {mean:.3f} ± {interval:.3f}")
