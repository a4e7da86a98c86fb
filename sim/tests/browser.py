"""Opens pages of `jantaku view` in Chromium, steps through them, and compares them with the games.

usage: browser.py PROGRAM FOLDER [--games N] [--rules RULES…]

FOLDER gets the pages and pictures of them. Chromium comes from the system: CHROMIUM names it, or it is
found by its usual names.

Each page must ask for no other file and log no error. With the keyboard alone, every event of a game is
shown. The points on the table are those of the tables of the run after each deal and at the end of each
hand. No tile, plate or middle of the table lies over another, and none is cut, in wide and narrow
windows, also with long rivers and four kans.
"""

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet
from playwright.sync_api import Browser, Page, sync_playwright

# Windows: a desk, a phone, and the narrowest one.
SIZES = {"wide": (1280, 800), "phone": (390, 844), "narrow": (360, 640)}

# Things on the table that lie over each other or leave it, by more than a pixel.
OVERLAPS = """() => {
  const name = (found) => found.getAttribute("aria-label") ?? found.className;
  const box = (found) => ({ name: name(found), ...found.getBoundingClientRect().toJSON() });
  const field = box(document.getElementById("field"));
  const tiles = document.querySelectorAll(".side .tile, #centre, .plate, #centre .tile");
  const all = [...tiles].filter((found) => !found.closest("#centre") || found.id === "centre").map(box);
  const wrong = all.filter((one) => one.left < field.left - 1 || one.top < field.top - 1
    || one.right > field.right + 1 || one.bottom > field.bottom + 1).map((one) => `cut: ${one.name}`);
  all.forEach((one, index) => all.slice(index + 1).forEach((other) => {
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (width > 1 && height > 1) wrong.push(`${one.name} and ${other.name}`);
  }));
  document.querySelectorAll(".plate").forEach((plate) => {
    if (plate.scrollHeight > plate.clientHeight + 1) wrong.push(`cut text: ${plate.textContent}`);
  });
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
  return wrong;
}"""

# Presses a key, and returns how long the page takes until it is laid out again, and the place that it shows.
PRESS = """(key) => {
  const start = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  document.getElementById("field").getBoundingClientRect();
  return [performance.now() - start, document.body.dataset.ready];
}"""

SCORES = """() => [...document.querySelectorAll(".plate .score")].map((score) => score.textContent)"""


def find_chromium() -> str:
    """The browser of the system."""
    usual = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    names = [os.environ.get("CHROMIUM", ""), *usual]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    assert found, "no Chromium: install the package `chromium`, or set CHROMIUM"
    return found


class Pages:
    """Pages of a program in a browser."""

    def __init__(self, program: Path, folder: Path, browser: Browser):
        self.program, self.folder, self.browser = program, folder, browser

    def run(self, *arguments: str) -> None:
        """Runs the program."""
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"{arguments}\n{done.stderr}"

    def write(self, source: str, name: str, *options: str) -> Path:
        """Writes the page of a source."""
        page = self.folder / f"{name}.html"
        self.run("view", source, "--out", str(page), "--quiet", *options)
        agents = sum(option.startswith("--agent") for option in options)
        assert page.stat().st_size < 1_000_000 * max(1, agents), f"{page} is large"
        return page

    def open(self, file: Path, size: str, scheme: str = "light") -> Page:
        """Opens a page, which must be complete and without errors."""
        width, height = SIZES[size]
        page = self.browser.new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB"
        )
        wrong: list[str] = []
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request", lambda request: wrong.append(request.url) if request.url != file.as_uri() else None
        )
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        page.wrong = wrong
        return page

    def close(self, page: Page, name: str) -> None:
        """Closes a page that logged nothing, after a picture of it."""
        page.screenshot(path=self.folder / f"{name}.png", full_page=True)
        assert page.wrong == [], f"{name}: {page.wrong}"
        page.close()


def scores(page: Page) -> list[int]:
    """The points on the table, by seat."""
    return [int(text.replace(",", "")) for text in page.evaluate(SCORES)]


def check_layout(page: Page, name: str) -> None:
    """Nothing on the table lies over anything else."""
    wrong = page.evaluate(OVERLAPS)
    assert wrong == [], f"{name}: {wrong[:5]}"


