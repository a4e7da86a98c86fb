"""Trains a seat of many tables with Stable-Baselines3, then plays a match.

`MaskablePPO` of sb3-contrib finds the legal actions by itself.

Usage: pip install './python[sb3]'
       python examples/on_sb3.py [--steps 100000] [--sets 100]
"""

import argparse
from typing import Any

from sb3_contrib import MaskablePPO

import jantaku
from jantaku.env import Sb3VecEnv

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=100_000, help="decisions to learn from")
parser.add_argument("--sets", type=int, default=100, help="sets of the match")
options = parser.parse_args()
env = Sb3VecEnv(16, opponents="random", reward="placement", hand_reward="model")
quick = {"ortho_init": False}  # An orthogonal start of the first layer takes minutes.
model = MaskablePPO(
    "MultiInputPolicy", env, policy_kwargs=quick, n_steps=64, batch_size=256, seed=1
)
model.learn(options.steps)
scales = jantaku.Encoder("planes-v1").scales[:, None]
print(f"learned from {model.num_timesteps:,} decisions")


def choose(batch: jantaku.AgentBatch) -> Any:
    """The network's actions."""
    observations = {"observation": batch.planes * scales, "action_mask": batch.mask}
    return model.predict(observations, action_masks=batch.mask, deterministic=True)[0]


player = jantaku.FunctionAgent(choose, name="ppo", encoder="planes-v1", tables=64)
print(jantaku.match(player, "random", sets=options.sets, seed=2))
