"""Finds how much the rollouts of `mc` should count against the proposer.

    python3 weigh.py gains.csv

For each `trust` (the deals that the proposer's estimate counts as) and each number of standard errors
that a difference must reach, prints what the agent would have gained in a searched decision, with
its standard error, and how often it would have deviated. Then how far the rollouts differ from the
proposer's gap, in standard errors; the gains by kind of candidate; and what the true gain is by the
difference that the rollouts say.
"""

import sys
from collections import defaultdict

import numpy

NAMES = "seed,decision,choice,candidate,hands,turn,riichi,gap,deals,difference,error,chosen,gain".split(",")


def read(path):
    columns = defaultdict(list)
    with open(path) as lines:
        next(lines)
        for line in lines:
            for name, word in zip(NAMES, line.strip().split(","), strict=True):
                columns[name].append(word)
    numbers = {}
    for name, words in columns.items():
        if name in ("choice", "candidate"):
            numbers[name] = numpy.array(words)
        else:
            numbers[name] = numpy.array([float(word) if word else numpy.nan for word in words])
    return numbers


def main():
    rows = read(sys.argv[1])
    known = ~numpy.isnan(rows["gap"])
    gap = numpy.where(known, rows["gap"], 0.0)
    key = rows["seed"] * 10_000 + rows["decision"]
    starts = numpy.flatnonzero(numpy.diff(key, prepend=key[0] - 1))
    groups = numpy.cumsum(numpy.diff(key, prepend=key[0] - 1) != 0) - 1
    print(f"{len(starts)} searched decisions, {len(key)} candidates")
    print("trust  errors   gain  error  deviates")
    for trust in (0, 100, 200, 400, 700, 1000, 2000):
        for errors in (0.0, 0.5, 1.0, 1.5):
            weight = numpy.where(known, trust, min(trust, 50))
            mean = (weight * gap + rows["deals"] * rows["difference"]) / (weight + rows["deals"])
            good = (mean > 0) & (rows["difference"] > errors * rows["error"]) & (rows["deals"] > 0)
            score = numpy.where(good, mean, -numpy.inf)
            best = numpy.maximum.reduceat(score, starts)
            is_best = good & (score == best[groups])
            gains = numpy.zeros(len(starts))
            gains[groups[is_best]] = rows["gain"][is_best]
            print(f"{trust:5} {errors:6} {gains.mean():7.1f} {gains.std() / len(gains) ** 0.5:6.1f}"
                  f" {numpy.mean(numpy.isfinite(best)):8.3f}")
    print("\nsquared distance of rollouts and gap in standard errors, by gap: 1 + deals / trust")
    ones = known & (rows["deals"] > 0) & (rows["error"] > 0) & (rows["choice"] != "win")
    for low, high in ((-600, -300), (-300, -150), (-150, -60), (-60, -20), (-20, 0)):
        here = ones & (gap >= low) & (gap < high)
        if here.sum() > 20:
            squares = ((rows["difference"] - gap)[here] / rows["error"][here]) ** 2
            print(f"{low:5} {here.sum():6} {rows['deals'][here].mean():6.0f} deals {squares.mean():6.3f}"
                  f" ± {squares.std() / here.sum() ** 0.5:.3f}")
    print("\ngain of candidates by the proposer's gap: candidates, mean gap, difference, gain, error")
    edges = [-1e9, -450, -300, -200, -100, -50, -20, -1e-9, 1e9]
    for low, high in zip(edges, edges[1:]):
        here = known & (gap >= low) & (gap < high)
        summary(f"{low:.0f}", rows, gap, here)
    print("\nby kind (choice, candidate)")
    pairs = sorted(set(zip(rows["choice"], rows["candidate"])))
    for choice, candidate in pairs:
        here = (rows["choice"] == choice) & (rows["candidate"] == candidate)
        if here.sum() > 100:
            summary(f"{choice} {candidate}", rows, gap, here)
    print("\nby the difference in standard errors")
    ratio = rows["difference"] / rows["error"]
    edges = [-99, -2, -1, 0, 0.5, 1, 1.5, 2, 3, 99]
    for low, high in zip(edges, edges[1:]):
        summary(f"{low}", rows, gap, (ratio >= low) & (ratio < high))
    # The regression of the true gain on what the proposer and the rollouts say.
    for low, high in ((0, 300), (300, 600), (600, 1200), (1200, 1e9)):
        here = known & (rows["error"] >= low) & (rows["error"] < high)
        if here.sum() > 500:
            x = numpy.stack([gap[here], rows["difference"][here], numpy.ones(here.sum())], axis=1)
            y = rows["gain"][here]
            w, *_ = numpy.linalg.lstsq(x, y, rcond=None)
            e = numpy.sqrt(numpy.diag(numpy.linalg.inv(x.T @ x)) * numpy.var(y - x @ w))
            print(f"error {low}-{high:.0f}: gain = {w[0]:.3f} (± {e[0]:.3f}) gap + {w[1]:.3f} (± {e[1]:.3f})"
                  f" difference + {w[2]:.1f} (± {e[2]:.1f}), {here.sum()} candidates")


def summary(name, rows, gap, here):
    count = here.sum()
    if count == 0:
        return
    gain = rows["gain"][here]
    print(f"{name:18} {count:7} {gap[here].mean():8.1f} {rows['difference'][here].mean():8.1f}"
          f" {gain.mean():8.1f} {gain.std() / count ** 0.5:6.1f}")


main()
