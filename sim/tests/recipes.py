"""Runs the recipes of a page with a stand-in for each scheduler, and merges their shards in a bucket.

All jobs of the page run under all schedulers. Each run is compared with one that a single machine plays, byte
for byte. Then the page's lines for other readers of Parquet read one of them. Where Slurm is installed, its
`sbatch` reads the scripts.

usage: recipes.py PROGRAM PAGE (the program is built with the feature `cloud`)
"""

import json
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import kubernetes_validate
import polars
import yaml
from cloud import boto3, of_bucket, of_folder, play, same
from moto.server import ThreadedMotoServer

SHARDS = 3
GAMES = ["--games", "12", "--games-per-part", "2", "--agents", "heuristic", "--seed", "1"]
# What a test plays instead of what the page says.
SMALLER = [
    (r"\b200\b", str(SHARDS)),
    (r"\b201\b", str(SHARDS + 1)),
    (r"--games 10_000_000", "--games 12 --games-per-part 2"),
    (r"--games 200_000 --games-per-part 500", "--games 6 --games-per-part 2"),
    (r"--games 1_000_000", "--games 20"),
    # Three parts, which have about 1,000 games.
    (r"--challenger heuristic --baseline greedy --sets 1_000_000", "--challenger greedy --baseline greedy:calls=off --sets 750"),
    (r"--threads 8", "--threads 1"),
    (r"s3://bucket/played", "s3://runs/played"),
    (r"/shared/", "./"),
]
# A command of the program, in a script.
COMMAND = re.compile(r"jantaku \w+ .*--quiet")
# The changes of a sweep's variants.
VARIANTS = ["kuitan=false", "kiriage=true", "ippatsu=false"]


def first_blocks(section: str, heading: str, language: str) -> dict[str, str]:
    """The first block of code in a language below each heading or name of a section."""
    first = re.compile(rf"^```{language}\n(.*?)^```", re.MULTILINE | re.DOTALL)
    parts = re.split(heading, section, flags=re.MULTILINE)[1:]
    found = {name: match[1] for name, text in zip(parts[::2], parts[1::2]) if (match := first.search(text))}
    for name, code in found.items():
        lines = code.count("\n")
        assert lines <= 20, f"{name}: {lines} lines, expected at most 20"
    return found


def smaller(code: str, run: str) -> str:
    """What a test runs instead, each command on one line."""
    code = re.sub(r"\\\n *", "", code)
    for pattern, small in SMALLER:
        code = re.sub(pattern, small, code)
    return code.replace("s3://bucket/big", f"s3://runs/{run}")


def one_machine(command: str, out: str) -> str:
    """The command with which one machine does a whole job."""
    if "jantaku sweep" in command:
        changes = " ".join(f"--vary {change}" for change in VARIANTS)
        return re.sub(r"--vary .*variants\)\"", f"--one-at-a-time {changes}", command).replace("sweep.$n.json", out)
    command = re.sub(r" --shard \S+| --resume", "", command)
    return re.sub(r"--out \S+", f"--out {out}", command)


Submit = Callable[[str], None]
"""Gives a script to a scheduler."""


class Shell:
    """Runs scripts in a folder, in which the program and a stand-in for ssh are commands."""

    def __init__(self, folder: Path, program: Path, port: int, submit: Submit | None):
        self.folder, self.submit = folder, submit
        (folder / "jantaku").symlink_to(program)
        # Runs the command here, as a shell of another machine does.
        ssh = folder / "ssh"
        ssh.write_text('#!/bin/sh\necho "$1" >> asked\nshift\nexec sh -c "$*"\n')
        ssh.chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        self.environment = {**os.environ, "AWS_ENDPOINT": f"http://127.0.0.1:{port}", "PATH": path}

    def run(self, script: str, **variables: str) -> str:
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
        return found.stdout


