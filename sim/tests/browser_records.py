"""Opens pages of recorded games in Chromium, and compares the points that they show with the recorded ones.

usage: browser_records.py PROGRAM FOLDER [--games N]

The games are those of Tenhou in JANTAKU_DATA, with four and three players; the points that they state are
read from their XML, not by the program. Every event of a game is shown. A page weighs less than a megabyte,
asks for nothing and logs no error. It opens within a second, and a step takes less than 50 ms on average. Other
programs may stop the browser for longer, so what takes too long is tried again, and the shortest time counts.

Positions copied from a page must be those of the run or log for `jantaku ask`.
"""

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

from browser import Pages, arguments, check_keys, chromium
from playwright.sync_api import Page

# The collections, and how many of twenty games come from each.
COLLECTIONS = {"4p-hanchan-red": 8, "4p-tonpu-red": 5, "3p-hanchan-red": 7}

# Within how many milliseconds a page opens, and a step is laid out; and how often they are tried.
OPEN, STEP, TRIES = 1000, 50, 10

# Steps through a game by the key of the next event. Returns the points after each deal and at the end of each
# hand, the events that were shown, and the longest time of a step until the page is laid out again. Steps that
# take too long are tried again, without what the page computed the first time.
STEP_THROUGH = """([most, tries]) => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const scores = () => [...document.querySelectorAll(".plate .score")].map((score) => Number(score.textContent.replaceAll(",", "")));
  const found = { deals: [], ends: [], steps: 0, longest: 0, total: 0 };
  const step = (place) => {
    const start = performance.now();
    press("ArrowRight");
    document.getElementById("field").getBoundingClientRect();
    const time = performance.now() - start;
    if (document.body.dataset.ready !== place) throw new Error(`${document.body.dataset.ready}, not ${place}`);
    return time;
  };
  const shortest = (place) => {
    let time = step(place);
    for (let tried = 1; time >= most && tried < tries; tried += 1) {
      press("ArrowLeft");
      frames.clear();
      time = Math.min(time, step(place));
    }
    found.longest = Math.max(found.longest, time);
    found.total += time;
    found.steps += 1;
  };
  game.hands.forEach((of, number) => {
    found.deals.push(scores());
    of.steps.forEach((event, index) => {
      shortest(`${number}.${index + 1}`);
      if (event.event === "hand-end") found.ends.push(scores());
    });
    if (number + 1 < game.hands.length) shortest(`${number + 1}.0`);
  });
  return { ...found, last: scores() };
}"""

# How long the page took to open.
OPENED = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"

# The positions of all decisions that a page shows, with their numbers.
POSITIONS = """() => game.hands.flatMap((of, number) => of.steps.flatMap((step, index) => {
  Object.assign(state, { hand: number, step: index + 1 });
  return (step.decisions ?? []).map((decision) => [decision.number, positionText(decision)]);
}))"""


def recorded_points(xml: str) -> tuple[list[list[int]], list[list[int]], list[int]]:
    """The points after each deal, at the end of each hand, and at the end, in the XML of a game."""
    deals, ends, last = [], [], []
    for tag, attributes in re.findall(r"<(INIT|AGARI|RYUUKYOKU)\b([^>]*)", xml):
        values = dict(re.findall(r'(\w+)="([^"]*)"', attributes))
        if tag == "INIT":
            deals.append([100 * int(points) for points in values["ten"].split(",")])
            continue
        numbers = [int(number) for number in values["sc"].split(",")]
        end = [100 * (before + change) for before, change in zip(numbers[::2], numbers[1::2], strict=True)]
        # Several players may win on one tile.
        ends = ends[: len(deals) - 1] + [end]
        if "owari" in values:
            last = [100 * int(points) for points in values["owari"].split(",")[::2]]
    return deals, ends, last


def recorded(data: Path, games: int) -> list[tuple[Path, int, str]]:
    """The file, the number and the XML of this many games."""
    found = []
    for name, share in COLLECTIONS.items():
        file = data / "tenhou-mjlog" / f"{name}.licensed.jsonl.gz"
        with gzip.open(file, "rt") as lines:
            for number, line in zip(range(max(1, share * games // 20)), lines, strict=False):
                found.append((file, number, json.loads(line)["xml"]))
    return found


def check_points(page: Page, xml: str) -> dict:
    """Steps through a page and compares all points. Returns the times."""
    found = page.evaluate(STEP_THROUGH, [STEP, TRIES])
    players = len(found["last"])
    deals, ends, last = recorded_points(xml)
    deals, ends = ([row[:players] for row in rows] for rows in (deals, ends))
    last = last[:players]
    assert found["deals"] == deals, f"deals: {found['deals']}, recorded {deals}"
    assert found["ends"] == ends, f"ends: {found['ends']}, recorded {ends}"
    assert found["last"] == last, f"at the end: {found['last']}, recorded {last}"
    mean = found["total"] / found["steps"]
    assert mean < STEP, f"a step takes {mean:.0f} ms"
    return found


def check_opening(page: Page) -> float:
    """A page opens within a second. Returns the milliseconds."""
    opened = page.evaluate(OPENED)
    for _ in range(TRIES):
        if opened < OPEN:
            break
        page.reload()
        page.wait_for_selector("body[data-ready]")
        opened = page.evaluate(OPENED)
    assert opened < OPEN, f"the page opens after {opened:.0f} ms"
    return opened


def check_positions(page: Page, pages: Pages, game: str) -> int:
    """Positions copied from a page are those of the game for `jantaku ask`."""
    positions = page.evaluate(POSITIONS)
    asked = positions[:: max(1, len(positions) // 12)]
    file = pages.folder / "position.toml"
    for number, text in asked:
        file.write_text(text)
        copied, original = (ask(pages.program, place) for place in (str(file), f"{game}:{number}"))
        for key in ["hand", "drawn", "legal", "melds", "live", "furiten", "offered", "answers"]:
            assert copied[key] == original[key], f"{game}:{number}: {key}\n{text}"
    return len(asked)


def ask(program: Path, place: str) -> dict:
    """What `jantaku ask` says about a place."""
    command = [program, "ask", place, "--agents=greedy", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return json.loads(done.stdout)


def main() -> None:
    """Opens the pages of recorded games."""
    given = arguments(__doc__, games=20)
    games = recorded(Path(os.environ["JANTAKU_DATA"]), given.games)
    with chromium() as browser:
        pages = Pages(given.program, given.folder, browser)
        for file, number, xml in games:
            name = f"{file.name.split('.')[0]}-{number}"
            written = pages.write(f"{file}:{number}", name)
            page = pages.open(written, "wide")
            opened = check_opening(page)
            found = check_points(page, xml)
            if number == 0:
                positions = check_positions(page, pages, f"{file}:{number}")
                check_keys(page)
                print(f"{name}: {positions} positions and keys")
            size, mean = written.stat().st_size // 1000, found["total"] / found["steps"]
            times = f"open {opened:.0f} ms, step {mean:.1f} ms, longest {found['longest']:.0f} ms"
            print(f"{name}: {size} kB, {found['steps']} steps, {times}", flush=True)
            pages.close(page, name)


if __name__ == "__main__":
    main()
