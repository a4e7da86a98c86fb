"""Results as text, and as pages for the browser: `print(result)` and `Result.html`."""

import dataclasses
import math
import shutil
import subprocess
import sysconfig

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


def test_results_print_as_tables(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    for result in results(tmp_path):
        text, line = str(result), repr(result)
        assert "\n" not in line
        assert text != line
        assert text.count("\n") > 5
        assert text == text.strip("\n")
        assert max(map(len, text.splitlines())) <= 80
    match = str(jantaku.match("heuristic", "greedy", sets=20))
    for word in ("placement", "points", "win", "deal-in", "heuristic", "greedy"):
        assert word in match


def test_a_text_is_that_of_the_program(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    jantaku.selfplay(20, "greedy", out=tmp_path / "run")
    program = shutil.which("jantaku", path=sysconfig.get_path("scripts"))
    command = [program, "stats", str(tmp_path / "run")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    # It names arguments, so lines may break elsewhere.
    expected = printed.replace("--agents heuristic", 'agents="heuristic"').split()
    assert str(jantaku.stats(tmp_path / "run")).split() == expected


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
