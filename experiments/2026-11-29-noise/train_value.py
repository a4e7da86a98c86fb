"""Trains the network of the oracle value: ``python train_value.py rows.bin value.safetensors``."""

import json
import sys

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional

ACTIVE, SCALARS, FEATURES = 85, 48, 144 + 4 * 170 + 34
BASES = np.array([300, 500, 1000, 2000, 3000, 4500])
ROW = np.dtype([("active", "<u2", ACTIVE), ("scalars", "<f4", SCALARS), ("end", "u1", 3), ("turns", "u1")])


class Value(nn.Module):
    """The network as the program reads it."""

    def __init__(self, columns, layers):
        super().__init__()
        self.embedding = nn.EmbeddingBag(FEATURES + 1, columns, mode="sum", padding_idx=FEATURES)
        nn.init.normal_(self.embedding.weight, std=0.1)
        self.bias = nn.Parameter(torch.zeros(columns))
        self.scalars = nn.Linear(SCALARS, columns, bias=False)
        sizes = [columns, *layers]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.ends = nn.Linear(sizes[-1], 17 + 24 + 4)

    def forward(self, active, scalars):
        hidden = torch.relu(self.embedding(active) + self.scalars(scalars) + self.bias)
        for layer in self.layers:
            hidden = torch.relu(layer(hidden))
        return self.ends(hidden)

    def tensors(self):
        found = {
            "embedding.weight": self.embedding.weight[:FEATURES],
            "embedding.bias": self.bias,
            "scalars.weight": self.scalars.weight,
            "ends.weight": self.ends.weight,
            "ends.bias": self.ends.bias,
        }
        for at, layer in enumerate(self.layers):
            found |= {f"layers.{at}.weight": layer.weight, f"layers.{at}.bias": layer.bias}
        return {name: value.detach().contiguous() for name, value in found.items()}


def load(path):
    # `end` has the winner (4 for a draw), the payer, and the points in units of 50 or, for a draw, the tenpai
    # seats as bits.
    rows = np.fromfile(path, dtype=ROW)
    winner, payer, last = rows["end"].T.astype(np.int64)
    won = winner < 4
    ends = np.where(won, winner * 4 + payer, 16)
    edges = np.sqrt(BASES[1:] * BASES[:-1])
    points = np.searchsorted(edges, last * 50)
    tenpai = (last[:, None] >> np.arange(4)) & 1
    active = np.minimum(rows["active"], FEATURES).astype(np.int32)
    arrays = active, rows["scalars"], ends, points, winner, tenpai.astype(np.float32)
    return [torch.from_numpy(np.ascontiguousarray(values)) for values in arrays]


def losses(outputs, ends, points, winner, tenpai):
    won = winner < 4
    of_points = outputs[:, 17:41].view(-1, 4, 6)[won, winner[won]]
    drawn = ~won
    return (
        functional.cross_entropy(outputs[:, :17], ends),
        functional.cross_entropy(of_points, points[won]),
        functional.binary_cross_entropy_with_logits(outputs[drawn, 41:], tenpai[drawn]),
    )


def main():
    source, target = sys.argv[1:3]
    epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rows = load(source)
    count = len(rows[0])
    test = slice(count * 19 // 20, count)
    held_out = [part[test] for part in rows]
    train = [part[: test.start] for part in rows]
    order = torch.randperm(test.start)
    model = Value(128, [48])
    batch = 2048
    in_epoch = test.start // batch
    steps = epochs * in_epoch
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, steps)
    for step in range(steps):
        at = step % in_epoch * batch
        if at == 0:
            order = torch.randperm(test.start)
        chosen = order[at : at + batch]
        active, scalars, *targets = (part[chosen] for part in train)
        loss = sum(losses(model(active, scalars), *targets))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 500 == 499 or step + 1 == steps:
            with torch.no_grad():
                active, scalars, *targets = held_out
                found = losses(model(active, scalars), *targets)
            print(step + 1, *(f"{float(value):.4f}" for value in found), flush=True)
    plain = np.bincount(rows[2].numpy(), minlength=17) / count
    print("entropy of the ends alone", -(plain[plain > 0] * np.log(plain[plain > 0])).sum())
    save_file(model.tensors(), target, metadata={"jantaku": json.dumps({"rows": count, "epochs": epochs})})


if __name__ == "__main__":
    main()
