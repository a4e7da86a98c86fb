"""Runs in a bucket are read and written like those in folders. The server is on this machine."""

import collections
import json
import os
import re
import signal
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from harness import CALLS, check_page

import jantaku
from jantaku.train.config import ConfigError, Improve, Labels, run_table

GAMES = {"agents": "greedy", "seed": 4, "games_per_part": 4}
PAGE = Path(__file__).parents[1] / "docs/cluster.md"


@pytest.fixture(scope="module", autouse=True)
def server(bucket, bucket_environment):
    """The address of the server, which the environment names."""
    return bucket_environment["AWS_ENDPOINT_URL"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run in a folder, of which ``s3://runs/first`` has a copy that was played there."""
    out = tmp_path_factory.mktemp("runs") / "first"
    jantaku.selfplay(12, out=out, **GAMES)
    played = jantaku.selfplay(12, out="s3://runs/first", **GAMES)
    assert (played.games, played.complete, str(played.out)) == (12, True, "s3://runs/first")
    return out


def downloads(server):
    """The parts that were downloaded so far, with repetitions."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{server}/downloads") as answer:
        return json.loads(answer.read())


def same_batches(one, other):
    """Checks that two datasets yield the same arrays. Returns the number of rows."""
    rows = 0
    for ours, theirs in zip(one, other, strict=True):
        assert ours.keys() == theirs.keys()
        for name, array in ours.items():
            np.testing.assert_array_equal(array, theirs[name], err_msg=name)
        rows += len(ours["action"])
    return rows


def loaded(*runs, **options):
    """Datasets of these runs without encoded rows."""
    return [jantaku.Dataset(run, encoder=None, **options) for run in runs]


def test_datasets_have_the_arrays_of_the_folder(folder):
    for options in (
        {"encoder": "planes-v1"},
        {"encoder": "sparse-v1", "shuffle": True, "seed": 3, "search_info": True},
        {"encoder": None, "rank": 1, "ranks": 2, "workers": 1, "window": 2, "shuffle": 100},
    ):
        bucket = jantaku.Dataset("s3://runs/first", batch=500, **options)
        assert same_batches(bucket, jantaku.Dataset(folder, batch=500, **options)) > 1000
    assert bucket.runs == ["s3://runs/first"]


def test_a_small_cache_downloads_parts_again(folder, server, monkeypatch):
    def epochs(run):
        """Loads two epochs, and returns how often each part was downloaded."""
        jantaku.selfplay(12, out=run, **GAMES)
        before = len(downloads(server))
        bucket, local = loaded(run, folder)
        assert same_batches(bucket, local) == same_batches(bucket, local) > 5000
        return collections.Counter(Path(part).parent.name for part in downloads(server)[before:])

    assert epochs("s3://runs/kept") == {"games": 3, "decisions": 3}
    # It keeps one file, and those in use. One that was fetched ahead may be dropped before its use.
    monkeypatch.setenv("JANTAKU_CACHE_MIB", "0")
    again = epochs("s3://runs/dropped")
    assert again.keys() == {"games", "decisions"}
    assert min(again.values()) >= 6


def test_a_fork_reads_buckets_itself(folder):
    """It has none of the threads of the store that this process opened."""
    assert jantaku.stats("s3://runs/first").games == 12
    child = os.fork()
    if child == 0:
        # Ends a child that waits for a thread of its parent.
        signal.alarm(60)
        try:
            same_batches(*loaded("s3://runs/first", folder))
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_functions_read_buckets_like_folders(folder):
    assert jantaku.stats("s3://runs/first").figures == jantaku.stats(folder).figures
    for quick in (False, True):
        found = jantaku.verify("s3://runs/first", quick=quick)
        assert found.ok
        assert quick or found.games == 12
    asked = [jantaku.ask(f"{run}:3:20", "greedy") for run in ("s3://runs/first", folder)]
    assert asked[0].answers == asked[1].answers
    reviews = [
        jantaku.analyse(run, 0, game=1, hand=0, agent="mc:rollouts=8", rollouts=100)
        for run in ("s3://runs/first", folder)
    ]
    assert reviews[0].decisions == reviews[1].decisions


def test_trainings_read_the_rules_of_a_run_in_a_bucket(folder):
    assert run_table("s3://runs/first") == run_table(folder)
    assert run_table("s3://runs/nothing") is None
    with pytest.raises(ConfigError, match=r"s3://runs/first/run.toml: the run has no labels"):
        Labels.of(Improve(labels=["s3://runs/first"], out="out"))


def test_functions_write_buckets_like_folders(folder, tmp_path):
    shards = [f"s3://runs/shards/{k}" for k in (1, 2, 3)]
    for k, shard in enumerate(shards, 1):
        jantaku.selfplay(12, out=shard, shard=f"{k}/3", **GAMES)
    assert jantaku.merge(shards, "s3://runs/merged")["parts"] == 3
    jantaku.selfplay(8, out="s3://runs/resumed", **GAMES)
    jantaku.selfplay(12, out="s3://runs/resumed", resume=True)
    for run in ("s3://runs/merged", "s3://runs/resumed"):
        assert same_batches(*loaded(run, folder)) > 5000
        assert jantaku.verify(run, quick=True).ok
    matches = [
        jantaku.match("greedy", "random", sets=3, out=out, log="decisions")
        for out in ("s3://runs/match", tmp_path / "match")
    ]
    assert [agent.placements for agent in matches[0].agents] == [
        agent.placements for agent in matches[1].agents
    ]
    for out in ("s3://runs/labelled", tmp_path / "labelled"):
        labelled = jantaku.label("s3://runs/match", out, labels="deals=2,discard=0.02", threads=2)
        assert labelled["complete"]
    assert same_batches(*loaded("s3://runs/labelled", tmp_path / "labelled", labels=True))


def test_the_page_reads_a_bucket(folder):
    """The lines of the page, with the run of this test."""
    section = PAGE.read_text().split("\n## Read a bucket\n")[1]
    code = re.search(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)[1]
    found = {}
    exec(code.replace("s3://bucket/big", "s3://runs/first"), found)
    assert found["figures"].games == 12
    assert found["rows"] > 5000


def test_errors_name_the_place(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_page(CALLS / "servers/buckets.md")
