"""Runs 2,000 sequential tests (0, 0.05) on resampled set means of a match, at a true gain of 0.05.

usage: resample.py RUN, the folder of a match of 1-v-rest

The set means of the challenger's gain are shifted so that their mean is 0.05.
"""

import math
import sys
from pathlib import Path

import numpy
import pyarrow.dataset

TESTS, LOW, HIGH, ALPHA, BETA, FIRST_LOOK = 2000, 0.0, 0.05, 0.05, 0.05, 100


def main() -> None:
    games = pyarrow.dataset.dataset(Path(sys.argv[1]) / "games").to_table(["game", "placement"]).sort_by("game")
    placements = numpy.array(games["placement"].to_pylist())
    players = placements.shape[1]
    # In game g of a set the challenger sits in seat g.
    own = placements[numpy.arange(len(placements)), numpy.arange(len(placements)) % players]
    gains = (players + 1) / 2 - own.reshape(-1, players).mean(axis=1)
    gains += HIGH - gains.mean()
    lower, upper = math.log(BETA / (1 - ALPHA)), math.log((1 - BETA) / ALPHA)
    random = numpy.random.default_rng(1)
    rejected, lengths = 0, []
    for _ in range(TESTS):
        drawn, sums, squares = 0, 0.0, 0.0
        while True:
            sample = random.choice(gains, 1000)
            count = drawn + numpy.arange(1, 1001)
            sum_x, sum_xx = sums + sample.cumsum(), squares + (sample**2).cumsum()
            variance = (sum_xx - sum_x**2 / count) / numpy.maximum(count - 1, 1)
            llr = (HIGH - LOW) * (2 * sum_x - count * (LOW + HIGH)) / (2 * numpy.maximum(variance, 1e-12))
            decided = (count >= FIRST_LOOK) & ((llr <= lower) | (llr >= upper))
            if decided.any():
                at = decided.argmax()
                rejected += llr[at] <= lower
                lengths.append(count[at])
                break
            drawn, sums, squares = count[-1], sum_x[-1], sum_xx[-1]
    share = rejected / TESTS
    error = math.sqrt(share * (1 - share) / TESTS)
    print(f"{len(gains)} set means, standard deviation {gains.std(ddof=1):.4f}, shifted to the mean {HIGH}")
    print(f"tests that reject {HIGH}: {rejected} of {TESTS}, {100 * share:.2f} % ± {100 * error:.2f} (standard error)")
    print(f"sets of a test: mean {numpy.mean(lengths):.0f}, most {max(lengths)}")


if __name__ == "__main__":
    main()
