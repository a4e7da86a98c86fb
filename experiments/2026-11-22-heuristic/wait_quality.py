"""Fits how well tenpai hands wait to the lines of `damaten`: [wait], and row 0 of `elasticity`.

The chance to win is base(draws) × (tiles / 5) ^ power(draws) × factor(riichi of others), where each
unseen tile counts as its weight. Needs numpy and scipy.
"""

import sys

import numpy
from measured import DAMATEN, TSUMO, chosen, read
from scipy.optimize import minimize

CLASSES = ("honour", "end", "second", "third", "middle")
NODES = 6
# The smallest and the largest chance of the fit.
CHANCES = (1e-4, 0.985)


def fit(d: dict[str, numpy.ndarray], wins: numpy.ndarray) -> None:
    tiles = numpy.stack([d[name] for name in CLASSES], 1)
    suji = numpy.stack([d.get(f"{name}_suji", numpy.zeros(len(wins))) for name in CLASSES], 1)
    several = (numpy.hstack([tiles, suji]) > 0).sum(1) > 1
    others = numpy.minimum(d["riichi"], 2).astype(int)
    node = numpy.clip((d["draws"] - 2) / 3, 0, NODES - 1)
    low = numpy.minimum(node.astype(int), NODES - 2)
    share = numpy.zeros((len(wins), NODES))
    rows = numpy.arange(len(wins))
    share[rows, low] = 1 - (node - low)
    share[rows, low + 1] += node - low

    def parts(p: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
        base, power, rest = p[:NODES], p[NODES : 2 * NODES], p[2 * NODES :]
        return base, power, numpy.append(0, rest[:2]), numpy.append(rest[2:6], 0), rest[6], rest[7]

    def loss(p: numpy.ndarray) -> float:
        base, power, factors, weights, of_suji, of_several = parts(p)
        usual = tiles @ numpy.exp(weights) + suji @ numpy.exp(weights + of_suji)
        usual = usual * numpy.where(several, numpy.exp(of_several), 1)
        chances = numpy.exp(share @ base + share @ power * numpy.log(usual / 5) + factors[others])
        chances = numpy.clip(chances, *CHANCES)
        likelihood = wins * numpy.log(chances) + (1 - wins) * numpy.log(1 - chances)
        return -likelihood.mean() + 1e-6 * (p**2).sum()

    start = numpy.concatenate([numpy.log([0.2, 0.35, 0.45, 0.55, 0.62, 0.65]), [0.5] * NODES, [0] * 8])
    found = minimize(loss, start, method="L-BFGS-B", options={"maxiter": 500, "maxfun": 100_000})
    base, power, factors, weights, of_suji, of_several = parts(found.x)
    line = lambda values: " ".join(f"{value:.2f}" for value in values)
    print(f"{len(wins)} hands, log-loss {found.fun:.4f}")
    print("  chance with 5 tiles, 2 to 17 draws left:", line(numpy.exp(base)))
    print("  power of the tiles:                     ", line(power))
    print("  against one riichi, more:               ", line(numpy.exp(factors[1:])))
    print("  honours, 1 9, 2 8, 3 7, 4 to 6:         ", line(numpy.exp(weights)))
    print(f"  suji {numpy.exp(of_suji):.2f}, more than one class of tiles {numpy.exp(of_several):.2f}\n")


def main() -> None:
    d = read(sys.argv[1])
    waits = sum(d[name] + d.get(f"{name}_suji", 0) for name in CLASSES)
    d = chosen(d, (waits > 0) & (d["draws"] >= 2))
    of_modes = [("in riichi", "riichi", [DAMATEN, TSUMO]), ("in damaten with a yaku", "damaten", [DAMATEN])]
    for name, way, modes in of_modes:
        print(f"# {name}")
        h = chosen(d, numpy.isin(d["mode"], modes))
        fit(h, h[f"win_{way}"])


main()
