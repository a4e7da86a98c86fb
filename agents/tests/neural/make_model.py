"""Makes a .safetensors model with random weights for a manifest of sparse-v1.

    make_model.py MODEL.json [--columns 256] [--layers 384,256] [--seed 1]

`cargo run --example manifest -- sparse-v1` prints a manifest. The model goes beside it as
MODEL.safetensors. It needs only Python's standard library.
"""

import argparse
import json
import math
import struct
import sys
from array import array
from pathlib import Path
from random import Random

ACTIONS, FEATURES, SCALARS = 165, 4035, 10


def tensors(columns, layers, has_value, rng):
    """The shape and weights of each tensor by name."""

    def uniform(most, *shape):
        count = math.prod(shape)
        return list(shape), array("f", (rng.uniform(-most, most) for _ in range(count)))

    yield "embedding.weight", uniform(0.1, FEATURES, columns)
    yield "embedding.bias", uniform(0.1, columns)
    yield "scalars.weight", uniform(0.1, columns, SCALARS)
    heads = [("policy", ACTIONS)] + [("value", 1)] * has_value
    inputs = columns
    for name, outputs in [(f"layers.{n}", outputs) for n, outputs in enumerate(layers)] + heads:
        yield f"{name}.weight", uniform(math.sqrt(3 / inputs), outputs, inputs)
        yield f"{name}.bias", uniform(0.1, outputs)
        if name.startswith("layers."):
            inputs = outputs


def write(path, manifest, tensors):
    """Writes a safetensors file: the length of the header, the header as JSON, the weights."""
    header, start, data = {"__metadata__": {"jantaku": json.dumps(manifest)}}, 0, []
    for name, (shape, values) in tensors:
        if sys.byteorder == "big":
            values.byteswap()
        end = start + 4 * len(values)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}
        data.append(values.tobytes())
        start = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        file.writelines(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--columns", type=int, default=256)
    parser.add_argument("--layers", default="384,256")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    manifest = json.loads(args.manifest.read_text())
    layers = [int(outputs) for outputs in args.layers.split(",") if outputs]
    has_value = "value" in manifest["heads"]
    made = tensors(args.columns, layers, has_value, Random(args.seed))
    write(args.manifest.with_suffix(".safetensors"), manifest, made)


if __name__ == "__main__":
    main()
