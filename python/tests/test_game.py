import copy
import hashlib
import json
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from harness import play, views

import jantaku
from jantaku import Action, Game, Rules, Standing

GAMES = Path(__file__).with_name("games.json")
PRESETS = ["tenhou", "tenhou-sanma", "mleague", "ema-2016"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_random_game_ends_with_a_result_for_each_seat(preset):
    game = play(Game(preset, seed=1))
    rules = Rules(preset)
    assert game.pending == []
    assert game.decisions() == []
    assert sorted(result.placement for result in game.results) == list(range(1, game.players + 1))
    assert [result.points for result in game.results] == game.scores
    assert len(game.outcomes) == game.hand_count
    assert game.players == rules.players


@pytest.mark.parametrize("game", json.loads(GAMES.read_text()), ids=lambda game: game["rules"])
def test_games_are_those_of_the_engine(game):
    """A test of the engine writes these games: same actions, views and events."""
    played = Game(game["rules"], seed=game["seed"])
    assert played.rules.hash == game["rules_hash"]
    masks, planes = hashlib.sha256(), hashlib.sha256()
    steps = bytes.fromhex(game["steps"])
    for seat, action in zip(steps[::2], steps[1::2], strict=True):
        view = played.observe(seat)
        masks.update(view.action_mask.tobytes())
        planes.update(view.encode("planes-v1").tobytes())
        played.submit(seat, action)
    assert played.is_over
    assert masks.hexdigest() == game["masks"]
    assert planes.hexdigest() == game["planes"]
    assert played.scores == game["scores"]
    assert f"{played.signature:016x}" == game["signature"]


def test_the_same_seed_and_actions_give_the_same_game():
    game = play(Game(seed=5))
    again = Game(seed=5)
    for seat, action in game.actions:
        again.submit(seat, action)
    assert again.signature == game.signature
    assert again.results == game.results
    assert play(Game(seed=6)).signature != game.signature
    assert Game().seed != Game().seed


def test_step_answers_all_seats_at_once():
    one, other = Game(seed=3), Game(seed=3)
    views = one.decisions()
    choose = random.Random(1).choice
    while views:
        actions = {view.seat: choose(view.legal) for view in views}
        views = one.step(actions)
        # The order of answers does not matter.
        for seat in reversed(actions):
            other.submit(seat, int(actions[seat]))
    assert one.is_over
    assert one.signature == other.signature


def test_masks_are_the_legal_actions():
    for _, view in views(seed=2):
        mask = view.action_mask
        assert mask.dtype == np.bool_
        assert mask.shape == (Action.COUNT,)
        assert list(np.flatnonzero(mask)) == [int(action) for action in view.legal]
        assert len(view.legal) >= 2
        assert all(view.is_legal(action) for action in view.legal)


@pytest.mark.parametrize("decisions", [0, 1, 57, None])
def test_games_pickle_and_copy(decisions):
    game = play(Game("tenhou-sanma", seed=9), decisions=decisions)
    for again in [pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)]:
        assert again.signature == game.signature
        assert again.pending == game.pending
        assert repr(again) == repr(game)
        assert play(again, seed=1).signature == play(game.copy(), seed=1).signature


def test_a_game_starts_anywhere_with_any_wall():
    start = Standing([30000, 20000, 25000, 24000], round=7, honba=2, sticks=1)
    game = Game(seed=1, start=start)
    view = game.decisions()[0]
    assert view.hand_name == "South 4-2"
    assert view.scores == start.scores
    assert (view.sticks, view.dealer, view.round_wind) == (1, 3, "S")
    assert view.seat_winds == ["S", "W", "N", "E"]
    same = Game(seed=2, start=start, wall=game.wall)
    assert same.wall == game.wall
    assert same.decisions()[0].hand == view.hand
    again = pickle.loads(pickle.dumps(same))
    assert again.wall == same.wall
    assert again.start == start
    assert play(again, seed=3).signature == play(same, seed=3).signature


def test_agents_play_as_in_rust_and_leave_seats_to_the_caller():
    alone = Game(seed=11)
    alone.play(("greedy",) * 4)
    by_hand = Game(seed=11)
    agent = jantaku.Agent("greedy")
    while not by_hand.is_over:
        for view in by_hand.decisions():
            by_hand.submit(view.seat, by_hand.ask(agent, view.seat))
    assert by_hand.signature == alone.signature
    mine = Game(seed=11)
    views = mine.play([None, "greedy", agent, "greedy"])
    while views:
        (view,) = views
        assert view.seat == 0
        mine.submit(0, mine.ask("greedy"))
        views = mine.play([None, "greedy", agent, "greedy"])
    assert mine.signature == alone.signature


@pytest.mark.parametrize("sampling", ["weighted", "uniform"])
@pytest.mark.parametrize("preset", ["tenhou", "tenhou-sanma"])
def test_samples_follow_from_what_the_seat_has_seen(preset, sampling):
    """A sample has other hidden tiles. Samples of both with the same seed are equal."""
    game = play(Game(preset, seed=9), decisions=300)
    (seat, *_) = game.pending
    samples = game.sample(seat, 3, sampling=sampling, seed=7)
    state = pickle.dumps(samples)
    for sample in samples:
        assert pickle.dumps(sample.sample(seat, 3, sampling=sampling, seed=7)) == state
        assert pickle.dumps(sample.observe(seat)) == pickle.dumps(game.observe(seat))
        seen = sample.events(seat)
        assert seen[1:] == game.events(seat)[-len(seen) + 1 :]
        assert sample.hand_count == game.hand_count
        assert sample.wall != game.wall
        copied = pickle.loads(pickle.dumps(sample))
        assert play(sample, seed=1).signature == play(copied, seed=1).signature
        assert sample.is_over
    assert len({sample.seed for sample in samples}) == 3
    assert pickle.dumps(game.sample(seat, 1)) != pickle.dumps(game.sample(seat, 1))


def test_outcomes_and_events_tell_the_same_story():
    game = Game(seed=7)
    game.play("greedy")
    events = game.events()
    assert [event["type"] for event in events].count("start_kyoku") == game.hand_count
    assert sum(event["type"] == "hora" for event in events) == sum(
        len(o.wins) for o in game.outcomes
    )
    for outcome in game.outcomes:
        assert (outcome.draw is None) == bool(outcome.wins)
        assert sum(outcome.deltas) % 1000 == 0
        for win in outcome.wins:
            assert win.yaku
            assert win.payments[win.winner] >= win.points
            assert repr(win).startswith("<Win seat ")
    seen = game.events(seat=1)
    assert len(seen) == len(events)
    hidden = [event for event in seen if event["type"] == "tsumo" and event["actor"] != 1]
    assert {event["pai"] for event in hidden} == {"?"}
    shown = [event for event in seen if event["type"] == "tsumo" and event["actor"] == 1]
    assert "?" not in {event["pai"] for event in shown}


def test_pictures():
    game = Game(seed=42)
    view = game.decisions()[0]
    for picture in [view._repr_html_(), game._repr_html_(), view.svg()]:
        assert picture.startswith("<svg ")
