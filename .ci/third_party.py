"""Writes the licences of all crates that the program and the wheel are built from, from `cargo metadata`.

usage: third_party.py FILE

Each text is written once, with the crates that it belongs to. Crates without a text are listed, and must
allow a licence whose text is that of Jantaku.
"""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = """# Licences of third parties

The program and the Python package contain code of these crates, some of them only on other systems.

| crate | version | licence |
|---|---|---|
"""


def crates() -> list[dict]:
    """The crates that are compiled in, with the features of a release, for any system."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--features", "jantaku/cloud"]
    found = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    needs = {
        node["id"]: [dep["pkg"] for dep in node["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        for node in found["resolve"]["nodes"]
    }
    todo = [package["id"] for package in found["packages"] if package["name"] in ("jantaku", "jantaku-python")]
    seen = set()
    while todo:
        crate = todo.pop()
        if crate not in seen:
            seen.add(crate)
            todo += needs[crate]
    used = [packages[crate] for crate in seen if packages[crate]["source"] is not None]
    return sorted(used, key=lambda package: (package["name"], package["version"]))


def texts(crate: dict) -> list[str]:
    """The licence files of a crate."""
    folder = Path(crate["manifest_path"]).parent
    names = ("licen", "copying", "notice", "copyright")
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name.lower().startswith(names)]
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def without_text(missing: list[dict]) -> str:
    """The section on the crates that contain no text of their licence."""
    other = [crate["name"] for crate in missing if "Apache-2.0" not in crate["license"]]
    if other:
        sys.exit(f"no text of the licence of {', '.join(other)}: expected a file in the crate, or Apache-2.0")
    names = [f"{crate['name']} {crate['version']}" for crate in missing]
    for name in names:
        print(f"note: {name} contains no text of its licence", file=sys.stderr)
    about = "These crates contain no text of their licence. All allow Apache-2.0: see `LICENSE-APACHE`."
    return f"## {', '.join(names)}\n\n{about}\n\n" if names else ""


def page(used: list[dict]) -> str:
    rows = [f"| {crate['name']} | {crate['version']} | {crate['license']} |\n" for crate in used]
    owners = defaultdict(list)
    found = [(crate, texts(crate)) for crate in used]
    for crate, own in found:
        for text in own:
            # Texts that differ only in how their lines break are the same.
            owners[" ".join(text.split())].append((f"{crate['name']} {crate['version']}", text))
    parts = [HEAD, *rows, "\n"]
    for same in owners.values():
        names = ", ".join(name for name, _ in same)
        parts.append(f"## {names}\n\n~~~text\n{same[0][1]}\n~~~\n\n")
    parts.append(without_text([crate for crate, own in found if not own]))
    return "".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(crates()), encoding="utf-8")
