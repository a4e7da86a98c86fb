"""Runs that the tasks of a Ray cluster play in shares.

A run and its shares are in folders, or under URLs of an object store.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import ray

from ._arguments import number
from ._cluster import Cluster, result_of
from ._jantaku import (
    RunError,
    _entries,
    _is_locked,
    _league_share,
    _merge,
    _remove_folder,
    _share_state,
)
from ._progress import Bar, Progress

Play: TypeAlias = Callable[[Any, str | None, str], tuple[Any, Any]]
"""Plays a share, such as ``2/4``, of what was asked, and writes it into a folder.

Returns the result, and the exception that stopped the games early.
"""

ShowProgress: TypeAlias = Callable[[int, int | None], object]
"""Receives the amount done and the total, in games or sets; the total is None if not known."""

_MAX_SHARES = 10_000
"""The most shares of a run whose number nobody has chosen: each costs some milliseconds."""

_PATIENCE = 600.0
"""Seconds in which a lost worker ends, so that its folder is no longer locked."""


def is_url(folder: str) -> bool:
    """Whether this is a URL."""
    return "://" in folder


def absolute(folder: str) -> str:
    """A path that is the same in all working directories."""
    return folder if is_url(folder) else str(Path(folder).absolute())


def play_share(
    asked: dict[str, Any], shard: str | None, folder: str, *, play: Callable[..., Any]
) -> Any:
    """Plays a share of `selfplay`, `match` or `label` with the function ``play``."""
    return play({**asked, "shard": shard, "out": folder, "resume": True})


def play_table(asked: Any, shard: str | None, folder: str, *, table: int) -> Any:
    """Plays a share of a league's table. ``asked`` has the text of ``league.toml``, and options."""
    config, options = asked
    return _league_share(config, options, table, shard, folder)


@dataclass(frozen=True)
class Run:
    """A run that tasks play."""

    play: Play
    """Plays a share of it."""
    asked: Any
    """What to play: the reference of an object of Ray."""
    folder: str
    """Its folder."""
    shares: str
    """The folder for its shares."""
    games: int
    """The number of its games."""
    parts: int
    """The number of its parts."""
    has_begun: bool = False
    """Whether its folder has some of its games. Then one task plays the others there."""


@dataclass(frozen=True)
class Share:
    """A share of a run, which a task plays."""

    run: Run
    shard: str | None
    """Such as ``2/4``; None for a run that has begun."""
    folder: str
    """Where it is played or, if workers play apart, where their files are written at the end."""
    is_new: bool
    """Whether no game of it was complete before this call."""
    is_complete: bool
    """Whether all of its games were complete before this call."""
    has_one_part: bool
    """Whether it is a single part of the run."""


_NOTHING: dict[str, Any] = {"games": 0, "complete": False}
"""The state of a run that has not begun."""


def _state(folder: str) -> dict[str, Any]:
    """How much of a run is complete. Nothing if it has not begun."""
    return _share_state(folder) or _NOTHING


def shares_of(run: Run, shards: int | None) -> list[Share]:
    """The shares of a run. Without ``shards``, those of an earlier call decide their number."""
    if run.has_begun:
        state = _state(run.folder)
        complete = state["complete"] and state["games"] == run.games
        return [Share(run, None, run.folder, state["games"] == 0, complete, False)]
    left = {name for name in _entries(run.shares) if "-of-" in name}
    if shards is None:
        counts = {int(name.split("-of-")[-1]) for name in left}
        shards = min(counts) if counts else min(run.parts, _MAX_SHARES)
    if not 1 <= number("shards", shards) <= run.parts:
        raise ValueError(
            f"`shards`: expected a number from 1 to {run.parts} (the parts), found {shards}"
        )
    names = [f"{k}-of-{shards}" for k in range(1, shards + 1)]
    others = left.difference(names)
    if others:
        raise RunError(
            f"{run.shares}: has other shares, such as {min(others)}; give the same number of "
            "shards, or remove them"
        )
    has_one_part = shards == run.parts
    return [
        Share(run, f"{k}/{shards}", folder, not state["games"], state["complete"], has_one_part)
        for k, name in enumerate(names, start=1)
        for folder in [f"{run.shares}/{name}"]
        for state in [_state(folder) if name in left else _NOTHING]
    ]


def _play(play: Play, asked: Any, shard: str | None, folder: str) -> Any:
    result, stopped = play(asked, shard, folder)
    if stopped is not None:
        raise stopped
    return result


def _await_lock(folder: str) -> None:
    """Waits for a lost worker, which may still play: its node ends it when it finds out."""
    until = time.monotonic() + _PATIENCE
    while _is_locked(folder) and time.monotonic() < until:
        time.sleep(0.1)


