"""Plays games in which RiichiEnv (the Python package `riichienv`) asks `jantaku mjai` for the moves.

    mjai_peer.py target/release/jantaku OUT --games 100

plays games of the kinds of peer_games.py. In every other game `jantaku mjai` has all seats, in the
others one seat. An answer that RiichiEnv does not allow ends the program with status 1. So does a
difference between RiichiEnv's log of a game and its replay by `jantaku replay`, which compares every
payment and the final points.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

from peer_games import KINDS, RULES, SEED_STEP, Player, replay
from riichienv import RiichiEnv, calculate_shanten, calculate_shanten_3p


class Bot:
    """A seat that a process plays in one of the two dialects."""

    def __init__(self, jantaku: str, agent: str, seat: int, dialect: str, rules: Path) -> None:
        words = [jantaku, "mjai", "--agent", agent, "--seat", str(seat)]
        words += ["--dialect", dialect, "--rules", str(rules)]
        self.dialect = dialect
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, events: list[dict]) -> dict:
        """Sends the events since the last question, and returns the last answer."""
        lines = [events] if self.dialect == "app" else events
        answer = {"type": "none"}
        for line in lines:
            self.process.stdin.write(json.dumps(line) + "\n")
            self.process.stdin.flush()
            text = self.process.stdout.readline()
            if not text:
                sys.exit(f"the bot ended with status {self.process.wait()} at {json.dumps(line)}")
            answer = json.loads(text)
        return answer

    def act(self, observation):
        events = [json.loads(event) for event in observation.new_events()]
        answer = self.answer(events)
        action = observation.select_action_from_mjai(answer)
        if action is None:
            legal = [action.to_mjai() for action in observation.legal_actions()]
            sys.exit(f"RiichiEnv does not allow {answer} after {events[-1]}, expected one of {legal}")
        return action


def play(kind: str, seed: int, bots: list[Bot]) -> list[dict]:
    """Plays a game, and returns its log with the final points."""
    mode, rule = KINDS[kind]
    env = RiichiEnv(game_mode=mode, seed=SEED_STEP * seed, rule=rule())
    shanten = calculate_shanten_3p if mode.startswith("3p") else calculate_shanten
    players = [Player(random.Random(f"{kind} {seed} {seat}"), shanten) for seat in range(len(bots))]
    if seed % 2 == 0:
        players = bots
    else:
        seat = seed // 2 % len(bots)
        players[seat] = bots[seat]
    observations = env.reset()
    while not env.done():
        observations = env.step({seat: players[seat].act(seen) for seat, seen in observations.items()})
    log = env.mjai_log
    assert log[-1]["type"] == "end_game", log[-1]
    log[-1]["scores"] = list(env.scores())
    return log


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("jantaku")
    words.add_argument("out", type=Path)
    words.add_argument("--games", type=int, default=100)
    words.add_argument("--seed", type=int, default=0, help="the seed of the first game of each kind")
    words.add_argument("--agent", default="greedy")
    args = words.parse_args()
    same = []
    for index, (kind, (mode, _)) in enumerate(KINDS.items()):
        folder, rules = args.out / kind, args.out / f"{kind}.toml"
        folder.mkdir(parents=True, exist_ok=True)
        rules.write_text(RULES[kind] + "\n")
        # Neighbouring seats speak different dialects.
        dialects = ["app", "line", "app", "line"][: int(mode[0])]
        bots = [Bot(args.jantaku, args.agent, seat, name, rules) for seat, name in enumerate(dialects)]
        games = args.games // len(KINDS) + (index < args.games % len(KINDS))
        for seed in range(args.seed, args.seed + games):
            lines = (json.dumps(event, separators=(",", ":")) for event in play(kind, seed, bots))
            (folder / f"{seed:06}.mjson").write_text("".join(f"{line}\n" for line in lines))
        same.append(replay(args.jantaku, args.out, kind, games))
    sys.exit(0 if all(same) else 1)


if __name__ == "__main__":
    main()
