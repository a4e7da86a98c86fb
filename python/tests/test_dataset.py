"""`Dataset`: order, shuffle, resume, ranks, filters, torch, damage."""

from __future__ import annotations

import itertools
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from harness import in_a_fork

import jantaku
from jantaku import Dataset

ROOT = Path(__file__).resolve().parents[2]
# A run that the tests of the tables keep.
RUN = ROOT / "sim" / "tests" / "data" / "tables-3"

Key = tuple[int, int]


def keys(batches: Any) -> list[Key]:
    return [
        (int(game), int(decision))
        for batch in batches
        for game, decision in zip(batch["games"], batch["decisions"], strict=True)
    ]


def test_order_and_labels() -> None:
    batches = list(Dataset(RUN, encoder="planes-v1", batch=100))
    found = keys(batches)
    assert found == sorted(found)
    assert len(found) == len(set(found)) > 100
    for batch in batches:
        rows = len(batch["action"])
        assert batch["planes"].shape == (rows, 216, 34)
        assert batch["planes"].dtype == np.uint8
        assert batch["mask"].shape == (rows, 165)
        assert batch["mask"].dtype == np.bool_
        assert batch["mask"][np.arange(rows), batch["action"]].all()
        assert set(batch["kinds"]) <= set(range(5))
        assert (batch["placements"] >= 1).all()
    sparse = list(Dataset(RUN, encoder="sparse-v1", batch=100))
    assert sparse[0]["active"].dtype == np.uint16
    assert sparse[0]["counts"].max() <= sparse[0]["active"].shape[1]
    none = list(Dataset(RUN, encoder=None, batch=100))
    assert "planes" not in none[0]
    assert keys(none) == keys(sparse) == found


def test_flat_features_are_the_padded_ones() -> None:
    padded = Dataset(RUN, encoder="sparse-v1", batch=100)
    for flat, batch in zip(
        Dataset(RUN, encoder="sparse-v1", batch=100, flat=True), padded, strict=True
    ):
        active, counts = batch.pop("active"), batch.pop("counts")
        rows = np.split(flat.pop("indices"), flat.pop("offsets")[1:])
        assert [len(row) for row in rows] == counts.tolist()
        expected = (row[:count] for row, count in zip(active, counts, strict=True))
        assert all((row == one).all() for row, one in zip(rows, expected, strict=True))
        assert flat.keys() == batch.keys()


def test_quality_of_the_shuffle() -> None:
    """With room for all decisions, a batch is a random sample of the games."""
    shuffled = keys(Dataset(RUN, encoder=None, shuffle=True, seed=4))
    games = Counter(game for game, _ in shuffled)
    same = sum(a[0] == b[0] for a, b in itertools.pairwise(shuffled)) / len(shuffled)
    expected = sum((count / len(shuffled)) ** 2 for count in games.values())
    assert same == pytest.approx(expected, rel=0.25)


def test_a_loop_that_was_left_begins_anew() -> None:
    dataset = Dataset(RUN, encoder=None, batch=50, shuffle=300, seed=1)
    epochs = []
    for epoch in range(3):
        other = Dataset(RUN, encoder=None, batch=50, shuffle=300, seed=1)
        other.set_epoch(epoch)
        epochs.append(keys(other))
    for batch in dataset:
        assert keys([batch]) == epochs[0][:50]
        break
    # The state belongs to the loop that was left, and continues it.
    assert dataset.epoch == 0
    left = dataset.state_dict()
    assert keys([next(iter(dataset))]) == epochs[1][:50]
    assert dataset.epoch == 1
    assert keys(dataset) == epochs[2]
    assert dataset.epoch == 3
    dataset.load_state_dict(left)
    assert keys(dataset) == epochs[0][50:]
    # Two at a time are two epochs.
    dataset.set_epoch(1)
    pairs = list(zip(dataset, dataset, strict=True))
    assert keys(one for one, _ in pairs) == epochs[1]
    assert keys(other for _, other in pairs) == epochs[2]
    assert dataset.epoch == 3


def test_the_torch_adapter_begins_epochs_likewise() -> None:
    pytest.importorskip("torch")
    dataset = Dataset(RUN, encoder=None, batch=50, shuffle=300, seed=1)
    adapter = dataset.torch()
    first = keys([next(iter(adapter))])
    assert keys([next(iter(adapter))]) != first
    dataset.set_epoch(0)
    assert keys(adapter)[:50] == first


def test_filters() -> None:
    batches = list(Dataset(RUN, encoder=None, seats=[1], placements=[1, 2], kinds=["turn"]))
    for batch in batches:
        assert (batch["seats"] == 1).all()
        assert set(batch["placements"]) <= {1, 2}
        assert (batch["kinds"] == Dataset.KINDS.index("turn")).all()


