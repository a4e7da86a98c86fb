"""Many tables with one learned seat each, as a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .._arguments import described, number
from .._function_encoder import Encoding
from .._hand_rewards import Expectation
from .._jantaku import Observation, Standing
from .._types import AnyEncoder, AnyRules, Opponents, Reward
from .._vec_env import ACTIONS, Batch, VecEnv
from ._spaces import FINAL, METADATA, Observations, checked_encoder, checked_render_mode


class GymVectorEnv(VectorEnv[dict[str, Any], NDArray[Any], NDArray[Any]]):
    """Tables with one learned seat each, as a Gymnasium vector environment.

    A step answers one decision of the learner at every table. Observations are those of `Aec`, with
    one row for each table; ``action_mask`` has the legal actions.

    The environment resets by itself in the same step (``AutoresetMode.SAME_STEP``). When a game
    ends, the reward and ``terminated`` belong to it, and the observation is the first one of the
    next game. ``infos["final_obs"]`` has the observation after the end. Everything in it is empty.
    ``infos["final_info"]`` has ``points``, ``placement``
    and ``result``. A game that ends before the learner decides anything is left out.

    What the learner wins or loses before its first decision of a game is part of the reward of its
    first step, so the rewards of a game add up as the scheme says.

    Parameters
    ----------
    num_envs : int
        The number of tables.
    rules, opponents, encoder, reward, hand_reward, start, seed, threads, resumable
        See `VecEnv`. The encoder is ``planes-v1`` by default. With ``resumable``, `copy.deepcopy`
        and `pickle` copy the environment.
    seat : int or None, default None
        The seat of the learner. By default it moves by one seat from game to game.
    render_mode : {"ansi"}, optional
        With ``"ansi"``, ``render`` returns the learner's view at each table as text.

    """

    autoreset_mode = AutoresetMode.SAME_STEP
    """The step that ends a game starts the next one. Wrappers read this attribute."""

    metadata = {"autoreset_mode": autoreset_mode, **METADATA}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        rules: AnyRules = "tenhou",
        *,
        opponents: Opponents = "greedy",
        seat: int | None = None,
        encoder: AnyEncoder | Encoding = "planes-v1",
        reward: Reward = "result",
        hand_reward: Expectation | None = None,
        start: Sequence[Standing | tuple[Standing, float]] | None = None,
        seed: int = 0,
        threads: int | None = None,
        resumable: bool = False,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        self.render_mode = checked_render_mode(render_mode)
        self._env = VecEnv(
            number("num_envs", num_envs),
            rules,
            seats=[0 if seat is None else seat],
            opponents=opponents,
            rotate=seat is None,
            encoder=checked_encoder(encoder),
            reward=reward,
            hand_reward=hand_reward,
            start=start,
            seed=seed,
            threads=threads,
            rows=2 * num_envs,
            resumable=resumable,
        )
        self._first_seed = seed
        self.num_envs = num_envs
        self._observations = Observations(self._env)
        self.single_observation_space = self._observations.space
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        # The decision at each table. None before the first reset, and after a step that failed.
        self._ids: NDArray[np.int32] | None = None
        # What the learner won before its first decision of the game at each table.
        self._earlier: NDArray[np.float64] = np.zeros(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Restarts all games. One seed determines all tables; a list is not possible.

        With ``options={"reset_mask": mask}``, only the tables where the mask is true give up their
        games, and start the next ones. The others play on, and keep their observations. The mask is
        an array of bool for each table, at least one of them true. Other options have no effect.
        """
        if isinstance(seed, list):
            raise ValueError("seed: expected one number, which decides on all tables, found a list")
        super().reset(seed=seed, options=options)
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            return self._restart(mask, seed), {}
        if seed is not None:
            self._first_seed = seed
        batch = self._env.reset(self._first_seed)
        ids = np.zeros(self.num_envs, np.int32)
        self._ids = None
        obs, *_ = self._gather(ids, batch, self.num_envs)
        self._ids = ids
        return obs, {}

    def _restart(self, mask: Any, seed: int | None) -> dict[str, Any]:
        """Starts the next games of some tables. Returns the observations of all."""
        expected = f"`reset_mask`: expected an array of {self.num_envs} bool"
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            kind = getattr(mask, "dtype", None)
            raise TypeError(f"{expected}, found {described(mask) if kind is None else kind}")
        if mask.shape != (self.num_envs,) or not mask.any():
            found = "no true one" if mask.shape == (self.num_envs,) else f"shape {mask.shape}"
            raise ValueError(f"{expected}, some of them true, found {found}")
        if seed is not None:
            raise ValueError("`seed`: expected None with `reset_mask`: it restarts all tables")
        ids, earlier = self._due_ids(), self._earlier
        others = np.flatnonzero(~mask)
        views = self._views(ids[others])
        self._ids = None
        batch = self._env.reset(tables=np.flatnonzero(mask))
        obs, *_ = self._gather(ids, batch, int(mask.sum()))
        if len(others):
            for name, values in self._observations.of_views(views).items():
                obs[name][others] = values
        self._earlier[others], self._ids = earlier[others], ids
        return obs

    def _due_ids(self) -> NDArray[np.int32]:
        """The IDs of the decisions that are due. RuntimeError if no game is in play."""
        if self._ids is None:
            raise RuntimeError("no game is in play: call `reset()`, also after a step that failed")
        return self._ids

    def _views(self, ids: NDArray[np.int32]) -> list[Observation]:
        """What the learner sees in these decisions."""
        # An ID is the table times the number of players, plus the seat.
        return [self._env.observation(*divmod(int(one), self._env.players)) for one in ids]

    def render(self) -> Any:
        """A text for each table, if the mode is ``ansi``: the learner's view."""
        if self.render_mode is None:
            return None
        return tuple(map(str, self._views(self._due_ids())))

    def step(
        self, actions: Any
    ) -> tuple[dict[str, Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Answers one decision at every table.

        An illegal action changes nothing. After an error of an opponent, only ``reset`` continues.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            expected = f"actions: expected an array of shape ({self.num_envs},)"
            raise ValueError(f"{expected}, found shape {actions.shape}")
        ids = self._due_ids()
        self._env.send(actions, ids)
        self._ids = None
        gathered = self._gather(ids, self._env.recv(), self.num_envs)
        self._ids = ids
        return gathered

    def _gather(
        self, ids: NDArray[np.int32], batch: Batch, missing: int
    ) -> tuple[dict[str, Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Receives batches until the ``missing`` tables have a decision, and sets their ``ids``."""
        count = self.num_envs
        obs = self._observations.nothing((count,))
        rewards, self._earlier = self._earlier, np.zeros(count)
        terminated, truncated = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        final = {name: np.zeros(count, batch[column].dtype) for name, column in FINAL.items()}
        while True:
            tables, due = batch.tables, batch.due
            # Games in which the learner decided nothing are left out.
            ends = np.flatnonzero(~due & (batch.decisions > 0))
            at = tables[ends]
            rewards[at] += batch.rewards[ends]
            terminated[at], truncated[at] = batch.terminated[ends], batch.truncated[ends]
            for name, column in FINAL.items():
                final[name][at] = batch[column][ends]
            asked = np.flatnonzero(due)
            at = tables[asked]
            for name, values in self._observations.of_rows(batch, asked).items():
                obs[name][at] = values
            # The reward of a game's first row belongs to that game, not to the one that ended.
            first = batch.decisions[asked] == 0
            self._earlier[at] = np.where(first, batch.rewards[asked], 0)
            rewards[at] += np.where(first, 0, batch.rewards[asked])
            ids[at] = batch.ids[asked]
            missing -= len(asked)
            if missing == 0:
                break
            batch = self._env.recv()
        infos: dict[str, Any] = {}
        ended = terminated | truncated
        if ended.any():
            final_obs = np.full(count, None, dtype=object)
            final_obs[ended] = self._observations.nothing()
            # Gymnasium wants a mask of the tables with an entry: `_points` for `points`, and so on.
            masks = {f"_{name}": ended.copy() for name in final}
            infos = {"final_obs": final_obs, "_final_obs": ended, "final_info": {**final, **masks}}
            infos["_final_info"] = ended.copy()
        return obs, rewards, terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._env.close()
