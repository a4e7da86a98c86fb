"""Ends of hands and their rewards, against the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import first_legal, followed

import jantaku
from jantaku import Batch, Rules, Standing, VecEnv


def kind(outcome: jantaku.Outcome) -> str:
    if outcome.draw is not None:
        return outcome.draw
    return "tsumo" if outcome.wins[0].from_seat is None else "ron"


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-sanma", "duo"])
def test_ended_hands_are_those_of_the_games(rules: str) -> None:
    env = VecEnv(70, rules, seed=2, threads=2)
    seen, kinds = [0] * 70, set()
    for batch, games, _ in followed(env, rules, 500):
        hands = env.ended_hands()
        assert (np.diff(hands["tables"]) >= 0).all()
        for row, table in enumerate(hands["tables"]):
            game = games[table]
            assert seen[table] == hands["hands"][row]
            outcome = game.outcomes[seen[table]]
            kinds.add(env.HAND_ENDS[hands["kinds"][row]])
            assert env.HAND_ENDS[hands["kinds"][row]] == kind(outcome)
            if seen[table] == 0:
                assert hands["points"][row].tolist() == game.start.scores
            if hands["last"][row]:
                results = game.results
                assert hands["next_points"][row].tolist() == [one.points for one in results]
                assert hands["placements"][row].tolist() == [one.placement for one in results]
                assert hands["results"][row].tolist() == [one.result for one in results]
                seen[table] = 0
            else:
                seen[table] += 1
                view = game.observe(0)
                deal = [hands[f"next_{name}"][row] for name in ("rounds", "honba", "sticks")]
                assert deal == [view.round, view.honba, view.sticks]
                assert hands["next_points"][row].tolist() == view.scores
                assert not hands["placements"][row].any()
        in_play = [games[table].hand_count for table in batch.tables]
        assert (batch.hands == np.array(in_play) - batch.due).all()
    assert "exhaustive" in kinds


@pytest.mark.parametrize(("reward", "hand_reward"), [("points", None), ("placement", "model")])
@pytest.mark.parametrize("options", [{}, {"seats": [0, 2], "rotate": True, "rows": 7}])
def test_rows_tell_the_rewards_of_hands(
    reward: str, hand_reward: str | None, options: dict[str, Any]
) -> None:
    """The rewards of a seat's rows so far are those of the hands that its latest row counts."""
    rules = Rules("tenhou", hands_limit=6)
    env = VecEnv(30, rules, reward=reward, hand_reward=hand_reward, seed=5, **options)
    of_hands: dict[tuple[int, int], list[np.ndarray]] = {}
    of_rows: dict[tuple[int, int, int], float] = {}
    batch, checked = env.recv(), 0
    for _ in range(1200):
        hands = env.ended_hands()
        for table, game, rewards in zip(
            hands["tables"], hands["games"], hands["rewards"], strict=True
        ):
            of_hands.setdefault((int(table), int(game)), []).append(rewards)
        for row in range(batch.rows):
            key = (int(batch.tables[row]), int(batch.games[row]), int(batch.seats[row]))
            of_rows[key] = of_rows.get(key, 0.0) + float(batch.rewards[row])
            ended = of_hands.get(key[:2], [])[: batch.hands[row]]
            assert len(ended) == batch.hands[row]
            assert of_rows[key] == pytest.approx(sum(one[key[2]] for one in ended), abs=1e-4)
            checked += int(batch.hands[row] > 1)
        batch = env.step(env.random_actions())
    assert checked > 1000


def value(deals: Any) -> np.ndarray:
    """Some function of deals."""
    return deals["points"] / 1000 - deals["rounds"][:, None] + deals["sticks"][:, None]


