"""Requests, bytes and seconds of a run in a bucket, counted at an S3 server of this machine.

usage: bucket.py PROGRAM (built with the feature `cloud`)

Needs moto and boto3, and the package with object stores. Prints a table for each number of games in a part:
the requests of each command, the bytes of their bodies, and the seconds of the clock and of processors, those
of the server left out; then the same seconds with the run in a folder.
"""

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

os.environ.update(
    AWS_ACCESS_KEY_ID="test",
    AWS_SECRET_ACCESS_KEY="test",
    AWS_REGION="us-east-1",
    AWS_DEFAULT_REGION="us-east-1",
    AWS_ALLOW_HTTP="true",
    NO_PROXY="127.0.0.1,localhost",
)

import boto3  # noqa: E402
from moto.server import DomainDispatcherApplication, create_backend_app  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

# Games in a part, and parts of the run.
SIZES = [(100, 24), (1_000, 8), (10_000, 4)]


class Quiet(WSGIRequestHandler):
    """Prints no requests."""

    def log(self, *_: object) -> None:
        pass


class Server:
    """An S3 server that counts requests by kind, and the bytes of their bodies."""

    def __init__(self) -> None:
        self.lock, self.counts = threading.Lock(), Counter()
        self.buckets = DomainDispatcherApplication(create_backend_app)
        self.server = make_server("127.0.0.1", 0, self, threaded=True, request_handler=Quiet)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.port}"

    def __call__(self, environ, start_response):
        kind = environ["REQUEST_METHOD"]
        if "HTTP_X_AMZ_COPY_SOURCE" in environ:
            kind = "COPY"
        elif kind == "GET" and "list-type" in environ.get("QUERY_STRING", ""):
            kind = "LIST"
        body = [*self.buckets(environ, start_response)]
        with self.lock:
            self.counts[kind] += 1
            self.counts["sent"] += int(environ.get("CONTENT_LENGTH") or 0)
            self.counts["received"] += sum(map(len, body)) if kind != "HEAD" else 0
        return body

    def take(self) -> Counter:
        """The counts since the last call."""
        with self.lock:
            counts, self.counts = self.counts, Counter()
        return counts


def run(words: list[str], server: Server) -> tuple[Counter, float, float]:
    """Runs a command: what it asked, and its seconds of the clock and of processors."""
    server.take()
    environment = {**os.environ, "AWS_ENDPOINT": server.url}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
    clock, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return server.take(), clock, processor


DATASET = """
import jantaku
rows = 0
for batch in jantaku.Dataset("URL", encoder="sparse-v1", shuffle=False):
    rows += len(batch["action"])
print(rows)
"""


def commands(program: str, place: str, per_part: int, parts: int) -> dict[str, list[str]]:
    """The commands that are measured, with a run at this place."""
    play = [program, "selfplay", "--games", str(per_part * parts), "--games-per-part", str(per_part)]
    play += ["--agents", "greedy", "--seed", "1", "--threads", "1", "--quiet", "--out"]
    shards = [f"{place}.shards/{number}" for number in (1, 2)]
    return {
        "shard 1/2": [*play, shards[0], "--shard", "1/2"],
        "shard 2/2": [*play, shards[1], "--shard", "2/2"],
        "merge": [program, "merge", "--quiet", "--out", place + ".merged", *shards],
        "selfplay": [*play, place],
        "info": [program, "info", place],
        "verify --quick": [program, "verify", "--quick", "--quiet", place],
        "verify": [program, "verify", "--quiet", place],
        "verify --replay 1": [program, "verify", "--replay", "1", "--quiet", place],
        "stats": [program, "stats", place, "--quiet"],
        "show": [program, "show", place + ":7"],
        "Dataset": [sys.executable, "-c", DATASET.replace("URL", place)],
    }


def measure(program: str, server: Server, per_part: int, parts: int) -> None:
    """Prints a table of a run with this many games in a part."""
    print(f"\n{parts} parts of {per_part:,} games\n")
    print("| command | LIST | GET | HEAD | PUT | POST | COPY | MB sent | MB received | s | CPU s | in a folder s | CPU s |")
    print("|---|" + "---|" * 12)
    with tempfile.TemporaryDirectory() as folder:
        in_bucket = commands(program, f"s3://runs/{per_part}", per_part, parts)
        in_folder = commands(program, folder + "/run", per_part, parts)
        for name, words in in_bucket.items():
            counts, *seconds = run(words, server)
            _, *others = run(in_folder[name], server)
            kinds = " | ".join(str(counts[kind]) for kind in ("LIST", "GET", "HEAD", "PUT", "POST", "COPY"))
            megabytes = " | ".join(f"{counts[way] / 1e6:.2f}" for way in ("sent", "received"))
            times = " | ".join(f"{one:.2f}" for one in (*seconds, *others))
            print(f"| {name} | {kinds} | {megabytes} | {times} |", flush=True)


def main() -> None:
    program = str(Path(sys.argv[1]).resolve())
    server = Server()
    boto3.client("s3", endpoint_url=server.url).create_bucket(Bucket="runs")
    for per_part, parts in SIZES:
        measure(program, server, per_part, parts)


if __name__ == "__main__":
    main()
