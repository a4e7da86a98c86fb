"""Plays many small matches of agents of equal strength, and writes one line for each.

usage: matches.py PROGRAM intervals|tests FIRST LAST FILE

`intervals` plays matches of 200 sets; `tests` plays sequential tests (0, 0.05) to their decision. The
agents are `greedy` with 5 % random moves each, with different random numbers, so the true gain is 0.
Match k has seed k, from FIRST to LAST. The lines in FILE are kept, and only the matches after them
are played.
"""

import json
import subprocess
import sys
from pathlib import Path

AGENTS = ["--challenger", "noisy:base=greedy,p=0.05,salt=1", "--baseline", "noisy:base=greedy,p=0.05,salt=2"]
KINDS = {"intervals": ["--sets", "200"], "tests": ["--sprt", "0,0.05"]}
COLUMNS = ["seed", "sets", "placement", "low", "high", "standard_error", "variance_ratio", "decision"]


def play(program: str, kind: str, seed: int) -> list:
    words = [program, "match", *AGENTS, *KINDS[kind], "--seed", str(seed), "--threads", "1", "--json", "-q"]
    result = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    placement = result["placement"]
    decision = (result["sprt"] or {}).get("decision")
    own = [placement[key] for key in ("value", "low", "high", "standard_error")]
    return [seed, result["sets"], *own, result["variance_ratio"], decision]


def main() -> None:
    program, kind, path = sys.argv[1], sys.argv[2], Path(sys.argv[5])
    first, last = int(sys.argv[3]), int(sys.argv[4])
    if not path.exists():
        path.write_text("\t".join(COLUMNS) + "\n")
    done = len(path.read_text().splitlines()) - 1
    with path.open("a") as lines:
        for seed in range(first + done, last + 1):
            lines.write("\t".join(map(str, play(program, kind, seed))) + "\n")
            lines.flush()


if __name__ == "__main__":
    main()
