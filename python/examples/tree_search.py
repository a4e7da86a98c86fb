"""A search of one level: plays every action to the end of the hand in the same sampled games.

Usage: python examples/tree_search.py [WALLS] [ROLLOUTS] [OPPONENTS]
"""

import random
import sys
from math import sqrt
from statistics import mean, stdev

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
    """The action of the agent in rollouts, unless another surely gains more."""
    legal, usual = game.observe(seat).legal, game.ask(ROLLOUT, seat)
    worlds = game.sample(seat, max(2, rollouts // len(legal)), seed=seed)
    values = {action: [value(world, seat, action) for world in worlds] for action in legal}

    def gain(action: jantaku.Action) -> float:
        pairs = zip(values[action], values[usual], strict=True)
        gains = [new - old for new, old in pairs]
        return mean(gains) - 4 * stdev(gains) / sqrt(len(gains))

    return max(legal, key=gain)


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
    defaults = ["1", "128", "greedy"]
    walls, rollouts, opponents = sys.argv[1:] + defaults[len(sys.argv) - 1 :]
    games = [(seed, seat) for seed in range(int(walls)) for seat in range(4)]
    places = [play(seed, seat, int(rollouts), opponents) for seed, seat in games]
    print(f"mean placement {mean(places):.2f} in {len(places)} games against {opponents}")


if __name__ == "__main__":
    main()
