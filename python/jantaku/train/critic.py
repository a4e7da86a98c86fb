"""A critic that also sees hidden tiles. It helps to train a policy, and is never part of its file.

Source: Li et al., *Suphx: Mastering mahjong with deep reinforcement learning*, 2020
(arXiv:2003.13590), whose oracle guides the policy; here it estimates only the value.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import mse_loss

from .._jantaku import Encoder
from .inputs import array_of
from .learner import Learner
from .optimizer import Optimizer, finite
from .trunk import Trunk

ORACLE = Encoder("oracle-v1")
HIDDEN = [256, 128]
"""Widths of the layers."""


class CriticNetwork(nn.Module):
    """A value for each decision, from what the seat sees and what it does not see.

    The layers are those of a `BagNetwork` for features, and dense ones for planes. It begins with
    the value 0.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        planes = int(np.prod(ORACLE.shape))
        if array_of(encoder, "features") is not None:
            self.trunk: nn.Module = Trunk(encoder.size, encoder.scalars + planes, HIDDEN)
        else:
            widths = itertools.pairwise([int(np.prod(encoder.shape)) + planes, *HIDDEN])
            layers = [(nn.Linear(inputs, outputs), nn.ReLU()) for inputs, outputs in widths]
            self.trunk = nn.Sequential(*itertools.chain.from_iterable(layers))
        self.value = nn.Linear(HIDDEN[-1], 1)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, seen: tuple[Tensor, ...], hidden: Tensor) -> Tensor:
        """The values, from the inputs of the policy and planes of shape (n, 45, 34)."""
        *sparse, dense = seen
        dense = torch.cat([dense.flatten(1), hidden.flatten(1)], dim=1)
        value: Tensor = self.value(self.trunk(*sparse, dense))
        return value[:, 0]


class Critic:
    """A critic and what trains it.

    Parameters
    ----------
    learner : Learner
        The policy, whose inputs and device the critic shares.
    rate : float
        The highest learning rate.
    seed : int
        Seed of the first weights.

    """

    def __init__(self, learner: Learner, *, rate: float, seed: int) -> None:
        torch.manual_seed(seed)
        self._learner = learner
        self._network = CriticNetwork(learner.network.encoder).to(learner.device)
        self._optimizer = Optimizer(self._network, [], rate=rate, decay=0.0)
        self._scales = learner.tensor(ORACLE.scales)[:, None]

    def values(self, rows: Mapping[str, np.ndarray]) -> Tensor:
        """The values of n rows of a `VecEnv` with ``oracle``: (n,), in the unit of the rewards."""
        seen = self._learner.network.inputs(rows, self._learner.device)
        found: Tensor = self._network(seen, self._learner.tensor(rows["oracle"]) * self._scales)
        return found

    def learn(self, rows: Mapping[str, np.ndarray], share: float) -> float:
        """Learns the targets of some decisions at a share of the rate. Returns the earlier loss."""
        loss = mse_loss(self.values(rows), self._learner.tensor(rows["target"]))
        found = finite(loss, "critic, loss")
        self._optimizer.step(loss, share)
        return found

    def state_dict(self) -> dict[str, Any]:
        """The state, for a checkpoint."""
        network, optimizer = self._network.state_dict(), self._optimizer.state_dict()
        return {"network": network, "optimizer": optimizer}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues from a state."""
        self._network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["optimizer"])
