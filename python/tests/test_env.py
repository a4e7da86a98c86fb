"""The environments of PettingZoo and Gymnasium."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

import jantaku
from jantaku import VecEnv
from jantaku.env import Aec, GymEnv, GymVectorEnv

RULES = ["tenhou", "tenhou-sanma", "duo"]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_accepts_it(rules: str) -> None:
    api_test(Aec(rules, encoder="planes-v1"), num_cycles=2000)
    api_test(Aec(rules, encoder="sparse-v1"), num_cycles=500)


@pytest.mark.filterwarnings("ignore")
def test_seeds_repeat_a_game() -> None:
    seed_test(lambda: Aec("tenhou-sanma"), num_cycles=200)


def random_game(env: Aec, seed: int) -> tuple[list[tuple[str, int]], dict[str, float]]:
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    steps: list[tuple[str, int]] = []
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        steps.append((agent, action))
        env.step(action)
    return steps, totals


@pytest.mark.parametrize("rules", RULES)
def test_aec_plays_the_games_of_the_engine(rules: str) -> None:
    env = Aec(rules, reward="result")
    steps, totals = random_game(env, 5)
    env.reset(seed=5)
    game = jantaku.Game(rules, seed=int(env._env.seeds()[0]))
    for agent, action in steps:
        game.submit(int(agent[-1]), action)
    assert game.is_over
    for seat, result in enumerate(game.results):
        assert totals[f"seat_{seat}"] == pytest.approx(result.result / 1000)
        assert env.infos is not None
    assert random_game(env, 5) == (steps, totals)
    assert random_game(env, 6) != (steps, totals)


def test_a_later_claimant_observes_the_same_whatever_earlier_ones_answer() -> None:
    """Byte for byte, for every answer of the first of several claimants."""
    env, other = Aec("tenhou"), Aec("tenhou")
    rng = np.random.default_rng(3)
    compared = 0
    for seed in range(20):
        env.reset(seed=seed)
        steps: list[int] = []
        for agent in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            if terminated or len(steps) > 250:
                break
            legal = np.flatnonzero(observation["action_mask"])
            later = [one for one in env._ids if one != agent]
            if later and len(legal) > 1 and len(steps) < 120:
                expected = {one: env.observe(one) for one in later}
                for action in legal:
                    other.reset(seed=seed)
                    for step in [*steps, int(action)]:
                        other.step(step)
                    for one in later:
                        found = other.observe(one)
                        assert found.keys() == expected[one].keys()
                        for name, array in found.items():
                            assert array.tobytes() == expected[one][name].tobytes()
                            compared += 1
            steps.append(int(rng.choice(legal)))
            env.step(steps[-1])
    assert compared > 60


def test_copies_of_a_game_play_on_alike() -> None:
    env = Aec("tenhou", seed=4, render_mode="ansi")
    for first in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert random_game(first, 5) == random_game(Aec("tenhou"), 5)
    env.reset()
    rng = np.random.default_rng(1)
    # Up to two claimants of one discard. The first of them has answered.
    while len(env._ids) < 2:
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        if not env._ids:
            env.reset()
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
    played = []
    for one in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
        lines = []
        for agent in one.agent_iter():
            observation, *others = one.last()
            lines.append((agent, observation["observation"].tobytes(), others, one.render()))
            legal = np.flatnonzero(observation["action_mask"])
            one.step(int(legal[0]) if len(legal) else None)
        one.reset()
        played.append((lines, one.agent_selection, one.last()[0]["observation"].tobytes()))
    assert played[0] == played[2]
    assert played[1] == played[2]


def choose(env: GymVectorEnv, obs: dict[str, np.ndarray], rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in obs["action_mask"]])


@pytest.mark.parametrize(("encoder", "seat"), [("planes-v1", None), ("sparse-v1", 2)])
def test_gymnasium_accepts_it(encoder: str, seat: int | None) -> None:
    """The checks of Gymnasium that apply: spaces, types, resets in the same step, a wrapper.

    ``check_env`` is for single environments, so its checks are made here by hand.
    """
    env = GymVectorEnv(12, "tenhou-sanma", opponents="random", encoder=encoder, seat=seat, seed=2)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    obs, infos = wrapped.reset(seed=7)
    assert infos == {}
    rng = np.random.default_rng(1)
    ended, lengths = 0, []
    for _ in range(400):
        assert obs in env.observation_space
        obs, rewards, terminated, truncated, infos = wrapped.step(choose(env, obs, rng))
        assert rewards.dtype == np.float64
        assert rewards.shape == terminated.shape == truncated.shape == (12,)
        assert not truncated.any()
        assert (rewards[~terminated] == 0).all()
        assert obs["action_mask"].any(axis=1).all()
        for table in np.flatnonzero(terminated):
            assert infos["_final_obs"][table]
            final = infos["final_obs"][table]
            assert final in env.single_observation_space
            assert not final["action_mask"].any()
            assert rewards[table] * 1000 == pytest.approx(infos["final_info"]["result"][table])
            lengths.append(infos["episode"]["l"][table])
            ended += 1
    assert ended > 5
    assert min(lengths) > 5
    wrapped.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()


@pytest.mark.parametrize("encoder", ["planes-v1", "sparse-v1", "events-v1"])
def test_default_networks_can_read_observations(encoder: Any) -> None:
    """Floats of the size of one, from which the features of the encoder follow."""
    options = {"opponents": "random", "seed": 4, "encoder": encoder}
    env, raw = GymVectorEnv(2, seat=0, **options), VecEnv(2, seats=[0], **options)
    known = jantaku.Encoder(encoder)
    obs, _ = env.reset()
    batch = raw.recv()
    for _ in range(50):
        for name, array in obs.items():
            assert array.dtype in (np.float32, np.int32, np.int8), name
            assert name == "tokens" or np.abs(array).max() <= 8, name
        if encoder == "planes-v1":
            assert (obs["observation"] == batch.planes * known.scales[:, None]).all()
        if encoder == "sparse-v1":
            active, counts = obs["active"].nonzero()[1], obs["active"].sum(axis=1)
            indices, _ = batch.flat()
            assert (counts == batch.counts).all()
            assert sorted(active.tolist()) == sorted(indices.tolist())
        actions = obs["action_mask"].argmax(axis=1)
        obs, _, terminated, *_ = env.step(actions)
        batch = raw.step(actions)
        assert not terminated.any()


def own(observation: jantaku.Observation) -> dict[str, Any]:
    hand = observation.hand_counts
    return {"hand": hand.astype(np.float32) / 4, "tenpai": np.bool_(observation.shanten < 1)}


def only(observation: jantaku.Observation) -> Any:
    return own(observation)["hand"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("encode", "names"), [(own, {"hand", "tenpai"}), (only, {"observation"})])
def test_a_function_encodes_in_every_environment(encode: Any, names: set[str]) -> None:
    env = GymVectorEnv(3, opponents="random", encoder=encode, resumable=True)
    obs, _ = env.reset(seed=1)
    for turn in range(300):
        assert obs.keys() == names | {"action_mask"}
        assert obs in env.observation_space
        if turn % 50 == 49:
            env = pickle.loads(pickle.dumps(env))
            obs, _ = env.reset(options={"reset_mask": np.arange(3) == 1})
        obs, _, terminated, _, infos = env.step(obs["action_mask"].argmax(axis=1))
        for table in np.flatnonzero(terminated):
            assert infos["final_obs"][table] in env.single_observation_space
    single = GymEnv(encoder=encode, opponents="random")
    check_env(copy.deepcopy(single))
    api_test(Aec("duo", encoder=encode), num_cycles=200)


def test_gymnasium_seeds() -> None:
    env = GymVectorEnv(4, "tenhou", opponents="random")
    first, second, third = (env.reset(seed=seed)[0]["observation"] for seed in (1, 1, 2))
    assert (first == second).all()
    assert not (first == third).all()


@pytest.mark.parametrize("encoder", ["planes-v1", "sparse-v1", "events-v1"])
def test_a_mask_restarts_some_tables(encoder: str) -> None:
    """The others do not notice."""
    options = {
        "rules": jantaku.Rules("tenhou", hands_limit=1), "opponents": "random", "encoder": encoder,
        "seed": 3, "reward": "placement", "hand_reward": "model", "resumable": True,
    }  # fmt: skip
    env, plain = GymVectorEnv(6, **options), GymVectorEnv(6, **options)
    # RecordEpisodeStatistics reads the mask, too.
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    (obs, _), (expected, _) = wrapped.reset(), plain.reset()
    mask = np.arange(6) < 3
    for turn in range(90):
        obs, rewards, terminated, *_ = wrapped.step(obs["action_mask"].argmax(axis=1))
        expected, right, ended, *_ = plain.step(expected["action_mask"].argmax(axis=1))
        assert (rewards[3:] == right[3:]).all()
        assert (terminated[3:] == ended[3:]).all()
        if turn % 10 == 9:
            before = {name: values.copy() for name, values in obs.items()}
            if turn == 49:
                env = copy.deepcopy(env)
                wrapped.env = env
            obs, found = wrapped.reset(options={"reset_mask": mask})
            assert found == {}
            assert any((obs[name][:3] != before[name][:3]).any() for name in obs)
            assert not wrapped.episode_lengths[:3].any()
            assert wrapped.episode_lengths[3:].any()
        for name, values in expected.items():
            assert obs[name][3:].tobytes() == values[3:].tobytes()
    seeds = GymVectorEnv(6, **{**options, "resumable": False})
    seeds.reset()
    for _ in range(4):
        obs, _ = seeds.reset(options={"reset_mask": np.ones(6, np.bool_)})
    assert set(seeds._env._last.games.tolist()) == {4}


def test_the_rewards_of_a_game_are_its_own() -> None:
    """With a reward of 1 + the number of the game in each row, also in the first of a game."""
    env = GymVectorEnv(6, "duo", opponents="random", encoder="sparse-v1", seed=3)
    recv = env._env.recv
    rows: dict[tuple[int, int], int] = {}

    def marked(out: jantaku.Batch | None = None) -> jantaku.Batch:
        batch = recv(out)
        batch.rewards[:] = 1 + batch.games
        for key in zip(batch.tables.tolist(), batch.games.tolist(), strict=True):
            rows[key] = rows.get(key, 0) + 1
        return batch

    env._env.recv = marked  # type: ignore[method-assign]
    obs, _ = env.reset()
    rng = np.random.default_rng(1)
    totals, played = np.zeros(6), np.zeros(6, int)
    for _ in range(2000):
        obs, rewards, terminated, _, _ = env.step(choose(env, obs, rng))
        totals += rewards
        for table in np.flatnonzero(terminated):
            game = int(played[table])
            assert totals[table] == rows[int(table), game] * (1 + game)
            totals[table], played[table] = 0, game + 1
    assert played.min() > 2


def test_the_module_lists_its_classes() -> None:
    assert {"Aec", "GymEnv", "GymVectorEnv", "Sb3VecEnv"} <= set(dir(jantaku.env))
