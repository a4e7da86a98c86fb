"""Many games at once: `selfplay`, `match`, `stats`, `sweep`, `merge` and `label`.

They do the same as the program ``jantaku``, with the same seeds, games, figures and files.

All of them play on threads of their own, and the interpreter stays responsive. Ctrl-C stops them:
complete parts stay on disk, and KeyboardInterrupt is raised. An exception that stops games early,
KeyboardInterrupt or one raised by a function of the caller, has the result so far as its attribute
``partial``.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from ._arguments import described, optional_number, optional_texts, pair, several, text
from ._arguments import seed as checked_seed
from ._jantaku import Rules, _label, _match, _merge, _read_stats, _selfplay, _simulate, _sweep
from ._progress import Bar, Progress
from ._vec_env import AnyAgent
from .results import Match, Selfplay, Statistics, Sweep

Path: TypeAlias = str | os.PathLike[str]
AnyRules: TypeAlias = Rules | Path
Agents: TypeAlias = AnyAgent | Sequence[AnyAgent]
Detail: TypeAlias = Literal["none", "games", "hands", "decisions", "oracle"]
OnFault: TypeAlias = Literal["stop", "substitute", "forfeit"]

_R = TypeVar("_R")


def _finish(make: Callable[[dict[str, Any]], _R], found: tuple[Any, Any]) -> _R:
    """The result, or the exception that stopped the games, which has the result so far."""
    data, stopped = found
    result = make(data)
    if stopped is not None:
        stopped.partial = result
        raise stopped
    return result


def _options(
    threads: int | None,
    progress: Callable[[int, int | None], object] | None,
    tables: int | None = None,
    on_fault: OnFault | None = None,
    verbose: bool = False,
) -> dict[str, Any]:
    return {
        "threads": optional_number("threads", threads),
        "tables": optional_number("tables", tables),
        "on_fault": text("on_fault", on_fault, "stop"),
        "verbose": bool(verbose),
        "progress": progress,
    }


def _asked_run(
    games: int | None,
    agents: Agents | None,
    rules: AnyRules | None,
    seed: int | None,
    log: str | None,
    games_per_part: int | None,
    shard: str | None = None,
    labels: bool | str | None = None,
) -> dict[str, Any]:
    return {
        "games": optional_number("games", games),
        "agents": agents,
        "rules": rules,
        "seed": None if seed is None else checked_seed(seed),
        "log": text("log", log, "decisions"),
        "games_per_part": optional_number("games_per_part", games_per_part),
        "shard": text("shard", shard, "2/4"),
        "labels": _options_of_labels(labels),
    }


def _options_of_labels(labels: bool | str | None) -> str | None:
    """The options as the program takes them: True for the usual ones."""
    if isinstance(labels, bool):
        return "" if labels else None
    return text("labels", labels, "deals=8,discard=0.1")


def selfplay(
    games: int | None = None,
    agents: Agents | None = None,
    *,
    rules: AnyRules | None = None,
    seed: int | None = None,
    out: Path | None = None,
    log: Detail | None = None,
    games_per_part: int | None = None,
    shard: str | None = None,
    labels: bool | str | None = None,
    resume: bool = False,
    threads: int | None = None,
    tables: int | None = None,
    on_fault: OnFault | None = None,
    verbose: bool = False,
    progress: Progress = False,
) -> Selfplay:
    """Plays games, and writes them as a run or only counts them.

    ```python
    jantaku.selfplay(10_000, "heuristic", seed=1, out="runs/first", progress=True)
    jantaku.selfplay(1_000, ["heuristic", "greedy", "greedy", my_function], out="runs/mine")
    ```

    Parameters
    ----------
    games : int
        The number of games. When resuming, a larger number extends the run.
    agents : agent or sequence of agents, default "greedy"
        One for all seats or one for each: names, `Agent`, `FunctionAgent` or functions.
    rules : Rules, str or os.PathLike, default "tenhou"
        The rules, a preset, or a rule file.
    seed : int, default 0
        The same seed plays the same games. 0 to 2**63 - 1.
    out : str or os.PathLike, optional
        The new or empty folder of the run. Without it, the games are only counted.
    log : {"games", "hands", "decisions", "oracle"}, default "decisions"
        The tables to write: each level also has those before it.
    games_per_part : int, default 1000
        A run that is killed loses the games of unfinished parts.
    shard : str, optional
        A share of the games, such as ``"2/4"``. `merge` joins the shares.
    labels : bool or str, optional
        Whether some decisions are played to the end of the hand with fresh walls, into the table
        ``labels``; or its options, such as ``"deals=8,discard=0.1"``.
    resume : bool
        Continues the run in ``out`` with its own options; those that are given must agree. Begins
        the run if there is none.
    threads : int, optional
        By default one for each processor.
    tables : int, optional
        The maximum number of games in play at once, if an agent is a function, a network or an
        external engine.
    on_fault : {"stop", "substitute", "forfeit"}, default "stop"
        What a fault of an external engine causes.
    verbose : bool
        Whether external engines write to stderr.
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
    asked = _asked_run(games, agents, rules, seed, log, games_per_part, shard, labels)
    with Bar(progress, "games") as shown:
        options = _options(threads, shown, tables, on_fault, verbose)
        found = _selfplay(asked, out, resume, options)
    return _finish(Selfplay, found)


