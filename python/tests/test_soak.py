"""A short soak. `benches/soak.py` runs the long one."""

import subprocess
import sys
from pathlib import Path

from harness import full_only

SOAK = Path(__file__).parents[1] / "benches" / "soak.py"


@full_only
def test_memory_does_not_grow():
    """Hundreds of environments of random rules, with resets and misuse.

    A leak of 5 bytes a decision raises the memory by half.
    """
    size = ["--environments", "250", "--decisions", "10_000", "--growth", "0.25"]
    found = subprocess.run([sys.executable, str(SOAK), *size], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
