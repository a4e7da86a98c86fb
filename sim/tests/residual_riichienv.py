"""Compares how an agent plays in RiichiEnv (the Python package `riichienv`) and here.

    residual_riichienv.py target/release/jantaku OUT --games 400

RiichiEnv deals games to `jantaku mjai --agent residual` on the first seat and three `greedy` on the others. Its
logs are counted by `jantaku stats`, and so are games of the same line-up that this engine plays. The table has
the figures of the first seat with 95 % intervals. The agent is also asked here about its decisions there. The
status is 1 after an answer that RiichiEnv does not allow, a log that does not replay as recorded, another
decision, and a difference of figures of more than four standard errors.
"""

import argparse
import itertools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from mjai_peer import Bot
from peer_games import KINDS, RULES, SEED_STEP, replay
from riichienv import RiichiEnv

KIND = "4p-tenhou"
FIGURES = ["win", "deal-in", "riichi", "call", "tsumo", "win-turn", "gain", "placement", "placement-1", "placement-4"]


def play(bots: list[Bot], out: Path, games: int) -> None:
    """Plays games in RiichiEnv and writes their logs."""
    mode, rule = KINDS[KIND]
    for game in range(games):
        env = RiichiEnv(game_mode=mode, seed=SEED_STEP * game, rule=rule())
        seen = env.reset(oya=0)
        while not env.done():
            seen = env.step({seat: bots[seat].act(view) for seat, view in seen.items()})
        log = env.mjai_log
        log[-1]["scores"] = list(env.scores())
        (out / f"{game:06}.mjson").write_text("".join(f"{json.dumps(event)}\n" for event in log))


def figures(jantaku: str, run: Path, *words: object) -> dict[str, tuple[float, float]]:
    """Makes a run by a command. Returns the values of its first seat, and half of their intervals."""
    shutil.rmtree(run, ignore_errors=True)
    subprocess.run([jantaku, *map(str, words), "--out", run, "--quiet"], stdout=subprocess.DEVNULL, check=True)
    names = ",".join(f"players.{name}" for name in FIGURES)
    count = [jantaku, "stats", run, "--only", names, "--by", "seat", "--json", "--quiet"]
    found = json.loads(subprocess.run(count, stdout=subprocess.PIPE, check=True).stdout)["figures"]
    mine = {figure["name"]: figure for figure in found if figure["group"] == "seat 0"}
    return {name.removeprefix("players."): (f["value"], (f["high"] - f["low"]) / 2) for name, f in mine.items()}


def other_decisions(jantaku: str, run: Path, agent: str, games: int) -> tuple[int, int]:
    """The decisions of the first seat, and those that the agent takes differently here.

    A log has no answer of a player whose call another one overruled: it shows a pass.
    """
    asked = other = 0
    page = run.with_suffix(".html")
    for game in range(games):
        page.unlink(missing_ok=True)
        view = [jantaku, "view", f"{run}:{game}", "--agent", agent, "--seat", "0", "--out", page, "--quiet"]
        subprocess.run(view, stdout=subprocess.DEVNULL, check=True)
        data = re.search(r'<script[^>]*"application/json"[^>]*>(.*?)</script>', page.read_text(), re.DOTALL)[1]
        for hand in json.loads(data)["game"]["hands"]:
            steps = [*hand["steps"], {"event": "end", "seat": None}]
            for step, following in itertools.pairwise(steps):
                mine = [one for one in step.get("decisions", []) if one["seat"] == 0]
                overruled = following["event"] != "draw" and following.get("seat") != 0
                for one in mine:
                    asked += 1
                    same = one["action"] == one["advice"][0]["action"]
                    other += not same and not (one["action"] == "pass" and overruled)
    return asked, other


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("jantaku")
    words.add_argument("out", type=Path)
    words.add_argument("--agent", default="residual")
    words.add_argument("--others", default="greedy")
    words.add_argument("--games", type=int, default=400)
    words.add_argument("--here", type=int, default=4000, help="games that this engine plays")
    words.add_argument("--ask", type=int, default=60, help="games whose decisions the agent takes again")
    args = words.parse_args()
    agents = [args.agent, *[args.others] * 3]
    folder, rules = args.out / KIND, args.out / f"{KIND}.toml"
    folder.mkdir(parents=True, exist_ok=True)
    rules.write_text(RULES[KIND] + "\n")
    bots = [Bot(args.jantaku, agent, seat, "line", rules) for seat, agent in enumerate(agents)]
    play(bots, folder, args.games)
    same = replay(args.jantaku, args.out, KIND, args.games)
    there = figures(args.jantaku, args.out / "there", "convert", folder, "--to", "run", "--rules", rules)
    seats = ["--agents", ",".join(agents), "--log", "hands"]
    here = figures(args.jantaku, args.out / "here", "selfplay", "--rules", rules, *seats, "--games", args.here)
    asked, other = other_decisions(args.jantaku, args.out / "there", args.agent, min(args.ask, args.games))
    print(f"{asked:,} decisions, {other} of them different here")
    same &= other == 0
    print(f"{'figure':12} {'in RiichiEnv':>20} {'here':>20} {'difference':>20}")
    for name in FIGURES:
        (a, da), (b, db) = there[name], here[name]
        of_difference = (da**2 + db**2) ** 0.5
        same &= abs(a - b) <= 4 / 1.96 * of_difference
        print(f"{name:12}" + "".join(f" {value:10.4f} ± {half:7.4f}" for value, half in [(a, da), (b, db), (a - b, of_difference)]))
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
