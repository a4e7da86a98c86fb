"""Plays games at tables of `jantaku serve` in Chromium, and checks the runs that it keeps.

usage: browser_table.py PROGRAM FOLDER [--games N]

FOLDER gets the tables and pictures of them. A scripted person sits down with the form, plays with buttons,
tiles and keys, and asks for hints. In some games they reload the page, play in two windows, or lose the
server, which is killed and started again. Each finished game must be a run that `verify` accepts, and a page
with advice. No page may log an error.
"""

import argparse
import random
import re
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

from browser import OVERLAPS, SIZES, find_chromium
from playwright.sync_api import Browser, Page, sync_playwright

# The rules of the games, in turns, with a seat: 0 is a random one.
GAMES = [
    ("tenhou-tonpuu", 1),
    ("tenhou-sanma", 0),
    ("duo", 2),
    ("mjsoul-tonpuu", 3),
    ("tenhou-tonpuu", 0),
    ("mjsoul-sanma", 2),
    ("tenhou", 4),
]

# What a page shows a person who must do something: the legal actions, the button to the next hand, or that
# the game is over and kept. None while the others play.
NEEDED = """() => {
  if (table.isKept && isNow()) return { over: true };
  if (document.querySelector("#acts .go-on")) return { next: true };
  if (!canAct()) return null;
  return { number: table.decision.number, actions: table.decision.actions, hint: table.hint?.advice.best ?? null };
}"""

# Clicks on what does an action: its button, or its tile after the button of a riichi.
ACT = """(action) => {
  const all = table.decision.actions;
  if (["riichi", "open-riichi"].includes(action.kind)) document.querySelector(`#acts .${action.kind}`).click();
  if (["discard", "riichi", "open-riichi"].includes(action.kind)) {
    const place = ownTiles().findIndex(([code, drawn]) => code === action.tiles[0] && drawn === action.drawn);
    at("own").children[place].click();
    return;
  }
  const name = action.kind === "pass" ? passName() : action.kind;
  const index = all.filter(({ kind }) => kind === action.kind).findIndex(({ id }) => id === action.id);
  document.querySelectorAll(`#acts .${name}`)[index].click();
}"""

# What of the bar below the table is cut or too small.
BAR = """() => {
  const wrong = [];
  for (const button of document.querySelectorAll("#own > button, #acts > *")) {
    const box = button.getBoundingClientRect();
    if (box.left < -1 || box.right > innerWidth + 1) wrong.push(`cut: ${button.textContent}`);
    if (button.scrollWidth > button.clientWidth + 1) wrong.push(`cut text: ${button.textContent}`);
    if (box.width < 20 || box.height < 26) wrong.push(`small: ${box.width} × ${box.height}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
  return wrong;
}"""

# What a browser says while there is no server.
NO_SERVER = re.compile(r"ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_SOCKET|Failed to load resource")


class Server:
    """A server that can be killed and started again at the same port."""

    def __init__(self, program: Path, folder: Path):
        self.program, self.folder, self.port = program, folder, 0
        self.start()

    def start(self) -> None:
        """Starts the server, and reads its address."""
        rules = [f"--rules={name}" for name in dict.fromkeys(name for name, _ in GAMES)]
        command = [self.program, "serve", f"--port={self.port}", "--tables", str(self.folder / "tables")]
        command += ["--agents=heuristic,greedy,random", *rules]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.url = re.match(r"(http://127\.0\.0\.1:(\d+))/", line).group(1)
        self.port = int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        """Kills the server, as a power cut does."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Stops the server as Ctrl-C does."""
        self.process.terminate()
        assert self.process.wait(timeout=30) == 0


