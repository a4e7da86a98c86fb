"""Plays games of random players and prints how often each hand ended how.

Usage: python examples/random_play.py [GAMES]
"""

import random
import sys
from collections import Counter

import jantaku


def play(seed: int) -> jantaku.Game:
    """A hanchan of random players."""
    choose = random.Random(seed).choice
    game = jantaku.Game("tenhou", seed=seed)
    while not game.is_over:
        for view in game.decisions():
            game.submit(view.seat, choose(view.legal))
    return game


def main() -> None:
    """Plays and counts."""
    games = [play(seed) for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 20)]
    ends = Counter(
        outcome.draw or ("ron" if outcome.wins[0].from_seat is not None else "tsumo")
        for game in games
        for outcome in game.outcomes
    )
    hands = sum(ends.values())
    for end, count in ends.most_common():
        print(f"{end:16} {count:6} {100 * count / hands:6.1f} %")


if __name__ == "__main__":
    main()
