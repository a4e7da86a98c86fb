"""How much the rollouts of a decision vary.

One pair of rollouts differs by 0 in most deals and by many thousand points in others. How much it
may differ can be seen before: in a quiet decision little is at stake. Pairs of noisy decisions say
less, so they weigh less.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from .candidates import Batch, Loader
from .network import SCALARS
from .optimizer import Optimizer, schedule

FLOOR = 0.02
"""The lowest variance, in squares of `UNIT` points: smaller estimates are not reliable."""


class Noise(nn.Module):
    """The expected variance of the difference of two candidates in one deal."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2 * SCALARS, 96), nn.ReLU(), nn.Linear(96, 64), nn.ReLU(), nn.Linear(64, 1)
        )

    def log_variance(self, batch: Batch) -> torch.Tensor:
        """The logarithm of the expected variance of each pair, without the floor."""
        both = torch.cat([batch.scalars[batch.chosen], batch.scalars[batch.other]], 1)
        value: torch.Tensor = self.layers(both)
        return value[:, 0].clamp(-8, 3)

    def variance(self, batch: Batch) -> torch.Tensor:
        """The variance of each pair, in squares of the unit."""
        with torch.no_grad():
            return self.log_variance(batch).exp() + FLOOR


def fit_noise(loader: Loader, seed: int, most: int = 600_000) -> Noise:
    """Fits the expected variance to at most ``most`` of the decisions."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    noise = Noise().to(loader.device)
    optimizer = Optimizer(noise, [], rate=2e-3, decay=0.01)
    some = rng.permutation(len(loader.labelled))[:most]
    parts = np.array_split(some, max(1, len(some) // 2048))
    for number, part in enumerate(parts):
        batch = loader.batch(part)
        log = noise.log_variance(batch)
        loss = (log + batch.square * torch.exp(-log)).mean()
        optimizer.step(loss, schedule(number, len(parts), warm_up=0))
    return noise
