"""`Result.html`: results as pages for the browser."""

import dataclasses
import math

import pytest
from harness import page_data

import jantaku


def results(folder):
    jantaku.selfplay(1, "greedy", rules="tenhou-tonpuu", out=folder / "run", log="decisions")
    return [
        jantaku.stats(games=2, agents="greedy"),
        jantaku.sweep("tenhou", vary={"kuitan": [False]}, games=2, agents="greedy"),
        jantaku.match("heuristic", "greedy", sets=2),
        jantaku.league("heuristic,greedy,random,tsumogiri", sets=1),
        jantaku.analyse(folder / "run", 0, game=0, hand=0, agent="mc:rollouts=16", rollouts=100),
    ]


def test_results_are_pages(tmp_path):
    for result in results(tmp_path):
        html = result.html()
        shown = page_data(html)
        if "left_out_of_page" not in shown:
            assert shown == result.data
        assert "a Python program, so there is no command line" in html
        # Each variant of a sweep has rules of its own.
        if "variants" not in result.data:
            assert f"(hash {result.data['rules_hash']})" in html
        frame = result._repr_html_()
        assert frame.startswith('<iframe sandbox="allow-scripts"')
        assert frame.count("<") == 2


def test_pages_need_the_keys_of_results():
    found = jantaku.match("greedy", "random", sets=2)
    incomplete = {key: value for key, value in found.data.items() if key != "sets"}
    with pytest.raises(ValueError, match="missing field `sets`"):
        dataclasses.replace(found, data=incomplete).html()


def test_trainings_are_pages(tmp_path, capsys):
    pytest.importorskip("torch")
    from jantaku.train.__main__ import main

    curve = "network,step,seconds,loss,agreement\na<b>,1,0.5,nan,\na<b>,2,1.0,0.25,0.1\n"
    (tmp_path / "curve.csv").write_text(curve)
    page = tmp_path / "curve.html"
    assert main(["curve", str(tmp_path), "--html", str(page)]) == 0
    html = page.read_text(encoding="utf-8")
    rows = page_data(html)["rows"]
    assert rows[1] == {
        "network": "a<b>",
        "step": 2,
        "seconds": 1.0,
        "loss": 0.25,
        "agreement": 0.1,
    }
    assert rows[0]["loss"] is None
    assert math.isclose(rows[0]["seconds"], 0.5)
    assert "a&lt;b&gt;" in html
    assert "<b>" not in html
    assert main(["curve", str(tmp_path), "--html", str(page)]) == 1
    assert "already exists" in capsys.readouterr().err
