"""Walks through all pages in Chromium: in Japanese and Chinese for English words, and with axe for barriers.

usage: browser_walk.py PROGRAM FOLDER

Pages in Japanese and Chinese have no English words but names, file formats and sentences marked as English. A log
is opened as text and as a file, and reviewed. axe (https://github.com/dequelabs/axe-core) finds nothing on any
page, in light and dark, on a desk and a phone. It is left out where it is not installed.
"""

import re
import subprocess
import sys
from pathlib import Path

from browser import SIZES, arguments, chromium
from browser_reports import write_all
from browser_serve import running
from browser_table import PLAY
from playwright.sync_api import Browser, Page

# `make browser` installs it with npm beside the packages of Python.
AXE = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"

# Names, formats and units, which have no translation.
NAMES = re.compile(
    r"heuristic|residual|greedy|level-\d|mc:rollouts=\d+|tenhou\.net|mjlog|mjai|Jantaku|Shift|Space|Esc|Enter|Page(?:Up|Down)|Home|End"
    r"|EMA|WRC|RMU|JPML|Dragon Kong|majiang-core|M\.League|Ron2|-Saki-|--log decisions|json"
    r"|^[a-z0-9-]+(?=: )|tenhou-tonpuu|duo|table-\d+|person|#\d+|log=|MB|/\S+"
)

# The texts and names of a page, but for those of players and files and those marked as English.
TEXTS = """() => {
  const skipped = "[lang=en], bdi, kbd, script, style, noscript, pre, textarea, option[lang]";
  const texts = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ALL);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    const owner = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (!owner.closest || owner.closest(skipped)) continue;
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
    else for (const name of ["title", "aria-label", "placeholder", "alt", "aria-valuetext"]) texts.push(node.getAttribute(name) ?? "");
  }
  return texts;
}"""

# All reasons of agents in a game, in the words of the page.
SENTENCES = """() => game.hands.flatMap(({ steps }) => steps).flatMap(({ decisions }) => decisions ?? [])
  .flatMap(({ advice }) => advice ?? []).flatMap((advice) => advice?.reason ?? []).map(translated)"""

FOUND = "async () => (await axe.run()).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))"


def english(texts: list[str], names: re.Pattern[str] = NAMES) -> list[str]:
    """The texts that have English words."""
    return sorted({text for text in texts if re.search(r"[A-Za-z]{2,}", names.sub("", text))})


def check_words(page: Page, name: str) -> None:
    """The page is in Japanese or Chinese, and no text of it is in English."""
    assert page.evaluate("document.documentElement.lang") in ("ja", "zh"), name
    found = english(page.evaluate(TEXTS))
    assert found == [], f"{name}: {found[:10]}"


def check_barriers(page: Page, name: str) -> None:
    """Axe finds nothing, in light and dark, on a desk and a phone."""
    if not AXE.is_file():
        return
    page.evaluate(AXE.read_text())
    for size in ["wide", "phone"]:
        page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
        for scheme in ["light", "dark"]:
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate(FOUND)
            assert found == [], f"{name}, {size}, {scheme}: {len(found)}\n" + "\n".join(one[:200] for one in found[:8])


