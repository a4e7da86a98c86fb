"""`jantaku.train ppo`: a clone that learns from its own games."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from harness import toml

import jantaku

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")
pytest.importorskip("pyarrow")

from jantaku.train.__main__ import main  # noqa: E402
from jantaku.train.clone import clone  # noqa: E402
from jantaku.train.config import Clone, Ppo  # noqa: E402
from jantaku.train.critic import Critic  # noqa: E402
from jantaku.train.files import load_checkpoint  # noqa: E402
from jantaku.train.learner import Learner  # noqa: E402
from jantaku.train.ppo import advantages, environment, explained, play, ppo  # noqa: E402
from jantaku.train.trunk import read_tensors  # noqa: E402


def cloned(run: Path, out: Path) -> Clone:
    return Clone(
        runs=[str(run)],
        out=str(out),
        encoder="sparse-v1",
        hidden=[16, 8],
        heads={"value": 0.1},
        steps=2,
        batch=64,
        held_out=0.5,
        threads=1,
    )


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a clone."""
    folder = tmp_path_factory.mktemp("start")
    jantaku.selfplay(4, "greedy", seed=5, out=folder / "run", games_per_part=2)
    clone(cloned(folder / "run", folder))
    return folder / "checkpoint.pt"


@pytest.fixture
def learner(start: Path, tmp_path: Path) -> Learner:
    """A network like that of the clone, with random weights."""
    return Learner(cloned(start.parent / "run", tmp_path))


def config(start: Path, out: Path, **changed: object) -> Ppo:
    settings = {"start": str(start), "out": str(out), "games": 1, "iterations": 3, "batch": 256}
    settings |= {"every": 1, "test_every": 2, "test_sets": 2, "threads": 1}
    return Ppo.of(settings | changed)


