import pickle

import pytest

import jantaku
from jantaku import RunError

FOUR = ["greedy", "greedy:calls=off", "random", "tsumogiri"]


def first(batch):
    return batch.mask.argmax(axis=1)


def test_a_league_rates_agents():
    seen = []
    league = jantaku.league(
        [*FOUR, "heuristic"],
        sets=4,
        seed=2,
        anchor="random",
        anchor_rating=1000,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert (league.tables, league.games, league.played) == (5, 80, 80)
    assert league.complete
    assert seen[-1] == (80, 80)
    ratings = {row["agent"]: row for row in league.agents}
    assert ratings["random"]["rating"] == 1000
    assert all(row["games"] == 64 == sum(row["placements"]) for row in league.agents)
    assert len(league.pairs) == 20
    ahead = {(pair["agent"], pair["other"]): pair for pair in league.pairs}
    pair = ahead["greedy", "random"]
    assert pair["games"] == pair["ahead"] + ahead["random", "greedy"]["ahead"]
    assert len(league.to_pandas()) == 5
    assert "League of 80 games" in repr(league)
    assert pickle.loads(pickle.dumps(league)) == league


def test_a_league_shows_names():
    agents = ["a=greedy", jantaku.Agent("b=greedy:calls=off"), "random", "tsumogiri"]
    league = jantaku.league(agents, sets=1)
    assert {row["agent"] for row in league.agents} == {"a", "b", "random", "tsumogiri"}
    assert {pair["other"] for pair in league.pairs} == {"a", "b", "random", "tsumogiri"}


def test_a_league_is_resumed_and_extended(tmp_path):
    folder = tmp_path / "league"
    begun = jantaku.league(FOUR, sets=2, seed=5, out=folder)
    assert (begun.out, begun.played) == (str(folder), 8)
    more = jantaku.league("heuristic", sets=3, out=folder, resume=True)
    # The part of the first table was not full, so its games are played again.
    assert (more.played, more.games, len(more.agents)) == (60, 60, 5)
    whole = jantaku.league([*FOUR, "heuristic"], sets=3, seed=5)
    assert whole.agents == more.agents
    assert whole.pairs == more.pairs
    with pytest.raises(RunError, match=r"`seed`: the league in .* has 5, found 6"):
        jantaku.league(out=folder, seed=6, resume=True)


def test_functions_play_leagues():
    league = jantaku.league(["greedy", "random", "tsumogiri", first], sets=1)
    assert league.complete
    assert "first" in {row["agent"] for row in league.agents}