class Walk:
    """A walk through the pages of a server in one language. Each page passes a check."""

    def __init__(self, browser: Browser, url: str, log: Path, locale: str, check):
        self.url, self.log, self.check, self.locale = url, log, check, locale
        self.page = browser.new_page(locale=locale)
        self.page.set_default_timeout(120_000)

    def visit(self, path: str, name: str, status: int = 200) -> None:
        """Opens a page."""
        assert self.page.goto(self.url + path).status == status, path
        self.check(self.page, f"{self.locale}: {name}")

    def pages(self) -> None:
        """The lists, the forms and the errors."""
        self.visit("/", "index")
        self.visit("/games/0", "games of a run")
        self.visit("/games/0/0/20", "form to play on")
        self.visit("/nowhere", "missing page", 404)
        self.visit("/games/0/99", "missing game", 404)

    def open_log(self, file: Path | None, text: str) -> None:
        """Sends a log with the form of the first page."""
        self.page.goto(self.url + "/")
        self.page.fill("[name=text]", text)
        if file:
            self.page.set_input_files("[name=file]", file)
        self.page.click("form[action='/games'] button")

    def review(self) -> None:
        """A log is sent and reviewed. A text that is no log is an error in the page."""
        self.open_log(None, "https://tenhou.net/0/?log=2026")
        assert "replay links hold no game" in self.page.inner_text("[role=alert]")
        assert self.page.input_value("[name=text]") == "https://tenhou.net/0/?log=2026"
        self.check(self.page, f"{self.locale}: error of a log")
        for file, text in [(self.log, ""), (None, self.log.read_text())]:
            self.open_log(file, text)
            self.page.wait_for_selector("body[data-ready]")
            assert self.page.url.endswith("?agent=0") or "?agent=0#" in self.page.url, self.page.url
        reasons = self.page.evaluate(SENTENCES)
        wrong = english(reasons) if not self.locale.startswith("en") else []
        assert len(reasons) > 50 and wrong == [], wrong[:5]
        keys = ["End", "m", "m", "n", "f", *["ArrowRight"] * 30, "f", "b", "End", "PageDown"]
        for key in keys if self.check is check_words else ["End", "m"]:
            self.page.keyboard.press(key)
            self.check(self.page, f"{self.locale}: review after {key}")
        last = "go(game.hands.length - 1, Infinity)"
        for place in [last, "ACTIONS.help()"]:
            self.page.evaluate(place)
            self.check(self.page, f"{self.locale}: review, {place}")

    def table(self) -> None:
        """A table, with a hint, to the end."""
        self.page.goto(self.url + "/")
        self.page.select_option("[name=rules]", index=0)
        self.page.select_option("[name=hints]", index=2)
        self.page.click("form button")
        self.page.wait_for_selector("body[data-ready]")
        self.page.select_option("#pace", index=0)
        self.page.evaluate(PLAY, {"seed": 1, "most": 3})
        if self.page.evaluate("canAct()"):
            self.page.keyboard.press("h")
            self.page.wait_for_function("() => table.hint !== null && !table.isAsking")
        self.check(self.page, f"{self.locale}: table")
        self.page.keyboard.press("?")
        self.check(self.page, f"{self.locale}: keys of the table")
        self.page.keyboard.press("Escape")
        assert self.page.evaluate(PLAY, {"seed": 2, "most": 1_000})["over"]
        self.check(self.page, f"{self.locale}: end of the table")


def main() -> None:
    """Walks through all pages."""
    given = arguments(__doc__, games=0)
    program, folder = given.program, given.folder
    run, log = folder / "run", folder / "game.mjson"
    for command in [
        ["selfplay", "--games=2", "--agents=heuristic,greedy,heuristic,greedy", "--rules=tenhou-tonpuu", "--out", run],
        ["convert", f"{run}:0", "--to=mjai", "--out", log],
    ]:
        subprocess.run([program, *command, "--quiet"], check=True)
    serve = [program, "serve", "--port=0", "--tables", folder / "tables", "--agents=residual,heuristic,greedy"]
    serve += ["--rules=duo", run]
    with running(serve, is_read=True) as server, chromium() as browser:
        url = re.match(r"(http://127\.0\.0\.1:\d+)/", server.stdout.readline()).group(1)
        for locale, check in [("ja-JP", check_words), ("zh-CN", check_words), ("en-GB", check_barriers)]:
            walk = Walk(browser, url, log, locale, check)
            walk.pages()
            walk.review()
            walk.table()
        page = browser.new_page()
        (folder / "reports").mkdir()
        for name in write_all(program, folder / "reports", 20):
            page.goto((folder / "reports" / f"{name}.html").as_uri())
            check_barriers(page, name)
    print("no English words in Japanese and Chinese; " + ("axe finds nothing" if AXE.is_file() else "axe was left out: `npm` installs it"))


if __name__ == "__main__":
    main()
