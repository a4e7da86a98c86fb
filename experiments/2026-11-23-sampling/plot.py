"""Draws the calibration tables of `judge`: python3 plot.py judge.txt calibration.svg

Each dot is a tenth of the range of chances: the mean chance across, the share that came true up,
with a 95 % interval (Wilson). Dots on the diagonal are calibrated.
"""

import math
import sys
from pathlib import Path

SIZE, LEFT, TOP, GAP = 260, 60, 40, 90
TITLES = {"tenpai": "tenpai", "waits": "waits of each kind"}


def tables(text: str) -> dict[str, list[tuple[int, float, float]]]:
    """Counts, mean chances and shares by the name of the table."""
    found: dict[str, list[tuple[int, float, float]]] = {}
    rows: list[tuple[int, float, float]] = []
    for line in text.splitlines():
        words = line.split()
        if line.startswith("calibration of "):
            rows = found.setdefault(words[2].rstrip(","), [])
        elif len(words) == 3 and words[0].isdigit() and int(words[0]) > 0:
            rows.append((int(words[0]), float(words[1]), float(words[2])))
    return found


def interval(count: int, share: float) -> tuple[float, float]:
    """The Wilson interval of a share."""
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2) / (1 + z * z / count)
    return middle - half, middle + half


def panel(title: str, rows: list[tuple[int, float, float]], left: int, most: float) -> list[str]:
    """One table as a picture, whose axes end at `most`."""

    def at(x: float, y: float) -> tuple[float, float]:
        return left + SIZE * x / most, TOP + SIZE * (1 - y / most)

    ticks = [most * step / 4 for step in range(5)]
    lines = [f'<rect x="{left}" y="{TOP}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/>']
    lines.append(f'<text x="{left + SIZE / 2}" y="{TOP - 14}" text-anchor="middle">{title}</text>')
    (x0, y0), (x1, y1) = at(0, 0), at(most, most)
    lines.append(f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="#bbb" stroke-dasharray="4 4"/>')
    for tick in ticks:
        (x, _), (_, y) = at(tick, 0), at(0, tick)
        lines.append(f'<text x="{x}" y="{TOP + SIZE + 18}" text-anchor="middle">{tick:.2g}</text>')
        lines.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{tick:.2g}</text>')
    lines.append(f'<text x="{left + SIZE / 2}" y="{TOP + SIZE + 38}" text-anchor="middle">mean chance</text>')
    for count, chance, share in rows:
        low, high = (min(max(end, 0.0), most) for end in interval(count, share))
        (x, y), (_, y_low), (_, y_high) = at(chance, share), at(chance, low), at(chance, high)
        lines.append(f'<line x1="{x}" y1="{y_low}" x2="{x}" y2="{y_high}" stroke="#1f5fa8"/>')
        lines.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#1f5fa8"/>')
    return lines


def main() -> None:
    """Writes the picture."""
    source, target = map(Path, sys.argv[1:])
    found = tables(source.read_text())
    width, height = LEFT + 2 * SIZE + GAP + 20, TOP + SIZE + 56
    page = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for number, (name, rows) in enumerate(found.items()):
        most = 1.0 if max(chance for _, chance, _ in rows) > 0.5 else 0.5
        page += panel(TITLES[name], rows, LEFT + number * (SIZE + GAP), most)
    middle = TOP + SIZE / 2
    page.append(f'<text x="18" y="{middle}" transform="rotate(-90 18 {middle})" '
                'text-anchor="middle">share that came true</text>')
    target.write_text("\n".join([*page, "</svg>\n"]))


if __name__ == "__main__":
    main()
