"""Decides whether a candidate is stronger, with nothing chosen afterwards.

Before the match, a line on the board names the candidate with its file, a prediction and a seed
that nobody can choose. After the match, another line has the result. Lines are never
removed from the board, and a name plays only once. A trial set is played before the line is
written, so that a wrong setting does not use up a name.
"""

# Why is the candidate of a gate on the board before its match? A lost match could otherwise be
# forgotten, and the best of several networks would look stronger than it is. The seed is a hash of
# the preceding lines, so it is new and cannot be chosen.

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from .._jantaku import FunctionAgent
from ..results import Match, Mean
from ..runs import match
from . import style
from .config import ConfigError, Gate

VERDICTS = {"accept": "stronger", "reject": "not stronger", None: "open"}
"""What the decision of the sequential test means. It is open if the sets did not suffice."""


def gate(config: Gate) -> dict[str, Any]:
    """Plays the match of a candidate. Returns the line with its result.

    After an interruption, the same settings continue the match.
    """
    board, out = Board(config.board), Path(config.out)
    challenger = candidate(config)
    if board.find("named", config.name) is None:
        _try(config, challenger)
    named = _enter(config, board)
    if board.find("played", config.name):
        raise ConfigError(f"{config.board}: {config.name} has played: give it another name")
    found = match(
        challenger,
        config.baseline,
        sprt=(config.sprt[0], config.sprt[1]),
        sets=config.sets,
        seed=named["seed"],
        rules=config.rules,
        out=out,
        resume=(out / "run.toml").exists(),
        threads=config.threads or None,
        progress=True,
    )
    line = {**named, "event": "played", **_result(config, found)}
    board.append(line)
    print(_text(line), flush=True)
    return line


def _try(config: Gate, challenger: FunctionAgent | str) -> None:
    """Plays a set of games, whose result is thrown away: it fails if the match could not be played.

    Raises
    ------
    ValueError
        If there is no such agent, an agent cannot play under the rules, or it fails.

    """
    match(challenger, config.baseline, sets=1, rules=config.rules, threads=config.threads or None)


def _enter(config: Gate, board: Board) -> dict[str, Any]:
    """Enters the candidate on the board before its match, once. Returns the line.

    Raises
    ------
    ConfigError
        If the candidate was entered with other settings or another model.

    """
    sha256 = hashlib.sha256(Path(config.model).read_bytes()).hexdigest()
    facts = {"event": "named", **config.settings(), "sha256": sha256}
    found = board.find("named", config.name)
    if found is None:
        found = {**facts, "seed": board.seed(sha256)}
        board.append(found)
    for key, value in facts.items():
        if found[key] != value:
            raise ConfigError(
                f"{config.board}: {config.name} was named with {key} = {found[key]!r}, "
                f"found {value!r}: give it another name"
            )
    return found


class Board:
    """A file with a line of JSON for each event. Lines are only ever added."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._text = self._path.read_text() if self._path.exists() else ""
        self.lines: list[dict[str, Any]] = []
        for number, line in enumerate(self._text.splitlines(), 1):
            try:
                self.lines.append(json.loads(line))
            except ValueError:
                raise ConfigError(
                    f"{path}, line {number}: expected JSON, found {line[:40]!r}; "
                    "if a crash cut the last line short, delete it"
                ) from None

    def find(self, event: str, name: str) -> dict[str, Any] | None:
        """The first line of an event of a candidate. None if there is none."""
        for line in self.lines:
            if (line["event"], line["name"]) == (event, name):
                return dict(line)
        return None

    def seed(self, sha256: str) -> int:
        """A seed from a model's hash and all lines so far, so no other match had it."""
        digest = hashlib.sha256((self._text + sha256).encode()).digest()
        return int.from_bytes(digest[:6], "big")

    def append(self, line: dict[str, Any]) -> None:
        """Adds a line, and waits until it is on the disk."""
        text = json.dumps(line) + "\n"
        with self._path.open("a") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        self._text += text
        self.lines.append(line)


def candidate(config: Gate) -> FunctionAgent | str:
    """The candidate as an agent. A ``.pt`` file plays as a function of torch."""
    if config.agent == "neural" and config.model.endswith(".pt"):
        from .player import player

        return player(config.model, name=config.name)
    return f"{config.agent}{',' if ':' in config.agent else ':'}model={config.model}"


def _result(config: Gate, found: Match) -> dict[str, Any]:
    """The fields of the board's line that the match adds."""
    standing, difference = found.agents[0], found.placement_difference
    assert difference is not None, "two agents play"
    assert found.sprt is not None, "the match has a test"
    return {
        "played": {"sets": found.sets, "games": found.games},
        "placement": _interval(standing.placement),
        "difference": _interval(difference),
        "as_predicted": config.prediction[0] <= difference.value <= config.prediction[1],
        "style": style.rates(found),
        "verdict": VERDICTS[found.sprt["decision"]],
    }


def _interval(mean: Mean) -> dict[str, float | None]:
    return {"value": mean.value, "low": mean.low, "high": mean.high}


def _text(line: dict[str, Any]) -> str:
    """The result as lines of text."""
    found = line["difference"]
    interval = "" if found["low"] is None else f" ({found['low']:+.4f} to {found['high']:+.4f})"
    rows = [
        f"{line['name']} against {line['baseline']}, {line['played']['sets']:,} sets: "
        f"{line['verdict']}",
        f"placement difference {found['value']:+.4f}{interval}, "
        f"{'as' if line['as_predicted'] else 'not as'} predicted",
    ]
    rows.append(style.text({rate: row["value"] for rate, row in line["style"].items()}))
    return "\n".join(rows)
