"""Finds how much the rollouts of `mc` should count against the proposer.

    python3 weigh.py doubts doubts.csv
    python3 weigh.py gains gains.csv ...

`doubts` prints, by gap and by live tiles left, how far the proposer is off once the noise of the
rollouts is taken away, and fits the constants of agents/src/mc/posterior.rs.

`gains` prints what the agent gains for each searched decision with the true hands, and what it would
gain with other values of the options `errors` and of MOST_TO_LEARN; then the gains of the candidates
that it chose, by kind, by live tiles left and by the difference in standard errors.

Points are those of the result of the game, with uma.
"""

import csv
import sys

import numpy as np

# The constants of verdict.rs.
REAL, DOUBT, DOUBT_UNLIKE = 0.5, (0.073, 1.0), 0.006
WITHOUT_GAP = (-0.1, 100.0)
LEFT = ((0, 8), (8, 20), (20, 35), (35, 50), (50, 70))
GAPS = ((-1001, -800), (-800, -500), (-500, -300), (-300, -150), (-150, -60), (-60, -20), (-20, 1))


def read(paths):
    rows = []
    for path in paths:
        with open(path) as lines:
            rows.extend(csv.DictReader(lines))
    words = {name: np.array([row[name] for row in rows]) for name in ("choice", "candidate")}
    table = {
        name: np.array([float(row[name] or "nan") for row in rows])
        for name in rows[0]
        if name not in words
    }
    table["unlike"] = (words["choice"] != "discard") | (words["candidate"] != "discard")
    table["kind"] = np.char.add(np.char.add(words["choice"], " "), words["candidate"])
    return table


def doubts(path):
    table = read([path])
    table = {name: column[~np.isnan(table["gap"])] for name, column in table.items()}
    gap, mean, left, unlike = (table[name] for name in ("gap", "mean", "left", "unlike"))
    variance = np.maximum(table["variance"], 1e4)
    noise = variance / table["deals"]
    print(f"{len(gap)} candidates")
    print("                 candidates    gap   mean  proposer off by  one deal  deals")

    def line(name, here):
        squares = (mean - REAL * gap)[here] ** 2 - noise[here]
        off, error = squares.mean(), squares.std() / here.sum() ** 0.5
        one = variance[here].mean()
        print(
            f"{name:18} {here.sum():8} {gap[here].mean():6.0f} {mean[here].mean():6.0f}"
            f"  {max(off, 0) ** 0.5:6.0f} (± {error / 2 / max(off, 1) ** 0.5:4.0f})"
            f" {one**0.5:9.0f} {one / max(off, 1):6.0f}"
        )

    for low, high in GAPS:
        line(f"gap from {low}", (gap >= low) & (gap < high))
    for low, high in LEFT:
        line(f"{low} to {high - 1} tiles left", (left >= low) & (left < high))
    for kind in sorted(set(table["kind"])):
        here = table["kind"] == kind
        if here.sum() >= 30:
            line(kind, here)

    # Maximum likelihood in rounds of weighted least squares.
    parts = np.stack(
        [variance / (left + 4), np.abs(gap) * variance**0.5 / (left + 4), variance * unlike], axis=1
    )
    doubt = noise
    for _ in range(30):
        weight = 1 / (doubt + noise)
        real = (weight * gap * mean).sum() / (weight * gap**2).sum()
        squares = (mean - real * gap) ** 2 - noise
        scaled = parts * (weight**2)[:, None]
        found = np.linalg.solve(scaled.T @ parts, scaled.T @ squares)
        doubt = np.maximum(parts @ found, 1e3)
    print(f"REAL {real:.2f}, DOUBT ({found[0]:.3f}, {found[1]:.2f}), DOUBT_UNLIKE {found[2]:.4f}")


def believed(table, most):
    """What verdict.rs makes of the rollouts if any number of deals counts as fewer than `most`."""
    deals = np.maximum(table["deals"], 1)
    one = np.maximum(table["error"], 1) * deals**0.5
    doubt = (DOUBT[0] + DOUBT[1] * np.abs(table["gap"]) / one) / (
        table["left"] + 4
    ) + DOUBT_UNLIKE * table["unlike"]
    known = ~np.isnan(table["gap"])
    expected = np.where(known, REAL * np.nan_to_num(table["gap"]), WITHOUT_GAP[0] * one)
    trust = np.where(known, 1 / doubt, WITHOUT_GAP[1])
    learnt = deals / (1 + deals / most)
    return (trust * expected + learnt * table["difference"]) / (trust + learnt)


def gains(paths):
    table = read(paths)
    _, decision = np.unique(
        np.stack([table["seed"], table["decision"]]), axis=1, return_inverse=True
    )
    count = decision.max() + 1
    gain, ratio = table["gain"], table["difference"] / np.maximum(table["error"], 1)

    def total(name, chosen, said):
        squares = (gain[chosen] ** 2).sum() ** 0.5
        print(
            f"{name:24} {chosen.sum() / count:8.3f} {said[chosen].sum() / count:9.1f}"
            f" {gain[chosen].sum() / count:7.1f} ± {squares / count:.1f}"
        )

    print(f"{count} searched decisions; points for each of them, ± one standard error")
    print("                         deviates  believed    gain")
    total("the agent", table["chosen"] == 1, table["believed"])
    for most in (1e9, 300, 170, 100, 50):
        said = believed(table, most)
        for errors in (0, 1, 1.5, 2):
            good = (said > 0) & (table["deals"] > 0) & (ratio > errors)
            order = np.flatnonzero(good)[np.argsort(-said[good], kind="stable")]
            chosen = np.zeros(len(gain), bool)
            chosen[order[np.unique(decision[order], return_index=True)[1]]] = True
            total(f"at most {most:.0f}, errors={errors}", chosen, said)
    print("\nchosen candidates         number  difference  believed    gain")

    def line(name, here):
        here = here & (table["chosen"] == 1)
        if here.sum() >= 20:
            print(
                f"{name:24} {here.sum():7} {table['difference'][here].mean():11.0f} {table['believed'][here].mean():9.0f}"
                f" {gain[here].mean():7.0f} ± {gain[here].std() / here.sum() ** 0.5:.0f}"
            )

    for kind in sorted(set(table["kind"])):
        line(kind, table["kind"] == kind)
    for low, high in LEFT:
        line(f"{low} to {high - 1} tiles left", (table["left"] >= low) & (table["left"] < high))
    for low, high in ((1, 1.5), (1.5, 2), (2, 3), (3, 99)):
        line(f"from {low} errors", (ratio >= low) & (ratio < high))


if sys.argv[1] == "doubts":
    doubts(sys.argv[2])
else:
    gains(sys.argv[2:])
