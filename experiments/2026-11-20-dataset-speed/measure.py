"""Measures the cost of logging, long runs and reading: measure.py levels|long|read FOLDER."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

CORES = sorted(os.sched_getaffinity(0))


def thread_seconds(pid):
    """CPU seconds so far of the threads that play and of those that write; ended threads count 0."""
    seconds = {"play": 0, "write": 0}
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            name, used = (task / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
            user, system = used.split()[11:13]
            if name in seconds:
                seconds[name] += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (FileNotFoundError, ProcessLookupError):
        pass  # The program has just exited.
    return seconds


def play(folder, log, games, cores):
    """Plays games of `greedy` on these cores with one thread for games.

    Returns the program's JSON, its CPU seconds, the CPU seconds by kind of thread until shortly
    before its end, and its peak memory in MB.
    """
    shutil.rmtree(folder, ignore_errors=True)
    command = ["target/release/jantaku", "selfplay", "--agents", "greedy", "--games", str(games), "--seed", "1",
               "--threads", "1", "--log", log, "--json"]
    command += [] if log == "none" else ["--out", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          preexec_fn=lambda: os.sched_setaffinity(0, cores)) as program:
        ended, by_thread = 0, {"play": 0, "write": 0}
        while not ended:
            time.sleep(0.05)
            found = thread_seconds(program.pid)
            by_thread = {name: max(before, found[name]) for name, before in by_thread.items()}
            ended, status, used = os.wait4(program.pid, os.WNOHANG)
        program.returncode = os.waitstatus_to_exitcode(status)
        report = json.load(program.stdout)
    assert program.returncode == 0, program.returncode
    return report, used.ru_utime + used.ru_stime, by_thread, used.ru_maxrss / 1000


def levels(folder):
    games = 2000
    for name, cores in [("one core in all", CORES[:1]), ("one core for games, one for writers", CORES[:2])]:
        print(f"{name}: {games:,} games of greedy, medians of five (best); columns from `CPU s` on are CPU time")
        print(f"{'--log':>10} {'hanchan/s':>16} {'decisions/s':>23} {'CPU s':>7} {'decisions/CPU s':>16} {'to none':>8} {'ns/decision':>14}")
        without = None
        for log in ["none", "games", "hands", "decisions"]:
            runs = [play(folder, log, games, cores) for _ in range(5)]
            wall = [report["seconds"] for report, *_ in runs]
            median, best = statistics.median(wall), min(wall)
            decisions = runs[0][0]["decisions"]
            cpu = statistics.median(cpu for _, cpu, *_ in runs)
            without = without or cpu
            print(f"{log:>10} {games / median:8,.0f} ({games / best:5,.0f}) {decisions / median:11,.0f} ({decisions / best:9,.0f})"
                  f" {cpu:7.2f} {decisions / cpu:16,.0f} {cpu / without:8.2f} {(cpu - without) / decisions * 1e9:14.0f}")
        print()


def long(folder):
    print("one core for games, one for writers, --log decisions; nanoseconds are CPU time per decision")
    print(f"{'games':>8} {'decisions':>11} {'seconds':>8} {'decisions/s':>12} {'CPU s':>7} {'ns to play':>11} {'ns to write':>12} {'peak MB':>8} {'bytes':>6}")
    for games in [20_000, 100_000]:
        report, cpu, by_thread, peak = play(folder, "decisions", games, CORES[:2])
        decisions, seconds = report["decisions"], report["seconds"]
        size = sum(part.stat().st_size for part in Path(folder, "decisions").iterdir())
        print(f"{games:8,} {decisions:11,} {seconds:8.1f} {decisions / seconds:12,.0f} {cpu:7.1f} {by_thread['play'] / decisions * 1e9:11.0f}"
              f" {by_thread['write'] / decisions * 1e9:12.0f} {peak:8.0f} {size / decisions:6.2f}")


def read(folder):
    import pyarrow
    import pyarrow.dataset as dataset
    import pyarrow.parquet as parquet

    parts = sorted(Path(folder, "decisions").iterdir())[:10]
    print(f"pyarrow {pyarrow.__version__}, one core, {len(parts)} parts of decisions, best of three")
    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(1)
    some = ["tiles", "drawn", "legal_0", "legal_1", "legal_2", "action", "final_points"]
    for name, columns in [("all columns", None), ("without history", [name for name in parquet.read_schema(parts[0]).names if name != "history"]),
                          (", ".join(some), some), ("action", ["action"])]:
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            rows = sum(parquet.read_table(part, columns=columns, use_threads=False).num_rows for part in parts)
            best = min(best, time.perf_counter() - start)
        print(f"{rows / best:13,.0f} rows/s  {name}")
    start = time.perf_counter()
    rows = dataset.dataset(parts).to_table(filter=dataset.field("game") == 5000, use_threads=False).num_rows
    print(f"{(time.perf_counter() - start) * 1000:10,.0f} ms      {rows} decisions of one game")


if __name__ == "__main__":
    {"levels": levels, "long": long, "read": read}[sys.argv[1]](sys.argv[2])