def _files(folder: Path) -> dict[str, bytes]:
    """The files of a run by their paths in its folder."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Writes these files. The manifest is the last, so that a run with one has all its files."""
    for name in sorted(files, key=lambda name: name == "manifest.json"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        partial.write_bytes(files[name])
        partial.replace(path)


def play_in_place(
    play: Play,
    asked: Any,
    shard: str | None,
    folder: str,
    is_repeatable: bool,
) -> tuple[Any, None]:
    """Plays a share into a folder or store that all machines see.

    A repeatable share that is already complete is played again: its worker was lost before it
    reported the counts.
    """
    _await_lock(folder)
    if is_repeatable and _state(folder)["complete"]:
        _remove_folder(folder)
    return _play(play, asked, shard, folder), None


def play_apart(
    play: Play,
    asked: Any,
    shard: str | None,
    begun: dict[str, bytes],
) -> tuple[Any, dict[str, bytes]]:
    """Plays a share on the worker's own disk. Returns all its files.

    ``begun`` has the files of the share from an earlier call.
    """
    with tempfile.TemporaryDirectory(prefix="jantaku-") as own:
        folder = Path(own, "run")
        _write(folder, begun)
        result = _play(play, asked, shard, str(folder))
        return result, _files(folder)


@dataclass(frozen=True)
class Shares:
    """How runs are played in shares."""

    cluster: Cluster
    shards: int | None = None
    """The number of shares of each run."""
    shared: bool = True
    """Whether all machines see the folders."""
    keep_shards: bool = False
    """Whether the folders of shares stay."""

    def play(
        self, runs: Sequence[Run], progress: Progress, unit: str = "games", games_per_unit: int = 1
    ) -> list[dict[str, Any]]:
        """Plays runs, and joins the shares of each as soon as it has all.

        A leftover share runs first, so that a mismatch fails early. Returns the results of the
        shares that were played: of one, if an earlier call left all complete.
        """
        with Bar(progress, unit) as show:
            playing = _Playing(self, runs, show, games_per_unit)
            first = playing.begun()
            left: Sequence[Share] = playing.shares
            if all(share.is_complete for share in left):
                playing.results.append(self._complete_result(left[0]))
            elif first is not None:
                left = self._go_on(playing, first)
            self.cluster.run(playing.tasks(left), playing.done, playing.look)
            playing.show()
        return playing.results

    def _go_on(self, playing: "_Playing", first: Share) -> Sequence[Share]:
        """Checks or plays a leftover share of an earlier call. Returns the shares still to play."""
        try:
            if first.is_complete:
                result_of(self.start(first))
                return playing.shares
            self.cluster.run(playing.tasks([first]), playing.done, playing.look)
            return [share for share in playing.shares if share is not first]
        except RunError as error:
            raise RunError(
                f"{error}; to continue the shares of an earlier call, give its arguments, "
                f"otherwise remove {first.run.shares}"
            ) from None

    def _complete_result(self, share: Share) -> Any:
        """The result of a complete share: the call plays no further game."""
        return _play(share.run.play, ray.get(share.run.asked), share.shard, share.folder)

    def start(self, share: Share) -> Any:
        """Starts the task of a share."""
        run, folder = share.run, absolute(share.folder)
        if self.shared:
            is_repeatable = share.is_new and share.has_one_part
            task = self.cluster.task(play_in_place)
            return task.remote(run.play, run.asked, share.shard, folder, is_repeatable)
        begun = _files(Path(share.folder))
        return self.cluster.task(play_apart).remote(run.play, run.asked, share.shard, begun)


class _Playing:
    """Runs in play: which shares are done, and how far all are."""

    def __init__(
        self, how: Shares, runs: Sequence[Run], show: ShowProgress | None, games_per_unit: int
    ) -> None:
        self._how, self._show, self._games_per_unit = how, show, games_per_unit
        self._of_runs = {run.folder: shares_of(run, how.shards) for run in runs}
        self.shares = [share for own in self._of_runs.values() for share in own]
        self.results: list[dict[str, Any]] = []
        self._left = {folder: len(own) for folder, own in self._of_runs.items()}
        self._with_ray: list[Share] = []
        self._games = sum(run.games for run in runs)
        # The games of complete shares.
        self._complete = 0
        # When the folders were last looked at, and how long that took.
        self._looked = (0.0, 0.0)

    def begun(self) -> Share | None:
        """A share that an earlier call began, preferably a complete one."""
        begun = [share for share in self.shares if not share.is_new and not share.run.has_begun]
        return next((share for share in begun if share.is_complete), next(iter(begun), None))

    def tasks(self, shares: Sequence[Share]) -> Iterator[tuple[Share, Callable[[], Any]]]:
        """The shares still to play among these, each with a function that starts its task."""
        for share in shares:
            if share.is_complete:
                self._add(share)
            else:
                self._with_ray.append(share)
                yield share, partial(self._how.start, share)

    def done(self, share: Share, found: tuple[Any, dict[str, bytes] | None]) -> None:
        """Keeps the result of a task, and its files if the worker had no shared folder."""
        result, files = found
        self.results.append(result)
        if files is not None:
            _write(Path(share.folder), files)
        self._with_ray.remove(share)
        self._add(share)

    def _add(self, share: Share) -> None:
        """Adds a complete share. The last one of a run completes the run."""
        run = share.run
        self._complete += _state(share.folder)["games"]
        self._left[run.folder] -= 1
        if self._left[run.folder]:
            return
        if not run.has_begun:
            _merge([own.folder for own in self._of_runs[run.folder]], run.folder)
        if not self._how.keep_shards:
            _remove_folder(run.shares)

    def look(self) -> None:
        """Shows the progress of all runs, and spends at most a tenth of the time on that."""
        at, took = self._looked
        if time.monotonic() - at > 10 * took:
            self.show()

    def show(self) -> None:
        """Shows the progress of all runs: the games in complete parts."""
        if self._show is None:
            return
        began = time.monotonic()
        games = self._complete + sum(_state(share.folder)["games"] for share in self._with_ray)
        self._show(games // self._games_per_unit, self._games // self._games_per_unit)
        self._looked = (time.monotonic(), time.monotonic() - began)
