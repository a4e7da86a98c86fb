"""How an agent plays in a match: its mean placement, and how often it wins, deals in and so on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..results import Match

BANDS = {"win": (20, 23), "deal-in": (10, 13), "riichi": (17, 22), "call": (29, 36)}
"""Rates of strong players, in percent of hands: no aim, but a much higher rate shows a fault."""


def rates(found: Match) -> dict[str, dict[str, Any]]:
    """The rates of the first agent of a match, as shares of hands with their 95 % intervals."""
    group = f"agent {found.agents[0].agent}"
    rows = {rate: found.figures.figure(f"players.{rate}", group) for rate in BANDS}
    return {rate: {key: row[key] for key in ("value", "low", "high")} for rate, row in rows.items()}


def figures(found: Match) -> dict[str, float]:
    """The style of the first agent of a match, for a curve.

    ``placement`` is the mean placement from 1, and ``placement_low`` and ``placement_high`` are the
    ends of its 95 % interval, unless the match is too short. The rates are shares of hands.
    """
    placement = found.agents[0].placement
    ends = {"placement_low": placement.low, "placement_high": placement.high}
    return {
        "placement": placement.value,
        **{name: end for name, end in ends.items() if end is not None},
        **{rate: row["value"] for rate, row in rates(found).items()},
    }


def text(shares: Mapping[str, float]) -> str:
    """The rates beside those of strong players, as lines."""
    return "\n".join(
        f"{rate:8} {100 * shares[rate]:5.1f} %  (strong players {least}–{most} %)"
        for rate, (least, most) in BANDS.items()
    )
