"""Finds the strongest of several candidates. Losers stop early.

All candidates play against the same baseline, on the same walls and in the same seats. After each
stage, a candidate stops if another one is better beyond chance. Each stage has twice the sets of
the one before.
"""

# Why is the risk divided by stages and rivals? The best candidate stops wrongly only if one of its
# rivals looks better in one of the stages. So it stays in the field with a chance of at least
# 1 - risk, whatever the others are and however often one looks.

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any

from ..runs import match
from .config import ConfigError, Screen


def screen(config: Screen) -> list[dict[str, Any]]:
    """Plays the stages. Returns a row for each candidate, the best ones that are left first.

    After an interruption, the same settings continue.
    """
    _keep_settings(config)
    stages = [*takewhile(lambda sets: sets < config.sets, _doubled(config.first)), config.sets]
    errors = _errors(config.risk, len(config.candidates), len(stages))
    left, rows = dict.fromkeys(config.candidates), {}
    for sets in stages:
        found = {name: _placements(config, name, sets) for name in left}
        for name, places in found.items():
            better = [other for other in found if _gap(places, found[other]) > errors]
            rows[name] = {
                "agent": name,
                "sets": sets,
                "placement": fmean(places),
                "error": stdev(places) / len(places) ** 0.5,
                "worse_than": min(better, key=lambda other: fmean(found[other]), default=None),
            }
            if better:
                del left[name]
        print(_text([rows[name] for name in found], left), flush=True)
        if len(left) == 1:
            break
    ranked = sorted(rows.values(), key=lambda row: (-row["sets"], row["placement"]))
    (Path(config.out) / "result.json").write_text(json.dumps(ranked, indent=1) + "\n")
    return ranked


def _doubled(first: int) -> Iterator[int]:
    while True:
        yield first
        first *= 2


def _keep_settings(config: Screen) -> None:
    """Checks that the settings are those of an earlier call, if there was one. Writes them."""
    path, settings = Path(config.out) / "screen.json", config.settings()
    if path.exists():
        for name, value in json.loads(path.read_text()).items():
            if settings[name] != value:
                found = f"{name} = {settings[name]!r}"
                raise ConfigError(f"{path}: was screened with {name} = {value!r}, found {found}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings, indent=1) + "\n")


def _placements(config: Screen, name: str, sets: int) -> list[float]:
    """The candidate's mean placement in each of the first sets."""
    out = Path(config.out) / f"{config.candidates.index(name):03}"
    found = _stored(out)
    if len(found) < sets:
        match(
            name,
            config.baseline,
            sets=sets,
            seed=config.seed,
            rules=config.rules,
            out=out,
            resume=(out / "run.toml").exists(),
            threads=config.threads or None,
        )
        found = _stored(out)
    return found[:sets]


def _stored(run: Path) -> list[float]:
    """The challenger's mean placement in each set of a kept match."""
    import pyarrow.parquet as parquet

    places: dict[int, list[float]] = defaultdict(list)
    for path in sorted((run / "games").glob("*.parquet")):
        for game in parquet.read_table(path, columns=["game", "placement"]).to_pylist():
            # The challenger has each seat in turn.
            number, seat = divmod(game["game"], len(game["placement"]))
            places[number].append(game["placement"][seat])
    return [fmean(places[number]) for number in sorted(places)]


def _errors(risk: float, candidates: int, stages: int) -> float:
    """The standard errors by which one candidate must be better than another to stop it."""
    return NormalDist().inv_cdf(1 - risk / ((candidates - 1) * stages))


def _gap(places: list[float], others: list[float]) -> float:
    """By how many standard errors the second candidate's placements are better, set by set."""
    differences = [own - other for own, other in zip(places, others, strict=True)]
    error = stdev(differences) / len(differences) ** 0.5
    return fmean(differences) / error if error > 0 else 0.0


def _text(rows: list[dict[str, Any]], left: dict[str, Any]) -> str:
    lines = [f"{rows[0]['sets']:,} sets, {len(left)} left"]
    for row in sorted(rows, key=lambda row: row["placement"]):
        stops = f"  stops: worse than {row['worse_than']}" if row["worse_than"] else ""
        lines.append(f"  {row['placement']:.4f} ± {1.96 * row['error']:.4f}  {row['agent']}{stops}")
    return "\n".join(lines)
