"""Makes models that cannot be played: one TorchScript file for each class below, named after it.

    bad_models.py FOLDER
"""

import sys
from pathlib import Path
from typing import Dict, Tuple
from zipfile import ZipFile

import torch
from torch import nn

Outputs = Dict[str, torch.Tensor]


class Good(nn.Module):
    """Answers a decision of planes-v1. The others are wrong in one thing."""

    def __init__(self, channels: int = 216, actions: int = 165):
        super().__init__()
        self.channels = nn.Conv1d(channels, 4, 1)
        self.policy = nn.Linear(4 * 34, actions)

    def outputs(self, planes: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        x = self.channels(planes).flatten(1)
        return self.policy(x), x.sum(1)

    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy, "value": value}


class OtherChannels(Good):
    def __init__(self):
        super().__init__(channels=217)


class OtherActions(Good):
    def __init__(self):
        super().__init__(actions=46)


class NanWeights(Good):
    def __init__(self):
        super().__init__()
        self.policy.weight.data[3, 5] = float("nan")


class InfiniteOutputs(Good):
    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy / 0.0, "value": value}


class NanOutputs(Good):
    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy * float("nan"), "value": value}


class InfiniteForSome(Good):
    """Answers every decision of a game, but no empty planes."""

    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy, "value": value / (planes.sum((1, 2)) != 0).float()}


class RaisesForSome(Good):
    """The same, with an error of its own."""

    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        if bool((planes.sum((1, 2)) == 0).any()):
            raise ValueError("bad planes")
        return {"policy": policy, "value": value}


class BatchOfThree(Good):
    """Answers batches of three decisions."""

    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes.reshape(3, 216, 34))
        return {"policy": policy, "value": value}


class AnswersOfThree(Good):
    """Answers three decisions, however many there are."""

    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes[:1])
        return {"policy": policy.repeat(3, 1), "value": value.repeat(3)}


class NoOutputs(Good):
    def forward(self, planes: torch.Tensor) -> Outputs:
        outputs: Outputs = {}
        return outputs


class SparsePolicy(Good):
    """Answers a tensor of another layout."""

    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy.to_sparse(), "value": value}


class MinusInfinity(Good):
    """Answers minus infinity for an action, as for an illegal one. That is no mistake."""

    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy.index_fill(1, torch.tensor([164]), -float("inf")), "value": value}


class NoValue(Good):
    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"logits": policy, "policy": policy}


class ColumnOfValues(Good):
    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy, "value": value.unsqueeze(1)}


class IntegerPolicy(Good):
    def forward(self, planes: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy.round().long(), "value": value}


class SingleTensor(Good):
    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        return self.outputs(planes)[0]


class TupleOfTensors(Good):
    def forward(self, planes: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        return self.outputs(planes)


class TwoInputs(Good):
    def forward(self, planes: torch.Tensor, scalars: torch.Tensor) -> Outputs:
        policy, value = self.outputs(planes)
        return {"policy": policy + scalars.sum(), "value": value}


def main():
    folder = Path(sys.argv[1])
    torch.manual_seed(1)
    for kind in [Good, *Good.__subclasses__()]:
        torch.jit.script(kind().eval()).save(str(folder / f"{kind.__name__}.pt"))
    torch.jit.freeze(torch.jit.script(Good().eval())).save(str(folder / "Frozen.pt"))
    torch.save(Good().state_dict(), folder / "StateDict.pt")
    whole = (folder / "Good.pt").read_bytes()
    (folder / "Truncated.pt").write_bytes(whole[: len(whole) // 2])
    (folder / "Text.pt").write_text("no model\n")
    ZipFile(folder / "EmptyArchive.pt", "w").close()
    (folder / "Folder.pt").mkdir()


if __name__ == "__main__":
    main()
