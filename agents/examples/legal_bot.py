"""An mjai bot without rules of its own: with `legal=on` each question lists the legal answers.

It wins whenever it can, declares riichi, and otherwise chooses at random, with few calls.
"""

import json
import random
import sys

FIRST = ("hora", "reach", "kita")
"""What it always does, the best first."""


def choose(legal: list[dict]) -> dict:
    for kind in FIRST:
        for answer in legal:
            if answer["type"] == kind:
                return answer
    # A pass or a discard is four times as likely as a call.
    weights = [4 if answer["type"] in ("none", "dahai") else 1 for answer in legal]
    return random.choices(legal, weights)[0]


for line in sys.stdin:
    events = json.loads(line)
    last = events[-1] if isinstance(events, list) else events
    answer = choose(last["legal"]) if "legal" in last else {"type": "none"}
    print(json.dumps(answer), flush=True)
