"""How stable the mistakes of `jantaku analyse` are: the same games under many seeds.

    python3 marks.py NAME=PROGRAM[,OPTION...] ... [--games 10] [--seeds 10] [--agents A,B,C,D]
        [--check NAME=PROGRAM[,OPTION...]]...

Each program plays the same games, and reviews seat 0 of each with every seed. The script prints a
row for each program: marks, how many decisions they are, how many of the marks a review with another
seed makes again, and the CPU time of a review. With `--check`, another review of each game with a seed
of its own follows, and a line says how many of the first program's marks it makes, too.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter


def review(program, options, run, game, seed):
    """Reviews a game. Returns its marked decisions, the totals of the review and the CPU seconds."""
    words = [program, "analyse", f"{run}:{game}", "--seat", "0", "--seed", str(seed), "--json"]
    before = os.times()
    found = subprocess.run(words + options, stdout=subprocess.PIPE, check=True)
    after = os.times()
    seconds = after.children_user + after.children_system
    seconds -= before.children_user + before.children_system
    review = json.loads(found.stdout)
    marks = [one["step"] for one in review["decisions"] if one["grade"] == "mistake"]
    return marks, review["all"], seconds


def table_row(name, reviews, games, seeds):
    """A row of the table, whose headings are in `main`."""
    marks = again = decisions = always = most = 0
    for game in range(games):
        counts = Counter(step for seed in range(seeds) for step in reviews[game, seed][0])
        marks += sum(counts.values())
        # A pair of reviews agrees about a mark if both make it.
        again += sum(count * (count - 1) for count in counts.values())
        decisions += len(counts)
        always += sum(count == seeds for count in counts.values())
        most += sum(count for count in counts.values() if count >= 0.9 * seeds)
    share = again / (marks * (seeds - 1)) if marks and seeds > 1 else float("nan")
    seconds = [reviews[key][2] for key in reviews]
    return [
        name,
        f"{marks / games / seeds:.1f}",
        f"{decisions}",
        f"{always}",
        f"{100 * share:.0f} %",
        f"{100 * most / max(marks, 1):.0f} %",
        f"{sum(seconds) / len(seconds):.1f}",
        f"{max(seconds):.1f}",
    ]


def held(reviews, checked):
    """The number of marks, of those that the checking reviews make, too, and of all their marks."""
    marks = [(game, step) for (game, _), (steps, *_) in reviews.items() for step in steps]
    return len(marks), sum(step in checked[game][0] for game, step in marks), sum(len(of[0]) for of in checked)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--agents", default="greedy,heuristic,heuristic,heuristic")
    parser.add_argument("--deal-seed", type=int, default=37, help="the seed of the games")
    parser.add_argument("--check", action="append", default=[], help="a review that must make the same marks")
    parser.add_argument("--raw", help="write the marks of each review to this file")
    asked = parser.parse_args()
    heads = ["program", "marks a game", "decisions", "in all seeds", "again", "in 9 of 10", "s", "most s"]
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads), flush=True)
    for entry in asked.programs:
        name, words = entry.split("=", 1)
        program, *options = words.split(",")
        with tempfile.TemporaryDirectory() as folder:
            run = f"{folder}/run"
            play = ["selfplay", "--games", str(asked.games), "--seed", str(asked.deal_seed), "--agents", asked.agents]
            subprocess.run([program, *play, "--out", run, "--quiet"], check=True)
            reviews, checks = {}, {}
            start = time.monotonic()
            for game in range(asked.games):
                for seed in range(asked.seeds):
                    reviews[game, seed] = review(program, options, run, game, seed)
                for check in asked.check if entry == asked.programs[0] else []:
                    other, words = check.split("=", 1)
                    checking, *others = words.split(",")
                    checks.setdefault(other, []).append(review(checking, others, run, game, asked.seeds))
                    print(f"{other}: {held(reviews, checks[other])}", file=sys.stderr, flush=True)
                passed = time.monotonic() - start
                print(f"{name}: {game + 1} games, {passed:.0f} s", file=sys.stderr, flush=True)
            for other, checked in checks.items():
                marks, found, own = held(reviews, checked)
                print(f"{name}: {found} of {marks} marks hold with {other}, which makes {own}", flush=True)
            if asked.raw:
                rows = [[game, seed, *found] for (game, seed), found in reviews.items()]
                with open(asked.raw, "a") as file:
                    file.write(json.dumps({"program": name, "reviews": rows}) + "\n")
        row = table_row(name, reviews, asked.games, asked.seeds)
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
