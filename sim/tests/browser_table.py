"""Plays games at tables of `jantaku serve` in Chromium, and checks the runs that it keeps.

usage: browser_table.py PROGRAM FOLDER [--games N]

FOLDER gets the tables and pictures of them. A scripted person sits down with the form, plays with buttons,
tiles and keys, and asks for hints. In some games they reload the page, play in two windows, or lose the
server, which is killed and started again. Each finished game must be a run that `verify` accepts, and a page
with advice. No page may log an error. Further tables check what pages show when something fails.
"""

import random
import re
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

import pyarrow.parquet
from browser import OVERLAPS, SIZES, arguments, chromium, full_hand
from playwright.sync_api import Browser, Page

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

# Takes an action with the buttons and tiles of the page.
CLICK = """const click = (action) => {
  const isTile = ["discard", "riichi", "open-riichi"].includes(action.kind);
  if (isTile && action.kind !== "discard") document.querySelector(`#acts .${action.kind}`).click();
  if (isTile) {
    const place = ownTiles().findIndex(([code, drawn]) => code === action.tiles[0] && drawn === action.drawn);
    at("own").children[place].click();
    return;
  }
  const name = action.kind === "pass" ? passName() : action.kind;
  const index = actions().filter(({ kind }) => kind === action.kind).findIndex(({ id }) => id === action.id);
  document.querySelectorAll(`#acts .${name}`)[index].click();
};"""

# Plays with the buttons and tiles of the page until this many decisions are made or the game is over and kept.
# Wins, often takes rare actions, and otherwise mostly follows hints. Returns what was done, and whether the
# game is over.
PLAY = """async ({ seed, most }) => {
  const chance = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const any = (all) => all[Math.floor(chance() * all.length)];
  const pause = (time) => new Promise((done) => setTimeout(done, time));
  const done = {};
  const note = (what) => (done[what] = (done[what] ?? 0) + 1);
  CLICK
  const choice = async () => {
    const { number } = table.decision;
    const all = actions();
    const rare = all.filter(({ kind }) => !["discard", "pass", "end-game", "keep-closed"].includes(kind));
    const win = rare.find(({ kind }) => ["ron", "tsumo", "kyuushu-kyuuhai"].includes(kind));
    if (win) return win;
    if (rare.length > 0 && chance() < 0.4) return any(rare);
    if (chance() < 0.2) return any(all);
    document.querySelector("#acts .hint").click();
    while (table.isAsking) await pause(4);
    if (table.hint?.number !== number) return null;
    note("hint");
    return all.find(({ text }) => text === table.hint.opinion.action);
  };
  for (let made = 0; made < most; ) {
    if (table.failure !== null) throw new Error(table.failure);
    if (table.isKept && isNow()) return { done, over: true };
    const next = document.querySelector("#acts .go-on");
    if (next) {
      next.click();
      note("go-on");
    } else if (canAct()) {
      const { number } = table.decision;
      const action = await choice();
      // The person may have decided in another window meanwhile.
      if (action === null || !canAct() || table.decision.number !== number) continue;
      click(action);
      note(action.kind);
      made += 1;
    } else {
      await pause(4);
    }
  }
  while (!canAct() && !(table.isKept && isNow()) && !document.querySelector("#acts .go-on")) await pause(4);
  return { done, over: false };
}""".replace("CLICK", CLICK)

# Takes the legal action with this number.
TAKE = """(number) => {
  CLICK
  click(actions().find(({ id }) => id === number));
}""".replace("CLICK", CLICK)

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

# What a browser says while there is no server. An answer such as 404 or 500 has other words.
NO_SERVER = re.compile(r"Failed to load resource: net::ERR")

# The abortive draws, with the agents and the rules of runs in which each happens.
ABORTIVE = {
    "kyuushu-kyuuhai": ("greedy", "tenhou-tonpuu"),
    "four-winds": ("greedy", "tenhou-tonpuu"),
    "four-riichi": ("greedy", "tenhou-tonpuu"),
    "triple-ron": ("greedy", "tenhou-tonpuu"),
    "four-kans": ("random", "tenhou-sanma"),
}

