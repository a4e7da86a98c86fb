"""The difference of two challengers' mean placements on the same walls, in the same seats.

usage: paired.py RUN RUN, two runs that `match --out` wrote with the same opponents, sets and seed
"""

import glob
import math
import sys
from collections import defaultdict

import pyarrow.parquet as parquet

GAMES = 4
"""The games of a set: the challenger plays each seat once."""


def placements(run: str) -> dict[int, float]:
    """The challenger's mean placement in each set."""
    found = defaultdict(list)
    for path in sorted(glob.glob(f"{run}/games/*.parquet")):
        for game in parquet.read_table(path, columns=["game", "agents", "placement"]).to_pylist():
            agents = game["agents"]
            seat = next(seat for seat, agent in enumerate(agents) if agents.count(agent) == 1)
            found[game["game"] // GAMES].append(game["placement"][seat])
    return {number: sum(places) / GAMES for number, places in found.items()}


first, second = (placements(run) for run in sys.argv[1:])
assert first.keys() == second.keys(), "other sets"
differences = [first[number] - second[number] for number in first]
count, mean = len(differences), sum(differences) / len(differences)
error = math.sqrt(sum((one - mean) ** 2 for one in differences) / (count - 1) / count)
means = [sum(places.values()) / count for places in (first, second)]
print(f"{count} sets: {means[0]:.4f} and {means[1]:.4f}, difference {mean:+.4f} ± {1.96 * error:.4f}")
