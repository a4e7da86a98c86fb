"""`selfplay`, `match` and the workers of a training over a Ray cluster.

A task of `selfplay` and `match` plays a share of the games: consecutive whole parts, into a folder
of its own. At the end, the shares are joined to a run with the same bytes as one machine would have
written. A task whose worker is lost is started again and continues after the parts that are
complete. `Actors` play for a learner, with the weights that it sends.

``python/docs/cluster.md`` has the arithmetic of clusters, and how to do the same without Ray.

Not here:

- Matches with ``sprt``: the test looks at sets in order, so a match with a test plays on one
  machine.
- Leagues: the tables of a league share a folder that one program locks. ``jantaku league`` plays
  them on one machine. Each pair of agents can be a `match` here.
- Runs in object stores: shares can be written there (``selfplay(out="s3://…", shard="2/4")``, with
  the ``cloud`` build), but `merge` joins folders.
"""

import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

try:
    import ray
except ImportError as error:
    raise ImportError("jantaku.ray needs Ray: pip install jantaku[ray]") from error

from . import runs
from ._actors import Actors
from ._jantaku import (
    RunError,
    _adopt_match,
    _match_shape,
    _match_shard,
    _merge,
    _run_state,
    _selfplay,
)
from ._progress import Bar, Progress
from ._vec_env import AnyAgent
from .results import Match, Selfplay, selfplay_of
from .runs import Agents, AnyRules, Detail, OnFault

__all__ = ["Actors", "match", "selfplay"]

_POLL = 1.0
"""Seconds between two looks at what the tasks have written."""

_PATIENCE = 60.0
"""Seconds that tasks may take to end after they were stopped."""

_COUNTS = ("games", "hands", "decisions", "won_hands", "multiple_rons", "draws", "seats")
"""The entries of the results of shares that are added up."""


