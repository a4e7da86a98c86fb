import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name, *arguments):
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_random_play():
    assert "exhaustive" in run("random_play.py", 3)


def test_train_pettingzoo():
    found = run("train_pettingzoo.py", "--steps", 256, "--rollout", 128, "--sets", 1)
    assert "learned from 256 decisions of seat_0" in found
    assert "<Match of 1 set: placements ppo" in found


def test_notebook(tmp_path):
    page = tmp_path / "table.html"
    run("notebook.py", page)
    assert page.read_text().count("<svg ") == 3
