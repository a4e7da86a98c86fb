"""Tensors of torch, and the adapter for its data loaders."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from multiprocessing import active_children
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from ._jantaku import AgentBatch
from ._vec_env import Batch

Arrays: TypeAlias = Batch | AgentBatch | Mapping[str, Any]
"""Arrays by name: what `VecEnv` and `Dataset` return, and what functions that play receive."""


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
        What `VecEnv` or `Dataset` returns, or a function that plays receives.
    device : torch.device or str, optional
        The device of the tensors; by default the CPU, or that of the batch's tensors.

    """
    names = batch.keys()
    return {name: tensor(batch, name).to(device, copy=True) for name in names}


def tensor(batch: Arrays, name: str) -> Tensor:
    """An array of a batch as a tensor, in the same memory if possible."""
    found: Any = batch[name]
    return found if isinstance(found, Tensor) else shared(found)


_blocks: list[Tensor] = []
"""The memory in which this worker process sends batches. The last byte of a block says "in use"."""

_received: dict[tuple[int, int], Tensor] = {}
"""The blocks of worker processes, by process and number."""


class _Lease:
    """A received batch's claim on its block. When the arrays are gone, the worker reuses it."""

    def __init__(self, block: Tensor) -> None:
        self._process, self._block = os.getpid(), block.numpy()
        self.__array_interface__ = self._block.__array_interface__

    def __del__(self) -> None:
        # A forked process has copies of leases.
        if os.getpid() == self._process:
            self._block[-1] = 0


class _Sent(dict[str, Tensor]):
    """A batch of a worker process. Pickle writes it into a block that both processes map once.

    Torch maps new memory for each tensor, which takes longer than to replay and encode the batch.
    """

    def __copy__(self) -> _Sent:
        """The ``DataLoader`` copies each batch before it sends it."""
        return _Sent(self)

    def __reduce__(self) -> tuple[Any, ...]:
        layout, end = [], 0
        for name, value in self.items():
            layout.append((name, end, end + value.nbytes, value.numpy().dtype, value.shape))
            end += -(-value.nbytes // 64) * 64
        fits = (n for n, one in enumerate(_blocks) if one[-1] == 0 and len(one) > end)
        number = next(fits, len(_blocks))
        new = number == len(_blocks)
        if new:
            block = torch.zeros(end * 5 // 4 + 1, dtype=torch.uint8)
            _blocks.append(block.share_memory_())  # type: ignore[no-untyped-call]
        memory = _blocks[number].numpy()
        memory[-1] = 1
        for value, (_, start, stop, *_) in zip(self.values(), layout, strict=True):
            memory[start:stop] = value.numpy().reshape(-1).view(np.uint8)
        return _batch, ((os.getpid(), number), _blocks[number] if new else None, layout)


def _batch(key: tuple[int, int], new: Tensor | None, layout: list[Any]) -> dict[str, Tensor]:
    """The batch in a block of a worker process."""
    if new is not None:
        workers = {one.pid for one in active_children()}
        for one in [one for one in _received if one[0] not in workers]:
            del _received[one]
        _received[key] = new
    block = np.asarray(_Lease(_received[key]))
    return {
        name: torch.from_numpy(block[start:stop].view(dtype).reshape(shape))
        for name, start, stop, dtype, shape in layout
    }


class TorchDataset(IterableDataset[dict[str, Any]]):
    """A `Dataset` that yields batches of tensors. Each worker process loads a share of games."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def __iter__(self) -> Iterator[dict[str, Any]]:
        dataset = self.dataset
        arguments = dict(dataset._arguments)
        worker = get_worker_info()
        if worker is not None:
            arguments["rank"] = arguments["rank"] * worker.num_workers + worker.id
            arguments["ranks"] *= worker.num_workers
            threads = arguments["workers"] or os.cpu_count() or 1
            arguments["workers"] = max(1, threads // worker.num_workers)
        kind = dict if worker is None else _Sent
        for batch in dataset._load(dataset._begin(), arguments):
            yield kind({name: tensor(batch, name) for name in batch})

    def set_epoch(self, epoch: int) -> None:
        """Lets the next iteration load this epoch."""
        self.dataset.set_epoch(epoch)
