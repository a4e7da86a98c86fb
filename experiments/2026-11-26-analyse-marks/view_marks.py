"""How often the marks of `jantaku view` are marks of `jantaku analyse`.

    python3 view_marks.py PROGRAM LOG... [--agent heuristic]

For each player of each log, `analyse` reviews the game. The script prints how it grades the decisions that the
page of `view --agent` marks as mistakes, and those where the page says that agents disagree; then how the page
grades the mistakes of `analyse`.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def page_grades(program, log, agent):
    """The grade of each decision on the page, by its number."""
    with tempfile.NamedTemporaryFile(suffix=".html") as page:
        run(program, "view", log, "--agent", agent, "--out", page.name)
        html = open(page.name, encoding="utf-8").read()
    data = json.loads(re.search(r'id="data"[^>]*>(.*?)</script>', html, re.S).group(1))
    steps = [step for hand in data["game"]["hands"] for step in hand["steps"]]
    decisions = [one for step in steps for one in step.get("decisions", [])]
    opinions = [(one["number"], one["advice"][0]) for one in decisions if any(one.get("advice", []))]
    return {number: opinion["grade"] for number, opinion in opinions}, len(data["game"]["names"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--agent", default="heuristic")
    asked = parser.parse_args()
    graded = Counter()
    for log in asked.logs:
        of_page, players = page_grades(asked.program, log, asked.agent)
        for seat in range(players):
            review = json.loads(run(asked.program, "analyse", log, "--seat", str(seat), "--json"))
            graded.update((of_page.get(one["step"], "none"), one["grade"]) for one in review["decisions"])
        print(f"{log}: {sum(graded.values())} decisions", file=sys.stderr, flush=True)
    for side, name in enumerate(["view", "analyse"]):
        for grade in ["mistake", "disputed"]:
            others = Counter(pair[1 - side] for pair in graded.elements() if pair[side] == grade)
            listed = ", ".join(f"{count} {other}" for other, count in others.most_common())
            print(f"{grade} by {name}: {others.total()}; by the other: {listed}", flush=True)


if __name__ == "__main__":
    main()
