"""The spaces of observations."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .._arguments import described
from .._function_encoder import Encoding
from .._jantaku import Encoder, Observation, _encoder
from .._types import AnyEncoder
from .._vec_env import ACTIONS, Batch, VecEnv

METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}
"""What Gymnasium and PettingZoo ask about rendering."""


def checked_render_mode(mode: str | None) -> str | None:
    """Checks that there is such a mode of rendering."""
    modes = METADATA["render_modes"]
    if mode is not None and mode not in modes:
        expected = f"{' or '.join(map(repr, modes))} or None"
        raise ValueError(f"`render_mode`: expected {expected}, found {described(mode)}")
    return mode


class Observations:
    """The observations of an environment, as default networks read them: the arrays of its encoder.

    Planes are scaled to floats, and lists of features become arrays with a 1 for each. Tokens and
    the arrays of a function stay as they are.
    """

    def __init__(self, env: VecEnv) -> None:
        self._function = env._function
        if (name := env._core.encoder) is not None:
            self._encoder = encoder = Encoder(name)
            self._scales = encoder.scales[:, None]
            # Padded lists need no counts.
            arrays = {name: of for name, of in encoder.arrays.items() if of["kind"] != "counts"}
            raw = {name: np.full(a["shape"], a["empty"], a["dtype"]) for name, a in arrays.items()}
        if self._function is not None:
            raw = {name: np.zeros(*of) for name, of in self._function.shapes.items()}
        self._keys = {name: "observation" if len(raw) == 1 else name for name in raw}
        self._empty = {name: self._array(name, array) for name, array in raw.items()}
        parts = {key: _box(self._empty[name], self._most(name)) for name, key in self._keys.items()}
        self.space = spaces.Dict({**parts, "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)})
        """The space of one observation: the encoding and ``action_mask``."""

    def _most(self, name: str) -> Any:
        """The largest elements of an array; None without limits."""
        if self._function is not None:
            return 1 if self._empty[name].dtype == np.bool_ else None
        if name == "planes":
            return np.array([[row["most"]] for row in self._encoder.channels]) * self._scales
        return 1 if name == "active" else self._encoder.arrays[name]["most"]

    def _array(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """An array of observations, with memory of its own."""
        if self._function is None and name == "planes":
            return array * self._scales
        if self._function is None and name == "active":
            found = np.zeros((*array.shape[:-1], self._encoder.size + 1), np.float32)
            np.put_along_axis(found, array.astype(np.int64), 1, axis=-1)
            return found[..., :-1]
        return array.astype(np.int32 if array.dtype == np.uint16 else array.dtype)

    def _dict(self, arrays: Any, mask: NDArray[Any]) -> dict[str, Any]:
        found = {key: self._array(name, arrays[name]) for name, key in self._keys.items()}
        return {**found, "action_mask": mask.astype(np.int8)}

    def of_rows(self, batch: Batch, rows: Any) -> dict[str, Any]:
        """The observations of these rows of a batch."""
        return self._dict({name: batch[name][rows] for name in self._keys}, batch.mask[rows])

    def of_views(self, views: list[Observation]) -> dict[str, Any]:
        """The observations of the decisions of these views."""
        if self._function is not None:
            found: Any = self._function.encoded(views)
        else:
            found = self._encoder.encode_batch(views)
        arrays = found if isinstance(found, dict) else dict.fromkeys(self._keys, found)
        return self._dict(arrays, np.array([view.action_mask for view in views]))

    def nothing(self, shape: tuple[int, ...] = ()) -> dict[str, Any]:
        """The observation after the end of a game: no legal action and no feature."""
        found = {
            key: np.broadcast_to(self._empty[name], (*shape, *self._empty[name].shape)).copy()
            for name, key in self._keys.items()
        }
        return {**found, "action_mask": np.zeros((*shape, ACTIONS), np.int8)}


def _box(empty: NDArray[Any], most: Any) -> spaces.Box:
    """The space of arrays of this shape and type, from 0 if they have a largest element."""
    if most is not None:
        return spaces.Box(np.zeros_like(empty), np.full_like(empty, most), dtype=empty.dtype.type)
    limits: Any = np.finfo if empty.dtype.kind == "f" else np.iinfo
    least, most = limits(empty.dtype).min, limits(empty.dtype).max
    return spaces.Box(least, most, empty.shape, empty.dtype.type)


def checked_encoder(encoder: AnyEncoder | Encoding) -> Encoder | Encoding:
    """An `Encoder` or a function. Refuses None, because these environments need an encoder."""
    return encoder if callable(encoder) else _encoder(encoder)


FINAL = {"points": "points", "placement": "placements", "result": "results"}
"""The entries of the info of a game that is over, each with its column of a batch."""


def final_info(batch: Any, row: int) -> dict[str, int]:
    """The info of a row that ends a game."""
    return {name: int(batch[column][row]) for name, column in FINAL.items()}