@pytest.mark.parametrize("reward", ["result", "placement", {"points": 0.5, "placement": [9, 4, 1]}])
@pytest.mark.parametrize("hand_reward", ["model", value])
@pytest.mark.parametrize(("seats", "rotate", "rows"), [(None, False, None), ([0, 2], True, 7)])
def test_rewards_telescope(
    reward: Any, hand_reward: Any, seats: list[int] | None, rotate: bool, rows: int | None
) -> None:
    """The rewards of a game are its reward without ``hand_reward`` minus what was expected."""
    start = [Standing([35000] * 3, round=4), (Standing([50000, 30000, 25000], round=5), 2.0)]
    options: dict[str, Any] = {
        "seats": seats, "rotate": rotate, "rows": rows, "reward": reward, "start": start,
        "seed": 3, "opponents": "random" if seats else None,
    }  # fmt: skip
    plain = VecEnv(40, "tenhou-sanma", **options)
    env = VecEnv(40, "tenhou-sanma", hand_reward=hand_reward, **options)
    expected_at: dict[tuple[int, int], np.ndarray] = {}

    def note_starts() -> None:
        deals = env._core.deals()
        function = value if callable(hand_reward) else (
            lambda one: env._core.expected(one["rounds"], one["points"])
        )  # fmt: skip
        for table, seats in enumerate(function(deals)):
            expected_at.setdefault((table, int(game_of[table])), np.array(seats))

    game_of = np.zeros(40, int)
    note_starts()
    # By game and seat: the rewards of the rows with and without, and those of the hands.
    sums: dict[tuple[int, int, int], np.ndarray] = {}
    of_hands: dict[tuple[int, int], np.ndarray] = {}
    batch, other = env.recv(), plain.recv()
    checked = several = 0
    for _ in range(1500):
        hands = env.ended_hands()
        several += len(hands["tables"]) > len(np.unique(hands["tables"]))
        for row, (table, game) in enumerate(zip(hands["tables"], hands["games"], strict=True)):
            key = (int(table), int(game))
            of_hands[key] = of_hands.get(key, np.zeros(3)) + hands["rewards"][row]
            if hands["last"][row]:
                game_of[table] += 1
        note_starts()
        assert (batch.ids == other.ids).all()
        for row in range(batch.rows):
            table, game, seat = (
                int(column[row]) for column in (batch.tables, batch.games, batch.seats)
            )
            found = sums.setdefault((table, game, seat), np.zeros(2))
            found += batch.rewards[row], other.rewards[row]
            if not batch.due[row]:
                initial = expected_at[table, game][seat]
                assert found[0] == pytest.approx(found[1] - initial, abs=2e-5)
                assert of_hands[table, game][seat] == pytest.approx(found[0], abs=1e-4)
                checked += 1
        actions = env.random_actions()
        batch, other = env.step(actions), plain.step(actions)
    assert checked > 30


def test_the_model_expects_what_it_should() -> None:
    env = VecEnv(1, "tenhou", reward="placement")
    rounds = np.array([0, 7, 7], np.int32)
    points = np.array([[25000] * 4, [25000] * 4, [70000, 20000, 10000, 0]], np.int32)
    expected = env._core.expected(rounds, points)
    assert np.allclose(expected.sum(axis=1), 0, atol=0.2)
    assert (np.abs(expected[:2]) < 0.15).all()
    assert np.allclose(expected[2, [0, 3]], [1, -1], atol=0.15)
    assert (np.diff(expected[2]) < 0).all()


