"""`jantaku.train gate`: a match of a candidate that is named beforehand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import toml

import jantaku

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from jantaku.train import gate as module  # noqa: E402
from jantaku.train.__main__ import main  # noqa: E402
from jantaku.train.bag import BagNetwork  # noqa: E402
from jantaku.train.columns import ColumnNetwork  # noqa: E402
from jantaku.train.config import ConfigError, Gate  # noqa: E402
from jantaku.train.gate import candidate, gate  # noqa: E402


@pytest.fixture
def config(tmp_path: Path) -> Gate:
    """A network with random weights against random actions."""
    torch.manual_seed(0)
    path = tmp_path / "n.safetensors"
    BagNetwork([8], []).save(path, jantaku.Rules("tenhou"), augmented=False, notes=None)
    return Gate(
        name="first",
        model=str(path),
        prediction=[-0.1, 0.1],
        out=str(tmp_path / "match"),
        baseline="random",
        sprt=[0.0, 0.3],
        sets=100,
        board=str(tmp_path / "board.jsonl"),
        threads=1,
    )


def lines(config: Gate) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(config.board).read_text().splitlines()]


def changed(config: Gate, **settings: object) -> Gate:
    return Gate(**{**vars(config), **settings})


def test_the_board_has_the_name_before_the_match_and_the_result_after_it(
    config: Gate, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*agents: object, **options: object) -> object:
        if "out" in options:
            raise KeyboardInterrupt
        return jantaku.match(*agents, **options)

    with monkeypatch.context() as patch:
        patch.setattr(module, "match", interrupted)
        with pytest.raises(KeyboardInterrupt):
            gate(config)
    (named,) = lines(config)
    assert (named["event"], named["name"], named["prediction"]) == ("named", "first", [-0.1, 0.1])
    assert len(named["sha256"]) == 64
    assert "verdict" not in named
    # Another prediction or another file is refused after that.
    with pytest.raises(ConfigError, match=r"first was named with prediction = \[-0.1, 0.1\]"):
        gate(changed(config, prediction=[0.0, 0.1]))
    line = gate(config)
    assert lines(config) == [named, line]
    assert line["seed"] == named["seed"]
    assert line["played"] == {"sets": 100, "games": 400}
    # The board has what the match has kept, in its words.
    kept = json.loads((Path(config.out) / "result.json").read_text())
    words = {"accept": "stronger", "reject": "not stronger", None: "open"}
    assert line["verdict"] == words[kept["sprt"]["decision"]]
    assert line["placement"]["low"] < line["placement"]["value"] < line["placement"]["high"]
    mean = 2.5 - line["placement"]["value"]
    assert line["difference"]["value"] == pytest.approx(mean)
    assert line["as_predicted"] == (-0.1 <= mean <= 0.1)
    found = jantaku.stats(config.out)
    assert found.games == 400
    assert set(line["style"]) == {"win", "deal-in", "riichi", "call"}
    for rate, figure in line["style"].items():
        of_agent = found.figure(f"players.{rate}", f"agent {candidate(config)}")
        assert figure["value"] == pytest.approx(of_agent["value"]), rate
    assert "first against random, 100 sets" in capsys.readouterr().out
    with pytest.raises(ConfigError, match="first has played: give it another name"):
        gate(config)


def test_every_match_has_fresh_walls(config: Gate) -> None:
    gate(config)
    gate(changed(config, name="second", out=config.out + "-2"))
    seeds = [line["seed"] for line in lines(config) if line["event"] == "named"]
    assert len(set(seeds)) == 2


def test_other_agents_get_the_file_as_an_option(config: Gate, tmp_path: Path) -> None:
    assert candidate(config) == f"neural:model={config.model}"
    asked = changed(config, agent="neural:precision=int8")
    assert candidate(asked) == f"neural:precision=int8,model={config.model}"
    path = tmp_path / "n.pt"
    ColumnNetwork(4, []).save(path, jantaku.Rules("tenhou"), augmented=False, notes=None)
    found = candidate(changed(config, model=str(path)))
    assert isinstance(found, jantaku.FunctionAgent)
    assert found.name == "first"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"model": "no.pt"}, "no.json: expected the manifest of no.pt"),
        ({"sets": 1}, "gate.toml: sets: expected at least 100"),
        ({"baseline": "nobody"}, "unknown agent `nobody`"),
    ],
)
def test_a_wrong_setting_leaves_no_line(
    config: Gate,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    wrong: dict[str, object],
    said: str,
) -> None:
    table = {name: value for name, value in vars(config).items() if value is not None}
    assert main(["gate", toml(tmp_path / "gate.toml", table | wrong)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert said in error
    assert not Path(config.board).exists()


def test_a_line_that_a_crash_cut_short_is_named(config: Gate) -> None:
    Path(config.board).write_text('{"event": "played", "name": "old"}\n{"event": "na')
    with pytest.raises(ConfigError, match=r"board.jsonl, line 2: expected JSON, found '\{\"event"):
        gate(config)
