"""Scores, shanten and waits by the package `jansou`, in a common form."""

from jansou.analysis.shanten import shanten_counts
from jansou.analysis.waits import waits_counts
from jansou.core.hand import CallSource, Hand, Meld, MeldType
from jansou.core.rules import Rules
from jansou.core.tiles import Tile, TileKind, Wind
from jansou.scoring.context import WinContext
from jansou.scoring.score import ScoringError, score

from oracle_hands import NAMES, REDS, WonHand, yaku_of
from oracle_peers import BEST_OF_DEALT, counts

# Our rule files that `jansou` can score by.
RULES = {
    "tenhou": Rules(double_yakuman=False),
    "mjsoul": Rules(),
    "no-frills": Rules(
        kuitan=False, aka_dora=False, kiriage_mangan=True, kazoe_yakuman=False, double_yakuman=False
    ),
}
# Its names of yaku that are spelt otherwise.
OURS = yaku_of("jansou")
MELDS = {"chi": MeldType.CHII, "pon": MeldType.PON, "kan": MeldType.DAIMINKAN, "ankan": MeldType.ANKAN}
WINDS = [Wind.EAST, Wind.SOUTH, Wind.WEST, Wind.NORTH]


def tile_of(number: int, reds: bool) -> Tile:
    return Tile(TileKind(number // 4), red=reds and number in REDS)


def tiles_of(numbers: list[int], reds: bool) -> tuple[Tile, ...]:
    return tuple(tile_of(number, reds) for number in numbers)


def meld_of(kind: str, numbers: list[int], reds: bool) -> Meld:
    tiles = tiles_of(sorted(numbers), reds)
    if kind == "ankan":
        return Meld(MELDS[kind], tiles)
    return Meld(MELDS[kind], tiles, tiles[0], CallSource.KAMICHA)


def with_its_names(score: dict | None) -> dict | None:
    """A score of ours with the names that `jansou` has: it counts the best waits of these yakuman twice, without
    names of their own."""
    return score and score | {"yaku": sorted(BEST_OF_DEALT.get(yaku, yaku) for yaku in score["yaku"])}


def of_jansou(hand: WonHand, rules: Rules) -> dict | None:
    """The score by `jansou`. None without yaku."""
    reds, is_last, is_first = rules.aka_dora, hand.moment == "haitei", hand.first_turn and hand.tsumo
    context = WinContext(
        rules=rules,
        round_wind=WINDS[hand.round],
        seat_wind=WINDS[hand.seat],
        is_tsumo=hand.tsumo,
        riichi=hand.riichi == 1,
        double_riichi=hand.riichi == 2,
        ippatsu=hand.ippatsu,
        haitei=is_last and hand.tsumo,
        houtei=is_last and not hand.tsumo,
        rinshan=hand.moment == "rinshan",
        chankan=hand.moment == "chankan",
        tenhou=is_first and hand.seat == 0,
        chiihou=is_first and hand.seat != 0,
        dora_indicators=tiles_of(hand.dora, reds),
        ura_indicators=tiles_of(hand.ura, reds),
        honba=hand.honba,
        riichi_sticks=hand.sticks,
    )
    melds = tuple(meld_of(kind, tiles, reds) for kind, tiles in hand.melds)
    own = Hand(tiles_of(hand.concealed, reds), melds)
    try:
        found = score(own, tile_of(hand.win, reds), context)
    except ScoringError:
        return None
    names = [value.yaku.name.lower().replace("_", "-") for value in found.yaku]
    paid = found.payment
    honba = 100 * hand.honba
    if not hand.tsumo:
        payments = (paid.ron + paid.honba, None, None)
    elif hand.seat == 0:
        payments = (None, None, paid.tsumo_non_dealer + honba)
    else:
        payments = (None, paid.tsumo_dealer + honba, paid.tsumo_non_dealer + honba)
    return {
        "yaku": sorted(OURS.get(name, name) for name in names),
        "han": found.han,
        "fu": 0 if found.is_yakuman else found.fu.total,
        "yakuman": sum(value.value for value in found.yaku) if found.is_yakuman else 0,
        "points": paid.total - paid.honba - paid.sticks,
        "payments": (*payments, paid.total),
    }


def waits(before: list[int], melds: list) -> list[str]:
    """The waits by shape, without those of which the player has all four."""
    found = waits_counts(counts(before), tuple(meld_of(kind, tiles, True) for kind, tiles in melds))
    return [NAMES[kind] for kind in sorted(found)]


def with_a_copy_left(kinds: list[str], before: list[int], melds: list) -> list[str]:
    """Those of these kinds of which the player does not have all four."""
    owned = counts(before + [tile for _, tiles in melds for tile in tiles])
    return [kind for kind in kinds if owned[NAMES.index(kind)] < 4]


def shanten(tiles: list[int], melds: list) -> int:
    return shanten_counts(counts(tiles), len(melds))