def test_runs_of_different_rules_are_mixed_on_purpose(tmp_path: Path) -> None:
    rules = {"four": "tenhou", "three": "tenhou-sanma"}
    for name, preset in rules.items():
        jantaku.selfplay(2, "greedy", rules=preset, out=tmp_path / name)
    data = Dataset(tmp_path, encoder=None, mixed=True)
    assert data.runs == [str(tmp_path / name) for name in rules]
    seen = set()
    for batch in data:
        seen |= set(zip(batch["runs"].tolist(), batch["players"].tolist(), strict=True))
    assert seen == {(0, 4), (1, 3)}


def test_what_a_function_reports_is_loaded(tmp_path: Path) -> None:
    def network(batch: jantaku.AgentBatch) -> dict[str, Any]:
        logits = np.where(batch.mask, np.arange(165) / 100, 0).astype(np.float32)
        return {"logits": logits, "value": batch.mask.sum(axis=1)}

    def searcher(batch: jantaku.AgentBatch) -> dict[str, Any]:
        policy = np.ones((len(batch), 165))  # more than the legal actions, and not normalised
        return {"actions": batch.mask.argmax(axis=1), "policy": policy}

    agents = [jantaku.FunctionAgent(one, tables=8) for one in (network, searcher)]
    jantaku.selfplay(2, [*agents, "greedy", "greedy"], out=tmp_path / "run", log="oracle")
    assert jantaku.verify(tmp_path / "run").ok
    for batch in Dataset(tmp_path / "run", encoder=None, search_info=True, concealed=True):
        rows, legal = len(batch["action"]), batch["mask"].sum(axis=1)
        assert batch["value"].dtype == batch["policy"].dtype == np.float32
        first, second = (batch["seats"] == seat for seat in (0, 1))
        silent = batch["seats"] > 1
        assert (batch["value"][first] == legal[first]).all()
        assert np.isnan(batch["value"][~first]).all()
        assert np.isfinite(batch["probability"][first]).all()
        assert np.isnan(batch["probability"][~first]).all()
        weights = np.where(batch["mask"], np.exp(np.arange(165) / 100), 0)
        expected = weights / weights.sum(axis=1, keepdims=True)
        assert np.allclose(batch["policy"][first], expected[first], atol=1e-5)
        even = batch["mask"] / legal[:, None]
        assert np.allclose(batch["policy"][second], even[second], atol=1e-5)
        assert np.isnan(batch["policy"][silent]).all()
        assert np.isnan(batch["action_values"]).all()
        assert batch["concealed"].shape == (rows, 4, 37)
        own = batch["concealed"][np.arange(rows), batch["seats"]].sum(axis=1)
        assert set(own.tolist()) <= set(range(1, 15))
    plain = next(iter(Dataset(tmp_path / "run", encoder=None)))
    assert not {"value", "policy", "concealed"} & set(plain)


def replayed_oracle(run: Path, batch: dict[str, Any]) -> np.ndarray:
    """The oracle planes of all decisions of a run, from the games of the engine."""
    games = pyarrow.parquet.read_table(run / "games", columns=["game", "seed"]).to_pydict()
    seeds = dict(zip(games["game"], games["seed"], strict=True))
    planes = []
    numbers, game = -1, jantaku.Game("tenhou-sanma", seed=0)
    for number, seat, action in zip(batch["games"], batch["seats"], batch["action"], strict=True):
        if number != numbers:
            numbers, game = number, jantaku.Game("tenhou-sanma", seed=seeds[number])
        planes.append(game.oracle(int(seat)))
        game.submit(int(seat), int(action))
    return np.array(planes)


def test_oracle_planes_are_those_of_the_game(tmp_path: Path) -> None:
    run = tmp_path / "run"
    jantaku.selfplay(3, "greedy", rules="tenhou-sanma", seed=2, out=run)
    data = Dataset(run, encoder=None, oracle=True, batch=10_000)
    (batch,) = data
    expected = replayed_oracle(run, batch)
    assert batch["oracle"].dtype == np.uint8
    assert (batch["oracle"] == expected).all()
    assert "oracle" not in next(iter(Dataset(run)))
    # Suits are permuted like the rest: the two suits of three players with all tiles.
    (permuted,) = Dataset(run, oracle=True, augment=True, batch=10_000)
    swapped = expected[:, :, [*range(9), *range(18, 27), *range(9, 18), *range(27, 34)]]
    same = (permuted["oracle"] == expected).all(axis=(1, 2))
    assert (same | (permuted["oracle"] == swapped).all(axis=(1, 2))).all()
    assert 0 < same.sum() < len(same)
    # A log reveals the hands.
    log = tmp_path / "log.json"
    game = jantaku.Game("tenhou-sanma", seed=3)
    game.play("greedy")
    log.write_text(game.recorded().to_log("mjai"))
    game = jantaku.Game("tenhou-sanma", seed=3)
    hands = slice(0, 30)
    for row in next(iter(Dataset(log, encoder=None, oracle=True, rules="tenhou-sanma")))["oracle"]:
        view = game.decisions()[0]
        assert (row[hands] == game.oracle(view.seat)[hands]).all()
        game.submit(view.seat, game.ask("greedy", view.seat))


