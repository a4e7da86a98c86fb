"""Runs the recipes of a page with a stand-in for each scheduler, and merges their shards in a bucket.

Each run is compared with one that a single machine plays, byte for byte. Then the page's lines for other
readers of Parquet read one of them.

usage: recipes.py PROGRAM PAGE (the program is built with the feature `cloud`)
"""

import logging
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import kubernetes_validate
import polars
import yaml
from cloud import boto3, of_bucket, of_folder, play, same
from moto.server import ThreadedMotoServer

SHARDS = 3
GAMES = ["--games", "12", "--games-per-part", "2", "--agents", "heuristic", "--seed", "1"]
# Options of `sbatch` that a recipe may set, with the form of their values.
SBATCH = {"array": r"1-\d+", "cpus-per-task": r"\d+", "requeue": "", "signal": r"B:TERM@\d+"}
# What a test plays instead of what the page says.
SMALLER = [
    (r"\b200\b", str(SHARDS)),
    (r"--games 10_000_000", "--games 12 --games-per-part 2"),
    (r"--threads 8", "--threads 1"),
]


def recipes(page: str) -> dict[str, str]:
    """The first block of code below each heading on schedulers."""
    schedulers = page.split("\n## With a scheduler alone\n")[1].split("\n## ")[0]
    sections = schedulers.split("\n### ")[1:]
    first = re.compile(r"^```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
    found = [(section.split("\n")[0], match[1]) for section in sections if (match := first.search(section))]
    for name, code in found:
        lines = code.count("\n")
        assert lines <= 20, f"{name}: {lines} lines, expected at most 20"
    return dict(found)


def smaller(code: str, run: str) -> str:
    for pattern, small in SMALLER:
        code = re.sub(pattern, small, code)
    return code.replace("s3://bucket/big", f"s3://runs/{run}")


class Shell:
    """Runs scripts in a folder, in which the program and a stand-in for ssh are commands."""

    def __init__(self, folder: Path, program: Path, port: int):
        self.folder = folder
        (folder / "jantaku").symlink_to(program)
        # Runs the command here, as a shell of another machine does.
        ssh = folder / "ssh"
        ssh.write_text('#!/bin/sh\necho "$1" >> asked\nshift\nexec sh -c "$*"\n')
        ssh.chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        self.environment = {**os.environ, "AWS_ENDPOINT": f"http://127.0.0.1:{port}", "PATH": path}

    def run(self, script: str, **variables: str) -> None:
        environment = {**self.environment, **variables}
        found = subprocess.run(
            ["sh", "-eu", "-c", script],
            check=False,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert found.returncode == 0, f"{script}: {found.stdout}{found.stderr}"


def slurm(shell: Shell, script: str) -> None:
    """Runs the tasks of an array, the last one first."""
    options = dict(re.findall(r"^#SBATCH --([a-z-]+)=?(.*)$", script, re.MULTILINE))
    assert len(options) == script.count("#SBATCH"), options
    for name, value in options.items():
        assert re.fullmatch(SBATCH[name], value), f"{name}: {value}"
    first, last = map(int, options["array"].split("-"))
    assert (first, last) == (1, SHARDS)
    for task in range(last, first - 1, -1):
        shell.run(script, SLURM_ARRAY_TASK_ID=str(task), SLURM_CPUS_PER_TASK="1")


def kubernetes(shell: Shell, text: str) -> None:
    """Runs the pods of an indexed job."""
    job = yaml.safe_load(text)
    kubernetes_validate.validate(job, "1.30", strict=True)
    spec = job["spec"]
    container = spec["template"]["spec"]["containers"][0]
    assert container["command"] == ["sh", "-c"] and spec["completionMode"] == "Indexed"
    for index in range(spec["completions"]):
        shell.run(container["args"][0], JOB_COMPLETION_INDEX=str(index))


def ssh(shell: Shell, script: str) -> None:
    """Runs the script twice: the second time, all shards are complete."""
    hosts = [f"node{number}" for number in range(1, SHARDS + 1)]
    (shell.folder / "hosts").write_text("\n".join(hosts))
    for _ in range(2):
        shell.run(script)
    assert sorted((shell.folder / "asked").read_text().split()) == sorted(hosts * 2)


def queries(page: str, run: str, whole: Path, port: int) -> None:
    """Runs the queries of the page in a bucket, and compares them with the run in a folder."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.split("\n## Read a bucket\n")[1], re.MULTILINE | re.DOTALL)
    (code,) = (block for block in blocks if "import duckdb" in block)
    os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
    found = {}
    exec(code.replace("s3://bucket/big", f"s3://runs/{run}"), found)
    by_turn = polars.read_parquet(whole / "decisions/*.parquet").group_by("turn").agg(polars.col("shanten").mean())
    assert found["by_turn"].equals(by_turn.sort("turn")) and len(by_turn) > 10, found["by_turn"]
    outcomes = polars.read_parquet(whole / "hands/*.parquet")["outcome"].cast(polars.String).value_counts()
    assert found["outcomes"] == outcomes.sort("outcome").rows(), found["outcomes"]
    print("polars, pyarrow and DuckDB read the bucket")


def main() -> None:
    program, page = (Path(word).resolve() for word in sys.argv[1:])
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}")
    s3.create_bucket(Bucket="runs")
    found = recipes(page.read_text())
    schedulers = {"Slurm": slurm, "Kubernetes": kubernetes, "Plain ssh": ssh}
    end = "The end of all of them"
    assert found.keys() == {*schedulers, end}, found.keys()
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder), program, port)
        whole = Path(folder) / "whole"
        play(program, GAMES, str(whole), port)
        for name, scheduler in schedulers.items():
            run = name.split()[-1].lower()
            scheduler(shell, smaller(found[name], run))
            shell.run(smaller(found[end], run))
            same(of_bucket(s3, run), of_folder(whole), name)
        queries(page.read_text(), run, whole, port)
    server.stop()


if __name__ == "__main__":
    main()
