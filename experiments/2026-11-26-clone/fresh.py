"""How often clones choose the move of `heuristic` in games that no training has read.

usage: fresh.py CLONE...

CLONE is the name of a file of settings without `.toml`. The games are in the run `fresh`.
"""

import sys

from jantaku import Dataset
from jantaku.train.clone import test, text
from jantaku.train.config import Clone
from jantaku.train.learner import Learner

for name in sys.argv[1:]:
    config = Clone.read(f"{name}.toml")
    learner = Learner(config)
    learner.continue_from(f"{config.out}/checkpoint.pt", config)
    games = Dataset(["fresh"], encoder="planes-v1", batch=512)
    print(name, text(test(learner.network, games, learner.answer)), flush=True)
