"""Writes runs to an S3 server and compares them with runs in a folder, byte for byte.

Some runs are written over connections that break, one over TLS, and one by programs that are killed.

usage: cloud.py PROGRAM PLAIN (built with the feature `cloud`, and without)
"""

import logging
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
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


class Wire:
    """Forwards connections to a server, and breaks the first `breaks` of them after some bytes."""

    def __init__(self, port: int, breaks: int):
        self.server, self.left, self.random = port, breaks, random.Random(1)
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
        threading.Thread(target=pipe, args=(server, client), daemon=True).start()
        with self.lock:
            breaks = self.left > 0
        sent, after = 0, self.random.randrange(100, 60_000)
        while data := receive(client):
            sent += len(data)
            if breaks and sent > after:
                with self.lock:
                    self.left -= 1
                # Closes with a reset, as a broken network does.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                break
            server.sendall(data)
        client.close()
        server.close()


def receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except OSError:
        return b""


def pipe(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := receive(source):
            target.sendall(data)
    except OSError:
        pass


def command(program: Path, words: list[str], out: str, port: int, **changes: str) -> subprocess.Popen:
    environment = {**os.environ, "AWS_ENDPOINT": f"http://127.0.0.1:{port}", **changes}
    words = [str(program), "selfplay", "--quiet", *words, "--out", out]
    return subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True)


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
    run = subprocess.run([plain, "selfplay", *SMALL, "--out", "s3://runs/plain"], capture_output=True, text=True)
    message = "error: s3://runs/plain: is a URL, and this program was built without `--features cloud`"
    assert run.returncode == 2 and run.stderr.startswith(message), run.stderr
    version = subprocess.run([plain, "--version"], capture_output=True, text=True, check=True).stdout
    assert version.endswith("features: none\n"), version


def over_tls(program: Path, folder: Path) -> None:
    """Writes a run to the same server over TLS. Only the second program knows the certificate."""
    certificate, key = make_ssl_devcert(str(folder / "server"), cn="localhost")
    application = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, application, threaded=True, ssl_context=(certificate, key))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"https://localhost:{server.port}"
    running = command(program, SMALL, "s3://runs/tls", server.port, AWS_ENDPOINT=endpoint)
    _, errors = running.communicate(timeout=600)
    assert running.returncode == 2 and "invalid peer certificate" in errors, errors
    play(program, SMALL, "s3://runs/tls", server.port, AWS_ENDPOINT=endpoint, SSL_CERT_FILE=certificate)
    server.shutdown()


def main() -> None:
    program, plain = (Path(word).resolve() for word in sys.argv[1:])
    refused(plain)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}")
    s3.create_bucket(Bucket="runs")
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        play(program, SMALL, str(small), port)
        play(program, LARGE, f"file://{large}", port)

        start = time.monotonic()
        play(program, SMALL, "s3://runs/small", port)
        seconds = time.monotonic() - start
        same(of_bucket(s3, "small"), of_folder(small), "small parts")
        play(program, LARGE, "s3://runs/large", port)
        same(of_bucket(s3, "large"), of_folder(large), "a part of several pieces")

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

        kills = killed(program, port, seconds)
        assert kills >= 3, f"{kills} kills"
        same(of_bucket(s3, "killed"), of_folder(small), f"{kills} kills")
    left = s3.list_multipart_uploads(Bucket="runs").get("Uploads", [])
    assert not left, f"uploads that were neither completed nor aborted: {left}"
    server.stop()


main()
