import os
import runpy
import signal
import sys
from pathlib import Path

import numpy as np
import pytest
from harness import (
    CALLS,
    PATIENCE,
    check_page,
    files_of,
    full_only,
    gain_over_random,
    repeated,
    worker_environment,
)

import jantaku
from jantaku import FunctionAgent, RunError

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster(bucket_environment):
    """A local cluster of two workers, each a process."""
    from jantaku import ray as many

    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=100_000_000,
        _system_config=PATIENCE,
        runtime_env=worker_environment(bucket_environment),
    )
    yield many
    ray.shutdown()


@pytest.fixture
def every_look(monkeypatch):
    """Progress is reported after each share, however long a look at the folders takes."""
    from jantaku._shares import _Playing

    monkeypatch.setattr(_Playing, "look", _Playing.show)


def killer(marker, share):
    """Takes the first legal action, and kills its process once, in the middle of a share."""

    def play(batch):
        if batch.games.max() >= share and not os.path.exists(marker):
            with open(marker, "w") as file:
                file.write(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return batch.mask.argmax(axis=1)

    return FunctionAgent(play, name="first", tables=4, deterministic=True)


def made_here():
    """Functions that travel by value: workers cannot import this file."""

    def first(batch):
        return batch.mask.argmax(axis=1)

    def highest(batch):
        assert len(batch) == len(batch.mask) == len(batch["scalars"])
        return batch.scalars[:, :1] * np.arange(165, dtype=np.float32)

    return first, highest


first, highest = made_here()


@pytest.fixture(params=["shared", pytest.param("apart", marks=full_only), "bucket"])
def target(request, tmp_path):
    """Where a call writes, whether the workers share it, and how to read the files that repeat."""
    if request.param == "bucket":
        bucket, name = request.getfixturevalue("bucket"), request.node.originalname
        return bucket.url(name), True, lambda end="": repeated(bucket.files(name + end))
    out = tmp_path / "many"
    return out, request.param == "shared", lambda end="": files_of(str(out) + end)


def test_a_killed_worker_changes_nothing(cluster, tmp_path, target):
    out, shared, written = target
    marker = str(tmp_path / "killed")
    agents = ["greedy", killer(marker, 45), "random", "greedy"]
    common = {"seed": 3, "games_per_part": 5}
    merged = cluster.selfplay(80, agents, out=out, shards=4, shared=shared, **common)
    assert int(Path(marker).read_text()) != os.getpid()
    assert (merged.rows["games"], merged.data["shards"], merged.data["parts"]) == (80, 4, 16)
    alone = ["greedy", FunctionAgent(first, tables=4, deterministic=True), "random", "greedy"]
    one = jantaku.selfplay(80, alone, out=tmp_path / "one", **common)
    assert merged.rows == one.rows
    if not shared:  # then the share of the killed worker is played from its start
        assert (merged.games, merged.hands, merged.draws) == (one.games, one.hands, one.draws)
        counts = [{**seat, "agent": None} for seat in merged.seats]
        assert counts == [{**seat, "agent": None} for seat in one.seats]
    assert repr(merged).startswith("<Selfplay of greedy, first, random: ")
    assert merged.out == str(out)
    assert written() == files_of(tmp_path / "one")
    assert not written(".shards")
    # The run is complete: nothing is left to play.
    again = cluster.selfplay(80, agents, out=out, shared=shared, **common)
    assert (again.games, again.rows) == (0, one.rows)


def test_a_stopped_call_goes_on(cluster, every_look, tmp_path):
    def stop(done, total):
        if done >= 20:
            raise LookupError("enough")

    common = {"seed": 3, "games_per_part": 20, "shards": 4}
    with pytest.raises(LookupError):
        cluster.selfplay(4_000, "random", out=tmp_path / "run", progress=stop, **common)
    shards = tmp_path / "run.shards"
    assert list(shards.iterdir())
    with pytest.raises(RunError, match="other shares"):
        cluster.selfplay(4_000, "random", out=tmp_path / "run", **{**common, "shards": 3})
    before = files_of(shards)
    assert before
    with pytest.raises(RunError, match=r"has 3, found 4; .* remove .*/run.shards"):
        cluster.selfplay(4_000, "random", out=tmp_path / "run", **{**common, "seed": 4})
    assert files_of(shards) == before
    seen = []
    cluster.selfplay(
        4_000, "random", out=tmp_path / "run", progress=lambda *now: seen.append(now), **common
    )
    assert seen[-1] == (4_000, 4_000)
    assert jantaku.stats(tmp_path / "run", sections=["hands"]).games == 4_000


@pytest.mark.parametrize("target", ["shared", "bucket"], indirect=True)
def test_a_match_over_a_cluster(cluster, tmp_path, target):
    out, shared, written = target
    arguments = {"sets": 600, "seed": 2}
    played = cluster.match("greedy", "random", out=out, shards=3, shared=shared, **arguments)
    alone = jantaku.match("greedy", "random", out=tmp_path / "one", **arguments)
    assert played.agents == alone.agents
    assert played.placement_difference == alone.placement_difference
    assert played.figures == alone.figures
    assert written() == files_of(tmp_path / "one")
    longer = jantaku.match(out=out, sets=700, resume=True)
    assert longer.sets == 700


def test_actors_play_for_a_learner(cluster):
    torch = pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    from jantaku._actors import Worker
    from jantaku.networks import BagNetwork
    from jantaku.train.agreement import legal_logits

    def made():
        torch.manual_seed(4)
        return BagNetwork([16, 8], ["value"])

    network = made()
    later = {name: 2 * weights for name, weights in network.state_dict().items()}
    common = {"tables": 3, "seed": 5, "seats": [0, 2], "opponents": "greedy", "oracle": True}
    with cluster.Actors(network, workers=2, **common) as actors:
        assert actors.workers == 2
        found = [actors.collect(network, 80), actors.collect(later, 200)]
    environment = {name: common[name] for name in ("seats", "opponents", "oracle")}
    options = {"tables": 3, "rules": "tenhou", "seed": 5, "cpus": 1, "device": "cpu"}
    options |= {"environment": environment}
    ends = 0
    for number in range(2):
        alone = Worker(made(), number, options)
        for call, (rows, weights, turns) in enumerate(
            zip(found, (network.state_dict(), later), (80, 200), strict=True)
        ):
            expected, _ = alone.collect(weights, turns, call)
            own = rows["tables"] // 3 == number
            assert rows.keys() == expected.keys()
            for name, column in expected.items():
                assert np.array_equal(rows[name][own], column), name
                assert rows[name].dtype == column.dtype
    assert not np.array_equal(found[0]["mask"][:6], found[0]["mask"][-6:])
    for rows, weights in zip(found, (network.state_dict(), later), strict=True):
        network.load_state_dict(weights)
        outputs = network(*network.inputs(rows))
        logits = legal_logits(outputs, torch.from_numpy(rows["mask"])).log_softmax(dim=1)
        likely = logits.detach().numpy()[np.arange(len(logits)), rows["action"]]
        due = rows["due"]
        assert np.allclose(likely[due], rows["likely"][due], atol=1e-5)
        value = outputs["value"].detach().numpy() * due
        assert np.allclose(value, rows["value"], atol=1e-5)
        assert rows["mask"][due, rows["action"][due]].all()
        ends += int((~due).sum())
    assert ends > 0
    # The second call begins with the rows that the first one left, and answers them anew.
    first, second = found
    for number in range(2):
        left = first["last"] & (first["tables"] // 3 == number)
        again = np.flatnonzero(second["tables"] // 3 == number)[: left.sum()]
        assert np.array_equal(first["ids"][left], second["ids"][again])
        assert np.array_equal(first["oracle"][left], second["oracle"][again])
    assert set(np.unique(first["ids"])) == {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22}
    walls = [first["mask"][first["tables"] == table][0].tobytes() for table in range(6)]
    assert len(set(walls)) > 3


FOUR = "greedy,random,tsumogiri,heuristic:fast"


def figures(result):
    """A result without what depends on the machine and the place."""
    return {**result.data, "seconds": 0, "threads": 0, "speed": {}, "out": None, "programs": []}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("stats", {"games": 150, "agents": "heuristic"}),
        (
            "stats",
            {"games": 60, "agents": ["greedy", first, "random", "greedy"], "sections": ["hands"]},
        ),
        ("stats", {"precision": ["players.points=500", "draws.exhaustive=2%"], "games": 3000}),
        ("stats", {"precision": "players.riichi-turn=0.3", "agents": "tsumogiri"}),
        ("sweep", {"rules": "tenhou", "vary": {"kuitan": [True, False]}, "games": 100}),
        (
            "sweep",
            {"rules": ["tenhou", "mleague"], "games": 2000, "precision": "hands.ron=5%"},
        ),
        ("league", {"agents": FOUR, "sets": 10}),
        (
            "match",
            {
                "agents": FOUR,
                "sets": 300,
                "seatings": "rotations",
                "keep_draws": True,
                "sections": ["players", "draws"],
            },
        ),
    ],
)
def test_a_result_without_a_folder_is_that_of_one_machine(cluster, name, arguments):
    told = []
    call, alone = getattr(cluster, name), getattr(jantaku, name)
    many = call(**arguments, seed=7, progress=lambda *now: told.append(now))
    one = alone(**arguments, seed=7)
    assert figures(many) == figures(one)
    assert type(many) is type(one)
    if name == "stats":
        assert told[-1][0] == many.games
    elif name != "sweep":
        assert told[-1] == {"league": (40, 40), "match": (300, 300)}[name]


def league_files(folder):
    """The files of a league that repeat."""
    tables = {path.name: files_of(path) for path in Path(folder, "tables").iterdir()}
    return {"league.toml": Path(folder, "league.toml").read_bytes(), **tables}


@pytest.mark.parametrize("shared", [True, pytest.param(False, marks=full_only)])
def test_a_league_over_a_cluster(cluster, tmp_path, shared):
    agents = ["greedy", "random", FunctionAgent(first, tables=4, deterministic=True), "tsumogiri"]
    common = {"seed": 6, "anchor": "random", "anchor_rating": 1000}
    out = tmp_path / "many"
    played = cluster.league(agents, sets=25, out=out, shared=shared, **common)
    alone = jantaku.league(agents, sets=25, out=tmp_path / "one", **common)
    assert figures(played) == figures(alone)
    assert league_files(out) == league_files(tmp_path / "one")
    assert not (tmp_path / "many.shards").exists()
    # An agent joins, there are more sets, and each continues the league of the other.
    more = {"agents": [*agents, "noisy:base=greedy,p=0.1"], "sets": 30, "resume": True, **common}
    longer = cluster.league(**more, out=tmp_path / "one", shared=shared)
    assert figures(longer) == figures(jantaku.league(**more, out=out))
    assert league_files(out) == league_files(tmp_path / "one")
    assert (longer.games, longer.played) == (5 * 120, 5 * 120 - 100)


@full_only
def test_a_stopped_league_goes_on(cluster, every_look, tmp_path):
    def stop(done, total):
        if any(out.glob("tables/*/manifest.json")):
            raise LookupError("enough")

    arguments = {"agents": "greedy,random,tsumogiri,heuristic:fast,noisy:base=greedy,p=0.1"}
    arguments |= {"sets": 300, "seed": 6}
    out = tmp_path / "many"
    with pytest.raises(LookupError) as stopped:
        cluster.league(**arguments, out=out, shards=1, progress=stop)
    assert stopped.value.partial.games in range(1200, 5 * 1200, 1200)
    assert not stopped.value.partial.complete
    with pytest.raises(RunError, match="already holds a league"):
        cluster.league(**arguments, out=out)
    played = cluster.league(out=out, resume=True)
    alone = jantaku.league(**arguments, out=tmp_path / "one")
    assert (played.agents, played.pairs) == (alone.agents, alone.pairs)
    assert league_files(out) == league_files(tmp_path / "one")


def test_stopped_statistics_have_the_first_games(cluster, every_look):
    def stop(done, total):
        if done:
            raise LookupError("enough")

    with pytest.raises(LookupError) as stopped:
        cluster.stats(games=100_000, seed=7, progress=stop, sections=["hands"])
    found = stopped.value.partial
    assert found.games < 100_000
    assert not found.complete
    if found.games:
        first = jantaku.stats(games=found.games, seed=7, sections=["hands"])
        assert found.figures == first.figures


def test_a_call_that_was_killed_at_its_end_goes_on(cluster, tmp_path, target, monkeypatch):
    out, shared, written = target
    common = {"shared": shared, "seed": 5, "games_per_part": 2, "shards": 4}
    one = jantaku.selfplay(16, "random", seed=5, games_per_part=2, out=tmp_path / "one")

    for name in ("_merge", "_remove_folder"):

        def ends(*_, name=name):
            raise LookupError(name)

        monkeypatch.setattr(f"jantaku._shares.{name}", ends)
        with pytest.raises(LookupError, match=name):
            cluster.selfplay(16, "random", out=out, **common)
        monkeypatch.setattr(f"jantaku._shares.{name}", getattr(jantaku._jantaku, name))
    assert written() == files_of(tmp_path / "one")
    again = cluster.selfplay(16, "random", out=out, **common)
    assert again.rows == one.rows
    assert again.games == 0
    assert written() == files_of(tmp_path / "one")
    assert not written(".shards")
    with pytest.raises(RunError, match=r"`seed`: the run in .* has 5, found 6"):
        cluster.selfplay(16, "random", out=out, **{**common, "seed": 6})


LABELS = "deals=2,players=greedy,careful=greedy"


def test_labels_over_a_cluster(cluster, tmp_path):
    """During self-play, and later."""
    common = {"seed": 4, "games_per_part": 2}
    many = cluster.selfplay(
        8, "heuristic", out=tmp_path / "many", shards=3, labels=LABELS, **common
    )
    one = jantaku.selfplay(8, "heuristic", out=tmp_path / "one", labels=LABELS, **common)
    assert many.rows == one.rows
    assert many.rows["labels"] > 100
    assert files_of(tmp_path / "many") == files_of(tmp_path / "one")


def test_labelling_over_a_cluster(cluster, tmp_path, target):
    out, shared, written = target
    run = f"{out}-run" if "://" in str(out) else tmp_path / "run"
    jantaku.selfplay(8, "heuristic", seed=4, games_per_part=2, out=run)
    many = cluster.label(run, out, labels=LABELS, shared=shared)
    one = jantaku.label(run, tmp_path / "one", labels=LABELS)
    same = ("games", "rows", "complete")
    assert [many[name] for name in same] == [one[name] for name in same]
    assert written() == files_of(tmp_path / "one")


def test_a_stopped_call_goes_on_in_a_bucket(cluster, bucket, every_look, tmp_path):
    def stop(done, total):
        if done >= 2:
            raise LookupError("enough")

    common = {"seed": 3, "games_per_part": 2}
    out = bucket.url("stopped")
    with pytest.raises(LookupError):
        cluster.selfplay(16, "greedy", out=out, progress=stop, **common)
    left = bucket.files("stopped.shards")
    assert left
    assert not bucket.files("stopped")
    found = cluster.selfplay(16, "greedy", out=out, keep_shards=True, **common)
    assert found.games < 16
    jantaku.selfplay(16, "greedy", out=tmp_path / "one", **common)
    assert repeated(bucket.files("stopped")) == files_of(tmp_path / "one")
    assert len(bucket.files("stopped.shards")) > len(left)


def test_an_evaluator_answers_all_tasks(cluster):
    agent = FunctionAgent(highest, encoder="sparse-v1", tables=4, deterministic=True)
    with cluster.Evaluator(agent, resources={"num_cpus": 0}) as evaluator:
        assert evaluator.agent.name == agent.name
        played = cluster.match(evaluator.agent, "random", sets=4, tables=4)
        for actor in evaluator._actors:
            ray.kill(actor, no_restart=False)
        again = cluster.match(evaluator.agent, "random", sets=4, tables=4)
    alone = jantaku.match(agent, "random", sets=4, tables=4)
    assert played.agents == alone.agents == again.agents


def test_arrays_on_a_cluster_have_a_list_of_keys_like_a_batch():
    from jantaku._evaluator import Columns

    columns = Columns(games=np.zeros(3), mask=np.ones((3, 165)))
    assert columns.keys() == ["games", "mask"]
    assert dict(columns).keys() == {"games", "mask"}
    assert len(columns) == 3


def test_the_example_calls_any_function(cluster, capsys, monkeypatch):
    example = Path(__file__).parents[1] / "examples/on_ray.py"
    monkeypatch.setattr(sys, "argv", ["on_ray.py", "stats", "games=1_0", 'sections=["hands"]'])
    runpy.run_path(str(example), run_name="__main__")
    told = capsys.readouterr().out.splitlines()
    assert "10 of 10" in told
    assert any(line.startswith("10 games of ") for line in told)
    monkeypatch.setattr(sys, "argv", ["on_ray.py", "nothing"])
    with pytest.raises(SystemExit):
        runpy.run_path(str(example), run_name="__main__")


def test_rllib_learns_to_beat_random(cluster, capsys, monkeypatch):
    torch = pytest.importorskip("torch")
    example = Path(__file__).parents[1] / "examples/on_rllib.py"
    assert len(example.read_text().splitlines()) <= 40
    monkeypatch.setattr(sys, "argv", ["on_rllib.py", "8192", "1"])
    found = runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.splitlines()[-1] == "learned from 8,192 decisions"
    module = found["learner"].get_module()

    def network(planes):
        mask = torch.ones(len(planes), 165)
        seen = {"observations": torch.from_numpy(planes), "action_mask": mask}
        with torch.no_grad():
            return module.forward_inference({"obs": seen})["action_dist_inputs"]

    # Two seeds gave 0.85 and 1.05.
    assert gain_over_random(network, found["OWN"]) > 0.5


def test_what_fails_on_a_worker_comes_out(cluster, tmp_path):
    def fails(batch):
        raise LookupError("no such weight")

    agent = FunctionAgent(fails, name="fails")
    with pytest.raises(LookupError, match="no such weight"):
        cluster.selfplay(10, agent, out=tmp_path / "run", games_per_part=5)


def test_wrong_arguments_name_themselves(cluster, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    monkeypatch.chdir(tmp_path)
    check_page(CALLS / "servers/cluster.md", cluster=cluster)
