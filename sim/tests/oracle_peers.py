"""Scores, shanten and waits by the packages `mahjong` and `riichienv`, in a common form.

Also explains differences by the known errors of the packages.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import riichienv
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.meld import Meld
from mahjong.shanten import Shanten
from riichienv import _riichienv as riichienv_core

from oracle_hands import NAMES, WonHand, yaku_of

YAKU, OF_MAHJONG, OF_RIICHIENV = yaku_of("jantaku"), yaku_of("mahjong"), yaku_of("riichienv")
DORA = {"Dora", "Aka Dora", "Ura Dora", "Nuki Dora"}
WINDS = [riichienv.Wind.East, riichienv.Wind.South, riichienv.Wind.West, riichienv.Wind.North]
OPENED = {"chi": Meld.CHI, "pon": Meld.PON, "kan": Meld.KAN, "ankan": Meld.KAN}
MELD_TYPES = {
    "chi": riichienv.MeldType.Chi,
    "pon": riichienv.MeldType.Pon,
    "kan": riichienv.MeldType.Daiminkan,
    "ankan": riichienv.MeldType.Ankan,
}


@dataclass
class RuleSet:
    """One rule set as our rule file and as options of `mahjong`."""

    file: Path
    options: OptionalRules
    renhou: bool
    """Whether renhou is a yaku."""
    reds: bool
    """Whether there are red fives."""
    riichienv: bool
    """Whether `riichienv` scores by these rules."""


def rule_sets(folder: Path) -> list[RuleSet]:
    """Writes rule files into a folder, and returns the rule sets."""
    doubles = "double_yakuman = ['kokushi-13', 'suuankou-tanki', 'daisuushii', 'junsei-chuuren']"
    modern = {"has_open_tanyao": True, "has_aka_dora": True, "limit_to_sextuple_yakuman": False}
    sets = [
        ("tenhou", "base = 'tenhou'", modern | {"has_double_yakuman": False}, False),
        ("mjsoul", "base = 'mjsoul'", modern, True),
        (
            "no-frills",
            "kuitan = false\naka = { m = 0, p = 0, s = 0 }\nkiriage = true\nkazoe = 'Sanbaiman'\nrenhou = { HanAdd = 5 }",
            {
                "has_double_yakuman": False,
                "kiriage": True,
                "kazoe_limit": HandConstants.KAZOE_SANBAIMAN,
                "limit_to_sextuple_yakuman": False,
            },
            False,
        ),
        (
            "twenty-fu",
            f"{doubles}\nmax_yakuman = 6\nrenhou = 'Yakuman'\nopen_pinfu = 'Twenty'\npinfu_tsumo = 'none'",
            {
                "has_open_tanyao": True,
                "has_aka_dora": True,
                "renhou_as_yakuman": True,
                "fu_for_open_pinfu": False,
                "fu_for_pinfu_tsumo": True,
            },
            False,
        ),
    ]
    found = []
    for name, text, options, of_riichienv in sets:
        file = folder / f"{name}.toml"
        file.write_text(text + "\n")
        reds = options.get("has_aka_dora", False)
        found.append(RuleSet(file, OptionalRules(**options), "renhou" in text, reds, of_riichienv))
    return found


def score_of(yaku: list[str], han: int, fu: int, yakuman: int, points: int, payments: tuple | None = None) -> dict:
    """A score in the common form. Han and fu of a yakuman are 0."""
    return {
        "yaku": sorted(yaku),
        "han": 0 if yakuman else han,
        "fu": 0 if yakuman else fu,
        "yakuman": yakuman,
        "points": points,
        "payments": payments,
    }


def without_payments(score: dict | None) -> dict | None:
    return score and score | {"payments": None}


def of_jantaku(score: dict | None) -> dict | None:
    if score is None:
        return None
    paid = score["payments"]
    payments = tuple(paid.get(who) for who in ("discarder", "dealer", "others", "total"))
    yaku = [yaku["name"] for yaku in score["yaku"]]
    return score_of(yaku, score["han"], score["fu"], score["yakuman"], score["points"], payments)


def of_mahjong(hand: WonHand, rules: RuleSet) -> dict | None:
    """The score by `mahjong`. None without yaku."""
    is_first = hand.first_turn
    config = HandConfig(
        is_tsumo=hand.tsumo,
        is_riichi=hand.riichi > 0,
        is_daburu_riichi=hand.riichi == 2,
        is_ippatsu=hand.ippatsu,
        is_rinshan=hand.moment == "rinshan",
        is_chankan=hand.moment == "chankan",
        is_haitei=hand.moment == "haitei" and hand.tsumo,
        is_houtei=hand.moment == "haitei" and not hand.tsumo,
        is_tenhou=is_first and hand.tsumo and hand.seat == 0,
        is_chiihou=is_first and hand.tsumo and hand.seat != 0,
        is_renhou=hand.renhou and rules.renhou,
        player_wind=27 + hand.seat,
        round_wind=27 + hand.round,
        kyoutaku_number=hand.sticks,
        tsumi_number=hand.honba,
        options=rules.options,
    )
    melds = [Meld(OPENED[kind], tiles, opened=kind != "ankan") for kind, tiles in hand.melds]
    tiles = hand.concealed + [tile for _, meld in hand.melds for tile in meld]
    found = HandCalculator.estimate_hand_value(tiles, hand.win, melds, hand.dora, config, ura_dora_indicators=hand.ura)
    if found.error == HandCalculator.ERR_NO_YAKU:
        return None
    assert found.error is None, found.error
    # "Yakuhai (seat wind east)" becomes "Yakuhai (seat wind)".
    names = [yaku.name.partition(" wind ")[0] + " wind)" if " wind " in yaku.name else yaku.name for yaku in found.yaku]
    yaku = [OF_MAHJONG[name] for name in names if name not in DORA]
    cost = found.cost
    pays, other_pays = cost["main"] + cost["main_bonus"], cost["additional"] + cost["additional_bonus"]
    if not hand.tsumo:
        points, payments = cost["main"], (pays, None, None, cost["total"])
    elif hand.seat == 0:
        points, payments = 3 * cost["main"], (None, None, pays, cost["total"])
    else:
        points, payments = cost["main"] + 2 * cost["additional"], (None, pays, other_pays, cost["total"])
    yakuman = min(found.han, 78 if rules.options.limit_to_sextuple_yakuman else found.han) // 13
    return score_of(yaku, found.han, found.fu, yakuman if found.yaku[0].is_yakuman else 0, points, payments)


def riichienv_melds(melds: list) -> list:
    return [riichienv.Meld(MELD_TYPES[kind], sorted(tiles), kind != "ankan") for kind, tiles in melds]


def evaluated(hand: WonHand, ura: list, honba: int = 0) -> Any:
    """What `riichienv` says of a hand."""
    conditions = riichienv_core.Conditions(
        tsumo=hand.tsumo,
        riichi=hand.riichi == 1,
        double_riichi=hand.riichi == 2,
        ippatsu=hand.ippatsu,
        haitei=hand.moment == "haitei" and hand.tsumo,
        houtei=hand.moment == "haitei" and not hand.tsumo,
        rinshan=hand.moment == "rinshan",
        chankan=hand.moment == "chankan",
        tsumo_first_turn=hand.first_turn and hand.tsumo,
        player_wind=WINDS[hand.seat],
        round_wind=WINDS[hand.round],
        honba=honba,
    )
    evaluator = riichienv_core.HandEvaluator(sorted(hand.concealed), riichienv_melds(hand.melds))
    return evaluator.calc(hand.win, hand.dora, ura, conditions)


def of_riichienv(hand: WonHand) -> dict | None:
    """The score by `riichienv`, without honba and riichi sticks. None without yaku."""
    found = evaluated(hand, hand.ura)
    if not found.is_win:
        return None
    yaku = [OF_RIICHIENV[yaku.name_en] for yaku in found.yaku_list() if yaku.name_en not in DORA]
    if not hand.tsumo:
        points = found.ron_agari
    elif hand.seat == 0:
        points = 3 * found.tsumo_agari_ko
    else:
        points = found.tsumo_agari_oya + 2 * found.tsumo_agari_ko
    return score_of(yaku, found.han, found.fu, found.han // 13 if found.yakuman else 0, points)


def counts(tiles: list[int]) -> list[int]:
    found = [0] * 34
    for tile in tiles:
        found[tile // 4] += 1
    return found


def mahjong_waits(before: list[int]) -> list[str]:
    """The waits by shape, whatever the melds are."""
    shanten, waits = mahjong_ukeire(before, before)
    return waits if shanten == 0 else []


def mahjong_ukeire(hand: list[int], own: list[int]) -> tuple[int, list[str]]:
    """The shanten, and the kinds that lower it, without those of which the player has all four."""
    hand, owned = counts(hand), counts(own)
    shanten = Shanten.calculate_shanten(hand)
    ukeire = []
    for kind in range(34):
        if owned[kind] < 4:
            hand[kind] += 1
            if Shanten.calculate_shanten(hand) < shanten:
                ukeire.append(NAMES[kind])
            hand[kind] -= 1
    return shanten, ukeire


def mahjong_shanten(tiles: list[int], has_melds: bool) -> dict:
    hand = counts(tiles)
    return {
        "standard": Shanten.calculate_shanten_for_regular_hand(hand),
        "seven_pairs": None if has_melds else Shanten.calculate_shanten_for_chiitoitsu_hand(hand),
        "thirteen_orphans": None if has_melds else Shanten.calculate_shanten_for_kokushi_hand(hand),
        "best": Shanten.calculate_shanten(hand),
    }


def riichienv_shanten(tiles: list[int]) -> int:
    return riichienv.calculate_shanten(tiles)


def riichienv_waits(before: list[int], melds: list) -> list[str]:
    evaluator = riichienv_core.HandEvaluator(sorted(before), riichienv_melds(melds))
    return [NAMES[kind] for kind in sorted(evaluator.get_waits())]


# A dealt hand has no winning tile. We score its best form, the packages one of these forms.
BEST_OF_DEALT = {"kokushi-13": "kokushi", "suuankou-tanki": "suuankou", "junsei-chuuren": "chuuren"}


def known_error(hand: WonHand, ours: dict | None, theirs: dict | None) -> str | None:
    """The known error of a package that explains its score (engine/docs/oracles.md), or None."""
    if not ours or not theirs:
        return None
    if hand.first_turn and hand.tsumo and hand.seat == 0:
        if sorted(BEST_OF_DEALT.get(yaku, yaku) for yaku in ours["yaku"]) == theirs["yaku"]:
            return "a dealt hand has no winning tile"
    if ours["yakuman"] and not theirs["yakuman"] and theirs["han"] >= 13 and ours["points"] == theirs["points"]:
        return "counts han beside a yakuman"
    return None
