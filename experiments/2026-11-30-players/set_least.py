"""Copies a network of `residual` with other values of `least`.

usage: set_least.py FROM TO KIND=POINTS ..., such as discard=9999 to leave quiet discards to `heuristic`
"""

import json
import sys
from pathlib import Path

source, target, *changes = sys.argv[1:]
data = Path(source).read_bytes()
end = 8 + int.from_bytes(data[:8], "little")
header = json.loads(data[8:end])
manifest = json.loads(header["__metadata__"]["jantaku"])
for change in changes:
    kind, points = change.split("=")
    manifest["least"][kind] = float(points)
header["__metadata__"]["jantaku"] = json.dumps(manifest)
text = json.dumps(header).encode()
# Readers of the format may want tensors at multiples of eight bytes.
text += b" " * (-len(text) % 8)
Path(target).write_bytes(len(text).to_bytes(8, "little") + text + data[end:])
