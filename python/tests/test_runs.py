import inspect
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from harness import files_of

import jantaku
from jantaku import Rules


def test_selfplay_counts_games():
    played = jantaku.selfplay(40, "greedy", seed=3, threads=2)
    assert (played.games, played.complete, played.out) == (40, True, None)
    assert played.hands == played.won_hands + sum(played.draws.values())
    assert [seat["agent"] for seat in played.seats] == ["greedy"] * 4
    assert sum(seat["placements"][0] for seat in played.seats) == 40
    assert "40 games" in repr(played)
    again = jantaku.selfplay(40, "greedy", seed=3, threads=1)
    assert again.seats == played.seats
    assert pickle.loads(pickle.dumps(played)).seats == played.seats


def test_agents_have_names_of_their_own(tmp_path):
    """Names are those of tables and columns, wherever agents are given."""
    named = ["mine=greedy:calls=off", jantaku.Agent("other=random")]
    played = jantaku.selfplay(4, [*named, *named], out=tmp_path / "run", log="hands")
    assert [seat["agent"] for seat in played.seats] == ["mine", "other"] * 2
    stats = jantaku.stats(tmp_path / "run")
    groups = {row["group"] for row in stats.figures if row["group"].startswith("agent ")}
    assert groups == {"agent mine", "agent other"}
    match = jantaku.match(*named, sets=2)
    assert [agent.agent for agent in match.agents] == ["mine", "other"]
    sweep = jantaku.sweep(["tenhou", "mleague"], agents=named[0], games=2)
    assert sweep.figure("players.win", "mleague", group="agent mine")["trials"] > 0


def test_a_run_has_the_same_bytes_in_any_way(tmp_path):
    common = {"agents": "random,greedy,greedy,tsumogiri", "seed": 5, "games_per_part": 10}
    whole = jantaku.selfplay(40, out=tmp_path / "whole", threads=2, **common)
    assert whole.rows["games"] == 40
    shards = [tmp_path / f"shard-{k}" for k in (1, 2, 3)]
    for k, folder in enumerate(shards, start=1):
        part = jantaku.selfplay(40, out=folder, shard=f"{k}/3", threads=1, **common)
        assert part.shard == f"{k}/3"
    merged = jantaku.merge(reversed(shards), tmp_path / "merged")
    assert (merged["games"], merged["parts"]) == (40, 4)
    assert files_of(tmp_path / "merged") == files_of(tmp_path / "whole")
    jantaku.selfplay(20, out=tmp_path / "resumed", threads=1, **common)
    jantaku.selfplay(40, out=tmp_path / "resumed", resume=True)
    assert files_of(tmp_path / "resumed") == files_of(tmp_path / "whole")


def test_info_and_readers_name_stray_files(tmp_path):
    run = tmp_path / "run"
    jantaku.selfplay(4, out=run, games_per_part=2)
    found = jantaku.info(run)
    assert (found.games, found.games_asked, found.parts, found.stray_files) == (4, 4, 2, [])
    assert repr(found) == f"<Info of {str(run)!r}: 4 games of greedy>"
    assert {row["table"]: row["rows"] for row in found.tables}["games"] == 4
    stray = run / "games/part-000007.parquet"
    shutil.copy(run / "games/part-000000.parquet", stray)
    assert jantaku.info(run).stray_files == jantaku.stats(run).stray_files == [str(stray)]
    assert str(stray) in jantaku.verify(run).errors[0]
    with pytest.warns(UserWarning, match="is not in the manifest"):
        next(iter(jantaku.Dataset(run)))


