"""Reads measurements, and formats what they say."""

import tomllib
from pathlib import Path

import numpy

PARAMS = tomllib.loads((Path(__file__).parent / "../../agents/src/heuristic/params.toml").read_text())
RIICHI, DAMATEN, OPEN, TSUMO = MODES = range(4)
# Rows with fewer lines are left out, cells are filled from other cells.
LEAST = 400


def read(path: str) -> dict[str, numpy.ndarray]:
    """The columns of a file by name."""
    with open(path) as lines:
        names = next(lines).strip().split(",")
        return dict(zip(names, numpy.loadtxt(lines, delimiter=",").T))


def chosen(columns: dict[str, numpy.ndarray], which: numpy.ndarray) -> dict[str, numpy.ndarray]:
    return {name: column[which] for name, column in columns.items()}


def fit(y: numpy.ndarray, *xs: numpy.ndarray) -> str:
    """Least squares coefficients with standard errors."""
    x = numpy.stack(xs, 1)
    inverse = numpy.linalg.inv(x.T @ x)
    found = inverse @ x.T @ y
    errors = numpy.sqrt(numpy.diag(inverse) * (y - x @ found).var())
    digits = [0 if error >= 2 else 2 for error in errors]
    return ", ".join(f"{v:.{d}f} ± {e:.{d}f}" for v, e, d in zip(found, errors, digits))


def mean(values: numpy.ndarray) -> str:
    return f"{values.mean():.0f} ± {values.std() / len(values) ** 0.5:.0f}"


def error(values: numpy.ndarray) -> float:
    return values.std() / len(values) ** 0.5


def points_change(values: numpy.ndarray) -> str:
    return f"{values.mean():+.0f} ± {error(values):.0f}"


def odds(chance: float) -> float:
    return chance / (1 - chance)
