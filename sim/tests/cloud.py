"""Writes runs to an S3 server and compares them with runs in a folder, byte for byte. Reads them there.

Some runs are written over connections that break, one over TLS, and one by programs that are killed. Runs are
read from a server that fails, answers slowly, loses objects or has half of one.

usage: cloud.py PROGRAM PLAIN (built with the feature `cloud`, and without)
"""

import contextlib
import json
import logging
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

# The server and its client are on this machine.
os.environ.update(
    AWS_ACCESS_KEY_ID="test",
    AWS_SECRET_ACCESS_KEY="test",
    AWS_REGION="us-east-1",
    AWS_DEFAULT_REGION="us-east-1",
    AWS_ALLOW_HTTP="true",
    NO_PROXY="127.0.0.1,localhost",
)

import boto3  # noqa: E402
from moto.server import DomainDispatcherApplication, ThreadedMotoServer, create_backend_app  # noqa: E402
from werkzeug.serving import make_server, make_ssl_devcert  # noqa: E402

# Many small parts, each uploaded in one request.
SMALL = ["--games", "60", "--games-per-part", "5", "--seed", "3"]
# A part that is uploaded in several pieces.
LARGE = ["--games", "2000", "--games-per-part", "2000", "--seed", "3"]
# Commands that read a run. What they print names it.
READING = [
    ["info", "RUN", "--json"],
    ["verify", "RUN", "--json", "--quiet"],
    ["verify", "RUN", "--quick", "--json", "--quiet"],
    ["verify", "RUN", "--replay", "2", "--seed", "1", "--json", "--quiet"],
    ["stats", "RUN", "--json", "--quiet"],
    ["show", "RUN:7", "--json"],
    ["ask", "RUN:7:11", "--json"],
    ["convert", "RUN", "--to", "mjai", "--quiet"],
]


class Server:
    """Another way to the buckets: it counts requests, and some of them fail or wait.

    After `good` requests, all fail for `fail_for` seconds. Those of a path with the text `broken` always fail.
    """

    def __init__(
        self, fail_every: int = 0, wait: float = 0.0, good: int = 0, fail_for: float = 0.0, broken: str = "\0"
    ):
        self.fail_every, self.wait, self.good, self.fail_for = fail_every, wait, good, fail_for
        self.broken = broken
        self.good_again: float | None = None
        self.requests: list[tuple[str, str]] = []
        self.lock = threading.Lock()
        self.buckets = DomainDispatcherApplication(create_backend_app)
        self.server = make_server("127.0.0.1", 0, self, threaded=True)
        self.port = self.server.port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __call__(self, environ, start_response):
        with self.lock:
            self.requests.append((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
            number = len(self.requests)
            if number > self.good and self.good_again is None:
                self.good_again = time.monotonic() + self.fail_for
            fails = self.good_again is not None and time.monotonic() < self.good_again
        time.sleep(self.wait)
        fails = fails or self.broken in environ["PATH_INFO"]
        if fails or (self.fail_every and number % self.fail_every == 0):
            start_response("500 Internal Server Error", [("Content-Length", "0")])
            return [b""]
        return self.buckets(environ, start_response)

    def parts(self, method: str) -> list[str]:
        """The files of parts of such requests."""
        return [path for kind, path in self.requests if kind == method and path.endswith(".parquet")]


class Wire:
    """Forwards connections to a server, and breaks the first `breaks` of them after some bytes.

    These are bytes of requests, or of answers.
    """

    def __init__(self, port: int, breaks: int, answers: bool = False):
        self.server, self.left, self.answers, self.random = port, breaks, answers, random.Random(1)
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.forward, args=(client,), daemon=True).start()

    def forward(self, client: socket.socket) -> None:
        server = socket.create_connection(("127.0.0.1", self.server))
        with self.lock:
            after = self.random.randrange(100, 60_000) if self.left > 0 else None
        broken, whole = ((server, client), (client, server)) if self.answers else ((client, server), (server, client))
        threading.Thread(target=self.copy, args=(*whole, client, None), daemon=True).start()
        self.copy(*broken, client, after)

    def copy(self, source: socket.socket, target: socket.socket, client: socket.socket, after: int | None) -> None:
        sent = 0
        try:
            while data := receive(source):
                sent += len(data)
                if after is not None and sent > after:
                    after = None
                    with self.lock:
                        breaks = self.left > 0
                        self.left -= breaks
                    if breaks:
                        # Closes with a reset, as a broken network does.
                        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                        break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            # Wakes the thread that reads it, without which it would stay open.
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RD)
            end.close()


def receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except OSError:
        return b""


def start(program: Path, words: list[str], port: int, **changes: str) -> subprocess.Popen:
    environment = {**os.environ, "AWS_ENDPOINT": f"http://127.0.0.1:{port}", **changes}
    pipe = subprocess.PIPE
    return subprocess.Popen([str(program), *words], env=environment, stdout=pipe, stderr=pipe, text=True)


def run(program: Path, words: list[str], port: int, **changes: str) -> str:
    running = start(program, words, port, **changes)
    printed, errors = running.communicate(timeout=600)
    assert running.returncode == 0, f"{words}: {printed}{errors}"
    return printed


def refuses(program: Path, words: list[str], port: int, *messages: str) -> None:
    running = start(program, words, port)
    printed, errors = running.communicate(timeout=600)
    said = printed + errors
    assert running.returncode in (1, 2) and all(message in said for message in messages), f"{words}: {said}"


def command(program: Path, words: list[str], out: str, port: int, **changes: str) -> subprocess.Popen:
    return start(program, ["selfplay", "--quiet", *words, "--out", out], port, **changes)


def play(program: Path, words: list[str], out: str, port: int, **changes: str) -> None:
    running = command(program, words, out, port, **changes)
    _, errors = running.communicate(timeout=600)
    assert running.returncode == 0, errors


def of_folder(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "environment.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def of_bucket(s3, run: str) -> dict[str, bytes]:
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket="runs", Prefix=f"{run}/")
    keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
    found = {key.removeprefix(f"{run}/"): s3.get_object(Bucket="runs", Key=key)["Body"].read() for key in keys}
    # A killed program may not have written it.
    found.pop("environment.json", None)
    return found


def same(found: dict[str, bytes], expected: dict[str, bytes], what: str) -> None:
    assert found.keys() == expected.keys(), f"{what}: {found.keys() ^ expected.keys()}"
    for name, data in expected.items():
        assert found[name] == data, f"{what}: {name} differs"
    print(f"{what}: {len(found)} objects, the bytes of the folder")


def killed(program: Path, port: int, seconds: float) -> int:
    """Kills programs that write a run until the run is complete, and returns the number of kills.

    An uninterrupted run takes `seconds`.
    """
    kills, moments = 0, random.Random(2)
    while True:
        running = command(program, [*SMALL, "--resume"], "s3://runs/killed", port)
        time.sleep(moments.uniform(0.0, seconds / 6))
        running.kill()
        _, errors = running.communicate()
        if running.returncode == 0 or "the run is complete" in errors:
            return kills
        kills += 1
        assert running.returncode < 0, errors
        if kills == 20:
            play(program, [*SMALL, "--resume"], "s3://runs/killed", port)
            return kills


def refused(plain: Path) -> None:
    """A program without the feature says so."""
    message = "error: s3://runs/plain: is a URL, and this program was built without the feature `cloud`"
    for words in (["selfplay", *SMALL, "--out", "s3://runs/plain"], ["info", "s3://runs/plain"]):
        found = subprocess.run([plain, *words], check=False, capture_output=True, text=True)
        assert found.returncode == 2 and found.stderr.startswith(message), found.stderr
    version = subprocess.run([plain, "--version"], capture_output=True, text=True, check=True).stdout
    assert version.endswith("features: none\n"), version


def printed(program: Path, place: str, results: Path, port: int, **changes: str) -> list[str]:
    """What the commands that read runs print and write about the run at a place."""
    found = []
    for words in READING:
        words = [word.replace("RUN", place) for word in words]
        if words[0] == "convert":
            words += ["--out", str(results)]
        # Without times.
        found.append(re.sub(r'"seconds":[^,}]+', "", run(program, words, port, **changes).replace(place, "RUN")))
    found.append(str(of_folder(results)))
    shutil.rmtree(results)
    return found


