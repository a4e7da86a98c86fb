"""Trains a network that corrects the estimates of ``heuristic``.

The target of a pair of candidates is their difference by the rollouts minus their gap. Folds of the
games are held out one at a time, each by a network that is trained on the others. The predictions
for these games say how far to trust the network: the factor ``shrink`` by which they fit the
rollouts best, and for each kind of decision the points ``least`` from which on a switch pays. Then
a network is trained on all games.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .candidates import KINDS, UNIT, Batch, Decisions, Loader, Pieces
from .config import Improve, Labels
from .curve import Curve
from .files import contents_of, write
from .network import CandidateNetwork
from .noise import Noise, fit_noise
from .optimizer import Optimizer
from .training import Training, begin, device_of

MARGINS = (0, 20, 40, 60, 80, 120, 160, 200, 300, 400, 600)
"""The values of ``least`` that are compared, in points."""

STEADY = 20
"""The lowest value of ``least`` that is chosen: smaller predicted gains are noise."""


def improve(config: Improve) -> Path:
    """Runs the experiment. Returns the path of the network.

    Each network has a checkpoint, and the same settings continue from it.
    """
    labels = Labels.of(config)
    _, curve = begin(config)
    pieces, device = Pieces(config.labels, config.piece, config.seed), device_of(config.device)
    decisions = sum(pieces.counts.values())
    settings = config.settings() | {"base": labels.base, "rules": labels.rules.hash}
    settings |= {"shares": labels.shares, "decisions": decisions}
    settings["contents"] = contents_of(*config.labels, config.start)
    print(f"{decisions:,} decisions with {pieces.candidates:,} candidates", flush=True)
    noise = fit_noise(Loader(next(pieces.epoch()), device), config.seed)
    outlines, corrected = [], []
    for fold in range(min(config.tested, config.folds)):
        network = train(config, pieces, noise, settings, f"fold-{fold}", curve, without=fold)
        for piece in pieces.epoch():
            takes = _folds(config, piece.game) == fold
            outlines.append(piece.outlines(takes))
            corrected.append(predict(network, Loader(piece, device), takes))
    shrink, least, report = 1.0, dict.fromkeys(KINDS, 40.0), {}
    if outlines:
        labelled, corrections = Decisions.of(outlines), np.concatenate(corrected)
        shrink = fit_shrink(labelled, corrections)
        numbers, weights = np.arange(len(labelled)), _weights(labels.shares, pieces, labelled)
        gains = gains_by_kind(labelled, numbers, weights, shrink * corrections)
        least = {kind: float(best_least(gains[kind])) for kind in KINDS}
        tables = {kind: [asdict(gain) for gain in table] for kind, table in gains.items()}
        report = {"shrink": shrink, "least": least, "gains": tables}
        print_gains(labelled, shrink, corrections, gains, least)
    network = train(config, pieces, noise, settings, "all", curve)
    notes = {"settings": settings, "held_out": report}
    path = curve.out / "residual.safetensors"
    network.save(
        path,
        base=labels.base,
        rules=labels.rules,
        shrink=shrink,
        least=least,
        notes=notes,
    )
    write(curve.out / "held-out.json", (json.dumps(report, indent=1) + "\n").encode())
    print(f"wrote {path}", flush=True)
    return path


def train(
    config: Improve,
    pieces: Pieces,
    noise: Noise,
    settings: dict[str, Any],
    name: str,
    curve: Curve,
    without: int = -1,
) -> CandidateNetwork:
    """Trains a network on the decisions outside the fold ``without``, by default on all."""
    counts = np.array(list(pieces.counts.values()))
    left = int(counts[_folds(config, np.array(list(pieces.counts))) != without].sum())
    torch.manual_seed(config.seed)
    network, device = CandidateNetwork(config.hidden), device_of(config.device)
    if config.start is not None:
        network.start_from(config.start)
    network.to(device)
    training = Training(
        name,
        network,
        Optimizer(network, [], rate=config.rate, decay=config.decay),
        curve,
        steps=math.ceil(config.epochs * left / config.batch),
        warm_up=50,
        every=200,
        checkpoint=curve.out / f"{name}.pt",
        settings=settings,
        average=config.average,
    )
    batches = pieces.batches(
        config.batch, lambda piece: _folds(config, piece.game) != without, training.extra, device
    )
    for _ in training.steps():
        training.extra, batch = next(batches)
        training.learn(loss_of(network, noise, batch))
    return network


def _folds(config: Improve, games: np.ndarray) -> np.ndarray:
    """The folds of games, by their numbers."""
    folds: np.ndarray = games * 0x9E3779B1 % 2**32 // 65_536 % max(config.folds, 1)
    return folds


def loss_of(network: CandidateNetwork, noise: Noise, batch: Batch) -> torch.Tensor:
    """The error of the predicted corrections, in units of the expected noise."""
    values = network(batch.active, batch.offsets, batch.scalars)
    by = noise.variance(batch).sqrt()
    error = (values[batch.other] - values[batch.chosen] - batch.target) / by
    return torch.nn.functional.huber_loss(error, torch.zeros_like(error), delta=5.0)


def predict(network: CandidateNetwork, loader: Loader, takes: np.ndarray) -> np.ndarray:
    """The predicted corrections of the candidates of the decisions taken, in points.

    They are NaN where there is none: for first candidates, and where the base decides by rule.
    """
    labelled, decisions = loader.labelled, np.flatnonzero(takes)
    corrections = np.full(len(labelled.gap), np.nan, dtype=np.float32)
    with torch.no_grad():
        for part in np.array_split(decisions, max(1, len(decisions) // 8192)):
            batch = loader.batch(part)
            values = network(batch.active, batch.offsets, batch.scalars)
            predicted = (values[batch.other] - values[batch.chosen]).cpu().numpy() * UNIT
            corrections[batch.candidate.cpu().numpy()] = predicted
    of_taken: np.ndarray = corrections[np.repeat(takes, np.diff(labelled.first))]
    return of_taken


def fit_shrink(labelled: Decisions, corrections: np.ndarray) -> float:
    """The factor by which the predictions fit the rollouts best, from 0 to 1."""
    known = ~np.isnan(corrections)
    predicted = corrections[known].astype(np.float64)
    lacking = (labelled.difference - labelled.gap)[known].astype(np.float64)
    return float(np.clip((predicted * lacking).sum() / (predicted**2).sum(), 0, 1))


@dataclass
class Gain:
    """What it brings to switch where the predicted gain is above ``least``."""

    least: int
    """In points."""
    switched: float
    """Share of the decisions that are switched."""
    gain: float
    """Points for each decision, by the rollouts."""
    error: float
    """Its standard error, by game."""
    expected: float
    """Points for each decision, by the predictions."""


def gain_table(
    labelled: Decisions,
    decisions: np.ndarray,
    weights: np.ndarray,
    corrections: np.ndarray,
    switchable: np.ndarray | None = None,
) -> list[Gain]:
    """The gains for each value of ``least``, as means over all decisions.

    Only decisions that are ``switchable`` are switched; by default all.
    """
    best, expected = best_switches(labelled, decisions, corrections)
    real = np.where(best >= 0, labelled.difference[np.maximum(best, 0)], 0.0)
    found = []
    for least in MARGINS:
        takes = expected > least if switchable is None else (expected > least) & switchable
        gains = np.where(takes, real, 0.0) * weights
        total = weights.sum()
        _, place = np.unique(labelled.game[decisions], return_inverse=True)
        by_game = np.bincount(place, weights=gains - weights * gains.sum() / total)
        found.append(
            Gain(
                least=least,
                switched=float((takes * weights).sum() / total),
                gain=float(gains.sum() / total),
                error=float(np.sqrt((by_game**2).sum()) / total),
                expected=float((np.where(takes, expected, 0.0) * weights).sum() / total),
            )
        )
    return found


def best_switches(
    labelled: Decisions, decisions: np.ndarray, corrections: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each decision, the best other candidate or -1, and its expected gain in points."""
    value = np.where(np.isnan(corrections), -np.inf, labelled.gap + corrections)
    value[np.isnan(value)] = -np.inf
    best = np.full(len(decisions), -1)
    expected = np.full(len(decisions), -np.inf)
    first, counts = labelled.first[decisions], np.diff(labelled.first)[decisions]
    for place in range(1, int(counts.max(initial=0))):
        candidate = np.minimum(first + place, len(value) - 1)
        better = (place < counts) & (value[candidate] > expected)
        best[better], expected[better] = candidate[better], value[candidate][better]
    return best, expected


