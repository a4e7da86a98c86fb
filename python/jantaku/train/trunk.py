"""The layers of networks that need no libtorch, and their files (``agents/docs/networks.md``)."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .config import ConfigError
from .files import kind_of, write


class Trunk(nn.Module):
    """An embedding bag with scalars, and dense layers after it.

    Parameters
    ----------
    features, scalars : int
        The number of features and of scalars.
    hidden : list of int
        Widths of the layers, the embedding's first.

    """

    def __init__(self, features: int, scalars: int, hidden: list[int]) -> None:
        super().__init__()
        self.embedding = nn.EmbeddingBag(features, hidden[0], mode="sum")
        self.scalars = nn.Linear(scalars, hidden[0])
        pairs = itertools.pairwise(hidden)
        self.layers = nn.ModuleList(nn.Linear(inputs, outputs) for inputs, outputs in pairs)

    def forward(self, active: Tensor, offsets: Tensor, scalars: Tensor) -> Tensor:
        """The last layer's outputs, from all rows' active features and where each row begins."""
        x = torch.relu(self.embedding(active, offsets) + self.scalars(scalars))
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x

    def tensors(self) -> dict[str, Tensor]:
        """The tensors by the names of the file."""
        layers = self.layers.state_dict()
        return {
            "embedding.weight": self.embedding.weight,
            "embedding.bias": self.scalars.bias,
            "scalars.weight": self.scalars.weight,
            **{f"layers.{name}": tensor for name, tensor in layers.items()},
        }


def hidden_of(tensors: Mapping[str, Tensor]) -> list[int]:
    """The widths of the layers in a file, the embedding's first."""
    layers = itertools.takewhile(
        tensors.__contains__, map("layers.{}.bias".format, itertools.count())
    )
    return [len(tensors[name]) for name in ("embedding.bias", *layers)]


def read_tensors(path: str | os.PathLike[str]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the manifest of a ``.safetensors`` file.

    Raises
    ------
    ConfigError
        If it is no such file, or is damaged.
    OSError
        If it cannot be read.

    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:
            manifest = json.loads((file.metadata() or {}).get("jantaku", "{}"))
            return {name: file.get_tensor(name) for name in file.keys()}, manifest  # noqa: SIM118
    except (SafetensorError, ValueError) as error:
        found = kind_of(Path(path))
        raise ConfigError(
            f"{path}: expected a network in a .safetensors file, found {found}: {error}"
        ) from None


def save_tensors(path: Path, tensors: dict[str, Tensor], manifest: dict[str, Any]) -> None:
    """Writes a ``.safetensors`` file."""
    from safetensors.torch import save

    contents = {
        name: tensor.detach().cpu().float().contiguous() for name, tensor in tensors.items()
    }
    write(path, save(contents, metadata={"jantaku": json.dumps(manifest)}))
