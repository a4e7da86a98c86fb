"""Workers of a Ray cluster that play for a learner."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import ray
from numpy.typing import NDArray

from ._arguments import described, number, seed as checked_seed
from ._closing import Closing
from ._cluster import actor, end, start_ray
from ._jantaku import Encoder, Rules
from ._types import AnyRules
from ._vec_env import Batch, VecEnv

if TYPE_CHECKING:
    import torch
    from torch import Tensor

Rows = dict[str, NDArray[Any]]


class Network(Protocol):
    """A module of ``jantaku.networks``, or one like it."""

    encoder: Encoder

    def inputs(self, batch: Any, device: torch.device | str | None = None) -> tuple[Tensor, ...]:
        """The arguments for a batch of `VecEnv`."""

    def state_dict(self) -> Mapping[str, Tensor]:
        """The weights."""


class Worker:
    """Tables, and a network that plays at them.

    A worker that Ray starts again continues from the state that comes with the next call.

    Parameters
    ----------
    network : Network
        The network. Its weights come with each call of `collect`.
    number : int
        The number of the worker, from 0.
    options : dict
        What the arguments of `Actors` say, by name.

    """

    def __init__(self, network: Any, number: int, options: Mapping[str, Any]) -> None:
        import torch

        self._network = network.to(options["device"]).eval()
        self._number, self._options, self._calls = number, options, 0
        torch.set_num_threads(options["cpus"])
        own = np.random.SeedSequence([options["seed"], number]).generate_state(1, np.uint64)
        # Seeds of a `VecEnv` are below 2**63.
        self._env = _environment(network.encoder, options, int(own[0] >> np.uint64(1)))
        self._batch = self._env.recv()

    def collect(
        self,
        weights: Mapping[str, Tensor],
        turns: int,
        call: int = 0,
        state: Sequence[Any] = (),
    ) -> tuple[Rows, Mapping[str, Any]]:
        """Plays turns. Returns the rows of the last batch and of these turns, and the state.

        ``call`` counts the calls before this one, and ``state`` has the reference of the state
        after those calls. A worker that has not answered exactly these calls continues from there.
        """
        if call != self._calls:
            env = self._env
            self._batch = env.load_state(ray.get(state[0])) if call else env.reset()
        self._network.load_state_dict(weights)
        chance = np.random.default_rng([self._options["seed"], self._number, call])
        self._calls = call + 1
        parts = [self._play(self._batch, chance)]
        for _ in range(turns):
            self._batch = self._env.step(parts[-1]["action"])
            parts.append(self._play(self._batch, chance))
        for turn, part in enumerate(parts):
            part["last"] = np.full(len(part["ids"]), turn == turns)
        rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        # Each worker has IDs and tables of its own.
        rows["tables"] += self._number * self._env.tables
        rows["ids"] += self._number * self._env.tables * self._env.players
        return rows, self._env.state()

    def _play(self, batch: Batch, chance: np.random.Generator) -> Rows:
        """The rows of a batch with actions, their log-probabilities, and values."""
        import torch

        from .train.agreement import played

        with torch.no_grad():
            output = self._network(*self._network.inputs(batch, self._options["device"]))
            return played(batch.copy(), output, chance)


def _environment(encoder: Encoder, options: Mapping[str, Any], seed: int) -> VecEnv:
    return VecEnv(
        options["tables"],
        options["rules"],
        encoder=encoder,
        seed=seed,
        threads=options["cpus"],
        resumable=True,
        **options["environment"],
    )


class Actors(Closing):
    """Workers of a Ray cluster that play for a learner: weights go out, rows come in.

    ```python
    network = BagNetwork([256, 128], ["value"])
    with jantaku.ray.Actors(network, workers=16, tables=128, reward="placement") as actors:
        for _ in range(200):
            rows = actors.collect(network, turns=128)
            learn(network, rows)    # such as `examples/ppo.py`
    ```

    Each worker is an actor of Ray with a `VecEnv` and a copy of the network, which draws from its
    policy. With the same arguments and weights, all rows are the same, on processors of one type
    with ``cpus=1``.

    If a worker or its node is lost, Ray starts the worker again. It continues the games in play
    from the state that came with its last rows, so the rows are the same as without the loss.
    `collect` waits for it, also until a node has room for it.

    Parameters
    ----------
    network : BagNetwork, ColumnNetwork or a module like them
        The network, with ``encoder`` and ``inputs``. It returns a dict with ``policy``, logits of
        shape (n, 165), and perhaps ``value`` of shape (n,). It travels by pickle.
    workers : int
        The number of workers.
    tables : int
        The tables of each worker.
    rules : Rules, str or os.PathLike, default "tenhou"
        The rules. This machine reads the file of a path.
    seed : int, default 0
        Determines all walls and draws, different ones for each worker.
    cpus : int, default 1
        The processors and threads of a worker.
    device : str, default "cpu"
        Where a worker's network computes, such as ``cuda`` with ``resources={"num_gpus": 0.25}``.
    resources : dict, optional
        Further options of the actors.
    **environment
        Other arguments of `VecEnv`, such as ``seats``, ``opponents``, ``rotate``, ``oracle``,
        ``reward`` and ``hand_reward``.

    """

    def __init__(
        self,
        network: Network,
        *,
        workers: int,
        tables: int,
        rules: AnyRules = "tenhou",
        seed: int = 0,
        cpus: int = 1,
        device: str = "cpu",
        resources: Mapping[str, Any] | None = None,
        **environment: Any,
    ) -> None:
        options = {
            "tables": number("tables", tables),
            "rules": rules if isinstance(rules, Rules) else Rules(rules),
            "seed": checked_seed(seed),
            "cpus": number("cpus", cpus),
            "device": device,
            "environment": environment,
        }
        count = number("workers", workers)
        if not isinstance(getattr(network, "encoder", None), Encoder):
            raise TypeError(
                "`network`: expected a module with an `encoder`, as those of jantaku.networks, "
                f"found {described(network)}"
            )
        # Wrong arguments are errors on this machine, not on a worker.
        _environment(network.encoder, {**options, "tables": 1, "cpus": 1}, 0).close()
        start_ray()
        worker = actor(Worker, resources, num_cpus=options["cpus"])
        module: Any = network
        # A worker that starts again needs both again: Ray forgets what nobody refers to.
        self._shared = ray.put(copy.deepcopy(module).cpu()), ray.put(options)
        shared, common = self._shared
        self._workers = [worker.remote(shared, k, common) for k in range(count)]
        self._calls = 0
        self._states: list[list[Any]] = [[] for _ in range(count)]

    @property
    def workers(self) -> int:
        """The number of workers."""
        return len(self._workers)

    def collect(self, network: Network | Mapping[str, Tensor], turns: int) -> Rows:
        """Lets every worker play some turns with these weights.

        The last rows of a worker show the outcome of its earlier decisions. Their actions are drawn
        but not played: the next call begins with the same decisions, and draws again with its own
        weights.

        Parameters
        ----------
        network : module or mapping
            The weights: a network like the actors', or its ``state_dict()``.
        turns : int
            The steps of each worker's `VecEnv`, at least one.

        Returns
        -------
        dict of numpy.ndarray
            One row for each of n decisions and ends of games, worker by worker in order:

            ``action``, ``likely``, ``value``
                (n,), int64, float32, float32. The action, its log-probability, and the value, which
                is 0 in rows that end a game and absent if the network has no value.
            ``last``
                (n,), bool. Whether the next call begins with this row.
            all arrays of `Batch`
                ``ids`` and ``tables`` continue from worker to worker.

        """
        turns = number("turns", turns)
        tensors = network if isinstance(network, Mapping) else network.state_dict()
        weights = ray.put({name: tensor.detach().cpu() for name, tensor in tensors.items()})
        asked = [
            worker.collect.remote(weights, turns, self._calls, state)
            for worker, state in zip(self._workers, self._states, strict=True)
        ]
        found = ray.get(asked)
        self._calls += 1
        # The states are kept on this machine: what a worker's node stores is lost with the node.
        self._states = [[ray.put(state)] for _, state in found]
        return _joined([rows for rows, _ in found])

    def close(self) -> None:
        """Ends the workers. Closing twice does nothing."""
        end(self._workers)
        self._states = []


def _joined(parts: Sequence[Rows]) -> Rows:
    """The rows of all workers."""
    if not parts:
        raise RuntimeError("the actors are closed")
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
