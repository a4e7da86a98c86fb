"""Makes tables of the lines that `jantaku-heuristic` prints.

usage: tables.py hands|discards|calls|waits FILE
"""

import sys
import tomllib
from pathlib import Path

import numpy

PARAMS = tomllib.loads((Path(__file__).parent / "../../agents/src/heuristic/params.toml").read_text())
NODES = [2, 5, 8, 11, 14, 17]
RIICHI, DAMATEN, OPEN, TSUMO = MODES = range(4)
# Cells with fewer lines are filled from other cells.
LEAST = 400


def read(path: str) -> dict[str, numpy.ndarray]:
    """The columns of a file by name."""
    with open(path) as lines:
        names = next(lines).strip().split(",")
        return dict(zip(names, numpy.loadtxt(lines, delimiter=",").T))


def chosen(columns: dict[str, numpy.ndarray], which: numpy.ndarray) -> dict[str, numpy.ndarray]:
    return {name: column[which] for name, column in columns.items()}


def fit(y: numpy.ndarray, *xs: numpy.ndarray) -> str:
    """Least squares coefficients with standard errors."""
    x = numpy.stack(xs, 1)
    inverse = numpy.linalg.inv(x.T @ x)
    found = inverse @ x.T @ y
    errors = numpy.sqrt(numpy.diag(inverse) * (y - x @ found).var())
    digits = [0 if error >= 2 else 2 for error in errors]
    return ", ".join(f"{v:.{d}f} ± {e:.{d}f}" for v, e, d in zip(found, errors, digits))


def mean(values: numpy.ndarray) -> str:
    return f"{values.mean():.0f} ± {values.std() / len(values) ** 0.5:.0f}"


def outlook(d: dict[str, numpy.ndarray]) -> dict[str, numpy.ndarray]:
    """The tables `win`, `tenpai` and `discards` of the parameters, from hands without riichi."""
    tables = {name: numpy.zeros((4, 6, 6)) for name in ("win", "tenpai", "discards")}
    counts = numpy.zeros((4, 6, 6), int)
    shanten = numpy.minimum(d["shanten"], 5)
    for mode in MODES:
        for distance in range(6):
            of_distance = (d["mode"] == mode) & (shanten == distance) & (d["riichi"] == 0) & (d["ukeire"] > 0)
            for i, node in enumerate(NODES):
                h = chosen(d, of_distance & (abs(d["draws"] - node) <= 1))
                count = len(h["win"])
                counts[mode, distance, i] = count
                if count:
                    tables["win"][mode, distance, i] = h["win"].sum() / of_ukeire(mode, distance, h["ukeire"]).sum()
                    tables["tenpai"][mode, distance, i] = h["tenpai"].mean()
                    tables["discards"][mode, distance, i] = h["later"].mean()
    for mode in (RIICHI, OPEN, DAMATEN, TSUMO):
        for cell in zip(*numpy.nonzero(counts[mode] < LEAST)):
            fill(tables, counts, mode, *cell)
    return tables


def of_ukeire(mode: int, shanten: int, ukeire: numpy.ndarray) -> numpy.ndarray:
    """The factor of the chance to win for this ukeire."""
    usual = PARAMS["outlook"]["usual_ukeire"][mode][shanten]
    return (ukeire / usual) ** PARAMS["outlook"]["elasticity"][shanten]


def fill(tables: dict[str, numpy.ndarray], counts: numpy.ndarray, mode: int, shanten: int, i: int) -> None:
    """Fills a cell with too few hands: as in riichi, from one shanten less, or from the next node.

    A hand without riichi has the same chance to win as in riichi, by tsumo alone half of it.
    """
    for name, table in tables.items():
        if mode in (DAMATEN, TSUMO):
            table[mode, shanten, i] = table[RIICHI, shanten, i]
        elif shanten > 0:
            table[mode, shanten, i] = table[mode, shanten - 1, i]
        else:
            known = numpy.nonzero(counts[mode, 0] >= LEAST)[0]
            table[mode, 0, i] = table[mode, 0, known[abs(known - i).argmin()]]
    if mode == TSUMO:
        tables["win"][mode, shanten, i] *= 0.5
    elif mode != DAMATEN and shanten > 0:
        tables["win"][mode, shanten, i] *= 0.62
        tables["tenpai"][mode, shanten, i] *= 0.8


