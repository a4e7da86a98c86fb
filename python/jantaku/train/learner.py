"""A network with a policy, and where and how it computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._jantaku import AgentBatch, FunctionAgent
from .bag import BagNetwork
from .columns import ColumnNetwork
from .config import Clone
from .policy import Policy
from .training import device_of


class Learner:
    """The network of some settings, on its device.

    Parameters
    ----------
    config : Clone
        The settings.

    """

    def __init__(self, config: Clone) -> None:
        self.device = device_of(config.device)
        on_cuda = self.device.type == "cuda"
        self._mixed = config.precision == "bf16" or (config.precision == "auto" and on_cuda)
        network: Policy = (
            ColumnNetwork(config.width, list(config.heads))
            if config.encoder == "planes-v1"
            else BagNetwork(config.hidden, list(config.heads))
        )
        self.network = network.to(self.device)

    def tensor(self, array: np.ndarray) -> Tensor:
        """An array on the device."""
        return torch.from_numpy(array).to(self.device)

    def answer(self, arrays: Mapping[str, Any]) -> dict[str, Tensor]:
        """The heads of the network for the arrays of its encoder."""
        inputs = [tensor.to(self.device) for tensor in self.network.inputs(arrays)]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._mixed):
            found: dict[str, Tensor] = self.network(*inputs)
        return found

    def agent(self, name: str) -> FunctionAgent:
        """The network as an agent that plays its best action. It plays with its latest weights."""
        encoder = self.network.encoder

        @torch.inference_mode()
        def choose(batch: AgentBatch) -> Tensor:
            answer = self.answer({array: getattr(batch, array) for array in encoder.arrays})
            return answer["policy"].float().cpu()

        return FunctionAgent(choose, name=name, encoder=encoder, tables=512)