def _files(folder: Path) -> dict[str, bytes]:
    """The files of a run by their paths in its folder."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, contents in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)


def _play(kind: str, asked: dict[str, Any], folder: str, options: dict[str, Any]) -> Any:
    play = _selfplay if kind == "selfplay" else _match_shard
    result, stopped = play(asked, folder, True, options)
    if stopped is not None:
        raise stopped
    return result


def _task(
    kind: str, asked: dict[str, Any], folder: str, shared: bool, options: dict[str, Any]
) -> tuple[Any, dict[str, bytes] | None]:
    """Plays one share on a worker. Its files come back if no folder is shared."""
    if shared:
        return _play(kind, asked, folder, options), None
    with tempfile.TemporaryDirectory(prefix="jantaku-") as own:
        result = _play(kind, asked, str(Path(own, "run")), options)
        return result, _files(Path(own, "run"))


def _default_shards(parts: int, cpus: float) -> int:
    """Four shares for each task that fits into the cluster: a lost worker costs little."""
    resources: Any = ray.cluster_resources
    at_once = int(resources().get("CPU", 1) / cpus)
    return max(1, min(parts, 4 * at_once))


def _done(folders: Sequence[Path]) -> int:
    """The games in complete parts."""
    games = 0
    for folder in folders:
        try:
            games += _run_state(folder)["games"]
        except RunError:
            continue  # not begun, or half written
    return games


def _wait(
    tasks: dict[Any, Path], games: int, shared: bool, progress: Progress
) -> list[dict[str, Any]]:
    """Waits for the results of all tasks.

    If one fails or Ctrl-C comes, the others end with complete parts.
    """
    folders, waiting = list(tasks.values()), list(tasks)
    finished, results = 0, []
    with Bar(progress, "games") as shown:
        try:
            while waiting:
                ready, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=_POLL)
                for task in ready:
                    result, files = ray.get(task)
                    finished += result["games"]
                    results.append(result)
                    if files is not None:
                        _write(tasks[task], files)
                if shown is not None:
                    shown(_done(folders) if shared else finished, games)
        except BaseException:
            for task in waiting:
                ray.cancel(task)
            # Another call must not find their folders locked.
            if waiting:
                ray.wait(waiting, num_returns=len(waiting), timeout=_PATIENCE)
            raise
    return results


def _sum(values: Sequence[Any]) -> Any:
    """The sum of counts: those of lists and dicts entry by entry. Texts are the same in all."""
    first = values[0]
    if isinstance(first, dict):
        return {key: _sum([value[key] for value in values]) for key in first}
    if isinstance(first, list):
        return [_sum(entries) for entries in zip(*values, strict=True)]
    return first if isinstance(first, str) else sum(values)


def _summary(
    results: Sequence[dict[str, Any]], merged: dict[str, Any], out: Path, seconds: float
) -> dict[str, Any]:
    """What `jantaku.selfplay` returns, from the results of the shares."""
    faults: Counter[tuple[str, str]] = Counter()
    for fault in (fault for result in results for fault in result["faults"]):
        faults[fault["agent"], fault["kind"]] += fault["count"]
    return {
        **results[0],
        **{name: _sum([result[name] for result in results]) for name in _COUNTS},
        "first_game": min(result["first_game"] for result in results),
        "shard": None,
        "out": os.fspath(out),
        "rows": merged["rows"],
        "faults": [
            {"agent": agent, "kind": kind, "count": count}
            for (agent, kind), count in faults.items()
        ],
        "seconds": seconds,
        "shards": merged["shards"],
        "parts": merged["parts"],
    }


def _run(
    kind: str,
    asked: dict[str, Any],
    out: Path,
    shape: tuple[int, int],
    *,
    shards: int | None,
    cpus: float,
    retries: int,
    shared: bool,
    keep_shards: bool,
    options: dict[str, Any],
    resources: dict[str, Any],
    progress: Progress,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Plays the shares of a run of these games and parts, and joins them.

    Returns the results of the shares, and what `merge` returns with the number of shares.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RunError(f"{out}: is not empty; choose a new or empty folder")
    if not ray.is_initialized():
        ray.init()
    games, parts = shape
    count = _default_shards(parts, cpus) if shards is None else shards
    if not 1 <= count <= parts:
        raise ValueError(
            f"`shards`: expected a number from 1 to {parts}, that of the parts, found {count}"
        )
    parent = out.with_name(out.name + ".shards")
    folders = [parent / f"{k}-of-{count}" for k in range(1, count + 1)]
    others = {path.name for path in parent.glob("*")} - {folder.name for folder in folders}
    if others:
        raise RunError(
            f"{parent}: has other shares, such as {min(others)}; give the same number of shards, "
            "or remove them"
        )
    parent.mkdir(parents=True, exist_ok=True)
    task = ray.remote(_task).options(num_cpus=cpus, max_retries=retries, **resources)
    tasks, earlier = {}, []
    for k, folder in enumerate(folders, start=1):
        own = {**asked, "shard": f"{k}/{count}"}
        path = os.fspath(folder.absolute())
        if shared or not _is_complete(folder):
            tasks[task.remote(kind, own, path, shared, options)] = folder
        else:
            earlier.append(_play(kind, own, path, options))
    results = earlier + _wait(tasks, games, shared, progress)
    merged: dict[str, Any] = _merge(folders, out)
    if not keep_shards:
        shutil.rmtree(parent)
    return results, {**merged, "shards": count}


def _folder(out: str | os.PathLike[str]) -> Path:
    if "://" in os.fspath(out):
        raise ValueError(
            f"`out`: expected a folder, found {out}: shares in object stores stay apart"
        )
    return Path(out)


def _is_complete(folder: Path) -> bool:
    """Whether an earlier call left a complete share that came back from a worker."""
    try:
        return bool(_run_state(folder)["complete"])
    except RunError:
        shutil.rmtree(folder, ignore_errors=True)
        return False


def selfplay(
    games: int,
    agents: Agents = "greedy",
    *,
    out: str | os.PathLike[str],
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
    resources: dict[str, Any] | None = None,
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
    games, agents, rules, seed, log, games_per_part, labels, tables, on_fault
        As in ``jantaku.selfplay``.
    out : str or os.PathLike
        The new or empty folder of the run. All machines must see its parent, unless ``shared`` is
        False.
    shards : int, optional
        The number of shares, at most one for each part. By default four for each task that fits
        into the cluster.
    cpus : int, default 1
        The processors and threads of a task.
    retries : int, default 3
        How often a share whose worker is lost is started again.
    shared : bool, default True
        Whether the workers write into ``OUT.shards``. If not, each plays into a folder of its own
        machine and sends the files through Ray's object store; then a lost worker's share starts
        over.
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
        worker of a shared folder was lost, what it had played before is not counted.

    """
    folder, began = _folder(out), time.monotonic()
    asked = runs._asked_run(games, agents, rules, seed, log, games_per_part, labels=labels)
    results, merged = _run(
        "selfplay",
        asked,
        folder,
        (games, -(-games // games_per_part)),
        shards=shards,
        cpus=cpus,
        retries=retries,
        shared=shared,
        keep_shards=keep_shards,
        options=runs._options(cpus, None, tables, on_fault),
        resources=resources or {},
        progress=progress,
    )
    return selfplay_of(_summary(results, merged, folder, time.monotonic() - began))


def match(
    challenger: AnyAgent | None = None,
    baseline: AnyAgent | None = None,
    *,
    agents: Agents | None = None,
    sets: int,
    out: str | os.PathLike[str],
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
    resources: dict[str, Any] | None = None,
    progress: Progress = False,
) -> Match:
    """Plays the sets of a match on a Ray cluster, and counts them on this machine.

    The shares are whole parts of about 1000 games. The result is that of ``jantaku.match`` with the
    same arguments, which also extends the match: ``jantaku.match(out=…, sets=…, resume=True)``.

    Faults of external engines stop the match: there is no ``on_fault``, because counts of faults
    are not joined.

    Parameters
    ----------
    challenger, baseline, agents, sets, out, seatings, rules, keep_draws, seed, log, sections
        As in ``jantaku.match``. There is no ``sprt``: a sequential test needs the sets in order.
    shards, cpus, retries, shared, keep_shards, tables, resources, progress
        As in `selfplay`.

    """
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
        keep_draws=keep_draws,
    )
    shape = _match_shape(asked)
    began = time.monotonic()
    _run(
        "match",
        asked,
        _folder(out),
        (shape["games"], shape["parts"]),
        shards=shards,
        cpus=cpus,
        retries=retries,
        shared=shared,
        keep_shards=keep_shards,
        options=runs._options(cpus, None, tables),
        resources=resources or {},
        progress=progress,
    )
    _adopt_match(out, sets)
    counted = runs.match(
        challenger,
        baseline,
        agents=agents,
        out=out,
        resume=True,
        sections=sections,
        seatings=seatings,
    )
    counted.speed["cluster_seconds"] = time.monotonic() - began
    return counted