def step_through(page: Page, run: Path, number: int) -> list[float]:
    """Steps through a game of a run and compares its points. Returns the times of the steps in ms."""
    table = pyarrow.parquet.read_table(run / "hands", filters=[("game", "=", number)]).to_pylist()
    games = pyarrow.parquet.read_table(run / "games", filters=[("game", "=", number)]).to_pylist()
    data = json.loads(page.evaluate("document.getElementById('data').textContent"))
    hands = data["game"]["hands"]
    assert len(hands) == len(table)
    times, shown = [], []
    for index, (hand, row) in enumerate(zip(hands, table, strict=True)):
        assert page.evaluate("document.body.dataset.ready") == f"{index}.0"
        assert scores(page) == row["start_points"], f"deal of hand {index}"
        for step in range(1, len(hand["steps"]) + 1):
            time, place = page.evaluate(PRESS, "ArrowRight")
            assert place == f"{index}.{step}"
            times.append(time)
            if hand["steps"][step - 1]["event"] == "hand-end":
                expected = [
                    start + change for start, change in zip(row["start_points"], row["deltas"], strict=True)
                ]
                assert scores(page) == expected, f"end of hand {index}"
                check_layout(page, f"end of hand {index}")
                shown.append(page.inner_text("#result"))
        page.evaluate(PRESS, "ArrowRight")
    assert scores(page) == games[0]["points"]
    for row, text in zip(table, shown, strict=True):
        for points in row["win_points"]:
            assert f"{points:,} points" in text, text
    return times


def check_keys(page: Page) -> None:
    """Keys, wheel and buttons move by event, turn and hand."""
    ready = lambda: page.evaluate("document.body.dataset.ready")
    page.keyboard.press("Home")
    for keys, back in [("ArrowRight", "ArrowLeft"), ("ArrowDown", "ArrowUp"), ("End", "Home"), ("PageDown", "PageUp")]:
        before = ready()
        page.keyboard.press(keys)
        assert ready() != before, keys
        page.keyboard.press(back)
        assert ready() == before, back
    page.hover("#board")
    before = ready()
    page.mouse.wheel(0, 100)
    page.wait_for_function("(before) => document.body.dataset.ready !== before", arg=before)
    page.mouse.wheel(0, -100)
    page.wait_for_function("(before) => document.body.dataset.ready === before", arg=before)
    for button in page.query_selector_all("#controls [data-move$=on]"):
        before = ready()
        button.focus()
        page.keyboard.press("Enter")
        assert ready() != before
        page.evaluate(PRESS, "PageUp")
    page.evaluate(PRESS, "Home")
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")
    languages = []
    for _ in range(3):
        page.keyboard.press("l")
        languages.append(page.evaluate("document.documentElement.lang"))
        check_layout(page, languages[-1])
    assert sorted(languages) == ["en", "ja", "zh"]
    page.keyboard.press("o")
    hidden = page.evaluate("document.querySelectorAll('.row [aria-label=\"hidden tile\"]').length")
    assert hidden == 13 * (len(scores(page)) - 1), f"{hidden} hidden tiles"
    page.keyboard.press("o")


def check_advice(page: Page, pages: Pages, name: str) -> None:
    """`m` goes to each mistake; it has options, a cost and tiles with bars."""
    marked = page.evaluate("document.querySelectorAll('#strip .mistake').length")
    found = []
    assert marked, "greedy makes mistakes"
    for _ in range(marked + 1):
        page.keyboard.press("m")
        found.append(page.evaluate("document.body.dataset.ready"))
        assert page.query_selector("#advice .chosen"), found
    assert len(set(found)) == marked, f"{marked} mistakes in the strip, found {found}"
    assert page.evaluate(
        "document.querySelectorAll('.row .bar').length"
    ) > 1 or "discard" not in page.inner_text("#advice")
    page.keyboard.press("M")
    assert page.evaluate("document.body.dataset.ready") == found[-3 if marked > 1 else -1]
    check_layout(page, f"{name} with advice")
    check_differences(page)
    check_finding(page)
    check_address(page)
    check_accessible(page, pages, name)
    check_summary(page)
    pages.close(page, f"{name}-advised")


def check_differences(page: Page) -> None:
    """`n` goes to each difference, however large they must be. At the end, `n` and `m` say that there is none."""
    ready = "document.body.dataset.ready"
    found = {}
    for threshold in ["0", "500", "4000"]:
        page.select_option("#threshold", threshold)
        page.evaluate("document.activeElement.blur(); go(0, 0)")
        number = page.evaluate("document.querySelectorAll('#strip .difference').length")
        assert page.inner_text("#scale").startswith(f"{number} difference")
        places = []
        while page.inner_text("#said") == "":
            page.keyboard.press("n")
            places.append(page.evaluate(ready))
        assert len(set(places) - {"0.0"}) == number, f"{number} differences, found {places}"
        assert page.inner_text("#said") == f"There is no {'further ' if number else ''}difference"
        found[threshold] = number
        page.keyboard.press("m")
    assert found["0"] > found["500"] >= found["4000"], found
    page.evaluate("go(Infinity, Infinity)")
    page.keyboard.press("m")
    assert page.inner_text("#said") == "There is no further mistake"
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#said") == ""
    page.select_option("#threshold", "0")
    page.evaluate("document.activeElement.blur()")


