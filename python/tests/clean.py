"""Plays a game, and runs the program, where the wheel and numpy alone are installed."""

import importlib.metadata
import json
import random
import shutil
import subprocess
import sysconfig

import jantaku

installed = {package.name.lower() for package in importlib.metadata.distributions()}
assert installed <= {"jantaku", "numpy", "pip", "setuptools"}, installed

game = jantaku.Game(seed=1)
choose = random.Random(1).choice
while not game.is_over:
    for view in game.decisions():
        game.submit(view.seat, choose(view.legal))
assert game.results is not None
program = shutil.which("jantaku", path=sysconfig.get_path("scripts"))
assert program, "the wheel has no program"
command = [program, "selfplay", "--games", "10", "--seed", "1", "--log", "none", "--json"]
played = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
assert played["games"] == 10, played
print("clean environment: 1 passed, 0 failed")
