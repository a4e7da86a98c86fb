"""Trains a seat of a table with TorchRL: PPO that plays legal actions only.

Usage: python examples/on_torchrl.py [STEPS SEED], after pip install './python[env]' torchrl
"""

import sys
from typing import Any

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import jantaku.env

steps, seed = map(int, sys.argv[1:] or (8_192, 1))
OWN = [*range(7, 17), *range(189, 216)]  # The channels outlook and legal of planes-v1.
SCALES, one_hand = jantaku.Encoder("planes-v1").scales[OWN, None], jantaku.Rules(hands_limit=1)
game: Any = {"rules": one_hand, "opponents": "random", "reward": "points"}
game["encoder"] = lambda seen: (seen.encode("planes-v1")[OWN] * SCALES).ravel()
table = GymWrapper(gymnasium.make("jantaku/Mahjong-v0", **game), categorical_action_encoding=True)
env = TransformedEnv(table, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
env.set_seed(seed)
network, keys = torch.nn.Linear(len(OWN) * 34, 165), {"logits": "logits", "mask": "action_mask"}
logits = TensorDictModule(network, ["observation"], ["logits"])
actor = ProbabilisticActor(logits, keys, distribution_class=MaskedCategorical, return_log_prob=True)
critic = ValueOperator(torch.nn.Linear(len(OWN) * 34, 1), in_keys=["observation"])
loss, gae = ClipPPOLoss(actor, critic), GAE(gamma=0.99, lmbda=0.95, value_network=critic)
optimizer = torch.optim.Adam(loss.parameters())
for batch in map(gae, Collector(env, actor, frames_per_batch=512, total_frames=steps)):
    for _ in range(8):
        losses = loss(batch.reshape(-1))
        optimizer.zero_grad()
        (losses["loss_objective"] + losses["loss_critic"]).backward()
        optimizer.step()
print(f"learned from {steps:,} decisions")
