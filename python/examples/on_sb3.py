"""Trains a seat of many tables with Stable-Baselines3, then plays a match.

`MaskablePPO` of sb3-contrib finds the legal actions by itself.

Usage: python examples/on_sb3.py [STEPS SEED], after pip install './python[sb3]'
"""

import sys
from typing import Any

from sb3_contrib import MaskablePPO

import jantaku
from jantaku.env import Sb3VecEnv

OWN = [*range(7, 17), *range(189, 216)]  # The channels outlook and legal of planes-v1.
SCALES = jantaku.Encoder("planes-v1").scales[OWN, None]
game: Any = {"rules": jantaku.Rules(hands_limit=1), "opponents": "random", "reward": "points"}
game["encoder"] = lambda seen: seen.encode("planes-v1")[OWN] * SCALES
steps, seed = map(int, sys.argv[1:] or (49_152, 1))
# The network is linear.
settings: Any = {"n_steps": 64, "batch_size": 256, "n_epochs": 4, "policy_kwargs": {"net_arch": []}}
model = MaskablePPO("MultiInputPolicy", Sb3VecEnv(32, **game), 1e-3, seed=seed, **settings)
model.learn(steps)
print(f"learned from {model.num_timesteps:,} decisions")


def choose(batch: jantaku.AgentBatch) -> Any:
    """The network's actions."""
    seen = {"observation": batch.planes[:, OWN] * SCALES, "action_mask": batch.mask}
    return model.predict(seen, action_masks=batch.mask, deterministic=True)[0]


player = jantaku.FunctionAgent(choose, name="ppo", encoder="planes-v1", tables=64)
print(jantaku.match(player, "random", sets=25, seed=2))
