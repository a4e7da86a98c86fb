import json
import threading

import numpy as np
import pytest
from harness import first_legal

import jantaku
from jantaku import Agent, AgentError, Encoder, FunctionAgent


def greedy(batch):
    return Agent("greedy").choose_batch(batch.observations)


def figures(match):
    return [agent.placement for agent in match.agents]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_function_plays_what_it_answers(threads):
    mine = FunctionAgent(greedy, name="mine", tables=64)
    played = jantaku.match(mine, "random", sets=8, seed=2, threads=threads)
    assert figures(played) == figures(jantaku.match("greedy", "random", sets=8, seed=2))
    assert played.agents[0].agent == "mine"


@pytest.mark.parametrize("encoder", [None, "planes-v1", Encoder("sparse-v1")])
def test_batches(encoder):
    shapes = set()

    def look(batch):
        n = len(batch)
        assert (batch.mask.shape, batch.mask.dtype) == ((n, 165), np.bool_)
        assert (batch.games.shape, batch.games.dtype) == ((n,), np.int64)
        assert (batch.seats.shape, batch.seats.dtype) == ((n,), np.uint8)
        assert (batch.mask.sum(axis=1) > 1).all()
        assert batch.seats.max() < 4
        encoded = [] if encoder is None else Encoder(getattr(encoder, "name", encoder)).arrays
        assert batch.keys() == ["games", "seats", "mask", *encoded]
        assert all(array is getattr(batch, name) for name, array in dict(batch).items())
        for unknown in ("observations", "keys", "rows"):
            with pytest.raises(KeyError, match=unknown):
                _ = batch[unknown]
        if encoder is None:
            for row, view in enumerate(batch.observations):
                assert (view.action_mask == batch.mask[row]).all()
                assert view.seat == batch.seats[row]
            with pytest.raises(AttributeError, match="has no planes"):
                _ = batch.planes
        elif encoder == "planes-v1":
            assert (batch.planes.shape, batch.planes.dtype) == (
                (n, *Encoder("planes-v1").shape),
                np.uint8,
            )
            with pytest.raises(AttributeError, match="has no active"):
                _ = batch.active
        else:
            assert (batch.active.shape, batch.active.dtype) == ((n, *encoder.shape), np.uint16)
            assert (batch.counts.shape, batch.counts.dtype) == ((n,), np.uint16)
            assert (batch.scalars.shape, batch.scalars.dtype) == ((n, encoder.scalars), np.float32)
            assert (batch.active[np.arange(n), batch.counts - 1] < encoder.size).all()
        shapes.add(n)
        return first_legal(batch)

    agent = FunctionAgent(look, encoder=encoder, tables=8)
    played = jantaku.selfplay(20, ["random", agent, "greedy", agent], seed=1)
    assert played.games == 20
    assert max(shapes) > 1


def test_encodings_are_those_of_observations():
    name = "planes-v1"
    kept, encoded = [], []

    def views(batch):
        kept.append(Encoder(name).encode_batch(batch.observations))
        return first_legal(batch)

    def planes(batch):
        encoded.append(batch.planes)
        return first_legal(batch)

    for function, encoder in [(views, None), (planes, name)]:
        agent = FunctionAgent(function, encoder=encoder, tables=4)
        jantaku.selfplay(4, agent, threads=1)
    assert len(kept) == len(encoded)
    assert all((one == other).all() for one, other in zip(kept, encoded, strict=True))


def test_logits_choose_legal_actions():
    def logits(batch):
        rng = np.random.default_rng(len(batch))
        numbers = rng.normal(size=(len(batch), 165)).astype(np.float32)
        numbers[~batch.mask] = 100
        return numbers

    assert jantaku.selfplay(12, FunctionAgent(logits, tables=4)).games == 12

    def uniform(batch):
        return np.zeros((len(batch), 165))

    drawn = FunctionAgent(uniform, temperature=1.0, deterministic=True)
    once, again = (jantaku.selfplay(20, drawn, seed=4, tables=n) for n in (1, 16))
    assert once.seats == again.seats
    assert jantaku.selfplay(20, drawn, seed=5).seats != once.seats


def test_bf16_tensors_are_converted():
    torch = pytest.importorskip("torch")

    def logits(dtype):
        def answer(batch):
            numbers = torch.arange(165).remainder(7).expand(len(batch), 165)
            return {"logits": numbers.to(dtype), "value": torch.zeros(len(batch), 1, dtype=dtype)}

        return FunctionAgent(answer, name="mine", tables=4)

    played = [
        jantaku.selfplay(4, logits(dtype), seed=1) for dtype in (torch.bfloat16, torch.float32)
    ]
    assert played[0].seats == played[1].seats


def test_runs_state_functions(tmp_path):
    jantaku.selfplay(20, first_legal, out=tmp_path / "run", games_per_part=10)
    text = (tmp_path / "run/run.toml").read_text()
    assert "first_legal" in text
    assert "deterministic = false" in text
    assert jantaku.stats(tmp_path / "run").agents == ["first_legal"] * 4
    with pytest.raises(AgentError, match="if a function played the run"):
        jantaku.selfplay(40, out=tmp_path / "run", resume=True)
    played = jantaku.selfplay(40, first_legal, out=tmp_path / "run", resume=True)
    assert played.rows["games"] == 40


def test_a_match_of_a_function_resumes(tmp_path):
    folder = tmp_path / "match"
    mine = FunctionAgent(greedy, name="mine", deterministic=True)
    jantaku.match(mine, "random", sets=4, out=folder)
    longer = jantaku.match(mine, "random", sets=8, out=folder, resume=True)
    assert figures(longer) == figures(jantaku.match("greedy", "random", sets=8))


def test_the_exception_of_a_function_comes_out(tmp_path):
    error = LookupError("no such weight")
    asked = 0

    def fails(batch):
        nonlocal asked
        asked += 1
        if asked > 5000:
            raise error
        return first_legal(batch)

    agent = FunctionAgent(fails, tables=2)
    with pytest.raises(LookupError) as caught:
        jantaku.selfplay(10**6, agent, out=tmp_path / "run", games_per_part=2, log="games")
    assert caught.value is error
    kept = json.loads((tmp_path / "run/manifest.json").read_text())["games"]
    assert 0 < kept == error.partial.games < 10**6
    with pytest.raises(LookupError):
        jantaku.match(agent, "greedy", sets=10)
    with pytest.raises(LookupError):
        jantaku.stats(games=10, agents=agent)


def test_functions_are_called_on_the_calling_thread():
    threads = set()

    def look(batch):
        threads.add(threading.get_ident())
        return first_legal(batch)

    jantaku.selfplay(4, look)
    assert threads == {threading.get_ident()}


def test_ctrl_c_in_a_function():
    import signal

    def interrupt(batch):
        signal.raise_signal(signal.SIGINT)
        return first_legal(batch)

    with pytest.raises(KeyboardInterrupt):
        jantaku.selfplay(10**6, interrupt)


def test_tensors_answer():
    torch = pytest.importorskip("torch")
    weights = torch.zeros(165, requires_grad=True)

    def network(batch):
        return torch.from_numpy(batch.planes).float().sum(dim=(1, 2))[:, None] + weights

    def choose(batch):
        return torch.from_numpy(batch.mask).int().argmax(dim=1)

    agents = [FunctionAgent(f, encoder="planes-v1", tables=4) for f in (network, choose)]
    assert jantaku.match(*agents, sets=1).sets == 1