def hands(d: dict[str, numpy.ndarray]) -> None:
    print("# Power of ukeire over different hands with 8 to 12 draws left, closed, nobody in riichi")
    for shanten in range(1, 5):
        h = chosen(d, (d["mode"] == RIICHI) & (d["shanten"] == shanten) & (d["riichi"] == 0) & (d["ukeire"] > 0))
        h = chosen(h, abs(h["draws"] - 10) <= 2)
        few = h["ukeire"] < numpy.median(h["ukeire"])
        (win_few, few_tiles), (win_many, many_tiles) = [
            (h["win"][half].mean(), h["ukeire"][half].mean()) for half in (few, ~few)
        ]
        power = numpy.log(win_many / win_few) / numpy.log(many_tiles / few_tiles)
        error = ((1 / h["win"][few].sum() + 1 / h["win"][~few].sum()) ** 0.5) / numpy.log(many_tiles / few_tiles)
        print(
            f"shanten {shanten}: ukeire {few_tiles:.0f} and {many_tiles:.0f}, "
            f"wins {win_few:.3f} and {win_many:.3f}, power {power:.2f} ± {error:.2f}"
        )
    print("\n# Points won = offset + share × estimate")
    for name, of_mode in (("closed", d["mode"] != OPEN), ("open", d["mode"] == OPEN)):
        for shanten in range(5):
            h = chosen(d, of_mode & (d["shanten"] == shanten) & (d["win"] == 1))
            print(
                f"{name}, shanten {shanten}: {fit(h['won'], numpy.ones_like(h['won']), h['points'])}; "
                f"means: estimate {h['points'].mean():.0f}, won {mean(h['won'])}"
            )
    tables = outlook(d)
    print("\n# Factor of the chance to win by players in riichi")
    for riichi in (1, 2):
        h = chosen(d, (d["riichi"] == riichi) & (d["ukeire"] > 0) & (d["draws"] >= 2))
        expected = 0.0
        for mode in MODES:
            for shanten in range(6):
                own = (h["mode"] == mode) & (numpy.minimum(h["shanten"], 5) == shanten)
                win = numpy.interp(h["draws"][own], NODES, tables["win"][mode, shanten])
                expected += (win * of_ukeire(mode, shanten, h["ukeire"][own])).sum()
        print(f"{riichi}: {h['win'].sum() / expected:.3f}")
    print("\n[outlook]")
    for name, table in tables.items():
        print(f"{name} = [")
        for mode in MODES:
            rows = [f"        [{', '.join(f'{value:.3f}' for value in row)}]," for row in table[mode]]
            print("    [", *rows, "    ],", sep="\n")
        print("]")


def discards(d: dict[str, numpy.ndarray]) -> None:
    calm = chosen(d, d["riichi"] == 0)
    gain = calm["gain1"] - calm["gain2"]
    print("# Discards of the same shanten: change of points / points at stake, by the logarithm of")
    print("# the ratio of the ukeire and of the points of a win")
    for least in range(5):
        alike = (calm["shanten1"] == least) & (calm["shanten2"] == least) & (calm["mode1"] == calm["mode2"])
        positive = numpy.minimum(calm["attack1"], calm["attack2"]) > 0
        some = numpy.minimum(calm["ukeire1"], calm["ukeire2"]) > 0
        which = alike & positive & some
        h = chosen(calm, which)
        stake = (h["attack1"] + h["attack2"]) / 2
        ratios = [numpy.log(h[f"{name}1"] / h[f"{name}2"]) for name in ("ukeire", "points")]
        print(f"shanten {least}: {fit(gain[which], *(stake * ratio for ratio in ratios))} ({which.sum()} pairs)")
    print("\n# Discards that give up a shanten, against those that do not")
    for least in range(4):
        one_back = (calm["shanten1"] == least + 1) & (calm["shanten2"] == least)
        two_back = (calm["shanten2"] == least + 1) & (calm["shanten1"] == least)
        both = one_back | two_back
        h = chosen(calm, both)
        first = one_back[both]
        back, kept, back_ukeire, kept_ukeire = [
            numpy.where(first == is_back, h[f"{name}1"], h[f"{name}2"])
            for name in ("win", "ukeire")
            for is_back in (True, False)
        ]
        change = numpy.where(first, gain[both], -gain[both])
        error = back.mean() / kept.mean() * (1 / back.sum() + 1 / kept.sum()) ** 0.5
        print(
            f"shanten {least}: ukeire {back_ukeire.mean():.0f} against {kept_ukeire.mean():.0f}, wins "
            f"{back.mean():.3f} against {kept.mean():.3f}, ratio {back.mean() / kept.mean():.2f} ± {error:.2f}, "
            f"points {mean(change)} ({both.sum()} pairs)"
        )
    print("\n# Against riichi: change of points by the worth of going on and by the risk of the discard")
    danger = chosen(d, d["riichi"] > 0)
    least = numpy.minimum(danger["shanten1"], danger["shanten2"])
    for name, which in [("all", least >= 0)] + [(f"shanten {s}", least == s) for s in range(5)]:
        h = chosen(danger, which)
        attack = numpy.maximum(h["attack1"], -3000) - numpy.maximum(h["attack2"], -3000)
        found = fit(h["gain1"] - h["gain2"], attack, h["risk2"] - h["risk1"])
        print(f"{name}: {found} ({which.sum()} pairs)")


