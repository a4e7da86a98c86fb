"""A network for ``sparse-v1`` that the program plays on its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .._jantaku import Action, Encoder, flat_features
from .._torch import Arrays, tensor
from .config import ConfigError
from .heads import SHAPES, size
from .policy import Policy, unit_of
from .trunk import Trunk, hidden_of, read_tensors, save_tensors

ENCODER = Encoder("sparse-v1")
DRAWN = next(one["first"] for one in ENCODER.channels if one["name"] == "hand.drawn.own")


class BagNetwork(Policy):
    """An embedding bag for ``sparse-v1``, dense layers, and a layer for each head.

    It returns a dict of tensors for n decisions: ``policy``, the logits of the actions, of shape
    (n, 165), and the heads. ``value`` has the shape (n,), ``placement`` (n, 4), ``tenpai`` (n, 3),
    ``waits`` (n, 3, 34).

    Parameters
    ----------
    hidden : list of int
        Widths of the layers, first that of the embedding.
    heads : list of str
        The heads beside the policy: ``value``, ``placement``, ``tenpai`` and ``waits``.

    """

    encoder = ENCODER
    suffix = ".safetensors"

    def __init__(self, hidden: list[int], heads: list[str]) -> None:
        super().__init__(heads)
        self.trunk = Trunk(ENCODER.size, ENCODER.scalars, hidden)
        # Rows have more than a hundred features: the sum must not start large.
        nn.init.normal_(self.trunk.embedding.weight, std=0.05)
        self.policy = nn.Linear(hidden[-1], Action.COUNT)
        self.others = nn.ModuleDict({head: nn.Linear(hidden[-1], size(head)) for head in heads})

    def forward(self, active: Tensor, offsets: Tensor, scalars: Tensor) -> dict[str, Tensor]:
        """The heads, from the active features of all rows and where each row begins."""
        x = self.trunk(active, offsets, scalars)
        found = {"policy": self.policy(x)}
        for head, layer in self.others.items():
            found[head] = layer(x).view(-1, *SHAPES[head])
        return found

    @staticmethod
    def inputs(batch: Arrays, device: torch.device | str | None = None) -> tuple[Tensor, ...]:
        """The arguments of ``forward`` for n decisions, on a device.

        The active features of all rows: (sum of counts,), int64. Where each row begins: (n,),
        int64. The scalars: (n, 10), float32.

        ``batch`` is one of `VecEnv`, of `Dataset`, or of a function that plays, with the arrays of
        `encoder`. The results have memory of their own, by default on the device of the batch.
        """
        parts = (*_flat(batch), tensor(batch, "scalars"))
        return tuple(part.to(device, copy=True) for part in parts)

    @staticmethod
    def drawn(arrays: Mapping[str, Any]) -> np.ndarray:
        """The kind of the tile just drawn, or -1."""
        active = arrays["active"].astype(np.int64) - DRAWN
        kinds: np.ndarray = np.where((active >= 0) & (active < 34), active, -1).max(axis=1)
        return kinds

    def inner(self) -> list[Tensor]:
        """The matrices between the embedding and the heads."""
        return [layer.get_parameter("weight") for layer in self.trunk.layers]

    def value_layer(self) -> nn.Linear:
        """The layer of the value."""
        layer = self.others["value"]
        assert isinstance(layer, nn.Linear)
        return layer

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> BagNetwork:
        """The network of a file for the agent ``neural``, with the heads that the file has.

        Raises
        ------
        ConfigError
            If the file's network reads another encoder, or is not complete.

        """
        tensors, manifest = read_tensors(path)
        encoder = manifest.get("encoder", {})
        if encoder.get("hash") != ENCODER.hash:
            raise ConfigError(f"{path}: reads {encoder}, expected {ENCODER.name}, {ENCODER.hash}")
        heads = [head for head in SHAPES if f"{head}.weight" in tensors]
        network = cls(hidden_of(tensors), heads)
        own = network.tensors()
        missing = sorted(own.keys() - tensors.keys())
        if missing:
            raise ConfigError(f"{path}: has no {missing[0]}")
        with torch.no_grad():
            for name, tensor in own.items():
                scale = unit_of(manifest) if name.startswith("value.") else 1.0
                tensor.copy_(tensors[name] / scale)
        return network

    def tensors(self) -> dict[str, Tensor]:
        """The tensors by the names of the file."""
        policy = {f"policy.{name}": tensor for name, tensor in self.policy.state_dict().items()}
        return self.trunk.tensors() | policy | self.others.state_dict()

    def write(self, path: Path, manifest: dict[str, Any]) -> None:
        """Writes a ``.safetensors`` file."""
        save_tensors(path, self.tensors(), manifest)


def _flat(batch: Arrays) -> tuple[Tensor, Tensor]:
    """The active features of all rows, and where each row begins."""
    if "indices" in batch.keys():  # noqa: SIM118 - a batch is no iterator of its names
        return tensor(batch, "indices"), tensor(batch, "offsets")
    active, counts = batch["active"], batch["counts"]
    if isinstance(active, Tensor):
        places = torch.arange(active.shape[1], device=active.device)
        return active[places < counts[:, None]].long(), counts.cumsum(0) - counts
    indices, offsets = flat_features(active, counts)
    return torch.from_numpy(indices), torch.from_numpy(offsets)
