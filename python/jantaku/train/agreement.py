"""How often a network chooses the action of the games that it learns from, by kind of decision."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._jantaku import Action
from .candidates import UNIT
from .heads import losses, targets
from .inputs import drawn
from .policy import Policy


def _kind(tile: str) -> int:
    """The number of a kind of tile, from 0. A red five is a five."""
    rank, suit = int(tile[0]), tile[1]
    return 9 * "mpsz".index(suit) + (rank or 5) - 1


def _numbers(*kinds: str) -> np.ndarray:
    """The numbers of the actions of these kinds."""
    return np.array([action.id for action in Action.all() if action.kind in kinds])


TSUMOGIRI = Action("tsumogiri").id
DISCARD_ACTIONS = TSUMOGIRI + 1
"""The number of actions that discard without riichi. They come first."""

ALL_DISCARDS = len(_numbers("discard", "tsumogiri"))
"""The number of actions that discard: without riichi, with riichi and with open riichi."""

TILES = np.array([_kind(action.tile or "") for action in Action.all()[:TSUMOGIRI]])
"""The kind of each tile that an action discards; red fives come last."""

WINS, CALLS, KANS = _numbers("ron", "tsumo"), _numbers("chi", "pon", "daiminkan"), _numbers("kan")

KINDS = ("discard", "riichi", "call", "kan", "win", "all")
"""The kinds of decisions.

``discard``: the player could discard several kinds, and discarded without riichi. ``riichi``:
riichi was legal. ``call``: chi, pon or daiminkan was legal and no ron. ``kan``: a kan of own tiles
was legal. ``win``: a win was legal. ``all``: every decision.
"""


def kinds_of(mask: np.ndarray, action: np.ndarray) -> dict[str, np.ndarray]:
    """Which decisions are of each kind."""
    tiles = np.zeros((len(mask), TILES.max() + 1), bool)
    for tile, kind in enumerate(TILES):
        tiles[:, kind] |= mask[:, tile]
    # The kind of the drawn tile is not in the mask: tsumogiri counts as one more.
    several = tiles.sum(axis=1) + mask[:, TSUMOGIRI] > 1
    wins = mask[:, WINS].any(axis=1)
    return {
        "discard": several & (action < DISCARD_ACTIONS),
        "riichi": mask[:, DISCARD_ACTIONS:ALL_DISCARDS].any(axis=1),
        "call": mask[:, CALLS].any(axis=1) & ~wins,
        "kan": mask[:, KANS].any(axis=1),
        "win": wins,
        "all": np.ones(len(mask), bool),
    }


def moves(action: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Numbers of actions in which discards of the same kind of tile are equal.

    A red five equals a plain one, and tsumogiri the discard of such a tile from the hand.
    """
    within = action % DISCARD_ACTIONS
    kind = np.where(within == TSUMOGIRI, drawn, TILES[np.minimum(within, TSUMOGIRI - 1)])
    found: np.ndarray = np.where(action < ALL_DISCARDS, action - within + kind, action)
    return found


def legal_logits(output: Mapping[str, Tensor], mask: Tensor) -> Tensor:
    """The logits, with -1e9 for illegal actions."""
    return output["policy"].float().masked_fill(~mask, -1e9)


def played(
    rows: dict[str, np.ndarray], output: Mapping[str, Tensor], chance: np.random.Generator
) -> dict[str, np.ndarray]:
    """The rows of some decisions with what a network plays in them.

    ``action`` is a draw from its policy, ``likely`` the logarithm of the action's probability, and
    ``value``, if the network has one, is 0 in rows that end a game.
    """
    mask = torch.from_numpy(rows["mask"]).to(output["policy"].device)
    logits = legal_logits(output, mask).cpu()
    # The highest of logits with noise of Gumbel is a draw from their softmax.
    action = (logits.numpy() + chance.gumbel(size=logits.shape)).argmax(axis=1)
    likely = logits.log_softmax(dim=1).numpy()
    found = {"action": action, "likely": likely[np.arange(len(likely)), action]}
    if "value" in output:
        found["value"] = output["value"].float().cpu().numpy() * rows["due"]
    return rows | found


@torch.no_grad()
def test(
    network: Policy,
    batches: Iterable[Mapping[str, Any]],
    answer: Callable[[Mapping[str, Any]], Mapping[str, Tensor]],
) -> dict[str, float]:
    """Figures of a network on decisions.

    Shares of equal moves by kind of decision, as ``same_discard``; the losses of the policy and of
    each head; ``value_error``, the root of the value's mean squared error, in points; and
    ``value_explained``, the share of the variance of results that the value explains.
    """
    same = dict.fromkeys(KINDS, 0)
    counts = dict.fromkeys(KINDS, 0)
    sums: dict[str, float] = dict.fromkeys(["policy", *network.heads], 0.0)
    errors, results = [], []
    for batch in batches:
        output = {name: tensor.float().cpu() for name, tensor in answer(batch).items()}
        action, mask = batch["action"].astype(np.int64), torch.from_numpy(batch["mask"])
        legal = legal_logits(output, mask)
        tiles = drawn(network.encoder, batch)
        equal = moves(legal.argmax(dim=1).numpy(), tiles) == moves(action, tiles)
        for kind, of_kind in kinds_of(batch["mask"], action).items():
            same[kind] += int((equal & of_kind).sum())
            counts[kind] += int(of_kind.sum())
        loss = torch.nn.functional.cross_entropy(legal, torch.from_numpy(action), reduction="sum")
        sums["policy"] += loss.item()
        wanted = targets(batch, network.heads)
        for head, target in wanted.items():
            sums[head] += losses(head, output[head], target).sum().item()
        if "value" in wanted:
            known = ~wanted["value"].isnan()
            errors.append((output["value"] - wanted["value"])[known].numpy())
            results.append(wanted["value"][known].numpy())
    decisions = max(1, counts["all"])
    figures = {f"same_{kind}": same[kind] / counts[kind] for kind in KINDS if counts[kind]}
    figures |= {f"loss_{name}": total / decisions for name, total in sums.items()}
    if errors:
        variance = float(np.concatenate(results).var())
        error = float((np.concatenate(errors) ** 2).mean())
        figures["value_error"] = math.sqrt(error) * UNIT
        figures["value_explained"] = 1 - error / variance if variance else 0.0
    return figures | {"decisions": float(counts["all"])}


def text(figures: dict[str, float]) -> str:
    """The shares of equal moves, as a line."""
    same = [
        f"{kind} {100 * figures[f'same_{kind}']:.1f} %"
        for kind in KINDS
        if f"same_{kind}" in figures
    ]
    return f"same moves in {figures['decisions']:,.0f} decisions held out: {', '.join(same)}"
