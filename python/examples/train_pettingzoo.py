"""Trains a network with PettingZoo, Stable-Baselines3 and the masks of legal actions.

`MaskablePPO` of sb3-contrib learns seat 0 of a PettingZoo game, in which random players have the
other seats. Then it plays as a function in a match against random players.

Usage: pip install './python[env]' sb3-contrib
       python examples/train_pettingzoo.py [--steps 20000] [--sets 100]
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

import jantaku
from jantaku.env import Aec

ENCODER = jantaku.Encoder("planes-v1")
LEARNER = "seat_0"

Observation = NDArray[np.float32]


def numbers(planes: NDArray[np.uint8]) -> Observation:
    """The channels of decisions, scaled, in the last axis."""
    scaled: Observation = planes * ENCODER.scales[:, None]
    return scaled.reshape(*planes.shape[:-2], -1)


class OneSeat(gymnasium.Env[Observation, np.int64]):
    """A seat of a PettingZoo game. Random players have the other seats."""

    def __init__(self, game: AECEnv) -> None:
        self.game = game
        size = int(np.prod(ENCODER.shape))
        self.observation_space = gymnasium.spaces.Box(0.0, 255.0, (size,), np.float32)
        self.action_space = game.action_space(LEARNER)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game."""
        super().reset(seed=seed)
        self.game.reset(seed=seed)
        observation, _, ended, info = self.next_decision()
        return self.reset() if ended else (observation, info)

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answers a decision and plays to the next one."""
        self.game.step(int(action))
        observation, reward, ended, info = self.next_decision()
        return observation, reward, ended, False, info

    def next_decision(self) -> tuple[Observation, float, bool, dict[str, Any]]:
        """Plays the others up to the learner's next decision or the end of the game."""
        for agent in self.game.agent_iter():
            observation, reward, terminated, truncated, info = self.game.last()
            if agent == LEARNER:
                self.mask = observation["action_mask"].astype(bool)
                ended = terminated or truncated
                return observation["observation"].reshape(-1), float(reward), ended, info
            if terminated or truncated:
                self.game.step(None)
            else:
                legal = np.flatnonzero(observation["action_mask"])
                self.game.step(self.np_random.choice(legal))
        raise RuntimeError("the game ended without a last row for the learner")


def mask_of(env: gymnasium.Env[Any, Any]) -> NDArray[np.bool_]:
    """The legal actions of the learner's decision."""
    mask: NDArray[np.bool_] = env.unwrapped.mask  # type: ignore[attr-defined]
    return mask


def player(model: MaskablePPO) -> jantaku.FunctionAgent:
    """The network as an agent."""

    def choose(batch: jantaku.AgentBatch) -> NDArray[np.int64]:
        actions, _ = model.predict(
            numbers(batch.planes), action_masks=batch.mask, deterministic=True
        )
        return actions

    return jantaku.FunctionAgent(choose, name="ppo", encoder=ENCODER, tables=64)


def main() -> None:
    """Trains, then plays."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20_000, help="decisions to learn from")
    parser.add_argument("--rollout", type=int, default=1024, help="decisions of an update")
    parser.add_argument("--sets", type=int, default=100, help="sets of the match")
    options = parser.parse_args()
    torch.set_num_threads(1)
    env = ActionMasker(OneSeat(Aec("tenhou", reward="points")), mask_of)
    model = MaskablePPO("MlpPolicy", env, n_steps=options.rollout, seed=1, verbose=0)
    model.learn(options.steps)
    print(f"learned from {model.num_timesteps:,} decisions of {LEARNER}")
    print(jantaku.match(player(model), "random", sets=options.sets, seed=2))


if __name__ == "__main__":
    main()
