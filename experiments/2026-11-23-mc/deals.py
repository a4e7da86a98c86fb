"""Counts the deals of searched decisions, which is their effective sample size: deals are independent.

    jantaku selfplay --agents heuristic --games 6 --seed 60000 --out RUN
    for game in 0 1 2 3 4 5; do for seat in 0 1 2 3; do
        jantaku analyse RUN:$game --seat $seat --agent mc:rollouts=256 --json
    done; done | python3 deals.py
"""

import json
import sys

deals = []
decoder, text = json.JSONDecoder(), sys.stdin.read().strip()
while text:
    review, end = decoder.raw_decode(text)
    deals += [decision["deals"] for decision in review["decisions"]]
    text = text[end:].strip()
if not deals:
    sys.exit("no searched decision: expected what `jantaku analyse --json` prints")
deals.sort()
print(f"{len(deals):,} searched decisions, {sum(n >= 50 for n in deals) / len(deals):.1%} with 50 deals or more")
for share in [0.01, 0.05, 0.5, 0.95]:
    print(f"{share:4.0%} have at most {deals[int(share * (len(deals) - 1))]} deals")
