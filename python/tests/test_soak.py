"""A short soak. `benches/soak.py` runs the long one."""

import os
import subprocess
import sys
from pathlib import Path

SOAK = Path(__file__).parents[1] / "benches" / "soak.py"


def test_memory_does_not_grow():
    """Hundreds of environments of random rules, with resets and misuse.

    With one arena, glibc gives free memory back whatever the threads are. A quarter of a minute is
    short for the warm-up, so less growth than 4 % passes.
    """
    command = [sys.executable, str(SOAK), "--seconds", "15", "--decisions", "100_000"]
    found = subprocess.run(
        [*command, "--each", "0.02", "--growth", "0.04"],
        capture_output=True,
        text=True,
        env={**os.environ, "MALLOC_ARENA_MAX": "1"},
    )
    assert found.returncode == 0, found.stdout + found.stderr
