"""The package `mahjong` behind the protocol of `jantaku conform`, which scores hands.

    jantaku conform --only scoring -- python sim/tests/conform_mahjong.py
"""

import json
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import OptionalRules
from oracle_hands import WonHand
from oracle_peers import RuleSet, of_mahjong

MODERN = {"has_open_tanyao": True, "has_aka_dora": True, "limit_to_sextuple_yakuman": False}
RULES = {
    "tenhou": OptionalRules(**MODERN, has_double_yakuman=False),
    "mjsoul": OptionalRules(**MODERN),
}
MOMENTS = {"": "", "last tile": "haitei", "rinshan": "rinshan", "chankan": "chankan"}
MELDS = {"daiminkan": "kan", "kakan": "kan"}


class Tiles:
    """Gives each tile of a hand a number of its own, 0 to 135."""

    def __init__(self) -> None:
        self.used: set[int] = set()

    def number(self, name: str) -> int:
        kind = "mpsz".index(name[1]) * 9 + int(name[0].replace("0", "5")) - 1
        # The first five of each suit is the red one.
        first = 4 * kind + (name[0] == "5" and name[1] != "z")
        free = (number for number in range(first, 4 * kind + 4) if number not in self.used)
        number = 4 * kind if name[0] == "0" else next(free)
        self.used.add(number)
        return number

    def numbers(self, names: list[str]) -> list[int]:
        return [self.number(name) for name in names]


def won_hand(question: dict) -> WonHand:
    tiles = Tiles()
    concealed = tiles.numbers(question["concealed"])
    kind = Tiles().number(question["win"]) // 4
    return WonHand(
        concealed=concealed,
        win=next(tile for tile in concealed if tile // 4 == kind),
        melds=[(MELDS.get(meld["type"], meld["type"]), tiles.numbers(meld["tiles"])) for meld in question["melds"]],
        tsumo=question["tsumo"],
        seat="ESWN".index(question["seat"]),
        round="ESWN".index(question["round"]),
        riichi=question["riichi"],
        ippatsu=question["ippatsu"],
        moment=MOMENTS[question["moment"]],
        first_turn=question["first_turn"],
        dora=[Tiles().number(tile) for tile in question["dora"]],
        ura=[Tiles().number(tile) for tile in question["ura"]],
        honba=question["honba"],
    )


def score(question: dict) -> dict:
    rules = RuleSet(Path(), RULES[question["rules"]], renhou=False, reds=True, riichienv=False)
    try:
        found = of_mahjong(won_hand(question), rules)
    except AssertionError as error:
        if str(error) != HandCalculator.ERR_HAND_NOT_WINNING:
            raise
        found = None
    return value(found)


def value(found: dict | None) -> dict:
    """A score in the form of `oracle_peers` as an answer."""
    if found is None:
        return {"win": False}
    discarder, dealer, others, _ = found["payments"]
    if discarder is not None:
        payments = [discarder]
    else:
        payments = [others] * 3 if dealer is None else [dealer, others, others]
    answer = {"win": True, "payments": payments, "yaku": found["yaku"]}
    return answer if found["yakuman"] else answer | {"han": found["han"], "fu": found["fu"]}


def serve(package: str, score: Callable[[dict], dict], rules: Iterable[str] = RULES) -> None:
    """Answers all questions about hands with the scores of a package."""
    hello = {"name": package, "version": version(package), "rules": list(rules), "themes": ["scoring"]}
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = hello if question["ask"] == "hello" else score(question)
        except Exception as error:  # noqa: BLE001
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve("mahjong", score)
