"""Tables of what becomes of a hand."""

import numpy

from measured import DAMATEN, LEAST, MODES, OPEN, PARAMS, RIICHI, TSUMO, chosen, error, fit, mean, points_change

NODES = [2, 5, 8, 11, 14, 17]


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
                    tables["win"][mode, distance, i] = h["win"].sum() / of_ukeire(mode, distance, h["draws"], h["ukeire"]).sum()
                    tables["tenpai"][mode, distance, i] = h["tenpai"].mean()
                    tables["discards"][mode, distance, i] = h["later"].mean()
    for mode in (RIICHI, OPEN, DAMATEN, TSUMO):
        for cell in zip(*numpy.nonzero(counts[mode] < LEAST)):
            fill(tables, counts, mode, *cell)
    return tables


def of_ukeire(mode: int, shanten: int, draws: numpy.ndarray, ukeire: numpy.ndarray) -> numpy.ndarray:
    """The factor of the chance to win for this ukeire."""
    usual = PARAMS["outlook"]["usual_ukeire"][mode][shanten]
    return (ukeire / usual) ** numpy.interp(draws, NODES, PARAMS["outlook"]["elasticity"][shanten])


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
                expected += (win * of_ukeire(mode, shanten, h["draws"][own], h["ukeire"][own])).sum()
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
    d["estimate"] = numpy.clip(d["estimate"], -5000, 5000)
    d["error"] = d["estimate"] - d["gain"]
    near = abs(d["estimate"]) <= 600
    print("# Change of points by calling. The error is the estimate without margin less the true change.")
    for is_open, hand in enumerate(("closed", "open")):
        for kind, call in enumerate(("chi", "pon", "pon of valued honours")):
            for shanten in range(1, 5):
                for name, lowers in (("nearer", True), ("as far", False)):
                    which = (d["open"] == is_open) & (d["kind"] == kind) & (d["shanten"] == shanten)
                    h = chosen(d, which & ((d["after"] < shanten) == lowers))
                    if len(h["gain"]) < LEAST:
                        continue
                    table = PARAMS["call"][f"{hand}_{name.replace(' ', '_')}"]
                    close = d["error"][which & ((d["after"] < shanten) == lowers) & near]
                    print(
                        f"{hand}, {call}, shanten {shanten}, {name}: estimate {h['estimate'].mean():.0f}, true "
                        f"{mean(h['gain'])}, error {points_change(h['error'])}, near 0 {points_change(close)}, released "
                        f"margin {table[kind][shanten]}; wins {h['win_call'].mean():.3f} by calling, "
                        f"{h['win_pass'].mean():.3f} by passing ({len(h['gain'])})"
                    )
    print("\n# By estimate")
    bounds = [-600, -300, -100, 0, 100, 300, 600, 1200, 2400]
    for low, high in zip(bounds, bounds[1:]):
        h = chosen(d, (d["estimate"] > low) & (d["estimate"] <= high))
        print(f"{low} to {high}: true {mean(h['gain'])} ({len(h['gain'])})")
    print("\n# Estimates near 0 by the points of a win")
    bounds = [0, 2000, 4000, 6000, 8000, 12000, 40000]
    for low, high in zip(bounds, bounds[1:]):
        h = chosen(d, near & (d["points"] > low) & (d["points"] <= high))
        print(f"{low} to {high}: error {points_change(h['error'])} ({len(h['gain'])})")


