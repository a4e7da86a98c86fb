"""Trains a network by PPO in a `jantaku.VecEnv`, and saves it for `jantaku match`.

The network learns one seat of each table. An episode is a hand: with ``hand_reward="model"``, its
reward is the change of the placement that is expected, so the value need not look beyond the hand.

Source: Schulman et al., *Proximal policy optimization algorithms*, 2017 (arXiv:1707.06347).

Usage: pip install './python[torch]'
       python examples/ppo.py [--iterations 200] [--opponents greedy] [--out ppo.safetensors]
       jantaku match --challenger neural:model=ppo.safetensors --baseline greedy --sets 100

`python/docs/training.md` trains a clone, which ``--start clone.safetensors`` improves.
"""

import argparse
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import mse_loss

import jantaku
from jantaku.networks import BagNetwork, tensors

Rows = dict[str, NDArray[Any]]
"""Columns with an entry for each row of `VecEnv`."""


class Player:
    """The network, and where it computes."""

    def __init__(self, network: BagNetwork, device: str) -> None:
        self.network, self.device = network.to(device), device

    def answer(self, rows: jantaku.Batch | Rows, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The log-probability of each action, and the value of each row."""
        found = self.network(*self.network.inputs(rows, self.device))
        # Not -inf: no action is legal in a row that ends a game.
        legal = found["policy"].masked_fill(~mask, -1e9)
        return legal.log_softmax(dim=1), found["value"]

    @torch.no_grad()
    def play(self, batch: jantaku.Batch) -> Rows:
        """The rows of a batch with actions, their log-probabilities, and values."""
        likely, value = self.answer(batch, torch.from_numpy(batch.mask).to(self.device))
        action = torch.multinomial(likely.exp(), 1)
        answers = {"action": action, "likely": likely.gather(1, action), "value": value}
        return batch.copy() | {name: found.cpu().numpy().ravel() for name, found in answers.items()}


def collect(env: jantaku.VecEnv, batch: jantaku.Batch, player: Player, turns: int) -> Rows:
    """The rows of a batch and of as many turns after it.

    The last rows show what followed earlier decisions. They are not sent: the next call begins with
    them.
    """
    parts = [player.play(batch)]
    for _ in range(turns):
        parts.append(player.play(env.step(parts[-1]["action"])))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def advantages(rows: Rows, fade: float) -> Rows:
    """The advantage of each decision by GAE, and the target of its value.

    NaN where no row of the same seat follows, and in rows that end a game. Rewards are not
    discounted.
    """
    advantage = np.full(len(rows["ids"]), np.nan, np.float32)
    next_rows: dict[int, int] = {}
    for row in reversed(range(len(advantage))):
        after = next_rows.get(int(rows["ids"][row]))
        next_rows[int(rows["ids"][row])] = row
        if after is None or not rows["due"][row]:
            continue
        # The reward of a row is what the seat won or lost since its previous row.
        advantage[row] = rows["rewards"][after] - rows["value"][row]
        # The number of the hand goes up at its end, also in the row that ends the game.
        if rows["hands"][after] == rows["hands"][row]:
            advantage[row] += rows["value"][after] + fade * np.nan_to_num(advantage[after])
    return {"advantage": advantage, "target": advantage + rows["value"]}


def loss_of(player: Player, rows: Rows, clip: float, entropy: float) -> tuple[Tensor, float]:
    """The loss of some decisions, and the entropy of the policy in them."""
    names = ("mask", "action", "likely", "advantage", "target")
    found = tensors({name: rows[name] for name in names}, player.device)
    likely, value = player.answer(rows, found["mask"])
    ratio = (likely.gather(1, found["action"][:, None])[:, 0] - found["likely"]).exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    gain = torch.minimum(ratio * found["advantage"], clipped * found["advantage"]).mean()
    variety = -(likely.exp() * likely).sum(dim=1).mean()
    return mse_loss(value, found["target"]) - gain - entropy * variety, variety.item()


def learn(
    player: Player,
    optimizer: torch.optim.Optimizer,
    rows: Rows,
    options: argparse.Namespace,
    chance: np.random.Generator,
) -> float:
    """Learns from all decisions whose next row is known. Returns the mean entropy."""
    known = np.flatnonzero(~np.isnan(rows["advantage"]))
    advantage = rows["advantage"]
    mean, deviation = advantage[known].mean(), advantage[known].std()
    rows = rows | {"advantage": (advantage - mean) / (deviation + 1e-6)}
    entropies = []
    for _ in range(options.epochs):
        parts = max(1, len(known) // options.batch)
        for part in np.array_split(chance.permutation(known), parts):
            some = {name: column[part] for name, column in rows.items()}
            loss, entropy = loss_of(player, some, options.clip, options.entropy)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(player.network.parameters(), 0.5)
            optimizer.step()
            entropies.append(entropy)
    return float(np.mean(entropies))


def train(options: argparse.Namespace) -> None:
    """Trains the network and writes its file after each iteration."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    chance = np.random.default_rng(options.seed)
    start = BagNetwork.load(options.start) if options.start else BagNetwork([256, 128], ["value"])
    # The value of a clone is the result of the game. Here it is the reward of the hand.
    torch.nn.init.zeros_(start.value_layer().weight)
    torch.nn.init.zeros_(start.value_layer().bias)
    player = Player(start, options.device)
    optimizer = torch.optim.Adam(player.network.parameters(), options.rate)
    with jantaku.VecEnv(
        options.tables,
        options.rules,
        seats=[0],
        rotate=True,
        opponents=dict.fromkeys(options.opponents.split(","), 1.0),
        encoder=player.network.encoder,
        reward="placement",
        hand_reward="model",
        seed=options.seed,
        threads=options.threads,
    ) as env:
        batch = env.recv()
        for iteration in range(1, options.iterations + 1):
            rows = collect(env, batch, player, options.turns)
            rows |= advantages(rows, options.fade)
            entropy = learn(player, optimizer, rows, options, chance)
            player.network.save(options.out, options.rules, value="placement")
            # The next iteration begins with the rows of the last batch.
            placements = rows["placements"][: -batch.rows]
            placements = placements[placements > 0]
            mean = f"{placements.mean():.2f}" if len(placements) else "unknown"
            print(
                f"{iteration}/{options.iterations}: mean placement {mean} in {len(placements)} "
                f"games, entropy {entropy:.3f}",
                flush=True,
            )


def main() -> None:
    """Trains, then plays a match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="ppo.safetensors", help="file of the network")
    parser.add_argument("--start", help="file of the first network, such as a clone")
    parser.add_argument("--opponents", default="greedy,random", help="from which each game draws")
    parser.add_argument("--rules", default="tenhou")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tables", type=int, default=128)
    parser.add_argument("--turns", type=int, default=128, help="turns of an iteration")
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--epochs", type=int, default=2, help="how often a decision is learned")
    parser.add_argument("--batch", type=int, default=1024, help="decisions of a step")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01, help="weight of the entropy")
    parser.add_argument("--fade", type=float, default=0.95, help="lambda of GAE")
    parser.add_argument("--sets", type=int, default=100, help="sets of the match")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    train(options)
    print(jantaku.match(f"neural:model={options.out}", "greedy", sets=options.sets))


if __name__ == "__main__":
    main()
