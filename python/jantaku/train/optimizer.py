"""AdamW, with Muon beside it for inner layers, how fast they learn, and means of weights."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel


def schedule(step: int, steps: int, warm_up: int) -> float:
    """The share of the highest learning rate: it rises, then falls to 0 along a cosine."""
    return min(1.0, (step + 1) / max(1, warm_up)) * 0.5 * (1 + math.cos(math.pi * step / steps))


class Muon(torch.optim.Optimizer):
    """Momentum whose steps have equal singular values, for matrices.

    ``torch.optim.Muon`` does the same in bf16, which many processors only emulate. Steps are about
    as long as those of AdamW. Source: Jordan, *Muon: An optimizer for hidden layers in neural
    networks*, 2024.

    Parameters
    ----------
    matrices : list of Tensor
        The matrices.
    rate, decay : float
        The learning rate, and the weight decay.

    """

    def __init__(self, matrices: list[Tensor], *, rate: float, decay: float) -> None:
        super().__init__(matrices, {"lr": rate, "decay": decay})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Makes a step."""
        for group in self.param_groups:
            for matrix in group["params"]:
                state = self.state[matrix]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(matrix)
                momentum = state["momentum"]
                momentum.lerp_(matrix.grad, 0.05)
                length = 0.2 * math.sqrt(max(matrix.shape)) * group["lr"]
                matrix.mul_(1 - group["lr"] * group["decay"])
                matrix.sub_(length * orthogonal(matrix.grad.lerp(momentum, 0.95)))


def orthogonal(matrix: Tensor) -> Tensor:
    """A matrix with the same singular vectors, and singular values near 1.

    Five steps of a polynomial iteration bring them to about 0.7 to 1.2. Those below 0.15 % of the
    matrix's norm stay smaller.
    """
    is_tall = matrix.shape[0] > matrix.shape[1]
    x: Tensor = matrix.T if is_tall else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x.T if is_tall else x


class Optimizer:
    """AdamW for some weights, and Muon for the inner matrices of a network.

    Parameters
    ----------
    network : nn.Module
        The network.
    inner : iterable of Tensor
        Matrices that Muon trains. If there are none, AdamW trains everything.
    rate, decay : float
        The highest learning rate, and the weight decay.

    """

    def __init__(
        self, network: nn.Module, inner: Iterable[Tensor], *, rate: float, decay: float
    ) -> None:
        matrices = list(inner)
        known = {id(matrix) for matrix in matrices}
        others = [one for one in network.parameters() if id(one) not in known]
        self._rate = rate
        self._parts: list[torch.optim.Optimizer] = [
            torch.optim.AdamW(others, lr=rate, weight_decay=decay)
        ]
        if matrices:
            self._parts.append(Muon(matrices, rate=rate, decay=decay))

    def step(self, loss: Tensor, share: float) -> None:
        """Lowers a loss by one step at a share of the highest learning rate."""
        loss.backward()  # type: ignore[no-untyped-call]
        for part in self._parts:
            for group in part.param_groups:
                group["lr"] = share * self._rate
            part.step()
            part.zero_grad(set_to_none=True)

    def state_dict(self) -> list[dict[str, object]]:
        """The state, for a checkpoint."""
        return [part.state_dict() for part in self._parts]

    def load_state_dict(self, states: list[dict[str, object]]) -> None:
        """Continues from a state."""
        for part, state in zip(self._parts, states, strict=True):
            part.load_state_dict(state)


def mean_weights(network: nn.Module) -> AveragedModel:
    """The mean of the weights of a network, to which each call of `update_parameters` adds."""

    def added(mean: Tensor, weights: Tensor, steps: Tensor | int) -> Tensor:
        return mean.lerp(weights, 1 / (int(steps) + 1))

    return AveragedModel(network, avg_fn=added)


def finite(number: Tensor, place: str) -> float:
    """The number that a tensor holds.

    Raises
    ------
    ValueError
        If it is not finite.

    """
    value = number.item()
    if not math.isfinite(value):
        raise ValueError(f"{place}: expected a finite number, found {value}: lower `rate`")
    return value
