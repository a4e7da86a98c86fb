"""Workers and nodes of a Ray cluster die at random, and every result equals one machine's.

``JANTAKU_TESTS=full pytest tests/test_ray_kills.py`` kills 50, and a usual call a few.
"""

import os
import random
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from harness import PATIENCE, files_of, repeated, worker_environment

import jantaku

ray = pytest.importorskip("ray")
cluster = pytest.importorskip("jantaku.ray")
pytestmark = pytest.mark.filterwarnings("ignore")

KILLS = {"selfplay": (13, 1), "match": (11, 1), "labels": (11, 1), "actors": (11, 1)}
if os.environ.get("JANTAKU_TESTS") != "full":
    KILLS = {"selfplay": (1, 1), "match": (1, 0), "labels": (1, 0), "actors": (1, 0)}
"""How many workers and then nodes die in each test. A node takes seconds to start again."""

MEMORY = 80_000_000
"""The bytes of a node's object store."""


TASKS = (b"ray::play_in_place", b"ray::Worker.")
"""The titles of processes that run a task. A node ends with some others, such as its agents."""


class Nodes:
    """Three nodes with one processor each. The first has the driver and does not die."""

    def __init__(self):
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": MEMORY}
        head["_system_config"] = PATIENCE
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.others = [self.add(), self.add()]
        self.random = random.Random(11)
        self.killed = {"worker": 0, "node": 0}

    def add(self):
        while True:
            try:
                return self.cluster.add_node(num_cpus=1, object_store_memory=MEMORY)
            except Exception as error:
                # Ray gives a node 30 seconds to start, which a busy machine may exceed.
                if "timed out" not in str(error):
                    raise

    def raylets(self):
        nodes = [self.cluster.head_node, *self.others]
        return {info.process.pid for node in nodes for info in node.all_processes["raylet"]}

    def busy(self):
        """The processes of this cluster that run a task, which Ray shows in their titles."""
        found, raylets = [], self.raylets()
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                title = (folder / "cmdline").read_bytes()
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue  # it has ended
            if title.startswith(TASKS) and parent in raylets:
                found.append(int(folder.name))
        return sorted(found)

    def kill_worker(self):
        """Kills a worker that runs a task. Whether there was one."""
        busy = self.busy()
        if not busy:
            return False
        os.kill(self.random.choice(busy), signal.SIGKILL)
        self.killed["worker"] += 1
        return True

    def kill_node(self):
        """Kills a node with all its workers. A new one takes its place."""
        node = self.others.pop(self.random.randrange(len(self.others)))
        self.cluster.remove_node(node, allow_graceful=False)
        self.killed["node"] += 1
        self.others.append(self.add())
        return True


class Killer:
    """A progress function that kills whenever games were played since the last kill."""

    def __init__(self, nodes, kills):
        self.nodes, self.left, self.seen = nodes, sum(kills), 0
        self.nodes_left = kills[1]
        self.told = None

    def runs(self):
        """Numbers of runs to play, until all are killed: tasks may end before they are killed."""
        number = 0
        while self.left:
            self.seen, number = 0, number + 1
            yield number

    def __call__(self, done, total):
        self.told = (done, total)
        if done <= self.seen or done == total or not self.left:
            return
        is_node = self.left <= self.nodes_left
        kill = self.nodes.kill_node if is_node else self.nodes.kill_worker
        if kill():
            self.left, self.seen = self.left - 1, done


@pytest.fixture(scope="module")
def nodes(bucket_environment):
    nodes = Nodes()
    environment = worker_environment({"OMP_NUM_THREADS": "1", **bucket_environment})
    ray.init(address=nodes.cluster.address, log_to_driver=False, runtime_env=environment)
    yield nodes
    ray.shutdown()
    nodes.cluster.shutdown()


class Place:
    """Where runs go: a folder, or the bucket."""

    def __init__(self, folder, bucket):
        self.folder, self.bucket = folder, bucket

    def path(self, name):
        """The path or URL of a run."""
        return self.bucket.url(name) if self.bucket else self.folder / name

    def files(self, name):
        """The files of a run that repeat."""
        if self.bucket:
            return repeated(self.bucket.files(name))
        return files_of(self.folder / name)


