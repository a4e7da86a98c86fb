"""Values survive pickles, also those of other processes."""

import copy
import multiprocessing
import operator
import pickle

import pytest

import jantaku
from jantaku import Agent, Game, Hand, Result, parse_log


@pytest.fixture(scope="module", params=["tenhou", "tenhou-sanma"])
def game(request):
    played = Game(request.param, seed=10)
    played.play("greedy")
    return played


def copies(value):
    return [pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)]


def attributes(value):
    """The attributes of a value, for types that compare by them."""
    names = [name for name in dir(value) if not name.startswith("_")]
    found = {name: getattr(value, name) for name in names}
    return {name: repr(item) for name, item in found.items() if not callable(item)}


def test_results_and_outcomes(game):
    for result in game.results:
        assert copies(result) == [result] * 3
        assert eval(repr(result)) == result == Result(*result.__reduce__()[1])
    assert any(outcome.wins for outcome in game.outcomes)
    assert any(outcome.draw for outcome in game.outcomes)
    for outcome in game.outcomes:
        for again in copies(outcome):
            assert again == outcome
            assert str(again) == str(outcome)
            assert attributes(again) == attributes(outcome)
        for win in outcome.wins:
            for again in copies(win):
                assert again == win
                assert attributes(again) == attributes(win)
    assert game.outcomes[0] != game.outcomes[1]


def test_recorded_games_and_replays(game):
    mjai = game.recorded().to_log("mjai")
    logs = [game.recorded(), game.recorded().complete(), *parse_log(mjai, rules=game.rules)]
    for log in logs:
        for again in copies(log):
            assert again == log
            assert attributes(again) == attributes(log)
            assert again.to_log("tenhou6") == log.to_log("tenhou6")
    replay = logs[0].replay()
    again = pickle.loads(pickle.dumps(replay))
    assert again == replay
    assert (again.hands, again.differences) == (game.hand_count, [])
    assert len(again.decisions) == len(game.actions)
    assert again.decisions[0] != again.decisions[1]
    assert logs[0] != Game("tenhou", seed=4).recorded()


def test_parts_of_a_view(game):
    seen = {"discards": [], "melds": [], "offer": []}
    replay = game.recorded().replay()
    for view, _ in replay.decisions:
        seen["discards"] += view.discards[-1:]
        seen["melds"] += [meld for melds in view.melds for meld in melds]
        seen["offer"] += [view.offer] if view.offer else []
    for kind, values in seen.items():
        assert values, kind
        assert pickle.loads(pickle.dumps(values)) == values


def test_the_analysis_of_a_hand():
    hand = Hand("34m567m345p678s55s+2m", riichi="single", dora="4s", honba=2)
    for score in copies(hand.score):
        assert score == hand.score
        assert hash(score) == hash(hand.score)
        assert attributes(score) == attributes(hand.score)
    assert hand.score != Hand("34m567m345p678s55s+2m").score
    for choice in Hand("23m456m345p678s9s1z+2z").discards:
        assert copies(choice) == [choice] * 3


@pytest.mark.parametrize("agent", ["greedy", "heuristic", "neural:model=uniform-sparse-v1"])
def test_replies(agent):
    view = Game(seed=1).decisions()[0]
    reply = Agent(agent).reply(view)
    for again in copies(reply):
        assert attributes(again) == attributes(reply)


def test_processes_exchange_values(game):
    look = operator.attrgetter("results", "outcomes")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(look, [game]) == [look(game)]


@pytest.mark.parametrize(
    "damaged", ["", "{}", "[]", '[{"end":{"Win":[]},"deltas":[1],"sticks":0},{}]']
)
def test_damaged_pickles_are_errors(damaged):
    for kind in (jantaku.Outcome, jantaku.Win, jantaku.RecordedGame, jantaku.Meld):
        with pytest.raises(ValueError, match=f"no {kind.__name__} of this version"):
            kind._restore(damaged)
