"""The page on training, on a small scale."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from pathlib import Path

import pytest

import jantaku

pytest.importorskip("torch")
pytest.importorskip("safetensors")
pytest.importorskip("pyarrow")

from jantaku.train.__main__ import main
from jantaku.train.config import Clone

PAGE = Path(__file__).parents[1] / "docs/training.md"
SMALLER = {
    '2_000, "heuristic"': '8, "heuristic"',
    "steps = 1_000\nbatch = 512": "steps = 4\nbatch = 128\nwidth = 8\nthreads = 1",
    "sets=100": "sets=1",
    '600, "noisy': '4, "noisy',
    "discard=0.33": "discard=0.33,deals=2",
    'out = "improve"': 'out = "improve"\nthreads = 1',
    "sets = 400": "sets = 100",
    "sets = 1_000": "sets = 60\nfirst = 30\nthreads = 1",
    "sets=20,": "sets=1,",
    "games = 64": "games = 1",
    "iterations = 200": "iterations = 1\ntest_sets = 2\nthreads = 1",
}


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text()
    for large, small in SMALLER.items():
        assert page.count(large) == 1, large
        page = page.replace(large, small)
    commands = []
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        if language == "toml":
            name = re.match(r"# (\w+\.toml)\n", block)
            assert name, block
            Path(name[1]).write_text(block)
        elif language == "python":
            Path("block.py").write_text(block)
            runpy.run_path("block.py")
        elif block.startswith("python -m jantaku.train "):
            words = shlex.split(block)[3:]
            assert main(words) == 0, block
            commands.append(words[0])
        else:
            assert block.startswith("pip install"), block
    assert commands == ["clone", "improve", "gate", "screen", "ppo"]
    assert Clone.read("gpu.toml").precision == "bf16"
    events = [
        json.loads(line)["event"] for line in Path("scoreboard.jsonl").read_text().splitlines()
    ]
    assert events == ["named", "played"]
    assert jantaku.stats("match").games > 0
    assert len(json.loads(Path("screen/result.json").read_text())) == 3
