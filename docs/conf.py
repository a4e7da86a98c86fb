"""The site, which `make site` builds with Sphinx from the pages of the project, where they are.

`contents.md` chooses and orders the pages. Their links work in the checkout, on a code host and here: a
link to a page becomes one to its HTML, and a link to another file offers that file. For language models, the
site also has its contents as `llms.txt` and all pages in one file, `llms-full.txt`.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent


def chapters() -> dict[str, list[tuple[str, str]]]:
    """The pages of each part, with titles, named without `.md` from the root of the project."""
    found = {}
    for part in re.split("^## ", (HERE / "contents.md").read_text(), flags=re.MULTILINE)[1:]:
        name, _, text = part.partition("\n")
        links = re.findall(r"^- \[(.*)\]\((.*)\)", text, flags=re.MULTILINE)
        pages = [(title, (HERE / link).resolve()) for title, link in links]
        # The page of the experiments links to all of them.
        folders = [page.parent for _, page in pages if page.parent.name == "experiments"]
        named = {page for _, page in pages}
        others = [page for folder in folders for page in sorted(folder.glob("*/README.md")) if page not in named]
        pages += [(page.parent.name, page) for page in others]
        found[name] = [(title, str(page.relative_to(ROOT).with_suffix(""))) for title, page in pages]
    return found


def parts_of(page: str) -> list[str]:
    """The other pages in the folder of an experiment, for the menu below its README."""
    folder, _, name = page.rpartition("/")
    if name != "README" or not folder.startswith("experiments/"):
        return []
    found = sorted((ROOT / folder).glob("*.md")) + sorted((ROOT / folder).glob("*/*.md"))
    return [str(path.relative_to(ROOT).with_suffix("")) for path in found if path.stem != "README"]


CHAPTERS = chapters()
PARTS = {page: parts_of(page) for pages in CHAPTERS.values() for _, page in pages}

project = "Jantaku"
author = "the Jantaku authors"
project_copyright = "2026 the Jantaku authors, MIT or Apache-2.0"
release = re.search('^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), flags=re.MULTILINE).group(1)

extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["README.md", *(f"{name}.md" for page, parts in PARTS.items() for name in (page, *parts))]
exclude_patterns = [".*", "target", "runs", "**/target"]
nitpicky = True

# Anchors as code hosts form them.
myst_heading_anchors = 4

templates_path = ["templates"]
html_theme = "furo"
html_title = f"Jantaku {release}"
html_copy_source = False
html_show_sourcelink = False
html_additional_pages = {"index": "index.html"}


def add_contents(_app, name: str, source: list[str]) -> None:
    """Adds the contents to the first page and the parts of an experiment to its README, for the menu."""
    if name == root_doc:
        for title, pages in CHAPTERS.items():
            lines = "\n".join(f"{entry} </{page}>" for entry, page in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n:maxdepth: 1\n{lines}\n```\n"
    elif PARTS.get(name):
        lines = "\n".join(f"/{part}" for part in PARTS[name])
        source[0] += f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n{lines}\n```\n"


def write_for_models(app, error: Exception | None) -> None:
    """Writes the contents as `llms.txt` (https://llmstxt.org) and all pages in one file, `llms-full.txt`."""
    if error or app.builder.format != "html":
        return
    title, summary = (ROOT / "README.md").read_text().split("\n\n")[:2]
    lines = [title, "", "> " + " ".join(summary.split()), ""]
    for chapter, pages in CHAPTERS.items():
        lines += [f"## {chapter}", "", *(f"- [{entry}]({page}.html)" for entry, page in pages), ""]
    lines += ["## Optional", "", "- [All pages in one file](llms-full.txt)", ""]
    out = Path(app.outdir)
    missing = [page for pages in CHAPTERS.values() for _, page in pages if not (out / f"{page}.html").is_file()]
    assert not missing, f"llms.txt would link to {missing}"
    (out / "llms.txt").write_text("\n".join(lines))
    pages = (f"<!-- {name} -->\n\n{(ROOT / name).read_text()}" for name in include_patterns)
    (out / "llms-full.txt").write_text("\n".join(pages))


def setup(app) -> None:
    app.connect("source-read", add_contents)
    app.connect("build-finished", write_for_models)
