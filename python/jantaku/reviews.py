"""Single decisions and their reasons: `analyse`, `ask`, and `verify` of whole runs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, overload

from ._arguments import check_effect, documented, seed as checked_seed
from ._jantaku import Agent, FunctionAgent, _analyse, _ask, _verify, _verify_again
from ._progress import Progress
from ._types import Agents, AnyRules, Path
from .options import AnalyseOptions, VerifyOptions
from .results import DecisionReport, ReplayedParts, Review, Verification
from .runs import _paths, _run

if TYPE_CHECKING:
    from typing_extensions import Unpack


@documented(AnalyseOptions)
def analyse(
    source: Path,
    seat: int | str,
    *,
    game: int | None = None,
    progress: Progress = False,
    **options: Unpack[AnalyseOptions],
) -> Review:
    """Reviews the decisions of one player by search.

    Searches each decision. Actions that may be better are then tried against the action played, in
    fresh worlds, until the loss is clearly above or below the mistake threshold, or no
    rollouts are left. Losses are estimates of these trials alone.

    ```python
    review = jantaku.analyse("runs/first", seat=0, game=3)
    review.all["lost"]
    [one["sentence"] for one in review.decisions if one["grade"] == "mistake"]
    jantaku.analyse("game.mjlog", seat="E", hand="E3").to_pandas()
    ```

    Parameters
    ----------
    source : str or os.PathLike
        The folder of a run with decisions, or a log.
    game : int, optional
        The number of the game in the run or log, from 0. A log needs none for its first game.
    {options}
    progress : bool or callable
        True for a bar of tqdm. A function receives the searches and steps of trials so far, and
        all that are expected.

    Raises
    ------
    RunError
        If the run cannot be read or has no such game.
    LogError
        If the log cannot be read.
    AgentError
        If the agent does not exist or cannot compare actions.
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the review so far.

    """
    asked = {"source": source, "seat": seat, "game": game, **options}
    return _run(Review, _analyse, asked, progress=progress, unit="searches")


def ask(
    place: Path,
    agents: Agent | FunctionAgent | str | Sequence[Agent | FunctionAgent | str] = "heuristic",
    *,
    seed: int = 0,
    rules: AnyRules | None = None,
) -> DecisionReport:
    """Asks agents what they do in a position, and why.

    ```python
    jantaku.ask("position.toml").answers[0].options
    jantaku.ask("runs/first:3:141", "heuristic,greedy")
    ```

    `Agent.explain` does the same for an observation.

    Parameters
    ----------
    place : str or os.PathLike
        A position in a file (``sim/docs/positions.md``), or a decision: ``RUN:GAME:STEP``,
        ``LOG:STEP`` or ``LOG:GAME:STEP``. All numbers count from 0.
    agents : agent or sequence of agents, default "heuristic"
        Names separated by commas, or agents.
    seed : int, default 0
        Chooses the hidden tiles of a position, and the random numbers of agents.
    rules : Rules, str or os.PathLike, optional
        The rules of a log; they override what it states.

    Raises
    ------
    ValueError
        If there is no such decision, or the position is not valid.
    AgentError
        If an agent does not exist or fails.

    """
    report = _ask(os.fspath(place), agents, checked_seed(seed), rules)
    return DecisionReport(report)


@overload
def verify(
    runs: Path | Iterable[Path],
    *,
    quick: bool = False,
    replay: None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Verification: ...
@overload
def verify(
    runs: Path | Iterable[Path],
    *,
    replay: float | str,
    agents: Agents | None = None,
    progress: Progress = False,
    **options: Unpack[VerifyOptions],
) -> ReplayedParts: ...
@documented(VerifyOptions)
def verify(
    runs: Path | Iterable[Path],
    *,
    quick: bool = False,
    replay: float | str | None = None,
    agents: Agents | None = None,
    progress: Progress = False,
    **options: Unpack[VerifyOptions],
) -> Verification | ReplayedParts:
    """Replays runs from seeds, walls and actions, and compares every value that follows.

    Reports the row and column of each value that differs; for a game that diverges, only the first
    differing row. The agents of a run without decisions play it again. Files without a differing
    value are also compared with the sizes and hashes in the manifest.

    ```python
    assert jantaku.verify("runs/first").ok
    jantaku.verify(["runs/first", "runs/second"], quick=True).differences
    ```

    With ``replay``, agents play some parts again instead, and the bytes of the files are compared.
    This also finds a machine that wrote other games than the agents play:

    ```python
    checked = jantaku.verify("runs/big", replay=0.01, put_back=True)
    for part in checked.wrong:
        print(part["run"], part["part"], part["host"])
    if not checked.ok:
        jantaku.selfplay(out="runs/big", resume=True)
    ```

    Parameters
    ----------
    runs : folder or sequence of folders
        The runs. The complete parts of an incomplete run are verified.
    quick : bool
        Whether to compare only the files with the sizes and hashes in the manifest.
    {options}
    agents : agent or sequence of agents, optional
        As in `selfplay`, if functions played the runs: `FunctionAgent` objects with
        ``deterministic=True``. All agents must be deterministic.
    progress : bool or callable
        As in `selfplay`.

    Returns
    -------
    Verification or ReplayedParts
        `ReplayedParts` with ``replay``.

    Raises
    ------
    RunError
        With ``replay``, if a run cannot be read, its agents cannot play it again, or a file that is
        there cannot be read. Then nothing of this run is removed.
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the differences so far.

    """
    if replay is None:
        for name, value in {"agents": agents, **options}.items():
            is_given = value is not None and value is not False and name != "threads"
            check_effect(name, not is_given, "`replay` is not given")
        asked: dict[str, object] = {"threads": options.get("threads")}
        return _run(Verification, _verify, _paths(runs), bool(quick), asked, progress=progress)
    if quick:
        raise ValueError("`quick`: expected False with `replay`, found True")
    asked = {"replay": replay, "agents": agents, **options}
    return _run(ReplayedParts, _verify_again, _paths(runs), asked, progress=progress)