def best_least(gains: list[Gain]) -> int:
    """The value of ``least`` with the highest gain, from `STEADY` on."""
    return max((gain for gain in gains if gain.least >= STEADY), key=lambda gain: gain.gain).least


def gains_by_kind(
    labelled: Decisions, decisions: np.ndarray, weights: np.ndarray, corrections: np.ndarray
) -> dict[str, list[Gain]]:
    """The gains overall and from each kind of decision, per decision of any kind."""
    found = {"all": gain_table(labelled, decisions, weights, corrections)}
    for number, kind in enumerate(KINDS):
        of_kind = labelled.kind[decisions] == number
        found[kind] = gain_table(labelled, decisions, weights, corrections, of_kind)
    return found


def print_gains(
    labelled: Decisions,
    shrink: float,
    corrections: np.ndarray,
    gains: dict[str, list[Gain]],
    least: dict[str, float],
) -> None:
    """Prints what the network would have gained in the games held out, overall and by kind."""
    known = ~np.isnan(corrections)
    lacking = (labelled.difference - labelled.gap)[known]
    correlation = np.corrcoef(corrections[known], lacking)[0, 1]
    print(f"held out: {known.sum():,} pairs, correlation {correlation:.4f}, shrink {shrink:.3f}")
    for gain in gains["all"]:
        print(f"  above {gain.least:3} points: {_words(gain)}")
    total = variance = 0.0
    for kind, points in least.items():
        gain = next(gain for gain in gains[kind] if gain.least == points)
        print(f"  {kind:8} above {gain.least:3} points: {_words(gain)}")
        total, variance = total + gain.gain, variance + gain.error**2
    print(f"  together: {total:.2f} ± {math.sqrt(variance):.2f} points a decision")
    if shrink == 0:
        print(
            "shrink is 0: in games held out, the corrections are no better than none, so the agent "
            "plays like its base. There are too few labels: label more games, and train again"
        )


def _words(gain: Gain) -> str:
    return (
        f"{100 * gain.switched:5.2f} % of decisions, gain {gain.gain:6.2f} ± {gain.error:.2f} "
        f"points a decision, expected {gain.expected:.2f}"
    )


def _weights(shares: list[dict[str, float]], pieces: Pieces, labelled: Decisions) -> np.ndarray:
    """How many decisions of all games each labelled one stands for.

    Runs may label different shares of a kind: then those with more labels speak for the others.
    """
    of_kind = pieces.games @ np.array([[of_run[kind] for kind in KINDS] for of_run in shares])
    weights: np.ndarray = pieces.games.sum() / of_kind[labelled.kind]
    return weights
