"""Makes a model with random weights for a manifest, as a trainer would export it.

    export_model.py MODEL.json [--width 32] [--blocks 2] [--seed 1] [--inputs FOLDER]

`cargo run --example manifest -- planes-v1` prints a manifest. The model goes beside it as
MODEL.pt, and for all but planes-v1 the same weights as MODEL.safetensors, too. With --inputs it also
evaluates the decisions in FOLDER and writes what it answers: MODEL.expected has 165 logits and the
value of each decision as little-endian f32.
"""

import argparse
import ctypes
import json
import math
import struct
from pathlib import Path
from typing import Dict

import torch
from torch import nn
from torch.nn import functional

ACTIONS = 165
CHANNELS, KINDS = 216, 34
FEATURES, SCALARS = {"sparse-v1": 4035, "events-v1": 1930}, 10


class Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, width: int):
        super().__init__()
        self.first = nn.Conv1d(width, width, 3, padding=1)
        self.second = nn.Conv1d(width, width, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.second(torch.relu(self.first(x))))


class PlanesNet(nn.Module):
    """A residual network for planes-v1: decisions × 216 × 34 numbers."""

    def __init__(self, width: int, blocks: int):
        super().__init__()
        self.stem = nn.Conv1d(CHANNELS, width, 3, padding=1)
        self.blocks = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.neck = nn.Conv1d(width, 8, 1)
        self.policy = nn.Linear(8 * KINDS, ACTIONS)
        self.value = nn.Linear(8 * KINDS, 1)

    def forward(self, planes: torch.Tensor) -> Dict[str, torch.Tensor]:
        x = self.blocks(torch.relu(self.stem(planes)))
        x = torch.relu(self.neck(x)).flatten(1)
        return {"policy": self.policy(x), "value": self.value(x).squeeze(1)}


class Bag(nn.Module):
    """The sum of the rows of the active features, and a bias."""

    def __init__(self, features: int, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features, width) / 8)
        self.bias = nn.Parameter(torch.randn(width) / 8)

    def forward(self, active: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        return functional.embedding_bag(active, self.weight, offsets, mode="sum") + self.bias


class SparseNet(nn.Module):
    """A small network for lists of features. Its parameters have the names that the backend in Rust reads."""

    def __init__(self, width: int, blocks: int, features: int):
        super().__init__()
        self.embedding = Bag(features, width)
        self.scalars = nn.Linear(SCALARS, width, bias=False)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(blocks)])
        self.policy = nn.Linear(width, ACTIONS)
        self.value = nn.Linear(width, 1)

    def forward(
        self, active: torch.Tensor, offsets: torch.Tensor, scalars: torch.Tensor
    ) -> Dict[str, torch.Tensor]:
        x = torch.relu(self.embedding(active, offsets) + self.scalars(scalars))
        for layer in self.layers:
            x = torch.relu(layer(x))
        return {"policy": self.policy(x), "value": self.value(x).squeeze(1)}


PLANES = [("planes", torch.float32, (-1, CHANNELS, KINDS))]
LISTS = [("active", torch.int64, (-1,)), ("offsets", torch.int64, (-1,)), ("scalars", torch.float32, (-1, SCALARS))]


def save_safetensors(path: Path, tensors: Dict[str, torch.Tensor], manifest: str):
    """Writes tensors in the format safetensors: the length of a JSON header, the header, the data."""
    header, data = {"__metadata__": {"jantaku": manifest}}, b""
    for name, tensor in tensors.items():
        tensor = tensor.detach().float().contiguous()
        start = len(data)
        data += ctypes.string_at(tensor.data_ptr(), tensor.nbytes)
        offsets = [start, len(data)]
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": offsets}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def read_inputs(folder: Path, encoder: str):
    """The inputs of forward, from raw little-endian files named after them."""
    for name, kind, shape in LISTS if encoder in FEATURES else PLANES:
        content = bytearray((folder / name).read_bytes())
        yield torch.frombuffer(content, dtype=kind).reshape(shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=Path)
    args = parser.parse_args()

    manifest = args.manifest.read_text()
    encoder = json.loads(manifest)["encoder"]["name"]
    torch.manual_seed(args.seed)
    if encoder in FEATURES:
        network = SparseNet(args.width, args.blocks, FEATURES[encoder]).eval()
    else:
        network = PlanesNet(args.width, args.blocks).eval()
    torch.jit.script(network).save(str(args.manifest.with_suffix(".pt")))
    if encoder in FEATURES:
        save_safetensors(args.manifest.with_suffix(".safetensors"), dict(network.named_parameters()), manifest)
    print(f"{encoder}: {sum(math.prod(weights.shape) for weights in network.parameters()):,} weights")
    if args.inputs:
        with torch.no_grad():
            outputs = network(*read_inputs(args.inputs, encoder))
        rows = torch.cat([outputs["policy"], outputs["value"].unsqueeze(1)], 1).contiguous()
        args.manifest.with_suffix(".expected").write_bytes(ctypes.string_at(rows.data_ptr(), rows.nbytes))


if __name__ == "__main__":
    main()
