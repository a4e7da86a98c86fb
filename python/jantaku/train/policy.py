"""What all networks with a policy have in common."""

from __future__ import annotations

import copy
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .._jantaku import Encoder, Rules, _encoder
from .._torch import Arrays
from .candidates import UNIT
from .heads import SHAPES
from .inputs import inputs


class Policy(nn.Module, ABC):
    """A network that returns a dict: ``policy``, logits of the 165 actions, and its other heads.

    ``value`` is what the seat that decides expects: by default the result of the game, in units of
    10,000 points while it learns, and in points in its file (`save`).
    """

    suffix: str
    """The ending of its file."""

    def __init__(self, heads: list[str], encoder: Encoder | str) -> None:
        super().__init__()
        self.encoder = _encoder(encoder)
        # TorchScript knows the types of tuples.
        self.heads = tuple(heads)

    def inputs(self, batch: Arrays, device: torch.device | str | None = None) -> tuple[Tensor, ...]:
        """The arguments of ``forward`` for n decisions, on a device, by the encoder's arrays.

        Planes, multiplied by their scales: (n, channels, 34), float32. Features as two tensors: the
        active features of all rows, (sum of counts,), int64, and where each row begins, (n,),
        int64. Scalars: (n, scalars), float32.

        ``batch`` is one of `VecEnv`, of `Dataset`, or of a function that plays, with the arrays of
        `encoder`. The results have memory of their own, by default on the device of the batch.
        """
        return inputs(self.encoder, batch, device)

    @abstractmethod
    def inner(self) -> list[Tensor]:
        """The matrices between the first and the last layer."""

    @abstractmethod
    def write(self, path: Path, manifest: dict[str, Any]) -> None:
        """Writes the network with its weights as they are, and the manifest."""

    def value_layer(self) -> nn.Linear:
        """The layer of the value."""
        layer = next(layer for name, layer in self.named_modules() if name.endswith(".value"))
        assert isinstance(layer, nn.Linear)
        return layer

    def save(
        self,
        path: str | os.PathLike[str],
        rules: Rules | str,
        *,
        value: str = "points",
        augmented: bool = False,
        notes: Any = None,
    ) -> None:
        """Writes the network for the agent ``neural`` (``agents/docs/networks.md``).

        With the head ``value``, the agent reports a value: `Agent.evaluate` has it as ``values``,
        and a run in its column ``value``.

        Parameters
        ----------
        path : str or os.PathLike
            The path, which ends with `suffix`.
        rules : Rules or str
            The rules that it was trained for.
        value : str, default "points"
            The unit of the head ``value`` in the file. ``points``: the file has the head multiplied
            by 10,000. Any other text, such as ``placement`` for a head that learned from
            ``VecEnv(reward="placement")``: the file has the head as it is.
        augmented : bool, default False
            Whether it was trained with permuted suits.
        notes : optional
            Any JSON. Nothing reads it.

        """
        has_value = "value" in self.heads
        manifest = json.loads(self.encoder.manifest(rules, value if has_value else None))
        others = {head: list(SHAPES[head]) for head in self.heads if head != "value"}
        manifest["heads"] |= others
        manifest |= {"augmented": augmented, "notes": notes}
        network = copy.deepcopy(self).cpu().eval()
        if has_value:
            layer, unit = network.value_layer(), unit_of(manifest)
            layer.weight.data *= unit
            layer.bias.data *= unit
        network.write(Path(path), manifest)


def unit_of(manifest: Mapping[str, Any]) -> float:
    """The factor from the unit in which the head ``value`` learns to the unit of the file."""
    value = manifest["heads"].get("value")
    return UNIT if value == {"unit": "points"} else 1.0
