"""Watches a run, a match and a league in Chromium while `jantaku serve` shows them, and plays on from a game.

usage: browser_serve.py PROGRAM FOLDER

The pages must show more games without being loaded again, fit windows of all sizes, show hostile names as
text, and log no error. In the page of a game, the person plays on from a decision, and the new table asks them
for one. So it does from a position. FOLDER gets pictures of all pages.
"""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from browser import SIZES, arguments, chromium
from playwright.sync_api import Browser, Page

# What is played while its page is open: without end, so that no machine is too fast.
PLAYED = {
    "<img src=x onerror=alert(1)> \u202erun": ["selfplay", "--games=1000000", "--agents=greedy,random", "--rules=duo"],
    "match": ["match", "--challenger=mine=greedy", "--baseline=random", "--sets=1000000", "--log=decisions"],
    "league": ["league", "--agents=greedy,random,tsumogiri", "--rules=duo", "--sets=1000000"],
}

POSITION = """
round = "E2"
indicators = "3m"
turn = 6
seat = "south"
[south]
hand = "23455m234p56788s+9s"
"""


@contextmanager
def running(command: list[object], *, is_read: bool = False) -> Iterator[subprocess.Popen]:
    """A program that runs until the end of the block."""
    output = subprocess.PIPE if is_read else subprocess.DEVNULL
    process = subprocess.Popen([str(word) for word in command], stdout=output, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=60)


class Window:
    """A window on a server, which logs no error."""

    def __init__(self, browser: Browser, url: str, folder: Path):
        self.url, self.folder, self.wrong = url, folder, []
        self.page: Page = browser.new_page(locale="en-GB")
        self.page.set_default_timeout(120_000)
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def open(self, path: str) -> None:
        """Opens a page of the server."""
        assert self.page.goto(self.url + path).status == 200, path

    def watch(self, name: str) -> None:
        """More games are shown, in the same page."""
        self.page.evaluate("window.isSame = true")
        before = self.page.evaluate("document.querySelector('main').textContent")
        self.page.wait_for_function(
            "(before) => document.querySelector('main').textContent !== before", arg=before
        )
        assert self.page.evaluate("window.isSame"), f"{name}: loaded again"

    def pictures(self, name: str) -> None:
        """Pictures in all sizes. Nothing is cut: what is wider than the window scrolls in itself."""
        for size, (width, height) in SIZES.items():
            self.page.set_viewport_size({"width": width, "height": height})
            assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}, {size}"
            self.page.screenshot(path=self.folder / f"{name}-{size}.png", full_page=True)

    def close(self) -> None:
        """No page logged anything."""
        assert self.wrong == [], self.wrong
        self.page.close()


def watch(window: Window, name: str) -> None:
    """The page of what is played, with its progress, its table so far and its games."""
    window.open("/")
    link = window.page.wait_for_selector(f"main a:has-text('{name}')")
    window.open(link.get_attribute("href"))
    window.page.wait_for_selector("main table", state="attached")
    window.watch(name)
    assert window.page.query_selector("progress") and window.page.query_selector("main img, h1 img") is None
    assert name != "run" or "⟨U+202E⟩" in window.page.inner_text("h1")
    window.pictures(name)
    if name != "league":
        for game in [".many a", "a:has-text('Latest complete game')", "a[href$='/now']"]:
            watch_game(window, game)
    window.page.click("main a[href$=report]")
    window.pictures(f"{name}-report")


def watch_game(window: Window, link: str) -> None:
    """The page of a run opens a whole game, and is back afterwards."""
    window.page.click(f"main {link}")
    window.page.wait_for_selector("body[data-ready]")
    assert window.page.evaluate("game.results !== null"), link
    note = window.page.get_by_text("has not written this game yet")
    assert note.count() == int("now" in link), link
    window.page.go_back()
    window.page.wait_for_selector("main table", state="attached")


# The seat and the name of the player who decides next, and the dealer.
DECIDER = """() => {
  const decisions = game.hands.flatMap(({ steps }) => steps).flatMap(({ decisions }) => decisions ?? []);
  const { seat } = decisions.find(({ number }) => number === nextDecision());
  return [seat, game.names[seat], hand().dealer];
}"""


