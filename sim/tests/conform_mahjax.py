"""mahjax behind the protocol of `jantaku conform`, which scores hands.

    jantaku conform --only scoring -- python sim/tests/conform_mahjax.py

Its environment takes no wall: `init` and `step` shuffle one from a key. Its scorer takes hands, and gives no names
of yaku that a game would know.
"""

import jax
import jax.numpy as jnp
from conform_mahjong import serve
from mahjax import Action, Hand, Meld, Yaku
from mahjax.red_mahjong.constants import DORA_ARRAY

KINDS = {f"{rank}{suit}": 9 * place + rank - 1 for place, suit in enumerate("mpsz") for rank in range(1, 10)}
TILES = KINDS | {"0m": 34, "0p": 35, "0s": 36}
EMPTY = 0xFFFF
score = jax.jit(Yaku.score)
judge = jax.jit(Yaku.judge_hand_related)
judge_other = jax.jit(Yaku.judge_other)
completes = jax.jit(Hand.can_ron)


def meld(of: dict) -> int:
    """A meld as mahjax encodes it, with the first tile as the called one."""
    kinds = sorted(KINDS[tile.replace("0", "5")] for tile in of["tiles"])
    red = any(tile[0] == "0" for tile in of["tiles"])
    match of["type"]:
        case "chi":
            return int(Meld.init(Action.CHI_L_RED if red else Action.CHI_L, kinds[0], 3))
        case "pon":
            return int(Meld.init(Action.PON_RED if red else Action.PON, kinds[0], 1))
        case "daiminkan":
            return int(Meld.init(Action.OPEN_KAN, kinds[0], 1))
        case kan:
            return int(Meld.init(37 + kinds[0], kinds[0], 1 if kan == "kakan" else 0))


def counts(tiles: list[str], size: int) -> jnp.ndarray:
    return jnp.zeros(size, jnp.int8).at[jnp.array([TILES[tile] for tile in tiles], jnp.int32)].add(1)


def dora(indicators: list[str]) -> list[int]:
    found = [0] * 34
    for tile in indicators:
        found[int(DORA_ARRAY[KINDS[tile.replace("0", "5")]])] += 1
    return found


def answer(question: dict) -> dict:
    rest, tsumo, moment = list(question["concealed"]), question["tsumo"], question["moment"]
    won = next(tile for tile in rest if tile.replace("0", "5") == question["win"])
    rest.remove(won)
    melds = [meld(of) for of in question["melds"]]
    hand, riichi = counts(rest, 37), question["riichi"] > 0
    if not completes(Hand.to_34(hand), KINDS[question["win"]]):
        return {"win": False}
    yaku, fan, fu = judge(
        hand=hand,
        melds=jnp.array(melds + [EMPTY] * (4 - len(melds)), jnp.uint16),
        n_meld=jnp.int8(len(melds)),
        last_tile=jnp.int32(TILES[won]),
        riichi=jnp.bool_(riichi),
        is_ron=jnp.bool_(not tsumo),
        prevalent_wind=jnp.int32("ESWN".index(question["round"])),
        seat_wind=jnp.int32("ESWN".index(question["seat"])),
        dora=jnp.array([dora(question["dora"]), dora(question["ura"])], jnp.int8),
    )
    is_dealer = question["seat"] == "E"
    first = question["first_turn"] and tsumo
    more, _, more_fan, blessings = judge_other(
        is_ron=not tsumo,
        is_riichi=riichi,
        is_ippatsu=question["ippatsu"],
        is_robbing_kan=moment == "chankan",
        is_after_kan=moment == "rinshan",
        is_bottom_of_the_sea=moment == "last tile",
        is_bottom_of_the_river=moment == "last tile",
        is_double_riichi=question["riichi"] == 2,
        is_blessing_of_heaven=first and is_dealer,
        is_blessing_of_earth=first and not is_dealer,
    )
    if not (yaku.any() or more.any() or blessings):
        return {"win": False}
    # Without fu, the number is one of yakuman. `_tsumo` of its environment adds tenhou in the same way.
    fan, fu = int(fan), int(fu)
    if blessings:
        fan, fu = int(blessings) + (0 if fu else fan), 0
    elif fu:
        fan += int(more_fan)
    base, honba = int(score(jnp.int32(fan), jnp.int32(fu))), 100 * question["honba"]
    shares = [6 if is_dealer else 4] if not tsumo else [2] * 3 if is_dealer else [2, 1, 1]
    payments = [-(-base * share // 100) * 100 + honba * (1 if tsumo else 3) for share in shares]
    found = {"win": True, "payments": payments}
    return found | {"han": fan, "fu": fu} if fu else found


if __name__ == "__main__":
    serve("mahjax", answer, rules=["tenhou"])
