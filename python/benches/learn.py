"""Times VecEnv and Dataset beside riichienv: python benches/learn.py [RUN]

VecEnv has 1,024 tables, one thread, and a learner in all seats under Tenhou's rules; random legal
actions come from `VecEnv.random_actions`, which is compiled. riichienv plays its own loop with
random actions. Dataset loads the run with one worker. Prints medians of five alternating runs, as
decisions a second of processor time over all threads: what one core does.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from game import of_riichienv

import jantaku

TURNS = 300
ENCODERS: tuple[Any, ...] = (None, "planes-v1", "sparse-v1")

Measure = Callable[[], int]


def environments() -> Iterator[tuple[str, Measure]]:
    """A measure for each encoder; its environment is warmed up."""
    for encoder in ENCODERS:
        env = jantaku.VecEnv(1024, "tenhou", encoder=encoder, threads=1)
        env.recv()

        def play(env: jantaku.VecEnv = env) -> int:
            decisions = 0
            for _ in range(TURNS):
                decisions += int(env.step(env.random_actions()).due.sum())
            return decisions

        play()
        yield f"VecEnv, {encoder or 'masks only'}", play


def datasets(run: str) -> Iterator[tuple[str, Measure]]:
    """A measure for each encoder and order."""
    for encoder in ENCODERS:
        for shuffle in (False, True):

            def load(encoder: Any = encoder, shuffle: bool = shuffle) -> int:
                data = jantaku.Dataset(run, encoder=encoder, shuffle=shuffle, workers=1)
                return sum(len(batch["action"]) for batch in data)

            order = "shuffled" if shuffle else "in order"
            yield f"Dataset, {encoder or 'masks only'}, {order}", load


def rate(measure: Measure) -> float:
    """Decisions a second of processor time."""
    start = time.process_time()
    decisions = measure()
    return decisions / (time.process_time() - start)


def main() -> None:
    """Runs the measures in turn, and prints their medians."""
    measures = dict(environments())
    measures["riichienv"] = lambda: sum(of_riichienv(seed) for seed in range(20))
    if len(sys.argv) > 1:
        measures.update(datasets(sys.argv[1]))
    rates: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(5):
        for name, measure in measures.items():
            rates[name].append(rate(measure))
    base = statistics.median(rates["riichienv"])
    for name, found in rates.items():
        median = statistics.median(found)
        print(f"{name:36} {median:>12,.0f} decisions/s {median / base:8.1f} times riichienv")


if __name__ == "__main__":
    main()
