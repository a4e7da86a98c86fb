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
        """Reads all labelled decisions of some runs in which the base has estimates to correct."""
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
        arrays = {name: np.concatenate(list_of) for name, list_of in parts.items()}
        for name in ("first", "begin"):
            arrays[name] = np.concatenate([[0], np.cumsum(arrays[name])])
        return Decisions(**arrays)


@dataclass
class Batch:
    """Candidates of some decisions, and the pairs to learn from."""

    active: Tensor
    offsets: Tensor
    scalars: Tensor
    chosen: Tensor
    """For each pair, the place of the choice of the base agent."""
    other: Tensor
    """For each pair, the place of the other candidate."""
    decision: np.ndarray
    """For each pair, the number of its decision."""
    candidate: np.ndarray
    """For each pair, the number of the other candidate."""
    target: Tensor
    """What the gap of each pair lacks, by the rollouts, in units."""


def batch_of(labelled: Decisions, decisions: np.ndarray) -> Batch:
    """The candidates of these decisions."""
    counts = labelled.first[decisions + 1] - labelled.first[decisions]
    candidates = _ranges(labelled.first[decisions], counts)
    starts = np.concatenate([[0], np.cumsum(counts)])[:-1]
    sizes = labelled.begin[candidates + 1] - labelled.begin[candidates]
    active = labelled.active[_ranges(labelled.begin[candidates], sizes)]
    chosen = np.repeat(starts, counts)
    places = np.arange(len(candidates))
    gap = labelled.gap[candidates]
    is_pair = (places != chosen) & ~np.isnan(gap) & ~np.isnan(gap[chosen])
    pairs = candidates[is_pair]
    target = (labelled.difference[pairs] - labelled.gap[pairs]) / UNIT
    return Batch(
        active=torch.from_numpy(active.astype(np.int64)),
        offsets=torch.from_numpy(np.concatenate([[0], np.cumsum(sizes)])[:-1]),
        scalars=torch.from_numpy(labelled.scalars[candidates]),
        chosen=torch.from_numpy(chosen[is_pair]),
        other=torch.from_numpy(places[is_pair]),
        decision=np.repeat(decisions, counts)[is_pair],
        candidate=pairs,
        target=torch.from_numpy(target.astype(np.float32)),
    )


def _ranges(starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The numbers from each start on, as many as its count says."""
    before = np.concatenate([[0], np.cumsum(counts)])
    shifts: np.ndarray = np.repeat(starts - before[:-1], counts)
    return shifts + np.arange(before[-1])
