"""`VecEnv`: the engine's games, misuse, and what a later claimant sees."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import weakref
from collections.abc import Callable

import numpy as np
import pytest
from harness import first_legal, followed, in_a_fork, same_encoding

import jantaku
from jantaku import Batch, Game, Rules, Standing, VecEnv


@pytest.mark.parametrize(
    ("rules", "encoder", "seats"),
    [
        ("tenhou", "planes-v1", None),
        ("tenhou-sanma", "sparse-v1", None),
        ("duo", "events-v1", None),
        ("tenhou", "sparse-v1", [1, 2]),
    ],
)
def test_plays_the_games_of_the_engine(rules: str, encoder: str, seats: list[int] | None) -> None:
    """A row is what its seat sees, and `exchanged` games show that no hidden tile is part of it."""
    env = VecEnv(5, rules, seats=seats, encoder=encoder, seed=3)
    agents = seats and [None if seat in seats else "greedy" for seat in range(env.players)]
    names, ended = list(jantaku.Encoder(encoder).arrays), 0
    for turn, (batch, games, _) in enumerate(followed(env, rules, 1500, agents)):
        for row in np.flatnonzero(~batch.due):
            result = games[batch.tables[row]].results[int(batch.seats[row])]
            assert (result.placement, result.points) == (batch.placements[row], batch.points[row])
            assert result.result == batch.results[row]
            assert batch.rewards[row] == pytest.approx(result.result / 1000)
            assert not batch.mask[row].any()
            ended += 1
        due = np.flatnonzero(batch.due)
        keys = [(int(batch.tables[row]), int(batch.seats[row])) for row in due]
        seen = [(table, view) for table, game in enumerate(games) for view in game.decisions()]
        assert keys == [(table, view.seat) for table, view in seen]
        for row, (_, view) in zip(due, seen, strict=True):
            assert [int(action) for action in view.legal] == list(np.flatnonzero(batch.mask[row]))
            assert (batch.points[row], batch.rewards[row]) == (view.scores[view.seat], 0)
            if turn % 10 == 0:
                found = {name: batch[name][row] for name in names}
                if "counts" in found:
                    found[names[0]] = found[names[0]][: found.pop("counts")]
                encoded = view.encode(encoder)
                assert same_encoding(found[names[0]] if len(found) == 1 else found, encoded)
    assert ended > 0


def test_rows_of_ended_games_need_no_action() -> None:
    """With IDs as without, until the next batch."""
    env = VecEnv(20, Rules(hands_limit=1), seed=2)
    batch = env.recv()
    while batch.due.all():
        batch = env.step(env.random_actions())
    ended = batch.ids[~batch.due].copy()
    outstanding = env.outstanding
    env.send(np.full(len(ended), -1), ended)
    assert env.outstanding == outstanding == batch.due.sum()


def test_arrays_of_the_caller() -> None:
    env = VecEnv(6, encoder="planes-v1")
    planes = np.zeros((24, 216, 34), np.uint8)
    batch = env.batch(planes=planes)
    env.recv(out=batch)
    assert np.shares_memory(batch.planes, planes)
    assert planes[:6].any()
    assert set(batch.copy()) >= {"planes", "mask", "rewards"}
    env.send(env.random_actions())
    with pytest.raises((TypeError, ValueError)):
        env.recv(out=VecEnv(1, encoder="sparse-v1").batch())
    with pytest.raises((TypeError, ValueError, IndexError)):
        env.recv(out=Batch(None, 4, {}))
    assert env.recv().rows >= 6
    with pytest.raises(AttributeError):
        _ = batch.active


def test_tensors_of_torch_share_memory() -> None:
    torch = pytest.importorskip("torch")
    env = VecEnv(6, encoder="planes-v1")
    planes = torch.zeros((24, 216, 34), dtype=torch.uint8)
    rows = env.recv(out=env.batch(planes=planes)).rows
    assert planes[:rows].any()
    assert torch.from_numpy(env.batch().planes).shape == (0, 216, 34)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_is_noticed() -> None:
    env = VecEnv(200, threads=2)
    env.recv()

    def use() -> None:
        with pytest.raises(RuntimeError, match="fork"):
            env.recv()

    assert in_a_fork(use) == 0
    env.send(env.random_actions())
    assert env.recv().rows >= 200


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_have_threads_of_their_own() -> None:
    agent, game = jantaku.Agent("greedy"), Game(seed=1)
    views = [game.observe(game.decisions()[0].seat)] * 200
    expected = agent.choose_batch(views)

    def label() -> None:
        assert (agent.choose_batch(views) == expected).all()

    def play_against_a_function() -> None:
        env = VecEnv(300, seats=[0], opponents=first_legal, threads=1)
        for _ in range(5):
            env.recv()
            env.send(env.random_actions())

    VecEnv(300, seats=[0], opponents=first_legal).recv()
    for work in (label, play_against_a_function):
        assert in_a_fork(work) == 0, work


def play_turns(env: VecEnv) -> None:
    for _ in range(20):
        env.recv()
        env.send(env.random_actions())


@pytest.mark.parametrize(
    "call",
    [VecEnv.close, VecEnv.seeds, VecEnv.random_actions, VecEnv.recv],
    ids=lambda f: f.__name__,
)
def test_a_function_may_not_call_the_environment_that_waits_for_it(
    call: Callable[[VecEnv], object],
) -> None:
    def play(batch: jantaku.AgentBatch) -> np.ndarray:
        assert not env.closed
        if is_wrong:
            call(env)
        return first_legal(batch)

    is_wrong = True
    env = VecEnv(20, seats=[0], opponents=play)
    with pytest.raises(RuntimeError, match="in use"):
        play_turns(env)
    is_wrong = False
    assert env.recv().rows > 0


def test_a_batch_can_be_copied_and_pickled() -> None:
    env = VecEnv(10, encoder="sparse-v1", seed=1)
    batch = env.recv()
    for other in (copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        assert (other.ids == batch.ids).all()
        assert (other.active == batch.active).all()
    other = copy.deepcopy(batch)
    env.send(env.random_actions())
    assert env.recv(other) is other
    assert other.mask.any(axis=1)[other.due].all()


def test_a_function_that_knows_its_environment_is_freed() -> None:
    """environment → function → environment, in the ways in which a function can know it."""

    class Player:
        env: VecEnv

        def play(self, batch: jantaku.AgentBatch) -> np.ndarray:
            return first_legal(batch)

        __call__ = play

    def closure() -> VecEnv:
        env = VecEnv(2, seats=[0], opponents=lambda batch: (env.players, first_legal(batch))[1])
        return env

    def method() -> VecEnv:
        player = Player()
        player.env = VecEnv(2, seats=[0], opponents=player.play)
        return player.env

    def shared() -> VecEnv:
        player = Player()
        agent = jantaku.FunctionAgent(player)
        player.env = VecEnv(2, seats=[0], opponents=[agent, "greedy", agent])
        return player.env

    for make in (closure, method, shared):
        for close in (False, True):
            env = make()
            env.recv()
            env.step(env.random_actions())
            if close:
                env.close()
            known = weakref.ref(env)
            del env
            gc.collect()
            assert known() is None, make.__name__
    # What is in use is not taken away.
    env = closure()
    gc.collect()
    env.recv()
    assert env.step(env.random_actions()).rows > 0
    agent = jantaku.FunctionAgent(first_legal)
    agents = [agent]
    known_function = weakref.ref(agent.function)
    gc.collect()
    assert agents[0].function is known_function()


@pytest.mark.parametrize("hand_reward", [None, "model"])
def test_copies_play_on_alike(hand_reward: str | None) -> None:
    env = VecEnv(
        5, "tenhou-sanma", seats=iter([1]), opponents={"greedy": 1, "random": 2}, rotate=True,
        encoder="sparse-v1", hand_reward=hand_reward, start=[Standing([35000] * 3, round=5)],
        seed=8, threads=1, resumable=True,
    )  # fmt: skip
    found = []
    for ahead in (0, 1, 40):
        for _ in range(ahead):
            env.recv()
            env.send(env.random_actions())
        # Before and after the answers.
        for one in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
            rows = []
            for _ in range(60):
                batch = one.recv()
                rows.append({name: array.tobytes() for name, array in one.ended_hands().items()})
                rows.append({name: array.tobytes() for name, array in batch.copy().items()})
                one.send(one.random_actions())
            found.append(rows)
        assert found[-1] == found[-2] == found[-3]


@pytest.mark.parametrize("rows", [None, 3])
def test_restarted_tables_play_their_next_games(rows: int | None) -> None:
    env = VecEnv(4, seats=[0], hand_reward="model", seed=2, rows=rows)
    env.recv()
    seeds = env.seeds()
    env.send(env.random_actions())
    batch = env.reset(tables=np.array([1, 3]))
    changed = env.seeds() != seeds
    assert changed.tolist() == [False, True, False, True]
    restarted = np.isin(batch.tables, [1, 3])
    assert (batch.games == restarted).all()
    assert restarted.any()
    assert (batch.decisions[restarted] == 0).all()


def test_a_closed_environment_lets_its_functions_go() -> None:
    def play(batch: jantaku.AgentBatch) -> np.ndarray:
        return first_legal(batch)

    def encode(observation: jantaku.Observation) -> np.ndarray:
        return observation.hand_counts

    env = VecEnv(2, seats=[0], opponents=play, encoder=encode)
    env.recv()
    known = weakref.ref(play), weakref.ref(encode)
    del play, encode
    assert None not in (known[0](), known[1]())
    env.close()
    assert (known[0](), known[1]()) == (None, None)


@pytest.mark.parametrize("name", ["tenhou", "tenhou-sanma", "duo"])
def test_oracle_planes_are_those_of_the_game(name: str) -> None:
    rules = Rules(name, hands_limit=1)
    env = VecEnv(70, rules, oracle=True, seed=6, threads=2)
    plain = VecEnv(70, rules, seed=6)
    other, ended = plain.recv(), 0
    for batch, games, actions in followed(env, rules, 150):
        assert batch.oracle.shape[1:] == (45, 34)
        assert (batch.ids == other.ids).all()
        ended += int((~batch.due).sum())
        assert not batch.oracle[~batch.due].any()
        due = zip(batch.tables[batch.due], batch.seats[batch.due], strict=True)
        expected = [games[table].oracle(int(seat)) for table, seat in due]
        assert (batch.oracle[batch.due] == np.array(expected).reshape(-1, 45, 34)).all()
        other = plain.step(actions)
    assert ended > 0
    with pytest.raises(AttributeError, match="oracle"):
        _ = other.oracle


def test_a_function_encodes_as_the_encoder_does() -> None:
    def both(observation: jantaku.Observation) -> dict[str, np.ndarray]:
        planes = observation.encode("planes-v1")
        return {"own": planes, "seat": np.array([observation.seat], np.int16)}

    settings = {"seats": [1, 3], "oracle": True, "seed": 4, "rows": 9, "resumable": True}
    own, plain = (VecEnv(20, encoder=one, **settings) for one in (both, "planes-v1"))
    batch, other = own.recv(), plain.recv()
    assert batch.keys()[-3:] == ["oracle", "own", "seat"]
    ended = 0
    for turn in range(400):
        assert np.array_equal(batch.own, other.planes)
        assert np.array_equal(batch.oracle, other.oracle)
        assert (batch.own.dtype, batch.seat.dtype) == (np.uint8, np.int16)
        assert (batch.seat[:, 0] == batch.seats * batch.due).all()
        ended += int((~batch.due).sum())
        if turn == 200:  # a state needs no encoder of its own
            state = pickle.loads(pickle.dumps(plain.state()))
            own = VecEnv(20, encoder=both, **settings)
            batch = own.load_state(state)
            assert np.array_equal(batch.own, other.planes)
        actions = plain.random_actions()
        own.send(actions)
        batch, other = own.recv(out=own.batch()), plain.step(actions)
    assert ended > 0
    assert pickle.loads(pickle.dumps(batch)).own.tobytes() == batch.own.tobytes()
    mine = np.zeros((9, 216, 34), np.uint8)
    own.send(plain.random_actions())
    assert own.recv(out=own.batch(own=mine)).rows > 0
    assert mine.any()
    assert repr(own) == "<VecEnv of 20 tables, 4 players, encoder both>"


@pytest.mark.parametrize("encoder", [None, "planes-v1", "sparse-v1", "events-v1"])
def test_arrays_of_a_batch_have_names(encoder: str | None) -> None:
    env = VecEnv(4, encoder=encoder, oracle=True, seats=[1])
    batch = env.recv()
    encoded = [] if encoder is None else list(jantaku.Encoder(encoder).arrays)
    assert batch.keys()[-2 - len(encoded) :] == ["mask", *encoded, "oracle"]
    found = dict(batch)
    assert list(found) == batch.keys() == list(batch.copy())
    for name, array in found.items():
        assert array.base is not None
        assert np.shares_memory(array, getattr(batch, name))
        assert len(array) == batch.rows == 4
    for unknown in ("rows", "copy", "_arrays", "other"):
        with pytest.raises(KeyError, match=unknown):
            _ = batch[unknown]
