"""What a perfect correction of one decision would gain: ``python ceiling.py noise.csv``.

The file is the output of the example ``noise`` with one set of options. The true differences of the candidates are drawn
around the measured ones, shrunk to a line over the gap of ``heuristic``, so the noise of the rollouts is no gain. Points
for each decision of any kind, by kind.
"""

import csv
import sys
from collections import defaultdict

import numpy as np

DRAWS = 200


def main(path: str) -> None:
    decisions = defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            decisions[row["kind"], row["game"], row["decision"]].append(row)
    kinds = sorted({kind for kind, _, _ in decisions})
    rng = np.random.default_rng(0)
    print("| kind | decisions | the agent | three within 1,000 points | six within 3,000 points |\n|---|---|---|---|---|")
    totals = np.zeros(4)
    for kind in kinds:
        own = [rows for (of, _, _), rows in decisions.items() if of == kind]
        which = np.repeat(np.arange(len(own)), [len(rows) for rows in own])
        rows = [row for of in own for row in of]
        deals = np.array([int(row["deals"]) for row in rows])
        mean = np.array([float(row["sum"]) for row in rows]) / deals
        square = np.array([float(row["squares"]) for row in rows]) / deals
        error = np.maximum(square - mean**2, 1) / (deals - 1)
        gap = np.array([float(row["gap"] or -1000) for row in rows])
        line = np.polyval(np.polyfit(gap, mean, 1), gap) if len(gap) > 10 else np.zeros(len(gap))
        spread = max(float(((mean - line) ** 2 - error).mean()), 0.0)
        weight = spread / (spread + error)
        expected, deviation = line + weight * (mean - line), np.sqrt(weight * error)
        near = (np.array([int(row["at"]) for row in rows]) <= 2) & (gap >= -1000)
        best = np.zeros((2, DRAWS, len(own)))
        for draw in range(DRAWS):
            true = expected + deviation * rng.standard_normal(len(rows))
            np.maximum.at(best[0, draw], which[near], true[near])
            np.maximum.at(best[1, draw], which, true)
        played = np.bincount(which, [m * (row["played"] == "1") for m, row in zip(mean, rows, strict=True)], len(own))
        found = np.array([played.sum(), *best.mean(1).sum(1), (played**2).sum()]) / len(decisions)
        totals += found
        print(f"| {kind} | {len(own):,} | {_text(found, len(decisions))} | {found[1]:.0f} | {found[2]:.0f} |")
    print(f"| together | {len(decisions):,} | {_text(totals, len(decisions))} | {totals[1]:.0f} | {totals[2]:.0f} |")


def _text(found: np.ndarray, count: int) -> str:
    return f"{found[0]:.0f} ± {(found[3] / count) ** 0.5:.0f}"


if __name__ == "__main__":
    main(*sys.argv[1:])
