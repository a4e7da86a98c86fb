"""One table with one learned seat, as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .._arguments import check_effect
from .._function_encoder import Encoding
from .._hand_rewards import Expectation
from .._jantaku import Observation, Rules, Standing
from .._types import AnyEncoder, AnyRules, Opponents, Reward
from .._vec_env import ACTIONS, Batch, VecEnv
from ._spaces import METADATA, Observations, checked_encoder, checked_render_mode, final_info

_ILLEGAL = -100.0


class GymEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A table with one learned seat: ``gymnasium.make("jantaku/Mahjong-v0")``.

    Each step answers one decision of the learner. Observations are those of `Aec`: the encoding,
    and ``action_mask`` with the legal actions, which ``env.action_space.sample(mask)`` takes. The
    last observation of a game is empty, and its ``info`` has ``points``, ``placement`` and
    ``result``.

    What the learner wins or loses before its first decision of a game is part of the reward of its
    first step. A game in which it decides nothing is left out. After the end of a game, ``reset``
    begins the next one; with a seed, or in the middle of a game, it restarts the table.

    `copy.deepcopy` and `pickle` copy a game in play: both play on alike.

    Parameters
    ----------
    rules, opponents, encoder, reward, hand_reward, start
        See `VecEnv`. The encoder is ``planes-v1`` by default.
    seat : int or None, default None
        The seat of the learner. By default it moves by one seat from game to game.
    illegal_reward : float or None, default -100
        An illegal action ends the game with this reward. None raises `IllegalActionError`, and
        nothing changes. Rules with a referee punish it themselves, so another value than the
        default is a ValueError.
    render_mode : {"ansi"}, optional
        With ``"ansi"``, ``render`` returns the learner's view as text.

    """

    metadata = {**METADATA}  # noqa: RUF012

    def __init__(
        self,
        rules: AnyRules = "tenhou",
        *,
        opponents: Opponents = "greedy",
        seat: int | None = None,
        encoder: AnyEncoder | Encoding = "planes-v1",
        reward: Reward = "result",
        hand_reward: Expectation | None = None,
        start: Sequence[Standing | tuple[Standing, float]] | None = None,
        illegal_reward: float | None = _ILLEGAL,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        self.render_mode = checked_render_mode(render_mode)
        self._env = VecEnv(
            1,
            rules,
            seats=[0 if seat is None else seat],
            opponents=opponents,
            rotate=seat is None,
            encoder=checked_encoder(encoder),
            reward=reward,
            hand_reward=hand_reward,
            start=start,
            threads=1,
            resumable=True,
        )
        has_referee = Rules(rules).enforce == "Referee"
        why = "the rules have a referee, who punishes illegal actions"
        check_effect("illegal_reward", not has_referee or illegal_reward == _ILLEGAL, why)
        self._illegal_reward = None if has_referee else illegal_reward
        self._observations = Observations(self._env)
        self.observation_space = self._observations.space
        self.action_space = spaces.Discrete(ACTIONS)
        # The row of the decision that is due. None between games.
        self._row: Batch | None = None
        self._is_over = False
        # What the learner won before its first decision of the game. The first step adds it.
        self._earlier = 0.0
        # The latest decision, if it may be rendered.
        self._view: Observation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a game."""
        super().reset(seed=seed, options=options)
        if seed is None and self._is_over:
            batch = self._env.recv()
        else:
            batch = self._env.reset(int(self.np_random.integers(2**63)))
        while not batch.due[0]:
            batch = self._env.recv()
        self._row, self._is_over, self._earlier = batch, False, float(batch.rewards[0])
        return self._observation(batch), {}

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Answers the decision."""
        if self._row is None:
            raise RuntimeError("no game is in play: call `reset()`")
        if self._illegal_reward is not None and not self.action_masks()[action]:
            self._row = None
            return self._observations.nothing(), float(self._illegal_reward), True, False, {}
        batch = self._env.step([action])
        reward, self._earlier = float(batch.rewards[0]) + self._earlier, 0.0
        if batch.due[0]:
            self._row = batch
            return self._observation(batch), reward, False, False, {}
        self._row, self._is_over = None, True
        terminated, truncated = bool(batch.terminated[0]), bool(batch.truncated[0])
        return self._observations.nothing(), reward, terminated, truncated, final_info(batch, 0)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as ``MaskablePPO`` of sb3-contrib asks for them: shape (165,)."""
        if self._row is None:
            return np.zeros(ACTIONS, np.bool_)
        mask: NDArray[np.bool_] = self._row.mask[0].copy()
        return mask

    def render(self) -> Any:
        """The learner's view as text, if the mode is ``ansi``; after a game, the last one."""
        if self.render_mode is None:
            return None
        if self._view is None:
            raise RuntimeError("`render()` before `reset()`: there is no game yet")
        return str(self._view)

    def close(self) -> None:
        """Frees the memory."""
        self._env.close()

    def _observation(self, batch: Batch) -> dict[str, Any]:
        if self.render_mode is not None:
            self._view = self._env.observation(0, int(batch.seats[0]))
        found = self._observations.of_rows(batch, [0])
        return {name: values[0] for name, values in found.items()}
