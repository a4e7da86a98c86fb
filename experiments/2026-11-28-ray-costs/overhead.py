"""What Ray costs beside the games: the same run on two threads of one machine, and as tasks on two workers.

usage: overhead.py [--tasks N] [--games-per-task N] [--rounds N]

Needs the package with the extra `ray`. Plays the two ways in turn and prints the seconds of the clock and
of processors, those of Ray's own processes included. `beside` is what the processes without games used: Ray's
own, and the one that called. The start of the local cluster is counted apart.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

TICKS = os.sysconf("SC_CLK_TCK")
# Seconds between two looks at the processes.
BETWEEN_LOOKS = 0.25


def play(way: str, out: str, games: int, per_part: int) -> None:
    """Plays the run. Prints a line when the machine or the cluster is ready, and one at the end."""
    import jantaku

    common = {"agents": "heuristic", "seed": 1, "out": out, "games_per_part": per_part}
    if way == "ray":
        import ray

        import jantaku.ray

        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
        print("ready", flush=True)
        jantaku.ray.selfplay(games, **common)
    else:
        print("ready", flush=True)
        jantaku.selfplay(games, threads=2, **common)
    print("played", flush=True)


class Processes:
    """The processor time of a process and of all that it started, those included that have ended."""

    def __init__(self, root: int):
        self.known, self.seconds, self.ended = {root}, {}, threading.Event()
        # Those that run tasks.
        self.workers: set[int] = set()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def watch(self) -> None:
        while not self.ended.wait(BETWEEN_LOOKS):
            self.look()

    def look(self) -> tuple[float, float]:
        """Looks at all processes. Returns the seconds of those that belong to the root, and of its workers."""
        found, workers = {}, set()
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                title = (folder / "cmdline").read_bytes()
            except OSError:
                continue  # it has ended
            found[int(folder.name)] = (int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS)
            if title.startswith((b"ray::play", b"ray::IDLE")):
                workers.add(int(folder.name))
        more = True
        while more:
            own = {process for process, (parent, _) in found.items() if parent in self.known}
            more = not own <= self.known
            self.known |= own
        self.seconds |= {process: found[process][1] for process in self.known & found.keys()}
        self.workers |= workers & self.known
        return sum(self.seconds.values()), sum(self.seconds[worker] for worker in self.workers)


def measured(way: str, games: int, per_part: int) -> dict[str, float]:
    """The seconds of a way to play, before it is ready and after."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, __file__, "--play", way, folder + "/run", str(games), str(per_part)]
        began = time.monotonic()
        playing = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        processes, at = Processes(playing.pid), {}
        for line in playing.stdout:
            at[line.strip()] = (time.monotonic(), *processes.look())
        assert playing.wait() == 0
        processes.ended.set()
        processes.thread.join()
    (ready, before, idle), (played, after, workers) = at["ready"], at["played"]
    return {
        "start_clock": ready - began,
        "start_processor": before,
        "clock": played - ready,
        "processor": after - before,
        "beside": after - before - (workers - idle),
        "load": os.getloadavg()[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--play", nargs=4)
    parser.add_argument("--tasks", type=int, default=4)
    parser.add_argument("--games-per-task", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    if asked.play:
        way, out, games, per_part = asked.play
        play(way, out, int(games), int(per_part))
        return
    found = {"alone": [], "ray": []}
    for _ in range(asked.rounds):
        for way, rounds in found.items():
            rounds.append(measured(way, asked.tasks * asked.games_per_task, asked.games_per_task))
            print(way, json.dumps({name: round(value, 2) for name, value in rounds[-1].items()}), flush=True)
    for name in ("processor", "clock"):
        alone, ray = (median(one[name] for one in found[way]) for way in ("alone", "ray"))
        print(f"{name}: {alone:.1f} s alone, {ray:.1f} s with Ray: {100 * (ray / alone - 1):+.1f} %")
    ray = {name: median(one[name] for one in found["ray"]) for name in found["ray"][0]}
    print(f"processes without games: {100 * ray['beside'] / ray['processor']:.1f} % of the processor seconds with Ray")
    print(f"start of the cluster: {ray['start_clock']:.1f} s, {ray['start_processor']:.1f} processor seconds")


if __name__ == "__main__":
    main()
