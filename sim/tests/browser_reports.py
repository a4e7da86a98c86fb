"""Opens pages of `--html` in Chromium, sorts their tables, and looks for what is cut.

usage: browser_reports.py PROGRAM FOLDER [--games N]

FOLDER gets the pages and pictures of them. Each page must ask for no other file, log no error, and fit
into windows of a desk and a phone, with long names and names that look like HTML. Without script a page
has the same tables.
"""

import json
import math
import subprocess
from pathlib import Path

from browser import SIZES, arguments, chromium
from playwright.sync_api import Browser, Page

HOSTILE = "</script><script>alert(1)</script>\u202e"
LONG = "a-long-name-of-an-agent-that-somebody-trained"

# What is run for each page, but for where the review finds its game.
PAGES = {
    "stats": ["stats", f"--agents={LONG}=heuristic,greedy,greedy,random", "--by=seat"],
    "match": ["match", f"--challenger={LONG}=heuristic", "--baseline=greedy", "--sets=10", "--variance-reduction"],
    "league": ["league", f"--agents={LONG}=heuristic,greedy,random,tsumogiri,greedy:calls=off", "--sets=5"],
    "sweep": ["sweep", "--rules", f"{HOSTILE}=tenhou", "--rules=mleague", "--games=50", "--only=hands,points"],
}

# Texts that are cut, and tables that are wider than their window.
CUT = """() => {
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
  for (const cell of document.querySelectorAll("td, th, h1, h2, p, dd")) {
    const style = getComputedStyle(cell);
    if (style.overflowX === "visible" && cell.scrollWidth > cell.clientWidth + 1 && cell.clientWidth > 0) {
      wrong.push(`cut: ${cell.textContent.slice(0, 60)}`);
    }
  }
  return wrong;
}"""

# Sorts each table by each column, twice. Returns the columns whose order is wrong.
SORT = """() => {
  const wrong = [];
  for (const table of document.querySelectorAll("table")) {
    const count = table.rows.length;
    for (const button of table.tHead.querySelectorAll("button")) {
      const head = button.parentElement;
      for (const turn of [1, 2]) {
        button.click();
        const sign = head.getAttribute("aria-sort") === "ascending" ? 1 : -1;
        for (const body of table.tBodies) {
          const cells = [...body.rows].map((row) => row.cells[head.cellIndex]?.dataset);
          const values = cells.filter((data) => data?.value ?? data?.low).map((data) => Number(data.value ?? data.low));
          const sorted = [...values].sort((one, other) => sign * (one - other));
          if (String(values) !== String(sorted)) wrong.push(`${head.textContent}: ${values}`);
        }
      }
    }
    if (table.rows.length !== count) wrong.push("rows are lost");
  }
  return wrong;
}"""


def write_all(program: Path, folder: Path, games: int) -> list[str]:
    """Writes all pages. Returns their names."""

    def run(*command: str) -> None:
        done = subprocess.run([program, *command, "--quiet"], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"{command}\n{done.stderr}"

    run_of_review = folder / "run"
    run("selfplay", "--games=1", "--rules=tenhou-tonpuu", "--agents=greedy", "--seed=5", "--out", str(run_of_review))
    review = ["analyse", f"{run_of_review}:0", "--seat=2", "--agent=mc:rollouts=64", "--rollouts=4000", "--threshold=300"]
    stats = [*PAGES["stats"], f"--games={games}"]
    pages = PAGES | {"analyse": review, "stats": stats}
    for name, command in pages.items():
        run(*command, "--html", str(folder / f"{name}.html"))
    return list(pages)


def open_page(browser: Browser, file: Path, size: str, scheme: str, script: bool = True) -> tuple[Page, list[str]]:
    """Opens a page. The list gets its errors and requests."""
    width, height = SIZES[size]
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=script
    )
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda request: wrong.append(request.url) if request.url != file.as_uri() else None)
    page.goto(file.as_uri())
    return page, wrong


def check(browser: Browser, folder: Path, name: str) -> None:
    """Checks a page in all windows."""
    file = folder / f"{name}.html"
    assert file.stat().st_size < 1_000_000, f"{file} is large"
    for size, scheme in [("wide", "light"), ("wide", "dark"), ("phone", "light"), ("narrow", "dark")]:
        page, wrong = open_page(browser, file, size, scheme)
        cut = page.evaluate(CUT)
        assert cut == [], f"{name}, {size}: {cut[:5]}"
        page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=True)
        unsorted = page.evaluate(SORT)
        assert unsorted == [], f"{name}: {unsorted[:3]}"
        assert wrong == [], f"{name}, {size}: {wrong}"
        texts = page.locator("tbody").count()
        page.close()
    page, _ = open_page(browser, file, "wide", "light", script=False)
    assert page.locator("tbody").count() == texts > 1, name
    page.close()


def check_chance(browser: Browser, file: Path) -> None:
    """A sweep counts the differences that exclude 0, and first lists those that stay after the correction."""
    page, _ = open_page(browser, file, "wide", "light")
    rows = [row for row in json.loads(page.text_content("#data"))["figures"] if row["group"] == "all"]
    ends = [(row["difference_low"], row["difference_high"]) for row in rows if row["difference_low"] is not None]
    ends = [(low, high) for low, high in ends if low < high]
    chances = sorted(math.erfc(1.96 * abs(low + high) / (high - low) / math.sqrt(2)) for low, high in ends)
    kept = max((rank for rank, chance in enumerate(chances, 1) if chance <= 0.05 * rank / len(ends)), default=0)
    found = page.inner_text("main > p")
    excluding = sum(low > 0 or high < 0 for low, high in ends)
    assert found.startswith(f"{excluding} of {len(ends)} differences exclude 0; "), found
    assert found.endswith(f" leaves {kept}."), found
    assert kept == 0 or page.locator("#section-0 tbody tr").count() == min(kept, 20)
    page.close()


def check_folds(browser: Browser, file: Path) -> None:
    """Many sections fold. The first is open, an address opens another one, and a printer gets all."""
    page, _ = open_page(browser, file, "wide", "light")
    opened = "[...document.querySelectorAll('section > details')].map((one) => one.open)"
    assert page.evaluate(opened) == [at == 0 for at in range(page.locator("section > details").count())]
    page.click("nav summary")
    page.click("nav a[href='#section-2']")
    page.wait_for_selector("#section-2 > details[open] td:visible")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(page.evaluate(opened)) and len(page.evaluate(opened)) > 5
    page.close()


def main() -> None:
    """Writes, opens and checks all pages."""
    asked = arguments(__doc__, games=100)
    names = write_all(asked.program, asked.folder, asked.games)
    with chromium() as browser:
        for name in names:
            check(browser, asked.folder, name)
        check_chance(browser, asked.folder / "sweep.html")
        check_folds(browser, asked.folder / "stats.html")
    print(f"{len(names)} reports")


if __name__ == "__main__":
    main()
