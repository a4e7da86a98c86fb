"""Every call returns a value or raises an exception, and never panics."""

import contextlib
import random

import pytest

from jantaku import (
    Action,
    Agent,
    Encoder,
    Game,
    Hand,
    LogError,
    Observation,
    Rules,
    VecEnv,
    parse_log,
)


def look_at_everything(game):
    """Reads every attribute of the game and of every seat's view."""
    text = repr(game) + game.svg()
    for seat in range(game.players):
        view = game.observe(seat)
        for name in dir(Observation):
            value = getattr(view, name)
            if not name.startswith("_") and not callable(value):
                text += repr(value)
        text += str(view) + repr(view) + view.svg()
        for encoder in ["planes-v1", "sparse-v1"]:
            view.encode(encoder)
        assert len(view.river(seat)) <= len(view.discards)
        assert game.oracle(seat).shape == (45, 34)
        assert view._from_bytes(view.__reduce__()[1][0]) == view
        for action in Action.all():
            assert isinstance(view.describe(action), str)
            view.is_legal(action)
    assert "Panic" not in text
    return text


@pytest.mark.parametrize("preset", ["tenhou", "tenhou-sanma", "duo", "dragon-kong", "saki"])
def test_every_moment_of_a_game_can_be_looked_at(preset):
    rng = random.Random(preset)
    game = Game(preset, seed=rng.randrange(2**64))
    step = 0
    while not game.is_over:
        for view in game.decisions():
            step += 1
            if step % 23 == 0:
                look_at_everything(game)
                game.recorded().to_log("mjai")
                game.recorded().to_log("tenhou6")
                (difference,) = game.recorded().replay().differences
                assert difference.endswith("found the end of the log")
                assert len(game.outcomes) < game.hand_count + 1
                assert game.events(view.seat)
            game.submit(view.seat, rng.choice(view.legal))
    look_at_everything(game)
    assert not game.observe(0).legal


def test_odd_arguments_are_exceptions():
    game = Game(seed=1)
    view = game.decisions()[0]
    odd = [None, -1, 2**64, 2**200, 1.5, float("nan"), "", "x" * 1000, b"", [], {}, object(), view]
    calls = [
        Game,
        Rules,
        Rules.from_toml,
        Action,
        Agent,
        Encoder,
        Hand,
        parse_log,
        game.observe,
        game.play,
        game.ask,
        game.step,
        game.foul,
        game.oracle,
        view.describe,
        view.is_legal,
        view.river,
        view.encode,
        lambda value: Game(seed=value),
        lambda value: Game(start=value),
        lambda value: Game(wall=value),
        lambda value: game.submit(0, value),
        lambda value: game.submit(value, 0),
        lambda value: Rules(start_points=value),
        lambda value: Rules(uma=value),
        lambda value: Rules(**{"start points": value}),
        lambda value: Hand("123m", dora=value),
        lambda value: Hand("34m567m345p678s55s+2m", rules=value),
        lambda value: Agent("greedy").choose(value),
        lambda value: Agent("greedy").choose_batch(value),
        lambda value: view.encode("planes-v1", out=value),
        lambda value: Encoder("planes-v1").encode_batch(value),
    ]
    messages = []
    for call in calls:
        for value in odd:
            try:
                call(value)
            except Exception as error:
                messages.append(str(error))
    assert all(messages)
    assert len(messages) > 300
    assert game.decisions()[0] == view


@pytest.mark.parametrize("seed", range(20))
def test_damaged_logs_are_exceptions_or_games(seed):
    rng = random.Random(seed)
    game = Game("tenhou-sanma" if seed % 3 == 0 else "tenhou", seed=seed)
    game.play("greedy")
    text = game.recorded().to_log(rng.choice(["mjai", "tenhou6"]))
    for _ in range(20):
        at = rng.randrange(len(text))
        damaged = text[:at] + rng.choice(["", "0", '"', "m", "9"]) + text[at + rng.randrange(3) :]
        try:
            logs = parse_log(damaged)
        except LogError:
            continue
        for log in logs:
            log.replay()
            log.to_log("mjai")
            log.to_log("tenhou6")
            with contextlib.suppress(LogError):
                log.complete()


def test_actions_in_any_order_of_bytes():
    env = VecEnv(3, seed=1)
    env.recv()
    env.send(env.random_actions().astype(">i4"))
    assert env.recv().rows >= 3
