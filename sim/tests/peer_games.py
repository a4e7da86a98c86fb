"""Plays games with RiichiEnv (the Python package `riichienv`) and writes each as an mjai log.

    peer_games.py OUT --games 2000 --replay target/release/jantaku

writes equal numbers of games of four kinds into the folders OUT/4p-tenhou, OUT/4p-mjsoul,
OUT/3p-tenhou and OUT/3p-mjsoul: four or three players, under RiichiEnv's rules of Tenhou or Mahjong
Soul. The games depend on the seeds alone. With --replay, `jantaku replay` replays them under the
same rules, and the exit status is 1 if there is a difference.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

from riichienv import ActionType, GameRule, RiichiEnv, calculate_shanten, calculate_shanten_3p

KINDS = {
    "4p-tenhou": ("4p-red-half", GameRule.default_tenhou),
    "4p-mjsoul": ("4p-red-half", GameRule.default_mjsoul),
    "3p-tenhou": ("3p-red-half", GameRule.default_tenhou),
    "3p-mjsoul": ("3p-red-half", GameRule.default_mjsoul),
}

# Our rules for each kind, which the logs do not state. All kinds turn the new dora of kans as
# Tenhou does.
RULES = {
    "4p-tenhou": 'base = "tenhou"',
    "4p-mjsoul": 'base = "mjsoul"\ndeferred_flush = "AfterRobWindow"',
    "3p-tenhou": 'base = "tenhou-sanma"',
    "3p-mjsoul": 'base = "mjsoul-sanma"\ndeferred_flush = "AfterRobWindow"',
}

# The probability of each action other than a discard when it is legal. Players try them in this
# order.
HABITS = {
    ActionType.TSUMO: 0.97,
    ActionType.RON: 0.93,
    ActionType.KYUSHU_KYUHAI: 0.5,
    ActionType.KITA: 0.8,
    ActionType.ANKAN: 0.8,
    ActionType.KAKAN: 0.9,
    ActionType.DAIMINKAN: 0.4,
    ActionType.RIICHI: 0.85,
    ActionType.PON: 0.35,
    ActionType.CHI: 0.15,
}


# The walls of a game with the next seed are those of this one, a hand later. So seeds of games keep a distance.
SEED_STEP = 1000


class Player:
    """A player who mostly lowers the shanten and wins, and sometimes calls.

    Without mistakes, no player would get furiten after a passed tile, a fifth kan or nagashi mangan.
    """

    def __init__(self, rng: random.Random, shanten) -> None:
        self.rng, self.shanten = rng, shanten
        self.careless = rng.choice([0.0, 0.03, 0.2])
        # Some players discard yaochuu first, for draws that depend on discards.
        self.keeps_middle = rng.random() < 0.15
        self.riichi = False

    def act(self, observation):
        actions = observation.legal_actions()
        by_type = {}
        for action in actions:
            by_type.setdefault(int(action.action_type), []).append(action)
        for action_type, habit in HABITS.items():
            choices = by_type.get(int(action_type))
            if choices and self.rng.random() < habit:
                self.riichi = action_type == ActionType.RIICHI
                return self.rng.choice(choices)
        discards = by_type.get(int(ActionType.DISCARD))
        if not discards:
            passes = by_type.get(int(ActionType.PASS))
            return passes[0] if passes else self.rng.choice(actions)
        return self.discard(observation, discards)

    def discard(self, observation, discards):
        careless = self.rng.random() < self.careless and not self.riichi
        self.riichi = False
        if careless or len(discards) == 1:
            return self.rng.choice(discards)
        hand = list(observation.hand)

        def rank(action):
            rest = hand.copy()
            rest.remove(action.tile)
            outer = action.tile >= 108 or action.tile % 36 // 4 in (0, 8)
            return self.shanten(rest) - (4 if self.keeps_middle and outer else 0), self.rng.random()

        return min(discards, key=rank)


def play(kind: str, seed: int) -> list[dict]:
    """Plays a game and returns its mjai events."""
    mode, rule = KINDS[kind]
    env = RiichiEnv(game_mode=mode, seed=SEED_STEP * seed, rule=rule())
    shanten = calculate_shanten_3p if mode.startswith("3p") else calculate_shanten
    players = [Player(random.Random(f"{kind} {seed} {seat}"), shanten) for seat in range(int(mode[0]))]
    observations = env.reset()
    while not env.done():
        observations = env.step({seat: players[seat].act(seen) for seat, seen in observations.items()})
    return env.mjai_log


def write_games(out: Path, games: int, first_seed: int = 0) -> dict[str, int]:
    """Plays and writes the games, the same number of each kind, and returns the numbers."""
    counts = {}
    for index, kind in enumerate(KINDS):
        counts[kind] = games // len(KINDS) + (index < games % len(KINDS))
        folder = out / kind
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(first_seed, first_seed + counts[kind]):
            lines = (json.dumps(event, separators=(",", ":")) for event in play(kind, seed))
            (folder / f"{seed:06}.mjson").write_text("".join(f"{line}\n" for line in lines))
    return counts


def replay(jantaku: str, out: Path, kind: str, games: int) -> bool:
    """Whether all games of a kind replay without a difference."""
    rules = out / f"{kind}.toml"
    rules.write_text(RULES[kind] + "\n")
    words = [jantaku, "replay", str(out / kind), "--rules", str(rules), "--json"]
    answer = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=False).stdout)
    wrong = answer["differences"] + answer["errors"]
    print(f"{kind}: {answer['games']:,} games, {answer['hands']:,} hands replayed, {len(wrong)} differences")
    for found in wrong[:10]:
        print(f"  {found}")
    return not wrong and answer["games"] == games


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("out", type=Path)
    words.add_argument("--games", type=int, default=2000)
    words.add_argument("--seed", type=int, default=0, help="the seed of the first game of each kind")
    words.add_argument("--replay", metavar="JANTAKU", help="replay the games with this program")
    args = words.parse_args()
    counts = write_games(args.out, args.games, args.seed)
    for kind, count in counts.items():
        print(f"{args.out / kind}: {count} games")
    if args.replay:
        same = [replay(args.replay, args.out, kind, count) for kind, count in counts.items()]
        sys.exit(0 if all(same) else 1)


if __name__ == "__main__":
    main()
