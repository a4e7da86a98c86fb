"""What all networks with a policy have in common."""

from __future__ import annotations

import copy
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .._jantaku import Encoder, Rules
from .._torch import Arrays
from .candidates import UNIT
from .heads import SHAPES


class Policy(nn.Module, ABC):
    """A network that returns a dict: ``policy``, logits of the 165 actions, and its other heads.

    Values are in units of 10,000 points while it learns, and in points in its file.
    """

    encoder: Encoder
    """What it reads."""
    suffix: str
    """The ending of its file."""

    def __init__(self, heads: list[str]) -> None:
        super().__init__()
        # TorchScript knows the types of tuples.
        self.heads = tuple(heads)

    @staticmethod
    @abstractmethod
    def inputs(batch: Arrays, device: torch.device | str | None = None) -> tuple[Tensor, ...]:
        """The arguments of ``forward`` for a batch, on a device. They have memory of their own."""

    @staticmethod
    @abstractmethod
    def drawn(arrays: Mapping[str, Any]) -> np.ndarray:
        """The kind of the tile just drawn, or -1."""

    @abstractmethod
    def inner(self) -> list[Tensor]:
        """The matrices between the first and the last layer."""

    @abstractmethod
    def value_layer(self) -> nn.Linear:
        """The layer of the value."""

    @abstractmethod
    def write(self, path: Path, manifest: dict[str, Any]) -> None:
        """Writes the file as it is."""

    def save(
        self,
        path: str | os.PathLike[str],
        rules: Rules | str,
        *,
        augmented: bool = False,
        notes: Any = None,
    ) -> None:
        """Writes the network for the agent ``neural`` (``agents/docs/networks.md``).

        Parameters
        ----------
        path : str or os.PathLike
            The path, which ends with `suffix`.
        rules : Rules or str
            The rules that it was trained for.
        augmented : bool, default False
            Whether it was trained with permuted suits.
        notes : optional
            Any JSON. Nothing reads it.

        """
        has_value = "value" in self.heads
        manifest = json.loads(self.encoder.manifest(rules, "points" if has_value else None))
        others = {head: list(SHAPES[head]) for head in self.heads if head != "value"}
        manifest["heads"] |= others
        manifest |= {"augmented": augmented, "notes": notes}
        network = copy.deepcopy(self).cpu().eval()
        if has_value:
            layer = network.value_layer()
            layer.weight.data *= UNIT
            layer.bias.data *= UNIT
        network.write(Path(path), manifest)