# The agents of the server, in the order of the form. The last one fails.
AGENTS = ["heuristic", "greedy", "random", "residual", "broken"]


def aborted_hand(program: Path, run: Path, reason: str) -> dict:
    """Plays runs into a folder until a hand ends with an abortive draw. Returns its row."""
    agents, rules = ABORTIVE[reason]
    command = [program, "selfplay", "--games=1000", f"--agents={agents}", f"--rules={rules}", "--quiet"]
    for seed in range(1, 50):
        shutil.rmtree(run, ignore_errors=True)
        subprocess.run([*command, f"--seed={seed}", "--out", run], check=True)
        hands = pyarrow.parquet.read_table(run / "hands", filters=[("outcome", "=", reason)]).to_pylist()
        if hands:
            return hands[0]
    raise AssertionError(f"no hand ends with {reason}")


class Server:
    """A server that can be killed and started again at the same port."""

    def __init__(self, program: Path, folder: Path):
        self.program, self.folder, self.port = program, folder, 0
        self.aborted = {reason: aborted_hand(program, folder / reason, reason) for reason in ABORTIVE}
        self.start()

    def start(self) -> None:
        """Starts the server, and reads its address."""
        rules = [f"--rules={name}" for name in dict.fromkeys(name for name, _ in GAMES)]
        command = [self.program, "serve", f"--port={self.port}", "--tables", str(self.folder / "tables"), *rules]
        command += [f"--agents={','.join(AGENTS)}=mjai:command=false", *(str(self.folder / name) for name in ABORTIVE)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.url = re.match(r"(http://127\.0\.0\.1:(\d+))/", line).group(1)
        self.port = int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        """Kills the server with everything that it has in memory."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Stops the server as Ctrl-C does."""
        self.process.terminate()
        assert self.process.wait(timeout=30) == 0


def option(page: Page, name: str, start: str) -> str:
    """The option of a list that begins with a name, which a sentence may follow."""
    texts = page.locator(f"[name={name}] option").all_inner_texts()
    return next(text for text in texts if text == start or text.startswith((f"{start}: ", f"{start} (")))


class Person:
    """A scripted person at a table, in one window or more."""

    def __init__(self, browser: Browser, server: Server, seed: int, size: str = "wide"):
        self.browser, self.server, self.rng = browser, server, random.Random(seed)
        self.done: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.context = browser.new_context(
            viewport=dict(zip(("width", "height"), SIZES[size], strict=True)),
            has_touch=size == "phone",
            is_mobile=size == "phone",
        )
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

    def sit_down(self, rules: str, seat: int, seed: int, hints: str = "heuristic", clock: int = 0) -> Page:
        """Sets a table up with the form."""
        page = self.open(self.server.url + "/")
        page.select_option("[name=rules]", label=option(page, "rules", rules))
        for opponent in range(3):
            page.select_option(f"[name=opponent{opponent}]", index=(seed + opponent) % 3)
        page.select_option("[name=seat]", index=seat)
        page.select_option("[name=hints]", label=hints)
        page.select_option("[name=clock]", index=clock)
        page.fill("[name=seed]", str(seed))
        page.click("form button")
        page.wait_for_selector("body[data-ready]")
        return page

    def play(self, page: Page, most: int) -> bool:
        """Plays some decisions in a window. Returns whether the game is over."""
        found = page.evaluate(PLAY, {"seed": self.rng.randrange(1 << 31), "most": most})
        self.done += Counter(found["done"])
        return found["over"]

    def press(self, page: Page) -> None:
        """Discards a tile with a key or the mouse, if there is one to discard."""
        free = page.evaluate("[...at('own').children].flatMap((own, place) => (own.disabled ? [] : [place]))")
        if not free:
            return
        place = self.rng.choice(free)
        before = page.evaluate("table.decision.number")
        if self.rng.random() < 0.5:
            page.click(f"#own > button:nth-child({place + 1})")
            self.done["mouse"] += 1
        else:
            page.keyboard.press(f"{'Shift+' if place >= 10 else ''}Digit{(place + 1) % 10}")
            self.done["key"] += 1
        page.wait_for_function("(number) => table.decision?.number !== number", arg=before)


def play(person: Person, page: Page, folder: Path, name: str, event: str) -> None:
    """Plays a game to its end. In the middle, something happens."""
    is_over = person.play(page, 5)
    if not is_over:
        pictures(page, folder, name)
        is_over = person.play(page, 6)
    if not is_over:
        interrupt(person, page, event)
    while not is_over:
        window = person.rng.choice(person.windows)
        is_over = person.play(window, 20)
        check_layout(window, name)
        person.press(window)
    for window in person.windows:
        assert person.play(window, 1_000)
        assert window.evaluate("game.results !== null") and window.query_selector("#acts a[href$=review]")
        check_end(window)
    check_layout(page, name)
    page.screenshot(path=folder / f"{name}-end.png", full_page=True)


def check_end(page: Page) -> None:
    """The end begins with the places, the best first, and each hand says who gained what."""
    results = page.evaluate("game.results.map(({ placement }) => placement)")
    own = page.evaluate("game.results[play.seat].placement")
    assert page.inner_text("#status").startswith(f"Place {own}: "), page.inner_text("#status")
    places = page.evaluate("[...document.querySelectorAll('#players td:first-child')].map((one) => +one.textContent)")
    assert places == sorted(results)
    tops = page.evaluate("[...at('side').children].map(({ id, offsetTop }) => [id, offsetTop || Infinity])")
    assert min(tops, key=lambda one: one[1])[0] == "players", tops
    for hand, text in page.evaluate(
        "game.hands.map((of, at) => [of, document.querySelectorAll('#hand-list small')[at].textContent])"
    ):
        found = [int(part.replace(",", "")) for part in re.findall(r"[+-][\d,]+", text)]
        assert found == sorted((change for change in hand["result"]["changes"] if change), reverse=True), text


def interrupt(person: Person, page: Page, event: str) -> None:
    """What happens in the middle of a game."""
    page.wait_for_function("() => isNow() || document.querySelector('#acts .go-on')")
    before = page.evaluate("table.decision?.number ?? null")
    if event == "reload":
        page.reload()
        page.wait_for_selector("body[data-ready]")
    elif event == "windows":
        person.open(page.url).wait_for_selector("body[data-ready]")
    elif event == "kill":
        person.server.kill()
        page.wait_for_function("() => table.isLost")
        person.server.start()
        page.wait_for_function("() => !table.isLost")
    person.done[event] += 1
    # The game stands where it stood.
    if before is not None:
        page.wait_for_function("(number) => table.decision?.number === number", arg=before)


def check_layout(page: Page, name: str) -> None:
    """Nothing lies over anything else, and nothing is cut."""
    wrong = page.evaluate(OVERLAPS) + page.evaluate(BAR)
    assert wrong == [], f"{name}: {wrong[:5]}"


def pictures(page: Page, folder: Path, name: str) -> None:
    """Pictures of a decision in all windows and languages, with a hint and with an earlier moment."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for language in ["ja", "zh", "en"]:
            page.select_option("#language", language)
            check_layout(page, f"{name}, {size}, {language}")
        page.screenshot(path=folder / f"{name}-{size}.png")
    page.set_viewport_size(dict(zip(("width", "height"), SIZES["wide"], strict=True)))
    page.evaluate("document.activeElement.blur()")
    if page.query_selector("#acts .go-on"):
        return
    page.keyboard.press("h")
    page.wait_for_function("() => table.hint !== null")
    page.wait_for_selector("#advice:not([hidden])")
    page.screenshot(path=folder / f"{name}-hint.png", full_page=True)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => !isNow()")
    page.keyboard.press("Enter")
    page.wait_for_function("() => isNow()")


def verify(program: Path, folder: Path, name: str) -> None:
    """The kept run is a game under its rules, and the log is the same game."""
    run = folder / "tables" / name / "run"
    for command in (["verify", run], ["replay", run.parent / "game.mjson"]):
        done = subprocess.run([program, *map(str, command)], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


# The numbers of the decisions with advice.
ADVISED = """() => game.hands.flatMap(({ steps }) => steps).flatMap(({ decisions }) => decisions ?? [])
  .filter(({ advice }) => advice).map(({ number }) => number)"""


def check_review(person: Person, name: str, folder: Path, first: int = 0) -> None:
    """The page with advice opens, has the decisions of the person, from this one on, and offers to play on."""
    page = person.open(f"{person.server.url}/tables/{name}/review")
    page.wait_for_selector("body[data-ready]")
    advised = page.evaluate(ADVISED)
    assert min(advised) == first if first else len(advised) > 10, advised
    bars = page.evaluate("document.querySelectorAll('#strip > span').length")
    assert bars == len(advised), f"{bars} bars, {advised}"
    page.screenshot(path=folder / f"{name}-review.png", full_page=True)
    page.keyboard.press("m" if page.query_selector("#strip .mistake") else "ArrowDown")
    page.click("#play-on")
    assert page.inner_text("h1").startswith(f"{name}, "), page.inner_text("h1")


def play_game(browser: Browser, server: Server, number: int) -> Counter[str]:
    """Plays a game, and checks what is kept. Returns what was done."""
    rules, seat = GAMES[number % len(GAMES)]
    event = ["reload", "windows", "kill"][number % 3]
    start = time.monotonic()
    person = Person(browser, server, number)
    page = person.sit_down(rules, seat, number)
    name = page.url.rsplit("/", 1)[1]
    play(person, page, server.folder, name, event)
    check_review(person, name, server.folder)
    wrong = [text for text in person.wrong if event != "kill" or not NO_SERVER.search(text)]
    assert wrong == [], f"{name}: {wrong[:5]}"
    person.context.close()
    verify(server.program, server.folder, name)
    print(f"{name}: {rules}, {event}, {time.monotonic() - start:.0f} s", flush=True)
    return person.done


def main() -> None:
    """Makes all checks, and plays games."""
    given = arguments(__doc__, games=20)
    program, folder = given.program, given.folder
    done: Counter[str] = Counter()
    with chromium() as browser:
        server = Server(program, folder)
        try:
            for check in CHECKS:
                person = Person(browser, server, 0)
                check(person)
                person.context.close()
                print(check.__doc__, flush=True)
            for number in range(given.games):
                done += play_game(browser, server, number)
            check_index(browser, server, folder)
            server.stop()
        finally:
            server.kill()
    print(dict(done))
    if given.games >= 20:
        needed = "hint key mouse riichi pon chi kan kita ron tsumo pass kill".split()
        assert all(done[what] for what in needed), done


def decide(page: Page) -> None:
    """Waits for a decision, and continues with the next hand where the page asks for it."""
    page.wait_for_function("() => canAct() || document.querySelector('#acts .go-on')")
    while not page.evaluate("canAct()"):
        page.click("#acts .go-on")
        page.wait_for_function("() => canAct() || document.querySelector('#acts .go-on')")


def check_hints(person: Person) -> None:
    """Hints of `residual` show what its network adds, and decisions on kans without other numbers."""
    page = person.sit_down("tenhou-tonpuu", 1, 5, hints="residual")
    decide(page)
    while True:
        page.keyboard.press("h")
        page.wait_for_function("() => !table.isAsking && (table.hint !== null || table.noHint !== null)")
        assert page.evaluate("table.noHint") is None
        rows = page.evaluate("table.hint.opinion.options.filter((of) => of.correction !== undefined).length")
        if rows:
            assert page.evaluate("document.querySelectorAll('#hint tr').length") == rows + 1
            break
        page.evaluate("choose(actions().find(({ text }) => text === table.hint.opinion.action))")
        decide(page)
    assert page.query_selector("#hint:not([hidden]) th:text-is('correction')")
    page.evaluate("""() => {
      table.hint.opinion.options = [{ action: "kan 1z", taken: true, reason: { key: "no-slower" } }];
      drawHint();
    }""")
    assert page.inner_text("#hint:not([hidden])") == "kan 1z: ✓ it does not slow the hand"
    assert person.wrong == [], person.wrong


def check_failures(person: Person) -> None:
    """A failed hint and a refused action say so, and the game continues."""
    page = person.sit_down("duo", 1, 5, hints="broken")
    decide(page)
    page.keyboard.press("h")
    page.wait_for_function("() => table.noHint !== null && !table.isAsking")
    assert page.inner_text("#status").startswith("There is no hint: "), page.inner_text("#status")
    assert page.evaluate("table.failure") is None
    page.evaluate("choose({ id: 164 })")
    page.wait_for_function("() => table.refusal !== null && !table.isSending")
    assert page.inner_text("#status") == "The server refuses: the action is not legal"
    assert not page.evaluate("table.isLost")
    page.evaluate("choose(actions()[0])")
    page.wait_for_function("() => table.refusal === null && table.decision?.number !== 0")
    refused = [text for text in person.wrong if "409" in text]
    assert len(refused) == 1 and person.wrong == refused, person.wrong


def check_lost_clock(person: Person) -> None:
    """A clock starts again when a lost server is back."""
    page = person.sit_down("duo", 1, 5, clock=3)
    page.wait_for_function("() => canAct() && table.clock.running")
    person.server.kill()
    page.wait_for_function("() => table.isLost")
    person.server.start()
    page.wait_for_function("() => !table.isLost && table.clock.running")


def check_lost_click(person: Person) -> None:
    """A click while the server is away is not lost, and the page is back within two seconds."""
    page = person.sit_down("duo", 1, 5)
    decide(page)
    number = page.evaluate("table.decision.number")
    person.server.kill()
    page.evaluate("document.querySelector('#own > button:not(:disabled)').click()")
    page.wait_for_function("() => table.isLost")
    # How long the page waits between two attempts: it does not depend on the speed of the machine.
    page.evaluate("delays = []; const later = setTimeout; setTimeout = (act, time, ...more) => (delays.push(time ?? 0), later(act, time, ...more))")
    page.wait_for_function("() => delays.length > 1")
    person.server.start()
    page.wait_for_function("(number) => !table.isLost && table.known[1] > number", arg=number)
    assert max(page.evaluate("delays")) < 2000, page.evaluate("delays")


def check_undo(person: Person) -> None:
    """A choice is taken back with a key or a button, in all windows, and the game goes on."""
    page = person.sit_down("tenhou", 1, 5)
    decide(page)
    assert page.query_selector("#acts .undo") is None
    before = page.evaluate("[table.decision.number, game.hands.at(-1).steps.length]")
    other = person.open(page.url)
    for how in [lambda: page.keyboard.press("u"), lambda: page.click("#acts .undo")]:
        page.evaluate("choose(actions().find(({ kind }) => kind === 'discard'))")
        page.wait_for_function("(number) => canAct() && table.decision.number > number", arg=before[0])
        how()
        for window in [page, other]:
            window.wait_for_function("(number) => canAct() && table.decision.number === number", arg=before[0])
            assert window.evaluate("[table.decision.number, game.hands.at(-1).steps.length]") == before
    assert person.wrong == [], person.wrong


def check_autos(person: Person) -> None:
    """The switches win, pass calls and discard the drawn tile, until the end of the hand."""
    page = person.sit_down("duo", 1, 5)
    decide(page)
    chosen = """(kinds) => ["win", "calls", "discard"].map((name) => {
      table.autos = new Set([name]);
      const before = table.decision;
      table.decision = { number: 0, actions: kinds.map((kind) => ({ kind, drawn: kind === "discard" })) };
      const action = autoAction()?.kind ?? null;
      Object.assign(table, { decision: before, autos: new Set() });
      return action;
    })"""
    for kinds, expected in [
        (["tsumo", "discard"], ["tsumo", None, None]),
        (["ron", "pon", "pass"], ["ron", None, None]),
        (["pon", "chi", "pass"], [None, "pass", None]),
        (["riichi", "kan", "discard"], [None, None, "discard"]),
        (["end-game", "pass"], [None, None, None]),
    ]:
        assert page.evaluate(chosen, kinds) == expected, kinds
    pressed = "[...document.querySelectorAll('#autos [aria-pressed=true]')].map((one) => one.dataset.auto)"
    # All at once: the hand could end between two clicks.
    press = "for (const name of ['calls', 'discard', 'win']) document.querySelector(`[data-auto=${name}]`).click();"
    assert page.evaluate(f"() => {{ {press} return {pressed}; }}") == ["win", "calls", "discard"]
    page.wait_for_function("() => game.hands.length > 1 || game.results !== null")
    first = page.evaluate("game.hands[0].steps.filter(({ event, seat }) => event === 'discard' && seat === 0)")
    assert all(step["tsumogiri"] for step in first) and len(first) > 3, first
    page.wait_for_function(f"() => {pressed}.length === 0")
    assert person.wrong == [], person.wrong


def check_sound(person: Person) -> None:
    """Tones are off at first. Switched on, they ring once for each decision, and the browser keeps the switch."""
    page = person.sit_down("duo", 1, 5)
    decide(page)
    page.evaluate("""() => {
      tones = 0;
      const { start } = OscillatorNode.prototype;
      OscillatorNode.prototype.start = function (...when) { tones += 1; start.apply(this, when); };
      drawPlay();
    }""")
    switch = "document.querySelector('#sound').getAttribute('aria-pressed')"
    assert (page.evaluate("tones"), page.evaluate(switch)) == (0, "false")
    page.click("#sound")
    assert (page.evaluate("tones"), page.evaluate(switch)) == (1, "true")
    number = page.evaluate("table.decision.number")
    page.evaluate("choose(actions().find(({ kind }) => kind === 'discard'))")
    page.wait_for_function("(number) => canAct() && table.decision.number > number", arg=number)
    page.evaluate("drawPlay()")
    expected = page.evaluate("actions().some(({ kind }) => kind === 'discard') ? 2 : 3")
    assert page.evaluate("tones") == expected
    page.evaluate("(hand) => { table.decision = null; table.rung = ''; hand.result = { wins: [{}] }; ringForNews(); }", page.evaluate_handle("hand()"))
    assert page.evaluate("tones") == expected + 3
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate(switch) == "true"
    assert person.wrong == [], person.wrong


def check_touch(person: Person) -> None:
    """On a phone, own tiles are at least 44 pixels high. The first tap lifts a tile, the second discards it."""
    person = Person(person.browser, person.server, 0, "phone")
    page = person.sit_down("tenhou", 1, 5)
    decide(page)
    boxes = [tile.bounding_box() for tile in page.query_selector_all("#own > button")]
    assert len(boxes) == 14 and all(box["height"] >= 44 for box in boxes), boxes
    number = page.evaluate("table.decision.number")
    for tapped, lifted in [(3, [3]), (5, [5])]:
        page.tap(f"#own > button:nth-child({tapped + 1})")
        found = page.evaluate("[...at('own').children].flatMap((own, at) => (own.matches('.lifted') ? [at] : []))")
        assert (found, page.evaluate("table.decision.number")) == (lifted, number)
    assert page.inner_text("#status") == "Tap the tile again to discard it"
    check_layout(page, "a lifted tile")
    page.screenshot(path=person.server.folder / "touch.png", full_page=True)
    page.tap("#own > button:nth-child(6)")
    page.wait_for_function("(number) => table.decision?.number !== number", arg=number)
    assert page.evaluate("table.lifted") is None and person.wrong == [], person.wrong
    person.context.close()


def check_space(person: Person) -> None:
    """Space discards the drawn tile with the riichi that is being declared."""
    page = person.sit_down("duo", 1, 5)
    decide(page)
    chosen = """(declaring) => {
      const action = (id, kind, tile, drawn) => ({ id, kind, drawn, text: "", tiles: [tile] });
      const others = [action(37, "discard", "1m", true), action(38, "riichi", "2m", false)];
      table.decision.actions = [...others, action(75, "riichi", "1m", true)];
      table.declaring = declaring;
      let found = null;
      const before = choose;
      choose = (action) => (found = action.id);
      chooseUsual();
      table.decision.actions.pop();
      const without = found;
      found = null;
      chooseUsual();
      choose = before;
      return [without, found];
    }"""
    assert page.evaluate(chosen, None) == [37, 37]
    assert page.evaluate(chosen, "riichi") == [75, None]
    assert person.wrong == [], person.wrong


def check_abortive_draws(person: Person) -> None:
    """Games of runs continue from decisions: the person ends hands with all abortive draws, and plays on."""
    for source, reason in enumerate(ABORTIVE):
        check_abortive_draw(person, source, reason)


def check_abortive_draw(person: Person, source: int, reason: str) -> None:
    """The person makes the last decision of a hand again, which ends with this draw, and plays on."""
    server = person.server
    hand = server.aborted[reason]
    filters = [("game", "=", hand["game"])]
    decisions = pyarrow.parquet.read_table(server.folder / reason / "decisions", filters=filters).to_pylist()
    # Three players win at once, and the first of them is the person.
    number = max(index for index, row in enumerate(decisions) if row["hand"] == hand["hand"])
    number -= 2 * (reason == "triple-ron")
    page = person.open(f"{server.url}/games/{source}/{hand['game']}/{number}")
    for opponent in page.query_selector_all("[name^=opponent]"):
        opponent.select_option("greedy (2.96)")
    page.click("form button")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_function("() => canAct()")
    if reason == "kyuushu-kyuuhai":
        page.keyboard.press("y")
    else:
        page.evaluate(TAKE, decisions[number]["action"])
    page.wait_for_function("(hands) => game.hands.length > hands", arg=hand["hand"] + 1)
    assert page.evaluate("(hand) => game.hands[hand].result.draw.reason", hand["hand"]) == reason
    assert person.play(page, 1_000)
    name = page.url.rsplit("/", 1)[1]
    verify(server.program, server.folder, name)
    check_review(person, name, server.folder, number)
    assert person.wrong == [], person.wrong


# Shows this hand instead of the last one, in which the person must decide. Later news are older.
SHOW = """(hand) => take({
  made: 1_000, from: game.hands.length - 1, hands: [hand], results: null,
  decision: table.decision, clock: null, failure: null, kept: false,
})"""


def check_full_tables(person: Person) -> None:
    """With the longest rivers and the most kans, nothing is cut."""
    for rules in ["tenhou-tonpuu", "tenhou-sanma", "duo"]:
        page = person.sit_down(rules, 1, 5)
        decide(page)
        hand = page.evaluate("game.hands.at(-1)")
        full_hand(hand)
        page.evaluate(SHOW, hand)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            rivers = page.evaluate(RIVERS)
            assert set(rivers) == {24}, rivers
            check_layout(page, f"{rules}: full table, {size}")
            page.screenshot(path=person.server.folder / f"{rules}-full-{size}.png", full_page=True)
        page.close()
    assert person.wrong == [], person.wrong


# The number of tiles in each river.
RIVERS = """() => [...document.querySelectorAll("#field .river")].map((river) => river.querySelectorAll(".tile").length)"""


def check_storage(person: Person) -> None:
    """A browser that keeps nothing, or something else, has the usual pace."""
    page = person.sit_down("duo", 1, 5)
    assert page.evaluate("table.pace") == 0
    for script in (
        "localStorage.setItem('pace', 'fast')",
        "localStorage.setItem('pace', 'length')",
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage'); } })",
    ):
        person.context.add_init_script(script)
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert page.evaluate("table.pace") == 2, script
    page.select_option("#pace", index=0)
    assert page.evaluate("table.pace") == 0
    assert person.wrong == [], person.wrong


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


CHECKS = (
    check_hints,
    check_failures,
    check_lost_clock,
    check_lost_click,
    check_undo,
    check_autos,
    check_sound,
    check_touch,
    check_space,
    check_storage,
    check_abortive_draws,
    check_full_tables,
)

if __name__ == "__main__":
    main()