def _asked_match(
    challenger: AnyAgent | None,
    baseline: AnyAgent | None,
    agents: Agents | None,
    sets: int | None,
    sprt: tuple[float, float] | None,
    risk: float | tuple[float, float],
    seatings: str | None,
    rules: AnyRules | None,
    seed: int | None,
    log: str | None,
    shard: str | None = None,
    sections: Sequence[str] | None = None,
    keep_draws: bool = False,
) -> dict[str, Any]:
    return {
        "challenger": challenger,
        "baseline": baseline,
        "agents": agents,
        "sets": optional_number("sets", sets),
        "sprt": None if sprt is None else pair("sprt", sprt),
        "risk": pair("risk", (risk, risk) if isinstance(risk, (int, float)) else risk),
        "seatings": text("seatings", seatings, "1-v-rest"),
        "rules": rules,
        "seed": None if seed is None else checked_seed(seed),
        "log": text("log", log, "hands"),
        "shard": text("shard", shard, "2/4"),
        "sections": optional_texts("sections", sections, "players"),
        "keep_draws": keep_draws,
    }


def match(
    challenger: AnyAgent | None = None,
    baseline: AnyAgent | None = None,
    *,
    agents: Agents | None = None,
    sets: int | None = None,
    sprt: tuple[float, float] | None = None,
    risk: float | tuple[float, float] = 0.05,
    seatings: Literal["1-v-rest", "2-v-2", "all-orders", "rotations"] | None = None,
    rules: AnyRules | None = None,
    keep_draws: bool = False,
    seed: int | None = None,
    out: Path | None = None,
    log: Literal["hands", "decisions", "oracle"] | None = None,
    resume: bool = False,
    sections: Sequence[str] | None = None,
    threads: int | None = None,
    tables: int | None = None,
    on_fault: OnFault | None = None,
    verbose: bool = False,
    progress: Progress = False,
) -> Match:
    """Finds out which agent is stronger, with error bars.

    All games of a set are on the same walls, and the agents change seats.

    ```python
    jantaku.match("heuristic", "greedy", sets=500)
    jantaku.match(my_function, "heuristic", sprt=(0, 0.05), out="matches/mine")
    ```

    Parameters
    ----------
    challenger, baseline : agent
        Two agents: names, `Agent`, `FunctionAgent` or functions.
    agents : sequence of agents, optional
        Instead of two agents, those of one table.
    sets : int
        The number of sets, or with ``sprt`` the maximum.
    sprt : (float, float), optional
        Stops as soon as it is clear whether the placement difference is the second number
        or only the first.
    risk : float or (float, float), default 0.05
        The chance of each wrong decision of ``sprt``.
    seatings : str, optional
        Who sits where in the games of a set: by default ``1-v-rest``, or ``all-orders``.
    keep_draws : bool
        Lets all seats keep their own draws when a call changes the order of turns, so that the
        games of a set have more luck in common.
    rules, seed, out, threads, tables, on_fault, verbose, progress
        As in `selfplay`. ``out`` also gets ``result.json``.
    log : {"hands", "decisions", "oracle"}, default "hands"
        The tables of the run in ``out``.
    resume : bool
        Continues the match in ``out``; more ``sets`` extend it.
    sections : sequence of str, default ("players",)
        The sections of the figures.

    Raises
    ------
    RunError
        If the match cannot be started, resumed or written.

    """
    asked = _asked_match(
        challenger,
        baseline,
        agents,
        sets,
        sprt,
        risk,
        seatings,
        rules,
        seed,
        log,
        sections=sections,
        keep_draws=keep_draws,
    )
    with Bar(progress, "sets") as shown:
        options = _options(threads, shown, tables, on_fault, verbose)
        found = _match(asked, out, resume, options)
    return _finish(Match, found)


