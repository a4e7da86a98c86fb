"""Plots of values with their intervals, as SVG."""

import math
from html import escape

Row = tuple[str, float, float, float]

ROW, LABEL, PLOT, MARGIN = 18, 300, 420, 40


def forest(title: str, rows: list[Row], *, zero: bool = False) -> str:
    """A row for each value: a dot, and a line from the lower to the upper end of its interval.

    With `zero`, the axis contains 0, which has a vertical line.
    """
    ends = [end for _, _, low, high in rows for end in (low, high)] + ([0.0] if zero else [])
    least, most = (min(ends), max(ends)) if ends else (0.0, 1.0)
    width = (most - least) or 1.0

    def at(value: float) -> float:
        return LABEL + PLOT * (value - least) / width

    height = MARGIN + ROW * len(rows) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LABEL + PLOT + MARGIN} {height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LABEL}" y="20" font-weight="bold">{escape(title)}</text>',
    ]
    bottom = MARGIN + ROW * len(rows)
    for value in ticks(least, most):
        parts.append(
            f'<path d="M{at(value):.1f} {MARGIN - 8}V{bottom}" stroke="#ddd"/>'
            f'<text x="{at(value):.1f}" y="{bottom + 16}" text-anchor="middle">{value:,g}</text>'
        )
    if zero:
        parts.append(f'<path d="M{at(0):.1f} {MARGIN - 8}V{bottom}" stroke="#888"/>')
    for number, (label, value, low, high) in enumerate(rows):
        y = MARGIN + ROW * number
        parts.append(
            f'<text x="{LABEL - 10}" y="{y + 4}" text-anchor="end">{escape(label)}</text>'
            f'<path d="M{at(low):.1f} {y}H{at(high):.1f}" stroke="#246" stroke-width="2"/>'
            f'<circle cx="{at(value):.1f}" cy="{y}" r="3" fill="#246"/>'
        )
    return "\n".join([*parts, "</svg>\n"])


def ticks(least: float, most: float) -> list[float]:
    """Round numbers in a range, three to six of them."""
    width = (most - least) or 1.0
    unit = 10.0 ** math.floor(math.log10(width / 3))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor * 6 >= width)
    first, last = math.ceil(least / step), math.floor(most / step)
    return [step * number for number in range(first, last + 1)]
