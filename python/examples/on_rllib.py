"""Trains a seat of a table with RLlib: PPO with its masks of legal actions.

Usage: python examples/on_rllib.py [STEPS SEED], after pip install './python[env]' 'ray[rllib]'
"""

import sys
from typing import Any

import gymnasium
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import jantaku.env

OWN = [*range(7, 17), *range(189, 216)]  # The channels outlook and legal of planes-v1.


class Table(gymnasium.ObservationWrapper[Any, Any, Any]):
    """A table whose observations have the names and types that RLlib's masks need."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(jantaku.env.GymEnv(jantaku.Rules(hands_limit=1), **options))
        planes, mask = Box(0, float("inf"), (len(OWN) * 34,)), Box(0, 1, (165,))
        self.observation_space = Dict({"observations": planes, "action_mask": mask})

    def observation(self, observation: Any) -> dict[str, Any]:
        """The channels in one axis, and the mask as floats."""
        planes, mask = observation["observation"][OWN].reshape(-1), observation["action_mask"]
        return {"observations": planes, "action_mask": mask.astype("float32")}


steps, seed = map(int, sys.argv[1:] or (8_192, 1))
config = PPOConfig().environment(Table, env_config={"opponents": "random", "reward": "points"})
config.env_runners(num_env_runners=0).training(lr=1e-3, train_batch_size=1024, num_epochs=4)
config.rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
learner = config.debugging(seed=seed).build_algo()
found = [learner.train() for _ in range(steps // 1024)][-1]
print(f"learned from {found['num_env_steps_sampled_lifetime']:,.0f} decisions")
