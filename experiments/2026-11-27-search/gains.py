"""Slopes of the true gain on the prior's gap and on the rollouts, and what rules of decision gain.

usage: gains.py GAINS.csv…, the output of the example `search_gains`
"""

import sys
from collections.abc import Callable

import duckdb
import numpy as np

KINDS = ["discard", "danger", "call", "riichi", "kan"]
UNLIKE = ["call", "riichi", "kan", "abort"]
"""Kinds whose candidates are not all discards without riichi."""

Posterior = Callable[[dict[str, np.ndarray]], np.ndarray]


def read(paths: list[str]) -> dict[str, np.ndarray]:
    """The candidates that had rollouts."""
    return duckdb.sql(
        f"select game, decision, kind, live, coalesce(gap, 'nan'::float) as gap, worlds, difference, error, gain "
        f"from read_csv({paths!r}) where worlds > 0 order by game, decision"
    ).fetchnumpy()


def slopes(rows: dict[str, np.ndarray]) -> None:
    """Least squares of the gain on the gap and the difference in rollouts, with standard errors."""
    print(f"{'kind':8} {'candidates':>10} {'worlds':>6} {'on the gap':>15} {'on the rollouts':>17}")
    for kind in KINDS:
        here = (rows["kind"] == kind) & (rows["worlds"] >= 80) & np.isfinite(rows["gap"])
        x = np.stack([rows["gap"][here], rows["difference"][here]], axis=1)
        y = rows["gain"][here]
        inverse = np.linalg.inv(x.T @ x)
        slope = inverse @ x.T @ y
        error = np.sqrt(np.diag(inverse) * np.mean((y - x @ slope) ** 2))
        gap, rollouts = (f"{s:.2f} ± {e:.2f}" for s, e in zip(slope, error, strict=True))
        print(f"{kind:8} {here.sum():10} {rows['worlds'][here].mean():6.0f} {gap:>15} {rollouts:>17}")


def posterior(slope: float) -> Posterior:
    """The posterior mean of `mc` with this slope of the gap (agents/src/mc/posterior.rs)."""

    def of(rows: dict[str, np.ndarray]) -> np.ndarray:
        deviation = rows["error"] * np.sqrt(rows["worlds"])
        unlike = np.isin(rows["kind"], UNLIKE)
        gap, effective = rows["gap"], rows["worlds"] / (1 + rows["worlds"] / 170)
        variance = (0.073 + np.abs(gap) / deviation) / (rows["live"] + 4) + 0.006 * unlike
        without = ~np.isfinite(gap)
        mean, weight = np.where(without, -0.1 * deviation, slope * gap), np.where(without, 100, 1 / variance)
        return (weight * mean + effective * rows["difference"]) / (weight + effective)

    return of


def rule(rows: dict[str, np.ndarray], of: Posterior, errors: float) -> None:
    """What a seat gains in a game if the best candidate that the rule prefers is played."""
    mean = of(rows)
    preferred = np.flatnonzero((mean > 0) & (rows["difference"] > errors * rows["error"]))
    preferred = preferred[np.argsort(-mean[preferred], kind="stable")]
    keys = np.stack([rows["game"][preferred], rows["decision"][preferred]], axis=1)
    _, first = np.unique(keys, axis=0, return_index=True)
    chosen, seats = preferred[first], 4 * len(np.unique(rows["game"]))
    # Half of the quiet discards have labels.
    weight = np.where(rows["kind"][chosen] == "discard", 2.0, 1.0)
    for kind in [*KINDS, "all"]:
        here = (rows["kind"][chosen] == kind) | (kind == "all")
        gain = (weight * rows["gain"][chosen])[here]
        total, error = gain.sum() / seats, np.sqrt((gain**2).sum()) / seats
        print(f"   {kind:8} {weight[here].sum() / seats:6.2f} decisions, {total:6.0f} ± {error:.0f} points a game")


rows = read(sys.argv[1:])
print(f"{len(np.unique(rows['game']))} games, ± one standard error")
slopes(rows)
for slope in [0.5, 1.0]:
    for errors in [1.0, 0.0]:
        print(f"slope {slope}, errors={errors:g}")
        rule(rows, posterior(slope), errors)