def check_finding(page: Page) -> None:
    """The answer stays hidden until the reader tries a legal action; then it is there with the cost."""
    page.evaluate("go(0, 0)")
    page.keyboard.press("n")
    page.keyboard.press("f")
    number, advice, legal = page.evaluate(
        "(({ number, advice: [own], legal = [] }) => [number, own, legal])(advised())"
    )
    assert f"#{number}" not in page.inner_text("#play")
    assert page.query_selector("#opinion table, .row .bar, #opinion p") is None
    named = page.evaluate("[...document.querySelectorAll('.attempt')].map((one) => one.ariaLabel)")
    values = {option["action"]: option.get("value") for option in advice["options"]}
    assert sorted(named) == sorted([*legal, *values]), named
    worst = min(values, key=values.get)
    page.click(f".attempt[aria-label='{worst}']")
    cost = round(values[advice["action"]] - values[worst])
    expected = f"You: {worst}, cost: {cost:,} points. Answer: {advice['action']}."
    assert page.inner_text("#opinion .answer") == expected
    assert page.query_selector("#opinion table") and f"#{number}" in page.inner_text("#play")
    page.keyboard.press("f")
    assert page.query_selector("#opinion .answer") is None


def check_address(page: Page) -> None:
    """The hand, the decision and the seat at the bottom stay when the page is loaded again."""
    page.keyboard.press("t")
    page.evaluate("go(Infinity, 0)")
    for key, pattern in [("m", "#decision=\\d+&seat=1"), ("End", "#hand=\\d+&event=\\d+&seat=1")]:
        page.keyboard.press(key)
        page.wait_for_timeout(300)
        assert re.search(pattern, page.url) or key == "m", page.url
        before = page.evaluate("[document.body.dataset.ready, state.seat]")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert page.evaluate("[document.body.dataset.ready, state.seat]") == before
    page.evaluate("location.hash = '#decision=0'")
    page.wait_for_function("state.hand === 0 && decisionHere()?.number === 0")


def costs(page: Page, agent: int, seat: int) -> list[tuple[int, float]]:
    """The hand and the cost of each decision of a seat by an agent, from the data of the page."""
    data = json.loads(page.evaluate("document.getElementById('data').textContent"))
    return [
        (number, max(0, decision["advice"][agent].get("cost", 0)))
        for number, hand in enumerate(data["game"]["hands"])
        for step in hand["steps"]
        for decision in step.get("decisions", [])
        if decision["seat"] == seat and decision.get("advice") and decision["advice"][agent]
    ]


# What is wrong with names, landmarks and headings: names contain the visible words, all text is in a landmark, and
# headings skip no level.
ACCESSIBLE = """() => {
  const wrong = [];
  const words = (found) => (found.innerText ?? "").replace(/\\s+/g, " ").trim();
  const hidden = (found) => found.closest("[hidden], dialog:not([open])") || found.querySelector("[aria-hidden]");
  for (const found of document.querySelectorAll("button, a, select, input")) {
    if (hidden(found)) continue;
    const name = found.ariaLabel ?? "";
    const label = found.labels?.[0]?.innerText ?? "";
    const text = found.matches("button, a") ? words(found) : "";
    if (!(name || text || label || found.querySelector("[role=img]"))) wrong.push(`no name: ${found.outerHTML}`);
    if (name && text && !name.includes(text)) wrong.push(`${text} is called ${name}`);
  }
  if (document.querySelectorAll("main").length !== 1) wrong.push("not one main");
  if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
  const outside = [...document.body.children].filter((found) => words(found) && !found.matches("header, main, script, style, dialog, noscript"));
  wrong.push(...outside.map((found) => `outside of landmarks: ${found.outerHTML.slice(0, 80)}`));
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter((found) => !hidden(found)).map(({ tagName }) => +tagName[1]);
  levels.forEach((level, at) => { if (level > (levels[at - 1] ?? 0) + 1) wrong.push(`h${level} after h${levels[at - 1]}`); });
  return wrong;
}"""

# The controls that would be printed. Plates and hands of the list are texts.
PRINTED = """() => [...document.querySelectorAll("button:not(.plate, #hand-list button), select, input, textarea")]
  .filter((found) => found.checkVisibility()).map((found) => found.outerHTML)"""


