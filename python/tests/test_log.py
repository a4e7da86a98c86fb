import json

import pytest

from jantaku import Game, LogError, Logs, Rules, parse_log, read_log


def played(seed=1, rules="tenhou"):
    game = Game(rules, seed=seed)
    game.play("greedy")
    return game


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-sanma"])
@pytest.mark.parametrize("kind", ["mjai", "tenhou6"])
def test_games_survive_logs(kind, rules, tmp_path):
    game = played(rules=rules)
    text = game.recorded().to_log(kind)
    path = tmp_path / "game.json"
    path.write_text(text)
    for log in [
        *parse_log(text, rules=rules),
        *read_log(path, rules=rules),
        *Logs(tmp_path, rules),
    ]:
        assert log.rules == Rules(rules)
        assert log.hand_count == game.hand_count
        assert log.is_whole
        replay = log.replay()
        assert replay.differences == []
        assert replay.hands == game.hand_count
        assert len(replay.decisions) == len(game.actions)
        assert log.complete().final_scores == game.scores


def test_replays_show_what_the_players_saw():
    game = played()
    replay = game.recorded().replay()
    again = Game(seed=1)
    for observation, action in replay.decisions:
        assert observation.is_legal(action)
        assert str(again.observe(observation.seat)) == str(observation)
        again.submit(observation.seat, action)
    # What a claim outranked is in no log. It changes nothing that happens.
    assert again.signature == game.signature


def test_differences_are_reported():
    events = played().recorded().events()
    hora = next(event for event in events if event["type"] == "hora")
    hora["hora_points"] += 100
    (log,) = parse_log("\n".join(json.dumps(event) for event in events))
    (difference,) = log.replay().differences
    assert "points" in difference
    with pytest.raises(LogError, match="expected"):
        log.complete()
