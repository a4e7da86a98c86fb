"""`jantaku.train clone`: games to a network that plays."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from harness import curve, toml

import jantaku

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")
parquet = pytest.importorskip("pyarrow.parquet")

from jantaku.train.__main__ import main  # noqa: E402
from jantaku.train.clone import clone, games_of, learned  # noqa: E402
from jantaku.train.config import Clone, ConfigError  # noqa: E402
from jantaku.train.files import load_checkpoint, save_checkpoint  # noqa: E402
from jantaku.train.optimizer import Muon, orthogonal  # noqa: E402


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("games") / "run"
    jantaku.selfplay(6, "heuristic", seed=5, out=run, games_per_part=2)
    return run


def settings(games: Path, out: Path, **changed: object) -> dict[str, object]:
    found = {"runs": [str(games)], "out": str(out), "steps": 6, "batch": 64, "every": 2}
    found |= {"width": 8, "hidden": [16, 8], "held_out": 0.25, "threads": 1, "warm_up": 2}
    return found | changed


def test_the_curve_is_the_same_in_both_files(games: Path, tmp_path: Path) -> None:
    clone(Clone.of(settings(games, tmp_path, encoder="sparse-v1", test_every=2)))
    rows = curve(tmp_path)
    table = parquet.read_table(tmp_path / "curve.parquet").to_pylist()
    assert [{name: "" if value is None else str(value) for name, value in row.items()} for row in
            table] == rows  # fmt: skip
    assert [bool(row["same_discard"]) for row in rows] == [False, True, True]


def test_a_clone_starts_from_another(games: Path, tmp_path: Path) -> None:
    first, start = tmp_path / "first", str(tmp_path / "first/checkpoint.pt")
    shape = {"encoder": "sparse-v1", "hidden": [16, 8], "heads": {"value": 0.1}}
    clone(Clone.of(settings(games, first, **shape)))
    # At this rate, no weight changes by more than a rounding.
    other = {"steps": 1, "rate": 1e-12, "decay": 0.0, "start": start}
    clone(Clone.of(settings(games, tmp_path / "second", **shape | other)))
    weights = [
        load_checkpoint(tmp_path / name / "checkpoint.pt", {})["network"]
        for name in ("first", "second")
    ]
    for name, tensor in weights[0].items():
        assert torch.allclose(tensor, weights[1][name], atol=1e-9), name


def test_a_test_may_have_a_match(games: Path, tmp_path: Path) -> None:
    table = settings(games, tmp_path, encoder="sparse-v1", steps=20, every=10, rate=0.02)
    path = clone(Clone.of(table | {"test_every": 2, "test_sets": 8, "seed": 3}))
    first, last = parquet.read_table(tmp_path / "curve.parquet").to_pylist()
    assert first["placement"] is None
    played = jantaku.match(f"neural:model={path}", "heuristic", sets=8, seed=3, rules="tenhou")
    placement = played.agents[0].placement
    ends = (placement.low, placement.value, placement.high)
    found = tuple(last[name] for name in ("placement_low", "placement", "placement_high"))
    assert found == pytest.approx(ends, rel=1e-5)
    for rate in ("win", "deal-in", "riichi", "call"):
        figure = played.figures.figure(f"players.{rate}", f"agent {played.agents[0].agent}")
        assert last[rate] == pytest.approx(figure["value"], rel=1e-5), rate


def test_a_simple_agent_is_learned(tmp_path: Path) -> None:
    jantaku.selfplay(40, "tsumogiri", seed=1, out=tmp_path / "run", rules="tenhou")
    config = Clone.of(
        settings(tmp_path / "run", tmp_path, encoder="sparse-v1", steps=60, batch=256, rate=0.02)
    )
    path = clone(config)
    last = parquet.read_table(tmp_path / "curve.parquet").to_pylist()[-1]
    assert last["same_all"] > 0.97
    # It plays so, too, without torch.
    game = jantaku.Game(seed=9)
    view = game.decisions()[0]
    assert str(jantaku.Agent(f"neural:model={path}").choose(view)) == "tsumogiri"


def test_games_held_out_are_not_learned(games: Path) -> None:
    held_out = games_of(jantaku.Dataset(games, encoder=None, rank=0, ranks=2))
    assert len(held_out) == 3
    data = jantaku.Dataset(games, encoder=None, shuffle=True, batch=50)
    batches, seen = learned(data, held_out), set()
    while data.epoch < 1:
        batch = next(batches)
        seen |= set(
            (batch["runs"].astype(np.int64) << 40 | batch["games"].astype(np.int64)).tolist()
        )
    assert len(seen) == 3
    assert not seen & set(held_out.tolist())


def test_muon_makes_singular_values_equal() -> None:
    torch.manual_seed(0)
    for shape in [(6, 40), (40, 6)]:
        values = torch.linalg.svdvals(orthogonal(torch.randn(shape)))
        assert values.min() > 0.4
        assert values.max() < 1.3
    # Steps are like those of torch, which computes them in bf16.
    matrices = [torch.nn.Parameter(torch.ones(8, 4)) for _ in range(2)]
    ours = Muon([matrices[0]], rate=0.1, decay=0.01)
    theirs = torch.optim.Muon(
        [matrices[1]], lr=0.1, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"
    )
    for _ in range(3):
        gradient = torch.randn(8, 4)
        for matrix, optimizer in zip(matrices, (ours, theirs), strict=True):
            matrix.grad = gradient.clone()
            optimizer.step()
    assert torch.allclose(matrices[0], matrices[1], atol=0.01)


def test_nothing_to_learn_is_an_error(games: Path) -> None:
    data = jantaku.Dataset(games, encoder=None)
    with pytest.raises(ValueError, match="nothing to learn"):
        next(learned(data, games_of(jantaku.Dataset(games, encoder=None))))


def test_a_training_does_not_continue_with_other_contents(games: Path, tmp_path: Path) -> None:
    run, first = tmp_path / "run", tmp_path / "first"
    small = {"encoder": "sparse-v1", "hidden": [8, 8], "steps": 2}
    clone(Clone.of(settings(games, first, **small)))
    start = first / "checkpoint.pt"

    def train() -> None:
        clone(Clone.of(settings(run, tmp_path / "out", start=str(start), **small)))

    for seed in 1, 2:
        shutil.rmtree(run, ignore_errors=True)
        jantaku.selfplay(20, "greedy", seed=seed, out=run)
        if seed == 1:
            train()
            train()
    with pytest.raises(ConfigError, match=f"{run} has changed since this training began"):
        train()
    shutil.rmtree(tmp_path / "out")
    train()
    shutil.copy(tmp_path / "out/checkpoint.pt", start)
    with pytest.raises(ConfigError, match=f"{start} has changed since this training began"):
        train()


def test_a_full_disk_keeps_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_checkpoint(path, {}, {"done": 1})
    path.with_name("checkpoint.pt.partial").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device; the last checkpoint is whole"):
        save_checkpoint(path, {}, {"done": 2, "weights": torch.zeros(100_000)})
    assert load_checkpoint(path, {}) == {"done": 1}
    save_checkpoint(path, {}, {"done": 3})
    assert load_checkpoint(path, {}) == {"done": 3}


def test_ctrl_c_says_how_to_go_on(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jantaku.train.training.schedule", interrupted)
    table = settings(games, tmp_path / "out", encoder="sparse-v1")
    assert main(["clone", toml(tmp_path / "a.toml", table)]) == 130
    assert "the same command continues from the last checkpoint" in capsys.readouterr().err


def test_logs_have_rules_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    presets = ["tenhou", "mleague", "mjsoul", "tenhou-noaka"]
    for seed, preset in enumerate(presets):
        game = jantaku.Game(preset, seed=seed)
        game.play("greedy")
        (tmp_path / f"logs/{preset}.json").write_text(game.recorded().to_log("mjai"))
    table = settings(tmp_path / "logs", tmp_path / "out", encoder="sparse-v1", rules="tenhou")
    path = clone(Clone.of(table))
    assert jantaku.Agent(f"neural:model={path}") is not None
    with pytest.raises(jantaku.LogError, match=r"logs/.*\.json: .*expected"):
        clone(Clone.of(table | {"out": str(tmp_path / "no"), "log_rules": "tenhou"}))
