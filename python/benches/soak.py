"""Plays many decisions with random rules, seeds, resets and misuse, and watches the memory.

    python benches/soak.py --environments 1_000 --decisions 300_000

Ends with an error if the resident memory grows by 1 % or more (`--growth`) after the warm-up: the
lowest tenth of the readings of the last fifth of the environments against that of the second fifth.
Each environment differs in size, so memory is read when none is open. The allocator keeps more or
less of what is free, so readings vary by several MiB, but a leak raises the lowest of them, too.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import random
import resource
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

import jantaku

ENCODERS: list[Any] = [None, None, None, "planes-v1", "sparse-v1"]
OPPONENTS = ["random", "greedy", "tsumogiri"]


def resident() -> int:
    """The resident memory of this process in bytes, once the allocator has returned its own."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


def make(chance: random.Random, name: str) -> jantaku.VecEnv:
    """An environment with random arguments."""
    players = jantaku.Rules(name).players
    seats = chance.sample(range(players), chance.randint(1, players))
    all_seats = chance.random() < 0.7 or len(seats) == players
    return jantaku.VecEnv(
        chance.choice([1, 64, 1024, 2000]),
        name,
        seats=None if all_seats else seats,
        opponents=None if all_seats else chance.choice(OPPONENTS),
        rotate=not all_seats and chance.random() < 0.3,
        encoder=chance.choice(ENCODERS),
        reward=chance.choice(["points", "placement", "result"]),
        seed=chance.getrandbits(63),
    )


def misuse(env: jantaku.VecEnv, batch: jantaku.Batch, referee: bool) -> None:
    """Calls that must raise, and must change nothing."""
    before = env.outstanding
    illegal = np.argmin(batch.mask[batch.due], axis=1)
    if referee:
        # An illegal action is a foul there, which the rules punish.
        illegal[:] = 165
    for actions, ids in (
        (illegal, batch.ids[batch.due]),
        (illegal.astype(np.float64), None),
        ([0], [-1]),
        # A row that ends a game takes any action.
        ([200], batch.ids[batch.due][:1]),
        ([0, 0], [1]),
    ):
        with contextlib.suppress(ValueError, TypeError):
            env.send(actions, ids)
            raise SystemExit("a wrong action was accepted")
    if env.outstanding != before:
        raise SystemExit("a wrong action changed something")


def play(env: jantaku.VecEnv, chance: random.Random, referee: bool, asked: int) -> int:
    """Plays at least this many decisions. Returns their number."""
    decisions = 0
    batch = env.recv()
    while decisions < asked:
        for _ in range(20):
            decisions += int(np.count_nonzero(batch.due))
            batch = env.step(env.random_actions())
        # A batch may be full of rows that end games.
        if batch.due.any() and chance.random() < 0.02:
            misuse(env, batch, referee)
        if chance.random() < 0.01:
            batch = env.reset(chance.getrandbits(63))
    return decisions


def lowest_tenth(sizes: list[int]) -> float:
    """The size below which a tenth of them are."""
    return statistics.quantiles(sizes, n=10, method="inclusive")[0]


def main() -> None:
    """Plays all environments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environments", type=int, default=1_000)
    parser.add_argument("--decisions", type=int, default=300_000, help="in each environment")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", type=float, default=0.01, help="from here on it is an error")
    parser.add_argument("--run", help="a run that is loaded now and then")
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    rules = list(jantaku.Rules.presets())
    start, decisions = time.monotonic(), 0
    memory: list[int] = []
    for number in range(1, asked.environments + 1):
        name = chance.choice(rules)
        with make(chance, name) as env:
            referee = jantaku.Rules(name).enforce == "Referee"
            decisions += play(env, chance, referee, asked.decisions)
        if asked.run and number % 10 == 0:
            for batch in jantaku.Dataset(asked.run, shuffle=20_000, seed=number):
                decisions += len(batch["action"])
                if chance.random() < 0.01:
                    break
        memory.append(resident())
        if number % 50 == 0:
            print(
                f"{time.monotonic() - start:4.0f} s, {number:,} environments, "
                f"{decisions:,} decisions, {memory[-1] / 2**20:.1f} MiB",
                flush=True,
            )
    fifth = len(memory) // 5
    warm, last = lowest_tenth(memory[fifth : 2 * fifth]), lowest_tenth(memory[-fifth:])
    growth = last / warm - 1
    print(
        f"{warm / 2**20:.1f} MiB after the warm-up, {last / 2**20:.1f} MiB at the end "
        f"({growth:+.2%})"
    )
    if growth >= asked.growth:
        raise SystemExit("the memory grows")


if __name__ == "__main__":
    main()