@contextmanager
def controller(folder: Path) -> Iterator[Submit | None]:
    """A controller of Slurm that reads scripts and starts no job, where Slurm is installed."""
    if shutil.which("sbatch") is None or shutil.which("slurmctld") is None:
        print("no Slurm, so `sbatch` read no script; `apt-get install slurm-client slurmctld` installs it")
        yield None
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "ClusterName": "test",
        "SlurmctldHost": f"{socket.gethostname().split('.')[0]}(127.0.0.1)",
        "SlurmctldPort": port,
        "SlurmUser": Path.home().owner(),
        "AuthType": "auth/none",
        "CredType": "cred/none",
        "StateSaveLocation": folder,
        "SlurmctldPidFile": folder / "pid",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "NodeName": "node[1-4] NodeAddr=127.0.0.1 CPUs=8",
        "PartitionName": "all Nodes=ALL Default=YES",
    }
    (folder / "slurm.conf").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def ask(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, check=False, env=environment, cwd=folder, capture_output=True, text=True)

    def submit(script: str) -> None:
        """Submits an array job of one task for each shard, and a wrong one."""
        (folder / "script").write_text(script)
        submitted = ask("sbatch", "--parsable", "script")
        assert submitted.returncode == 0, submitted.stderr
        shown = ask("scontrol", "show", "job", submitted.stdout.strip()).stdout
        for expected in [f"ArrayTaskId=1-{SHARDS} ", "CPUs/Task=8 ", "Requeue=1 "]:
            assert expected in shown, f"{expected}: {shown}"
        (folder / "script").write_text(script.replace("B:TERM@60", "B:TERN@60"))
        assert "Invalid --signal" in ask("sbatch", "script").stderr

    log = (folder / "log").open("w")
    running = subprocess.Popen(["slurmctld", "-D", "-c"], env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 120
        while ask("scontrol", "ping").returncode != 0:
            assert running.poll() is None and time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
        yield submit
    finally:
        running.kill()
        running.wait()
        log.close()


def slurm(shell: Shell, script: str, job: str) -> None:
    """Runs the tasks of an array, the last one first."""
    script = COMMAND.sub(lambda _: job, script)
    if shell.submit is not None:
        shell.submit(script)
    for task in range(SHARDS, 0, -1):
        shell.run(script, SLURM_ARRAY_TASK_ID=str(task))


def kubernetes(shell: Shell, text: str, job: str) -> None:
    """Runs the pods of an indexed job."""
    read = yaml.safe_load(text)
    kubernetes_validate.validate(read, "1.30", strict=True)
    spec = read["spec"]
    container = spec["template"]["spec"]["containers"][0]
    assert container["command"] == ["sh", "-c"] and spec["completionMode"] == "Indexed"
    script = COMMAND.sub(lambda _: job, container["args"][0])
    for index in range(spec["completions"]):
        shell.run(script, JOB_COMPLETION_INDEX=str(index))


def ssh(shell: Shell, script: str, job: str) -> None:
    """Runs the script twice: the second time, all shards are complete."""
    hosts = [f"node{number}" for number in range(1, SHARDS + 1)]
    (shell.folder / "hosts").write_text("\n".join(hosts))
    asked = shell.folder / "asked"
    asked.unlink(missing_ok=True)
    for _ in range(2):
        shell.run(COMMAND.sub(lambda _: job, script))
    assert sorted(asked.read_text().split()) == sorted(hosts * 2)


def same_figures(shell: Shell, code: str, whole: str, what: str) -> None:
    """Compares the figures that the page's lines in Python read with those of one sweep.

    It also has figures that only others of its variants have.
    """
    found = {}
    before = Path.cwd()
    os.chdir(shell.folder)
    try:
        exec(smaller(code, ""), found)
    finally:
        os.chdir(before)
    expected = json.loads((shell.folder / whole).read_text())["figures"]
    expected = [row for row in expected if row["variant"] != "tenhou"]
    missing = [row for row in expected if row not in found["figures"]]
    assert len(found["figures"]) > 1000 and len(found["figures"]) + len(missing) == len(expected), what
    assert all(row["events"] == 0 for row in missing), missing
    print(f"{what}: {len(found['figures'])} figures, those of one sweep")
    for number in range(1, SHARDS + 1):
        (shell.folder / f"sweep.{number}.json").unlink()


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
    text = page.read_text().split("\n## With a scheduler alone\n")[1].split("\n## ")[0]
    scripts = first_blocks(text, r"^### (.*)$", r"\w+")
    schedulers = {"Slurm": slurm, "Kubernetes": kubernetes, "Plain ssh": ssh}
    others, end = scripts.pop("Other jobs"), scripts.pop("The end of all of them")
    assert scripts.keys() == schedulers.keys(), scripts.keys()
    selfplay = COMMAND.search(re.sub(r"\\\n *", "", scripts["Slurm"]))[0] + "\n"
    jobs = {"Games": selfplay, **first_blocks(text, r"\*\*(\w[\w ]*)\*\*", "sh")}
    assert others in jobs.values() and list(jobs) == ["Games", "match", "Labels", "Labels of a run", "sweep"], jobs
    (reading,) = first_blocks(text, r"\*\*(sweep)\*\*", "python").values()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as own, controller(Path(own)) as submit:
        shell = Shell(Path(folder), program, port, submit)
        (shell.folder / "variants").write_text("\n".join(VARIANTS))
        play(program, GAMES, "s3://runs/played", port)
        for job, command in jobs.items():
            one = job.lower().replace(" ", "-")
            shell.run(one_machine(smaller(command, one).strip(), one))
            for name, scheduler in schedulers.items():
                run = f"{one}-{name.split()[-1].lower()}"
                scheduler(shell, smaller(scripts[name], run), smaller(command, run).strip())
                if job == "sweep":
                    same_figures(shell, reading, one, f"{job}, {name}")
                    continue
                shell.run(smaller(end, run))
                games = of_folder(shell.folder / one)
                same(of_bucket(s3, run), {file: games[file] for file in games if "result." not in file}, f"{job}, {name}")
                if job == "match":
                    counted = [
                        shell.run(f"jantaku match --resume --out {out}").replace(f"run: {out}\n", "")
                        for out in (one, f"s3://runs/{run}")
                    ]
                    assert " 750 sets of 4 games" in counted[0] and counted[0] == counted[1], f"{name}: {counted}"
        queries(page.read_text(), "games-ssh", shell.folder / "games", port)
    server.stop()


if __name__ == "__main__":
    main()
