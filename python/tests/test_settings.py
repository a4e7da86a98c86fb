"""Settings of trainings: each error names the file, the setting and what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness import toml

from jantaku.train.config import Clone, ConfigError, Experiment, Gate, Improve, Ppo

GOOD: dict[type[Experiment], dict[str, Any]] = {
    Clone: {"runs": ["run"], "out": "out"},
    Gate: {"name": "a", "model": "a.pt", "prediction": [0, 1], "out": "out"},
    Improve: {"labels": ["run"], "out": "out"},
    Ppo: {"start": "checkpoint.pt", "out": "out"},
}


@pytest.mark.parametrize("command", GOOD, ids=lambda one: one.__name__)
def test_settings_have_defaults(tmp_path: Path, command: type[Experiment]) -> None:
    path = toml(tmp_path / "e.toml", GOOD[command])
    assert command.read(path) == command.of(dict(GOOD[command]))
    for name in GOOD[command]:
        table = {other: value for other, value in GOOD[command].items() if other != name}
        with pytest.raises(ConfigError, match=f"e.toml: {name}: missing, expected a "):
            command.read(toml(tmp_path / "e.toml", table))


@pytest.mark.parametrize(
    ("command", "changed", "said"),
    [
        (Clone, {"encoder": "oracle-v1"}, "encoder: `oracle-v1` reads hidden tiles"),
        (Clone, {"encoder": "planes"}, "encoder: unknown encoder `planes`.* `planes-v1`"),
        (Clone, {"heads": {"danger": 1}}, "heads: danger: unknown, expected one of value, "),
        (Clone, {"heads": {"value": "x"}}, "heads: expected a table of numbers, found "),
        (Clone, {"hidden": [8.5]}, r"hidden: expected a list of whole numbers, found \[8.5\]"),
        (Clone, {"held_out": 0.9}, "held_out: expected a share above 0, at most 0.5"),
        (Clone, {"runs": []}, "runs: expected at least one run or log"),
        (Clone, {"augment": 1}, "augment: expected true or false, found 1"),
        (Clone, {"stepz": 1}, "stepz: unknown, expected one of runs, out"),
        (Clone, {"steps": 0}, "steps: expected at least 1"),
        (Gate, {"prediction": [1, 0]}, "prediction: expected two numbers, the lower one first"),
        (Gate, {"prediction": ["0", "1"]}, "prediction: expected a list of numbers, found "),
        (Gate, {"sprt": [0.0]}, "sprt: expected two numbers"),
        (Gate, {"sets": 99}, "sets: expected at least 100"),
        (Gate, {"name": ""}, "name: expected a text that is not empty"),
        (Improve, {"epoch": 3}, "epoch: unknown, expected one of labels"),
        (Improve, {"batch": "8"}, "batch: expected a whole number, found '8'"),
        (Improve, {"batch": True}, "batch: expected a whole number, found True"),
        (Improve, {"batch": 0}, "batch: expected at least 1"),
        (Improve, {"rate": "fast"}, "rate: expected a number, found 'fast'"),
        (Improve, {"base": 3}, "base: expected a text, found 3"),
        (Improve, {"labels": "run"}, "labels: expected a list of texts, found 'run'"),
        (Improve, {"labels": []}, "labels: expected at least one run"),
        (Improve, {"average": 2}, "average: expected a share from 0 to 1, found 2"),
        (Improve, {"device": "tpu"}, "device: expected one of auto, cpu, cuda, found 'tpu'"),
        (Ppo, {"opponents": {"greedy": 0}}, "opponents: expected agents with positive weights"),
        (Ppo, {"opponents": {}}, "opponents: expected agents with positive weights"),
        (Ppo, {"opponents": "a"}, "opponents: expected a list of texts, or a table of numbers"),
        (Ppo, {"hand_reward": "points"}, "hand_reward: expected one of model, found 'points'"),
        (Ppo, {"critic": "value"}, "critic: expected one of head, oracle, found 'value'"),
        (Ppo, {"precision": 16}, "precision: expected one of auto, f32, bf16, found 16"),
        (Ppo, {"fade": 2}, "fade: expected a number from 0 to 1"),
    ],
)
def test_wrong_settings_are_named(
    tmp_path: Path, command: type[Experiment], changed: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=f"e.toml: {said}"):
        command.read(toml(tmp_path / "e.toml", GOOD[command] | changed))


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text("labels = [\n")
    with pytest.raises(ConfigError, match=r"e.toml: .*(Unclosed array|Invalid value)"):
        Improve.read(tmp_path / "e.toml")
