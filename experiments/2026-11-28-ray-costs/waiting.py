"""What Ray's processes use while tasks last a minute each: the tasks wait instead of playing.

usage: waiting.py [--tasks N] [--seconds N]

A machine that is busy with other work plays more slowly at one time than at another. Tasks that wait last as long
at any load, and all processor time is that of Ray, of the processes that it starts, and of the call.
"""

import argparse
import subprocess
import sys
import tempfile
import time

from overhead import Processes


def play(tasks: int, seconds: float) -> None:
    """Plays one game in each task, whose first decision takes this long."""
    import ray

    import jantaku.ray

    def wait(batch):
        if batch.games[0] not in waited:
            waited.append(batch.games[0])
            time.sleep(seconds)
        return [view.legal[-1] for view in batch.observations]

    waited = []
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    print("ready", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        agent = jantaku.FunctionAgent(wait, tables=1)
        jantaku.ray.selfplay(tasks, agent, out=folder + "/run", games_per_part=1)
        print("played", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--play", action="store_true")
    parser.add_argument("--tasks", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60.0)
    asked = parser.parse_args()
    if asked.play:
        play(asked.tasks, asked.seconds)
        return
    words = [sys.executable, *sys.argv, "--play"]
    playing, at = subprocess.Popen(words, stdout=subprocess.PIPE, text=True), {}
    processes = Processes(playing.pid)
    for line in playing.stdout:
        at[line.strip()] = (time.monotonic(), *processes.look())
    assert playing.wait() == 0
    processes.ended.set()
    processes.thread.join()
    (ready, before, idle), (played, after, workers) = at["ready"], at["played"]
    clock, own = asked.tasks * asked.seconds / 2, after - before
    print(f"{asked.tasks} tasks of {asked.seconds:.0f} s on two workers: {played - ready:.1f} s instead of {clock:.1f} s")
    print(f"{own:.1f} processor seconds, {100 * own / (2 * clock):.1f} % of those of two busy workers")
    print(f"{workers - idle:.1f} of them in the workers, which start and load the package once")


if __name__ == "__main__":
    main()
