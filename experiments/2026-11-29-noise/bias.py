"""What the output of the example `noise` says: ``python bias.py noise.csv``.

For each of the options, and for each kind of decision: the variance of a pair, the microseconds of a pair, and the
mean square of the difference to the means of the first options, without the noise of both.
"""

import csv
import sys
from collections import defaultdict


def mean(values):
    return sum(values) / len(values)


def error(values):
    """The standard error of the mean."""
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values) ** 0.5 / len(values)


def moments(row):
    """The mean of a candidate's differences, the variance of a single one, and their number."""
    deals, total, squares = int(row["deals"]), float(row["sum"]), float(row["squares"])
    return total / deals, max(squares - total * total / deals, 0) / (deals - 1), deals


def main():
    candidates, micros, pairs = defaultdict(dict), defaultdict(dict), defaultdict(int)
    with open(sys.argv[1], encoding="utf-8") as file:
        for row in csv.DictReader(file):
            options = int(row["options"])
            candidates[row["kind"], row["game"], row["decision"], row["at"]][options] = moments(row)
            micros[options][row["game"], row["decision"]] = float(row["micros"])
            pairs[options] += int(row["deals"])
    kinds = sorted({key[0] for key in candidates})
    print("kind,options,candidates,variance,microseconds,noise,bias,error")
    for kind in ["all", *kinds]:
        for options in sorted(micros):
            chosen = [of for key, of in candidates.items() if kind in ("all", key[0]) and {0, options} <= of.keys()]
            if len(chosen) < 2:
                continue
            variance = mean([of[options][1] for of in chosen])
            time = sum(micros[options].values()) / pairs[options]
            biases = [
                (of[options][0] - of[0][0]) ** 2 - of[options][1] / of[options][2] - of[0][1] / of[0][2]
                for of in chosen
            ]
            bias = (mean(biases), error(biases)) if options else (0, 0)
            numbers = [variance, time, variance * time, *bias]
            print(kind, options, len(chosen), *(f"{number:.0f}" for number in numbers), sep=",")


if __name__ == "__main__":
    main()
