"""Tables of the danger that comes from other players."""

import numpy

from measured import LEAST, PARAMS, chosen, mean, odds


def waits(d: dict[str, numpy.ndarray]) -> None:
    middle = numpy.minimum(d["rank"], 10 - d["rank"])
    groups = {"all": d["rank"] >= 0}
    groups |= classes(d)
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
    print_chances(d, groups)


def open_waits(d: dict[str, numpy.ndarray]) -> None:
    number, honour = d["honour"] == 0, d["honour"] == 1
    flush, tanyao, yaochuu = d["flush"] == 1, d["tanyao"] == 1, d["yaochuu"] == 1
    groups = {"all": d["calls"] > 0}
    for calls in range(1, 4):
        groups[f"calls {calls}"] = d["calls"] == calls
    for calls in range(1, 4):
        groups[f"sign of a flush, its suit, calls {calls}"] = (d["in_suit"] == 1) & (d["calls"] == calls)
    groups["sign of a flush, other suits"] = flush & number & (d["in_suit"] == 0)
    groups["sign of a flush, honours"] = flush & honour
    groups["no sign of a flush, numbers"] = ~flush & number
    groups["no sign of a flush, honours"] = ~flush & honour
    for name, of_melds in (("melds of tanyao", tanyao), ("other melds", ~tanyao)):
        groups[f"{name}, simples"] = of_melds & ~yaochuu
        groups[f"{name}, terminals"] = of_melds & yaochuu & number
        groups[f"{name}, honours"] = of_melds & honour
    groups |= classes(d)
    print("# Chance that a tile is a wait of an open tenpai hand")
    print_chances(d, groups)


def classes(d: dict[str, numpy.ndarray]) -> dict[str, numpy.ndarray]:
    bounds = [0, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.17, 1]
    return {
        f"chance {low} to {high}": (d["chance"] > low) & (d["chance"] <= high)
        for low, high in zip(bounds, bounds[1:])
    }


def print_chances(d: dict[str, numpy.ndarray], groups: dict[str, numpy.ndarray]) -> None:
    for name, which in groups.items():
        h = chosen(d, which)
        if len(h["hit"]) >= LEAST:
            expected, found = h["chance"].mean(), h["hit"].mean()
            print(f"{name}: expected {expected:.4f}, found {found:.4f}, ratio {found / expected:.2f} ({len(h['hit'])})")


def threats(d: dict[str, numpy.ndarray]) -> None:
    params = PARAMS["threat"]
    print("# Players without riichi who are tenpai")
    for calls in range(5):
        for turn in (4, 8, 12, 16):
            h = chosen(d, (d["calls"] == calls) & (abs(d["turn"] - turn) <= 1))
            if len(h["tenpai"]) >= LEAST / 4:
                released = params["tenpai"][calls][turn // 4 - 1]
                print(
                    f"calls {calls}, discards {turn - 1} to {turn + 1}: {h['tenpai'].mean():.3f}, "
                    f"released {released:.2f} ({len(h['tenpai'])})"
                )
    print("\n# Factor of the odds by tsumogiri since the last discard from the hand, discards 7 to 13")
    for calls in range(1, 4):
        alike = (d["calls"] == calls) & (abs(d["turn"] - 10) <= 3)
        usual = odds(d["tenpai"][alike].mean())
        for unchanged in range(4):
            h = chosen(d, alike & (numpy.minimum(d["unchanged"], 3) == unchanged))
            found = h["tenpai"].mean()
            print(
                f"calls {calls}, tsumogiri {unchanged}{' or more' if unchanged == 3 else ''}: {found:.3f}, "
                f"factor {odds(found) / usual:.2f}, released {params['unchanged'][unchanged]} ({len(h['tenpai'])})"
            )
    tenpai = chosen(d, d["tenpai"] == 1)
    worth = chosen(tenpai, tenpai["points"] > 0)
    print("\n# Points of a ron on the waits, for a player who is not the dealer")
    for calls in range(4):
        points = worth["points"][worth["calls"] == calls]
        share = len(points) / (tenpai["calls"] == calls).sum()
        print(f"calls {calls}: {mean(points)} ({len(points)}); {1 - share:.2f} of the hands have no yaku")
    print("\n# The same by what the melds show")
    for flush, sign in enumerate(("", ", sign of a flush")):
        for dora in range(5):
            for valued in range(3):
                of_melds = (worth["flush"] == flush) & (worth["dora"] == dora) & (worth["valued"] == valued)
                points = worth["points"][of_melds & (worth["calls"] > 0)]
                if len(points) >= LEAST / 4:
                    shown = params["dora_han"] * dora + params["valued_han"] * valued + params["flush_han"] * flush
                    by_han = PARAMS["value"]["by_han"]
                    released = numpy.interp(params["open_han"] + shown - 1, range(len(by_han)), by_han)
                    print(
                        f"dora {dora}, valued {valued}{sign}: {mean(points)}, "
                        f"released {released:.0f} ({len(points)})"
                    )
