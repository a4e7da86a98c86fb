import pickle
import shutil
import socket

import pytest

import jantaku
from jantaku import RunError

POSITION = """
rules = "tenhou"
round = "E1"
indicators = "3m"
seat = "east"
[east]
hand = "234m23488p55677s+9p"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    jantaku.selfplay(3, "random,greedy,greedy,greedy", seed=3, out=folder, games_per_part=2)
    return folder


def test_a_review_adds_up(run):
    seen = []
    review = jantaku.analyse(
        run,
        0,
        game=1,
        hand=0,
        agent="mc:rollouts=16",
        rollouts=20_000,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert (review.seat, review.player, review.agent) == (0, "random", "mc:rollouts=16")
    decisions = review.decisions
    assert (
        len(decisions) == review.all["compared"] == sum(kind["compared"] for kind in review.kinds)
    )
    assert len(decisions) > 0
    assert {decision["hand"] for decision in decisions} == {0}
    for decision in decisions:
        assert decision["alternatives"]
        assert (decision["loss"] > decision["loss_error"]) == (decision["better"] is not None)
        is_mistake = decision["grade"] in ("mistake", "disputed")
        assert is_mistake == (decision["sentence"] is not None)
        assert decision["trial"] is not None or decision["loss"] == 0
    lost = sum(decision["loss"] for decision in decisions)
    assert review.all["lost"] == pytest.approx(lost, rel=1e-4)
    assert review.all["lost_low"] <= review.all["lost"] <= review.all["lost_high"]
    assert review.threshold == {"points": 2000, "placements": None}
    assert seen[-1][0] == seen[-1][1] >= len(decisions)
    assert "Review of seat 0, random" in repr(review)
    assert len(review.to_pandas()) == len(decisions)
    mc = jantaku.Agent("mc:rollouts=16")
    again = jantaku.analyse(run, 0, game=1, hand=0, agent=mc, rollouts=20_000)
    assert again == review
    places = jantaku.analyse(run, 0, game=1, hand=0, agent=mc, rollouts=0, threshold_places=0.05)
    assert places.threshold == {"points": None, "placements": pytest.approx(0.05)}
    assert places.all["mistakes"] == 0
    assert places.all["unknown"] == places.all["undecided"]
    untried = [decision for decision in places.decisions if decision["loss"] is None]
    assert len(untried) == places.all["unknown"]
    assert pickle.loads(pickle.dumps(review)) == review


def test_a_log_is_reviewed(tmp_path):
    game = jantaku.Game(seed=1)
    game.play("greedy")
    log = tmp_path / "game.mjson"
    log.write_text(game.recorded().to_log("mjai"))
    review = jantaku.analyse(log, 2, hand=0, agent="mc:rollouts=8", rollouts=1000)
    assert review.all["compared"] + review.clear > 0


def test_an_agent_explains_its_choice():
    view = jantaku.Game(seed=1).decisions()[0]
    agent = jantaku.Agent("heuristic")
    reasons = agent.explain(view)
    assert reasons.agent == reasons.text == agent.name
    named = jantaku.Agent("mine=heuristic:calls=off").explain(view)
    assert (named.agent, named.text) == ("mine", "heuristic:calls=off")
    assert reasons.action == view.describe(agent.choose(view))
    assert reasons.options[0]["action"] == reasons.action
    assert {view.describe(action) for action in view.legal} >= {
        option["action"] for option in reasons.options
    }
    known = [option["value"] for option in reasons.options if "value" in option]
    assert known == sorted(known, reverse=True)
    assert len(reasons.to_pandas()) == len(reasons.options)
    assert reasons.action in repr(reasons)
    assert reasons.why.startswith(f"it has the highest value of {len(reasons.options)} actions: ")
    assert "; it wins " in reasons.why
    assert reasons.unit == "points"
    greedy = jantaku.Agent("greedy").explain(view)
    assert len(greedy.options) == 0
    assert greedy.why.startswith("its rule: ")
    assert greedy.unit is None


def test_a_correction_explains_its_parts():
    view = jantaku.Game(seed=1).decisions()[0]
    reasons = jantaku.Agent("residual").explain(view)
    assert len(reasons.options) > 1
    corrected = [one for one in reasons.options if "correction" in one]
    assert 1 < len(corrected) < len(reasons.options)
    for one in corrected:
        assert one["value"] == pytest.approx(one["base"] + one["correction"], abs=0.01)
    assert all("value" in one for one in reasons.options)
    assert reasons.action in {one["action"] for one in reasons.options}
    assert reasons.why.startswith("heuristic would ")
    assert reasons.unit == "points"
    assert f"{len(reasons.options)} options" in repr(reasons)
    assert "correction" not in jantaku.Agent("heuristic").explain(view).options[0]


def test_a_search_explains_its_values():
    view = jantaku.Game(seed=1).decisions()[0]
    reasons = jantaku.Agent("mc:rollouts=8").explain(view, seed=4)
    assert reasons.options
    assert all({"value", "standard_error"} <= set(row) for row in reasons.options)


def test_positions_and_decisions_are_asked(run, tmp_path):
    position = tmp_path / "position.toml"
    position.write_text(POSITION)
    report = jantaku.ask(position, "heuristic,greedy")
    assert (report.seat, report.drawn, report.chosen) == (0, "9p", None)
    assert report.assumed == ["`score` is 25000 for east, south, west, north"]
    assert [one.agent for one in report.answers] == ["heuristic", "greedy"]
    assert all(one.action in report.legal for one in report.answers)
    assert "heuristic" in repr(report)
    assert len(report.to_pandas()) == 2
    stored = jantaku.ask(f"{run}:1:0", ["heuristic", jantaku.Agent("tsumogiri")])
    assert stored.chosen in stored.legal
    assert stored.place == f"decision 0 of game 1 of {run}"


def test_a_run_is_verified(run, tmp_path):
    verification = jantaku.verify(run)
    assert verification.ok
    assert verification.complete
    assert (verification.games, verification.games_stored) == (3, 3)
    assert jantaku.verify([run], quick=True, threads=1).ok
    assert "3 games: 0 differences, 0 errors" in repr(verification)
    forged = shutil.copytree(run, tmp_path / "forged")
    config = forged / "run.toml"
    config.write_text(config.read_text().replace("seed = 3\n", "seed = 4\n"))
    found = jantaku.verify([run, forged])
    assert not found.ok
    assert found.difference_count == len(found.differences) > 0
    assert {row["run"] for row in found.differences} == {str(forged)}
    missing = jantaku.verify(tmp_path / "nothing")
    assert (missing.error_count, missing.games) == (1, 0)
    assert "nothing" in missing.errors[0]


def parts_of(run):
    return {path.name: path.read_bytes() for path in sorted(run.glob("*/part-*"))}


def test_a_part_of_another_seed_is_found_and_played_again(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for run, seed in [(one, 3), (other, 4)]:
        jantaku.selfplay(8, "greedy", seed=seed, games_per_part=2, out=run)
    checked = jantaku.verify(one, replay=0.5, seed=1)
    assert checked.ok
    assert checked.complete
    assert (checked.parts, checked.games) == (2, 4)
    before = (one / "manifest.json").read_bytes()
    decisions = (one / "decisions/part-000003.parquet").read_bytes()
    shutil.copy(other / "decisions/part-000003.parquet", one / "decisions")
    found = jantaku.verify([one, other], replay=1.0, put_back=True, threads=1)
    assert not found.ok
    assert repr(found) == "<ReplayedParts of 8 parts with 16 games: 1 wrong>"
    (wrong,) = found.wrong
    assert (wrong["run"], wrong["part"], wrong["first_game"]) == (str(one), 3, 6)
    assert wrong["host"] == socket.gethostname()
    assert [file["path"] for file in wrong["files"]] == ["decisions/part-000003.parquet"]
    assert wrong["put_back"]
    jantaku.selfplay(out=one, resume=True)
    assert (one / "decisions/part-000003.parquet").read_bytes() == decisions
    assert (one / "manifest.json").read_bytes() == before
    assert jantaku.verify(one, replay=4).parts == 4


def test_functions_are_asked_again(tmp_path):
    def last(batch):
        return [view.legal[-1] for view in batch.observations]

    def first(batch):
        return [view.legal[0] for view in batch.observations]

    def fails(batch):
        raise LookupError("no weights")

    def agent(function, **options):
        return jantaku.FunctionAgent(function, name="mine", **options)

    exact = {"deterministic": True}
    jantaku.selfplay(2, agent(last, **exact), games_per_part=1, out=tmp_path / "run")
    assert jantaku.verify(tmp_path / "run", replay=2, agents=agent(last, **exact)).ok
    found = jantaku.verify(tmp_path / "run", replay=2, agents=agent(first, **exact))
    assert [part["part"] for part in found.wrong] == [0, 1]
    assert not found.wrong[0]["put_back"]
    for agents, error, what in [
        (agent(last), RunError, "`mine` is not a deterministic function"),
        (agent(fails, **exact), LookupError, "no weights"),
        ("greedy", ValueError, "`agents`: expected those of .*, mine,mine,mine,mine, found greedy"),
        (None, RunError, "give it to `jantaku.verify` as an agent"),
    ]:
        with pytest.raises(error, match=what):
            jantaku.verify(tmp_path / "run", replay=1, agents=agents)
