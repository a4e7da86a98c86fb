"""`jantaku.networks`: batches as tensors, and files of networks with a value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness import ENCODERS, ROOT, first_legal

import jantaku

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from jantaku.networks import BagNetwork, CandidateNetwork, ColumnNetwork, tensors  # noqa: E402
from jantaku.train.config import Clone  # noqa: E402
from jantaku.train.critic import CriticNetwork  # noqa: E402
from jantaku.train.inputs import drawn  # noqa: E402
from jantaku.train.learner import network_of  # noqa: E402
from jantaku.train.player import player  # noqa: E402

RUN = ROOT / "sim/tests/data/tables-3"
HEADS = ["value", "placement", "tenpai", "waits"]
NETWORKS = {
    "planes-v1": lambda: ColumnNetwork(8, HEADS),
    "sparse-v1": lambda: BagNetwork([16, 8], HEADS),
    "events-v1": lambda: BagNetwork([16, 8], HEADS, "events-v1"),
}
# What torch computes with. Numbers are those of the arrays.
TYPES = {
    "bool": torch.bool,
    "uint8": torch.uint8,
    "uint16": torch.int32,
    "int32": torch.int32,
    "int64": torch.int64,
    "float32": torch.float32,
}


def batches(encoder: str) -> dict[str, Any]:
    """Batches of every kind with the arrays of an encoder."""
    found: dict[str, Any] = {"environment": jantaku.VecEnv(6, encoder=encoder, oracle=True).recv()}

    def look(batch: jantaku.AgentBatch) -> Any:
        found.setdefault("function", batch)
        return first_legal(batch)

    agent = jantaku.FunctionAgent(look, encoder=encoder)
    jantaku.selfplay(1, [agent, "greedy", "greedy", "greedy"])
    for name in ("numpy", "torch"):
        found[name] = next(iter(jantaku.Dataset(RUN, encoder=encoder, batch=8, tensors=name)))
    if encoder == "sparse-v1":
        found["flat"] = next(iter(jantaku.Dataset(RUN, encoder=encoder, batch=8, flat=True)))
    return found


@pytest.mark.parametrize("encoder", list(NETWORKS))
def test_batches_become_tensors(encoder: str) -> None:
    for kind, batch in batches(encoder).items():
        found = tensors(batch)
        names = batch.keys()
        assert list(found) == list(names), kind
        for name, tensor in found.items():
            array = np.asarray(batch[name])
            assert tensor.dtype == TYPES[str(array.dtype)], (kind, name)
            assert np.array_equal(tensor.numpy(), array), (kind, name)
            assert not np.shares_memory(tensor.numpy(), array), (kind, name)
        # They may be computed with.
        assert (found["mask"].logical_not().sum(1) + found["mask"].sum(1) == 165).all()
        assert all(tensor.device.type == "meta" for tensor in tensors(batch, "meta").values())


@pytest.mark.parametrize("encoder", list(NETWORKS))
def test_networks_read_every_batch(encoder: str) -> None:
    torch.manual_seed(1)
    network = NETWORKS[encoder]()
    every = batches(encoder)
    for kind, batch in every.items():
        inputs = network.inputs(batch)
        arrays = [np.asarray(batch[name]) for name in batch.keys()]  # noqa: SIM118
        for one in inputs:
            assert not any(np.shares_memory(one.numpy(), array) for array in arrays), kind
        rows = len(batch["mask"])
        assert network(*inputs)["policy"].shape == (rows, jantaku.Action.COUNT), kind
        assert [one.device.type for one in network.inputs(batch, "meta")] == ["meta"] * len(inputs)
        for one, other in zip(inputs, network.inputs(tensors(batch)), strict=True):
            assert (one.dtype, one.tolist()) == (other.dtype, other.tolist()), kind
    # The same decisions are the same inputs.
    for kind in every.keys() & {"torch", "flat"}:
        for one, other in zip(
            network.inputs(every["numpy"]), network.inputs(every[kind]), strict=True
        ):
            assert torch.equal(one, other), kind


def test_tensors_of_a_policy_are_sent() -> None:
    network = BagNetwork([8], [])
    with jantaku.VecEnv(5, encoder="sparse-v1", seed=3) as env, torch.no_grad():
        batch = env.recv()
        for _ in range(60):
            found = tensors(batch)
            logits = network(*network.inputs(batch))["policy"].masked_fill(~found["mask"], -1e9)
            batch = env.step(torch.multinomial(logits.softmax(dim=1), 1)[:, 0])
        assert batch.decisions.max() > 10


def test_candidates_are_read(tmp_path: Path) -> None:
    jantaku.selfplay(1, "greedy", seed=3, out=tmp_path / "run", labels="discard=0.5,deals=2")
    batch = next(iter(jantaku.Dataset(tmp_path / "run", encoder=None, labels=True)))
    network = CandidateNetwork([8])
    torch.nn.init.normal_(network.trunk.embedding.weight)
    torch.nn.init.normal_(network.value.weight)
    found = network(*network.inputs(batch)).detach().numpy()
    assert found.shape == batch["candidate"].shape
    # The last candidate alone.
    active = torch.from_numpy(batch["candidate_active"].astype(np.int64))
    count = int(batch["candidate_active_counts"][-1])
    scalars = torch.from_numpy(batch["candidate_scalars"][-1:])
    alone = network(active[-count:], torch.zeros(1, dtype=torch.int64), scalars)
    assert found[-1] == pytest.approx(alone.item(), rel=1e-5)


@pytest.mark.parametrize("encoder", list(NETWORKS))
@pytest.mark.parametrize(("unit", "factor"), [("points", 10_000), ("placement", 1)])
def test_the_file_answers_as_the_network(
    tmp_path: Path, encoder: str, unit: str, factor: float
) -> None:
    """In `evaluate`, in a run with its value and policy, and as the network of the file."""
    torch.manual_seed(2)
    network = NETWORKS[encoder]()
    path = tmp_path / f"mine{network.suffix}"
    network.save(path, "tenhou", value=unit)
    is_script = path.suffix == ".pt"
    agent = player(path) if is_script else f"neural:model={path}"
    jantaku.selfplay(4, [agent, "greedy", "greedy", "greedy"], seed=1, out=tmp_path / "run")
    batch = next(
        iter(jantaku.Dataset(tmp_path / "run", encoder=encoder, search_info=True, seats=[0]))
    )
    with torch.no_grad():
        expected = network(*network.inputs(batch))
    shapes = {"policy": (165,), "value": (), "placement": (4,), "tenpai": (3,), "waits": (3, 34)}
    assert {name: tuple(one.shape[1:]) for name, one in expected.items()} == shapes
    value = expected["value"].numpy() * factor
    assert value.std() > 0
    assert np.allclose(batch["value"], value, rtol=1e-3, atol=1e-4 * factor)
    legal = expected["policy"].masked_fill(~torch.from_numpy(batch["mask"]), -np.inf)
    assert np.allclose(batch["policy"], legal.softmax(dim=1).numpy(), atol=2e-3)
    assert (legal.argmax(dim=1).numpy() == batch["action"]).mean() > 0.99
    if not is_script:
        found = jantaku.Agent(agent).evaluate(batch)
        assert np.allclose(found["values"], value, rtol=1e-3, atol=1e-4 * factor)
        assert np.allclose(found["logits"], legal.numpy(), atol=1e-3)
        assert np.allclose(found["log_probabilities"], legal.log_softmax(dim=1).numpy(), atol=1e-3)
        again = BagNetwork.load(path)
        with torch.no_grad():
            for head, output in again(*again.inputs(batch)).items():
                assert torch.allclose(output, expected[head], rtol=1e-4, atol=1e-4), head


def test_the_encoder_chooses_the_network() -> None:
    """By what its arrays mean. A critic follows it."""
    for encoder in map(jantaku.Encoder, ENCODERS):
        network = network_of(Clone(runs=["r"], out="o", encoder=encoder.name, width=4, hidden=[8]))
        assert isinstance(network, ColumnNetwork if encoder.name == "planes-v1" else BagNetwork)
        assert network.encoder == encoder
        with jantaku.VecEnv(3, encoder=encoder, oracle=True) as env:
            batch = env.recv()
            inputs = network.inputs(batch)
            assert network(*inputs)["policy"].shape == (3, jantaku.Action.COUNT)
            hidden = torch.from_numpy(batch.oracle).float()
            assert not CriticNetwork(encoder)(inputs, hidden).any()
            kinds = drawn(encoder, batch)
            seen = [env.observation(table, int(batch.seats[table])).drawn for table in range(3)]
            known = [kind_of(tile) for tile in seen]
            assert kinds.tolist() == known


def kind_of(tile: str) -> int:
    return 9 * "mpsz".index(tile[1]) + (int(tile[0]) or 5) - 1


def test_a_network_without_a_value_reports_none(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    BagNetwork([8], []).save(path, "tenhou", value="placement")
    batch = jantaku.VecEnv(2, encoder="sparse-v1").recv()
    assert set(jantaku.Agent(f"neural:model={path}").evaluate(batch)) == {
        "logits",
        "log_probabilities",
    }
