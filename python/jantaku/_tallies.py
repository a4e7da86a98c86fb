"""Statistics and sweeps whose games the tasks of a Ray cluster play."""

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import ray

from ._cluster import Cluster
from ._jantaku import _Gathering
from ._progress import Bar, Progress

_SECONDS = 60.0
"""The longest time of a task when the speed of games is known."""

_FIRST = 16
"""The most games of a task before the speed is known."""


Play: TypeAlias = Callable[[Any, tuple[int, int]], tuple[bytes, Any]]
"""Plays the games from a first number to the one before an end, of what was asked.

Returns their tally, and the exception that stopped them early.
"""


def timed(play: Play, asked: Any, first: int, end: int) -> tuple[bytes, float]:
    """The tally of these games, and the seconds that they took."""
    began = time.monotonic()
    tally, stopped = play(asked, (first, end))
    if stopped is not None:
        raise stopped
    return tally, time.monotonic() - began


class Tallies:
    """The games of statistics or of a sweep on a cluster.

    Parameters
    ----------
    cluster : Cluster
        The options of tasks.
    gathering : _Gathering
        Says which games to play, and adds their tallies.
    play : callable
        Plays them.
    asked : dict
        What to play.

    """

    def __init__(self, cluster: Cluster, gathering: _Gathering, play: Play, asked: Any) -> None:
        self._cluster, self.gathering, self._play = cluster, gathering, play
        self._task = cluster.task(timed)
        self._asked = ray.put(asked)
        self._games_per_second: float | None = None
        # Tallies are added in the order of the games: a stopped run has those of its first games.
        self._added = 0
        # The tallies that came before their turn, by their first game, with the end of their games.
        self._waiting: dict[int, tuple[int, bytes]] = {}

    def run(self, progress: Progress) -> None:
        """Plays the games, batch by batch."""
        with Bar(progress, "games") as bar:

            def show_progress() -> None:
                if bar is not None:
                    waiting = sum(end - first for first, (end, _) in self._waiting.items())
                    bar(self._added + waiting, self.gathering.expected)

            while (batch := self.gathering.next_batch()) is not None:
                self._cluster.run(self._tasks(*batch), self._done, show_progress)
                show_progress()

    def _tasks(self, first: int, end: int) -> Iterator[tuple[tuple[int, int], Callable[[], Any]]]:
        while first < end:
            after = min(end, first + self._size(end - first))
            start = partial(self._task.remote, self._play, self._asked, first, after)
            yield (first, after), start
            first = after

    def _size(self, left: int) -> int:
        """The games of the next task: of a second to a minute, so that all tasks end together."""
        fair = math.ceil(left / (2 * self._cluster.at_once()))
        if self._games_per_second is None:
            return min(fair, _FIRST)
        most = max(1, int(_SECONDS * self._games_per_second))
        return max(min(fair, most), int(self._games_per_second))

    def _done(self, games: tuple[int, int], found: tuple[bytes, float]) -> None:
        (first, end), (tally, seconds) = games, found
        self._games_per_second = (end - first) / max(seconds, 1e-3)
        self._waiting[first] = (end, tally)
        while self._added in self._waiting:
            self._added, tally = self._waiting.pop(self._added)
            self.gathering.add(tally)
