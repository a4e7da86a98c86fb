"""Decisions with labels by rollouts, as tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

from ..dataset import Columns, Dataset

KINDS = ("kan", "abort", "riichi", "call", "danger", "discard")
"""What the candidates of a decision differ in, by number."""

UNIT = 10_000.0
"""The unit of a network's values while it learns, in points. A file has values in points."""


Part: TypeAlias = dict[str, np.ndarray]
"""Arrays of some decisions by their names in `Decisions`."""

Place: TypeAlias = dict[str, int]
"""Where reading stands, as numbers that a checkpoint can keep."""


@dataclass
class Decisions:
    """Labelled decisions in memory: arrays of decisions, of candidates and of active features.

    The candidates of decision i are those from ``first[i]`` to ``first[i + 1]``. The first one is
    the choice of the base agent. The features of candidate c are those from ``begin[c]`` to
    ``begin[c + 1]``.
    """

    game: np.ndarray
    """The index of the run, shifted left by 40 bits, plus the number of the game in the run."""
    kind: np.ndarray
    deals: np.ndarray
    first: np.ndarray
    gap: np.ndarray
    """The base agent's estimate of the candidate minus that of its choice, in points.

    NaN where it decides by rule.
    """
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
    def of(parts: list[Part]) -> Decisions:
        """The decisions of several parts, in which ``first`` and ``begin`` are counts."""
        arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        for name in ("first", "begin"):
            arrays[name] = np.concatenate([[0], np.cumsum(arrays[name])])
        return Decisions(**arrays)

    def outlines(self, takes: np.ndarray) -> Part:
        """The decisions that are taken as a part, without the arrays that networks read."""
        counts = np.diff(self.first)
        candidates = np.repeat(takes, counts)
        part = {name: getattr(self, name)[takes] for name in ("game", "kind", "deals")}
        part |= {name: getattr(self, name)[candidates] for name in ("gap", "difference", "square")}
        part |= {name: getattr(self, name)[:0] for name in ("begin", "active", "scalars")}
        return part | {"first": counts[takes]}


def _columns(batch: Columns) -> Part:
    """The labels of a batch of the loader."""
    counts = batch["candidate_counts"].astype(np.int64)
    deals = np.repeat(batch["deals"], counts).astype(np.float32)
    return {
        "game": batch["runs"].astype(np.int64) << 40 | batch["games"].astype(np.int64),
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


class Pieces:
    """The labelled decisions of runs, piece by piece.

    All are read once to count them. If they fit in one piece, they stay in memory. Otherwise they
    are read again in each epoch, in other pieces.

    Parameters
    ----------
    runs : list of str
        The runs.
    size : int
        The decisions of a piece.
    seed : int
        Determines which decisions share a piece, and the order of batches.

    Raises
    ------
    ValueError
        If the runs have no labelled decisions.

    """

    counts: dict[int, int]
    """The number of decisions of each game, by the game's number in `Decisions`."""
    candidates: int
    """The number of candidates of all decisions."""
    games: np.ndarray
    """The number of games with labelled decisions, for each run."""

    def __init__(self, runs: list[str], size: int, seed: int) -> None:
        self._data = Dataset(
            runs, encoder=None, labels=True, batch=min(size, 16_384), shuffle=True, seed=seed
        )
        self._size, self._seed = size, seed
        self._whole: Decisions | None = None
        self.counts, self.candidates = {}, 0
        pieces = 0
        for piece in self.epoch():
            for game, count in zip(*np.unique(piece.game, return_counts=True), strict=True):
                self.counts[int(game)] = self.counts.get(int(game), 0) + int(count)
            self.candidates += len(piece.gap)
            pieces += 1
        if not pieces:
            raise ValueError("the runs have no labelled decisions")
        self.games = np.bincount(np.array(list(self.counts)) >> 40, minlength=len(runs))
        if pieces == 1:
            self._whole = piece

    def epoch(self) -> Iterator[Decisions]:
        """All pieces once."""
        for _, piece in self._after(self._first(0)):
            yield piece

    def batches(
        self,
        size: int,
        takes: Callable[[Decisions], np.ndarray],
        place: Place,
        device: torch.device,
    ) -> Iterator[tuple[Place, Batch]]:
        """Batches without end of the decisions that are taken, in random order.

        Parameters
        ----------
        size : int
            Decisions of a batch. The last one of a piece may have fewer.
        takes : callable
            For each decision of a piece, whether it is taken: bool.
        place : dict
            Where to begin: one that came with a batch, to go on after it, or an empty one.
        device : torch.device
            Where the batches lie.

        """
        start = {name: at for name, at in place.items() if name != "batches"} or self._first(0)
        done = place.get("batches", 0)
        while True:
            for begin, piece in self._after(start):
                loader, taken = Loader(piece, device), np.flatnonzero(takes(piece))
                order = np.random.default_rng([self._seed, *begin.values()]).permutation(taken)
                for number in range(done, -(-len(order) // size)):
                    part = order[number * size : (number + 1) * size]
                    yield begin | {"batches": number + 1}, loader.batch(part)
                done = 0
            start = self._first(start["epoch"] + 1)

    def _first(self, epoch: int) -> Place:
        """Where an epoch begins."""
        self._data.set_epoch(epoch)
        return self._data.state_dict()

    def _after(self, start: Place) -> Iterator[tuple[Place, Decisions]]:
        """The pieces from a place on to the end of its epoch, each with where it begins."""
        if self._whole is not None:
            yield start, self._whole
            return
        self._data.load_state_dict(start)
        parts: list[Part] = []
        begin, count = start, 0
        for batch in self._data:
            parts.append(_columns(batch))
            count += len(batch["deals"])
            if count >= self._size:
                piece, after = Decisions.of(parts), self._data.state_dict()
                parts.clear()
                yield begin, piece
                begin, count = after, 0
        if parts:
            piece = Decisions.of(parts)
            parts.clear()
            yield begin, piece


@dataclass
class Batch:
    """Candidates of some decisions, and the pairs to learn from. Tensors are on one device."""

    active: Tensor
    offsets: Tensor
    scalars: Tensor
    chosen: Tensor
    """For each pair, the index in this batch of the choice of the base agent."""
    other: Tensor
    """For each pair, the index in this batch of the other candidate."""
    candidate: Tensor
    """For each pair, the index in `Decisions` of the other candidate."""
    target: Tensor
    """The difference of each pair by the rollouts minus its gap, in units of `UNIT` points."""
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
        self._first, self._begin = self._on_device(labelled.first), self._on_device(labelled.begin)
        # No feature has a number above 32,767.
        self._active = self._on_device(labelled.active.view(np.int16))
        self._scalars = self._on_device(labelled.scalars)
        self._gap = self._on_device(labelled.gap)
        self._lacking = self._on_device((labelled.difference - labelled.gap) / np.float32(UNIT))
        self._square = self._on_device(labelled.square / np.float32(UNIT**2))

    def _on_device(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(self.device)

    def batch(self, decisions: np.ndarray) -> Batch:
        """The candidates of these decisions."""
        numbers = self._on_device(decisions)
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