def calls(d: dict[str, numpy.ndarray]) -> None:
    print("# Change of points by calling = offset + share × estimate")
    d["estimate"] = numpy.clip(d["estimate"], -5000, 5000)
    for is_open, name in enumerate(("closed", "open")):
        for shanten in range(1, 6):
            for kind, lowers in (("nearer", True), ("as far", False)):
                h = chosen(d, (d["open"] == is_open) & (d["shanten"] == shanten) & ((d["after"] < shanten) == lowers))
                if len(h["gain"]) < LEAST:
                    continue
                print(
                    f"{name}, shanten {shanten}, {kind}: {fit(h['gain'], numpy.ones_like(h['gain']), h['estimate'])}; "
                    f"means: estimate {h['estimate'].mean():.0f}, true {mean(h['gain'])}; wins "
                    f"{h['win_call'].mean():.3f} by calling, {h['win_pass'].mean():.3f} by passing ({len(h['gain'])})"
                )
    print("\n# The same by estimate")
    bounds = [-600, -300, -100, 0, 100, 300, 600, 1200, 2400]
    for low, high in zip(bounds, bounds[1:]):
        h = chosen(d, (d["estimate"] > low) & (d["estimate"] <= high))
        print(f"{low} to {high}: true {mean(h['gain'])} ({len(h['gain'])})")


def waits(d: dict[str, numpy.ndarray]) -> None:
    middle = numpy.minimum(d["rank"], 10 - d["rank"])
    groups = {"all": d["rank"] >= 0}
    bounds = [0, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.17, 1]
    for low, high in zip(bounds, bounds[1:]):
        groups[f"chance {low} to {high}"] = (d["chance"] > low) & (d["chance"] <= high)
    for suji in range(3):
        for rank in range(1, 6):
            name = f"rank {rank} or {10 - rank}, suji {suji}"
            groups[name] = (middle == rank) & (d["rank"] > 0) & (d["suji"] == suji)
    for left in range(1, 4):
        groups[f"honour, {left} unseen"] = (d["rank"] == 0) & (d["left"] == left)
    groups["dora"] = d["dora"] == 1
    for low, high in ((1, 6), (7, 9), (10, 12), (13, 18)):
        groups[f"turn {low} to {high}"] = (d["turn"] >= low) & (d["turn"] <= high)
    print("# Chance that a tile is a wait of a player in riichi")
    for name, which in groups.items():
        h = chosen(d, which)
        if len(h["hit"]) >= LEAST:
            expected, found = h["chance"].mean(), h["hit"].mean()
            print(f"{name}: expected {expected:.4f}, found {found:.4f}, ratio {found / expected:.2f} ({len(h['hit'])})")


def main() -> None:
    tables = {"hands": hands, "discards": discards, "calls": calls, "waits": waits}
    if len(sys.argv) != 3 or sys.argv[1] not in tables:
        sys.exit(__doc__)
    tables[sys.argv[1]](read(sys.argv[2]))


if __name__ == "__main__":
    main()
