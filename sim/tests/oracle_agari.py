"""Scores and shanten by the program of the crate `agari`, in a common form. It knows the rules of Mahjong Soul."""

import json
import subprocess
from pathlib import Path

from oracle_hands import NAMES, WonHand, name, yaku_of
from oracle_peers import known_error, score_of

# The rule file that it scores by.
RULES = "mjsoul"
# Our names of yaku, by its names without the translation behind them.
YAKU = yaku_of("agari")
WINDS = ["East", "South", "West", "North"]
BRACKETS = {"ankan": "[{}]"}


def of_tiles(concealed: list[int], melds: list[tuple[str, list[int]]]) -> str:
    """The tiles in its notation."""
    found = "".join(name(tile) for tile in concealed)
    for kind, tiles in melds:
        names = [name(tile) for tile in sorted(tiles, key=lambda tile: tile // 4)]
        found += BRACKETS.get(kind, "({})").format("".join(each[0] for each in names) + names[0][1])
    return found


def ask(program: Path, words: list[str]) -> dict:
    return json.loads(subprocess.run([program, *words, "--json"], capture_output=True, check=True).stdout)


def winds(hand: WonHand, names: list[str]) -> list[str]:
    """Our names of its yaku of winds: it counts that of the round before that of the seat, by the same name."""
    ours = {}
    for wind, yaku in ((hand.round, "round-wind"), (hand.seat, "seat-wind")):
        ours.setdefault(f"Yakuhai: {WINDS[wind]} Wind", []).append(yaku)
    return [ours[each].pop(0) for each in names]


def of_agari(program: Path, hand: WonHand) -> dict | None:
    """The score. None without yaku."""
    is_first = hand.first_turn and hand.tsumo
    flags = {
        "tsumo": hand.tsumo,
        "riichi": hand.riichi == 1,
        "double-riichi": hand.riichi == 2,
        "ippatsu": hand.ippatsu,
        "last-tile": hand.moment == "haitei",
        "rinshan": hand.moment == "rinshan",
        "chankan": hand.moment == "chankan",
        "tenhou": is_first and hand.seat == 0,
        "chiihou": is_first and hand.seat != 0,
    }
    words = [of_tiles(hand.concealed, hand.melds), "--win", NAMES[hand.win // 4]]
    words += [f"--{flag}" for flag, holds in flags.items() if holds]
    words += ["--round", "eswn"[hand.round], "--seat", "eswn"[hand.seat]]
    for option, indicators in (("--dora", hand.dora), ("--ura", hand.ura)):
        words += [option, ",".join(NAMES[tile // 4] for tile in indicators)] if indicators else []
    (found,) = ask(program, words)["interpretations"]
    if not found["yaku"]:
        return None
    names = [yaku["name"].partition(" (")[0] for yaku in found["yaku"]]
    yaku = [YAKU[each] for each in names if not each.endswith(" Wind")]
    yaku += winds(hand, [each for each in names if each.endswith(" Wind")])
    yakuman = sum(yaku["han"] // 13 for yaku in found["yaku"] if yaku.get("yakuman"))
    paid, points = found["payment"], found["payment"]["total"]
    honba = 100 * hand.honba
    payments = (
        paid["from_discarder"] + 3 * honba if not hand.tsumo else None,
        paid["from_dealer"] + honba if hand.tsumo and hand.seat != 0 else None,
        paid["from_non_dealer"] + honba if hand.tsumo else None,
        points + 3 * honba + 1000 * hand.sticks,
    )
    return score_of(yaku, found["han"], found["fu"], yakuman, points, payments)


def shanten(program: Path, tiles: list[int], melds: list[tuple[str, list[int]]]) -> int:
    return ask(program, [of_tiles(tiles, melds), "--shanten"])["shanten"]


def difference(hand: WonHand, ours: dict | None, theirs: dict | None) -> str | None:
    """The reason that explains its score (engine/docs/oracles.md), or None."""
    value = ("han", "yakuman", "points", "payments")
    if ours and theirs and all(ours[key] == theirs[key] for key in value) and ours["fu"] > theirs["fu"]:
        return "prefers less fu for the same payment"
    return known_error(hand, ours, theirs)
