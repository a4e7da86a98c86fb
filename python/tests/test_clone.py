"""`jantaku.train clone`: games to a network that plays."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from harness import toml

import jantaku

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")
parquet = pytest.importorskip("pyarrow.parquet")

from jantaku.train import agreement  # noqa: E402
from jantaku.train.__main__ import main  # noqa: E402
from jantaku.train.agreement import kinds_of, moves  # noqa: E402
from jantaku.train.clone import clone, games_of, learned, rules_of  # noqa: E402
from jantaku.train.config import Clone, ConfigError  # noqa: E402
from jantaku.train.files import load_checkpoint, save_checkpoint  # noqa: E402
from jantaku.train.heads import opponents, outlook, targets  # noqa: E402
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


def curve(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "curve.csv").read_text().splitlines()))


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
    for changed, said in [
        ({"hidden": [8, 8]}, r"a network with hidden = \[16, 8\], expected \[8, 8\]"),
        ({"heads": {}}, r"a network with the heads \['value'\], expected \[\]"),
        ({"start": str(first / "curve.csv")}, "expected a checkpoint, found"),
    ]:
        table = settings(games, tmp_path / "third", **shape | other | changed)
        with pytest.raises(ConfigError, match=said):
            clone(Clone.of(table))


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


def test_actions_have_their_documented_numbers() -> None:
    assert (agreement.TSUMOGIRI, agreement.DISCARD_ACTIONS, agreement.ALL_DISCARDS) == (37, 38, 114)
    assert agreement.TILES.tolist() == [*range(34), 4, 13, 22]
    assert agreement.WINS.tolist() == [159, 160]
    assert agreement.CALLS.tolist() == [*range(114, 124)]
    assert agreement.KANS.tolist() == [*range(124, 158)]


def test_equal_tiles_are_equal_moves() -> None:
    # 0m, 5m and tsumogiri with a drawn 5m; the same with riichi; calls differ.
    same = moves(np.array([34, 4, 37]), np.array([4, 4, 4]))
    assert len(set(same)) == 1
    riichi = moves(np.array([72, 42, 75]), np.array([4, 4, 4]))
    assert len(set(riichi)) == 1
    assert same[0] != riichi[0]
    assert moves(np.array([37]), np.array([5])) == 5
    assert moves(np.array([114, 115]), np.array([-1, -1])).tolist() == [114, 115]


def test_decisions_have_their_kinds() -> None:
    mask = np.zeros((4, 165), bool)
    mask[0, [0, 1]] = True  # two discards
    mask[1, [0, 37, 38, 160]] = True  # a discard, tsumogiri, riichi, tsumo
    mask[2, [114, 162]] = True  # a chi
    mask[3, [34, 4, 124]] = True  # both fives and a kan
    kinds = kinds_of(mask, np.array([0, 160, 162, 4]))
    assert kinds["discard"].tolist() == [True, False, False, False]
    assert kinds["riichi"].tolist() == [False, True, False, False]
    assert kinds["call"].tolist() == [False, False, True, False]
    assert kinds["kan"].tolist() == [False, False, False, True]
    assert kinds["win"].tolist() == [False, True, False, False]


def counts(tiles: str) -> np.ndarray:
    found = np.zeros(37, np.uint8)
    suit = 0
    for char in reversed(tiles):
        if char.isdigit():
            found[34 + suit if char == "0" else 9 * suit + int(char) - 1] += 1
        else:
            suit = "mpsz".index(char)
    return found


def test_targets_follow_from_concealed_tiles() -> None:
    hands = ["123m406p789s1122z", "147m258p369s1234z", "2222m", "19m19p19s1234567z"]
    concealed = np.stack([counts(hand) for hand in hands])[None]
    found = opponents(concealed, np.array([0]), np.array([4]))
    assert found[0, 0].sum() == 13
    tenpai, waits = outlook(opponents(concealed, np.array([3]), np.array([4])))
    assert tenpai[0].tolist() == [1, 0, 0]
    assert np.flatnonzero(waits[0, 0]).tolist() == [27, 28]
    assert not waits[0, 1:].any()
    # Thirteen orphans, seen from the right of it.
    tenpai, waits = outlook(opponents(concealed, np.array([0]), np.array([4])))
    assert (tenpai[0, 2], waits[0, 2].sum()) == (1, 13)
    # With three players nobody is across, and the left neighbour is the seat after the next.
    found = opponents(concealed, np.array([2]), np.array([3]))
    assert found[0].sum(axis=1).tolist() == [13, 0, 13]
    assert np.isnan(outlook(found)[0][0]).tolist() == [False, True, False]


def test_games_without_end_have_no_value() -> None:
    batch = {"placements": np.array([1, 0]), "results": np.array([55_000, 0])}
    found = targets(batch, ["value", "placement"])
    assert found["value"][0] == 5.5
    assert found["placement"][0] == 0
    assert found["value"][1].isnan()
    assert found["placement"][1].isnan()


def test_a_checkpoint_of_other_settings_is_refused(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = settings(games, tmp_path / "out", encoder="sparse-v1", steps=2)
    assert main(["clone", toml(tmp_path / "a.toml", table)]) == 0
    assert main(["clone", toml(tmp_path / "a.toml", table | {"rate": 0.5})]) == 1
    assert (
        "a training with rate = 0.003, found 0.5: choose another `out`" in capsys.readouterr().err
    )


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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda _: b"", "an empty file"),
        (lambda _: b"steps = 2", r"a file that starts with b'steps = 2'"),
        (lambda contents: contents[: len(contents) // 2], "a file that was cut short"),
        (lambda contents: contents[:300] + bytes(200) + contents[500:], "other contents of torch"),
    ],
)
def test_a_damaged_checkpoint_is_named(
    tmp_path: Path, change: Callable[[bytes], bytes], said: str
) -> None:
    path = tmp_path / "checkpoint.pt"
    save_checkpoint(path, {}, {"weights": torch.arange(1000)})
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ConfigError, match=rf"checkpoint.pt: expected a checkpoint, found {said}"):
        load_checkpoint(path, {})


def test_a_file_of_torch_that_is_no_checkpoint_is_named(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = settings(games, tmp_path / "out", encoder="planes-v1", steps=2)
    assert main(["clone", toml(tmp_path / "a.toml", table)]) == 0
    path = tmp_path / "out/checkpoint.pt"
    for contents, said in [
        ((tmp_path / "out/clone.pt").read_bytes(), "found a TorchScript network"),
        (b"", "found an empty file; delete the file to start over"),
    ]:
        path.write_bytes(contents)
        assert main(["clone", str(tmp_path / "a.toml")]) == 1
        assert said in capsys.readouterr().err
    torch.save({"network": {}}, path)
    with pytest.raises(ConfigError, match="found other contents of torch"):
        load_checkpoint(path, {})


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


def test_logs_need_rules(games: Path, tmp_path: Path) -> None:
    game = jantaku.Game(seed=1)
    game.play("greedy")
    log = tmp_path / "game.mjlog"
    log.write_text(game.recorded().to_log("mjai"))
    config = settings(log, tmp_path, encoder="sparse-v1")
    with pytest.raises(ConfigError, match=r"rules: missing, because .*game.mjlog is no run"):
        rules_of(Clone.of(config))
    assert rules_of(Clone.of(config | {"rules": "mleague"})).hash == jantaku.Rules("mleague").hash
    assert rules_of(Clone.of(settings(games, tmp_path))).hash == jantaku.Rules("tenhou").hash
    jantaku.selfplay(1, "greedy", rules="tenhou-sanma", out=tmp_path / "sanma")
    found = rules_of(Clone.of(settings(tmp_path / "sanma", tmp_path)))
    assert found.hash == jantaku.Rules("tenhou-sanma").hash
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/run.toml").write_text("from_logs = true\n[rules]\nplayers = 4\n")
    with pytest.raises(ConfigError, match=r"rules: missing, because the games of .*logs come from"):
        rules_of(Clone.of(settings(tmp_path / "logs", tmp_path)))


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