def _paths(runs: Path | Iterable[Path]) -> list[Path]:
    paths = [runs] if isinstance(runs, (str, os.PathLike)) else several("runs", runs, "folders")
    if not paths:
        raise ValueError("`runs`: expected at least one folder, found none")
    return paths


def _targets(precision: str | Sequence[str] | None) -> list[str]:
    one = [precision] if isinstance(precision, str) else precision
    return optional_texts("precision", one, "hands.ron=1%") or []


def _asked_stats(
    games: int | None,
    agents: Agents | None,
    rules: AnyRules | None,
    seed: int | None,
    precision: str | Sequence[str] | None,
) -> dict[str, Any]:
    return {
        "games": optional_number("games", games),
        "agents": "greedy" if agents is None else agents,
        "rules": "tenhou" if rules is None else rules,
        "seed": checked_seed(0 if seed is None else seed),
        "precision": _targets(precision),
    }


def stats(
    runs: Path | Iterable[Path] | None = None,
    *,
    games: int | None = None,
    agents: Agents | None = None,
    rules: AnyRules | None = None,
    seed: int | None = None,
    precision: str | Sequence[str] | None = None,
    sections: Sequence[str] | None = None,
    against: Path | None = None,
    threads: int | None = None,
    tables: int | None = None,
    progress: Progress = False,
) -> Statistics:
    """Counts rates and means over many games, each with a 95 % interval.

    ```python
    jantaku.stats("runs/first").figure("draws.exhaustive")
    jantaku.stats(games=100_000, agents="heuristic").to_pandas()
    jantaku.stats(precision="draws.four-kans=0.001%")
    ```

    Parameters
    ----------
    runs : folder or sequence of folders, optional
        Stored runs, counted together. Without them, games are played.
    games : int, optional
        The number of games to play, or with ``precision`` the maximum.
    agents, rules, seed, threads, tables, progress
        As in `selfplay`.
    precision : str or sequence of str, optional
        Plays until both ends of each figure's interval are at most this far from its value.
    sections : sequence of str, optional
        The sections of the figures; by default all.
    against : str or folder, optional
        Published frequencies, such as ``tenhou-2018``, or a stored run, such as converted logs. The
        result's ``against`` has the figures of both.

    Raises
    ------
    RunError
        If a run cannot be read, or runs do not fit together.
    ValueError
        If ``against`` is neither the name of published frequencies nor a folder.

    """
    chosen = optional_texts("sections", sections, "draws")
    with Bar(progress, "games") as shown:
        options = _options(threads, shown, tables)
        if runs is not None:
            given = {
                "games": games,
                "agents": agents,
                "rules": rules,
                "seed": seed,
                "precision": precision,
            }
            for name, value in given.items():
                if value is not None:
                    raise TypeError(f"`{name}`: a stored run has its own; leave it out")
            found = _read_stats(_paths(runs), chosen, against, options)
        else:
            asked = _asked_stats(games, agents, rules, seed, precision)
            found = _simulate(asked, chosen, against, options)
    return _finish(Statistics, found)


