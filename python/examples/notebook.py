"""Shows a table, a hand and its analysis as a notebook shows them, in a page to open in a browser.

In Jupyter, the last line of a cell is enough: ``view``, ``game`` or ``jantaku.Hand("123m…")``.

Usage: python examples/notebook.py [PAGE]
"""

import sys
from pathlib import Path

from IPython.core.formatters import DisplayFormatter

import jantaku


def shown(thing: object) -> str:
    """What a notebook shows for an object."""
    data, _ = DisplayFormatter().format(thing)  # type: ignore[no-untyped-call]
    html: str = data["text/html"]
    return html


def main() -> None:
    """Writes the page."""
    page = Path(sys.argv[1] if len(sys.argv) > 1 else "table.html")
    game = jantaku.Game("tenhou", seed=7)
    while len(game.actions) < 60:
        for view in game.decisions():
            game.submit(view.seat, game.ask("greedy", view.seat))
    view = game.decisions()[0]
    hand = jantaku.Hand("23m456m345p678s9s1z+2z")
    parts = [
        shown(view),
        f"<pre>{view}</pre>",
        shown(game),
        shown(hand),
        f"<p>{hand.discards[0]}</p>",
    ]
    page.write_text("<!doctype html><meta charset='utf-8'>" + "<br>".join(parts), encoding="utf-8")
    print(f"wrote {page}")


if __name__ == "__main__":
    main()
