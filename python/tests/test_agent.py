import pickle

import numpy as np
import pytest
from harness import small_network, views

import jantaku
from jantaku import Agent, AgentError, Game, Rules


def some_views():
    return [view for _, view in views()]


def test_agents_label_observations():
    views = some_views()
    for name in ["random", "tsumogiri", "greedy", "heuristic"]:
        agent = Agent(name)
        labels = agent.choose_batch(views)
        assert (labels.dtype, labels.shape) == (np.uint8, (len(views),))
        assert all(view.is_legal(label) for view, label in zip(views, labels, strict=True))
        if name != "random":
            assert [agent.choose(view) for view in views[:50]] == list(labels[:50])
        assert agent.choose_batch([]).shape == (0,)
        assert pickle.loads(pickle.dumps(agent)) == agent
        assert repr(agent) == f"Agent('{name}')"


def test_seeds_belong_to_agents_that_play_at_random():
    views = some_views()
    agent = Agent("random")
    assert (agent.choose_batch(views, seed=1) == agent.choose_batch(views, seed=1)).all()
    assert (agent.choose_batch(views, seed=1) != agent.choose_batch(views, seed=2)).any()


def test_search_info():
    view = Game(seed=1).decisions()[0]
    reply = Agent("heuristic").reply(view)
    assert view.is_legal(reply.action)
    if reply.policy is not None:
        assert reply.policy.shape == (165,)
        assert reply.policy[~view.action_mask].sum() == 0
    network = Agent("neural:model=uniform-sparse-v1").reply(view)
    assert network.policy is not None
    assert network.policy.sum() == pytest.approx(1)
    assert (network.policy[view.action_mask] > 0).all()


def test_a_batch_may_mix_rules(tmp_path):
    network = small_network(tmp_path)
    pair = ["tenhou", "tenhou-sanma"]
    games = [Game(rules=rules, seed=seed) for seed in range(20) for rules in pair]
    views = [game.decisions()[0] for game in games]
    agent = Agent(f"{network},rules=any,average-suits=on")
    assert list(agent.choose_batch(views)) == [agent.choose(view) for view in views]
    Agent(network).choose_batch(views[::2])
    with pytest.raises(AgentError, match=r"manifest, rules\.hash: found rules `tenhou`"):
        Agent(network).choose_batch(views)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    """A network with random weights."""
    return Agent(f"{small_network(tmp_path_factory.mktemp('network'))},rules=any")


def test_a_network_evaluates_batches(network: Agent) -> None:
    env = jantaku.VecEnv(40, Rules("tenhou", hands_limit=1), encoder="sparse-v1", seed=1)
    batch = env.recv()
    ended = 0
    for _ in range(120):
        found = network.evaluate(batch)
        logits, logs, values = (found[one] for one in ("logits", "log_probabilities", "values"))
        assert logits.shape == logs.shape == (batch.rows, 165)
        assert logits.dtype == logs.dtype == values.dtype == np.float32
        assert (np.isfinite(logits) == batch.mask).all()
        assert (np.isfinite(logs) == batch.mask).all()
        assert np.allclose(np.exp(logs[batch.due]).sum(axis=1), 1, atol=1e-5)
        assert not values[~batch.due].any()
        ended += int((~batch.due).sum())
        due = np.flatnonzero(batch.due)[:5]
        views = [env.observation(int(batch.tables[row]), int(batch.seats[row])) for row in due]
        assert (network.choose_batch(views) == logits[due].argmax(axis=1)).all()
        for row, view in zip(due, views, strict=True):
            reply = network.reply(view)
            assert np.allclose(reply.policy, np.exp(logs[row]), atol=1e-6)
            assert reply.value == values[row]
        batch = env.step(env.random_actions())
    assert ended > 0
    copied = batch.copy()
    again = network.evaluate(copied)
    assert (again["logits"] == network.evaluate(batch)["logits"]).all()