def check_copying(page: Page, *, is_possible: bool) -> None:
    """The button that copies a position shows whether it can be pressed, and its title says why not."""
    button = page.locator("#copy-position")
    opacity = float(button.evaluate("(button) => getComputedStyle(button).opacity"))
    assert button.is_enabled() == is_possible
    assert (opacity == 1) == is_possible, opacity
    title = button.get_attribute("title")
    assert bool(title) != is_possible, title


def play_on(window: Window) -> None:
    """A table continues from a decision in a game of the match."""
    window.open("/")
    window.page.set_viewport_size({"width": 1280, "height": 800})
    window.page.click("main a:has-text('match')")
    window.page.click("main .many a")
    window.page.wait_for_selector("body[data-ready]")
    window.page.keyboard.press("PageDown")
    check_copying(window.page, is_possible=False)
    window.pictures("deal")
    for key in ["ArrowDown", "ArrowDown", "ArrowDown"]:
        window.page.keyboard.press(key)
    check_copying(window.page, is_possible=True)
    place = window.page.evaluate("document.body.dataset.ready")
    seat, name, dealer = window.page.evaluate(DECIDER)
    river = window.page.evaluate("(seat) => framesOf(state.hand)[state.step].seats[seat].river", seat)
    window.pictures("game")
    window.page.click("#play-on")
    heading = window.page.inner_text("h1")
    assert re.fullmatch(r"Game \d+, (East|South) \d(, \d+ honba)?, #\d+", heading), heading
    chosen = window.page.evaluate("(({ value, selectedOptions: [{ text }] }) => [value, text])(document.forms[0].seat)")
    wind = ["East", "South", "West", "North"][(seat - dealer) % 4]
    assert chosen == [str(seat), f"{wind}: {name}"], chosen
    window.pictures("form")
    sit_down(window.page)
    hand = int(place.split(".")[0])
    now = window.page.evaluate("(hand) => framesOf(hand).at(-1).seats[play.seat].river", hand)
    assert now.replace("'", "").startswith(river.replace("'", "")), f"{river} before, {now} now"
    window.pictures("table")


def sit_down(page: Page) -> None:
    """The form leads to a table that asks the person, perhaps after the end of a hand."""
    page.click("form button")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_function("() => canAct() || document.querySelector('#acts .go-on')")


def play_on_from_position(window: Window) -> None:
    """A table continues from a position. The form and the table say that unknown tiles are dealt."""
    window.open("/")
    window.page.click("main a:has-text('position.toml')")
    window.page.click("main .many a")
    window.page.wait_for_selector("body[data-ready]")
    window.page.click("#play-on")
    assert "dealt at random" in window.page.inner_text("body")
    window.pictures("form-of-position")
    sit_down(window.page)
    assert "unknown tiles were dealt at random" in window.page.inner_text("#notes")
    window.pictures("table-of-position")


def main() -> None:
    """Watches what is played, and plays on."""
    given = arguments(__doc__, games=0)
    program, folder = given.program, given.folder
    runs = folder / "runs"
    runs.mkdir()
    position = folder / "position.toml"
    position.write_text(POSITION)
    serve = [program, "serve", "--port=0", "--tables", folder / "tables", "--agents=greedy,random", runs, position]
    with running(serve, is_read=True) as server, chromium() as browser:
        url = re.match(r"(http://127\.0\.0\.1:\d+)/", server.stdout.readline()).group(1)
        window = Window(browser, url, folder)
        for name, command in PLAYED.items():
            with running([program, *command, "--threads=1", "--quiet", "--out", runs / name]):
                watch(window, name.rsplit(maxsplit=1)[-1].lstrip("\u202e"))
        window.open("/")
        assert len(window.page.query_selector_all("main a")) == len(PLAYED) + 1
        window.pictures("index")
        play_on(window)
        play_on_from_position(window)
        window.close()
    print("runs, matches and leagues are shown while they are played; a game and a position were played on")


if __name__ == "__main__":
    main()
