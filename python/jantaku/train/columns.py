"""A convolution over kinds of tiles for encoders with planes, which TorchScript plays.

All kinds share weights: convolutions over the neighbours of a suit, a summary of the table and of
each suit, and layers for each tile that may be discarded.
"""

from __future__ import annotations

import io
import json
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import conv2d, pad

from .._jantaku import Encoder
from .files import write
from .heads import size
from .policy import Policy

FIVES = [4, 13, 22]
CHANNELS = ["hand.drawn", "decision.offer"]
CHANNELS += ["legal_discard.plain", "legal_discard.red", "legal_discard.tsumogiri", "legal.kan"]
"""The channels that `ColumnNetwork.policy` finds by their names."""


class Near(nn.Linear):
    """Adds a convolution over three neighbours. Its weights are a matrix, as Muon expects."""

    def __init__(self, width: int) -> None:
        super().__init__(3 * width, width)

    def forward(self, columns: Tensor) -> Tensor:
        """Columns of shape (n, width, 4, 9)."""
        weight = self.weight.view(self.weight.shape[0], -1, 1, 3)
        return columns + torch.relu(conv2d(columns, weight, self.bias, padding=[0, 1]))


class ColumnNetwork(Policy):
    """A column of numbers for each kind of tile, from planes.

    It returns a dict of tensors for n decisions: ``policy``, the logits of the actions, of shape
    (n, 165), and the heads. ``value`` has the shape (n,), ``placement`` (n, 4), ``tenpai`` (n, 3),
    ``waits`` (n, 3, 34).

    Parameters
    ----------
    width : int
        The numbers of a column.
    heads : list of str
        The heads beside the policy: ``value``, ``placement``, ``tenpai`` and ``waits``.
    encoder : Encoder or str, default "planes-v1"
        What it reads: an encoder with planes, which have channels of the tile just drawn, of the
        tile offered and of legal discards and kans.

    """

    suffix = ".pt"

    def __init__(self, width: int, heads: list[str], encoder: Encoder | str = "planes-v1") -> None:
        super().__init__(heads, encoder)
        names = [channel["name"].rsplit(".", 1)[0] for channel in self.encoder.channels]
        self.enter = nn.Conv1d(len(names), width, 1)
        self.places = nn.Parameter(torch.zeros(width, 4, 9))
        self.near_1, self.near_2, self.near_3 = Near(width), Near(width), Near(width)
        self.summary = nn.Linear(4 * width + len(names), 2 * width)
        self.suit = nn.Linear(width, 2 * width, bias=False)
        self.spread = nn.Linear(2 * width, width)
        self.tile, self.around = nn.Linear(width, 128), nn.Linear(2 * width, 128)
        self.deeper, self.last = nn.Linear(128, 128), nn.Linear(128, 7)
        self.others_1, self.others_2 = nn.Linear(4 * width, 128), nn.Linear(128, 165)
        whole = [head for head in heads if head != "waits"]
        self.of_table = nn.ModuleDict({head: nn.Linear(3 * width, size(head)) for head in whole})
        by_kind = [head for head in heads if head == "waits"]
        self.of_kinds = nn.ModuleDict(
            {head: nn.Linear(width, size(head) // 34) for head in by_kind}
        )
        # TorchScript knows no global names. The order is that of `CHANNELS`.
        self.drawn_channel, self.offer_channel, *tiles = map(names.index, CHANNELS)
        self.tile_channels: Tensor
        self.fives: Tensor
        self.register_buffer("tile_channels", torch.tensor(tiles))
        self.register_buffer("fives", torch.tensor(FIVES))

    def forward(self, planes: Tensor) -> dict[str, Tensor]:
        """The heads, from planes of shape (n, channels, 34), where 1.0 is the usual maximum."""
        n = planes.shape[0]
        # Three suits of nine kinds, and seven honours with two empty columns.
        columns = pad(self.enter(planes), [0, 2]).view(n, -1, 4, 9)
        columns = torch.relu(columns + self.places)
        columns = columns.contiguous(memory_format=torch.channels_last)
        columns = self.near_2(self.near_1(columns))
        suits = columns.mean(dim=3).transpose(1, 2)
        summary = self.summary(torch.cat([suits.flatten(1), planes.mean(dim=2)], dim=1))
        spread = self.spread(torch.relu(summary.unsqueeze(1) + self.suit(suits)))
        columns = self.near_3(columns + spread.transpose(1, 2).unsqueeze(3))
        columns = columns.flatten(2)[:, :, :34].transpose(1, 2).contiguous()
        summary = torch.relu(summary)
        table = torch.cat([summary, columns.mean(dim=1)], dim=1)
        found = {"policy": self.policy(planes, columns, summary, table)}
        for head, layer in self.of_table.items():
            found[head] = layer(table).squeeze(1)
        for head, layer in self.of_kinds.items():
            found[head] = layer(columns).transpose(1, 2)
        return found

    def policy(self, planes: Tensor, columns: Tensor, summary: Tensor, table: Tensor) -> Tensor:
        """The logits of all actions."""
        n = planes.shape[0]
        # The layers for tiles run only where a tile may be discarded or a kan declared.
        legal = planes.index_select(1, self.tile_channels).amax(dim=1)
        at = legal.flatten().nonzero()[:, 0]
        around = self.around(summary).index_select(0, at // 34)
        tiles = torch.relu(self.tile(columns.flatten(0, 1).index_select(0, at)) + around)
        tiles = self.last(tiles + torch.relu(self.deeper(tiles))).float()
        every = torch.zeros([n * 34, 7], dtype=tiles.dtype, device=tiles.device)
        every = every.index_copy(0, at, tiles).view(n, 34, 7)
        offered = (columns * planes[:, self.offer_channel].unsqueeze(2)).sum(dim=1)
        others = self.others_1(torch.cat([table, offered], dim=1))
        others = self.others_2(torch.relu(others)).float()
        drawn = planes[:, self.drawn_channel]
        discards = self.discards(every[:, :, :3], drawn)
        riichi = self.discards(every[:, :, 3:6], drawn)
        # Open riichi and calls are from action 76 on, kans from 124, all else from 158.
        parts = [discards, riichi, others[:, 76:124], every[:, :, 6], others[:, 158:]]
        return torch.cat(parts, dim=1)

    def discards(self, logits: Tensor, drawn: Tensor) -> Tensor:
        """Discards of each kind, of the red fives, and tsumogiri."""
        plain, red, tsumogiri = logits.unbind(dim=2)
        last = (tsumogiri * drawn).sum(dim=1, keepdim=True)
        return torch.cat([plain, red.index_select(1, self.fives), last], dim=1)

    def inner(self) -> list[Tensor]:
        """The matrices between the first and the last layers."""
        layers = [self.near_1, self.near_2, self.near_3, self.summary, self.suit, self.spread]
        layers += [self.tile, self.around, self.deeper, self.others_1]
        return [layer.weight for layer in layers]

    def write(self, path: Path, manifest: dict[str, Any]) -> None:
        """Writes a TorchScript module and its manifest."""
        contents = io.BytesIO()
        with warnings.catch_warnings():
            # The program reads TorchScript, whatever torch recommends to new projects.
            warnings.simplefilter("ignore", DeprecationWarning)
            torch.jit.save(torch.jit.script(self), contents)
        write(path, contents.getvalue())
        write(path.with_suffix(".json"), (json.dumps(manifest, indent=1) + "\n").encode())
