"""Many tables with one learned seat each, as a vector environment of Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from ._gym import GymVectorEnv
from ._spaces import FINAL


class Sb3VecEnv(VecEnv):
    """Tables with one learned seat each, for the algorithms of Stable-Baselines3.

    ``MaskablePPO`` of sb3-contrib finds the legal actions, and ``MultiInputPolicy`` reads the
    observations. When a game ends, its entry of ``infos`` has ``points``, ``placement`` and
    ``result``.

    Parameters
    ----------
    num_envs : int
        The number of tables.
    **options
        Those of `GymVectorEnv`.

    """

    def __init__(self, num_envs: int, **options: Any) -> None:
        self._env = GymVectorEnv(num_envs, **options)
        self._masks: NDArray[np.bool_] = np.zeros((num_envs, 0), np.bool_)
        self._actions: Any = None
        space, actions = self._env.single_observation_space, self._env.single_action_space
        super().__init__(num_envs, space, actions)

    def _keep_masks(self, obs: dict[str, Any]) -> dict[str, Any]:
        """Keeps the legal actions for `action_masks`. Returns the observations."""
        self._masks = obs["action_mask"].astype(np.bool_)
        return obs

    def reset(self) -> Any:
        """Restarts all games. The first of the seeds that ``seed`` has set determines them."""
        obs, _ = self._env.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        return self._keep_masks(obs)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Takes an action for each table."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Answers the decisions and returns the next ones."""
        obs, rewards, terminated, truncated, found = self._env.step(self._actions)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in dones]
        for table in np.flatnonzero(dones):
            infos[table] = {
                **{name: int(found["final_info"][name][table]) for name in FINAL},
                "terminal_observation": found["final_obs"][table],
                "TimeLimit.truncated": bool(truncated[table]),
            }
        return self._keep_masks(obs), rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Ends the threads."""
        self._env.close()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of all tables: shape (num_envs, 165)."""
        return self._masks

    def render(self, mode: str | None = None) -> Any:
        """A text for each table, if ``render_mode`` is ``ansi``."""
        return self._env.render()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for all tables."""
        found = getattr(self._env if attr_name == "render_mode" else self, attr_name)
        return [found for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not possible: tables have no attributes of their own."""
        raise AttributeError(f"tables have no attribute {attr_name!r} of their own")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """The legal actions of tables: ``action_masks`` is their only method."""
        if method_name != "action_masks":
            raise AttributeError(f"tables have no method {method_name!r}, only `action_masks`")
        return [self._masks[table] for table in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> Sequence[bool]:  # type: ignore[override]
        """No table is wrapped."""
        return [False for _ in self._get_indices(indices)]
