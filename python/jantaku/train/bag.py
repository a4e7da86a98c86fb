"""A network for encoders with features that the program plays on its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .._jantaku import Action, Encoder
from .config import ConfigError
from .heads import SHAPES, size
from .inputs import encoder_in
from .policy import Policy, unit_of
from .trunk import Trunk, hidden_of, read_tensors, save_tensors


class BagNetwork(Policy):
    """An embedding bag for features, dense layers, and a layer for each head.

    It returns a dict of tensors for n decisions: ``policy``, the logits of the actions, of shape
    (n, 165), and the heads. ``value`` has the shape (n,), ``placement`` (n, 4), ``tenpai`` (n, 3),
    ``waits`` (n, 3, 34).

    Parameters
    ----------
    hidden : list of int
        Widths of the layers, the embedding's first.
    heads : list of str
        The heads beside the policy: ``value``, ``placement``, ``tenpai`` and ``waits``.
    encoder : Encoder or str, default "sparse-v1"
        What it reads: an encoder with features and scalars.

    """

    suffix = ".safetensors"

    def __init__(
        self, hidden: list[int], heads: list[str], encoder: Encoder | str = "sparse-v1"
    ) -> None:
        super().__init__(heads, encoder)
        self.trunk = Trunk(self.encoder.size, self.encoder.scalars, hidden)
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

    def inner(self) -> list[Tensor]:
        """The matrices between the embedding and the heads."""
        return [layer.get_parameter("weight") for layer in self.trunk.layers]

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> BagNetwork:
        """The network of a file for the agent ``neural``, with the heads that the file has.

        Raises
        ------
        ConfigError
            If the file's network reads another encoder, or is not complete.

        """
        tensors, manifest = read_tensors(path)
        named, encoder = manifest.get("encoder", {}), encoder_in(str(path), manifest)
        if named.get("hash") != encoder.hash:
            raise ConfigError(f"{path}: reads {named}, expected {encoder.name}, {encoder.hash}")
        heads = [head for head in SHAPES if f"{head}.weight" in tensors]
        network = cls(hidden_of(tensors), heads, encoder)
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
