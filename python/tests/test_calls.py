"""The pages in ``calls`` show calls and their answers. ``JANTAKU_WRITE=1`` writes the answers."""

import pytest
from harness import CALLS, check_page

PAGES = sorted(CALLS.glob("*.md"))
NEEDS = {
    "gym": ["gymnasium", "pettingzoo"],
    "trainings": ["torch", "safetensors"],
    "learning": ["torch", "safetensors"],
    "refused": ["torch", "safetensors", "pyarrow"],
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_answers_are_those_of_the_page(tmp_path, monkeypatch, page):
    for module in NEEDS.get(page.stem, []):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    check_page(page)
