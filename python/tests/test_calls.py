"""The pages in ``calls`` show calls and their answers. ``JANTAKU_WRITE=1`` writes the answers."""

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

PAGES = sorted(Path(__file__).with_name("calls").glob("*.md"))
NEEDS = {"gym": ["gymnasium", "pettingzoo"], "trainings": ["torch", "safetensors"]}
BLOCK = re.compile(r"(?<=```pycon\n).*?(?=```)", re.DOTALL)
PROMPT = re.compile(r"((?:>>> .*\n)(?:\.\.\.(?: .*)?\n)*)((?:(?!>>> ).*\n)*)")


def answer(code, names):
    """What a prompt of Python shows: a value, or the last part of a traceback."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            exec(compile(code, "page", "single"), names)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    return shown.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_answers_are_those_of_the_page(tmp_path, monkeypatch, page):
    """Dots in an answer stand for any text."""
    for module in NEEDS.get(page.stem, []):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    names = {}

    def asked(prompt):
        shown, expected = prompt.groups()
        found = answer(re.sub(r"^(>>>|\.\.\.) ?", "", shown, flags=re.MULTILINE), names)
        pattern = re.escape(expected).replace(re.escape("..."), ".*")
        return prompt[0] if re.fullmatch(pattern, found, re.DOTALL) else shown + found

    text = page.read_text(encoding="utf-8")
    found = BLOCK.sub(lambda block: PROMPT.sub(asked, block[0]), text)
    if "JANTAKU_WRITE" in os.environ:
        page.write_text(found, encoding="utf-8")
    assert text.count("\n>>> ") > 20
    assert found == text
