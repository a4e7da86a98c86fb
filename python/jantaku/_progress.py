"""Progress of long calls: tqdm, or a function of the caller."""

import importlib
import importlib.util
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

Progress: TypeAlias = bool | Callable[[int, int | None], object]


class Bar:
    """Turns the argument ``progress`` into a function that receives the progress.

    True shows a bar of tqdm, or lines on stderr without tqdm. A function receives the amount done
    and the total, which is None if it is not known.
    """

    def __init__(self, progress: Progress, unit: str) -> None:
        self._progress = progress
        self._unit = unit
        self._bar: Any = None
        self._printed = 0

    def __enter__(self) -> Callable[[int, int | None], object] | None:
        if callable(self._progress):
            return self._progress
        if not self._progress:
            return None
        if importlib.util.find_spec("tqdm") is None:
            return self._print
        tqdm: Any = importlib.import_module("tqdm.auto")
        self._bar = tqdm.tqdm(unit=f" {self._unit}", smoothing=0.1)
        return self._show

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _show(self, done: int, total: int | None) -> None:
        if self._bar.total != total:
            self._bar.reset(total)
        self._bar.update(done - self._bar.n)

    def _print(self, done: int, total: int | None) -> None:
        """Prints a line at each twentieth of the total."""
        step = 1 if total is None else max(1, total // 20)
        if done // step > self._printed // step:
            self._printed = done
            whole = "" if total is None else f" of {total:,}"
            print(f"{done:,}{whole} {self._unit}", file=sys.stderr)
