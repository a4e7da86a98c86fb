"""The adapter for torch's data loaders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torch.utils.data import IterableDataset, get_worker_info

from .dataset import _torch

if TYPE_CHECKING:
    from .dataset import Dataset


class TorchDataset(IterableDataset[dict[str, Any]]):
    """A `Dataset` that yields batches of tensors and shares them between worker processes."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset

    def __iter__(self) -> Iterator[dict[str, Any]]:
        dataset = self.dataset
        arguments = dict(dataset._arguments)
        worker = get_worker_info()
        if worker is not None and worker.num_workers > 1:
            arguments["rank"] = arguments["rank"] * worker.num_workers + worker.id
            arguments["ranks"] *= worker.num_workers
        for batch in dataset._load(dataset._begin(), arguments):
            yield _torch(batch) if dataset._tensors == "numpy" else batch

    def set_epoch(self, epoch: int) -> None:
        """Lets the next iteration load this epoch."""
        self.dataset.set_epoch(epoch)
