import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from harness import gain_over_random

import jantaku

EXAMPLES = Path(__file__).parents[1] / "examples"
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")


def run(name, *arguments):
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_random_play():
    assert "exhaustive" in run("random_play.py", 3)


def test_tree_search():
    assert len((EXAMPLES / "tree_search.py").read_text().splitlines()) <= 60
    found = run("tree_search.py", 1, 12, "random")
    place = re.fullmatch(r"mean placement (\d\.\d\d) in 4 games against random\n", found)
    # Four equal players have a mean of 2.5.
    assert float(place[1]) <= 1.5


@needs_torch
def test_train_pettingzoo():
    found = run("train_pettingzoo.py", "--steps", 256, "--rollout", 128, "--sets", 1)
    assert "learned from 256 decisions of seat_0" in found
    assert "\nMatch: ppo, random\n" in found


# The mean gain of a random player is 0, the most is 1.5. Five seeds gave 1.37 to 1.48 with
# Stable-Baselines3 and 1.05 to 1.28 with TorchRL; six networks before training, -0.3 to 1.1.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "steps", "least"), [("on_sb3.py", 49_152, 1.1), ("on_torchrl.py", 8_192, 0.7)]
)
def test_other_libraries_learn_to_beat_random(name, steps, least, monkeypatch, capsys):
    torch = pytest.importorskip("torch")
    assert len((EXAMPLES / name).read_text().splitlines()) <= 40
    monkeypatch.setattr(sys, "argv", [name, str(steps), "1"])
    found = runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    assert f"learned from {steps:,} decisions\n" in capsys.readouterr().out
    if "player" in found:
        assert gain_over_random(found["player"]) > least
    else:
        network = found["network"]
        with torch.no_grad():
            gain = gain_over_random(lambda planes: network(torch.from_numpy(planes)), found["OWN"])
        assert gain > least


@needs_torch
def test_ppo(tmp_path):
    path = tmp_path / "ppo.safetensors"
    tiny = {"tables": 6, "turns": 40, "iterations": 2, "batch": 100, "sets": 1}
    options = [text for name, value in tiny.items() for text in (f"--{name}", value)]
    found = run("ppo.py", *options, "--opponents", "greedy,random", "--out", path)
    assert re.search(r"^2/2: mean placement \S+ in \d+ games, entropy \d", found, re.MULTILINE)
    assert f"neural:model={path}" in found
    assert "\nResults\n" in found
    # It continues from its file, which has a value.
    again = tmp_path / "again.safetensors"
    run("ppo.py", *options, "--start", path, "--out", again)
    batch = jantaku.VecEnv(3, encoder="sparse-v1").recv()
    first, second = (jantaku.Agent(f"neural:model={one}").evaluate(batch) for one in (path, again))
    assert abs(first["values"]).max() < 10
    assert (first["values"] != second["values"]).any()
    assert (first["logits"] != second["logits"]).any()


@needs_torch
def test_the_advantages_of_ppo_end_with_the_hand():
    advantages = runpy.run_path(str(EXAMPLES / "ppo.py"))["advantages"]
    rows = {
        "ids": np.array([5, 8, 5, 5, 5]),
        "due": np.array([True, True, True, True, False]),
        "hands": np.array([0, 0, 0, 1, 2]),
        "rewards": np.array([0, 0, 0, 4, 20], np.float32),
        "value": np.array([0.5, 9, 1.0, 2.0, 7.0], np.float32),
    }
    found = advantages(rows, 0.5)
    # The second decision of seat 5 ended a hand with 4, the third one with 20. Nothing follows in
    # the other seat.
    expected = [1.0 - 0.5 + 0.5 * 3.0, np.nan, 4.0 - 1.0, 20.0 - 2.0, np.nan]
    assert np.array_equal(found["advantage"], np.array(expected, np.float32), equal_nan=True)
    assert np.array_equal(found["target"], found["advantage"] + rows["value"], equal_nan=True)


def test_notebook(tmp_path):
    page = tmp_path / "table.html"
    run("notebook.py", page)
    assert page.read_text().count("<svg ") == 3
