"""The network that corrects the estimates of ``heuristic``, and its file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from .._jantaku import Rules, _candidate_shape, _residual_manifest
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
    tensors = network.trunk.tensors()
    tensors |= {"value.weight": network.value.weight, "value.bias": network.value.bias}
    manifest = json.loads(_residual_manifest(base, rules))
    manifest |= {"shrink": round(shrink, 4), "least": least, "notes": notes}
    save_tensors(Path(path), tensors, manifest)
