"""A network with a policy, and where and how it computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .._jantaku import AgentBatch, Encoder, FunctionAgent
from .._torch import Arrays
from .bag import BagNetwork
from .columns import ColumnNetwork
from .config import Clone, ConfigError, command_of
from .files import read_checkpoint
from .inputs import array_of
from .policy import Policy
from .training import device_of

# The settings that determine the shapes of a network's weights.
SHAPE = ("encoder", "width", "hidden")


def clone_in(start: str) -> tuple[Clone, dict[str, Tensor]]:
    """The settings and the weights of a clone in its checkpoint.

    Raises
    ------
    ConfigError
        If the file is no checkpoint of a clone.
    OSError
        If the file cannot be read.

    """
    advice = "name the `checkpoint.pt` in the folder of a clone"
    found, state = read_checkpoint(Path(start), advice)
    if (command := command_of(found)) != "clone":
        raise ConfigError(
            f"{start}: expected a checkpoint of `clone`, found one of `{command}`; {advice}"
        )
    found.pop("contents", None)
    return Clone.of({**found, "out": ""}, start), state["network"]


def network_of(config: Clone) -> Policy:
    """The network for the arrays of an encoder: features or planes."""
    encoder, heads = Encoder(config.encoder), list(config.heads)
    if array_of(encoder, "features") is not None:
        return BagNetwork(config.hidden, heads, encoder)
    return ColumnNetwork(config.width, heads, encoder)


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
        self.network = network_of(config).to(self.device)

    def continue_from(self, start: str, config: Clone) -> None:
        """Takes the weights of another clone.

        Raises
        ------
        ConfigError
            If the file is no checkpoint of a clone, or that of a network of another shape.
        OSError
            If the file cannot be read.

        """
        other, weights = clone_in(start)
        for name in SHAPE:
            if (was := getattr(other, name)) != (asked := getattr(config, name)):
                raise ConfigError(f"{start}: a network with {name} = {was!r}, expected {asked!r}")
        if (heads := list(other.heads)) != (asked := list(config.heads)):
            raise ConfigError(f"{start}: a network with the heads {heads}, expected {asked}")
        self.network.load_state_dict(weights)

    def tensor(self, array: np.ndarray) -> Tensor:
        """An array on the device."""
        return torch.from_numpy(array).to(self.device)

    def answer(self, batch: Arrays) -> dict[str, Tensor]:
        """The heads of the network for the decisions of a batch."""
        inputs = self.network.inputs(batch, self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._mixed):
            found: dict[str, Tensor] = self.network(*inputs)
        return found

    def agent(self, name: str) -> FunctionAgent:
        """The network as an agent that plays its best action. It plays with its latest weights."""

        @torch.inference_mode()
        def choose(batch: AgentBatch) -> Tensor:
            return self.answer(batch)["policy"].float().cpu()

        return FunctionAgent(choose, name=name, encoder=self.network.encoder, tables=512)
