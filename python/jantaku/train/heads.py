"""What a network learns beside the policy: targets and losses."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from .._jantaku import shanten
from .candidates import UNIT

SHAPES: dict[str, tuple[int, ...]] = {
    "value": (),
    "placement": (4,),
    "tenpai": (3,),
    "waits": (3, 34),
}
"""The shape of one row of each head.

``value`` is the result of the game. ``placement`` has the logits of the placements. ``tenpai`` and
``waits`` have logits for the opponents right, across and left: whether the hand is tenpai, and
which kinds complete it, with or without a yaku.
"""

CONCEALED = ("tenpai", "waits")
"""The heads that learn from concealed tiles."""


def size(head: str) -> int:
    """The number of outputs of a head."""
    return math.prod(SHAPES[head])


def targets(batch: Mapping[str, Any], heads: Collection[str]) -> dict[str, Tensor]:
    """The targets of some heads for a batch of `jantaku.Dataset`. NaN where there is none."""
    ended = batch["placements"] > 0
    found: dict[str, np.ndarray] = {}
    if "value" in heads:
        found["value"] = np.where(ended, batch["results"] / UNIT, np.nan)
    if "placement" in heads:
        found["placement"] = np.where(ended, batch["placements"] - 1.0, np.nan)
    if any(head in CONCEALED for head in heads):
        concealed = opponents(batch["concealed"], batch["seats"], batch["players"])
        found["tenpai"], found["waits"] = tenpai_and_waits(concealed)
    return {head: torch.from_numpy(found[head].astype(np.float32)) for head in heads}


AHEAD = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 2], [1, 2, 3]])
"""By number of players: how many seats ahead the players right, across and left sit; 0: nobody."""


def opponents(concealed: np.ndarray, seat: np.ndarray, players: np.ndarray) -> np.ndarray:
    """The concealed tiles of the opponents right, across and left, by kind: (n, 3, 34)."""
    kinds = concealed[:, :, :34].copy()
    kinds[:, :, [4, 13, 22]] += concealed[:, :, 34:]
    ahead = AHEAD[players]
    seats = (seat[:, None] + ahead) % players[:, None]
    found: np.ndarray = kinds[np.arange(len(kinds))[:, None], seats] * (ahead > 0)[:, :, None]
    return found


def tenpai_and_waits(hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whether hands (…, 34) are tenpai, and the kinds that complete them. NaN for absent hands."""
    flat = hands.reshape(-1, 34)
    tiles = flat.sum(axis=1)
    tenpai = np.full(len(flat), np.nan, np.float32)
    waits = np.full((len(flat), 34), np.nan, np.float32)
    for melds in range(5):
        of_size = np.flatnonzero((tiles > 0) & ((13 - tiles.astype(int)) // 3 == melds))
        tenpai[of_size] = shanten(flat[of_size], melds) == 0
        waits[of_size] = 0
        ready = of_size[tenpai[of_size] == 1]
        drawn = flat[ready][:, None, :] + np.eye(34, dtype=np.uint8)
        # A hand that has four of a kind does not wait for it.
        possible = drawn.max(axis=2) <= 4
        completes = np.zeros(possible.shape, bool)
        completes[possible] = shanten(drawn[possible], melds) < 0
        waits[ready] = completes
    return tenpai.reshape(hands.shape[:-1]), waits.reshape(hands.shape)


def losses(head: str, output: Tensor, target: Tensor) -> Tensor:
    """The loss of each row; 0 where there is no target."""
    known = ~target.isnan()
    filled = target.nan_to_num()
    if head == "value":
        # The squared error makes it an expected result. A median would not do for a value.
        each = functional.mse_loss(output, filled, reduction="none")
    elif head == "placement":
        each = functional.cross_entropy(output, filled.long(), reduction="none")
    else:
        each = functional.binary_cross_entropy_with_logits(output, filled, reduction="none")
    each = each * known
    return each.flatten(1).mean(dim=1) if each.dim() > 1 else each