def test_torch_tensors_and_data_loader() -> None:
    torch = pytest.importorskip("torch")
    plain = keys(Dataset(RUN, encoder=None))
    batch = next(iter(Dataset(RUN, encoder="planes-v1", tensors="torch")))
    assert batch["planes"].dtype == torch.uint8
    assert batch["mask"].dtype == torch.bool
    dataset = Dataset(RUN, encoder="sparse-v1", batch=64, shuffle=True)
    loader = torch.utils.data.DataLoader(dataset.torch(), batch_size=None)
    assert sorted(keys(loader)) == plain
    # Worker processes are forks: each starts threads of its own, and loads a share.
    workers = torch.utils.data.DataLoader(dataset.torch(), batch_size=None, num_workers=2)
    assert sorted(keys(workers)) == plain


@pytest.mark.filterwarnings("ignore:This DataLoader will create")
@pytest.mark.parametrize("encoder", ["planes-v1", "sparse-v1"])
def test_worker_processes_share_the_rows(encoder: str) -> None:
    torch = pytest.importorskip("torch")

    def rows(workers: int) -> list[bytes]:
        data = Dataset(RUN, encoder=encoder, batch=32, shuffle=100, seed=3).torch()
        loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=workers)
        # All batches live until the end: a worker that used their memory again would change rows.
        batches = list(loader)
        assert all(type(batch) is dict for batch in batches)
        columns = [[batch[name].numpy() for batch in batches] for name in sorted(batches[0])]
        parts = zip(*(itertools.chain(*column) for column in columns), strict=True)
        return sorted(b"".join(value.tobytes() for value in row) for row in parts)

    expected = rows(0)
    assert len(expected) == len(set(expected)) > 100
    for workers in (1, 2, 3):
        assert rows(workers) == expected


def test_a_worker_process_uses_its_memory_again() -> None:
    torch = pytest.importorskip("torch")
    data = Dataset(RUN, encoder="planes-v1", batch=2).torch()
    places = Counter(
        batch["planes"].data_ptr()
        for batch in torch.utils.data.DataLoader(data, batch_size=None, num_workers=1)
    )
    # It fills two batches ahead.
    assert places.total() > 50
    assert len(places) < 8


def test_logs_go_through_the_same_door(tmp_path: Path) -> None:
    game = jantaku.Game("tenhou", seed=1)
    game.play("greedy")
    file = tmp_path / "game.mjson"
    file.write_text("\n".join(json.dumps(event) for event in game.events()) + "\n")
    batches = list(Dataset(file, encoder="planes-v1", rules="tenhou"))
    found = keys(batches)
    assert len(found) > 200
    assert found == sorted(found)
    final = {
        int(seat): int(points)
        for batch in batches
        for seat, points in zip(batch["seats"], batch["points"], strict=True)
    }
    assert [final[seat] for seat in range(4)] == [result.points for result in game.results]
    broken = tmp_path / "broken.mjson"
    broken.write_text('{"type":"start_game"}\n')
    with pytest.raises(jantaku.LogError, match=r"broken\.mjson"):
        list(Dataset(broken))
    both = Dataset([file, broken], encoder=None, rules="tenhou", skip_damaged=True)
    assert keys(both) == found
    assert both.skipped == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_iterator_does_not_survive_a_fork() -> None:
    batches = iter(Dataset(RUN, batch=10))
    next(batches)

    def use() -> None:
        with pytest.raises(RuntimeError, match="fork"):
            next(batches)

    assert in_a_fork(use) == 0
    assert next(batches)["action"].shape == (10,)


def test_a_function_encodes_as_the_encoder_does() -> None:
    def encode(observation: jantaku.Observation) -> dict[str, np.ndarray]:
        return {"own": observation.encode("planes-v1"), "seen": np.int64(observation.seat)}

    options = {"batch": 70, "shuffle": 300, "seed": 3}
    plain = Dataset(RUN, encoder="planes-v1", **options)
    found = Dataset(RUN, encoder=encode, **options)
    for expected, batch in zip(plain, found, strict=True):
        assert (batch["own"] == expected["planes"]).all()
        assert batch["own"].dtype == np.uint8
        assert (batch["seen"] == expected["seats"]).all()
        assert batch.keys() - {"own", "seen"} == expected.keys() - {"planes"}
    (one, *_) = Dataset(RUN, encoder=lambda observation: encode(observation)["own"], batch=50)
    assert one["encoded"].shape == (50, 216, 34)


def test_counters_are_signed() -> None:
    batch = next(iter(Dataset(RUN, encoder=None)))
    of_env = jantaku.VecEnv(2).recv()
    for name in ("games", "hands", "decisions", "results"):
        assert (batch[name] - 1).min() < 2**30, name
        assert np.issubdtype(batch[name].dtype, np.signedinteger), name
        assert np.issubdtype(of_env[name].dtype, np.signedinteger), name
    shared = {"seats", "games", "hands", "decisions", "points", "placements", "results", "mask"}
    assert shared <= {*batch} & {*of_env.keys()}
