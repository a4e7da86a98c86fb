"""The functions of one machine over a Ray cluster: games, figures, labels, and a training's actors.

`selfplay`, `match`, `league`, `stats`, `sweep` and `label` take the arguments of the functions of
the same names in `jantaku`, and return the same results. What they write has the same bytes, if the
agents are deterministic. `Actors` play for a learner, with the weights that it sends. An
`Evaluator` holds a network on a device and answers the tasks of all nodes.

Games are played by tasks of about a minute or less, each a share of the games. Ray starts the task
of a lost worker or node again. What it had written in complete parts stays.

``python/docs/cluster.md`` has the arithmetic of clusters, and how to do the same without Ray.

Runs can be in a bucket (``out="s3://bucket/run"``): each worker writes its share there, and the
store joins them. The workers need the keys of the bucket in their environment.

Not here:

- Matches with ``sprt``. A sequential test looks at its estimate after each round of sets, in order,
  and ends after the fewest that decide, so shares would be played beyond its end. `jantaku.match`
  plays it on the threads of one machine. On a cluster, play a fixed number of sets, which
  ``jantaku.plan`` finds.
"""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeVar

try:
    import ray
except ImportError as error:
    raise ImportError("jantaku.ray needs Ray: pip install jantaku[ray]") from error

from . import runs, tournaments
from ._actors import Actors
from ._arguments import flag, optional_texts, text
from ._cluster import Cluster, further
from ._evaluator import Evaluator
from ._jantaku import (
    RunError,
    _entries,
    _Gathering,
    _league_plan,
    _league_report,
    _match,
    _match_shape,
    _remove_folder,
    _run_state,
)
from ._progress import Progress
from ._shares import (
    Run,
    Shares,
    absolute,
    is_url,
    label_share,
    play_match,
    play_selfplay,
    play_table,
    shares_of,
)
from ._tallies import Tallies, play_stats, play_sweep
from ._vec_env import AnyAgent
from .results import League, Match, Selfplay, Statistics, Sweep
from .runs import Agents, AnyRules, Detail, OnFault

__all__ = [
    "Actors",
    "Evaluator",
    "label",
    "league",
    "match",
    "selfplay",
    "stats",
    "sweep",
]

_R = TypeVar("_R")

_COUNTS = ("games", "hands", "decisions", "won_hands", "multiple_rons", "draws", "seats")
"""The entries of the results of shares that are added up."""


def _sum(values: Sequence[Any]) -> Any:
    """The sum of counts: those of lists and dicts entry by entry. Texts are the same in all."""
    first = values[0]
    if isinstance(first, dict):
        return {key: _sum([value[key] for value in values]) for key in first}
    if isinstance(first, list):
        return [_sum(entries) for entries in zip(*values, strict=True)]
    return first if isinstance(first, str) else sum(values)


