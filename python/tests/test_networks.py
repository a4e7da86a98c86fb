"""`jantaku.networks`: batches as tensors, and files of networks with a value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jantaku

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from jantaku.networks import BagNetwork, CandidateNetwork, ColumnNetwork, tensors  # noqa: E402
from jantaku.train.player import player  # noqa: E402

RUN = Path(__file__).parents[2] / "sim/tests/data/tables-3"
NETWORKS = {
    "planes-v1": lambda: ColumnNetwork(8, ["value"]),
    "sparse-v1": lambda: BagNetwork([16, 8], ["value"]),
}
# What torch computes with. Numbers are those of the arrays.
TYPES = {
    "bool": torch.bool,
    "uint8": torch.uint8,
    "uint16": torch.int32,
    "uint32": torch.int64,
    "uint64": torch.int64,
    "int32": torch.int32,
    "int64": torch.int64,
    "float32": torch.float32,
}


def batches(encoder: str) -> dict[str, Any]:
    """Batches of every kind with the arrays of an encoder."""
    found: dict[str, Any] = {"environment": jantaku.VecEnv(6, encoder=encoder, oracle=True).recv()}

    def look(batch: jantaku.AgentBatch) -> Any:
        found.setdefault("function", batch)
        return batch.mask.argmax(axis=1)

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
def test_the_value_arrives_in_the_dataset(
    tmp_path: Path, encoder: str, unit: str, factor: float
) -> None:
    torch.manual_seed(2)
    network = NETWORKS[encoder]()
    path = tmp_path / f"mine{network.suffix}"
    network.save(path, "tenhou", value=unit)
    agent = f"neural:model={path}" if encoder == "sparse-v1" else player(path)
    jantaku.selfplay(2, [agent, "greedy", "greedy", "greedy"], seed=1, out=tmp_path / "run")
    data = jantaku.Dataset(tmp_path / "run", encoder=encoder, search_info=True, seats=[0])
    batch = next(iter(data))
    with torch.no_grad():
        expected = network(*network.inputs(batch))["value"].numpy() * factor
    assert expected.std() > 0
    assert np.allclose(batch["value"], expected, rtol=1e-3, atol=1e-4 * factor)
    if encoder == "sparse-v1":
        found = jantaku.Agent(agent).evaluate(batch)["values"]
        assert np.allclose(found, expected, rtol=1e-3, atol=1e-4 * factor)
        again = BagNetwork.load(path)
        with torch.no_grad():
            loaded = again(*again.inputs(batch))["value"].numpy() * factor
        assert np.allclose(loaded, expected, rtol=1e-4, atol=1e-4 * factor)


def test_a_network_without_a_value_reports_none(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    BagNetwork([8], []).save(path, "tenhou", value="placement")
    batch = jantaku.VecEnv(2, encoder="sparse-v1").recv()
    assert set(jantaku.Agent(f"neural:model={path}").evaluate(batch)) == {
        "logits",
        "log_probabilities",
    }
