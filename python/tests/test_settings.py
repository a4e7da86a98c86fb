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


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text("labels = [\n")
    with pytest.raises(ConfigError, match=r"e.toml: .*(Unclosed array|Invalid value)"):
        Improve.read(tmp_path / "e.toml")
