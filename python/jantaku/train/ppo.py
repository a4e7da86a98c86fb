"""PPO: a network that plays improves by its own games.

The reward is the result of the game, which a placement model may spread over the hands. What an
action changes about it is estimated by the value of the network, which starts as the clone's,
or as what the placement model expects; or by a critic that sees hidden tiles. A penalty keeps the
policy near the best snapshot, which a later one replaces only when it wins a match against it.

Sources: Schulman et al., *Proximal policy optimization algorithms*, 2017 (arXiv:1707.06347), and
*High-dimensional continuous control using generalized advantage estimation*, 2015
(arXiv:1506.02438). Rewards are not discounted.
"""

# Why does PPO not reward the points of each hand? With such rewards, players learned to win hands
# and lose games. The value of a clone predicts the result of the game, so its change
# between two decisions already measures the gain of an action.

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import mse_loss

from .._jantaku import Rules
from .._types import AnyAgent, Opponents
from .._vec_env import VecEnv
from ..runs import match
from . import style
from .agreement import legal_logits, played
from .candidates import UNIT
from .config import ConfigError, Ppo
from .critic import Critic
from .files import contents_of
from .learner import Learner, clone_in
from .optimizer import Optimizer
from .training import Training, begin

Rows = dict[str, np.ndarray]
"""Columns with an entry for each decision."""

BEYOND_THE_MODEL = "10,000 points beyond the placement model"
"""The unit of the value, if the placement model spreads the result over the hands."""


def ppo(config: Ppo) -> Path:
    """Runs the experiment. Returns the path of the best network.

    The same settings continue from the last checkpoint.
    """
    threads, curve = begin(config)
    learner, best = _start(config), _start(config)
    critic = None
    if config.critic == "oracle":
        critic = Critic(learner, rate=config.critic_rate, seed=config.seed)

    def test() -> dict[str, float]:
        """Plays the network against the best snapshot, and replaces the snapshot if it loses."""
        result = match(
            learner.agent("latest"),
            best.agent("best"),
            sets=config.test_sets,
            rules=config.rules,
            seed=_seed(config, training.done, 1),
            threads=threads,
        )
        found, figures = result.placement_difference, style.figures(result)
        assert found is not None, "two agents play"
        if found.low is not None and found.low > 0:
            best.network.load_state_dict(learner.network.state_dict())
            training.extra["best"] = best.network.state_dict()
        interval = "" if found.low is None else f" ({found.low:+.3f} to {found.high:+.3f})"
        print(f"placement difference to the best snapshot {found.value:+.3f}{interval}")
        print(style.text(figures), flush=True)
        return {"difference": found.value, **figures}

    settings = config.settings() | {"contents": contents_of(config.start)}
    training = Training(
        "ppo",
        learner.network,
        Optimizer(learner.network, [], rate=config.rate, decay=0.0),
        curve,
        steps=config.iterations,
        warm_up=min(5, config.iterations),
        every=config.every,
        checkpoint=curve.out / "checkpoint.pt",
        settings=settings,
        test=test,
        test_every=config.test_every,
    )
    if "best" in training.extra:
        best.network.load_state_dict(training.extra["best"])
    if critic is not None and "critic" in training.extra:
        critic.load_state_dict(training.extra["critic"])
    for iteration in training.steps():
        chance = np.random.default_rng([config.seed, iteration])
        with environment(config, learner, threads, iteration) as env:
            rows = play(env, learner, _seed(config, iteration, 0), chance, critic)
        rows |= advantages(rows, config.fade)
        learn(config, training, learner, best, rows, chance, critic)
        if critic is not None:
            training.extra["critic"] = critic.state_dict()
    unit = "points" if config.hand_reward is None else BEYOND_THE_MODEL
    notes = {"settings": settings}
    for name, one in [("last", learner), ("ppo", best)]:
        path = curve.out / f"{name}{one.network.suffix}"
        one.network.save(path, Rules(config.rules), value=unit, augmented=False, notes=notes)
    print(f"wrote {path}", flush=True)
    return path


def _start(config: Ppo) -> Learner:
    """The network of the clone.

    Raises
    ------
    ConfigError
        If the file is no checkpoint of a clone, or its network has no head ``value``.
    OSError
        If the file cannot be read.

    """
    settings, weights = clone_in(config.start)
    if "value" not in settings.heads:
        raise ConfigError(f"{config.start}: expected a network with the head `value`")
    settings = dataclasses.replace(settings, device=config.device, precision=config.precision)
    learner = Learner(settings)
    learner.network.load_state_dict(weights)
    if config.hand_reward is not None:
        # The head predicted the result. Now it begins at 0: nothing beyond the placement model.
        for parameter in learner.network.value_layer().parameters():
            nn.init.zeros_(parameter)
    return learner


