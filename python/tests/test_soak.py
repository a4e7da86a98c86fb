"""A short soak. `benches/soak.py` runs the long one."""

import os
import subprocess
import sys
from pathlib import Path

SOAK = Path(__file__).parents[1] / "benches" / "soak.py"


def test_memory_does_not_grow():
    """Hundreds of environments of random rules, with resets and misuse."""
    command = [sys.executable, str(SOAK), "--seconds", "15", "--decisions", "100_000"]
    found = subprocess.run(
        [*command, "--each", "0.02", "--used", "--growth", "0.02"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONMALLOC": "malloc"},
    )
    assert found.returncode == 0, found.stdout + found.stderr
