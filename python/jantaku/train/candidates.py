"""Decisions with labels by rollouts, as tensors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..dataset import Dataset

KINDS = ("kan", "abort", "riichi", "call", "danger", "discard")
"""What the candidates of a decision differ in, by number."""

UNIT = 10_000.0
"""The unit of a network's values while it learns, in points. A file has values in points."""


@dataclass
class Decisions:
    """Labelled decisions in memory: arrays of decisions, of candidates and of active features.

    The candidates of decision i are those from ``first[i]`` to ``first[i + 1]``. The first one is
    the choice of the base agent. The features of candidate c are those from ``begin[c]`` to
    ``begin[c + 1]``.
    """

    game: np.ndarray
    kind: np.ndarray
    deals: np.ndarray
    first: np.ndarray
    gap: np.ndarray
    """Points; NaN where the base decides by rule."""
    difference: np.ndarray
    """The mean difference to the first candidate over the deals, in points."""
    square: np.ndarray
    """The mean square of this difference."""
    begin: np.ndarray
    active: np.ndarray
    scalars: np.ndarray

    def __len__(self) -> int:
        return len(self.kind)

    @staticmethod
    def load(runs: Iterable[str]) -> Decisions:
        """Reads the labelled decisions of these runs whose estimates can be corrected."""
        parts: dict[str, list[np.ndarray]] = {}
        for batch in Dataset(list(runs), encoder=None, labels=True, batch=16_384):
            counts = batch["candidate_counts"].astype(np.int64)
            deals = np.repeat(batch["deals"], counts).astype(np.float32)
            found = {
                "game": batch["run"].astype(np.int64) << 40 | batch["game"].astype(np.int64),
                "kind": batch["label_kind"],
                "deals": batch["deals"],
                "first": counts,
                "gap": batch["gap"],
                "difference": batch["difference_sum"] / deals,
                "square": batch["difference_squares"] / deals,
                "begin": batch["candidate_active_counts"].astype(np.int64),
                "active": batch["candidate_active"],
                "scalars": batch["candidate_scalars"],
            }
            for name, array in found.items():
                parts.setdefault(name, []).append(array)
        if not parts:
            raise ValueError("the runs have no labelled decisions")
        arrays = {name: np.concatenate(part) for name, part in parts.items()}
        for name in ("first", "begin"):
            arrays[name] = np.concatenate([[0], np.cumsum(arrays[name])])
        return Decisions(**arrays)


@dataclass
class Batch:
    """Candidates of some decisions, and the pairs to learn from. Tensors are on one device."""

    active: Tensor
    offsets: Tensor
    scalars: Tensor
    chosen: Tensor
    """For each pair, the index of the choice of the base agent."""
    other: Tensor
    """For each pair, the index of the other candidate."""
    candidate: Tensor
    """For each pair, the number of the other candidate."""
    target: Tensor
    """What the gap of each pair lacks, by the rollouts, in units."""
    square: Tensor
    """The mean square of the difference of each pair, in squares of the unit."""


class Loader:
    """Batches of labelled decisions, from arrays on a device.

    Parameters
    ----------
    labelled : Decisions
        The decisions.
    device : torch.device
        Where the arrays and the batches lie.

    """

    def __init__(self, labelled: Decisions, device: torch.device) -> None:
        self.labelled, self.device = labelled, device
        self._first, self._begin = self._place(labelled.first), self._place(labelled.begin)
        # No feature has a number above 32,767.
        self._active = self._place(labelled.active.view(np.int16))
        self._scalars = self._place(labelled.scalars)
        self._gap = self._place(labelled.gap)
        self._lacking = self._place((labelled.difference - labelled.gap) / np.float32(UNIT))
        self._square = self._place(labelled.square / np.float32(UNIT**2))

    def _place(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(self.device)

    def batch(self, decisions: np.ndarray) -> Batch:
        """The candidates of these decisions."""
        numbers = self._place(decisions)
        first, counts = self._first[numbers], self._first[numbers + 1] - self._first[numbers]
        candidates = _ranges(first, counts)
        starts = counts.cumsum(0) - counts
        begin = self._begin[candidates]
        sizes = self._begin[candidates + 1] - begin
        chosen = starts.repeat_interleave(counts)
        places = torch.arange(len(candidates), device=self.device)
        gap = self._gap[candidates]
        is_pair = (places != chosen) & ~gap.isnan() & ~gap[chosen].isnan()
        pairs = candidates[is_pair]
        return Batch(
            active=self._active[_ranges(begin, sizes)].int(),
            offsets=(sizes.cumsum(0) - sizes).int(),
            scalars=self._scalars[candidates],
            chosen=chosen[is_pair],
            other=places[is_pair],
            candidate=pairs,
            target=self._lacking[pairs],
            square=self._square[pairs],
        )


def _ranges(starts: Tensor, counts: Tensor) -> Tensor:
    """The numbers from each start on, as many as its count says."""
    shifts = starts - (counts.cumsum(0) - counts)
    numbers = torch.arange(int(counts.sum()), device=starts.device)
    return shifts.repeat_interleave(counts) + numbers
