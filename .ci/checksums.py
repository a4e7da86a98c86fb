"""Writes the SHA-256 of all files of a folder to its file SHA256SUMS. usage: checksums.py FOLDER

Not every system has the same program for this.
"""

import hashlib
import sys
from pathlib import Path

folder = Path(sys.argv[1])
files = sorted(file for file in folder.iterdir() if file.name != "SHA256SUMS")
lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
(folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")
print("".join(lines), end="")
