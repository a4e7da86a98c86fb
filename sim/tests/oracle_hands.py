"""Random won hands, made so that every yaku occurs often.

Uniformly random tiles almost never win, and random wins are nearly all riichi, pinfu and tanyao. So
a hand is built from four sets and a pair, seven pairs or thirteen orphans, with a theme for nearly
every yaku.
"""

import csv
import random
from dataclasses import dataclass, field
from pathlib import Path

KINDS = range(34)
HONOURS = list(range(27, 34))
TERMINALS = [0, 8, 9, 17, 18, 26]
OUTER = TERMINALS + HONOURS
SIMPLES = [kind for kind in KINDS if kind not in OUTER]
GREENS = [19, 20, 21, 23, 25, 32]
REDS = (16, 52, 88)
NAMES = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]


def name(tile: int, reds: bool = True) -> str:
    """One of 136 tiles in hand notation."""
    return f"0{'mps'[tile // 36]}" if reds and tile in REDS else NAMES[tile // 4]


def yaku_of(program: str) -> dict[str, str]:
    """Our names of yaku, by those of a program that differ, from `yaku.csv`."""
    with Path(__file__).with_name("yaku.csv").open() as rows:
        return {row[program]: row["jantaku"] for row in csv.DictReader(rows) if row[program]}


def suit_of(suit: int) -> list[int]:
    return list(range(9 * suit, 9 * suit + 9))


@dataclass
class WonHand:
    """A won hand of tiles numbered 0–135, and how it was won."""

    concealed: list[int]
    """With the winning tile."""
    win: int
    melds: list[tuple[str, list[int]]]
    """`chi`, `pon`, `kan` (daiminkan) or `ankan`, and the tiles."""
    tsumo: bool
    seat: int
    round: int
    riichi: int = 0
    """1, or 2 for double riichi."""
    ippatsu: bool = False
    moment: str = ""
    """`haitei` (houtei by ron), `rinshan`, `chankan`, or empty."""
    first_turn: bool = False
    dora: list[int] = field(default_factory=list)
    ura: list[int] = field(default_factory=list)
    honba: int = 0
    sticks: int = 0

    @property
    def is_open(self) -> bool:
        return any(kind != "ankan" for kind, _ in self.melds)

    @property
    def renhou(self) -> bool:
        return self.first_turn and not self.tsumo

    @property
    def before(self) -> list[int]:
        """The concealed tiles without the winning tile."""
        rest = self.concealed.copy()
        rest.remove(self.win)
        return rest

    def question(self, reds: bool) -> dict:
        """The question for `jantaku hand --jsonl`, with red fives or with plain fives instead."""
        brackets = {"ankan": "<{}>"}
        return {
            "hand": notation(self.before, reds),
            "melds": [brackets.get(kind, "[{}]").format(notation(tiles, reds)) for kind, tiles in self.melds],
            "win": name(self.win, reds),
            "by": "tsumo" if self.tsumo else "ron",
            "seat": "ESWN"[self.seat],
            "round": "ESWN"[self.round],
            "riichi": [False, True, "double"][self.riichi],
            "ippatsu": self.ippatsu,
            "dora": notation(self.dora, reds),
            "ura": notation(self.ura, reds),
            "haitei": self.moment == "haitei",
            "rinshan": self.moment == "rinshan",
            "chankan": self.moment == "chankan",
            "first_turn": self.first_turn,
            "honba": self.honba,
            "riichi_sticks": self.sticks,
        }


def notation(tiles: list[int], reds: bool = True) -> str:
    return "".join(name(tile, reds) for tile in tiles)


class Builder:
    """The kinds of a hand under construction, at most four of each."""

    def __init__(self) -> None:
        self.counts = [0] * 34
        self.sets: list[tuple[int, ...]] = []

    def add(self, *kinds: int) -> bool:
        """Adds a set or the pair, if no kind then has more than four tiles."""
        if any(self.counts[kind] + kinds.count(kind) > 4 for kind in kinds):
            return False
        for kind in kinds:
            self.counts[kind] += 1
        self.sets.append(kinds)
        return True


def sequences_in(kinds: list[int]) -> list[int]:
    """The lowest kinds of the sequences within these kinds."""
    return [kind for kind in kinds if kind < 27 and kind % 9 <= 6 and kind + 1 in kinds and kind + 2 in kinds]


def first_sets(rng: random.Random, theme: str) -> list[tuple[int, ...]]:
    """The sets that make the theme."""
    rank, suit = rng.randrange(7), 9 * rng.randrange(3)
    sequence = (rank, rank + 1, rank + 2)
    match theme:
        case "sanshoku":
            return [tuple(9 * s + kind for kind in sequence) for s in range(3)]
        case "doukou":
            rank = rng.randrange(9)
            return [(9 * s + rank,) * 3 for s in range(3)]
        case "ittsuu":
            return [(suit + start, suit + start + 1, suit + start + 2) for start in (0, 3, 6)]
        case "twins":
            return [tuple(suit + kind for kind in sequence)] * rng.choice([2, 2, 3, 4])
        case "triplet sequences":
            return [(suit + kind,) * 3 for kind in sequence]
        case "dragons":
            return [(kind,) * 3 for kind in rng.sample([31, 32, 33], rng.choice([2, 2, 3]))]
        case "winds":
            return [(kind,) * 3 for kind in rng.sample([27, 28, 29, 30], rng.choice([2, 3, 3, 4]))]
        case _:
            return []


def theme_of(rng: random.Random) -> tuple[str, list[int], float]:
    """A theme, the kinds for the rest of the hand, and the share of sequences in it."""
    suit = suit_of(rng.randrange(3))
    themes = [
        ("any", list(KINDS), 0.6),
        ("sequences", list(KINDS), 1.0),
        ("simples", SIMPLES, 0.75),
        ("triplets", list(KINDS), 0.05),
        ("kans", list(KINDS), 0.0),
        ("one suit", suit, 0.6),
        ("suit and honours", suit + HONOURS, 0.5),
        ("outer", OUTER, 0.6),
        ("outer triplets", OUTER, 0.0),
        ("terminals", TERMINALS, 0.6),
        ("honours", HONOURS, 0.0),
        ("greens", GREENS, 0.4),
        ("sanshoku", list(KINDS), 0.5),
        ("doukou", list(KINDS), 0.3),
        ("ittsuu", list(KINDS), 0.6),
        ("twins", list(KINDS), 0.9),
        ("triplet sequences", list(KINDS), 0.5),
        ("dragons", list(KINDS), 0.4),
        ("winds", HONOURS + suit, 0.3),
    ]
    weights = [8, 8, 6, 4, 3, 4, 4, 4, 3, 2, 1, 1, 3, 2, 3, 4, 2, 3, 2]
    return rng.choices(themes, weights)[0]


def four_sets(rng: random.Random) -> tuple[Builder, str]:
    while True:
        theme, kinds, share_of_sequences = theme_of(rng)
        hand = Builder()
        fits = all(hand.add(*tiles) for tiles in first_sets(rng, theme))
        # With only yaochuu, a sequence must contain a terminal.
        starts = [9 * s + r for s in range(3) for r in (0, 6)] if theme in ("outer", "terminals") else sequences_in(kinds)
        for _ in range(30):
            if not fits or len(hand.sets) >= 4:
                break
            if starts and rng.random() < share_of_sequences:
                start = rng.choice(starts)
                hand.add(start, start + 1, start + 2)
            else:
                hand.add(*(rng.choice(kinds),) * 3)
        pairs = [kind for kind in kinds if hand.counts[kind] <= 2]
        if fits and len(hand.sets) == 4 and pairs:
            pair = rng.choice(pairs)
            hand.add(pair, pair)
            return hand, theme


def tiles_of(rng: random.Random, kinds: list[int]) -> list[int]:
    """Tiles of these kinds. The copies are chosen at random, so that red fives occur."""
    free = {kind: rng.sample(range(4 * kind, 4 * kind + 4), 4) for kind in set(kinds)}
    return [free[kind].pop() for kind in kinds]


def shape(rng: random.Random) -> tuple[list[int], list[tuple[str, list[int]]]]:
    """The concealed tiles of a complete hand, and its melds."""
    form = rng.random()
    if form < 0.01:
        return tiles_of(rng, OUTER + [rng.choice(OUTER)]), []
    if form < 0.02:
        suit = suit_of(rng.randrange(3))
        return tiles_of(rng, suit + [suit[0]] * 2 + [suit[8]] * 2 + [rng.choice(suit)]), []
    if form < 0.10:
        pools = [list(KINDS), SIMPLES, OUTER, HONOURS, suit_of(rng.randrange(3)), suit_of(rng.randrange(3)) + HONOURS]
        pairs = rng.sample(rng.choices(pools, [6, 3, 3, 1, 3, 3])[0], 7)
        return tiles_of(rng, [kind for kind in pairs for _ in range(2)]), []
    hand, theme = four_sets(rng)
    kans = 0.8 if theme == "kans" else 0.12
    opens = rng.choice([0.0, 0.0, 0.5, 0.8])
    kinds, melds = [], []
    for tiles in hand.sets:
        is_triplet = len(tiles) == 3 and tiles[0] == tiles[1]
        is_open, is_kan = rng.random() < opens, is_triplet and hand.counts[tiles[0]] == 3 and rng.random() < kans
        if len(tiles) == 2 or not is_open and not is_kan:
            kinds.extend(tiles)
        else:
            kind = ("kan" if is_open else "ankan") if is_kan else "pon" if is_triplet else "chi"
            melds.append((kind, list(tiles) + [tiles[0]] * is_kan))
    all_tiles = tiles_of(rng, kinds + [kind for _, tiles in melds for kind in tiles])
    concealed, rest = all_tiles[: len(kinds)], iter(all_tiles[len(kinds) :])
    return concealed, [(kind, [next(rest) for _ in tiles]) for kind, tiles in melds]


def won_hand(rng: random.Random) -> WonHand:
    """A hand with circumstances that do not contradict each other."""
    concealed, melds = shape(rng)
    rng.shuffle(concealed)
    hand = WonHand(
        concealed=concealed,
        win=concealed[-1],
        melds=melds,
        tsumo=rng.random() < 0.5,
        seat=rng.randrange(4),
        round=rng.randrange(4),
        honba=rng.choice([0, 0, 1, 2, 7]),
        sticks=rng.choice([0, 0, 1, 3]),
    )
    used = concealed + [tile for _, tiles in melds for tile in tiles]
    kans = sum(kind in ("kan", "ankan") for kind, _ in melds)
    alone = sum(tile // 4 == hand.win // 4 for tile in used) == 1
    special = rng.random()
    if not melds and special < 0.03 and (hand.tsumo or hand.seat != 0):
        hand.first_turn = True
    elif special < 0.10:
        hand.moment = "haitei"
    elif special < 0.4 and hand.tsumo and kans:
        hand.moment = "rinshan"
    elif special < 0.14 and not hand.tsumo and alone:
        hand.moment = "chankan"
    if not hand.is_open and not hand.first_turn:
        hand.riichi = rng.choices([0, 1, 2], [5, 4, 1])[0]
        hand.ippatsu = bool(hand.riichi) and hand.moment != "rinshan" and rng.random() < 0.25
        if hand.riichi and (hand.moment == "chankan" or hand.ippatsu and (hand.moment == "haitei" or kans)):
            # The last tile is long after the first turn, and a kan ends it. A double riichi has seen the pon.
            hand.riichi = 1
        if hand.moment == "haitei":
            # Riichi needs four tiles, so the last discard comes after the next turn of its player.
            hand.ippatsu &= hand.tsumo
    # An added kan has all tiles of its kind.
    gone = [4 * (hand.win // 4) + copy for copy in range(4)] if hand.moment == "chankan" else []
    free = [tile for tile in range(136) if tile not in used + gone]
    # The kans of other players: none before a win in the first turns. A fourth by several players ends the hand.
    in_first_turns = hand.first_turn or hand.riichi == 2 and hand.ippatsu
    others = 0 if in_first_turns else min(rng.choice([0, 0, 0, 1, 2]), max(3 - kans, 0))
    # The indicator of an open kan is turned after its replacement tile.
    owed = hand.moment == "rinshan" and all(kind != "ankan" for kind, _ in melds)
    shown = 1 + kans + others - owed
    indicators = rng.sample(free, 2 * shown)
    hand.dora, hand.ura = indicators[:shown], indicators[shown:] if hand.riichi else []
    return hand


def far_hand(rng: random.Random, won: WonHand) -> list[int]:
    """13 or 14 concealed tiles, less three per meld, some exchanges away from a won hand."""
    tiles = won.concealed if rng.random() < 0.5 else won.before
    melded = [tile for _, meld in won.melds for tile in meld]
    tiles = rng.sample(tiles, max(len(tiles) - rng.randrange(9), 0))
    free = [tile for tile in range(136) if tile not in tiles and tile not in melded]
    # Few kinds in half of the hands, so that four of a kind and full suits occur.
    if rng.random() < 0.5:
        suit = rng.randrange(3)
        free = [tile for tile in free if tile // 36 == suit or tile >= 108] or free
    size = rng.choice([13, 14]) - 3 * len(won.melds)
    rng.shuffle(free)
    return sorted(tiles[:size] + free[: max(size - len(tiles), 0)])
