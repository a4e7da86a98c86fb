"""Games as pages for the browser: `view`."""

import html
import os
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from ._jantaku import Agent, FunctionAgent, Game, RecordedGame, read_log


class Page:
    """A page for the browser or a notebook. It needs no other file and no network."""

    html: str
    """The page as HTML."""

    def __init__(self, text: str) -> None:
        """Keeps the HTML of the page."""
        self.html = text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def open(self) -> None:
        """Opens the page in the browser, from a temporary file."""
        handle, name = tempfile.mkstemp(suffix=".html")
        os.close(handle)
        self.save(name)
        webbrowser.open(Path(name).as_uri())

    def _repr_html_(self) -> str:
        """The page in a frame of its own, which cannot reach the notebook."""
        text = html.escape(self.html)
        style = "width: 100%; height: 46rem; border: 0"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{text}"></iframe>'

    def __repr__(self) -> str:
        """The size of the page."""
        return f"<Page {len(self.html)} characters>"


def view(
    game: RecordedGame | Game | str | os.PathLike[str],
    *,
    hand: int = 0,
    seat: int = 0,
    closed: bool = False,
    agent: Agent | FunctionAgent | str | Sequence[Agent | FunctionAgent | str] | None = None,
    threshold: float = 2000.0,
) -> Page:
    """A game as a page for the browser. A notebook shows it in the cell.

    ```python
    jantaku.view("game.mjlog")
    jantaku.view(game, seat=2, closed=True).save("game.html")
    jantaku.view(game, agent=["heuristic", "residual"]).open()
    ```

    Parameters
    ----------
    game : RecordedGame, Game, str or os.PathLike
        The game, or the path of a log, whose first game the page shows.
    hand : int, default 0
        The hand at which the page opens, from 0.
    seat : int, default 0
        The seat at the bottom.
    closed : bool, default False
        Whether only the hand at the bottom is shown.
    agent : str, Agent or sequence, optional
        The agents to ask about each decision: names separated by commas, an agent, or a sequence
        of them. A search such as ``mc`` takes minutes, and its costs are estimates
        only; `analyse` confirms them in fresh rollouts.
    threshold : float, default 2000
        A mistake loses more than this many points.

    Raises
    ------
    AgentError
        If an agent does not answer.

    """
    if isinstance(game, Game):
        game = game.recorded()
    if not isinstance(game, RecordedGame):
        game = read_log(game)[0]
    return Page(game.to_html(hand=hand, seat=seat, closed=closed, agent=agent, threshold=threshold))