class Person:
    """A scripted person at a table, in one window or more."""

    def __init__(self, browser: Browser, server: Server, seed: int):
        self.browser, self.server, self.rng = browser, server, random.Random(seed)
        self.done: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.context = browser.new_context(viewport=dict(zip(("width", "height"), SIZES["wide"], strict=True)))
        self.context.add_init_script("try { localStorage.setItem('pace', '0') } catch {}")
        self.windows: list[Page] = []

    def open(self, url: str) -> Page:
        """Opens a window."""
        page = self.context.new_page()
        page.set_default_timeout(120_000)
        page.on("console", lambda message: self.wrong.append(message.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.goto(url)
        self.windows.append(page)
        return page

    def sit_down(self, rules: str, seat: int, seed: int) -> Page:
        """Sets a table up with the form."""
        page = self.open(self.server.url + "/")
        page.select_option("[name=rules]", label=rules)
        for opponent in range(3):
            page.select_option(f"[name=opponent{opponent}]", index=(seed + opponent) % 3)
        page.select_option("[name=seat]", index=seat)
        page.fill("[name=seed]", str(seed))
        page.click("form button")
        page.wait_for_selector("body[data-ready]")
        return page

    def needed(self, page: Page) -> dict:
        """Waits until the person must do something."""
        return page.wait_for_function(NEEDED, timeout=120_000).json_value()

    def choose(self, page: Page, needed: dict) -> dict:
        """Chooses an action: what the hint says, or a rare one, or any."""
        actions = needed["actions"]
        rare = [one for one in actions if one["kind"] not in ("discard", "pass", "end-game", "keep-closed")]
        winning = [one for one in rare if one["kind"] in ("ron", "tsumo", "kyuushu-kyuuhai")]
        if winning:
            return winning[0]
        if rare and self.rng.random() < 0.4:
            return self.rng.choice(rare)
        if self.rng.random() < 0.8:
            page.evaluate("askHint()")
            number = needed["number"]
            page.wait_for_function("(number) => table.hint?.number === number", arg=number, timeout=120_000)
            best = page.evaluate("table.hint.advice.best")
            self.done["hint"] += 1
            return next(one for one in actions if one["text"] == best)
        return self.rng.choice(actions)

    def act(self, page: Page, action: dict) -> None:
        """Acts with a key, the mouse, or a click from the page."""
        way = self.rng.random()
        if way < 0.05 and action["kind"] == "discard" and action["drawn"]:
            page.keyboard.press(" ")
            self.done["key"] += 1
        elif way < 0.1 and action["kind"] == "discard":
            place = page.evaluate(
                "(action) => ownTiles().findIndex(([code, drawn]) => code === action.tiles[0] && drawn === action.drawn)",
                action,
            )
            page.keyboard.press(f"{'Shift+' if place >= 10 else ''}Digit{(place + 1) % 10}")
            self.done["key"] += 1
        elif way < 0.15 and action["kind"] == "discard":
            if action["drawn"]:
                page.click("#own > button.drawn")
            else:
                index = page.evaluate("(code) => ownTiles().findIndex(([own]) => own === code)", action["tiles"][0])
                page.click(f"#own > button:nth-child({index + 1})")
            self.done["mouse"] += 1
        else:
            page.evaluate(ACT, action)
        self.done[action["kind"]] += 1


def play(person: Person, page: Page, folder: Path, name: str, event: str) -> None:
    """Plays a game to its end. In the middle, something happens."""
    count, hands, happened = 0, 0, False
    while True:
        window = person.rng.choice(person.windows) if event == "windows" and happened else page
        needed = person.needed(window)
        if needed.get("over"):
            break
        if needed.get("next"):
            check_layout(window, name)
            hands += 1
            window.keyboard.press("Enter") if hands % 2 else window.click("#acts .go-on")
            continue
        if count == 12 and not happened:
            happened = True
            interrupt(person, page, event)
            continue
        if count == 5:
            pictures(person, window, folder, name)
        action = person.choose(window, needed)
        # The other window may have gone on to the next hand only now.
        if window.evaluate("(number) => canAct() && table.decision.number === number", needed["number"]):
            person.act(window, action)
            count += 1
    for window in person.windows:
        while person.needed(window).get("next"):
            window.click("#acts .go-on")
        assert window.evaluate("game.results !== null")
        assert window.query_selector("#acts a[href$=review]")
    check_layout(page, name)
    page.screenshot(path=folder / f"{name}-end.png", full_page=True)


def interrupt(person: Person, page: Page, event: str) -> None:
    """What happens in the middle of a game."""
    before = page.evaluate("table.decision.number")
    if event == "reload":
        page.reload()
        page.wait_for_selector("body[data-ready]")
    elif event == "windows":
        person.open(page.url).wait_for_selector("body[data-ready]")
    elif event == "kill":
        person.server.kill()
        page.wait_for_function("table.isLost", timeout=120_000)
        person.server.start()
        page.wait_for_function("!table.isLost", timeout=120_000)
    person.done[event] += 1
    # The game stands where it stood.
    page.wait_for_function("(number) => table.decision?.number === number", arg=before, timeout=120_000)


def check_layout(page: Page, name: str) -> None:
    """Nothing lies over anything else, and nothing is cut."""
    wrong = page.evaluate(OVERLAPS) + page.evaluate(BAR)
    assert wrong == [], f"{name}: {wrong[:5]}"


def pictures(person: Person, page: Page, folder: Path, name: str) -> None:
    """Pictures of a decision in all windows and languages, with a hint and with an earlier moment."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for language in ["ja", "zh", "en"]:
            page.select_option("#language", language)
            check_layout(page, f"{name}, {size}, {language}")
        page.screenshot(path=folder / f"{name}-{size}.png")
    page.set_viewport_size(dict(zip(("width", "height"), SIZES["wide"], strict=True)))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("h")
    page.wait_for_function("table.hint !== null", timeout=120_000)
    page.wait_for_selector("#advice:not([hidden])")
    page.screenshot(path=folder / f"{name}-hint.png", full_page=True)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("!isNow()")
    page.keyboard.press("Enter")
    page.wait_for_function("isNow()")


def verify(program: Path, folder: Path, name: str) -> None:
    """The kept run is a game under its rules, and the log is the same game."""
    run = folder / "tables" / name / "run"
    for command in (["verify", run], ["replay", run.parent / "game.mjson"]):
        done = subprocess.run([program, *map(str, command)], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def check_review(person: Person, name: str, folder: Path) -> None:
    """The page with advice opens and has the decisions of the person."""
    page = person.open(f"{person.server.url}/tables/{name}/review")
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("document.querySelectorAll('#strip > span').length") > 10
    page.screenshot(path=folder / f"{name}-review.png", full_page=True)


def main() -> None:
    """Plays games and checks what is kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    shutil.rmtree(given.folder, ignore_errors=True)
    given.folder.mkdir(parents=True)
    program, folder = given.program.resolve(), given.folder.resolve()
    done: Counter[str] = Counter()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        server = Server(program, folder)
        for number in range(given.games):
            rules, seat = GAMES[number % len(GAMES)]
            event = ["reload", "windows", "kill"][number % 3]
            start = time.monotonic()
            person = Person(browser, server, number)
            page = person.sit_down(rules, seat, number)
            name = page.url.rsplit("/", 1)[1]
            play(person, page, folder, name, event)
            check_review(person, name, folder)
            wrong = [text for text in person.wrong if event != "kill" or not NO_SERVER.search(text)]
            assert wrong == [], f"{name}: {wrong[:5]}"
            person.context.close()
            verify(program, folder, name)
            done += person.done
            print(f"{name}: {rules}, {event}, {time.monotonic() - start:.0f} s", flush=True)
        check_index(browser, server, folder)
        server.stop()
        browser.close()
    print(dict(done))
    if given.games >= 20:
        needed = ["hint", "key", "mouse", "riichi", "pon", "chi", "kan", "kita", "ron", "tsumo", "pass", "kill"]
        assert all(done[what] for what in needed), done


def check_index(browser: Browser, server: Server, folder: Path) -> None:
    """The first page fits all windows and lists the tables."""
    for size, (width, height) in SIZES.items():
        page = browser.new_page(viewport={"width": width, "height": height}, locale="ja-JP")
        page.goto(server.url + "/")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        assert page.evaluate("document.documentElement.lang") == "ja"
        assert page.query_selector_all("a[href^='/tables/table-']")
        page.screenshot(path=folder / f"index-{size}.png", full_page=True)
        page.close()


if __name__ == "__main__":
    main()
