"""The network that corrects the estimates of ``heuristic``, and its file."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any

import torch
from torch import Tensor, nn

from .._jantaku import Rules, _candidate_shape, _residual_manifest

FEATURES, SCALARS, NEAR = _candidate_shape()


class CandidateNetwork(nn.Module):
    """A value for each candidate. Only differences within a decision mean something.

    Parameters
    ----------
    hidden : list of int
        Widths of the layers, first that of the embedding.

    """

    def __init__(self, hidden: list[int]) -> None:
        super().__init__()
        self.embedding = nn.EmbeddingBag(FEATURES, hidden[0], mode="sum")
        self.scalars = nn.Linear(SCALARS, hidden[0])
        pairs = itertools.pairwise(hidden)
        self.layers = nn.ModuleList(nn.Linear(inputs, outputs) for inputs, outputs in pairs)
        self.value = nn.Linear(hidden[-1], 1)
        # It begins as a network of the scalars that corrects nothing: without this start, the
        # features find little.
        nn.init.zeros_(self.embedding.weight)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, active: Tensor, offsets: Tensor, scalars: Tensor) -> Tensor:
        """The values, in units of 10,000 points."""
        x = torch.relu(self.embedding(active, offsets) + self.scalars(scalars))
        for layer in self.layers:
            x = torch.relu(layer(x))
        value: Tensor = self.value(x)
        return value[:, 0]


def save(
    network: CandidateNetwork,
    path: str | os.PathLike[str],
    *,
    base: str,
    rules: Rules | str,
    shrink: float,
    least: dict[str, float],
    notes: dict[str, Any],
) -> None:
    """Writes the network as a file for the agent ``residual``."""
    from safetensors.torch import save_file

    tensors: dict[str, Tensor] = {
        "embedding.weight": network.embedding.weight,
        "embedding.bias": network.scalars.bias,
        "scalars.weight": network.scalars.weight,
        "value.weight": network.value.weight,
        "value.bias": network.value.bias,
    }
    layers = network.layers.state_dict()
    tensors |= {f"layers.{name}": tensor for name, tensor in layers.items()}
    manifest = json.loads(_residual_manifest(base, rules))
    manifest |= {"shrink": round(shrink, 4), "least": least, "notes": notes}
    contents = {name: tensor.detach().float().contiguous() for name, tensor in tensors.items()}
    partial = f"{os.fspath(path)}.partial"
    save_file(contents, partial, metadata={"jantaku": json.dumps(manifest)})
    os.replace(partial, path)
