"""Tables of discards with different roles in the same hand."""

import numpy
from measured import LEAST, chosen

RANKS = ("1, 9", "2, 8", "3, 7", "4, 6", "5")
# The numbers of `role` in src/roles.rs.
ROLES = (
    *(f"{place} {rank}" for place in ("alone", "two ranks from another", "next to another") for rank in RANKS),
    *("lone guest wind", "lone valued honour", "lone double wind"),
    *("pair", "pair of valued honours", "triplet"),
)
# Lone tiles are compared in points, others in the share of the points at stake.
LONE = {*range(5), 15, 16, 17}


def roles(d: dict[str, numpy.ndarray]) -> None:
    print("# What a discard gains beyond its estimate, compared with a lone 1 or 9: points, or % of the worth")
    for name, of_shanten in (("1", d["shanten"] == 1), ("2", d["shanten"] == 2), ("3 and more", d["shanten"] >= 3)):
        for is_open, hand in enumerate(("closed", "open")):
            h = chosen(d, of_shanten & (d["open"] == is_open))
            if len(h["draws"]) >= LEAST:
                print(f"\n{hand}, shanten {name} ({len(h['draws'])} pairs)")
                fit_roles(h)


def fit_roles(h: dict[str, numpy.ndarray]) -> None:
    """Least squares of the difference between what two discards gain and what was estimated."""
    stake = numpy.clip((h["worth1"] + h["worth2"]) / 2, 200, 4000)
    missed = numpy.clip(h["gain1"] - h["gain2"] - (h["worth1"] - h["worth2"]), -20000, 20000)
    columns, names = [], []
    for role, name in enumerate(ROLES):
        column = (h["role1"] == role) * 1.0 - (h["role2"] == role)
        if role > 0 and abs(column).sum() >= LEAST:
            columns.append(column if role in LONE else column * stake / 100)
            names.append(f"{name}, {'points' if role in LONE else '%'}")
    columns.append(numpy.log((h["ukeire1"] + 1) / (h["ukeire2"] + 1)) * stake / 100)
    names.append("logarithm of the ukeire, %")
    x = numpy.stack(columns, 1)
    inverse = numpy.linalg.inv(x.T @ x)
    found = inverse @ x.T @ missed
    errors = numpy.sqrt(numpy.diag(inverse) * (missed - x @ found).var())
    for name, value, error in zip(names, found, errors):
        print(f"  {name}: {value:+.1f} ± {error:.1f}")
