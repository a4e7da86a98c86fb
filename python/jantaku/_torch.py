"""Tensors of torch, and the adapter for its data loaders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from ._jantaku import AgentBatch
from ._vec_env import Batch

Arrays: TypeAlias = Batch | AgentBatch | Mapping[str, Any]
"""Arrays by name: what `VecEnv`, functions that play and `Dataset` get."""


def shared(array: NDArray[Any]) -> Tensor:
    """An array as a tensor of a type that torch computes with, in the same memory if possible."""
    # Torch has few functions for unsigned integers above 8 bits.
    return torch.from_numpy(array.astype(np.int32) if array.dtype == np.uint16 else array)


def tensors(batch: Arrays, device: torch.device | str | None = None) -> dict[str, Tensor]:
    """The arrays of a batch as tensors, by name. They have memory of their own.

    uint16 becomes int32. The other types are the same: bool, uint8, int32, int64 and float32.

    >>> found = tensors(env.recv(), "cuda")  # doctest: +SKIP
    >>> planes = found["planes"] * scales  # doctest: +SKIP
    >>> likely = logits.masked_fill(~found["mask"], -1e9).log_softmax(1)  # doctest: +SKIP

    Parameters
    ----------
    batch : Batch, AgentBatch or mapping
        What `VecEnv` and functions that play get, or a batch of `Dataset`.
    device : torch.device or str, optional
        The device of the tensors; by default the batch's, the processor.

    """
    names = batch.keys()
    return {name: tensor(batch, name).to(device, copy=True) for name in names}


def tensor(batch: Arrays, name: str) -> Tensor:
    """An array of a batch as a tensor, in the same memory if possible."""
    found: Any = batch[name]
    return found if isinstance(found, Tensor) else shared(found)


class TorchDataset(IterableDataset[dict[str, Any]]):
    """A `Dataset` that yields batches of tensors and shares them between worker processes."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def __iter__(self) -> Iterator[dict[str, Any]]:
        dataset = self.dataset
        arguments = dict(dataset._arguments)
        worker = get_worker_info()
        if worker is not None and worker.num_workers > 1:
            arguments["rank"] = arguments["rank"] * worker.num_workers + worker.id
            arguments["ranks"] *= worker.num_workers
        for batch in dataset._load(dataset._begin(), arguments):
            yield {name: tensor(batch, name) for name in batch}

    def set_epoch(self, epoch: int) -> None:
        """Lets the next iteration load this epoch."""
        self.dataset.set_epoch(epoch)
