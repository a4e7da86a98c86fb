"""`jantaku.train`: labels to a network that plays."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness import curve, toml

import jantaku

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from torch import Tensor  # noqa: E402

from jantaku.train.__main__ import main  # noqa: E402
from jantaku.train.candidates import KINDS, UNIT, Decisions, Loader, Pieces  # noqa: E402
from jantaku.train.config import ConfigError, Improve  # noqa: E402
from jantaku.train.curve import Curve  # noqa: E402
from jantaku.train.improve import improve  # noqa: E402
from jantaku.train.network import CandidateNetwork  # noqa: E402
from jantaku.train.optimizer import Optimizer  # noqa: E402
from jantaku.train.training import Training  # noqa: E402

OPTIONS = "deals=2,players=greedy,careful=greedy,discard=0.5"


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of heuristic with labels."""
    run = tmp_path_factory.mktemp("labels") / "run"
    jantaku.selfplay(6, "heuristic", seed=3, out=run, games_per_part=2, labels=OPTIONS)
    return run


def test_the_loader_has_the_labels_of_the_table(labels: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(labels / "labels")
    found = list(jantaku.Dataset(labels, encoder="sparse-v1", labels=True, batch=500))
    for name, column in [("decisions", "decision"), ("deals", "deals"), ("games", "game")]:
        loaded = np.concatenate([batch[name] for batch in found])
        assert loaded.tolist() == table[column].to_pylist()
    sums = np.concatenate([batch["difference_sum"] for batch in found])
    expected = [value for row in table["difference_sums"].to_pylist() for value in row]
    assert np.array_equal(sums, np.array(expected, dtype=np.float32))
    for batch in found:
        assert batch["candidate_counts"].sum() == len(batch["candidate"]) == len(batch["gap"])
        assert batch["candidate_active_counts"].sum() == len(batch["candidate_active"])
        assert len(batch["active"]) == len(batch["deals"])


def test_a_run_is_labelled_later(labels: Path, tmp_path: Path) -> None:
    run, later = tmp_path / "run", tmp_path / "later"
    jantaku.selfplay(6, "heuristic", seed=3, out=run, games_per_part=2)
    found = jantaku.label(run, later, labels=OPTIONS)
    assert (found["games"], found["complete"]) == (6, True)
    for part in sorted((labels / "labels").iterdir()):
        assert (later / "labels" / part.name).read_bytes() == part.read_bytes()
    assert jantaku.label(run, later, resume=True)["rows"] == found["rows"]
    with pytest.raises(ValueError, match="`labels`: "):
        jantaku.label(run, tmp_path / "no", labels="deals=0")
    with pytest.raises(jantaku.RunError, match=r"`labels`: the run in .* found .*deals=1,"):
        jantaku.label(run, later, labels="deals=1", resume=True)


def experiment(labels: Path, out: Path, **changed: object) -> dict[str, Any]:
    """Settings of a small training."""
    table = {"labels": [str(labels)], "out": str(out), "hidden": [8, 8], "batch": 256, "threads": 1}
    return table | {"folds": 0, "tested": 0} | changed


def _whole(labels: Path) -> Decisions:
    """All decisions of a run with labels."""
    return next(Pieces([str(labels)], 1_000_000, seed=0).epoch())


def test_pieces_have_every_decision_once_an_epoch(labels: Path) -> None:
    """Each epoch has another order. Reading goes on after any batch, as if it had not stopped."""
    whole, cpu = _whole(labels), torch.device("cpu")
    expected = np.sort(whole.difference)
    steps = -(-len(whole) // 100)
    for size in (1_000_000, 300):
        pieces = Pieces([str(labels)], size, seed=4)
        found = list(pieces.epoch())
        assert (len(found) > 1) == (size == 300)
        assert np.array_equal(np.sort(np.concatenate([one.difference for one in found])), expected)
        batches = pieces.batches(100, lambda piece: piece.kind >= 0, {}, cpu)
        places, read = zip(*(next(batches) for _ in range(3 * steps)), strict=True)
        for stop in (0, 1, steps, len(read) - 2):
            again = Pieces([str(labels)], size, seed=4).batches(
                100, lambda piece: piece.kind >= 0, places[stop], cpu
            )
            assert torch.equal(next(again)[1].scalars, read[stop + 1].scalars)
        epochs: list[list[Tensor]] = [[], [], [], []]
        for place, batch in zip(places, read, strict=True):
            epochs[place["epoch"]].append(batch.scalars)
        first, second = (torch.cat(epoch) for epoch in epochs[:2])
        assert len(first) == len(second) == len(whole.gap)
        assert not torch.equal(first, second)


def test_pairs_have_what_the_gap_lacks(labels: Path) -> None:
    labelled = _whole(labels)
    batch = Loader(labelled, torch.device("cpu")).batch(np.arange(len(labelled)))
    pairs = batch.candidate.numpy()
    expected = (labelled.difference[pairs] - labelled.gap[pairs]) / UNIT
    assert np.allclose(batch.target.numpy(), expected)
    assert not np.isnan(labelled.gap[pairs]).any()
    # The chosen candidate is the first of the same decision.
    decision = np.searchsorted(labelled.first, pairs, side="right") - 1
    assert np.array_equal(batch.chosen.numpy(), labelled.first[decision])
    # Each candidate has its own features.
    active, offsets = batch.active.numpy(), [*batch.offsets.tolist(), len(batch.active)]
    for candidate in pairs[:50]:
        begin, end = labelled.begin[candidate], labelled.begin[candidate + 1]
        own = active[offsets[candidate] : offsets[candidate + 1]]
        assert np.array_equal(own, labelled.active[begin:end])


def test_training_finds_what_is_there(labels: Path, tmp_path: Path) -> None:
    """If rollouts said that kind decides, the network learns it, and its file plays so."""
    labelled = _whole(labels)
    # Every other candidate is worth 500 points more than its gap.
    labelled.difference[:] = np.where(np.isnan(labelled.gap), 0, labelled.gap + 500)
    labelled.difference[labelled.first[:-1]] = 0
    labelled.square[:] = 1000.0**2
    network = _trained(labelled)
    path = tmp_path / "r.safetensors"
    least = dict.fromkeys(KINDS, 20.0)
    network.save(path, base="heuristic:version=1", rules="tenhou", shrink=1.0, least=least)
    with torch.no_grad():
        batch = Loader(labelled, torch.device("cpu")).batch(np.arange(len(labelled)))
        values = network(batch.active, batch.offsets, batch.scalars)
        corrections = (values[batch.other] - values[batch.chosen]).numpy() * UNIT
    assert abs(corrections.mean() - 500) < 60
    games = jantaku.selfplay(
        2, ["heuristic", f"residual:model={path}", "greedy", "greedy"], log=None
    )
    assert games is not None


def _trained(labelled: Decisions) -> CandidateNetwork:
    torch.manual_seed(0)
    network = CandidateNetwork([16, 8])
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
    batch = Loader(labelled, torch.device("cpu")).batch(np.arange(len(labelled)))
    for _ in range(200):
        values = network(batch.active, batch.offsets, batch.scalars)
        loss = (values[batch.other] - values[batch.chosen] - batch.target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return network


def test_a_training_starts_from_a_network(labels: Path, tmp_path: Path) -> None:
    """It has the weights of the file."""
    torch.manual_seed(0)
    network, path = CandidateNetwork([8, 4]), tmp_path / "r.safetensors"
    torch.nn.init.normal_(network.value.weight)
    least = dict.fromkeys(KINDS, 20.0)
    network.save(path, base="heuristic", rules="tenhou", shrink=1.0, least=least)
    again = CandidateNetwork([8, 4])
    again.start_from(path)
    batch = Loader(_whole(labels), torch.device("cpu")).batch(np.arange(20))
    inputs = (batch.active, batch.offsets, batch.scalars)
    assert torch.equal(again(*inputs), network(*inputs))
    assert torch.equal(CandidateNetwork.load(path)(*inputs), network(*inputs))


def test_an_experiment_writes_a_network_and_goes_on(labels: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "experiment.toml", tmp_path / "out"
    config = toml(path, experiment(labels, out, epochs=1, folds=2, tested=2))
    assert main(["improve", config]) == 0
    first = (out / "residual.safetensors").read_bytes()
    report = json.loads((out / "held-out.json").read_text())
    assert 0 <= report["shrink"] <= 1
    assert min(report["least"].values()) >= 20
    # The folds are read again, and the network is the same.
    before = (out / "fold-0.pt").stat().st_mtime_ns
    assert main(["improve", config]) == 0
    assert (out / "fold-0.pt").stat().st_mtime_ns == before
    assert (out / "residual.safetensors").read_bytes() == first
    # Labels that do not fit in memory are read in pieces.
    toml(path, experiment(labels, out / "pieces", epochs=1, folds=2, tested=2, piece=300))
    assert main(["improve", config]) == 0
    pieces = json.loads((out / "pieces" / "held-out.json").read_text())
    assert pieces["gains"]["all"][0]["least"] == 0
    assert jantaku.Agent(f"residual:model={out / 'residual.safetensors'}") is not None


def trained(out: Path, average: float, until: int = 10) -> tuple[list[Tensor], Tensor]:
    """The weights after each step of a training until some step, and those at its end."""
    torch.manual_seed(3)
    network = torch.nn.Linear(4, 1)
    training = Training(
        "line",
        network,
        Optimizer(network, [], rate=0.1, decay=0.0),
        Curve(out),
        steps=10,
        warm_up=1,
        every=4,
        checkpoint=out / "line.pt",
        settings={},
        average=average,
    )
    found = []
    for step in training.steps():
        found.append(network.weight.detach().clone())
        if step == until:
            break
        inputs = torch.from_numpy(np.random.default_rng(step).normal(size=(8, 4))).float()
        training.learn((network(inputs) - inputs.sum(dim=1, keepdim=True)).square().mean())
    return found[1:], network.weight.detach()


def test_the_last_weights_are_averaged(tmp_path: Path) -> None:
    (tmp_path / "off").mkdir()
    weights, last = trained(tmp_path / "off", 0.0)
    weights.append(last)
    for average, steps in [(0.2, 2), (0.45, 5), (1.0, 10)]:
        whole, stopped = tmp_path / f"whole-{average}", tmp_path / f"stopped-{average}"
        whole.mkdir()
        stopped.mkdir()
        _, mean = trained(whole, average)
        assert torch.allclose(mean, torch.stack(weights[-steps:]).mean(dim=0), atol=1e-6)
        assert not torch.allclose(mean, last, atol=1e-6)
        # The last checkpoint is after eight of ten steps.
        trained(stopped, average, until=9)
        assert torch.equal(trained(stopped, average)[1], mean)
        # A training that is complete ends with the mean, too.
        assert torch.equal(trained(stopped, average)[1], mean)


def test_a_mean_of_an_older_version_is_refused(tmp_path: Path) -> None:
    trained(tmp_path, 1.0, until=9)
    checkpoint = torch.load(tmp_path / "line.pt", weights_only=True)
    checkpoint["state"]["mean"] = {"steps": 8, "means": {}}
    torch.save(checkpoint, tmp_path / "line.pt")
    with pytest.raises(ConfigError, match="is of an old version: delete it to start over"):
        trained(tmp_path, 1.0)


def test_an_experiment_may_average_its_weights(labels: Path, tmp_path: Path) -> None:
    networks = []
    for average in (0.0, 0.5):
        table = experiment(labels, tmp_path / str(average), average=average)
        networks.append(CandidateNetwork.load(improve(Improve.of(table))).value.weight)
    assert not torch.equal(*networks)


def test_tensorboard_gets_the_curve(
    labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, int]] = []

    class Writer:
        def __init__(self, folder: str) -> None:
            assert folder == str(tmp_path / "tensorboard")

        def add_scalar(self, name: str, _: float, step: int) -> None:
            written.append((name, step))

        def flush(self) -> None:
            pass

    board = types.SimpleNamespace(SummaryWriter=Writer)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", board)
    improve(Improve.of(experiment(labels, tmp_path, folds=2, tested=1, tensorboard=True)))
    rows = curve(tmp_path)
    assert [row["network"] for row in rows] == ["fold-0", "all"]
    assert written == [(f"{row['network']}/loss", int(row["step"])) for row in rows]


def test_a_loss_that_is_not_finite_stops(labels: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="lower `rate`"):
        improve(Improve.of(experiment(labels, tmp_path, rate=1e30)))
