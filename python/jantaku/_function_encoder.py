"""Encoders that are functions of the caller."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._arguments import described
from ._jantaku import Encoder, Game, Observation
from ._types import AnyRules

Encoding: TypeAlias = Callable[[Observation], Any]


class Rows(Protocol):
    """The rows of a `Batch`, by the names of their arrays."""

    def __getitem__(self, name: str) -> NDArray[Any]: ...


DEFAULT_NAME = "encoded"
"""The name of the array of a function that returns a single one."""


class FunctionEncoder:
    """Fills arrays of batches with what a function returns for observations.

    Parameters
    ----------
    function : callable
        From an observation to an array, or to a dict of arrays, of the same shapes each time. It is
        called once here, to learn the shapes.
    observation : Observation
        The observation of this first call.
    taken : collection of str
        The names that its arrays must not have: those of a batch.

    """

    def __init__(
        self,
        function: Encoding,
        observation: Observation,
        taken: Collection[str],
    ) -> None:
        self._function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        self.shapes: dict[str, tuple[tuple[int, ...], Any]] = {}
        """The shape of a row and the type of each array."""
        for name, array in self.arrays(observation).items():
            is_name = isinstance(name, str) and name.isidentifier() and name[0] != "_"
            if not is_name or name in taken:
                raise ValueError(
                    f"{self}: expected names of arrays that are identifiers, do not begin with `_` "
                    f"and are not names of a batch, found {name!r}"
                )
            if array.dtype.kind not in "biuf":
                raise TypeError(f"{self}: `{name}`: expected numbers, found dtype {array.dtype}")
            self.shapes[name] = array.shape, array.dtype

    def __str__(self) -> str:
        return f"encoder `{self.name}`"

    def arrays(self, observation: Observation) -> dict[str, NDArray[Any]]:
        """The arrays of an observation by name."""
        found = self._function(observation)
        if not isinstance(found, Mapping):
            found = {DEFAULT_NAME: found}
        if not found or any(array is None for array in found.values()):
            raise TypeError(f"{self}: expected an array or a dict of arrays, found {found!r}")
        return {name: np.asarray(array) for name, array in found.items()}

    def fill(self, arrays: Rows, rows: Iterable[int], observations: Iterable[Observation]) -> None:
        """Encodes observations into these rows of arrays."""
        for row, observation in zip(rows, observations, strict=True):
            found = self.arrays(observation)
            if found.keys() != self.shapes.keys():
                expected, names = ", ".join(self.shapes), ", ".join(found)
                raise ValueError(f"{self}: expected the arrays {expected}, found {names}")
            for name, array in found.items():
                shape, dtype = self.shapes[name]
                if array.shape != shape or array.dtype != dtype:
                    raise ValueError(
                        f"{self}: `{name}`: expected shape {shape} and dtype {dtype}, as in its "
                        f"first call, found shape {array.shape} and dtype {array.dtype}"
                    )
                arrays[name][row] = array

    def encoded(self, observations: Sequence[Observation]) -> dict[str, NDArray[Any]]:
        """The arrays of these observations."""
        count = len(observations)
        shapes = self.shapes.items()
        arrays = {name: np.zeros((count, *shape), dtype) for name, (shape, dtype) in shapes}
        self.fill(arrays, range(count), observations)
        return arrays


def function_encoder(
    encoder: Any, rules: AnyRules, taken: Collection[str]
) -> FunctionEncoder | None:
    """The encoder of a function. None if the encoder is an `Encoder`, a name or None.

    Raises
    ------
    TypeError
        If it is neither a name, an `Encoder` nor a function.

    """
    if encoder is None or isinstance(encoder, (str, Encoder)):
        return None
    if not callable(encoder):
        expected = "an encoder, its name, a function or None"
        raise TypeError(f"`encoder`: expected {expected}, found {described(encoder)}")
    return FunctionEncoder(encoder, Game(rules).decisions()[0], taken)
