"""The steps of a training, with a checkpoint every so often."""

# How does resumed training end with the same weights? On one thread, it does so bit for bit. A
# checkpoint holds the weights, the state of the optimizer, the rows of the curve, and the place of
# the dataset after the last batch. All randomness follows from the seed and that place, or from the
# number of the iteration. PPO plays whole games, new ones in each iteration, so no game is in play
# at a checkpoint.

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .config import Clone, ConfigError, Improve, Ppo
from .curve import Curve
from .files import load_checkpoint, save_checkpoint
from .optimizer import Optimizer, finite, mean_weights, schedule


def device_of(name: str) -> torch.device:
    """The device with this name; ``auto`` is CUDA where there is a device."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


def begin(config: Improve | Clone | Ppo) -> tuple[int, Curve]:
    """Sets the threads of torch. Returns their number, and the curve in the run's folder."""
    threads = config.threads or os.cpu_count() or 1
    torch.set_num_threads(threads)
    out = Path(config.out)
    out.mkdir(parents=True, exist_ok=True)
    return threads, Curve(out, tensorboard=config.tensorboard)


class Training:
    """Trains a network from its last checkpoint on.

    ``steps`` yields the numbers of the steps that are left, and ``learn`` takes the losses of each.
    A killed training that is resumed ends with the same weights. (Bit for bit on one CPU thread:
    more threads may sum in a different order.)

    Parameters
    ----------
    name : str
        The name of the network in the curve.
    network : nn.Module
        The network. It gets the weights of the checkpoint.
    optimizer : Optimizer
        What trains it.
    curve : Curve
        Gets the mean of each figure every ``every`` steps.
    steps, warm_up, every : int
        The number of steps in all, the number of first steps in which the learning rate rises, and
        the number of steps between rows of the curve and checkpoints.
    checkpoint : Path
        The file of the checkpoint.
    settings : dict
        What the weights depend on. A checkpoint with other settings is refused.
    test : callable, optional
        Further figures of the network, for every ``test_every``-th row of the curve and the last.
    average : float, default 0
        The share of the steps, the last ones, whose weights are averaged. After them, the network
        has the mean; tests before have the weights of their step.

    """

    def __init__(
        self,
        name: str,
        network: nn.Module,
        optimizer: Optimizer,
        curve: Curve,
        *,
        steps: int,
        warm_up: int,
        every: int,
        checkpoint: Path,
        settings: dict[str, Any],
        test: Callable[[], dict[str, float]] | None = None,
        test_every: int = 1,
        average: float = 0.0,
    ) -> None:
        self.name, self.network, self.optimizer, self.curve = name, network, optimizer, curve
        self._steps, self._warm_up, self._every = steps, warm_up, every
        self._checkpoint, self._settings = checkpoint, settings
        self._test, self._test_every = test, test_every
        self._figures: dict[str, list[float]] = {}
        self._mean = mean_weights(network) if average else None
        self._averaged_from = steps - math.ceil(average * steps)
        self.done = 0
        self.extra: dict[str, Any] = {}
        """What else a checkpoint keeps, such as where the data stand."""
        state = load_checkpoint(checkpoint, settings)
        if state is not None:
            network.load_state_dict(state["network"])
            optimizer.load_state_dict(state["optimizer"])
            if self._mean is not None:
                if "n_averaged" not in state["mean"]:
                    raise ConfigError(
                        f"{checkpoint}: is of an old version: delete it to start over"
                    )
                self._mean.load_state_dict(state["mean"])
            self.done, self.extra = state["done"], state["extra"]
            curve.rows += state["rows"]
        curve.start(name, steps, self.done)

    def steps(self) -> Iterator[int]:
        """The numbers of the steps that are left. After the last, the network has the mean."""
        for step in range(self.done, self._steps):
            yield step
            self.done = step + 1
            if self._mean is not None and step >= self._averaged_from:
                self._mean.update_parameters(self.network)
            if self.done % self._every == 0 or self.done == self._steps:
                self._report()
        if self._mean is not None:
            self.network.load_state_dict(self._mean.module.state_dict())

    @property
    def share(self) -> float:
        """The share of the highest learning rate in this step."""
        return schedule(self.done, self._steps, self._warm_up)

    def learn(self, loss: Tensor, **figures: float) -> None:
        """Lowers a loss, and notes it with other figures of the step.

        Raises
        ------
        ValueError
            If the loss is not finite.

        """
        figures["loss"] = finite(loss, f"{self.name}, step {self.done + 1}, loss")
        for name, value in figures.items():
            self._figures.setdefault(name, []).append(value)
        self.optimizer.step(loss, self.share)

    def _report(self) -> None:
        means = {name: sum(found) / len(found) for name, found in sorted(self._figures.items())}
        self._figures.clear()
        tests = self.done == self._steps or self.done // self._every % self._test_every == 0
        self.curve.add(self.done, means, self._test() if self._test and tests else {})
        self.save()

    def save(self) -> None:
        """Writes the checkpoint and the curve.

        Raises
        ------
        ValueError
            If a weight is not finite. The last checkpoint stays.

        """
        for name, weights in self.network.named_parameters():
            finite(weights.detach().abs().max(), f"{self.name}, step {self.done}, {name}")
        rows = [row for row in self.curve.rows if row["network"] == self.name]
        state = {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "done": self.done,
            "extra": self.extra,
            "rows": rows,
        }
        if self._mean is not None:
            state["mean"] = self._mean.state_dict()
        save_checkpoint(self._checkpoint, self._settings, state)
        self.curve.write()