def environment(config: Ppo, learner: Learner, threads: int, iteration: int) -> VecEnv:
    """The tables at which a network plays, each for a game of an iteration.

    Against opponents, the network changes seats in each iteration: the first dealer wins more.
    """
    opponents: Opponents | None = None
    if isinstance(config.opponents, dict):
        pool: dict[AnyAgent, float] = dict(config.opponents.items())
        opponents = pool or None
    elif config.opponents:
        opponents = config.opponents
    rules = Rules(config.rules)
    return VecEnv(
        config.games,
        rules,
        seats=[iteration % rules.players] if config.opponents else None,
        opponents=opponents,
        encoder=learner.network.encoder,
        oracle=config.critic == "oracle",
        reward="result",
        hand_reward=config.hand_reward,
        threads=threads,
    )


def _seed(config: Ppo, iteration: int, use: int) -> int:
    """A seed below 2**63 for an iteration, different for each of its uses."""
    state = np.random.SeedSequence([config.seed, iteration, use]).generate_state(1, np.uint64)
    return int(state[0] >> np.uint64(1))


@torch.no_grad()
def play(
    env: VecEnv,
    learner: Learner,
    seed: int,
    chance: np.random.Generator,
    critic: Critic | None = None,
) -> Rows:
    """Plays a game at every table. Returns all rows, also those that end a game.

    Their values are those of the critic, or by default those of the network.
    """
    batch, ended, parts = env.reset(seed), 0, []
    while ended < env.tables:
        # A table whose game is over gets no answers, and waits for the next iteration.
        first, rows = batch.games == 0, batch.copy()
        if not first.all():
            rows = {name: array[first] for name, array in rows.items()}
        output = learner.answer(rows)
        if critic is not None:
            output["value"] = critic.values(rows)
        rows = played(rows, output, chance)
        parts.append(rows)
        ended += len(np.unique(rows["tables"][~rows["due"]]))
        if ended < env.tables:
            due = rows["due"]
            batch = env.step(rows["action"][due], rows["ids"][due])
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def advantages(rows: Rows, fade: float) -> Rows:
    """The advantage of each decision, and the target of its value."""
    advantage = np.zeros(len(rows["ids"]), np.float32)
    later: dict[int, int] = {}
    for row in reversed(range(len(advantage))):
        after = later.get(int(rows["ids"][row]))
        if after is not None:
            # Rewards are in thousands of points, values in units of `UNIT` points.
            reward = rows["rewards"][after] * 1000 / UNIT
            change = reward + rows["value"][after] - rows["value"][row]
            advantage[row] = change + fade * advantage[after]
        later[int(rows["ids"][row])] = row
    return {"advantage": advantage, "target": advantage + rows["value"]}


def explained(rows: Rows) -> float:
    """The share of the variance of the return that the values explain, over all decisions."""
    found, due = advantages(rows, 1.0), rows["due"]
    variance = found["target"][due].var()
    return float(1 - found["advantage"][due].var() / variance) if variance else 0.0


def learn(
    config: Ppo,
    training: Training,
    learner: Learner,
    best: Learner,
    rows: Rows,
    chance: np.random.Generator,
    critic: Critic | None = None,
) -> None:
    """Learns from every decision once."""
    share = explained(rows)
    decisions = chance.permutation(np.flatnonzero(rows["due"]))
    known = rows["advantage"][decisions]
    rows["advantage"] = (rows["advantage"] - known.mean()) / (known.std() + 1e-6)
    for part in np.array_split(decisions, max(1, len(decisions) // config.batch)):
        some = {name: rows[name][part] for name in rows}
        loss, figures = _loss(config, learner, best, some)
        if critic is not None:
            figures["critic"] = critic.learn(some, training.share)
        training.learn(loss, explained=share, **figures)


def _loss(
    config: Ppo, learner: Learner, best: Learner, rows: Rows
) -> tuple[Tensor, dict[str, float]]:
    """The loss of some decisions, and figures about it."""
    mask, action = learner.tensor(rows["mask"]), learner.tensor(rows["action"])
    output = learner.answer(rows)
    likely = legal_logits(output, mask).log_softmax(dim=1)
    with torch.no_grad():
        anchor = legal_logits(best.answer(rows), mask).log_softmax(dim=1)
    ratio = (likely.gather(1, action[:, None])[:, 0] - learner.tensor(rows["likely"])).exp()
    advantage = learner.tensor(rows["advantage"])
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy = -torch.minimum(ratio * advantage, clipped * advantage).mean()
    chances = likely.exp()
    divergence = (chances * (likely - anchor)).sum(dim=1).mean()
    entropy = -(chances * likely).sum(dim=1).mean()
    value = mse_loss(output["value"].float(), learner.tensor(rows["target"]))
    loss = policy + config.value * value + config.kl * divergence - config.entropy * entropy
    figures = {
        "kl": divergence.item(),
        "entropy": entropy.item(),
        "value": value.item(),
        "clipped": (ratio != clipped).float().mean().item(),
    }
    return loss, figures