def _faults(results: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The faults of all shares."""
    faults: Counter[tuple[str, str]] = Counter()
    for fault in (fault for result in results for fault in result["faults"]):
        faults[fault["agent"], fault["kind"]] += fault["count"]
    return [{"agent": agent, "kind": kind, "count": n} for (agent, kind), n in faults.items()]


@contextmanager
def _folder(out: runs.Path | None, shared: bool) -> Iterator[tuple[str, bool]]:
    """The folder of a run, and whether the nodes share it: for None a temporary one."""
    flag("shared", shared)
    if out is None:
        with tempfile.TemporaryDirectory(prefix="jantaku-") as own:
            yield f"{own}/run", False
        return
    folder = os.fspath(out)
    if is_url(folder) and not shared:
        raise ValueError(
            f"`shared`: expected True for {folder}, into which all machines write, found False"
        )
    yield folder.rstrip("/"), shared


def _is_joined(out: str) -> bool:
    """Whether an earlier call joined the shares of a run: then the run is complete.

    One that was killed while it joined them left files of the run, which are joined again.
    """
    found = _entries(out)
    if "manifest.json" in found and _run_state(out)["complete"]:
        return True
    if found and not _entries(_shares_folder(out)):
        raise RunError(f"{out}: is not empty; choose a new or empty folder")
    return False


def _shares_folder(out: str) -> str:
    return out + ".shards"


def selfplay(
    games: int,
    agents: Agents = "greedy",
    *,
    out: runs.Path,
    rules: AnyRules | None = None,
    seed: int = 0,
    log: Detail | None = None,
    games_per_part: int = 1000,
    labels: bool | str | None = None,
    shards: int | None = None,
    cpus: int = 1,
    retries: int = 3,
    shared: bool = True,
    keep_shards: bool = False,
    tables: int | None = None,
    on_fault: OnFault | None = None,
    verbose: bool = False,
    resources: Mapping[str, Any] | None = None,
    progress: Progress = False,
) -> Selfplay:
    """Plays games on a Ray cluster and writes them as one run.

    ```python
    ray.init("auto")
    jantaku.ray.selfplay(10_000_000, "heuristic", out="/shared/runs/big", progress=True)
    ```

    The run has the same bytes as that of ``jantaku.selfplay`` on one machine, if the agents are
    deterministic. If the call is stopped, the shares stay in ``OUT.shards``, and the same call
    continues them.

    Parameters
    ----------
    games, agents, rules, seed, log, games_per_part, labels, tables, on_fault, verbose
        As in ``jantaku.selfplay``.
    out : str or os.PathLike
        The new or empty folder of the run, or its URL in an object store such as
        ``s3://bucket/run``. All machines must see its parent, unless ``shared`` is False. Those
        that write to a store need its keys in their environment.
    shards : int, optional
        The number of shares, at most one for each part. By default one for each part, and at most
        10,000. So ``games_per_part`` decides how long a task takes.
    cpus : int, default 1
        The processors and threads of a task.
    retries : int, default 3
        How often a share whose worker or node is lost is started again; -1 for always, such as on
        spot nodes.
    shared : bool, default True
        Whether the workers write into ``OUT.shards``, as they always do under a URL. If not, each
        plays into a folder of its own machine and sends the files through Ray's object store; then
        a lost worker's share starts over.
    keep_shards : bool
        Whether the folders of the shares stay after they are joined.
    resources : dict, optional
        Further options of the tasks, such as ``{"num_gpus": 1}``.
    progress : bool or callable
        As in ``jantaku.selfplay``.

    Returns
    -------
    Selfplay
        As ``jantaku.selfplay``: the counts are those of the games that this call played, and
        ``rows`` those of the whole run. Its ``data`` also has ``shards`` and ``parts``. If the
        worker of a share with several parts was lost, the parts that it had completed are not
        counted.

    Raises
    ------
    RunError
        If the run cannot be started or written.
    AgentError
        If an agent does not exist or cannot start.
    ray.exceptions.RayError
        If a worker of the same share is lost more than ``retries`` times.
    KeyboardInterrupt
        After Ctrl-C. The same call continues the run.

    """
    began = time.monotonic()
    asked = runs._asked_run(games, agents, rules, seed, log, games_per_part, labels=labels)
    with _folder(out, shared) as (folder, shared):
        cluster = Cluster(cpus, retries, further(resources))
        options = runs._options(cpus, None, tables, on_fault, verbose)
        shares = Shares(cluster, shards, shared, keep_shards, options)
        parts = -(-games // games_per_part)
        run = _run(play_selfplay, asked, folder, games, parts)
        many = len(shares_of(run, shards))
        results = shares.play([run], progress)
        state = _run_state(folder)
        found = {
            **results[0],
            **{name: _sum([result[name] for result in results]) for name in _COUNTS},
            "first_game": min(result["first_game"] for result in results),
            "shard": None,
            "out": os.fspath(out),
            "faults": _faults(results),
            "seconds": time.monotonic() - began,
            "shards": many,
            "parts": state["parts"],
            "rows": state["rows"],
        }
    return Selfplay(found)


def _run(play: Any, asked: Any, folder: str, games: int, parts: int) -> Run:
    joined = _is_joined(folder)
    return Run(play, ray.put(asked), folder, _shares_folder(folder), games, parts, joined)


def match(
    challenger: AnyAgent | None = None,
    baseline: AnyAgent | None = None,
    *,
    agents: Agents | None = None,
    sets: int,
    out: runs.Path | None = None,
    seatings: Literal["1-v-rest", "2-v-2", "all-orders", "rotations"] | None = None,
    rules: AnyRules | None = None,
    keep_draws: bool = False,
    seed: int = 0,
    log: Literal["hands", "decisions", "oracle"] | None = None,
    sections: Sequence[str] | None = None,
    shards: int | None = None,
    cpus: int = 1,
    retries: int = 3,
    shared: bool = True,
    keep_shards: bool = False,
    tables: int | None = None,
    on_fault: OnFault | None = None,
    verbose: bool = False,
    resources: Mapping[str, Any] | None = None,
    progress: Progress = False,
) -> Match:
    """Plays the sets of a match on a Ray cluster, and counts them on this machine.

    ```python
    jantaku.ray.match("heuristic", "greedy", sets=100_000, out="/shared/match")
    ```

    The shares are whole parts of about 1000 games, or of one set if an agent is slow. The result is
    that of ``jantaku.match`` with the same arguments, which also extends the match:
    ``jantaku.match(out=…, sets=…, resume=True)``.

    Parameters
    ----------
    challenger, baseline, agents, sets, seatings, rules, keep_draws, seed, log, sections, on_fault
        As in ``jantaku.match``. There is no ``sprt``: a sequential test looks at the sets in order
        and ends after the fewest that decide, so ``jantaku.match`` plays it on one machine. Here,
        play a fixed number of sets: ``jantaku.plan`` finds how many show a difference.
    out : str or os.PathLike, optional
        As in `selfplay`. Without it, the hands come to this machine and are only counted.
    shards, cpus, retries, shared, keep_shards, tables, verbose, resources, progress
        As in `selfplay`.

    """
    began = time.monotonic()
    asked = runs._asked_match(
        challenger,
        baseline,
        agents,
        sets,
        None,
        0.05,
        seatings,
        rules,
        seed,
        log,
        sections=sections,
        keep_draws=keep_draws,
    )
    if out is None and log is not None:
        raise ValueError("`log`: expected `out`, too, found none")
    options = runs._options(cpus, None, tables, on_fault, verbose)
    shape = _match_shape(asked, options)
    with _folder(out, shared) as (folder, shared):
        cluster = Cluster(cpus, retries, further(resources))
        run = _run(play_match, asked, folder, shape["games"], shape["parts"])
        shares = Shares(cluster, shards, shared, keep_shards, options)
        shares.play([run], progress, "sets", shape["games"] // sets)
        found, _ = _match(
            {**asked, "rules": None, "seed": None, "log": None, "keep_draws": False},
            folder,
            True,
            options,
        )
    found["out"] = None if out is None else os.fspath(out)
    counted = Match(found)
    counted.speed["cluster_seconds"] = time.monotonic() - began
    return counted


def league(
    agents: Agents | None = None,
    *,
    sets: int | None = None,
    rules: AnyRules | None = None,
    seed: int | None = None,
    seatings: Literal["rotations", "all-orders"] | None = None,
    out: runs.Path | None = None,
    log: Detail | None = None,
    resume: bool = False,
    anchor: AnyAgent | None = None,
    anchor_rating: float = 0.0,
    shards: int | None = None,
    cpus: int = 1,
    retries: int = 3,
    shared: bool = True,
    keep_shards: bool = False,
    tables: int | None = None,
    on_fault: OnFault | None = None,
    verbose: bool = False,
    resources: Mapping[str, Any] | None = None,
    progress: Progress = False,
) -> League:
    """Rates agents by games of all tables on a Ray cluster.

    ```python
    jantaku.ray.league("heuristic,greedy,random,tsumogiri", sets=10_000, out="/shared/league")
    ```

    A task plays a share of the games of a table. The league has the same bytes as that of
    ``jantaku.league``, if the agents are deterministic, and both resume the leagues of each other.
    If the call is stopped, the shares stay in ``OUT.shards``, and ``resume=True`` continues them.
    A table that has begun in ``out`` is continued there by one task.

    Parameters
    ----------
    agents, sets, rules, seed, seatings, log, resume, anchor, anchor_rating
        As in ``jantaku.league``.
    out : str or os.PathLike, optional
        The new or empty folder of the league. All machines must see its parent, unless ``shared``
        is False. Without it, the results come to this machine and are only counted.
    shards : int, optional
        The number of shares of each table.
    cpus, retries, shared, keep_shards, tables, on_fault, verbose, resources, progress
        As in `selfplay`.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the ratings by the tables that are complete.

    """
    began = time.monotonic()
    asked = tournaments._asked_league(
        agents, sets, rules, seed, seatings, log, anchor, anchor_rating
    )
    if out is None:
        if resume:
            raise ValueError("`out`: expected the folder of a league, found none")
        asked["log"] = asked["log"] or "games"
    elif is_url(os.fspath(out)):
        raise ValueError(
            f"`out`: expected a folder, in which a league has its tables, found {os.fspath(out)}"
        )
    options = runs._options(cpus, None, tables, on_fault, verbose)
    with _folder(out, shared) as (folder, shared):
        plan = _league_plan(asked, folder, resume, options)
        before = sum(table["played"] or 0 for table in plan["tables"])

        cluster = Cluster(cpus, retries, further(resources))
        shares = Shares(cluster, shards, shared, keep_shards, options)

        def report() -> League:
            """The ratings by the tables that are complete, or in parts if they had begun."""
            seconds = time.monotonic() - began
            found = _league_report(asked, folder, before, seconds, cpus)
            return League({**found, "out": None if out is None else os.fspath(out)})

        try:
            shares.play(list(_tables(plan, agents, folder)), progress)
        except BaseException as stopped:
            stopped.partial = report()  # type: ignore[attr-defined]
            raise
        if not keep_shards:
            _remove_folder(_shares_folder(folder))
        return report()


def _tables(plan: Mapping[str, Any], agents: Agents | None, folder: str) -> Iterator[Run]:
    """The runs of the tables of a league."""
    asked = ray.put((plan["config"], agents))
    for index, table in enumerate(plan["tables"]):
        yield Run(
            partial(play_table, table=index),
            asked,
            f"{folder}/tables/{table['name']}",
            f"{_shares_folder(folder)}/{table['name']}",
            table["games"],
            table["parts"],
            table["played"] is not None,
        )


def stats(
    *,
    games: int | None = None,
    agents: Agents | None = None,
    rules: AnyRules | None = None,
    seed: int | None = None,
    precision: str | Sequence[str] | None = None,
    sections: Sequence[str] | None = None,
    against: runs.Path | None = None,
    cpus: int = 1,
    retries: int = 3,
    tables: int | None = None,
    resources: Mapping[str, Any] | None = None,
    progress: Progress = False,
) -> Statistics:
    """Plays games on a Ray cluster and counts rates and means over them.

    ```python
    jantaku.ray.stats(games=10_000_000, agents="heuristic").figure("draws.exhaustive")
    ```

    All figures are those of ``jantaku.stats``, to the last digit, if the agents are deterministic.
    Nothing is written. A task plays for up to a minute and returns its sums, so a lost worker costs
    a minute. With ``precision``, games are played in batches of 512 or a tenth of those before; the
    next batch begins when all nodes have finished the last one.

    Parameters
    ----------
    games, agents, rules, seed, precision, sections, against
        As in ``jantaku.stats``.
    cpus, retries, tables, resources, progress
        As in `selfplay`.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the figures of the first games.

    """
    asked = runs._asked_stats(games, agents, rules, seed, precision)
    chosen = optional_texts("sections", sections, "draws")
    options = runs._options(cpus, None, tables)
    gathering = _Gathering.of_stats(asked)
    tallies = Tallies(
        Cluster(cpus, retries, further(resources)), gathering, play_stats, asked, options
    )
    return _counted(Statistics, tallies, gathering, chosen, against, progress)


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
    cpus: int = 1,
    retries: int = 3,
    resources: Mapping[str, Any] | None = None,
    progress: Progress = False,
) -> Sweep:
    """Compares variants of the rules on the same walls, on a Ray cluster.

    ```python
    jantaku.ray.sweep("tenhou", vary={"kuitan": [True, False]}, games=1_000_000)
    ```

    All figures are those of ``jantaku.sweep``, to the last digit. A task plays its games under
    every variant.

    Parameters
    ----------
    rules, vary, one_at_a_time, games, agents, seed, precision, sections
        As in ``jantaku.sweep``.
    cpus, retries, resources, progress
        As in `selfplay`.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the figures of the first games.

    """
    asked = runs._asked_sweep(rules, vary, one_at_a_time, games, agents, seed, precision)
    chosen = optional_texts("sections", sections, "draws")
    options = runs._options(cpus, None)
    gathering = _Gathering.of_sweep(asked)
    tallies = Tallies(
        Cluster(cpus, retries, further(resources)), gathering, play_sweep, asked, options
    )
    return _counted(Sweep, tallies, gathering, chosen, None, progress)


def _counted(
    make: Callable[[dict[str, Any]], _R],
    tallies: Tallies,
    gathering: _Gathering,
    sections: Sequence[str] | None,
    against: runs.Path | None,
    progress: Progress,
) -> _R:
    """The figures of the games of a cluster."""
    began = time.monotonic()

    def report(complete: bool) -> _R:
        seconds = time.monotonic() - began
        return make(gathering.report(sections, against, complete, seconds))

    try:
        tallies.run(progress)
    except BaseException as stopped:
        stopped.partial = report(complete=False)  # type: ignore[attr-defined]
        raise
    return report(complete=True)


def label(
    run: runs.Path,
    out: runs.Path,
    *,
    labels: str | None = None,
    shards: int | None = None,
    cpus: int = 1,
    retries: int = 3,
    shared: bool = True,
    keep_shards: bool = False,
    resources: Mapping[str, Any] | None = None,
    progress: Progress = False,
) -> dict[str, Any]:
    """Labels the decisions of a run by rollouts on a Ray cluster, for training.

    ```python
    jantaku.ray.label("/shared/run", "/shared/labelled", labels="deals=8,discard=0.1")
    ```

    The labelled run has the same bytes as that of ``jantaku.label``.

    Parameters
    ----------
    run : str or os.PathLike
        The folder or URL of a complete run with decisions, which all machines see. It is not a
        shard, and its games do not come from logs.
    out : str or os.PathLike
        The new or empty folder of the labelled run, or its URL.
    labels : str, optional
        Options such as ``"deals=8,discard=0.1"``.
    shards, cpus, retries, shared, keep_shards, resources, progress
        As in `selfplay`.

    Returns
    -------
    dict
        As ``jantaku.label``: ``out``, ``games``, ``rows``, ``complete``, ``seconds``, ``threads``.

    """
    began = time.monotonic()
    source = absolute(os.fspath(run))
    asked = (source, text("labels", labels, "deals=8,discard=0.1"))
    state = _run_state(source)
    with _folder(out, shared) as (folder, shared):
        cluster = Cluster(cpus, retries, further(resources))
        shares = Shares(cluster, shards, shared, keep_shards, runs._options(cpus, None))
        parts = -(-state["asked"] // state["games_per_part"])
        labelled = _run(label_share, asked, folder, state["asked"], parts)
        results = shares.play([labelled], progress)
        return {
            **results[0],
            "out": os.fspath(out),
            "games": state["asked"],
            "rows": _run_state(folder)["rows"],
            "seconds": time.monotonic() - began,
        }
