"""Times the `DataLoader` of torch with and without worker processes.

Usage: python benches/loader.py RUN [WORKERS]

Epochs with and without alternate, five of each. Prints medians of their seconds: of the clock, and
of processor time over all processes. The start of the processes is part of them.
"""

import resource
import statistics
import sys
import time

import torch

import jantaku


def processor_time() -> float:
    """Seconds of this process, and of those that it started and that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def epoch(run: str, encoder: str, workers: int) -> tuple[float, float, int]:
    """The seconds of an epoch by both clocks, and its decisions."""
    data = jantaku.Dataset(run, encoder=jantaku.Encoder(encoder), shuffle=True).torch()
    start, used = time.perf_counter(), processor_time()
    loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=workers)
    decisions = sum(len(batch["action"]) for batch in loader)
    return time.perf_counter() - start, processor_time() - used, decisions


def main() -> None:
    """Times both encoders."""
    run, workers = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    for encoder in ("planes-v1", "sparse-v1"):
        found = [[epoch(run, encoder, count) for count in (0, workers)] for _ in range(5)]
        for number, count in enumerate((0, workers)):
            clock, used, decisions = map(
                statistics.median, zip(*(pair[number] for pair in found), strict=True)
            )
            print(
                f"{encoder}, {count} workers: {clock:6.2f} s, {used:6.2f} s of processor time, "
                f"{decisions:,.0f} decisions"
            )


if __name__ == "__main__":
    main()
