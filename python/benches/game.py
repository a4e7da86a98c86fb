"""Times the loop of a single game beside riichienv: python benches/game.py [GAMES]

Both play hanchan of random players under Tenhou's rules, with observations for every decision, on
one core. Prints the median of five alternating runs as decisions a second of processor time.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable

import jantaku


def of_jantaku(seed: int) -> int:
    """Plays a hanchan and returns its number of decisions."""
    choose = random.Random(seed).choice
    game = jantaku.Game("tenhou", seed=seed)
    decisions = 0
    while not game.is_over:
        for view in game.decisions():
            game.submit(view.seat, choose(view.legal))
            decisions += 1
    return decisions


def of_jantaku_with_masks(seed: int) -> int:
    """The same with masks and planes, as a network sees decisions."""
    choose = random.Random(seed).choice
    planes = jantaku.Encoder("planes-v1")
    game = jantaku.Game("tenhou", seed=seed)
    decisions = 0
    while not game.is_over:
        for view in game.decisions():
            assert view.action_mask.any()
            assert planes.encode(view).any()
            game.submit(view.seat, choose(view.legal))
            decisions += 1
    return decisions


def of_riichienv(seed: int) -> int:
    """Plays a hanchan with riichienv and returns its number of decisions."""
    from riichienv import GameRule, RiichiEnv

    choose = random.Random(seed).choice
    env = RiichiEnv(game_mode="4p-red-half", seed=seed, rule=GameRule.default_tenhou())
    views = env.reset()
    decisions = 0
    while not env.done():
        actions = {seat: choose(view.legal_actions()) for seat, view in views.items()}
        decisions += len(actions)
        views = env.step(actions)
    return decisions


def rate(play: Callable[[int], int], games: int) -> float:
    """Decisions a second of processor time."""
    start = time.process_time()
    decisions = sum(play(seed) for seed in range(games))
    return decisions / (time.process_time() - start)


def main() -> None:
    """Times all loops and prints their medians."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    loops: list[Callable[[int], int]] = [of_jantaku, of_jantaku_with_masks]
    try:
        import riichienv  # noqa: F401

        loops.append(of_riichienv)
    except ModuleNotFoundError:
        print("riichienv is not installed: pip install riichienv")
    for play in loops:
        play(0)
    rates: dict[str, list[float]] = {play.__name__: [] for play in loops}
    for _ in range(5):
        for play in loops:
            rates[play.__name__].append(rate(play, games))
    medians = {name: statistics.median(found) for name, found in rates.items()}
    for name, median in medians.items():
        print(f"{name:24} {median:12,.0f} decisions/s")
    if "of_riichienv" in medians:
        print(f"ratio {medians['of_jantaku'] / medians['of_riichienv']:.1f}")


if __name__ == "__main__":
    main()
