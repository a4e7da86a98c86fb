"""Plants bugs in a copy of the library and counts the histories until the storm finds each.

python3 sim/measure/tests/storm/planted.py [--histories N] [NUMBER…]
python3 sim/measure/tests/storm/planted.py --check      only checks that each bug still fits the sources
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
WORK = ROOT / "target/storm"
TREE = WORK / "tree"
sys.path.insert(0, str(ROOT / "engine/mutants"))

from mutants import SWITCH  # noqa: E402
from weave import Mutant, weave  # noqa: E402

# The list of a part's files, for a bug that names them too early.
LISTED = """
impl SealedFiles {
    pub(super) fn listed(&self) -> Vec<PartFile> {
        self.files.clone()
    }
}
"""


def function_around(source: str, at: int) -> tuple[int, int]:
    """Where the function around a place begins and ends, by its indentation."""
    heads = [head for head in re.finditer(r"^( *)(?:pub.*? )?(?:const )?fn ", source, re.MULTILINE) if head.start() <= at]
    for head in reversed(heads):
        end = source.index(f"\n{head[1]}}}", head.start()) + len(head[1]) + 2
        if end > at:
            return head.start(), end
    raise ValueError("no function is around it")


def planted(number: int, bug: dict, source: str) -> Mutant:
    start = source.find(bug["from"])
    assert start >= 0 and source.count(bug["from"]) == 1, f"{bug['bug']}: `from` must occur once in {bug['file']}"
    end = start + len(bug["from"])
    place = [len(source[:index].encode()) for index in (*function_around(source, start), start, end)]
    return Mutant(number, (place[0], place[1]), place[2], place[3], bug["to"])


def planted_files(bugs: list[dict], library: Path) -> dict[Path, bytes]:
    """The files of the library that have bugs, with all of them."""
    files = {}
    for file in sorted({bug["file"] for bug in bugs}):
        source = (library / file).read_text()
        mutants = [planted(number, bug, source) for number, bug in enumerate(bugs, 1) if bug["file"] == file]
        files[library / file] = weave(source.encode(), mutants)
    return files


def plant(bugs: list[dict]) -> None:
    """A copy of the project whose library has all bugs, of which `MUTANT` selects one.

    It is inside the project, so cargo takes the configuration from there.
    """
    shutil.rmtree(TREE, ignore_errors=True)
    for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
        if (ROOT / name).is_file() and not name.startswith((".cargo/", "docs/", "experiments/")):
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)
    library = TREE / "sim/src"
    for file, source in planted_files(bugs, library).items():
        file.write_bytes(source)
    with (library / "run/writer/part.rs").open("a") as part:
        part.write(LISTED)
    (library / "mutant.rs").write_text(SWITCH)
    with (library / "lib.rs").open("a") as lib:
        lib.write("\n#[allow(missing_docs)]\nmod mutant;\n")


def build() -> Path:
    """Builds the storm, without the lints of the project."""
    words = "cargo test --release --locked --no-run --message-format=json --package jantaku-features --package jantaku-measure --test storm"
    target = {"CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(WORK / "target"))}
    done = subprocess.run(words.split(), cwd=TREE, env=os.environ | target, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("the planted bugs do not compile")
    return Path(re.findall(r'"executable":"([^"]+/storm-[^"]+)"', done.stdout)[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--histories", default=20_000, type=int)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    bugs = tomllib.loads((HERE / "planted.toml").read_text())["bug"]
    if options.check:
        planted_files(bugs, ROOT / "sim/src")
        return
    plant(bugs)
    storm = build()
    missed, most = 0, 0
    for number, bug in enumerate(bugs, 1):
        if options.numbers and number not in options.numbers:
            continue
        chosen = {"MUTANT": str(number), "JANTAKU_HISTORIES": str(options.histories)}
        ran = subprocess.run([storm, "every_history", "--nocapture"], cwd=TREE / "sim/measure", env=os.environ | chosen, capture_output=True, text=True)
        found = re.search(r"^(\d+) histories", ran.stderr + ran.stdout, re.MULTILINE)
        is_found = ran.returncode != 0 and found is not None
        missed += not is_found
        most = max(most, int(found[1]) if is_found else 0)
        told = f"after {found[1]} histories" if is_found else f"MISSED in {options.histories} histories"
        print(f"{number:2} {told}: {bug['bug']}", flush=True)
    print(f"{len(options.numbers or bugs) - missed} of {len(options.numbers or bugs)} found, each within {most:,} histories")
    sys.exit(missed > 0)


main()
