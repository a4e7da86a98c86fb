"""Many games at once: `selfplay`, `match`, `stats`, `sweep`, `info`, `merge` and `label`.

They do the same as the program ``jantaku``, with the same seeds, games, figures and files.

All of them play on threads of their own, and the interpreter stays responsive. Ctrl-C stops them:
complete parts stay on disk, and KeyboardInterrupt is raised. An exception that stops games early,
KeyboardInterrupt or one raised by a function of the caller, has the result so far as its attribute
``partial``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ._arguments import described, documented, optional_texts, several
from ._jantaku import (
    Rules,
    _cases,
    _info,
    _label,
    _match,
    _merge,
    _selfplay,
    _stats,
    _sweep,
)
from ._progress import Bar, Progress
from ._types import Agents, AnyAgent, AnyRules, Path
from .options import LabelOptions, MatchOptions, SelfplayOptions, StatsOptions, SweepOptions
from .results import Cases, Info, Match, Selfplay, Statistics, Sweep

if TYPE_CHECKING:
    from typing_extensions import Unpack

_R = TypeVar("_R")


def _run(
    make: Callable[[dict[str, Any]], _R],
    function: Callable[..., tuple[Any, Any]],
    *arguments: object,
    progress: Progress,
    unit: str = "games",
) -> _R:
    """Returns the result, or raises what stopped the games, with ``partial``: the result so far."""
    with Bar(progress, unit) as shown:
        data, stopped = function(*arguments, shown)
    result = make(data)
    if stopped is not None:
        stopped.partial = result
        raise stopped
    return result


@documented(SelfplayOptions)
def selfplay(
    games: int | None = None,
    agents: Agents | None = None,
    *,
    progress: Progress = False,
    **options: Unpack[SelfplayOptions],
) -> Selfplay:
    """Plays games, and writes them as a run or only counts them.

    ```python
    jantaku.selfplay(10_000, "heuristic", seed=1, out="runs/first", progress=True)
    jantaku.selfplay(1_000, ["heuristic", "greedy", "greedy", my_function], out="runs/mine")
    ```

    Agents are names, `Agent`, `FunctionAgent` or functions, and rules are `Rules`, a preset or a
    rule file.

    Parameters
    ----------
    {options}
    progress : bool or callable
        True for a bar of tqdm. A function receives the games played and all games.

    Raises
    ------
    RunError
        If the run cannot be started, resumed or written.
    AgentError
        If an agent does not exist or cannot start.
    KeyboardInterrupt
        After Ctrl-C. ``resume=True`` continues the run.

    """
    asked = {"games": games, "agents": agents, **options}
    return _run(Selfplay, _selfplay, asked, progress=progress)


@documented(MatchOptions)
def match(
    challenger: AnyAgent | None = None,
    baseline: AnyAgent | None = None,
    *,
    sections: Sequence[str] | None = None,
    progress: Progress = False,
    **options: Unpack[MatchOptions],
) -> Match:
    """Finds out which agent is stronger, with error bars.

    All games of a set are on the same walls, and the agents change seats. Agents and rules are
    those of `selfplay`.

    ```python
    jantaku.match("heuristic", "greedy", sets=500)
    jantaku.match(my_function, "heuristic", sprt=(0, 0.05), out="matches/mine")
    ```

    Parameters
    ----------
    {options}
    sections : sequence of str, default ("players",)
        The sections of the figures.
    progress : bool or callable
        As in `selfplay`, in sets.

    Raises
    ------
    RunError
        If the match cannot be started, resumed or written.

    """
    sections = optional_texts("sections", sections, "players")
    asked = {"challenger": challenger, "baseline": baseline, **options}
    return _run(Match, _match, asked, sections, progress=progress, unit="sets")


def _paths(runs: Path | Iterable[Path]) -> list[Path]:
    paths = [runs] if isinstance(runs, (str, os.PathLike)) else several("runs", runs, "folders")
    if not paths:
        raise ValueError("`runs`: expected at least one folder, found none")
    return paths


def _stored(runs: Path | Iterable[Path] | None, options: Mapping[str, Any]) -> list[Path] | None:
    """The folders of stored runs. Raises TypeError for an option that a stored run has."""
    if runs is None:
        return None
    for name, value in options.items():
        if value is not None and name != "threads":
            raise TypeError(f"`{name}`: a stored run has its own; leave it out")
    return _paths(runs)


@documented(StatsOptions)
def stats(
    runs: Path | Iterable[Path] | None = None,
    *,
    sections: Sequence[str] | None = None,
    progress: Progress = False,
    **options: Unpack[StatsOptions],
) -> Statistics:
    """Measures rates and means over many games, each with a 95 % interval.

    ```python
    jantaku.stats("runs/first").figure("draws.exhaustive")
    jantaku.stats(games=100_000, agents="heuristic").to_pandas()
    jantaku.stats(precision="draws.four-kans=0.001%")
    ```

    Parameters
    ----------
    runs : folder or sequence of folders, optional
        Stored runs, counted together. Without them, games are played.
    {options}
    sections : sequence of str, optional
        The sections of the figures; by default all.
    progress : bool or callable
        As in `selfplay`.

    Raises
    ------
    RunError
        If a run cannot be read, or runs do not fit together.

    """
    sections = optional_texts("sections", sections, "draws")
    stored = _stored(runs, options)
    return _run(Statistics, _stats, stored, {**options}, sections, progress=progress)


@documented(StatsOptions)
def cases(
    of: str,
    by: Sequence[str] = (),
    runs: Path | Iterable[Path] | None = None,
    *,
    progress: Progress = False,
    **options: Unpack[StatsOptions],
) -> Cases:
    """Counts cases of games by conditions: a conditional table, with 95 % intervals.

    ```python
    jantaku.cases("danger", ["class", "turn"], "runs/first").to_pandas()
    jantaku.cases("riichi", ["order"], games=20_000, agents="heuristic")
    ```

    Parameters
    ----------
    of : str
        The cases, such as ``riichi``; ``sim/docs/statistics.md`` defines them.
    by : sequence of str
        The conditions that divide them.
    runs : folder or sequence of folders, optional
        Stored runs with decisions, counted together. Without them, games are played.
    {options}
    progress : bool or callable
        As in `selfplay`.

    Raises
    ------
    RunError
        If a run cannot be read or has no decisions, or runs do not fit together.

    """
    if options.get("precision") is not None:
        raise TypeError("`precision`: cases have no precision; leave it out")
    conditions = optional_texts("by", by, "turn") or []
    stored = _stored(runs, options)
    return _run(Cases, _cases, of, conditions, stored, {**options}, progress=progress)


def _variants(
    rules: AnyRules | Sequence[AnyRules] | Mapping[str, AnyRules], options: SweepOptions
) -> dict[str, Any]:
    """The options of a sweep with lists of rules and of values."""
    if isinstance(rules, (str, os.PathLike, Rules)):
        variants: Any = [rules]
    else:
        variants = rules if isinstance(rules, Mapping) else several("rules", rules, "rules")
    found = {**options, "rules": variants}
    if (vary := options.get("vary")) is not None:
        if not isinstance(vary, Mapping):
            raise TypeError(
                f"`vary`: expected a dict of fields and values, found {described(vary)}"
            )
        found["vary"] = {
            name: [
                "none" if value is None else value
                for value in several(f"vary[{name!r}]", values, "values")
            ]
            for name, values in vary.items()
        }
    return found


@documented(SweepOptions)
def sweep(
    rules: AnyRules | Sequence[AnyRules] | Mapping[str, AnyRules],
    *,
    sections: Sequence[str] | None = None,
    progress: Progress = False,
    **options: Unpack[SweepOptions],
) -> Sweep:
    """Compares variants of the rules on the same walls.

    ```python
    jantaku.sweep("tenhou", vary={"kuitan": [True, False]}, games=20_000)
    jantaku.sweep({"Tenhou": "tenhou", "ours": Rules("tenhou", kiriage=True)}, games=20_000)
    ```

    Parameters
    ----------
    {options}
    sections, progress
        As in `stats`. A precision applies to the differences.

    """
    sections = optional_texts("sections", sections, "draws")
    return _run(Sweep, _sweep, _variants(rules, options), sections, progress=progress)


def info(run: Path) -> Info:
    """Reads what a run has in its folder: agents, rules, parts, rows and the size of each column.

    ```python
    jantaku.info("runs/first").games_asked
    ```

    Parameters
    ----------
    run : str or os.PathLike
        The folder of the run, or its URL in an object store. The run may be in play.

    Raises
    ------
    RunError
        If the run cannot be read.

    """
    return Info(_info(run))


def merge(shards: Iterable[Path], out: Path) -> dict[str, Any]:
    """Joins the shards of a run in a new folder.

    The result has the same bytes as a run without shards. The shards stay unchanged.

    Parameters
    ----------
    shards : iterable of folders
        All the shards, in any order.
    out : str or os.PathLike
        The new or empty folder.

    Returns
    -------
    dict
        The keys of ``jantaku merge --json``: ``out``, ``shards``, ``parts``, ``games``, ``rows``,
        ``agents``, ``rules`` and ``seed``.

    Raises
    ------
    RunError
        If the folders are not all the complete shards of one run.

    """
    merged: dict[str, Any] = _merge(several("shards", shards, "folders"), out)
    return merged


@documented(LabelOptions)
def label(
    run: Path, out: Path, *, progress: Progress = False, **options: Unpack[LabelOptions]
) -> dict[str, Any]:
    """Labels the decisions of a run by rollouts, for training.

    Replays the games of a complete run and writes them to a new one, with the table ``labels`` that
    ``selfplay(labels=True)`` writes.

    ```python
    jantaku.label("runs/first", "runs/labelled", labels="deals=8,discard=0.1")
    jantaku.Dataset("runs/labelled", labels=True)
    ```

    Parameters
    ----------
    {options}
    progress : bool or callable
        True for a bar of tqdm. A function receives the games labelled and all games.

    Returns
    -------
    dict
        ``out``, ``games``, ``rows``, ``complete``, ``seconds``, ``threads``.

    Raises
    ------
    RunError
        If the run cannot be read, or the labelled one cannot be started, resumed or written.
    KeyboardInterrupt
        After Ctrl-C. ``resume=True`` continues.

    """
    return _run(dict, _label, {"run": run, "out": out, **options}, progress=progress)
