"""`jantaku.train screen`: the strongest of several candidates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from jantaku.train import screen as module
from jantaku.train.config import ConfigError, Screen
from jantaku.train.screen import screen


def settings(out: Path, **others: object) -> Screen:
    candidates = ["random", "greedy", "noisy:base=greedy,p=0.02"]
    table = {
        "candidates": candidates,
        "out": str(out),
        "baseline": "greedy",
        "first": 30,
        "sets": 120,
    }
    return Screen.of({**table, "threads": 1, **others})


def test_losers_stop_and_an_interrupted_screening_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = settings(tmp_path / "whole")
    rows = screen(config)
    assert rows == json.loads((tmp_path / "whole/result.json").read_text())
    assert (rows[-1]["agent"], rows[-1]["sets"]) == ("random", 30)
    assert rows[-1]["worse_than"] in config.candidates
    assert rows[0]["worse_than"] is None
    # A copy of the baseline has exactly the mean of a fair field.
    (same,) = (row for row in rows if row["agent"] == "greedy")
    assert (same["placement"], same["error"]) == (2.5, 0.0)

    played: list[str] = []

    def interrupted(agent: str, *others: object, **options: object) -> object:
        if len(played) == 4:
            raise KeyboardInterrupt
        played.append(agent)
        return match(agent, *others, **options)

    match = module.match
    with monkeypatch.context() as patch:
        patch.setattr(module, "match", interrupted)
        with pytest.raises(KeyboardInterrupt):
            screen(settings(tmp_path / "cut"))
    assert played == [*config.candidates, "greedy"]
    assert screen(settings(tmp_path / "cut")) == rows
    with pytest.raises(ConfigError, match=r"screened with seed = 0, found seed = 1"):
        screen(settings(tmp_path / "cut", seed=1))


def test_the_best_of_equal_candidates_seldom_stops() -> None:
    """All candidates have the same distribution, so any stop is an error of the procedure."""
    import random

    generator = random.Random(1)
    wrong = 0
    for _ in range(400):
        places = [[generator.gauss(2.5, 0.7) for _ in range(400)] for _ in range(3)]
        stops = False
        for sets in (100, 200, 400):
            gaps = [module._gap(places[0][:sets], other[:sets]) for other in places[1:]]
            stops |= max(gaps) > module._errors(0.05, 3, 3)
        wrong += stops
    assert wrong / 400 < 0.05
