"""Behaviour cloning: trains a network to choose the actions of games.

The games may come from any agents, or from people. Some games are held out: the network is tested
on their decisions, and never learns from them.
"""

# How are games held out? As rank 0 of many: `Dataset` splits games by their position in the run or
# log. Decisions of one game are correlated, so a test on other decisions of the training games
# would be optimistic.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from .._jantaku import Rules
from ..dataset import Dataset
from ..runs import match
from . import style
from .agreement import legal_logits, test, text
from .config import Clone, ConfigError, run_table
from .files import contents_of
from .heads import CONCEALED, losses, targets
from .learner import Learner
from .optimizer import Optimizer
from .training import Training, begin


def clone(config: Clone) -> Path:
    """Runs the experiment. Returns the path of the network.

    The same settings continue from the last checkpoint.
    """
    torch.manual_seed(config.seed)
    rules = rules_of(config)
    threads, curve = begin(config)
    ranks = round(1 / config.held_out)
    tested = games_of(_dataset(config, None, rank=0, ranks=ranks, workers=threads))
    unseen = _dataset(config, config.encoder, rank=0, ranks=ranks, workers=threads)
    learner = Learner(config)
    if config.start is not None:
        learner.continue_from(config.start, config)
    weights = sum(one.numel() for one in learner.network.parameters())
    print(f"{weights:,} weights on {learner.device}, {len(tested):,} games held out", flush=True)

    def tests() -> dict[str, float]:
        unseen.set_epoch(0)
        figures = test(learner.network, unseen, learner.answer)
        print(text(figures), flush=True)
        return figures | (_strength(config, learner, rules, threads) if config.test_sets else {})

    settings = config.settings() | {"contents": contents_of(*config.runs, config.start)}
    training = Training(
        "clone",
        learner.network,
        Optimizer(
            learner.network,
            learner.network.inner() if config.muon else [],
            rate=config.rate,
            decay=config.decay,
        ),
        curve,
        steps=config.steps,
        warm_up=config.warm_up,
        every=config.every,
        checkpoint=curve.out / "checkpoint.pt",
        settings=settings,
        test=tests,
        test_every=config.test_every,
    )
    data = _dataset(
        config, config.encoder, shuffle=True, seed=config.seed, augment=config.augment,
        workers=threads,
    )  # fmt: skip
    if training.extra:
        data.load_state_dict(training.extra)
    batches = learned(data, tested)
    for _ in training.steps():
        batch = next(batches)
        training.extra = data.state_dict()
        training.learn(_loss(config, learner, batch))
    path = curve.out / f"clone{learner.network.suffix}"
    held_out = {name: value for name, value in curve.rows[-1].items() if name != "seconds"}
    notes = {"settings": settings, "held_out": held_out}
    learner.network.save(path, rules, augmented=config.augment, notes=notes)
    print(f"wrote {path}", flush=True)
    return path


def _strength(config: Clone, learner: Learner, rules: Rules, threads: int) -> dict[str, float]:
    """The placement and the style in a match. All tests of a training have the same walls."""
    found = match(
        learner.agent("clone"),
        "heuristic",
        sets=config.test_sets,
        rules=rules,
        seed=config.seed,
        threads=threads,
    )
    figures = style.figures(found)
    placement = found.agents[0].placement
    interval = "" if placement.low is None else f" ({placement.low:.3f} to {placement.high:.3f})"
    print(f"mean placement against `heuristic` {placement.value:.3f}{interval}")
    print(style.text(figures), flush=True)
    return figures


def _loss(config: Clone, learner: Learner, batch: dict[str, Any]) -> Tensor:
    """The loss of a batch: that of the policy, and of the other heads by their weights."""
    output = learner.answer(batch)
    legal = legal_logits(output, learner.tensor(batch["mask"]))
    loss = cross_entropy(legal, learner.tensor(batch["action"].astype(np.int64)))
    for head, target in targets(batch, learner.network.heads).items():
        found = losses(head, output[head].float(), target.to(learner.device))
        loss = loss + config.heads[head] * found.mean()
    return loss


def learned(data: Dataset, held_out: np.ndarray) -> Iterator[dict[str, Any]]:
    """Endless batches, without the decisions of the games that are held out."""
    while True:
        found = False
        for batch in data:
            takes = ~np.isin(_games(batch), held_out)
            if takes.any():
                found = True
                arrays = cast("dict[str, Any]", batch)
                yield {name: array[takes] for name, array in arrays.items()}
        if not found and data.epoch > 1:
            raise ValueError("there is nothing to learn: all games are held out, or there are none")


def games_of(data: Dataset) -> np.ndarray:
    """The games of a dataset, as numbers."""
    found = [np.unique(_games(batch)) for batch in data]
    if not found:
        raise ValueError("the runs have no decisions")
    return np.unique(np.concatenate(found))


def _games(batch: Mapping[str, Any]) -> np.ndarray:
    """The game of each decision: the index of its run << 40, plus its number in the run."""
    numbers: np.ndarray = batch["runs"].astype(np.int64) << 40 | batch["games"].astype(np.int64)
    return numbers


def _dataset(config: Clone, encoder: Any, **options: Any) -> Dataset:
    concealed = encoder is not None and any(head in CONCEALED for head in config.heads)
    return Dataset(
        config.runs,
        encoder=encoder,
        batch=config.batch,
        agents=config.agents or None,
        concealed=concealed,
        rules=config.log_rules or None,
        **options,
    )


def rules_of(config: Clone) -> Rules:
    """The rules of the network.

    Raises
    ------
    ConfigError
        If the settings and the first run state none. Games from logs may have different rules.

    """
    if config.rules:
        return Rules(config.rules)
    first = config.runs[0]
    table = run_table(first)
    if table is None:
        raise ConfigError(
            f"rules: missing, and {first} is no run; "
            'name those of the games, such as rules = "tenhou"'
        )
    if table.get("from_logs"):
        raise ConfigError(
            f"rules: missing, because the games of {first} come from logs with their own rules: "
            'name those of the network, such as rules = "tenhou"'
        )
    return Rules("tenhou", **table["rules"])
