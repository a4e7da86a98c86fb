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

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

try:
    import ray
except ImportError as error:
    raise ImportError("jantaku.ray needs Ray: pip install jantaku[ray]") from error

from ._actors import Actors
from ._arguments import documented, flag, optional_texts
from ._cluster import Cluster, further
from ._evaluator import Evaluator
from ._jantaku import (
    RunError,
    _entries,
    _Gathering,
    _label,
    _league_plan,
    _league_report,
    _match,
    _match_shape,
    _match_shard,
    _remove_folder,
    _run_state,
    _selfplay,
    _simulate_share,
    _sweep_share,
)
from ._progress import Progress
from ._shares import (
    Run,
    Shares,
    absolute,
    is_url,
    play_share,
    play_table,
    shares_of,
)
from ._tallies import Tallies
from ._types import Agents, AnyAgent, AnyRules, Path
from .options import (
    LabelOptions,
    LeagueOptions,
    MatchOptions,
    SelfplayOptions,
    StatsOptions,
    SweepOptions,
)
from .results import League, Match, Selfplay, Statistics, Sweep
from .runs import _variants

if TYPE_CHECKING:
    from typing_extensions import Unpack

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


class TaskOptions(TypedDict, total=False):
    """How tasks of a cluster play.

    Parameters
    ----------
    cpus : int, default 1
        The processors and threads of a task.
    retries : int, default 3
        How often a share whose worker or node is lost is started again; -1 for always, such as on
        spot nodes.
    resources : dict, optional
        Further options of the tasks, such as ``{"num_gpus": 1}``.

    """

    cpus: int
    retries: int
    resources: Mapping[str, Any] | None


class ShareOptions(TypedDict, total=False):
    """How a run is played in shares.

    Parameters
    ----------
    shards : int, optional
        The number of shares, at most one for each part. By default one for each part, and at most
        10,000. So the games of a part decide how long a task takes.
    shared : bool, default True
        Whether the workers write into ``OUT.shards``, as they always do under a URL. If not, each
        plays into a folder of its own machine and sends the files through Ray's object store; then
        a lost worker's share starts over. All machines must see the parent of ``out``, unless
        ``shared`` is False. Workers that write to a store need its keys in their environment.
    keep_shards : bool
        Whether the folders of the shares stay after they are joined.

    """

    shards: int | None
    shared: bool
    keep_shards: bool


class _Selfplay(SelfplayOptions, TaskOptions, ShareOptions, total=False): ...


class _Match(MatchOptions, TaskOptions, ShareOptions, total=False): ...


class _League(LeagueOptions, TaskOptions, ShareOptions, total=False): ...


class _Stats(StatsOptions, TaskOptions, total=False): ...


class _Sweep(SweepOptions, TaskOptions, total=False): ...


class _Label(LabelOptions, TaskOptions, ShareOptions, total=False): ...


_COUNTS = ("games", "hands", "decisions", "won_hands", "multiple_rons", "draws", "seats")
"""The entries of the results of shares that are added up."""


def _sum(values: Sequence[Any]) -> Any:
    """The sum of counts, entry by entry in lists and dicts. Texts are the same in all."""
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


def _split(options: Any) -> tuple[dict[str, Any], Cluster, dict[str, Any]]:
    """The options of a function, its cluster, and those of its shares."""
    asked = {name: value for name, value in options.items() if value is not None}
    for name, instead in (("threads", "cpus"), ("shard", "shards")):
        if name in asked:
            raise TypeError(f"`{name}`: a cluster plays in tasks; give `{instead}`")
    shares = {name: asked.pop(name) for name in ShareOptions.__annotations__ if name in asked}
    task = {name: asked.pop(name) for name in TaskOptions.__annotations__ if name in asked}
    cpus = task.get("cpus", 1)
    cluster = Cluster(cpus, task.get("retries", 3), further(task.get("resources")))
    return {**asked, "threads": cpus}, cluster, shares


