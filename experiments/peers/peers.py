"""Times the Python packages `mahjong` and `riichienv` on the hands that `jantaku-peers` sends.

Reads JSON from stdin. Prints a list of [question, package, CPU nanoseconds of one input]. The times
are medians of five runs.
"""

import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import riichienv
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from mahjong.shanten import Shanten
from riichienv import GameRule, MjaiReplay, RiichiEnv, calculate_shanten
from riichienv import _riichienv as riichienv_core

RUNS = 5
WINDS = [riichienv.Wind.East, riichienv.Wind.South, riichienv.Wind.West, riichienv.Wind.North]
OF_MAHJONG = {"Chi": Meld.CHI, "Pon": Meld.PON, "Daiminkan": Meld.KAN, "Ankan": Meld.KAN}
OF_RIICHIENV = {
    "Chi": riichienv.MeldType.Chi,
    "Pon": riichienv.MeldType.Pon,
    "Daiminkan": riichienv.MeldType.Daiminkan,
    "Ankan": riichienv.MeldType.Ankan,
}


def median(work, count: int) -> float:
    """The median CPU nanoseconds of one of `count` inputs."""
    spent = []
    for _ in range(RUNS):
        start = time.process_time_ns()
        work()
        spent.append(time.process_time_ns() - start)
    return statistics.median(spent) / count


def shanten(mix: str, hands: list[list[int]]) -> list[tuple]:
    physical = [[4 * kind + copy for kind, n in enumerate(hand) for copy in range(n)] for hand in hands]
    of_mahjong = [Shanten.calculate_shanten(hand) for hand in hands]
    assert of_mahjong == [calculate_shanten(tiles) for tiles in physical], "mahjong and riichienv disagree"
    question = f"shanten of 14 tiles, {mix}"
    return [
        (question, "mahjong (Python)", median(lambda: [Shanten.calculate_shanten(hand) for hand in hands], len(hands))),
        (question, "riichienv (Python)", median(lambda: [calculate_shanten(tiles) for tiles in physical], len(hands))),
    ]


def scores(wins: list[dict]) -> list[tuple]:
    options = OptionalRules(has_open_tanyao=True, has_aka_dora=True, limit_to_sextuple_yakuman=False)
    for_mahjong, for_riichienv = [], []
    for win in wins:
        melds = [Meld(OF_MAHJONG[meld["kind"]], meld["tiles"], opened=meld["open"]) for meld in win["melds"]]
        tiles = win["concealed"] + [tile for meld in win["melds"] for tile in meld["tiles"]]
        config = HandConfig(
            is_tsumo=win["tsumo"],
            is_riichi=win["riichi"],
            player_wind=27 + win["seat"],
            round_wind=27 + win["round"],
            options=options,
        )
        for_mahjong.append((tiles, win["win"], melds, win["dora"], config, win["ura"]))
        conditions = riichienv_core.Conditions(
            tsumo=win["tsumo"],
            riichi=win["riichi"],
            player_wind=WINDS[win["seat"]],
            round_wind=WINDS[win["round"]],
        )
        melds = [riichienv.Meld(OF_RIICHIENV[meld["kind"]], meld["tiles"], meld["open"]) for meld in win["melds"]]
        evaluator = riichienv_core.HandEvaluator(win["concealed"], melds)
        for_riichienv.append((evaluator, win["win"], win["dora"], win["ura"], conditions))

    def of_mahjong() -> None:
        for tiles, tile, melds, dora, config, ura in for_mahjong:
            found = HandCalculator.estimate_hand_value(tiles, tile, melds, dora, config, ura_dora_indicators=ura)
            assert found.error is None, found.error

    def of_riichienv() -> None:
        for evaluator, tile, dora, ura, conditions in for_riichienv:
            assert evaluator.calc(tile, dora, ura, conditions).is_win

    question = "score of a won hand"
    return [
        (question, "mahjong (Python)", median(of_mahjong, len(wins))),
        (question, "riichienv (Python)", median(of_riichienv, len(wins))),
    ]


def play(seed: int) -> None:
    rng = random.Random(seed)
    env = RiichiEnv(game_mode="4p-red-half", seed=seed, rule=GameRule.default_tenhou())
    observations = env.reset()
    while not env.done():
        observations = env.step({seat: rng.choice(seen.legal_actions()) for seat, seen in observations.items()})


def games(count: int) -> list[tuple]:
    nanoseconds = median(lambda: [play(seed) for seed in range(count)], count)
    return [("hanchan, random", "riichienv (Python)", nanoseconds)]


def replays(recorded: list[str]) -> list[tuple]:
    """Times steps with their observations, and scores of wins. Reading is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "game.mjson"
        hands = []
        for game in recorded:
            log.write_text(game)
            hands += list(MjaiReplay.from_jsonl(str(log), rule="mjsoul").take_kyokus())

    def replay() -> None:
        for hand in hands:
            assert sum(1 for _ in hand.steps()) > 0
            for win in hand.take_win_result_contexts():
                assert win.actual.is_win

    return [("replay of a hanchan", "riichienv (Python)", median(replay, len(recorded)))]


def main() -> None:
    questions = json.load(sys.stdin)
    answers = [answer for hands in questions["hands"] for answer in shanten(hands["mix"], hands["counts"])]
    answers += scores(questions["wins"]) + games(questions["games"]) + replays(questions["recorded"])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
