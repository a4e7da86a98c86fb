"""A game as a PettingZoo AEC environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from .._arguments import described
from .._function_encoder import Encoding
from .._jantaku import Standing
from .._types import AnyEncoder, AnyRules, Reward
from .._vec_env import ACTIONS, Batch, VecEnv
from ._spaces import METADATA, Observations, checked_encoder, checked_render_mode, final_info

_SET_BY_RESET = frozenset(
    ("agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations")
)


class Aec(AECEnv):  # type: ignore[misc]
    """A game as a PettingZoo AEC environment. The agents are ``seat_0`` to ``seat_3``.

    An observation is a dict of the encoding and ``action_mask`` (int8, shape (165,)): for
    ``planes-v1``, ``observation`` (float32, shape (channels, 34), scaled); for ``sparse-v1``,
    ``active`` (float32, a 1 for each active feature) and ``scalars`` (float32); for ``events-v1``,
    ``tokens`` (int32, padded) and ``scalars``; for a function, its array as ``observation``, or its
    arrays by their names.
    ``action_space(agent).sample(mask=action_mask)`` draws a legal action. An illegal action raises
    `IllegalActionError` and changes nothing.

    Where several seats decide at the same time, as on a claim of a discard, they are selected one
    after another, in the order of seats. A later one observes the same, byte for byte, for any
    earlier answers. But ``agent_selection`` itself shows who could act: a wrapper must not show a
    player when others are selected, which no player sees at a real table.

    Rewards follow the scheme of `VecEnv`. A seat is rewarded when it decides next, or at the end of
    the game; each seat's rewards over a game add up as the scheme says.

    `copy.deepcopy` and `pickle` copy a game in play: both play on alike.

    Parameters
    ----------
    rules, encoder, reward, start
        See `VecEnv`. The encoder is ``planes-v1`` by default.
    seed : int, default 0
        The seed of the first game, unless ``reset`` gets one. Further games follow from it.
    render_mode : {"ansi"}, optional
        With ``"ansi"``, ``render`` returns the view of the selected agent as text.

    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "jantaku_v1",
        "is_parallelizable": False,
        **METADATA,
    }
    """What PettingZoo asks for: name and render modes."""

    def __init__(
        self,
        rules: AnyRules = "tenhou",
        *,
        encoder: AnyEncoder | Encoding = "planes-v1",
        reward: Reward = "result",
        start: Sequence[Standing | tuple[Standing, float]] | None = None,
        seed: int = 0,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = checked_render_mode(render_mode)
        self._env = VecEnv(
            1,
            rules,
            encoder=checked_encoder(encoder),
            reward=reward,
            start=start,
            seed=seed,
            threads=1,
            rows=8,
            resumable=True,
        )
        self._next_seed = seed
        self.possible_agents = [f"seat_{seat}" for seat in range(self._env.players)]
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        self._encoded = Observations(self._env)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(
            self.possible_agents, self._encoded.space
        )
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents
        }

    def __getattr__(self, name: str) -> Any:
        # Python calls this only for attributes that the instance does not have.
        if name in _SET_BY_RESET:
            raise AttributeError(f"there is no `{name.lstrip('_')}` before `reset()`")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _check_started(self, what: str) -> None:
        if "_observations" not in self.__dict__:
            raise RuntimeError(f"`{what}` before `reset()`: there is no game yet")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The 165 actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game with this seed, or with the next one."""
        seed_of_game = self._next_seed if seed is None else seed
        batch = self._env.reset(seed_of_game)
        self._next_seed = (seed_of_game + 1) % 2**63
        if seed is not None:
            for number, space in enumerate(self.action_spaces.values()):
                space.seed(seed + number)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._observations = {agent: self._encoded.nothing() for agent in self.agents}
        self._answers: dict[int, int] = {}
        self._ids: dict[str, int] = {}
        self._take(batch)

    def _take(self, batch: Batch) -> None:
        """Takes the rows of a batch: rewards, ends, and the decisions that are due."""
        self._ids = {}
        ended = not bool(batch.due.all())
        # After the end of the game, rows of the next one follow.
        rows = np.flatnonzero(~batch.due) if ended else np.arange(batch.rows)
        for row in rows:
            agent = self.possible_agents[batch.seats[row]]
            self.rewards[agent] = float(batch.rewards[row])
            if ended:
                self.terminations[agent] = bool(batch.terminated[row])
                self.truncations[agent] = bool(batch.truncated[row])
                self._observations[agent] = self._encoded.nothing()
                self.infos[agent] = final_info(batch, int(row))
            else:
                self._ids[agent] = int(batch.ids[row])
                self._observations[agent] = self._encoded.of_rows(batch, row)
        waiting = self.agents if ended else list(self._ids)
        self.agent_selection = waiting[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """An agent's latest decision, without legal actions if it is not asked now."""
        self._check_started("observe()")
        if agent not in self._observations:
            expected = ", ".join(self.possible_agents)
            raise ValueError(f"`agent`: expected one of {expected}, found {described(agent)}")
        observation = dict(self._observations[agent])
        if agent not in self._ids:
            observation["action_mask"] = np.zeros_like(observation["action_mask"])
        return observation

    def step(self, action: Any) -> None:
        """Answers the decision of the selected agent."""
        self._check_started("step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._env.send(np.array([action]), [self._ids[agent]])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        del self._ids[agent]
        if self._ids:
            self.agent_selection = next(iter(self._ids))
        else:
            self._take(self._env.recv())
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The selected agent's view as text, if the mode is ``ansi``."""
        if self.render_mode is None:
            return None
        self._check_started("render()")
        seat = self.possible_agents.index(self.agent_selection)
        return str(self._env.observation(0, seat))

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The selected agent's observation, reward since it last decided, ends and infos."""
        self._check_started("last()")
        selected: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return selected

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Iterates over the agents as they are selected, to the end of the game."""
        self._check_started("agent_iter()")
        return super().agent_iter(max_iter)

    def close(self) -> None:
        """Frees the table."""
        self._env.close()
