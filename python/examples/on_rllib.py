"""Trains a seat of a table with RLlib: PPO with its masks of legal actions.

Usage: pip install './python[env]' 'ray[rllib]' torch
       python examples/on_rllib.py [--iterations 10]
"""

import argparse
from typing import Any

import gymnasium
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import jantaku.env


class Table(gymnasium.ObservationWrapper[Any, Any, Any]):
    """A table whose observations have the names and types that RLlib's masks need."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(jantaku.env.GymEnv(**options))
        planes, mask = Box(0, float("inf"), (216 * 34,)), Box(0, 1, (165,))
        self.observation_space = Dict({"observations": planes, "action_mask": mask})

    def observation(self, observation: Any) -> dict[str, Any]:
        """The planes in one axis, and the mask as floats."""
        planes, mask = observation["observation"].reshape(-1), observation["action_mask"]
        return {"observations": planes, "action_mask": mask.astype("float32")}


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--iterations", type=int, default=10, help="updates of 512 decisions")
config = PPOConfig().environment(Table, env_config={"opponents": "random", "reward": "points"})
config.env_runners(num_env_runners=0).training(train_batch_size=512, num_epochs=1)
config.rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
learner = config.build_algo()
found = [learner.train() for _ in range(parser.parse_args().iterations)]
print(f"learned from {found[-1]['num_env_steps_sampled_lifetime']:,.0f} decisions")