@contextmanager
def _folder(out: Path | None, shares: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The folder of a run, and the options of its shares.

    Without ``out``, the folder is a temporary one that no worker shares.
    """
    shared = flag("shared", shares.get("shared", True))
    if out is None:
        with tempfile.TemporaryDirectory(prefix="jantaku-") as own:
            yield f"{own}/run", {**shares, "shared": False}
        return
    folder = os.fspath(out)
    if is_url(folder) and not shared:
        raise ValueError(
            f"`shared`: expected True for {folder}, into which all machines write, found False"
        )
    yield folder.rstrip("/"), shares


def _is_joined(out: str) -> bool:
    """Whether an earlier call joined the shares of a run: then the run is complete.

    A call that was killed while it joined them left files of the run. The shares are then joined
    again. Raises RunError if ``out`` has files but there are no shares.
    """
    found = _entries(out)
    if "manifest.json" in found and _run_state(out)["complete"]:
        return True
    if found and not _entries(_shares_folder(out)):
        raise RunError(f"{out}: is not empty; choose a new or empty folder")
    return False


def _shares_folder(out: str) -> str:
    return out + ".shards"


@documented(SelfplayOptions, TaskOptions, ShareOptions)
def selfplay(
    games: int,
    agents: Agents = "greedy",
    *,
    progress: Progress = False,
    **options: Unpack[_Selfplay],
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
    {options}
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
    asked, cluster, shares = _split({"games": games, "agents": agents, **options})
    out = asked.pop("out", None)
    if out is None:
        raise TypeError("`out`: expected a folder for the run, found none")
    # Shares of an earlier call must agree with these.
    asked = {"seed": 0, "games_per_part": 1000, **asked}
    parts = -(-games // asked["games_per_part"])
    with _folder(out, shares) as (folder, shares):
        playing = Shares(cluster, **shares)
        run = _run(_selfplay, asked, folder, games, parts)
        many = len(shares_of(run, playing.shards))
        results = playing.play([run], progress)
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
    """The run of a call. It has begun if an earlier call joined its shares."""
    play, joined = partial(play_share, play=play), _is_joined(folder)
    return Run(play, ray.put(asked), folder, _shares_folder(folder), games, parts, joined)


@documented(MatchOptions, TaskOptions, ShareOptions)
def match(
    challenger: AnyAgent | None = None,
    baseline: AnyAgent | None = None,
    *,
    sections: Sequence[str] | None = None,
    progress: Progress = False,
    **options: Unpack[_Match],
) -> Match:
    """Plays the sets of a match on a Ray cluster, and counts them on this machine.

    ```python
    jantaku.ray.match("heuristic", "greedy", sets=100_000, out="/shared/match")
    ```

    The shares are whole parts of about 1000 games, or of one set if an agent is slow. The result is
    that of ``jantaku.match`` with the same arguments, which also extends the match:
    ``jantaku.match(out=…, sets=…, resume=True)``.

    There is no ``sprt``: a sequential test looks at the sets in order and ends after the fewest
    that decide, so ``jantaku.match`` plays it on one machine. Here, play a fixed number of sets:
    ``jantaku.plan`` finds how many show a difference. Without ``out``, the hands come to this
    machine and are only counted.

    Parameters
    ----------
    {options}
    sections, progress
        As in ``jantaku.match``.

    """
    began = time.monotonic()
    asked, cluster, shares = _split({"challenger": challenger, "baseline": baseline, **options})
    sections = optional_texts("sections", sections, "players")
    out = asked.pop("out", None)
    for name, is_refused in (("sprt", "sprt" in asked), ("log", out is None and "log" in asked)):
        if is_refused:
            raise ValueError(
                f"`{name}`: expected none on a cluster{' without `out`' * (name == 'log')}"
            )
    shape = _match_shape(asked)
    with _folder(out, shares) as (folder, shares):
        run = _run(_match_shard, asked, folder, shape["games"], shape["parts"])
        playing = Shares(cluster, **shares)
        playing.play([run], progress, "sets", shape["games"] // asked["sets"])
        # Resumes the match that the shares made, to count it. Its run has all other options.
        kept = {name: asked[name] for name in _OF_RESUMED if name in asked}
        found, _ = _match({**kept, "out": folder, "resume": True}, sections, None)
    found["out"] = None if out is None else os.fspath(out)
    counted = Match(found)
    counted.speed["cluster_seconds"] = time.monotonic() - began
    return counted


_OF_RESUMED = (
    "challenger",
    "baseline",
    "agents",
    "sets",
    "threads",
    "tables",
    "on_fault",
    "verbose",
)
"""The options that a match takes when it is resumed."""


@documented(LeagueOptions, TaskOptions, ShareOptions)
def league(
    agents: Agents | None = None, *, progress: Progress = False, **options: Unpack[_League]
) -> League:
    """Rates agents by games of all tables on a Ray cluster.

    ```python
    jantaku.ray.league("heuristic,greedy,random,tsumogiri", sets=10_000, out="/shared/league")
    ```

    A task plays a share of the games of a table, and ``shards`` is the number of shares of each
    table. The league has the same bytes as that of ``jantaku.league``, if the agents are
    deterministic, and both resume the leagues of each other. If the call is stopped, the shares
    stay in ``OUT.shards``, and ``resume=True`` continues them. A table that has begun in ``out`` is
    continued there by one task. Without ``out``, the results come to this machine and are only
    counted.

    Parameters
    ----------
    {options}
    progress : bool or callable
        As in `selfplay`.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the ratings by the tables that are complete.

    """
    began = time.monotonic()
    asked, cluster, shares = _split({"agents": agents, **options})
    out, resume = asked.pop("out", None), asked.pop("resume", False)
    if out is None:
        if resume:
            raise ValueError("`out`: expected the folder of a league, found none")
        asked.setdefault("log", "games")
    elif is_url(os.fspath(out)):
        raise ValueError(
            f"`out`: expected a folder, in which a league has its tables, found {os.fspath(out)}"
        )
    keep_shards = shares.get("keep_shards", False)
    with _folder(out, shares) as (folder, shares):
        plan = _league_plan({**asked, "out": folder, "resume": resume})
        before = sum(table["played"] or 0 for table in plan["tables"])

        def report() -> League:
            """The ratings by all complete parts in the folder of the league."""
            seconds = time.monotonic() - began
            found = _league_report({**asked, "out": folder}, before, seconds, asked["threads"])
            return League({**found, "out": None if out is None else os.fspath(out)})

        try:
            Shares(cluster, **shares).play(list(_tables(plan, asked, folder)), progress)
        except BaseException as stopped:
            stopped.partial = report()  # type: ignore[attr-defined]
            raise
        if not keep_shards:
            _remove_folder(_shares_folder(folder))
        return report()


def _tables(plan: Mapping[str, Any], asked: dict[str, Any], folder: str) -> Iterator[Run]:
    """The runs of the tables of a league."""
    of_table = ray.put((plan["config"], asked))
    for index, table in enumerate(plan["tables"]):
        yield Run(
            partial(play_table, table=index),
            of_table,
            f"{folder}/tables/{table['name']}",
            f"{_shares_folder(folder)}/{table['name']}",
            table["games"],
            table["parts"],
            table["played"] is not None,
        )


@documented(StatsOptions, TaskOptions)
def stats(
    *,
    sections: Sequence[str] | None = None,
    progress: Progress = False,
    **options: Unpack[_Stats],
) -> Statistics:
    """Plays games on a Ray cluster and counts rates and means over them.

    ```python
    jantaku.ray.stats(games=10_000_000, agents="heuristic").figure("draws.exhaustive")
    ```

    All figures are those of ``jantaku.stats``, to the last digit, if the agents are deterministic.
    Nothing is written. A task plays for up to a minute and returns its sums, so a lost worker costs
    a minute. With ``precision``, games are played in batches of 512, later of a tenth of the games
    so far; the next batch begins when all nodes have finished the last one.

    Parameters
    ----------
    {options}
    sections, progress
        As in ``jantaku.stats``.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the figures of the first games.

    """
    asked, cluster, _ = _split(options)
    tallies = Tallies(cluster, _Gathering.of_stats(asked), _simulate_share, asked)
    return _run_tallies(Statistics, tallies, sections, progress)


@documented(SweepOptions, TaskOptions)
def sweep(
    rules: AnyRules | Sequence[AnyRules] | Mapping[str, AnyRules],
    *,
    sections: Sequence[str] | None = None,
    progress: Progress = False,
    **options: Unpack[_Sweep],
) -> Sweep:
    """Compares variants of the rules on the same walls, on a Ray cluster.

    ```python
    jantaku.ray.sweep("tenhou", vary={"kuitan": [True, False]}, games=1_000_000)
    ```

    All figures are those of ``jantaku.sweep``, to the last digit. A task plays its games under
    every variant.

    Parameters
    ----------
    {options}
    sections, progress
        As in ``jantaku.sweep``.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the figures of the first games.

    """
    asked, cluster, _ = _split(_variants(rules, options))
    tallies = Tallies(cluster, _Gathering.of_sweep(asked), _sweep_share, asked)
    return _run_tallies(Sweep, tallies, sections, progress)


def _run_tallies(
    make: Callable[[dict[str, Any]], _R],
    tallies: Tallies,
    sections: Sequence[str] | None,
    progress: Progress,
) -> _R:
    """Plays all games. A stopped run's exception has the result so far as ``partial``."""
    began = time.monotonic()
    chosen = optional_texts("sections", sections, "draws")

    def report(complete: bool) -> _R:
        seconds = time.monotonic() - began
        return make(tallies.gathering.report(chosen, complete, seconds))

    try:
        tallies.run(progress)
    except BaseException as stopped:
        stopped.partial = report(complete=False)  # type: ignore[attr-defined]
        raise
    return report(complete=True)


@documented(LabelOptions, TaskOptions, ShareOptions)
def label(
    run: Path, out: Path, *, progress: Progress = False, **options: Unpack[_Label]
) -> dict[str, Any]:
    """Labels the decisions of a run by rollouts on a Ray cluster, for training.

    ```python
    jantaku.ray.label("/shared/run", "/shared/labelled", labels="deals=8,discard=0.1")
    ```

    The labelled run has the same bytes as that of ``jantaku.label``. All machines must see the run,
    which must not be a shard or come from logs.

    Parameters
    ----------
    {options}
    progress : bool or callable
        As in `selfplay`.

    Returns
    -------
    dict
        As ``jantaku.label``: ``out``, ``games``, ``rows``, ``complete``, ``seconds``, ``threads``.

    """
    began = time.monotonic()
    source = absolute(os.fspath(run))
    asked, cluster, shares = _split({**options, "run": source})
    state = _run_state(source)
    with _folder(out, shares) as (folder, shares):
        # `_label` refuses a run that is not complete.
        games = state["asked"] or max(1, state["games"])
        labelled = _run(_label, asked, folder, games, -(-games // state["games_per_part"]))
        results = Shares(cluster, **shares).play([labelled], progress)
        return {
            **results[0],
            "out": os.fspath(out),
            "games": games,
            "rows": _run_state(folder)["rows"],
            "seconds": time.monotonic() - began,
        }
