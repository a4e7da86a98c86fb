"""`view`: games as pages for the browser."""

from harness import page_data

from jantaku import Agent, Game, view


def test_games_are_pages(tmp_path):
    game = Game("tenhou-sanma", seed=3)
    game.play("greedy")
    page = view(game, hand=1, seat=2, closed=True)
    shown = page_data(page.html)
    assert shown["opening"] == {"seat": 2, "closed": True, "hand": 1, "decision": None}
    assert len(shown["game"]["hands"]) == game.hand_count
    assert [result["points"] for result in shown["game"]["results"]] == game.scores
    page.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == page.html
    log = tmp_path / "game.json"
    log.write_text(game.recorded().to_log("tenhou6"))
    assert page_data(view(log).html)["game"]["hands"] == shown["game"]["hands"]
    frame = page._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts"')
    assert frame.count("<") == 2


def test_games_in_play_are_pages():
    game = Game(seed=1)
    for _ in range(20):
        for decision in game.decisions():
            game.submit(decision.seat, game.ask("greedy", decision.seat))
    assert page_data(view(game).html)["game"]["hands"][0]["steps"]


def advice(html):
    """The advice on each decision of a page."""
    steps = (step for hand in page_data(html)["game"]["hands"] for step in hand["steps"])
    decisions = (decision for step in steps for decision in step.get("decisions", []))
    return [decision["advice"] for decision in decisions if "advice" in decision]


def test_games_have_the_advice_of_agents():
    game = Game("tenhou-tonpuu", seed=3)
    game.play("greedy")
    html = view(game, agent=["mine=heuristic", Agent("greedy")], threshold=300).html
    assert page_data(html)["game"]["advisors"] == [
        {"name": "mine", "text": "heuristic"},
        {"name": "greedy", "text": "greedy"},
    ]
    found = advice(html)
    assert all(len(opinions) == 2 for opinions in found)
    mistakes = [mine for mine, _ in found if mine["grade"] == "mistake"]
    assert mistakes
    assert all(mine["cost"] > 300 for mine in mistakes)
    alone = view(game, agent="mine=heuristic", threshold=300).html
    assert advice(alone) == [[mine] for mine, _ in found]
    assert "advisors" not in page_data(view(game).html)["game"]
