"""Trains a seat of a table with TorchRL: PPO that plays legal actions only.

Usage: pip install './python[env]' torchrl
       python examples/on_torchrl.py [--steps 20000]
"""

import argparse

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, FlattenObservation, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import jantaku.env  # noqa: F401

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=20_000, help="decisions to learn from")
steps = parser.parse_args().steps
table = gymnasium.make("jantaku/Mahjong-v0", opponents="random", reward="points")
env = TransformedEnv(GymWrapper(table, categorical_action_encoding=True))
env.append_transform(FlattenObservation(-2, -1, in_keys=["observation"]))
env.append_transform(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
logits = TensorDictModule(torch.nn.Linear(216 * 34, 165), ["observation"], ["logits"])
keys = {"logits": "logits", "mask": "action_mask"}
actor = ProbabilisticActor(logits, keys, distribution_class=MaskedCategorical, return_log_prob=True)
critic = ValueOperator(torch.nn.Linear(216 * 34, 1), in_keys=["observation"])
collector = Collector(env, actor, frames_per_batch=512, total_frames=steps)
loss, advantage = ClipPPOLoss(actor, critic), GAE(gamma=1, lmbda=0.95, value_network=critic)
optimizer = torch.optim.Adam(loss.parameters(), lr=1e-4)
for batch in collector:
    losses = loss(advantage(batch).reshape(-1))
    optimizer.zero_grad()
    sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
    optimizer.step()
print(f"learned from {steps:,} decisions")