def counts(selfplay):
    """What depends on the games alone."""
    kept = ("games", "hands", "decisions", "won_hands", "draws", "seats", "rows", "faults")
    return {name: selfplay.data[name] for name in kept}


def test_selfplay_survives(nodes, bucket, tmp_path):
    """The first run and every second one after it are in a bucket."""
    killer = Killer(nodes, KILLS["selfplay"])
    for run in killer.runs():
        place, many = Place(tmp_path, bucket if run % 2 else None), f"selfplay-{run}"
        one = tmp_path / f"one-{run}"
        common = {"seed": run, "games_per_part": 20}
        found = cluster.selfplay(
            400, "heuristic", out=place.path(many), retries=-1, progress=killer, **common
        )
        alone = jantaku.selfplay(400, "heuristic", out=one, **common)
        assert killer.told == (400, 400)
        assert counts(found) == counts(alone)
        assert place.files(many) == files_of(one)


def test_a_match_survives(nodes, bucket, tmp_path):
    """The second run and every second one after it are in a bucket."""
    killer = Killer(nodes, KILLS["match"])
    for run in killer.runs():
        place, many = Place(tmp_path, None if run % 2 else bucket), f"match-{run}"
        one = tmp_path / f"one-{run}"
        common = {"sets": 2000, "seed": run}  # in eight parts
        found = cluster.match(
            "random", "tsumogiri", out=place.path(many), retries=-1, progress=killer, **common
        )
        alone = jantaku.match("random", "tsumogiri", out=one, **common)
        assert killer.told == (2000, 2000)
        assert (found.agents, found.figures) == (alone.agents, alone.figures)
        assert found.placement_difference == alone.placement_difference
        assert place.files(many) == files_of(one)


def test_labels_survive(nodes, bucket, tmp_path):
    """The first run and every second one after it are in a bucket, with their labels."""
    killer = Killer(nodes, KILLS["labels"])
    labels = "deals=2,discard=0.05,players=greedy,careful=greedy"
    for run in killer.runs():
        place, many = Place(tmp_path, bucket if run % 2 else None), f"labels-{run}"
        source, one = place.path(f"played-{run}"), tmp_path / f"one-{run}"
        jantaku.selfplay(20, "greedy", seed=run, games_per_part=1, out=source)
        cluster.label(source, place.path(many), labels=labels, retries=-1, progress=killer)
        jantaku.label(source, one, labels=labels)
        assert killer.told == (20, 20)
        assert place.files(many) == files_of(one)


def test_actors_survive(nodes):
    torch = pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    from jantaku._actors import Worker
    from jantaku.networks import BagNetwork

    torch.manual_seed(4)
    network = BagNetwork([16, 8], ["value"])
    environment = {"seats": [0], "opponents": "greedy", "hand_reward": "model"}
    workers, kills = KILLS["actors"][0], sum(KILLS["actors"])
    calls = kills + 2
    found = []
    with cluster.Actors(network, workers=2, tables=4, seed=5, **environment) as actors:
        for call in range(calls):
            kill = nodes.kill_node if call > workers else nodes.kill_worker
            killing = threading.Thread(target=until, args=(kill,))
            if 0 < call <= kills:
                killing.start()
            found.append(actors.collect(network, 100))
            if 0 < call <= kills:
                killing.join()
    options = {"tables": 4, "rules": "tenhou", "seed": 5, "cpus": 1, "device": "cpu"}
    alone = [
        Worker(network, number, {**options, "environment": environment}) for number in range(2)
    ]
    for call, rows in enumerate(found):
        parts = [worker.collect(network.state_dict(), 100, call)[0] for worker in alone]
        for name, column in rows.items():
            expected = np.concatenate([part[name] for part in parts])
            assert np.array_equal(column, expected), (call, name)


def until(kill):
    """Tries to kill until there is something to kill."""
    while not kill():
        pass


def test_all_were_killed(nodes):
    """The tests above really lost what they say."""
    workers, others = (sum(kills) for kills in zip(*KILLS.values(), strict=True))
    assert nodes.killed == {"worker": workers, "node": others}