def damaten(d: dict[str, numpy.ndarray]) -> None:
    yaku = d["mode"] == DAMATEN
    print("# Riichi against damaten with the same discard, for hands that may declare riichi")
    last, declares = d["stage"] <= 1, d["declared"] == 1
    groups = {}
    for name, of_stage in (("before the last hand", ~last), ("in the last hand", last)):
        for choice, of_choice in (("declares", declares), ("stays in damaten", ~declares)):
            groups[f"{name}, the agent {choice}"] = of_stage & of_choice
    for yaku_name, of_yaku in (("with a yaku", yaku), ("by tsumo alone without riichi", d["mode"] == TSUMO)):
        for name, of_ukeire in (("up to 4", d["ukeire"] <= 4), ("more than 4", d["ukeire"] > 4)):
            for low, high in ((0, 4), (5, 8), (9, 18)):
                of_draws = (d["draws"] >= low) & (d["draws"] <= high)
                which = of_yaku & of_ukeire & of_draws & ~last
                groups[f"{yaku_name}, ukeire {name}, {low} to {high} draws left"] = which
    for name, of_mode in (("with a yaku", yaku), ("by tsumo alone without riichi", d["mode"] == TSUMO)):
        for riichi in range(3):
            groups[f"{name}, {riichi} others in riichi"] = of_mode & (d["riichi"] == riichi)
        for low, high in ((1, 3), (4, 4), (5, 6), (7, 20)):
            groups[f"{name}, ukeire {low} to {high}"] = of_mode & (d["ukeire"] >= low) & (d["ukeire"] <= high)
        for low, high in ((1, 6), (7, 9), (10, 12), (13, 18)):
            groups[f"{name}, discard {low} to {high}"] = of_mode & (d["turn"] >= low) & (d["turn"] <= high)
    bounds = [0, 1800, 3000, 5000, 7600, 9000, 40000]
    for low, high in zip(bounds, bounds[1:]):
        groups[f"with a yaku, {low} to {high} points"] = yaku & (d["points"] > low) & (d["points"] <= high)
    for name, which in groups.items():
        h = chosen(d, which)
        if len(h["mode"]) < LEAST:
            continue
        wins = [h["win_riichi"].mean(), h["win_damaten"].mean()]
        deal_ins = [h["deal_in_riichi"].mean(), h["deal_in_damaten"].mean()]
        won = [h[f"gain_{way}"][h[f"win_{way}"] == 1].mean() for way in ("riichi", "damaten")]
        ratio = wins[1] / wins[0]
        # The hands are the same, so the difference of the wins has the smaller error.
        ratio_error = error(h["win_damaten"] - ratio * h["win_riichi"]) / wins[0]
        print(
            f"{name}: wins {wins[0]:.3f} and {wins[1]:.3f} in damaten, ratio {ratio:.2f} ± {ratio_error:.2f}; "
            f"deals in {deal_ins[0]:.3f} and {deal_ins[1]:.3f}; {won[0]:.0f} and {won[1]:.0f} points a win; "
            f"riichi {points_change(h['gain_riichi'] - h['gain_damaten'])}, "
            f"of the result {points_change(h['result_riichi'] - h['result_damaten'])}, "
            f"estimate {h['estimate'].mean():+.0f} ({len(h['mode'])})"
        )


def kans(d: dict[str, numpy.ndarray]) -> None:
    print("# Change of points by the kan, against the best discard")
    slower = d["after"] > d["shanten"]
    for kakan, kan in enumerate(("ankan", "kakan")):
        for riichi, others in enumerate(("nobody in riichi", "against riichi")):
            for shanten in range(5):
                for name, slow in (("as fast", False), ("slower", True)):
                    of_kan = (d["kakan"] == kakan) & ((d["riichi"] > 0) == riichi)
                    h = chosen(d, of_kan & (d["shanten"] == shanten) & (slower == slow))
                    if len(h["open"]) < LEAST / 4:
                        continue
                    print(
                        f"{kan}, {others}, shanten {shanten}, {name}: "
                        f"{points_change(h['gain_kan'] - h['gain_discard'])}; wins {h['win_kan'].mean():.3f} and "
                        f"{h['win_discard'].mean():.3f} without; deals in {h['deal_in_kan'].mean():.3f} and "
                        f"{h['deal_in_discard'].mean():.3f} ({len(h['open'])})"
                    )
