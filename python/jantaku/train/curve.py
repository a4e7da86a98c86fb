"""The figures of a training over its steps, and the time that is left."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path
from typing import Any

from .._jantaku import _page
from ..pages import Page
from .config import ConfigError
from .files import write


class Curve:
    """Rows of figures, printed and kept as ``curve.csv`` and ``curve.parquet``.

    Parameters
    ----------
    out : Path
        The folder of the files.
    tensorboard : bool
        Whether the folder ``tensorboard`` gets the figures, too.

    """

    def __init__(self, out: Path, *, tensorboard: bool = False) -> None:
        try:
            import pyarrow
            import pyarrow.parquet

            self._arrow, self._parquet = pyarrow, pyarrow.parquet
        except ImportError as error:
            raise ConfigError("curves need pyarrow: pip install jantaku[train]") from error
        self.out = out
        self.rows: list[dict[str, Any]] = []
        self._board = _board(out / "tensorboard") if tensorboard else None

    def start(self, name: str, steps: int, done: int = 0) -> None:
        """Starts the rows of a training, or continues after the steps that are done."""
        self._name, self._steps, self._done = name, steps, done
        spent = [row["seconds"] for row in self.rows if row["network"] == name]
        self._began, self._before = time.monotonic(), spent[-1] if spent else 0.0

    def add(self, step: int, figures: dict[str, float], more: dict[str, float]) -> None:
        """Adds a row after a step. Prints ``figures``, but not ``more``."""
        seconds = time.monotonic() - self._began
        left = seconds / max(1, step - self._done) * (self._steps - step)
        shown = ", ".join(f"{name} {value:.5g}" for name, value in figures.items())
        print(f"{self._name}: {step}/{self._steps}, {shown}, {_duration(left)} left", flush=True)
        figures = figures | more
        row = {"network": self._name, "step": step, "seconds": round(self._before + seconds, 1)}
        self.rows.append(row | {name: float(f"{value:.6g}") for name, value in figures.items()})
        if self._board is not None:
            for name, value in figures.items():
                self._board.add_scalar(f"{self._name}/{name}", value, step)
            self._board.flush()

    def write(self) -> None:
        """Writes the files."""
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        text = io.StringIO()
        table = csv.DictWriter(text, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(self.rows)
        write(self.out / "curve.csv", text.getvalue().encode())
        rows = [{name: row.get(name) for name in columns} for row in self.rows]
        contents = io.BytesIO()
        self._parquet.write_table(self._arrow.Table.from_pylist(rows), contents)
        write(self.out / "curve.parquet", contents.getvalue())


def page(folder: Path, command: str | None = None) -> Page:
    """The curves of a training as a page for the browser, from its ``curve.csv``.

    Parameters
    ----------
    folder : Path
        The folder of the training.
    command : str, optional
        The command line to show on the page.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is not a file of figures.

    """
    with (folder / "curve.csv").open(newline="", encoding="utf-8") as file:
        rows = [_figures(row) for row in csv.DictReader(file)]
    return Page(_page("training", {"rows": rows, "folder": str(folder)}, command))


def _figures(row: dict[str, str]) -> dict[str, str | float]:
    """A row of ``curve.csv`` with its types, without the empty fields."""
    types = {"network": str, "step": int}
    return {name: types.get(name, float)(value) for name, value in row.items() if value}


def _board(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise ConfigError(
            "`tensorboard = true` needs TensorBoard: pip install jantaku[tensorboard]"
        ) from error
    return SummaryWriter(str(folder))


def _duration(seconds: float) -> str:
    """Hours and minutes, or seconds."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 120 else f"{minutes} min"
