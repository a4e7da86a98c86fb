"""The network that corrects the estimates of ``heuristic``, and its file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .._jantaku import Rules, _candidate_shape, _residual_manifest
from .._torch import Arrays, tensor
from .config import ConfigError
from .trunk import Trunk, hidden_of, read_tensors, save_tensors

FEATURES, SCALARS, NEAR = _candidate_shape()


class CandidateNetwork(nn.Module):
    """A value for each candidate. Only differences within a decision mean something.

    Parameters
    ----------
    hidden : list of int
        Widths of the layers, the embedding's first.

    """

    def __init__(self, hidden: list[int]) -> None:
        super().__init__()
        self.trunk = Trunk(FEATURES, SCALARS, hidden)
        self.value = nn.Linear(hidden[-1], 1)
        # It begins without features, and corrects nothing: from random embeddings, the features
        # learn little.
        nn.init.zeros_(self.trunk.embedding.weight)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, active: Tensor, offsets: Tensor, scalars: Tensor) -> Tensor:
        """The values, in units of 10,000 points."""
        value: Tensor = self.value(self.trunk(active, offsets, scalars))
        return value[:, 0]

    @staticmethod
    def inputs(
        batch: Arrays, device: torch.device | str | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The arguments of ``forward`` for a batch of ``Dataset(labels=True)``, on a device.

        The active features of all candidates: (sum of counts,), int32. Where each candidate
        begins: (c,), int32. Its scalars: (c, scalars), float32.
        """
        active, counts, scalars = (
            tensor(batch, f"candidate_{name}").to(device)
            for name in ("active", "active_counts", "scalars")
        )
        return active, counts.cumsum(0, dtype=counts.dtype) - counts, scalars

    def tensors(self) -> dict[str, Tensor]:
        """The tensors by the names of the file."""
        value = {f"value.{name}": tensor for name, tensor in self.value.named_parameters()}
        return self.trunk.tensors() | value

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CandidateNetwork:
        """The network of a file for the agent ``residual``.

        Raises
        ------
        ConfigError
            If the file is no such network.

        """
        tensors = _tensors_of(path)
        network = cls(hidden_of(tensors))
        network._copy(path, tensors)
        return network

    def start_from(self, path: str | os.PathLike[str]) -> None:
        """Takes the weights of a file for the agent ``residual``.

        Raises
        ------
        ConfigError
            If the file's network reads other inputs, or has other layers.

        """
        self._copy(path, _tensors_of(path))

    def _copy(self, path: str | os.PathLike[str], found: dict[str, Tensor]) -> None:
        own = self.tensors()
        for name in sorted(own | found):
            has, expects = (list(of[name].shape) if name in of else None for of in (found, own))
            if has != expects:
                raise ConfigError(f"{path}: {name} has the shape {has}, expected {expects}")
        with torch.no_grad():
            for name, tensor in own.items():
                tensor.copy_(found[name])

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        base: str,
        rules: Rules | str,
        shrink: float,
        least: dict[str, float],
        notes: Any = None,
    ) -> None:
        """Writes the network as a file for the agent ``residual`` (``agents/docs/residual.md``).

        Parameters
        ----------
        path : str or os.PathLike
            The path, which ends with ``.safetensors``.
        base : str
            The agent that it corrects.
        rules : Rules or str
            The rules that it was trained for.
        shrink : float
            The factor of its corrections.
        least : dict
            By kind of decision, the gain in points above which the agent overrides ``base``.
        notes : optional
            Any JSON. Nothing reads it.

        """
        manifest = json.loads(_residual_manifest(base, rules))
        manifest |= {"shrink": round(shrink, 4), "least": least, "notes": notes}
        save_tensors(Path(path), self.tensors(), manifest)


def _tensors_of(path: str | os.PathLike[str]) -> dict[str, Tensor]:
    """The tensors of a file whose network reads the inputs of this program."""
    tensors, manifest = read_tensors(path)
    encoder = manifest.get("encoder")
    expected = json.loads(_residual_manifest("heuristic", "tenhou"))["encoder"]
    if encoder != expected:
        raise ConfigError(f"{path}: reads {encoder}, expected {expected}")
    return tensors
