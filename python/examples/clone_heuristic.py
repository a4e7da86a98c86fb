"""Clones `heuristic` with the loader and torch on two processor cores.

Plays games of `heuristic`, trains a small network on `sparse-v1` to choose its actions, states how
often both choose the same discard in games that the network has not seen, and plays the network as
a function in a match against `greedy`.

Usage: python examples/clone_heuristic.py [--minutes 18] [--games 20000] [--runs FOLDER]
"""

import argparse
import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

import jantaku

ENCODER = jantaku.Encoder("sparse-v1")
DISCARDS = 38
"""Actions below this number discard a tile without riichi: 37 tiles, and tsumogiri."""


class Network(nn.Module):
    """A layer over all features and scalars, and two more on top of it."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(ENCODER.size + 1 + ENCODER.scalars, width),
            nn.ReLU(),
            nn.Linear(width, hidden),
            nn.ReLU(),
            nn.Linear(hidden, jantaku.Action.COUNT),
        )

    def forward(self, active: Tensor, scalars: Tensor) -> Tensor:
        """Logits of shape (n, 165)."""
        # A 1 for each active feature: on a CPU, one large product is faster than many sums of rows.
        features = torch.zeros(len(active), ENCODER.size + 1).scatter_(1, active, 1.0)
        logits: Tensor = self.layers(torch.cat([features, scalars], dim=1))
        return logits


def used(batch: dict[str, Any]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Active features without columns that only pad, scalars, mask and actions as tensors."""
    active = batch["active"][:, : int(batch["counts"].max())].astype(np.int64)
    arrays = (active, batch["scalars"], batch["mask"], batch["action"].astype(np.int64))
    return tuple(torch.from_numpy(array) for array in arrays)  # type: ignore[return-value]


def train(network: Network, batches: Iterator[dict[str, Any]], seconds: float) -> int:
    """Trains until the time is over. Returns the number of decisions."""
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    began, seen, mean, said = time.monotonic(), 0, 1.0, 0.0
    for batch in batches:
        spent = time.monotonic() - began
        if spent > seconds:
            break
        # The learning rate falls to nothing, in a straight line from a third of the time on.
        rate = 1e-3 * min(1.0, 1.5 * (1 - spent / seconds))
        for group in optimizer.param_groups:
            group["lr"] = rate
        active, scalars, mask, actions = used(batch)
        logits = network(active, scalars).masked_fill(~mask, -1e9)
        loss = nn.functional.cross_entropy(logits, actions)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        seen += len(actions)
        mean += 0.01 * (loss.item() - mean)
        if spent - said > 60:
            said = spent
            print(
                f"{spent / 60:5.1f} min  {seen / 1e6:6.2f} M decisions  loss {mean:.3f}", flush=True
            )
    return seen


@torch.inference_mode()
def agreement(network: Network, data: jantaku.Dataset) -> tuple[float, float, int]:
    """How often the network chooses what the agent chose: over discards, and over all decisions."""
    right, same, decisions, discards = 0, 0, 0, 0
    for batch in data:
        active, scalars, mask, actions = used(batch)
        chosen = network(active, scalars).masked_fill(~mask, -1e9).argmax(dim=1)
        # Decisions between several discards in which the agent discarded.
        of_discards = (mask[:, :DISCARDS].sum(dim=1) > 1) & (actions < DISCARDS)
        hits = chosen == actions
        right += int((hits & of_discards).sum())
        same += int(hits.sum())
        discards += int(of_discards.sum())
        decisions += len(actions)
    return right / discards, same / decisions, discards


def player(network: Network) -> jantaku.FunctionAgent:
    """The network as an agent."""

    @torch.inference_mode()
    def logits(batch: jantaku.AgentBatch) -> Tensor:
        active = batch.active[:, : int(batch.counts.max())].astype(np.int64)
        chosen: Tensor = network(torch.from_numpy(active), torch.from_numpy(batch.scalars))
        return chosen

    return jantaku.FunctionAgent(logits, name="clone", encoder=ENCODER, tables=512)


def main() -> None:
    """Plays, trains, compares and plays again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=18, help="of games and training")
    parser.add_argument("--games", type=int, default=20_000, help="games to learn from")
    parser.add_argument("--unseen", type=int, default=300, help="games to compare on")
    parser.add_argument("--sets", type=int, default=300, help="sets of the match")
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--runs", type=Path, help="where the games are; others are played again")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(2)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        runs = options.runs or Path(temporary)
        for name, games, seed in [("learn", options.games, 1), ("unseen", options.unseen, 2)]:
            played = jantaku.selfplay(
                games,
                "heuristic",
                seed=seed,
                out=runs / name,
                games_per_part=100,
                resume=True,
                threads=2,
            )
            print(played, flush=True)
        learn = jantaku.Dataset(
            runs / "learn", encoder=ENCODER, batch=2048, shuffle=True, augment=True, workers=1
        )
        epochs = itertools.chain.from_iterable(itertools.repeat(learn))
        network = Network(options.width, options.hidden)
        left = 60 * options.minutes - (time.monotonic() - began)
        seen = train(network, epochs, left)
        unseen = jantaku.Dataset(runs / "unseen", encoder=ENCODER, batch=4096)
        top, whole, discards = agreement(network, unseen)
    print(f"learned from {seen:,} decisions in {(time.monotonic() - began) / 60:.1f} minutes")
    print(f"same discard as heuristic in {100 * top:.1f} % of {discards:,} unseen discards")
    print(f"same action as heuristic in {100 * whole:.1f} % of unseen decisions")
    print(jantaku.match(player(network), "greedy", sets=options.sets, seed=3))


if __name__ == "__main__":
    main()
