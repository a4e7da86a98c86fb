"""Prints the costs of riichi by unseen tiles to win on, from the lines of `damaten`.

usage: riichi_cost.py CSV PARAMS [LEAST]

PARAMS is the `params.toml` with which the agent wrote the lines. Before the last hand, what riichi
truly gains in the result of the game is fitted as a line in the agent's estimate without costs. The
cost is the estimate from which riichi gains LEAST points of the result, 0 if it is left out.
"""

import sys
import tomllib

import numpy

DAMATEN, TSUMO = 1, 3
MOST_TILES = 8
# Estimates further from 0 decide nothing.
NEAR = 1500

path, params, least = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
lines = numpy.genfromtxt(path, delimiter=",", names=True)
with open(params, "rb") as file:
    costs = numpy.array(tomllib.load(file)["value"]["riichi_cost"])
lines = lines[lines["stage"] > 1]
tiles = lines["ukeire"].clip(1, MOST_TILES).astype(int)
gain = lines["result_riichi"] - lines["result_damaten"]
estimate = lines["worth"] + costs[(lines["mode"] == TSUMO).astype(int), tiles - 1]
for name, mode in (("with a yaku", DAMATEN), ("by tsumo alone", TSUMO)):
    print(f"{name}: unseen tiles, lines, mean gain of riichi, cost")
    for count in range(1, MOST_TILES + 1):
        chosen = (lines["mode"] == mode) & (tiles == count) & (abs(estimate) < NEAR)
        slope, at_zero = numpy.polyfit(estimate[chosen], gain[chosen], 1)
        print(f"{count}  {chosen.sum():7}  {gain[chosen].mean():+6.0f}  {(least - at_zero) / slope:+6.0f}")
