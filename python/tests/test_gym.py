"""A single table for Gymnasium, and many for Stable-Baselines3."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import jantaku
import jantaku.env
from jantaku import Rules
from jantaku.env import GymEnv, GymVectorEnv

ONE_HAND = Rules("tenhou", hands_limit=1)


@pytest.mark.parametrize("encoder", ["planes-v1", "sparse-v1", "events-v1"])
@pytest.mark.parametrize("illegal_reward", [-100.0, -1.0])
def test_gymnasium_accepts_it(encoder: str, illegal_reward: float) -> None:
    env = gymnasium.make("jantaku/Mahjong-v0", encoder=encoder, illegal_reward=illegal_reward)
    assert isinstance(env.unwrapped, GymEnv)
    check_env(env.unwrapped)
    env.close()


def play(env: Any, seed: int, games: int) -> list[tuple[float, int, dict[str, Any]]]:
    """The total reward, the number of decisions and the last info of some games."""
    played = []
    observation, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while len(played) < games:
        total, steps, over = 0.0, 0, False
        while not over:
            assert (observation["action_mask"] == env.unwrapped.action_masks()).all()
            action = rng.choice(np.flatnonzero(observation["action_mask"]))
            observation, reward, over, truncated, info = env.step(action)
            assert not truncated
            total, steps = total + reward, steps + 1
        assert not observation["action_mask"].any()
        played.append((total, steps, info))
        observation, _ = env.reset()
    return played


@pytest.mark.parametrize("seat", [None, 2])
def test_games_have_their_rewards(seat: int | None) -> None:
    env = GymEnv(ONE_HAND, seat=seat, opponents="random")
    played = play(env, 4, 12)
    for total, _, info in played:
        assert total == pytest.approx(info["result"] / 1000, abs=1e-4)
    assert play(env, 4, 12) == played
    assert play(env, 5, 12) != played
    points = play(GymEnv(ONE_HAND, seat=seat, opponents="random", reward="points"), 4, 12)
    assert [one[1:] for one in points] == [one[1:] for one in played]


def test_many_tables_by_name() -> None:
    env = gymnasium.make_vec(
        "jantaku/Mahjong-v0", num_envs=3, vectorization_mode="vector_entry_point", rules=ONE_HAND
    )
    assert isinstance(env.unwrapped, GymVectorEnv)
    observation, _ = env.reset(seed=1)
    assert observation["action_mask"].shape == (3, 165)


def test_views_as_text() -> None:
    env = gymnasium.make("jantaku/Mahjong-v0", rules=ONE_HAND, render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.render()
    play(env, 1, 1)
    first = str(env.render())
    assert "dora indicator" in first
    observation, _ = env.reset()
    texts = {first, str(env.render())}
    over = False
    while not over:
        observation, _, over, *_ = env.step(observation["action_mask"].argmax())
        texts.add(str(env.render()))
    assert len(texts) > 5
    listed = gymnasium.make("jantaku/Mahjong-v0", render_mode="ansi_list")
    listed.reset(seed=1)
    assert "dora indicator" in listed.render()[0]
    assert GymEnv().render() is None


def test_views_of_many_tables_as_text() -> None:
    env = gymnasium.make_vec("jantaku/Mahjong-v0", num_envs=3, render_mode="ansi")
    observation, _ = env.reset(seed=1)
    before = env.render()
    assert len(set(before)) == 3
    env.step(observation["action_mask"].argmax(axis=1))
    assert all("dora indicator" in text for text in env.render())
    assert set(before).isdisjoint(env.render())
    assert GymVectorEnv(2).render() is None


def copies(env: Any) -> list[Any]:
    return [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize("hand_reward", [None, "model"])
def test_copies_of_a_table_play_on_alike(hand_reward: str | None) -> None:
    env = gymnasium.make(
        "jantaku/Mahjong-v0", rules=ONE_HAND, hand_reward=hand_reward, render_mode="ansi"
    )
    assert play(copies(env)[0], 3, 2) == play(env, 3, 2)
    observation, _ = env.reset(seed=5)
    for _ in range(6):
        observation, *_ = env.step(observation["action_mask"].argmax())
    found = []
    for one in [*copies(env), env]:
        assert (one.unwrapped.action_masks() == observation["action_mask"]).all()
        steps: list[Any] = [one.render()]
        action, games = observation["action_mask"].argmax(), 0
        while games < 3:
            seen, reward, over, _, info = one.step(action)
            steps.append((seen["observation"].tobytes(), reward, over, info, one.render()))
            if over:
                games += 1
                # Also copied between two games.
                seen, _ = copy.deepcopy(one).reset()
                again, _ = one.reset(seed=7 if games == 2 else None)
                assert games == 2 or (seen["observation"] == again["observation"]).all()
                seen = again
            action = seen["action_mask"].argmax()
        found.append(steps)
    assert found[0] == found[2]
    assert found[1] == found[2]


def test_stable_baselines_learns() -> None:
    sb3 = pytest.importorskip("sb3_contrib")
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    env = jantaku.env.Sb3VecEnv(
        8, rules=ONE_HAND, encoder="sparse-v1", opponents="random", reward="points"
    )
    model = sb3.MaskablePPO(
        "MultiInputPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1,
        policy_kwargs={"net_arch": [8]},
    )  # fmt: skip
    model.learn(512)
    assert model.num_timesteps == 512


def test_stable_baselines_sees_the_tables() -> None:
    pytest.importorskip("stable_baselines3")
    options: dict[str, Any] = {"rules": ONE_HAND, "opponents": "random", "seed": 3}
    env, plain = jantaku.env.Sb3VecEnv(5, **options), GymVectorEnv(5, **options)
    env.seed(9)
    observation, (expected, _) = env.reset(), plain.reset(seed=9)
    ended = 0
    for _ in range(60):
        for name, values in expected.items():
            assert (observation[name] == values).all()
        masks = np.stack(env.env_method("action_masks"))
        assert (masks == expected["action_mask"]).all()
        actions = masks.argmax(axis=1)
        observation, rewards, dones, infos = env.step(actions)
        expected, right, terminated, truncated, found = plain.step(actions)
        assert np.allclose(rewards, right)
        assert (dones == (terminated | truncated)).all()
        for table in np.flatnonzero(dones):
            assert infos[table]["placement"] == found["final_info"]["placement"][table]
            assert not infos[table]["terminal_observation"]["action_mask"].any()
            ended += 1
    assert ended > 5
    assert env.has_attr("action_masks")
    assert not env.has_attr("nothing")
    with pytest.raises(AttributeError, match="no method 'render'"):
        env.env_method("render")
    env.close()
    shown = jantaku.env.Sb3VecEnv(2, render_mode="ansi")
    shown.reset()
    assert shown.render_mode == "ansi"
    assert len(shown.render()) == 2
