"""`view`: games as pages for the browser."""

import json

import pytest

from jantaku import Game, view


def data(html):
    start = html.index('id="data">') + len('id="data">')
    return json.loads(html[start : html.index("</script>", start)])


def test_games_are_pages(tmp_path):
    game = Game("tenhou-sanma", seed=3)
    game.play("greedy")
    page = view(game, hand=1, seat=2, closed=True)
    shown = data(page.html)
    assert shown["opening"] == {"seat": 2, "closed": True, "hand": 1, "decision": None}
    assert len(shown["game"]["hands"]) == game.hand_count
    assert [result["points"] for result in shown["game"]["results"]] == game.scores
    page.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == page.html
    log = tmp_path / "game.json"
    log.write_text(game.recorded().to_log("tenhou6"))
    assert data(view(log).html)["game"]["hands"] == shown["game"]["hands"]
    frame = page._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts"')
    assert frame.count("<") == 2


def test_games_in_play_are_pages():
    game = Game(seed=1)
    for _ in range(20):
        for decision in game.decisions():
            game.submit(decision.seat, game.ask("greedy", decision.seat))
    assert data(view(game).html)["game"]["hands"][0]["steps"]


def test_other_hands_and_seats_are_refused():
    game = Game(seed=1)
    game.play("tsumogiri")
    with pytest.raises(ValueError, match="hand 99: expected less than"):
        view(game, hand=99)
    with pytest.raises(ValueError, match="seat 4: expected less than 4"):
        view(game, seat=4)
