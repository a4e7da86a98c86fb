"""What type checkers say about calls of the package."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import jantaku
from jantaku._types import AnyEncoder

CALLS = """
from typing import Any
import numpy as np
import jantaku
from jantaku import Dataset, Observation, VecEnv

def encode(observation: Observation) -> dict[str, Any]:
    return {"hand": observation.hand_counts}

def choose(batch: jantaku.AgentBatch) -> Any:
    batch.plane  # error
    return batch.planes.sum(axis=(1, 2))

VecEnv(2, seats=[0], opponents={"greedy": 1})
pool = {"greedy": 1, "heuristic": 3}
env = VecEnv(2, seats=[0], opponents=pool)
env.set_opponents({"greedy": 1, ("greedy", "random", "tsumogiri"): 1.5})
env.set_opponents({jantaku.Agent("greedy"): 1})
VecEnv(2, encoder="planes-v1", reward="placement", hand_reward="model")
VecEnv(2, encoder=encode, reward={"points": 0.1}, hand_reward=lambda deals: deals["points"])
VecEnv(2, encoder="planes")  # error
VecEnv(2, reward="win")  # error
VecEnv(2, hand_reward="modle")  # error
batch = env.recv()
early = batch.games - np.int32(1)
batch.game  # error
"games" in batch  # error
list(batch)  # error
for rows in Dataset("run", encoder="sparse-v1", kinds=["turn"], tensors="torch"):
    rows["placements"] - 1
    rows["placement"]  # error
Dataset("run", kinds=["turns"])  # error
Dataset("run", tensors="tf")  # error
Dataset("run", encoder=encode)
game = jantaku.Game(seed=1).recorded()
game.to_log("mjai")
game.to_log("mjia")  # error
"""


def test_type_checkers_find_typos(tmp_path: Path) -> None:
    path, config = tmp_path / "calls.py", tmp_path / "mypy.ini"
    path.write_text(CALLS)
    config.write_text("[mypy]\nstrict = true\n[mypy-torch.*]\nfollow_imports = skip\n")
    command = [sys.executable, "-m", "mypy", "--config-file", str(config), str(path)]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    errors = {int(line) for line in re.findall(r"calls\.py:(\d+): error", found.stdout)}
    lines = CALLS.splitlines()
    expected = {number for number, line in enumerate(lines, 1) if line.endswith("# error")}
    assert errors == expected, found.stdout + found.stderr


def test_checkers_know_the_columns_of_a_batch() -> None:
    stubs = Path(jantaku.__file__).with_name("_jantaku.pyi").read_text()
    columns = re.search(r"class _BatchColumns:\n(.*?)\n(?=\S)", stubs, re.DOTALL)
    assert columns is not None
    types = re.findall(r"^    (\w+): (NDArray.*)", columns[1], re.MULTILINE)
    types += jantaku.Batch.__annotations__.items()
    known = {name: re.findall(r"np\.(\w+?)_?\]", kind)[0] for name, kind in types if "np." in kind}
    batch = jantaku.VecEnv(1, oracle=True).recv()
    encoders = get_args(get_args(AnyEncoder)[1])
    with pytest.raises(ValueError, match=", ".join([*encoders, "oracle-v1"])):
        jantaku.Encoder("?")
    for encoder in encoders:
        found = dict(jantaku.VecEnv(1, encoder=encoder, oracle=True).recv())
        assert dict(batch).keys() <= found.keys() <= known.keys()
        for name, array in found.items():
            assert array.dtype == known[name], name


def test_editors_find_docstrings() -> None:
    stubs = Path(jantaku.__file__).with_name("_jantaku.pyi").read_text()
    for thing in (jantaku.Game, jantaku.Hand, jantaku.Encoder, jantaku.shanten):
        assert f'"""{(thing.__doc__ or "").splitlines()[0]}' in stubs, thing
    public = re.sub(r"class _Tables:.*?\n(?=\S)", "", stubs, flags=re.DOTALL)
    undocumented = set(re.findall(r"^ +def ([a-z]\w*)\(.*: \.\.\.$", public, re.MULTILINE))
    assert undocumented == {"encode"}, "its overloads"
