"""Trainings and gates that were killed end like those that were not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from harness import curve, toml

import jantaku

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")
pytest.importorskip("pyarrow")
pytest.importorskip("tqdm")

from jantaku.train.__main__ import main  # noqa: E402
from jantaku.train.bag import BagNetwork  # noqa: E402
from jantaku.train.files import load_checkpoint  # noqa: E402

# Runs commands in processes of their own. Each is killed at its n-th call of a function, or at the
# first call after a file exists. All share the import of torch.
KILLED = """
import functools, itertools, json, os, signal, sys
import jantaku
import torch._dynamo  # which an optimizer would import
from jantaku.train import __main__, clone, gate, improve, ppo

def die_at(place, when):
    *path, name = place.split(".")
    owner = functools.reduce(getattr, path, jantaku)
    whole, calls = getattr(owner, name), itertools.count(1)

    def call(*arguments, **options):
        number = next(calls)
        if os.path.exists(when) if isinstance(when, str) else number == when:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(*arguments, **options)

    setattr(owner, name, call)

for command, settings, place, when in json.loads(sys.argv[1]):
    child = os.fork()
    if child == 0:
        die_at(place, when)
        os._exit(__main__.main([command, settings]))
    _, status = os.waitpid(child, 0)
    found = os.waitstatus_to_exitcode(status)
    assert found == -signal.SIGKILL, f"{settings}, {place}, {when}: {found}"
"""


class Experiment(NamedTuple):
    """A command that is killed several times, each time after it has continued."""

    command: str
    settings: dict[str, Any]
    kills: list[tuple[str, int | str]]
    """The functions at whose calls it is killed, with the numbers of these calls.

    A usual test has the last one alone.
    """


REPLACE, LEARN = "train.files.os.replace", "train.training.Training.learn"
CLONE = {"runs": ["games"], "steps": 6, "batch": 64, "every": 2, "held_out": 0.25, "warm_up": 2,
         "heads": {"value": 0.1, "placement": 0.1, "tenpai": 0.1, "waits": 0.1},
         "augment": True, "threads": 1}  # fmt: skip
EXPERIMENTS = {
    # A checkpoint has three files: the weights, and the curve twice. The second one gets its
    # weights, but no curve.
    "planes": Experiment("clone", CLONE | {"width": 8}, [(REPLACE, 5)]),
    # Then between two checkpoints, and before the file of the network.
    "sparse": Experiment(
        "clone",
        CLONE | {"encoder": "sparse-v1", "hidden": [16, 8]},
        [(REPLACE, 5), (LEARN, 2), (REPLACE, 4)],
    ),
    # Three networks. Before the first checkpoint, in the first one of the second network, in its
    # last steps, before the first one of the third, and between the last files.
    "improve": Experiment(
        "improve",
        {"labels": ["labels"], "hidden": [8, 8], "batch": 4, "folds": 2, "tested": 2, "threads": 1},
        [(REPLACE, 1), (REPLACE, 6), (LEARN, 250), (REPLACE, 4), (REPLACE, 11)],
    ),
    # In the first game, in the second iteration, in its match against the best snapshot, in the
    # last checkpoint, and between the last files.
    "ppo": Experiment(
        "ppo",
        {"start": "sparse/whole/checkpoint.pt", "games": 1, "iterations": 3, "batch": 256,
         "rate": 0.01, "every": 1, "test_every": 2, "test_sets": 2, "threads": 1},
        [("_vec_env.VecEnv.step", 100), (LEARN, 6), ("train.learner.Learner.agent", 2),
         (REPLACE, 4), (REPLACE, 5)],
    ),
    # Before the candidate is named, after that, in the match, and before the result is written.
    "gate": Experiment(
        "gate",
        {"name": "first", "model": "n.safetensors", "baseline": "random", "threads": 1,
         "prediction": [0.7, 0.9], "sprt": [0.79, 0.81], "sets": 1000},
        [("train.gate.Board.append", 1), ("train.gate.os.fsync", 1),
         ("_progress.Bar._show", "gate/killed/games/part-000000.parquet"),
         ("train.gate.Board.append", 1)],
    ),
}  # fmt: skip


def settings_of(name: str, end: str) -> str:
    """A file with the settings of an experiment."""
    table = EXPERIMENTS[name].settings | {"out": f"{name}/{end}"}
    if name == "gate":
        table["board"] = f"{end}.jsonl"
    return toml(Path(f"{name}-{end}.toml"), table)


@pytest.fixture(scope="module", autouse=True)
def _experiments(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Each experiment undisturbed in the folder ``whole``, and killed in ``killed``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("killed"))
        jantaku.selfplay(6, "heuristic", seed=5, out="games", games_per_part=2)
        labels = "deals=2,players=greedy,careful=greedy,discard=0.5"
        jantaku.selfplay(4, "heuristic", seed=3, out="labels", games_per_part=2, labels=labels)
        torch.manual_seed(0)
        BagNetwork([8], []).save("n.safetensors", "tenhou")
        kills = []
        for name, one in EXPERIMENTS.items():
            assert main([one.command, settings_of(name, "whole")]) == 0
            killed = settings_of(name, "killed")
            chosen = one.kills if os.environ.get("JANTAKU_TESTS") == "full" else one.kills[-1:]
            kills += [[one.command, killed, *kill] for kill in chosen]
        command = [sys.executable, "-c", KILLED, json.dumps(kills)]
        found = subprocess.run(command, capture_output=True, text=True)
        assert found.returncode == 0, found.stderr[-2000:]
        yield


def ended(name: str) -> list[Path]:
    """The folders of an experiment, after the last part of the killed one."""
    assert main([EXPERIMENTS[name].command, f"{name}-killed.toml"]) == 0
    return [Path(name, end) for end in ("whole", "killed")]


def timeless(folder: Path) -> list[dict[str, str]]:
    """The rows of a curve without their times."""
    rows = curve(folder)
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


@pytest.mark.parametrize("name", ["planes", "sparse", "improve", "ppo"])
def test_a_killed_training_ends_with_the_same_weights(name: str) -> None:
    whole, killed = ended(name)
    files = sorted(path.name for path in whole.iterdir())
    assert sorted(path.name for path in killed.iterdir()) == files
    for path in whole.glob("*.pt"):
        if path.name == "clone.pt":  # TorchScript
            continue
        states = [load_checkpoint(end / path.name, {}) for end in (whole, killed)]
        for tensor, weights in states[0]["network"].items():
            assert torch.equal(weights, states[1]["network"][tensor]), (path, tensor)
    networks = [*whole.glob("*.safetensors"), *whole.glob("held-out.json")]
    assert len(networks) == {"planes": 0, "sparse": 1, "improve": 2, "ppo": 2}[name]
    for path in networks:
        assert path.read_bytes() == (killed / path.name).read_bytes(), path
    assert timeless(whole) == timeless(killed)
    steps = {
        "improve": ["128", "200", "400", "467", "200", "400", "595"], "ppo": ["1", "2", "3"]
    }.get(name, ["2", "4", "6"])  # fmt: skip
    assert [row["step"] for row in curve(whole)] == steps


def test_a_killed_gate_ends_with_the_same_board() -> None:
    ended("gate")
    whole, killed = (Path(f"{end}.jsonl").read_text() for end in ("whole", "killed"))
    assert whole == killed
    named, played = map(json.loads, whole.splitlines())
    assert (named["event"], played["event"]) == ("named", "played")
    assert played["played"]["sets"] == 1000
