"""Plays a game where the wheel and numpy alone are installed."""

import importlib.metadata
import random

import jantaku

installed = {package.name.lower() for package in importlib.metadata.distributions()}
assert installed <= {"jantaku", "numpy", "pip", "setuptools"}, installed

game = jantaku.Game(seed=1)
choose = random.Random(1).choice
while not game.is_over:
    for view in game.decisions():
        game.submit(view.seat, choose(view.legal))
assert game.results is not None
print("clean environment: 1 passed, 0 failed")
