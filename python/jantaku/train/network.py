"""The network that corrects the estimates of ``heuristic``, and its file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .._jantaku import Rules, _candidate_shape, _residual_manifest
from .config import ConfigError
from .trunk import Trunk, save_tensors

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
        self.trunk = Trunk(FEATURES, SCALARS, hidden)
        self.value = nn.Linear(hidden[-1], 1)
        # It begins as a network of the scalars that corrects nothing: without this start, the
        # features find little.
        nn.init.zeros_(self.trunk.embedding.weight)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, active: Tensor, offsets: Tensor, scalars: Tensor) -> Tensor:
        """The values, in units of 10,000 points."""
        value: Tensor = self.value(self.trunk(active, offsets, scalars))
        return value[:, 0]

    def tensors(self) -> dict[str, Tensor]:
        """The tensors by the names of the file."""
        value = {f"value.{name}": tensor for name, tensor in self.value.named_parameters()}
        return self.trunk.tensors() | value


def start_from(network: CandidateNetwork, path: str | os.PathLike[str]) -> None:
    """Gives a network the weights of a file for the agent ``residual``.

    Raises
    ------
    ConfigError
        If the file's network reads other inputs, or has other layers.

    """
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        manifest = json.loads((file.metadata() or {}).get("jantaku", "{}"))
        encoder = manifest.get("encoder")
        expected = json.loads(_residual_manifest("heuristic", "tenhou"))["encoder"]
        if encoder != expected:
            raise ConfigError(f"{path}: reads {encoder}, expected {expected}")
        found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    own = network.tensors()
    for name in sorted(own | found):
        has, expects = (list(of[name].shape) if name in of else None for of in (found, own))
        if has != expects:
            raise ConfigError(f"{path}: {name} has the shape {has}, expected {expects}")
    with torch.no_grad():
        for name, tensor in own.items():
            tensor.copy_(found[name])


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
    manifest = json.loads(_residual_manifest(base, rules))
    manifest |= {"shrink": round(shrink, 4), "least": least, "notes": notes}
    save_tensors(Path(path), network.tensors(), manifest)