@pytest.mark.parametrize("critic", ["head", "oracle"])
def test_an_interrupted_training_ends_with_the_same_weights(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, critic: str
) -> None:
    whole = config(start, tmp_path / "whole", rate=0.01, critic=critic)
    assert ppo(whole) == tmp_path / "whole/ppo.safetensors"
    stopped = config(start, tmp_path / "stopped", rate=0.01, critic=critic)
    with monkeypatch.context() as patch:
        played = []

        def interrupted(*arguments: object) -> object:
            played.append(1)
            if len(played) == 3:
                raise KeyboardInterrupt
            return play(*arguments)

        patch.setattr("jantaku.train.ppo.play", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ppo(stopped)
    ppo(stopped)
    for name in ("ppo.safetensors", "last.safetensors"):
        same = (tmp_path / "whole" / name).read_bytes(), (tmp_path / "stopped" / name).read_bytes()
        assert same[0] == same[1], name
    first = load_checkpoint(start, {})
    last = load_checkpoint(tmp_path / "whole/checkpoint.pt", {})
    key = "trunk.layers.0.weight"
    assert not torch.equal(first["network"][key], last["network"][key])
    assert [row["step"] for row in last["rows"]] == [1, 2, 3]
    assert ["difference" in row for row in last["rows"]] == [False, True, True]
    for row in last["rows"][1:]:
        assert row["placement"] == pytest.approx(2.5 - row["difference"], abs=1e-5)
        assert 0 < row["call"] < 1
        assert all(0 <= row[rate] < 1 for rate in ("win", "deal-in", "riichi"))
    assert row["placement_low"] < row["placement"] < row["placement_high"]


def test_the_rewards_of_a_game_are_its_results(learner: Learner) -> None:
    with jantaku.VecEnv(3, encoder="sparse-v1", reward="result", threads=1) as env:
        rows = play(env, learner, 7, np.random.default_rng(1))
        again = play(env, learner, 7, np.random.default_rng(1))
    assert np.array_equal(rows["action"], again["action"])
    ends = ~rows["due"]
    assert sorted(rows["ids"][ends]) == list(range(12))
    for seat in range(12):
        of_seat = rows["ids"] == seat
        total = rows["results"][of_seat & ends] / 1000
        assert rows["rewards"][of_seat].sum() == pytest.approx(total[0])
    assert (rows["games"] == 0).all()
    due = rows["due"]
    assert rows["mask"][due, rows["action"][due]].all()
    # With lambda 1, a decision's target is the result of the game.
    found = advantages(rows, 1.0)
    result = dict(zip(rows["ids"][ends], rows["results"][ends] / 10_000, strict=True))
    expected = [result[seat] for seat in rows["ids"][due]]
    assert np.allclose(found["target"][due], expected, atol=1e-4)


def test_rewards_of_hands_telescope(start: Path, learner: Learner, tmp_path: Path) -> None:
    """In every game, they sum up to the result minus what the model expects at the start."""
    sums, paid = [], []
    for hand_reward in (None, "model"):
        asked = config(start, tmp_path, games=5, hand_reward=hand_reward)
        with environment(asked, learner, 1, 0) as env:
            rows = play(env, learner, 7, np.random.default_rng(1))
        sums.append(np.bincount(rows["ids"], rows["rewards"]).reshape(5, 4))
        paid.append(int((rows["rewards"][rows["due"]] != 0).sum()))
    expected = sums[0] - sums[1]
    assert np.allclose(expected, expected[0], atol=1e-3)
    # All start with equal points, so nobody expects much.
    assert 0 < abs(expected[0]).max() < 2
    assert abs(expected[0].sum()) < 1
    assert paid[0] == 0 < paid[1]


def test_a_policy_has_no_advantage_over_itself(
    start: Path, learner: Learner, tmp_path: Path
) -> None:
    """The reward of a game is then 0 on average over the seats, and so is the advantage."""
    state = load_checkpoint(start, {})
    assert state is not None
    learner.network.load_state_dict(state["network"])
    itself = f"neural:model={start.parent / 'clone.safetensors'},temperature=1"
    for opponents, is_itself in [([itself], True), (["greedy"], False)]:
        for hand_reward in (None, "model"):
            asked = config(start, tmp_path, games=40, opponents=opponents, hand_reward=hand_reward)
            gains, seats = [], []
            for iteration in range(4):
                chance = np.random.default_rng([1, iteration])
                with environment(asked, learner, 1, iteration) as env:
                    rows = play(env, learner, 7 + iteration, chance)
                rows["value"][:] = 0
                found = advantages(rows, 1.0)["advantage"]
                first = rows["due"] & (rows["decisions"] == 0)
                gains.append(found[first])
                seats.append(np.unique(rows["seats"]).tolist())
            gain = np.concatenate(gains)
            assert (len(gain), seats) == (160, [[0], [1], [2], [3]])
            error = gain.std(ddof=1) / math.sqrt(len(gain))
            assert 0.01 < error < 0.3
            # It is far behind `greedy`.
            assert (abs(gain.mean()) < 3 * error) == is_itself, (opponents, hand_reward)


def test_with_rewards_of_hands_the_value_is_what_the_model_lacks(
    start: Path, tmp_path: Path
) -> None:
    asked = config(start, tmp_path, iterations=1, hand_reward="model", rate=1e-9)
    path = ppo(asked)
    tensors, manifest = read_tensors(path)
    assert manifest["heads"]["value"] == {"unit": "10,000 points beyond the placement model"}
    assert tensors["value.weight"].abs().max() < 1e-6


def test_a_critic_sees_hidden_tiles_and_stays_in_the_checkpoint(
    start: Path, learner: Learner, tmp_path: Path
) -> None:
    critic = Critic(learner, rate=0.003, seed=1)
    asked = config(start, tmp_path, games=2, critic="oracle")
    with environment(asked, learner, 1, 0) as env:
        rows = play(env, learner, 7, np.random.default_rng(1), critic)
    assert not rows["value"].any(), "it begins with 0"
    rows |= advantages(rows, 1.0)
    assert explained(rows) == pytest.approx(0, abs=1e-6)
    due = np.flatnonzero(rows["due"])
    some = {name: column[due] for name, column in rows.items()}
    losses = [critic.learn(some, 1.0) for _ in range(20)]
    assert losses[-1] < 0.7 * losses[0]
    with torch.no_grad():
        values = critic.values(some).numpy()
        hidden = critic.values(some | {"oracle": np.zeros_like(some["oracle"])}).numpy()
    assert abs(values - hidden).max() > 0.1
    rows["value"][due] = values
    assert explained(rows) > 0.3
    files = {}
    for name in ("head", "oracle"):
        trained = ppo(config(start, tmp_path / name, critic=name, iterations=1))
        tensors, manifest = read_tensors(trained)
        files[name] = {key: tensor.shape for key, tensor in tensors.items()}, manifest["heads"]
        state = load_checkpoint(tmp_path / name / "checkpoint.pt", {})
        assert ("critic" in state["extra"]) == (name == "oracle")
        assert all(row["explained"] <= 1 for row in state["rows"])
        assert all(("critic" in row) == (name == "oracle") for row in state["rows"])
    assert files["head"] == files["oracle"]


def test_a_critic_reads_planes(tmp_path: Path) -> None:
    planes = Clone(runs=["r"], out=str(tmp_path), width=4, heads={"value": 0.1}, threads=1)
    learner = Learner(planes)
    critic = Critic(learner, rate=0.003, seed=1)
    with jantaku.VecEnv(2, encoder="planes-v1", oracle=True, threads=1) as env:
        rows = env.recv().copy() | {"target": np.array([1, -1], np.float32)}
    losses = [critic.learn(rows, 1.0) for _ in range(10)]
    assert losses[0] == 1 > losses[-1]


def test_it_can_play_against_agents(start: Path, tmp_path: Path) -> None:
    path = ppo(config(start, tmp_path, opponents=["greedy"], iterations=1, test_every=1))
    assert path == tmp_path / "ppo.safetensors"
    (row,) = load_checkpoint(tmp_path / "checkpoint.pt", {})["rows"]
    assert row["step"] == 1
    assert -1.5 <= row["difference"] <= 1.5
    view = jantaku.Game(seed=9).decisions()[0]
    assert jantaku.Agent(f"neural:model={path}").choose(view) in view.legal


def test_opponents_are_drawn_from_a_pool(start: Path, learner: Learner, tmp_path: Path) -> None:
    pool = config(start, tmp_path, games=400, opponents={"random": 1, "tsumogiri": 3})
    with environment(pool, learner, 1, 0) as env:
        drawn = np.bincount(env.reset(3).opponents)
    assert drawn.sum() == 400
    # Three quarters, within five standard errors.
    assert abs(drawn[1] / 400 - 0.75) < 5 * math.sqrt(0.25 * 0.75 / 400)
    table = {"start": str(start), "out": str(tmp_path), "games": 1, "iterations": 1, "threads": 1}
    table |= {"test_sets": 2, "opponents": {"greedy": 1, "random": 3}}
    assert main(["ppo", toml(tmp_path / "ppo.toml", table)]) == 0
    assert jantaku.Agent(f"neural:model={tmp_path / 'ppo.safetensors'}") is not None
