"""The spaces of observations."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from gymnasium import spaces

from .._arguments import described
from .._jantaku import Encoder, Observation, _encoder
from .._vec_env import ACTIONS

METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}
"""What Gymnasium and PettingZoo ask for."""


def checked_render_mode(mode: str | None) -> str | None:
    """A mode of rendering that there is."""
    modes = METADATA["render_modes"]
    if mode is not None and mode not in modes:
        expected = f"{' or '.join(map(repr, modes))} or None"
        raise ValueError(f"`render_mode`: expected {expected}, found {described(mode)}")
    return mode


def name_of(encoder: Encoder | str) -> str:
    """The name of an encoder, which these environments need."""
    return _encoder(encoder).name


@cache
def _arrays(encoder: str) -> dict[str, dict[str, Any]]:
    """The arrays of an observation, by name. Padded lists need no counts."""
    arrays = Encoder(encoder).arrays
    return {name: array for name, array in arrays.items() if array["kind"] != "counts"}


@cache
def _keys(encoder: str) -> dict[str, str]:
    """The key of each array in an observation; ``observation`` if it is the only one."""
    names = _arrays(encoder)
    return {name: "observation" if len(names) == 1 else name for name in names}


def observation_space(encoder: str) -> spaces.Dict:
    """The space of one observation: the encoding and ``action_mask``."""
    floats = np.finfo(np.float32)
    parts: dict[str, spaces.Space[Any]] = {}
    for key, array in zip(_keys(encoder).values(), _arrays(encoder).values(), strict=True):
        most = array["most"]
        least, most = (float(floats.min), float(floats.max)) if most is None else (0, most)
        parts[key] = spaces.Box(least, most, array["shape"], np.dtype(array["dtype"]).type)
    parts["action_mask"] = spaces.Box(0, 1, (ACTIONS,), np.int8)
    return spaces.Dict(parts)


def observations(encoder: str, arrays: Any, rows: Any) -> dict[str, Any]:
    """Copies of these rows of a batch, as observations."""
    encoded = {key: getattr(arrays, name)[rows].copy() for name, key in _keys(encoder).items()}
    return {**encoded, "action_mask": arrays.mask[rows].astype(np.int8)}


def encoded(encoder: str, views: list[Observation]) -> dict[str, Any]:
    """What `observations` has for the decisions of these views."""
    found = Encoder(encoder).encode_batch(views)
    keys = _keys(encoder)
    arrays = found if isinstance(found, dict) else dict.fromkeys(keys, found)
    masks = np.array([view.action_mask for view in views], np.int8)
    return {**{key: arrays[name] for name, key in keys.items()}, "action_mask": masks}


FINAL = {"points": "points", "placement": "placements", "result": "results"}
"""What the info of a game that is over has, with the columns of a batch."""


def final_info(batch: Any, row: int) -> dict[str, int]:
    """The info of a row that ends a game."""
    return {name: int(batch[column][row]) for name, column in FINAL.items()}


def nothing(encoder: str, shape: tuple[int, ...] = ()) -> dict[str, Any]:
    """The observation after the end of a game: no legal action and no feature."""
    keys = _keys(encoder)
    encoded = {
        keys[name]: np.full((*shape, *array["shape"]), array["empty"], np.dtype(array["dtype"]))
        for name, array in _arrays(encoder).items()
    }
    return {**encoded, "action_mask": np.zeros((*shape, ACTIONS), np.int8)}
