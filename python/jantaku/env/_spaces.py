"""The spaces of observations."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from .._arguments import described
from .._jantaku import Encoder
from .._vec_env import ACTIONS


def name_of(encoder: Encoder | str) -> str:
    """The name of an encoder, which these environments need."""
    if isinstance(encoder, Encoder):
        return encoder.name
    if not isinstance(encoder, str):
        raise TypeError(f"`encoder`: expected an Encoder or its name, found {described(encoder)}")
    return Encoder(encoder).name


def observation_space(encoder: str) -> spaces.Dict:
    """The space of one observation: the encoding and ``action_mask``."""
    table = Encoder(encoder)
    parts: dict[str, spaces.Space[Any]] = {}
    if encoder.startswith("planes"):
        parts["observation"] = spaces.Box(0, 255, table.shape, np.uint8)
    else:
        least, most = np.finfo(np.float32).min, np.finfo(np.float32).max
        parts["active"] = spaces.Box(0, table.size, table.shape, np.uint16)
        parts["scalars"] = spaces.Box(float(least), float(most), (table.scalars,), np.float32)
    parts["action_mask"] = spaces.Box(0, 1, (ACTIONS,), np.int8)
    return spaces.Dict(parts)


def observations(encoder: str, arrays: Any, rows: Any) -> dict[str, Any]:
    """Copies of these rows of a batch, as observations."""
    mask = arrays.mask[rows].astype(np.int8)
    if encoder.startswith("planes"):
        return {"observation": arrays.planes[rows].copy(), "action_mask": mask}
    return {
        "active": arrays.active[rows].copy(),
        "scalars": arrays.scalars[rows].copy(),
        "action_mask": mask,
    }


def nothing(encoder: str, shape: tuple[int, ...] = ()) -> dict[str, Any]:
    """The observation after the end of a game: no legal action and no feature."""
    table = Encoder(encoder)
    mask = np.zeros((*shape, ACTIONS), np.int8)
    if encoder.startswith("planes"):
        return {"observation": np.zeros((*shape, *table.shape), np.uint8), "action_mask": mask}
    return {
        "active": np.full((*shape, *table.shape), table.size, np.uint16),
        "scalars": np.zeros((*shape, table.scalars), np.float32),
        "action_mask": mask,
    }
