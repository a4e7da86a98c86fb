"""What networks read: the arrays of an encoder as tensors, by what the arrays mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._jantaku import Encoder, _encoder, flat_features
from .._torch import Arrays, tensor
from .config import ConfigError


def array_of(encoder: Encoder, kind: str) -> str | None:
    """The name of an encoder's array of a kind, such as ``features``. None without one."""
    names = (name for name, array in encoder.arrays.items() if array["kind"] == kind)
    return next(names, None)


def inputs(
    encoder: Encoder, batch: Arrays, device: torch.device | str | None = None
) -> tuple[Tensor, ...]:
    """The arguments of a network that reads an encoder, as `Policy.inputs` states them."""
    found: list[Tensor] = []
    for name, array in encoder.arrays.items():
        if array["kind"] == "planes":
            # Bytes travel to the device four times as fast as floats.
            planes, scales = tensor(batch, name).to(device), torch.from_numpy(encoder.scales)
            found.append(planes * scales.to(planes.device)[:, None])
        elif array["kind"] == "features":
            counts = array_of(encoder, "counts") or "counts"
            found += [part.to(device, copy=True) for part in _flat(batch, name, counts)]
        elif array["kind"] == "scalars":
            found.append(tensor(batch, name).to(device, copy=True))
    return tuple(found)


def encoder_in(path: Path | str, manifest: Any) -> Encoder:
    """The encoder whose inputs a network reads, by its manifest.

    Raises
    ------
    ConfigError
        If this package has no such encoder.

    """
    try:
        return _encoder(manifest["encoder"]["name"])
    except (LookupError, TypeError, ValueError) as error:
        raise ConfigError(f"{path}: expected a manifest with an encoder: {error}") from None


def _flat(batch: Arrays, features: str, counts: str) -> tuple[Tensor, Tensor]:
    """The active features of all rows, and where each row begins."""
    if "indices" in batch.keys():  # noqa: SIM118 - a batch is no iterator of its names
        return tensor(batch, "indices"), tensor(batch, "offsets")
    active, lengths = batch[features], batch[counts]
    if isinstance(active, Tensor):
        places = torch.arange(active.shape[1], device=active.device)
        return active[places < lengths[:, None]].long(), lengths.cumsum(0) - lengths
    indices, offsets = flat_features(active, lengths)
    return torch.from_numpy(indices), torch.from_numpy(offsets)


def drawn(encoder: Encoder, arrays: Any) -> np.ndarray:
    """The kind of the tile just drawn, or -1. Always -1 for an encoder without a channel of it."""
    channels = encoder.channels
    at = next((at for at, one in enumerate(channels) if one["name"] == "hand.drawn.own"), None)
    planes, features = array_of(encoder, "planes"), array_of(encoder, "features")
    kinds: np.ndarray
    if at is None:
        kinds = np.full(len(arrays[planes or features]), -1)
    elif planes is not None:
        own = arrays[planes][:, at]
        kinds = np.where(own.any(axis=1), own.argmax(axis=1), -1)
    else:
        active = arrays[features].astype(np.int64) - channels[at]["first"]
        kinds = np.where((active >= 0) & (active < 34), active, -1).max(axis=1)
    return kinds
