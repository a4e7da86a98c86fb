"""Placement over the time of a decision: the table and the picture of docs/strength.md.

usage: curve.py play PROGRAM DECISION_TIME    play what matches.json lacks, and time the decisions
       curve.py draw                          print the table, and write ../../docs/strength.svg

PROGRAM is `jantaku`, DECISION_TIME the example of that name of the package `jantaku-agents`.
"""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORD, PICTURE = HERE / "matches.json", HERE.parent.parent / "docs" / "strength.svg"
REFERENCE = "heuristic:version=1"
SETS = {
    "random": 250,
    "tsumogiri": 250,
    "noisy:base=heuristic,p=0.15": 4000,
    "noisy:base=heuristic,p=0.03": 4000,
    "noisy:base=heuristic,p=0.005": 4000,
    "greedy": 4000,
    "heuristic:fast": 10000,
    "heuristic:version=1": 4000,
    "heuristic:version=3": 4000,
}
"""The sets that each agent plays here."""

EARLIER = {
    "residual:version=2": (2.4531, 0.0097, 10000, "2026-11-27-residual"),
    "mc:rollouts=64": (2.480, 0.023, 1000, "2026-11-23-mc"),
    "mc:rollouts=256": (2.459, 0.016, 2007, "2026-11-23-mc"),
    "mc:rollouts=1024": (2.435, 0.024, 1000, "2026-11-23-mc"),
    "mc:prior=residual,errors=0": (2.439, 0.023, 1000, "2026-11-27-search"),
}
"""Agents with matches of other experiments: placement, half of its 95 % interval (that of `mc` with reduced variance),
sets, experiment."""

SEED = 580_000


def play(program: str, decision_time: str) -> None:
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    for number, agent in enumerate([*SETS, *EARLIER]):
        own = record.setdefault(agent, {})
        if "micros" not in own:
            games = "1" if agent.startswith("mc") else "600"
            alone = os.environ | {"RAYON_NUM_THREADS": "1"}
            run = [decision_time, games, "tenhou", agent]
            found = subprocess.run(run, env=alone, stdout=subprocess.PIPE, text=True, check=True).stdout
            own["micros"] = int(re.search(r"(\d+) ns each", found)[1]) / 1000
        if agent in SETS and "sets" not in own:
            run = [program, "match", "--challenger", agent, "--baseline", REFERENCE, "--sets", str(SETS[agent])]
            run += ["--seed", str(SEED + number), "--json"]
            found = json.loads(subprocess.run(run, stdout=subprocess.PIPE, text=True, check=True).stdout)
            place = found["agents"][0]["placement"]
            own |= {"sets": SETS[agent], "seed": SEED + number, "placement": place["value"]}
            own |= {"half": (place["high"] - place["low"]) / 2}
        RECORD.write_text(json.dumps(record, indent=1) + "\n")
        print(agent, own, flush=True)


def rows() -> list[tuple[str, float, float, float, int, str]]:
    """Agent, microseconds, placement, half of its interval, sets, source; the fastest first."""
    record, found = json.loads(RECORD.read_text()), []
    for agent in [*SETS, *EARLIER]:
        own = record[agent]
        if agent in SETS:
            found.append((agent, own["micros"], own["placement"], own["half"], own["sets"], f"seed {own['seed']}"))
        else:
            place, half, sets, source = EARLIER[agent]
            link = f"[experiment](../experiments/{source}/README.md)"
            found.append((agent, own["micros"], place, half, sets, link))
    return sorted(found, key=lambda row: row[1])


def draw() -> None:
    print("| agent | µs a decision | mean placement | sets | source |\n|---|---|---|---|---|")
    table = rows()
    for agent, micros, place, half, sets, source in table:
        print(f"| `{agent}` | {micros:,.{2 if micros < 10 else 0}f} | {place:.4f} ± {half:.4f} | {sets:,} | {source} |")
    shown = [row for row in table if row[2] < 3.1 and row[0] != "heuristic:version=3" and "noisy" not in row[0]]
    PICTURE.write_text(svg([row[:4] for row in shown]))


def svg(points: list[tuple[str, float, float, float]]) -> str:
    """Placement, the better the higher, over microseconds on a logarithmic scale."""
    low, high, worst, best = -0.5, 5.3, 3.05, 2.35
    across = lambda micros: 70 + 690 * (math.log10(micros) - low) / (high - low)
    down = lambda place: 20 + 360 * (place - best) / (worst - best)
    parts = []
    for power in range(6):
        x, text = across(10**power), ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms"][power]
        parts.append(f'<path class="grid" d="M{x:.0f} 20V380"/><text x="{x:.0f}" y="400" text-anchor="middle">{text}</text>')
    for tenth in range(24, 31):
        y, place = down(tenth / 10), tenth / 10
        kind = "fair" if tenth == 25 else "grid"
        parts.append(f'<path class="{kind}" d="M70 {y:.0f}H760"/><text x="62" y="{y + 4:.0f}" text-anchor="end">{place:.1f}</text>')
    for agent, micros, place, half in points:
        x, y = across(micros), down(place)
        dy = 26 if agent.startswith(("greedy", "mc:rollouts")) else -14
        parts.append(f'<path class="error" d="M{x:.1f} {down(place - half):.1f}V{down(place + half):.1f}"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/><text x="{x:.1f}" y="{y + dy:.1f}" text-anchor="middle">{agent.replace("rollouts=", "")}</text>')
    style = "text{font:13px sans-serif;fill:#777}circle{fill:#c33}.error{stroke:#c33;stroke-width:2}"
    style += ".grid{stroke:#7773}.fair{stroke:#777;stroke-dasharray:4}"
    title = "Mean placement against three heuristic:version=1 over the time of a decision"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 430" role="img"><title>{title}</title>'
        f"<style>{style}</style>{''.join(parts)}"
        '<text x="415" y="424" text-anchor="middle">processor time of a decision</text>'
        '<text transform="translate(18 200)rotate(-90)" text-anchor="middle">mean placement</text></svg>\n'
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", program, decision_time]:
            play(program, decision_time)
        case ["draw"]:
            draw()
        case _:
            sys.exit(__doc__)