def check_accessible(page: Page, pages: Pages, name: str) -> None:
    """Names, landmarks and headings are in order; forced colours keep marks, and prints have no controls."""
    assert page.evaluate(ACCESSIBLE) == [], name
    page.emulate_media(forced_colors="active")
    picture = "getComputedStyle(document.querySelector('#strip .mistake')).backgroundImage"
    assert "gradient" in page.evaluate(picture)
    page.screenshot(path=pages.folder / f"{name}-forced.png")
    page.emulate_media(forced_colors="none", media="print")
    assert page.evaluate(PRINTED) == []
    assert page.is_visible("#field") and page.is_visible("#strip") and page.is_visible("#summary")
    page.screenshot(path=pages.folder / f"{name}-print.png", full_page=True)
    page.emulate_media(media="screen")


def check_summary(page: Page) -> None:
    """The summary has the points lost, by kind and by hand, and those of each hand."""
    data = json.loads(page.evaluate("document.getElementById('data').textContent"))
    for _ in data["game"]["names"]:
        agent, seat = page.evaluate("[state.advisor, state.seat]")
        found = costs(page, agent, seat)
        tables = page.evaluate(
            """() => [...document.querySelectorAll("#summary table")].map((table) =>
              [...table.rows].slice(1).map((row) => [...row.cells].map((cell) => cell.textContent)))"""
        )
        kinds, hands = tables
        number = lambda text: int(text.replace(",", ""))
        assert [number(row[1]) for row in kinds][-1] == len(found)
        assert sum(number(row[1]) for row in kinds[:-1]) == len(found), kinds
        before = [hand["start"]["seats"][str(seat)]["score"] for hand in data["game"]["hands"]]
        for index in range(len(before)):
            lost = sum(cost for of, cost in found if of == index)
            assert abs(number(hands[index][2]) - lost) <= 1, hands[index]
        won = [number(row[3]) for row in hands[: len(before) - 1]]
        assert won == [end - start for start, end in itertools.pairwise(before)], hands
        for rows in (kinds, hands):
            assert abs(number(rows[-1][-1 if rows is kinds else 2]) - sum(cost for _, cost in found)) <= 1
        page.keyboard.press("t")


def check_agents(page: Page, pages: Pages, name: str, size: str) -> None:
    """Agents have columns; `a` and the list choose the one that is shown, `b` what bars show."""
    page.keyboard.press("m")
    heads = page.evaluate("[...document.querySelectorAll('.agents th')].map((one) => one.textContent)")
    assert heads == ["mine", "greedy", "residual"], heads
    assert page.query_selector(".agents .foot"), "costs"
    assert "mine = heuristic:calls=off" in page.inner_text("#summary")
    bars = lambda: page.evaluate(
        "[...document.querySelectorAll('#opinion meter')].map((one) => one.value)"
    )
    values = bars()
    page.keyboard.press("b")
    assert page.input_value("#measure") == "risk"
    assert bars() != values, "bars of risk"
    cells = "[...document.querySelectorAll('.agents tr:not(.foot) td:nth-child(3)')]"
    greedy = page.evaluate(f"{cells}.map((one) => one.textContent).join('')")
    assert not re.search(r"\d", greedy), "greedy reports no risk"
    assert page.evaluate("document.querySelectorAll('.row .bar.risk').length") > 0
    page.select_option("#measure", "value")
    assert bars() == values
    page.evaluate("document.activeElement.blur()")
    strip = "[...document.querySelectorAll('#strip span')].map((one) => one.title).join()"
    before = page.evaluate(strip)
    page.keyboard.press("a")
    assert page.inner_text("#advisor-name") == "greedy"
    assert page.evaluate(strip) != before, "the strip is that of the agent"
    assert "% agreement" in page.inner_text("#summary"), "greedy knows whether it would choose the same"
    page.select_option("#advisor", "0")
    assert page.evaluate(strip) == before
    page.evaluate("document.activeElement.blur()")
    english = page.inner_text(".agents")
    page.keyboard.press("l")
    assert "打" in page.inner_text(".agents"), english
    assert "discard" not in page.inner_text("#caption"), "actions have words"
    page.keyboard.press("l")
    page.keyboard.press("l")
    check_layout(page, f"{name}: several agents, {size}")
    pages.close(page, f"{name}-agents-{size}")


