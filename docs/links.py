"""Checks the relative links of all pages: the file exists, and so does the heading or line anchor. A page
that another one links to has a place in `contents.md`, so that the site has it. Paths of the project that
CONTRIBUTING.md and DESIGN.md have in code exist, too.

usage: links.py [PAGE...]

Without arguments it checks every page that git knows. Anchors are formed as code hosts and the site do.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from conf import include_patterns

ROOT = Path(__file__).parents[1]
CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]+`", flags=re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
# Pages that name files of the project in code, and words that stand for names.
NAMING = ("CONTRIBUTING.md", "DESIGN.md")
PLACEHOLDERS = {"NAME", "TABLE"}


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    found, counts = set(), Counter()
    for heading in re.findall(r"^#{1,6} (.*)$", text, flags=re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.add(f"{slug}-{counts[slug]}" if counts[slug] else slug)
        counts[slug] += 1
    return found


def unlisted(pages: list[Path]) -> list[str]:
    """A message for each link of these pages to a page that docs/contents.md does not list."""
    # conf.py reads include_patterns from contents.md.
    known, wrong = {ROOT / name for name in include_patterns}, []
    for page in pages:
        links = LINK.findall(CODE.sub("", page.read_text()))
        files = {(page.parent / link.partition("#")[0]).resolve() for link in links if ".md" in link}
        missing = sorted(file for file in files - known if file.is_file() and file.suffix == ".md")
        names = [file.relative_to(ROOT) for file in missing]
        wrong += [f"{page.relative_to(ROOT)}: docs/contents.md does not list {name}" for name in names]
    return wrong


def broken(page: Path) -> tuple[list[str], int]:
    """The links of a page that lead nowhere, and the number of all."""
    text = page.read_text()
    links = [link for link in LINK.findall(CODE.sub("", text)) if not re.match(r"[a-z]+:", link)]
    wrong = []
    for link in links:
        name, _, anchor = link.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.is_file():
            wrong.append(f"{page.relative_to(ROOT)}: ({link}) is not a file")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            wrong.append(f"{page.relative_to(ROOT)}: ({link}): no heading has this anchor")
    if str(page.relative_to(ROOT)) in NAMING:
        names = re.findall(r"`((?:engine|agents|sim|python)/[\w./-]+)`", text)
        names = [name for name in names if not PLACEHOLDERS & {part.split(".")[0] for part in name.split("/")}]
        wrong += [f"{page.relative_to(ROOT)}: `{name}` does not exist" for name in names if not (ROOT / name).exists()]
        links += names
    return wrong, len(links)


def main() -> None:
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    pages = [Path(page).resolve() for page in sys.argv[1:] or (ROOT / name for name in tracked.stdout.split())]
    checked = [broken(page) for page in pages]
    wrong = [line for lines, _ in checked for line in lines] + unlisted(pages)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{sum(count for _, count in checked)} links of {len(pages)} pages lead somewhere")


main()