def copies(batch: Batch, hands: dict[str, np.ndarray]) -> dict[str, bytes]:
    arrays = batch.copy() | {f"hands.{name}": array for name, array in hands.items()}
    return {name: array.tobytes() for name, array in arrays.items()}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": [1], "opponents": "greedy", "rotate": True, "rows": 11},
        {"seats": [0, 1], "opponents": first_legal},
    ],
)
def test_a_state_continues(options: dict[str, Any]) -> None:
    """Byte for byte, from any point: also with decisions that are not answered yet."""
    common: dict[str, Any] = {
        "encoder": "sparse-v1", "oracle": True, "hand_reward": "model", "seed": 8,
        "resumable": True, **options,
    }  # fmt: skip
    env = VecEnv(70, Rules("tenhou", hands_limit=3), threads=2, **common)
    batch = env.recv()
    for turn in range(200):
        batch = env.step(env.random_actions())
        if turn % 50:
            continue
        if turn == 100:
            # Half of the decisions are answered.
            due = np.flatnonzero(batch.due)[::2]
            env.send(batch.mask[due].argmax(axis=1), batch.ids[due])
        state = env.state()
        again = VecEnv(70, Rules("tenhou", hands_limit=3), threads=1, **common)
        found = again.load_state(state)
        assert copies(found, again.ended_hands()) == copies(batch, env.ended_hands())
        assert (again.seeds() == env.seeds()).all()
        assert again.outstanding == env.outstanding
        if turn == 100:
            batch, found = env.recv(), again.recv()
        for _ in range(40):
            assert copies(found, again.ended_hands()) == copies(batch, env.ended_hands())
            actions = env.random_actions()
            assert (again.random_actions() == actions).all()
            batch, found = env.step(actions), again.step(actions)
    fresh = VecEnv(70, Rules("tenhou", hands_limit=3), **common)
    assert VecEnv(70, Rules("tenhou", hands_limit=3), **common).load_state(fresh.state()).rows == 0


def games_of(env: VecEnv, turns: int) -> dict[tuple[int, int], int]:
    """The opponents of each game."""
    found: dict[tuple[int, int], int] = {}
    batch = env.recv()
    for _ in range(turns):
        for row in range(batch.rows):
            key = int(batch.tables[row]), int(batch.games[row])
            number = int(batch.opponents[row])
            assert found.setdefault(key, number) == number
        hands = env.ended_hands()
        for table, game, number in zip(
            hands["tables"], hands["games"], hands["opponents"], strict=True
        ):
            assert found.setdefault((int(table), int(game)), int(number)) == number
        batch = env.step(env.random_actions())
    return found


def test_a_pool_of_opponents() -> None:
    rules = Rules("tenhou", hands_limit=1)

    def make(threads: int) -> VecEnv:
        pool = {"random": 3, ("greedy", "random", "tsumogiri"): 1}
        return VecEnv(150, rules, seats=[2], opponents=pool, seed=5, threads=threads)

    found = games_of(make(1), 120)
    assert games_of(make(2), 120) == found
    share = np.mean(list(found.values()))
    assert 0.2 < share < 0.3
    assert len(found) > 400
    only = games_of(VecEnv(20, rules, seats=[2], opponents="random", seed=5), 50)
    assert set(only.values()) == {0}


def test_opponents_change_with_the_next_game() -> None:
    asked: list[str] = []

    def named(name: str) -> Any:
        def choose(batch: jantaku.AgentBatch) -> np.ndarray:
            asked.append(name)
            return first_legal(batch)

        return choose

    rules = Rules("tenhou", hands_limit=1)
    env = VecEnv(30, rules, seats=[0], opponents=named("first"), seed=5)
    assert env.set_opponents({named("second"): 1, named("third"): 1}) == range(1, 3)
    found = games_of(env, 150)
    assert {found[table, 0] for table in range(30)} == {0}
    later = [number for (_, game), number in found.items() if game > 0]
    assert set(later) == {1, 2}
    assert set(asked) == {"first", "second", "third"}
    assert env.set_opponents("greedy") == range(3, 4)
    asked.clear()
    env.reset()
    env.send(env.random_actions())
    after = games_of(env, 20)
    assert set(after.values()) == {3}
    assert not asked


def test_flat_features() -> None:
    env = VecEnv(9, encoder="sparse-v1", seed=1)
    batch = env.recv()
    for _ in range(20):
        batch = env.step(env.random_actions())
    indices, offsets = batch.flat()
    expected = [row[:count] for row, count in zip(batch.active, batch.counts, strict=True)]
    assert (indices == np.concatenate(expected)).all()
    assert [len(part) for part in np.split(indices, offsets[1:])] == batch.counts.tolist()
    assert indices.dtype == offsets.dtype == np.int64
