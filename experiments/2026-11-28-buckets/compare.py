"""Compares how fast `jantaku.Dataset` loads a run from a folder and from a bucket on this machine.

Each pair loads one epoch from both, in a process of its own with an empty cache, in alternating order.
Prints medians of the ratios, and the processor time of the loader and of the server.

usage: compare.py [--games GAMES] [--pairs PAIRS] [--wait SECONDS]

`--wait` delays each answer of the server.
"""

import argparse
import json
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ENCODERS = [None, "sparse-v1", "planes-v1"]
SERVER = """
import logging, sys, time
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server
logging.getLogger("werkzeug").setLevel(logging.ERROR)
buckets = DomainDispatcherApplication(create_backend_app)
def late(*request):
    time.sleep(float(sys.argv[2]))
    return buckets(*request)
make_server("127.0.0.1", int(sys.argv[1]), late, threaded=True).serve_forever()
"""


def load(run: str, encoder: str | None, shuffle: bool) -> None:
    """Loads one epoch and prints its rows, seconds and processor seconds."""
    import jantaku

    data = jantaku.Dataset(run, encoder=encoder, shuffle=shuffle, batch=4096)
    began = time.perf_counter()
    rows = sum(len(batch["action"]) for batch in data)
    seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"rows": rows, "seconds": seconds, "processor": used.ru_utime + used.ru_stime}))


def loaded(run: str, encoder: str | None, shuffle: bool) -> dict[str, float]:
    """What `load` prints in a new process."""
    words = [sys.executable, __file__, "--load", json.dumps([run, encoder, shuffle])]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def processor_seconds(process: int) -> float:
    """The processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_server(wait: float) -> tuple[subprocess.Popen, str]:
    """Starts a server. Returns it and its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(port), str(wait)])
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.1)
    return server, f"http://127.0.0.1:{port}"


def compare(server: int, runs: tuple[str, str], encoder: str | None, shuffle: bool, pairs: int) -> str:
    """A row of the table: medians over pairs, of which every second one begins with the bucket."""
    found = []
    for pair in range(pairs):
        times = {}
        for run in runs if pair % 2 == 0 else reversed(runs):
            before = processor_seconds(server)
            times[run] = loaded(run, encoder, shuffle)
            times[run]["server"] = processor_seconds(server) - before
        found.append([times[run] for run in runs])
    assert len({one["rows"] for pair in found for one in pair}) == 1

    def median(value) -> float:
        return statistics.median(value(*pair) for pair in found)

    ratios = [folder["seconds"] / bucket["seconds"] for folder, bucket in found]
    return (
        f"| {encoder or 'none'}{', shuffled' if shuffle else ''} | {found[0][0]['rows']:,} "
        f"| {median(lambda folder, _: folder['rows'] / folder['seconds']):,.0f} "
        f"| {median(lambda _, bucket: bucket['rows'] / bucket['seconds']):,.0f} "
        f"| {statistics.median(ratios):.2f} | {min(ratios):.2f}–{max(ratios):.2f} "
        f"| {median(lambda folder, _: folder['processor']):.2f} "
        f"| {median(lambda _, bucket: bucket['processor']):.2f} "
        f"| {median(lambda _, bucket: bucket['server']):.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--load")
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--wait", type=float, default=0.0)
    words = parser.parse_args()
    if words.load:
        load(*json.loads(words.load))
        return
    import jantaku

    with tempfile.TemporaryDirectory() as folder:
        played = {"agents": "greedy", "seed": 1, "games_per_part": 1000}
        local = Path(folder) / "first"
        jantaku.selfplay(words.games, out=local, **played)
        server, address = start_server(words.wait)
        try:
            os.environ.update(
                AWS_ENDPOINT_URL=address,
                AWS_ALLOW_HTTP="true",
                AWS_ACCESS_KEY_ID="test",
                AWS_SECRET_ACCESS_KEY="test",
                AWS_REGION="us-east-1",
                NO_PROXY="127.0.0.1",
            )
            request = urllib.request.Request(f"{address}/runs", method="PUT")
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).close()
            jantaku.selfplay(words.games, out="s3://runs/first", **played)
            size = sum(file.stat().st_size for file in local.rglob("*") if file.is_file())
            model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())[1]
            print(f"{words.games:,} games, {size / 1e6:.0f} MB, {model}, {os.cpu_count()} processors\n")
            print("| encoder | rows | folder, rows/s | bucket, rows/s | ratio | of pairs | folder, CPU s | bucket, CPU s | server, CPU s |")
            print("|---|---|---|---|---|---|---|---|---|")
            for encoder in ENCODERS:
                for shuffle in (False, True):
                    print(compare(server.pid, (str(local), "s3://runs/first"), encoder, shuffle, words.pairs), flush=True)
        finally:
            server.terminate()
            server.wait()


main()
