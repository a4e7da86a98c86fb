"""Clones `heuristic` with the loader and torch on two processor cores.

Plays games of `heuristic`, trains a network on `planes-v1` to choose its actions, states how often
both discard the same tile in games that the network has not seen, and plays the network as a
function in a match against `greedy`.

All kinds of tiles share weights: convolutions over neighbours in a suit, a summary of the table and
of each suit, and layers for each tile that may be discarded. No game is seen twice.

Usage: python examples/clone_heuristic.py [--minutes 18] [--games 20000] [--runs FOLDER]
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import conv2d, cross_entropy, pad, relu

import jantaku

ENCODER = jantaku.Encoder("planes-v1")
NAMES = [channel["name"].rsplit(".", 1)[0] for channel in ENCODER.channels]
DRAWN, OFFER, KAN = (NAMES.index(name) for name in ("hand.drawn", "decision.offer", "legal.kan"))
DISCARDS = [NAMES.index(f"legal_discard.{name}") for name in ("plain", "red", "tsumogiri")]
FIVES = [4, 13, 22]
OF_TILE = torch.tensor([*range(34), *FIVES, 0])  # the kind of each tile; red fives come last
TSUMOGIRI, RIICHI_END, KANS, AFTER_KANS = 37, 76, 124, 158
PASSES = 0.15  # the share of decisions about other players' discards that is learned


def with_neighbours(layer: nn.Linear, columns: Tensor) -> Tensor:
    """Adds a convolution over three neighbours to columns of shape (n, width, 4, 9)."""
    weight = layer.weight.view(len(layer.weight), -1, 1, 3)
    return columns + relu(conv2d(columns, weight, layer.bias, padding=(0, 1)))


class Network(nn.Module):
    """Logits of all actions from planes of shape (n, channels, 34)."""

    def __init__(self, planes: Tensor, width: int) -> None:
        super().__init__()
        # A channel with one number for all kinds concerns the table.
        of_kinds = (planes != planes[:, :, :1]).any(dim=2).any(dim=0)
        self.kinds, self.table = of_kinds.nonzero()[:, 0], (~of_kinds).nonzero()[:, 0]
        self.scales = torch.from_numpy(ENCODER.scales).bfloat16()
        self.enter = nn.Linear(len(self.kinds), width)
        self.places = nn.Parameter(torch.zeros(4, 9, width))
        self.near_1, self.near_2, self.near_3 = (nn.Linear(3 * width, width) for _ in range(3))
        self.summary = nn.Linear(4 * width + len(self.table), 2 * width)
        self.suit = nn.Linear(width, 2 * width, bias=False)
        self.spread = nn.Linear(2 * width, width)
        self.tile, self.around = nn.Linear(width, 128), nn.Linear(2 * width, 128)
        self.deeper, self.last = nn.Linear(128, 128), nn.Linear(128, 7)
        self.others = nn.Sequential(nn.Linear(4 * width, 128), nn.ReLU(), nn.Linear(128, 165))

    def forward(self, planes: Tensor) -> Tensor:
        """Logits of shape (n, 165)."""
        n = len(planes)
        columns = planes[:, self.kinds].transpose(1, 2).contiguous() * self.scales[self.kinds]
        table = planes[:, self.table, 0] * self.scales[self.table]
        # Three suits of nine kinds, and seven honours with two empty columns.
        columns = self.enter(pad(columns, (0, 0, 0, 2)).view(n, 4, 9, -1))
        columns = relu(columns + self.places.to(columns.dtype)).permute(0, 3, 1, 2)
        columns = with_neighbours(self.near_2, with_neighbours(self.near_1, columns))
        suits = columns.mean(dim=3).transpose(1, 2)
        summary = self.summary(torch.cat([suits.flatten(1), table], dim=1))
        spread = self.spread(relu(summary[:, None] + self.suit(suits)))
        columns = with_neighbours(self.near_3, columns + spread.transpose(1, 2)[..., None])
        columns = columns.permute(0, 2, 3, 1).reshape(n, 36, -1)[:, :34]
        summary = relu(summary)
        offered = (columns * planes[:, OFFER, :, None]).sum(dim=1)
        others = self.others(torch.cat([summary, offered, columns.mean(dim=1)], dim=1)).float()
        # The layers for tiles run only where a tile may be discarded or a kan declared.
        at = planes[:, [*DISCARDS, KAN]].amax(dim=1).flatten().nonzero()[:, 0]
        around = self.around(summary).index_select(0, at // 34)
        tiles = relu(self.tile(columns.flatten(0, 1).index_select(0, at)) + around)
        tiles = self.last(tiles + relu(self.deeper(tiles))).float()
        tiles = torch.zeros(n * 34, 7).index_put((at,), tiles).view(n, 34, 7)
        parts = []
        for first in (0, 3):
            plain, red, tsumogiri = tiles[:, :, first : first + 3].unbind(dim=2)
            tsumogiri = (tsumogiri * planes[:, DRAWN]).sum(dim=1, keepdim=True)
            parts += [plain, red[:, FIVES], tsumogiri]
        parts += [others[:, RIICHI_END:KANS], tiles[:, :, 6], others[:, AFTER_KANS:]]
        return torch.cat(parts, dim=1)


def tensors(batch: dict[str, Any], rows: Any = slice(None)) -> tuple[Tensor, Tensor, Tensor]:
    """Planes, mask and actions of some rows."""
    arrays = (batch["planes"], batch["mask"], batch["action"].astype(np.int64))
    return tuple(torch.from_numpy(array[rows]) for array in arrays)  # type: ignore[return-value]


def logits(network: Network, planes: Tensor, mask: Tensor) -> Tensor:
    """Logits of the legal actions."""
    with torch.autocast("cpu", torch.bfloat16):
        all_logits: Tensor = network(planes)
    return all_logits.masked_fill(~mask, -1e9)


def train(data: jantaku.Dataset, width: int, seconds: float) -> tuple[Network, int]:
    """Trains until the time is over. Returns the network and the number of decisions."""
    began, seen, mean, said = time.monotonic(), 0, 0.0, 0.0
    chance, batches = np.random.default_rng(0), iter(data)
    first = np.concatenate([next(batches)["planes"] for _ in range(8)])
    network = Network(torch.from_numpy(first), width)
    edges = {network.places, network.enter.weight, network.last.weight, network.others[2].weight}
    inner = {weights for weights in network.parameters() if weights.ndim == 2} - edges
    muon = torch.optim.Muon(inner, weight_decay=0.01, adjust_lr_fn="match_rms_adamw")
    adam = torch.optim.AdamW(set(network.parameters()) - inner, betas=(0.9, 0.99))
    for batch in batches:
        spent = (time.monotonic() - began) / seconds
        if spent >= 1:
            break
        turns = batch["kind"] == jantaku.Dataset.KINDS.index("turn")
        rows = np.flatnonzero(turns | (chance.random(len(turns)) < PASSES))
        weights = torch.from_numpy(np.where(turns[rows], 1.0, 1.0 / PASSES).astype(np.float32))
        planes, mask, actions = tensors(batch, rows)
        losses = cross_entropy(logits(network, planes, mask), actions, reduction="none")
        loss = (losses * weights).sum() / weights.sum()
        loss.backward()  # type: ignore[no-untyped-call]
        for optimizer in (muon, adam):
            # The learning rate rises, stays, and falls to nothing.
            optimizer.param_groups[0]["lr"] = 0.003 * min(1, 0.02 + 20 * spent, 1.4 * (1 - spent))
            optimizer.step()  # type: ignore[no-untyped-call]
            optimizer.zero_grad()
        seen += len(rows)
        mean += max(0.02, len(rows) / seen) * (loss.item() - mean)
        if spent > said + 0.05:
            said = spent
            print(f"{spent:.0%}: {seen / 1e6:.2f} M decisions, loss {mean:.3f}", flush=True)
    else:
        print("there were too few games for the time")
    return network, seen


@torch.inference_mode()
def agreement(network: Network, data: jantaku.Dataset) -> tuple[list[float], int]:
    """How often both discard the same kind, make the same discard, and make the same choice."""
    counts = np.zeros(5, np.int64)
    for planes, mask, actions in map(tensors, data):
        chosen = logits(network, planes, mask).argmax(dim=1)
        drawn = planes[:, DRAWN].int().argmax(dim=1)
        both = torch.stack((chosen, actions))
        kinds = torch.where(both == TSUMOGIRI, drawn, OF_TILE[both.clamp(max=TSUMOGIRI)])
        # Decisions between several discards in which the agent discarded without riichi.
        among = (mask[:, : TSUMOGIRI + 1].sum(dim=1) > 1) & (actions <= TSUMOGIRI)
        alike = among & (chosen <= TSUMOGIRI) & (kinds[0] == kinds[1])
        same = chosen == actions
        found = (alike, same & among, same, among, torch.ones_like(same))
        counts += [int(some.sum()) for some in found]
    return (counts[:3] / counts[[3, 3, 4]]).tolist(), int(counts[3])


def player(network: Network) -> jantaku.FunctionAgent:
    """The network as an agent."""

    @torch.inference_mode()
    def choose(batch: jantaku.AgentBatch) -> Tensor:
        return logits(network, torch.from_numpy(batch.planes), torch.from_numpy(batch.mask))

    return jantaku.FunctionAgent(choose, name="clone", encoder=ENCODER, tables=512)


def main() -> None:
    """Plays, trains, compares and plays again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--minutes", type=float, default=18, help="of games and training")
    add("--games", type=int, default=30_000, help="games to learn from")
    add("--unseen", type=int, default=300, help="games to compare on")
    add("--sets", type=int, default=300, help="sets of the match")
    add("--threads", type=int, default=2)
    add("--runs", type=Path, help="where the games are; others are played again")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(options.threads)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        runs = options.runs or Path(temporary)
        for name, games, seed in [("learn", options.games, 1), ("unseen", options.unseen, 2)]:
            print(jantaku.selfplay(games, "heuristic", seed=seed, out=runs / name, resume=True))
        left = 60 * options.minutes - (time.monotonic() - began)
        learn = jantaku.Dataset(runs / "learn", batch=1536, shuffle=True, workers=1)
        network, seen = train(learn, 64, left)
        unseen = jantaku.Dataset(runs / "unseen", batch=2048, workers=1)
        (alike, same, whole), discards = agreement(network, unseen)
    print(f"learned from {seen:,} decisions in {(time.monotonic() - began) / 60:.1f} minutes")
    print(f"same kind of tile as heuristic in {alike:.1%} of {discards:,} unseen discards,")
    print(f"same action in {same:.1%} of them and in {whole:.1%} of all unseen decisions")
    print(jantaku.match(player(network), "greedy", sets=options.sets, seed=3))


if __name__ == "__main__":
    main()