def _asked_sweep(
    rules: AnyRules | Sequence[AnyRules] | Mapping[str, AnyRules],
    vary: Mapping[str, Iterable[Any]] | None,
    one_at_a_time: bool,
    games: int | None,
    agents: Agents,
    seed: int,
    precision: str | Sequence[str] | None,
) -> dict[str, Any]:
    variants: list[tuple[str | None, AnyRules]]
    if isinstance(rules, Mapping):
        variants = list(rules.items())
    elif isinstance(rules, (str, os.PathLike, Rules)):
        variants = [(None, rules)]
    else:
        variants = [(None, one) for one in several("rules", rules, "rules")]
    if vary is not None and not isinstance(vary, Mapping):
        raise TypeError(f"`vary`: expected a dict of fields and values, found {described(vary)}")
    for name in vary or {}:
        text("vary", name, "kuitan")
    varied = {
        name: several(f"vary[{name!r}]", values, "values") for name, values in (vary or {}).items()
    }
    return {
        "rules": variants,
        "vary": varied,
        "one_at_a_time": bool(one_at_a_time),
        "games": optional_number("games", games),
        "agents": agents,
        "seed": checked_seed(seed),
        "precision": _targets(precision),
    }


def sweep(
    rules: AnyRules | Sequence[AnyRules] | Mapping[str, AnyRules],
    *,
    vary: Mapping[str, Iterable[Any]] | None = None,
    one_at_a_time: bool = False,
    games: int | None = None,
    agents: Agents = "greedy",
    seed: int = 0,
    precision: str | Sequence[str] | None = None,
    sections: Sequence[str] | None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Sweep:
    """Compares variants of the rules on the same walls.

    ```python
    jantaku.sweep("tenhou", vary={"kuitan": [True, False]}, games=20_000)
    jantaku.sweep({"Tenhou": "tenhou", "ours": Rules("tenhou", kiriage=True)}, games=20_000)
    ```

    Parameters
    ----------
    rules : rules, sequence of rules, or mapping from names to rules
        The variants. The others are compared with the first.
    vary : mapping from fields to values, optional
        Adds a variant of the rules for each combination of values.
    one_at_a_time : bool, default False
        Whether each variant changes one field, instead of all combinations.
    games : int, optional
        The number of games under each variant, or with ``precision`` the maximum.
    agents : agent or sequence of agents, default "greedy"
        Agents that decide one action at a time.
    seed, precision, sections, threads, progress
        As in `stats`. A precision applies to the differences.

    """
    asked = _asked_sweep(rules, vary, one_at_a_time, games, agents, seed, precision)
    chosen = optional_texts("sections", sections, "draws")
    with Bar(progress, "games") as shown:
        found = _sweep(asked, chosen, _options(threads, shown))
    return _finish(Sweep, found)


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
        ``out``, ``games``, ``parts``, ``rows``, ``agents``, ``rules``, ``seed``.

    Raises
    ------
    RunError
        If the folders are not all the complete shards of one run.

    """
    merged: dict[str, Any] = _merge(several("shards", shards, "folders"), out)
    return merged


def label(
    run: Path,
    out: Path,
    *,
    labels: str | None = None,
    shard: str | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: Progress = False,
) -> dict[str, Any]:
    """Labels the decisions of a run by rollouts, for training.

    Replays the games of a complete run and writes them to a new one, with the table ``labels`` as
    of ``selfplay(labels=True)``.

    ```python
    jantaku.label("runs/first", "runs/labelled", labels="deals=8,discard=0.1")
    jantaku.Dataset("runs/labelled", labels=True)
    ```

    Parameters
    ----------
    run : str or os.PathLike
        The folder of a complete run with decisions, which stays as it is.
    out : str or os.PathLike
        The new or empty folder of the labelled run.
    labels : str, optional
        Options such as ``"deals=8,discard=0.1"``.
    shard : str, optional
        A share of the games, such as ``"2/4"``. `merge` joins the shares.
    resume : bool
        Continues the labelled run in ``out``. Begins it if there is none.
    threads : int, optional
        By default one for each processor.
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
    texts = (text("labels", labels, "deals=8,discard=0.1"), text("shard", shard, "2/4"))
    with Bar(progress, "games") as shown:
        found = _label(run, out, *texts, resume, _options(threads, shown))
    return _finish(dict, found)