def test_progress_reaches_the_end():
    seen = []
    jantaku.selfplay(300, "greedy", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (300, 300)
    assert seen == sorted(seen)
    jantaku.selfplay(20, "random", progress=True)


INTERRUPTED = """
import sys, jantaku
try:
    print("playing", flush=True)
    jantaku.selfplay(10**9, "greedy", seed=5, out=sys.argv[1], games_per_part=10, log="games")
except KeyboardInterrupt as stopped:
    print("kept", stopped.partial.games)
    raise
"""


def games_of(folder):
    """The games in complete parts."""
    manifest = folder / "manifest.json"
    return json.loads(manifest.read_text())["games"] if manifest.exists() else 0


def test_ctrl_c_keeps_what_is_finished(tmp_path):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", INTERRUPTED, str(folder)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "playing\n"
    # The manifest exists before the first part is complete.
    while games_of(folder) == 0:
        assert child.poll() is None, child.communicate()
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, errors = child.communicate()
    assert "KeyboardInterrupt" in errors, errors
    kept = int(out.split()[1])
    assert kept == games_of(folder)
    assert kept % 10 == 0
    assert kept > 0


def test_other_threads_run_while_games_are_played():
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    def ticks_of(games):
        began = time.monotonic()
        jantaku.selfplay(games, "heuristic", threads=1)
        ended = time.monotonic()
        return sum(began < tick < ended for tick in ticks)

    thread = threading.Thread(target=tick)
    thread.start()
    # More games, if a fast machine ends these too soon or a busy one lets the thread wait.
    ticked = any(ticks_of(games) >= 3 for games in [100, 1000, 10000])
    done.set()
    thread.join()
    assert ticked


def test_a_match_ranks_agents(tmp_path):
    played = jantaku.match("greedy", "tsumogiri", sets=20, seed=1, out=tmp_path / "match")
    assert (played.sets, played.games, played.complete) == (20, 80, True)
    challenger, baseline = played.agents
    assert challenger.placement.value < 1.5 < baseline.placement.value
    assert played.placement_difference.value > 1
    assert "greedy" in repr(played)
    stored = json.loads((tmp_path / "match/result.json").read_text())
    assert stored["sets"] == 20
    with pytest.raises(ValueError, match="`seed`: the match has 1, found 99"):
        jantaku.match(out=tmp_path / "match", seed=99, resume=True)
    longer = jantaku.match(sets=30, out=tmp_path / "match", resume=True)
    assert longer.sets == 30
    whole = jantaku.match("greedy", "tsumogiri", sets=30, seed=1, threads=1)
    assert [agent.placement for agent in whole.agents] == [a.placement for a in longer.agents]
    four = jantaku.match(agents=["greedy", "random", "tsumogiri", "greedy"], sets=2)
    assert [agent.agent for agent in four.agents][-1] == "greedy #2"


def test_a_match_keeps_draws():
    kept = jantaku.match("noisy:p=0.1", "greedy", sets=4, keep_draws=True)
    plain = jantaku.match("noisy:p=0.1", "greedy", sets=4)
    assert (kept.keep_draws, plain.keep_draws) == (True, False)
    assert kept.rules_hash == jantaku.Rules(keep_draws=True).hash != plain.rules_hash
    assert kept.agents[0].points != plain.agents[0].points


def test_a_sequential_test_ends_a_match():
    played = jantaku.match("heuristic", "greedy", sprt=(0, 0.2), sets=2000, seed=1)
    assert played.sprt["decision"] == "accept"
    assert played.conditional
    assert played.sets < 2000


def test_statistics(tmp_path):
    played = jantaku.stats(games=200, agents="greedy", seed=7)
    jantaku.selfplay(200, "greedy", seed=7, out=tmp_path / "run", log="hands")
    stored = jantaku.stats(tmp_path / "run")
    assert stored.figures == played.figures
    row = played.figure("hands.ron")
    assert row["low"] < row["value"] < row["high"]
    assert 0 < row["value"] < 1
    assert {row["name"].split(".")[0] for row in played.figures.of("draws")} == {"draws"}
    only = jantaku.stats(games=50, sections=["draws"])
    assert {row["name"].split(".")[0] for row in only.figures} == {"draws"}
    exact = jantaku.stats(precision="hands.ron=5%")
    assert exact.precision[0]["met"]


def test_data_frames():
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    played = jantaku.stats(games=50, sections=["hands"])
    pandas, polars = played.to_pandas(), played.to_polars()
    assert list(pandas.columns) == polars.columns
    assert len(pandas) == polars.height == len(played.figures)
    assert pandas["value"].tolist() == polars["value"].to_list()
    assert jantaku.selfplay(4).to_pandas()["agent"].tolist() == ["greedy"] * 4
    plan = jantaku.plan(precision="hands.tsumo=9%", agents="tsumogiri", games=10**6)
    assert len(plan.to_pandas()) == 1


def test_a_sweep_compares_rules():
    swept = jantaku.sweep("tenhou", vary={"kuitan": [True, False]}, games=200, seed=2)
    assert [variant["name"] for variant in swept.variants] == ["tenhou", "kuitan=false"]
    row = swept.figure("players.call", "kuitan=false")
    assert row["difference"] < 0
    fields = {"kuitan": [False], "kiriage": [True]}
    both = jantaku.sweep("tenhou", vary=fields, games=2)
    assert len(both.variants) == 2
    one = jantaku.sweep("tenhou", vary=fields, one_at_a_time=True, games=2)
    names = [variant["name"] for variant in one.variants]
    assert names == ["tenhou", "kuitan=false", "kiriage=true"]
    named = jantaku.sweep({"a": "tenhou", "b": Rules(kuitan=False)}, games=200, seed=2)
    assert named.figure("players.call", "b")["value"] == row["value"]


def test_the_program_plays_the_same_games(tmp_path):
    program = os.environ.get("JANTAKU_PROGRAM")
    if program is None:
        pytest.skip("JANTAKU_PROGRAM names the program")
    command = [program, "selfplay", "--games", "30", "--agents", "greedy", "--seed", "4"]
    subprocess.run([*command, "--out", str(tmp_path / "program"), "-q"], check=True)
    jantaku.selfplay(30, "greedy", seed=4, out=tmp_path / "package")
    own = files_of(tmp_path / "package")
    others = files_of(tmp_path / "program")
    assert own == others


def test_matches_report_variance_reduced_results():
    found = jantaku.match("greedy", "random", sets=4, variance_reduction=True)
    assert '"variance_reduced": {' in json.dumps(found.data)
    assert "variance_reduction" in inspect.signature(jantaku.match).parameters
    assert "Also report variance-reduced results" in jantaku.match.__doc__
