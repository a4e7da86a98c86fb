"""What networks of `residual` gain by the labels of a run that they did not learn from.

usage: gains.py RUN NETWORK ...

For each kind of decision, points for each decision of any kind, ± one standard error by game. All networks override
the choice of `heuristic` from the same predicted gains on, which `LEAST` has.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from jantaku.train.candidates import KINDS, Decisions, Loader, Pieces
from jantaku.train.config import run_table
from jantaku.train.improve import _weights, gains_by_kind, predict
from jantaku.train.network import CandidateNetwork

LEAST = {"kan": 20, "abort": 20, "riichi": 40, "call": 80, "danger": 40, "discard": 20}

run, *paths = sys.argv[1:]
networks = [CandidateNetwork.load(Path(path)) for path in paths]
pieces = Pieces([run], 1_000_000, 0)
outlines, corrected = [], []
for piece in pieces.epoch():
    takes = np.ones(len(piece), bool)
    loader = Loader(piece, torch.device("cpu"))
    outlines.append(piece.outlines(takes))
    corrected.append([predict(network, loader, takes) for network in networks])
labelled = Decisions.of(outlines)
weights = _weights([run_table(run)["labels"]["shares"]], pieces, labelled)
corrections = [np.concatenate(parts) for parts in zip(*corrected, strict=True)]
for path, correction in zip(paths, corrections, strict=True):
    gains = gains_by_kind(labelled, np.arange(len(labelled)), weights, correction)
    chosen = {kind: next(gain for gain in gains[kind] if gain.least == LEAST[kind]) for kind in KINDS}
    total = sum(gain.gain for gain in chosen.values())
    error = sum(gain.error**2 for gain in chosen.values()) ** 0.5
    print(f"{path}, {len(labelled):,} decisions: {total:.1f} ± {error:.1f}")
    for kind, gain in chosen.items():
        print(f"  {kind:8} {gain.gain:5.1f} ± {gain.error:.1f}, predicted {gain.expected:.1f}")