def full_hand(hand: dict) -> None:
    """Gives all players of a hand the longest rivers and the most kans."""
    river = " ".join(["5m", "0p*", "9s'", "7zr", "1z*", "8s"] * 4)
    kans = ["5s- 5s= 5s 0s", "7z 7z- 7z= 7z", "1m 1m 1m- 1m=", "xx 0p 5p xx"]
    for seat, side in hand["start"]["seats"].items():
        side.update(
            river=river,
            melds=kans,
            hand="9m",
            drawn="9m",
            riichi=True,
            shanten=0,
            furiten=True,
            norths=4 * (seat == "0"),
            waits="1m:1 2m:2 3m:3 4m:4 5m:1 6m:2 7m:3 8m:4 9m:0 1s:1 2s:2 3s:3 4s:4",
        )
    hand["start"].update(indicators="1m 0p 9s 7z 5s", sticks=12)
    hand.update(steps=[], result=None, honba=12)


def full_table(page: Path) -> str:
    """A page whose only hand has full rivers and hostile names."""
    text = page.read_text()
    start = text.index('id="data">') + len('id="data">')
    end = text.index("</script>", start)
    data = json.loads(text[start:end])
    hand = data["game"]["hands"][0]
    full_hand(hand)
    data["game"].update(hands=[hand], names=["<b>W</b>" * 20, "\u5f20" * 30, "\u05d0bc", ""])
    return text[:start] + json.dumps(data).replace("<", "\\u003c") + text[end:]


def arguments(about: str, games: int) -> argparse.Namespace:
    """The program, a new folder, and the number of games, from the command line."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=games)
    parser.add_argument("--rules", nargs="+", default=["tenhou", "tenhou-sanma", "duo"])
    given = parser.parse_args()
    shutil.rmtree(given.folder, ignore_errors=True)
    given.folder.mkdir(parents=True)
    given.program, given.folder = given.program.resolve(), given.folder.resolve()
    return given


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium, until the end of the block."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        yield browser
        browser.close()


def main() -> None:
    """Tests pages of a run, of its logs, and of positions."""
    given = arguments(__doc__, games=2)
    with chromium() as browser:
        pages = Pages(given.program, given.folder, browser)
        for rules in given.rules:
            test_rules(pages, rules, given.games)
        test_position(pages)


def test_rules(pages: Pages, rules: str, games: int) -> None:
    """Tests the pages of some games under these rules."""
    run, folder = pages.folder / rules, pages.folder
    pages.run(
        "selfplay", f"--games={games}", "--agents=greedy", f"--rules={rules}", "--out", str(run), "--quiet"
    )
    times = []
    for number in range(games):
        file = pages.write(f"{run}:{number}", f"{rules}-{number}")
        page = pages.open(file, "wide")
        times += step_through(page, run, number)
        pages.close(page, f"{rules}-{number}-wide")
    times.sort()
    print(f"{rules}: {len(times)} steps, median {times[len(times) // 2]:.1f} ms, longest {times[-1]:.1f} ms")
    page = pages.open(file, "wide", "dark")
    check_keys(page)
    pages.close(page, f"{rules}-dark")
    for size in ["phone", "narrow"]:
        page = pages.open(file, size)
        for hand in range(
            len(json.loads(page.evaluate("document.getElementById('data').textContent"))["game"]["hands"])
        ):
            page.keyboard.press("End")
            check_layout(page, f"{rules}, {size}, hand {hand}")
            if hand == 0:
                page.screenshot(path=folder / f"{rules}-{size}-end.png", full_page=True)
            page.keyboard.press("PageDown")
        pages.close(page, f"{rules}-{size}")
    advised = pages.write(f"{run}:0", f"{rules}-advised", "--agent=heuristic", "--threshold=300")
    check_advice(pages.open(advised, "wide"), pages, rules)
    several = ["--agent=mine=heuristic:calls=off", "--agent=greedy", "--agent=residual", "--threshold=300"]
    file_of_several = pages.write(f"{run}:0", f"{rules}-agents", *several)
    for size in SIZES:
        check_agents(pages.open(file_of_several, size), pages, rules, size)
    full = folder / f"{rules}-full.html"
    full.write_text(full_table(file))
    for size in SIZES:
        page = pages.open(full, size)
        page.screenshot(path=folder / f"{rules}-full-{size}.png", full_page=True)
        check_layout(page, f"{rules}: full table, {size}")
        pages.close(page, f"{rules}-full-{size}")


def test_position(pages: Pages) -> None:
    """Tests the page of the position in the documentation."""
    text = (Path(__file__).parent.parent / "docs" / "positions.md").read_text()
    file = pages.folder / "position.toml"
    file.write_text(re.search(r"```toml\n(.*?)```", text, flags=re.DOTALL).group(1))
    page = pages.open(pages.write(str(file), "position"), "wide")
    check_layout(page, "position")
    for key in ["ArrowRight", "PageDown", "End", "ArrowDown", "PageUp"]:
        page.keyboard.press(key)
    pages.close(page, "position")


if __name__ == "__main__":
    main()
