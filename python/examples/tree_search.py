"""A search in sampled games: plays actions to the end of the hand, the better ones more often.

Usage: python examples/tree_search.py [WALLS] [ROLLOUTS] [OPPONENTS]
"""

import random
import sys

import jantaku

ROLLOUT = jantaku.Agent("heuristic:fast")


def value(world: jantaku.Game, seat: int, action: jantaku.Action) -> int:
    """The points that a seat wins until the end of the hand, after an action."""
    end, before = world.copy(), world.scores[seat]
    end.submit(seat, action)
    end.stop()
    end.play(ROLLOUT)
    return end.scores[seat] - before


def search(game: jantaku.Game, seat: int, rollouts: int, seed: int) -> jantaku.Action:
    """Halves the actions until one is left. All that are left play the same sampled worlds."""
    left = list(game.observe(seat).legal)
    total = dict.fromkeys(left, 0)
    stages = (len(left) - 1).bit_length()
    for stage in range(stages):
        count = max(1, rollouts // (stages * len(left)))
        for world in game.sample(seat, count, seed=seed + stage):
            for action in left:
                total[action] += value(world, seat, action)
        left = sorted(left, key=lambda action: -total[action])[: (len(left) + 1) // 2]
    return left[0]


def play(seed: int, seat: int, rollouts: int, opponents: str) -> int:
    """The placement of a seat that searches."""
    game, draw = jantaku.Game("tenhou-tonpuu", seed=seed), random.Random(seed)
    agents = [None if other == seat else opponents for other in range(game.players)]
    while game.play(agents):
        game.submit(seat, search(game, seat, rollouts, draw.getrandbits(32)))
    assert game.results
    return game.results[seat].placement


def main() -> None:
    """Searches in every seat on the same walls: a player like the others has a mean of 2.5."""
    defaults = ["1", "64", "greedy"]
    walls, rollouts, opponents = sys.argv[1:] + defaults[len(sys.argv) - 1 :]
    games = [(seed, seat) for seed in range(int(walls)) for seat in range(4)]
    places = [play(seed, seat, int(rollouts), opponents) for seed, seat in games]
    mean = sum(places) / len(places)
    print(f"mean placement {mean:.2f} in {len(places)} games against {opponents}")


if __name__ == "__main__":
    main()
