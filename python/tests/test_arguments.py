"""Every argument has effect beside the others, or is refused by its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jantaku
from jantaku import Dataset, Rules, Standing, VecEnv

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from jantaku.env import Aec, GymEnv, GymVectorEnv

ONE_HAND = Rules("tenhou", hands_limit=1)
REFEREE = Rules("tenhou-noaka", hands_limit=1, enforce="Referee", chombo="ReverseMangan")
START = [Standing([40_000, 30_000, 20_000, 10_000])]


def rows(**given: Any) -> list[Any]:
    """What the learner gets from a `VecEnv`."""
    env = VecEnv(**{"tables": 3, "rules": ONE_HAND, **given})
    found = []
    for _ in range(300):
        batch = env.recv()
        found.append({name: array.tobytes() for name, array in batch.copy().items()})
        env.send(env.random_actions())
    return found


def seen(*found: Any) -> str:
    """What a call returned as text."""
    parts = []
    for one in found:
        items = one.items() if isinstance(one, dict) else [("", one)]
        parts += [
            (name, getattr(item, "tobytes", lambda item=item: item)()) for name, item in items
        ]
    return repr(parts)


def of_gym(**given: Any) -> list[str]:
    """The same from a `GymEnv`, with an illegal action at the end."""
    env = GymEnv(**{"rules": ONE_HAND, **given})
    found, rng = [], np.random.default_rng(1)
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        over = False
        while not over:
            action = np.int64(rng.choice(np.flatnonzero(observation["action_mask"])))
            observation, *others = env.step(action)
            found.append(seen(observation, *others, env.render()))
            over = bool(others[1])
    observation, _ = env.reset(seed=9)
    illegal = np.int64(np.flatnonzero(observation["action_mask"] == 0)[0])
    return [*found, seen(*env.step(illegal))]


def of_vector(**given: Any) -> list[str]:
    """The same from a `GymVectorEnv`."""
    env = GymVectorEnv(**{"num_envs": 3, "rules": ONE_HAND, **given})
    observation, _ = env.reset()
    found = [seen(observation)]
    for _ in range(60):
        observation, *others = env.step(observation["action_mask"].argmax(axis=1))
        found.append(seen(observation, *others[:3], env.render()))
    return found


def of_aec(**given: Any) -> list[str]:
    """The same from an `Aec`."""
    env = Aec(**{"rules": ONE_HAND, **given})
    env.reset()
    found = []
    for _ in env.agent_iter():
        observation, *others = env.last()
        found.append(seen(observation, *others, env.render()))
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[-1]) if len(legal) else None)
    return found


GAME = {"rules": REFEREE, "encoder": "sparse-v1", "reward": "points", "start": START}
LEARNER = {"opponents": "random", "hand_reward": "model"}
Idle = dict[str, Callable[[set[str]], bool]]
"""When arguments have no effect: a function of the names of all that are given."""
HAND_REWARD: Idle = {"hand_reward": lambda given: "reward" in given}
ENVIRONMENTS: list[tuple[type, Callable[..., list[Any]], dict[str, Any], Idle]] = [
    (
        VecEnv,
        rows,
        {
            **GAME,
            **LEARNER,
            "tables": 2,
            "seats": [1],
            "rotate": True,
            "oracle": True,
            "seed": 7,
            "rows": 2,
        },
        HAND_REWARD | dict.fromkeys(("opponents", "rotate"), lambda given: "seats" not in given),
    ),
    (
        GymEnv,
        of_gym,
        {**GAME, **LEARNER, "seat": 1, "illegal_reward": -5.0, "render_mode": "ansi"},
        HAND_REWARD | {"illegal_reward": lambda given: "rules" in given},
    ),
    (
        GymVectorEnv,
        of_vector,
        {**GAME, **LEARNER, "num_envs": 2, "seat": 1, "seed": 7, "render_mode": "ansi"},
        HAND_REWARD,
    ),
    (Aec, of_aec, {**GAME, "seed": 7, "render_mode": "ansi"}, {}),
]
BESIDE = {"self", "threads", "resumable"}
"""Arguments that change no row: how fast rows come, and whether there are copies."""


@pytest.mark.parametrize(("kind", "play", "values", "idle"), ENVIRONMENTS)
def test_every_pair_of_arguments(
    kind: type,
    play: Callable[..., list[Any]],
    values: dict[str, Any],
    idle: Idle,
) -> None:
    assert values.keys() | BESIDE >= set(inspect.signature(kind).parameters)
    check_pairs(play, values, idle)


def check_pairs(play: Callable[..., list[Any]], values: dict[str, Any], idle: Idle) -> None:
    """Calls a function with each argument and each pair of them."""
    found: dict[tuple[str, ...], list[Any] | str] = {}
    for count in (0, 1, 2):
        for names in combinations(sorted(values), count):
            try:
                found[names] = play(**{name: values[name] for name in names})
            except ValueError as error:
                found[names] = str(error)
    for names, one in found.items():
        wrong = [name for name in names if name in idle and idle[name](set(names))]
        assert isinstance(one, str) == bool(wrong), names
        if isinstance(one, str):
            assert "without effect" in one, one
            assert one.split("`")[1] in wrong, one
            continue
        for name in names:
            without = found[tuple(other for other in names if other != name)]
            assert one != without, f"{name} has no effect in {names}"


DATASET: dict[str, Any] = {
    "encoder": "sparse-v1",
    "batch": 47,
    "shuffle": 500,
    "window": 2,
    "seed": 7,
    "seats": [1],
    "agents": ["greedy"],
    "placements": [2],
    "kinds": ["turn"],
    "search_info": True,
    "concealed": True,
    "oracle": True,
    "augment": True,
    "ranks": 2,
    "drop_last": True,
}
OTHERS = {"self", "runs", "mixed", "labels", "flat", "rank", "workers", "prefetch", "tensors"}
"""Arguments that permit something, need another run, encoder or type, or change no row."""


def test_every_pair_of_arguments_of_a_dataset(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    jantaku.selfplay(16, "greedy,random,random,random", rules=ONE_HAND, seed=3, out=run)

    def load(**given: Any) -> list[str]:
        return [seen(batch) for batch in Dataset(run, **{"batch": 61, **given})]

    needs_logs = {"rules", "skip_damaged"}
    assert DATASET.keys() | OTHERS | needs_logs == {"self", *inspect.signature(Dataset).parameters}
    idle: Idle = {
        "window": lambda given: "shuffle" not in given,
        "seed": lambda given: not given & {"shuffle", "augment"},
    }
    check_pairs(load, DATASET, idle)