def reads(found: list[str], expected: list[str], what: str) -> None:
    for words, own, other in zip([*READING, ["what convert writes"]], found, expected, strict=True):
        assert own == other, f"{what}: {words}: {own} {other}"
    print(f"{what}: {len(READING)} commands read the run as in a folder")


def damaged(program: Path, s3, port: int) -> None:
    """A run with a missing or partial object is an error that names the object. Other parts are read."""
    key = "small/decisions/part-000001.parquet"
    whole = s3.get_object(Bucket="runs", Key=key)["Body"].read()
    s3.put_object(Bucket="runs", Key=key, Body=whole[: len(whole) // 2])
    wrong_size = f"s3://runs/{key}: expected {len(whole)} bytes, as manifest.json says, found {len(whole) // 2}"
    refuses(program, ["info", "s3://runs/small"], port, wrong_size)
    refuses(program, ["show", "s3://runs/small:7"], port, wrong_size)
    found = ["decisions", "bytes", str(len(whole) // 2)]
    refuses(program, ["verify", "--quick", "s3://runs/small"], port, *found)
    s3.put_object(Bucket="runs", Key=key, Body=whole[:-9] + bytes(9))
    refuses(program, ["show", "s3://runs/small:7"], port, f"s3://runs/{key}: has a different SHA-256")
    s3.delete_object(Bucket="runs", Key=key)
    refuses(program, ["stats", "s3://runs/small"], port, f"s3://runs/{key}: cannot open: no such object")
    s3.put_object(Bucket="runs", Key=key, Body=whole)
    for place in ("runs/nothing", "elsewhere/run"):
        missing = f"s3://{place}/run.toml: cannot read: no such object, or no such bucket"
        refuses(program, ["info", f"s3://{place}"], port, missing)
    words = ["selfplay", "--games", "1", "--out", "s3://elsewhere/run"]
    refuses(program, words, port, "s3://elsewhere/run: cannot be used: ", "The specified bucket does not exist")
    words = ["league", "--agents", "greedy,random,tsumogiri,heuristic", "--sets", "1", "--out", "s3://runs/league"]
    refuses(program, words, port, "s3://runs/league: is a URL: only ")


def served(program: Path, run: Path, url: str, port: int) -> None:
    """A server shows the run at a URL as it shows the run in a folder."""
    with tempfile.TemporaryDirectory() as tables:
        server = start(program, ["serve", "--port", "0", "--tables", tables, "--json", str(run), url], port)
        try:
            address = json.loads(server.stdout.readline())["url"]

            def get(source: int, page: str) -> str:
                with urllib.request.urlopen(f"{address}games/{source}{page}", timeout=60) as answer:
                    text = answer.read().decode().replace(f"games/{source}", "games/N")
                return re.sub(r'"seconds":[^,}]+', "", text).replace([str(run), url][source], "RUN")

            for page in ("/state", "/result", "", "/7"):
                ours, theirs = get(1, page), get(0, page)
                assert ours == theirs, f"{page}: {ours[:500]} {theirs[:500]}"
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=60)
    assert server.returncode == 0, server.returncode
    refuses(program, ["serve", "--port", "0", "s3://runs/nothing"], port, "s3://runs/nothing/run.toml: cannot read: ")
    print("a server shows the bucket's run as that of the folder")


def matches(program: Path, folder: Path, s3, port: int) -> None:
    """A match in a bucket is stopped, resumed and extended. It ends as one in a folder that was not."""
    words = ["match", "--challenger", "greedy", "--baseline", "random", "--seed", "5", "--quiet", "--out"]
    more = ["match", "--resume", "--sets", "300", "--quiet", "--out"]
    run(program, [*words, str(folder), "--sets", "300"], port)
    run(program, [*words, "s3://runs/match", "--sets", "150"], port)
    before = len(of_bucket(s3, "match"))
    running = start(program, [*more, "s3://runs/match"], port)
    while running.poll() is None and len(of_bucket(s3, "match")) == before:
        pass
    running.kill()
    running.communicate()
    run(program, [*more, "s3://runs/match"], port)
    found, expected = of_bucket(s3, "match"), of_folder(folder)
    for files in (found, expected):
        # They have times and places.
        files["result.json"] = json.dumps(
            {key: value for key, value in json.loads(files["result.json"]).items() if key not in ("out", "speed")}
        ).encode()
    same(found, expected, "a match, killed and extended")


def merges(program: Path, whole: Path, s3) -> None:
    """Shards are merged inside the bucket: no part is downloaded or uploaded."""
    server = Server()
    shards = [f"s3://runs/shards/{number}" for number in (1, 2, 3)]
    for number, shard in enumerate(shards, 1):
        play(program, [*SMALL, "--shard", f"{number}/3"], shard, server.port)
    server.requests.clear()
    run(program, ["merge", "--quiet", "--out", "s3://runs/merged", *reversed(shards)], server.port)
    same(of_bucket(s3, "merged"), of_folder(whole), "merged in the bucket")
    assert not server.parts("GET"), server.parts("GET")
    names = [path for method, path in server.requests if method == "PUT"]
    assert names[-1] == "/runs/merged/manifest.json" and len(server.parts("PUT")) == 36, names
    refuses(program, ["merge", "--out", "s3://runs/merged", *shards], server.port, "already holds a run")
    refuses(program, ["merge", "--out", "s3://runs/two", *shards[:2]], server.port, "shard 3/3 of this run is missing")
    different = "is not in the same store as s3://runs/two: `merge` copies inside one store"
    local = whole.parent / "shard"
    play(program, [*SMALL, "--shard", "3/3"], str(local), server.port)
    refuses(program, ["merge", "--out", "s3://runs/two", *shards[:2], str(local)], server.port, different)
    assert not of_bucket(s3, "two")
    server.server.shutdown()


def outages(program: Path, small: Path, s3) -> None:
    """Writes a run while all requests fail for longer than a few retries take, and then for ever."""
    outage = Server(good=20, fail_for=12.0)
    play(program, SMALL, "s3://runs/outage", outage.port)
    same(of_bucket(s3, "outage"), of_folder(small), "an outage of 12 seconds")
    soon = {"JANTAKU_RETRY_SECONDS": "1"}
    gone = command(program, SMALL, "s3://runs/gone", Server(good=20, fail_for=1e9).port, **soon)
    _, errors = gone.communicate(timeout=600)
    assert gone.returncode == 2, errors
    assert "stopped; complete parts are kept in s3://runs/gone: " in errors and "500" in errors, errors
    play(program, ["--resume", *SMALL], "s3://runs/gone", Server().port)
    same(of_bucket(s3, "gone"), of_folder(small), "a run that is resumed after the store was gone")
    # A file that cannot be read is no wrong part, and nothing is removed.
    broken = Server(broken="decisions/part-000004")
    replay = ["verify", "s3://runs/small", "--replay", "100%", "--put-back"]
    found = start(program, replay, broken.port, **soon)
    said, errors = found.communicate(timeout=600)
    assert found.returncode == 2 and "decisions/part-000004.parquet" in errors and not said, said + errors
    same(of_bucket(s3, "small"), of_folder(small), "a part that could not be read when it was played again")
    began = time.monotonic()
    silent = start(program, ["info", "s3://runs/small"], Server(wait=60.0).port, **soon)
    _, errors = silent.communicate(timeout=600)
    assert silent.returncode == 2 and "timed out after 1 s" in errors and time.monotonic() - began < 30, errors
    # Nobody knows whether the program that began it was stopped.
    s3.copy_object(Bucket="runs", Key="begun/run.toml", CopySource="runs/small/run.toml")
    s3.copy_object(Bucket="runs", Key="begun/environment.json", CopySource="runs/small/environment.json")
    second = command(program, SMALL, "s3://runs/begun", outage.port)
    _, errors = second.communicate(timeout=600)
    assert second.returncode == 75 and "another program is writing it, or was stopped (begun on " in errors, errors
    for words, name, value, message in [
        (["info"], "JANTAKU_RETRY_SECONDS", "soon", "`JANTAKU_RETRY_SECONDS`: expected a whole number of seconds, "),
        (["stats"], "JANTAKU_CACHE_MIB", "much", "`JANTAKU_CACHE_MIB`: expected a number of mebibytes, found `much`"),
        (["stats"], "TMPDIR", "/nowhere", "/nowhere: cannot create a temporary file: "),
    ]:
        wrong = start(program, [*words, "s3://runs/small"], outage.port, **{name: value})
        _, errors = wrong.communicate(timeout=600)
        assert wrong.returncode == 2 and message in errors and "is this the folder" not in errors, errors


def over_tls(program: Path, folder: Path) -> None:
    """Writes a run to the same server over TLS. Only the second program knows the certificate."""
    certificate, key = make_ssl_devcert(str(folder / "server"), cn="localhost")
    application = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, application, threaded=True, ssl_context=(certificate, key))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"https://localhost:{server.port}"
    changes = {"AWS_ENDPOINT": endpoint, "JANTAKU_RETRY_SECONDS": "1"}
    running = command(program, SMALL, "s3://runs/tls", server.port, **changes)
    _, errors = running.communicate(timeout=600)
    assert running.returncode == 2 and "invalid peer certificate" in errors, errors
    play(program, SMALL, "s3://runs/tls", server.port, AWS_ENDPOINT=endpoint, SSL_CERT_FILE=certificate)
    server.shutdown()


def closed_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def main() -> None:
    program, plain = (Path(word).resolve() for word in sys.argv[1:])
    refused(plain)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}")
    s3.create_bucket(Bucket="runs")
    unreachable = start(program, ["info", "s3://runs/small"], closed_port(), JANTAKU_RETRY_SECONDS="1")
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        play(program, SMALL, str(small), port)
        play(program, LARGE, f"file://{large}", port)

        began = time.monotonic()
        play(program, SMALL, "s3://runs/small", port)
        seconds = time.monotonic() - began
        same(of_bucket(s3, "small"), of_folder(small), "small parts")
        play(program, LARGE, "s3://runs/large", port)
        same(of_bucket(s3, "large"), of_folder(large), "a part of several pieces")

        outages(program, small, s3)
        over_tls(program, Path(folder))
        same(of_bucket(s3, "tls"), of_folder(small), "TLS")

        wire = Wire(port, breaks=8)
        play(program, SMALL, "s3://runs/broken", wire.port)
        assert wire.left == 0, f"{wire.left} connections were not broken"
        same(of_bucket(s3, "broken"), of_folder(small), "8 broken connections")
        wire = Wire(port, breaks=3)
        play(program, LARGE, "s3://runs/broken-pieces", wire.port)
        assert wire.left == 0, f"{wire.left} connections were not broken"
        same(of_bucket(s3, "broken-pieces"), of_folder(large), "3 broken connections, several pieces")

        results = Path(folder) / "converted"
        expected = printed(program, str(small), results, port)

        def read(what: str, port: int, url: str = "s3://runs/small", **changes: str) -> None:
            reads(printed(program, url, results, port, **changes), expected, what)

        read("a bucket", port)
        read("a cache that keeps one file", port, JANTAKU_CACHE_MIB="0")
        read("a URL of a folder", port, f"file://{small}")
        failing = Server(fail_every=5)
        read("every fifth request fails", failing.port)
        play(program, SMALL, "s3://runs/failing", failing.port)
        same(of_bucket(s3, "failing"), of_folder(small), "written while every fifth request fails")
        read("slow answers", Server(wait=0.05).port)
        wire = Wire(port, breaks=8, answers=True)
        read("8 connections that break in answers", wire.port)
        assert wire.left == 0, f"{wire.left} connections were not broken"
        # Files that are downloaded in several pieces.
        run(program, ["verify", "--quick", "--quiet", "s3://runs/large"], port)
        served(program, small, "s3://runs/small", port)
        damaged(program, s3, port)
        matches(program, Path(folder) / "match", s3, port)
        merges(program, small, s3)

        kills = killed(program, port, seconds)
        assert kills >= 3, f"{kills} kills"
        same(of_bucket(s3, "killed"), of_folder(small), f"{kills} kills")
    _, errors = unreachable.communicate(timeout=600)
    assert unreachable.returncode == 2 and "Connection refused" in errors and "folder" not in errors, errors
    left = s3.list_multipart_uploads(Bucket="runs").get("Uploads", [])
    assert not left, f"uploads that were neither completed nor aborted: {left}"
    server.stop()


if __name__ == "__main__":
    main()
