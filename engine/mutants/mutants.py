"""Tests mutants of the rules: engine/mutants/run

README.md explains what it does.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from weave import Mutant, marked, name, weave

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target/mutants"
TREE = WORK / "tree"
OUTCOMES = WORK / "outcomes.tsv"

# The files of the rules. `laws` compares shanten and ukeire with a slow search.
FILES = [
    *("round/*", "score/*", "rules/*", "settle", "game", "game_state", "next_hand", "ranking", "outcome", "own_view"),
    *("table", "wall", "yaku"),
]
# Functions that only write texts for people.
NO_RULES = r"<impl (std::)?(fmt::)?(Display|Debug) for "
UNIT_TESTS = "jantaku_engine"
SUITE = "suite"
# Names of tests with their program and its arguments, those that find most first.
TESTS = [
    ("cases", SUITE, "cases::played_hands"),
    ("cases", SUITE, "cases::", "--skip=played_hands", "--skip=positions::"),
    (UNIT_TESTS, UNIT_TESTS),
    ("hidden", SUITE, "hidden::"),
    ("next_hand", SUITE, "next_hand::"),
    ("rules", SUITE, "rules::"),
    ("laws", SUITE, "laws::"),
    ("perft", SUITE, "perft::", "--skip=files_match_the_engine"),
]
# Bytes of memory that a test may take.
MEMORY = 4 << 30
SIZE = {"JANTAKU_TESTS": "quick"}

SWITCH = """//! Selects a mutant.

use std::sync::LazyLock;

static ON: LazyLock<u32> =
    LazyLock::new(|| std::env::var("MUTANT").map_or(0, |n| n.parse().expect("MUTANT is a number")));

#[inline]
pub(crate) fn on(mutant: u32) -> bool {
    *ON == mutant
}
"""


def main():
    options = read_options()
    if options.planted:
        sys.exit(test_planted())
    mutants = listed()
    left_out = build_woven(mutants)
    programs = built({SUITE, UNIT_TESTS})
    tests = [(name, (programs[program], *arguments)) for name, program, *arguments in TESTS]
    tests = [(name, command, limit_of(command)) for name, command in tests[: 2 if options.cases else None]]
    outcomes = read_outcomes()
    chosen = choose(mutants, options)
    outcomes |= left_out
    todo = [m for m in chosen if options.again or outcomes.get(m["key"], "survives") == "survives"]
    # The mutants that a reason explains come last.
    explained = read_reasons()
    todo = sorted((m for m in todo if m["key"] not in left_out), key=lambda m: m["key"] in explained)
    print(f"{len(mutants)} mutants, {len(chosen)} chosen, {len(todo)} to test", flush=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        found = {pool.submit(test, mutant["number"], tests): mutant["key"] for mutant in todo}
        for done, result in enumerate(as_completed(found), 1):
            key = found[result]
            outcomes[key] = result.result()
            with OUTCOMES.open("a") as file:
                file.write(f"{key}\t{outcomes[key]}\n")
            if outcomes[key] == "survives":
                print(f"{done}/{len(todo)} {key}", flush=True)
    sys.exit(report(chosen, outcomes, options.summary))


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, help="test only this many mutants, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", default="0/1", help="test part k of n: k/n, k from 0")
    parser.add_argument("--again", action="store_true", help="also test mutants that were caught before")
    parser.add_argument("--jobs", type=int, default=1, help="test this many mutants at a time")
    parser.add_argument("--cases", action="store_true", help="run only the cases: survivors stay to be tested")
    parser.add_argument("--summary", type=Path, help="write the counts to this file")
    parser.add_argument("--planted", action="store_true", help="test the bugs of planted.toml instead")
    return parser.parse_args()


def listed():
    """The mutants of cargo-mutants, each with a key that does not depend on the line number."""
    command = ["cargo", "mutants", "--list", "--json", "--no-config", "--exclude-re", NO_RULES]
    for name in FILES:
        assert list((ROOT / "engine/src").glob(f"{name}.rs")), f"FILES names {name}, which is no file of engine/src"
        command += ["--file", f"engine/src/{name}.rs"]
    mutants = json.loads(subprocess.check_output(command, cwd=ROOT))
    seen = Counter()
    for number, mutant in enumerate(mutants, 1):
        line = (ROOT / mutant["file"]).read_text().split("\n")[mutant["span"]["start"]["line"] - 1].strip()
        what = re.sub(r"^.*?:\d+:\d+: ", "", mutant["name"])
        key = f"{mutant['file'].removeprefix('engine/src/')} | {what} | {line}"
        seen[key] += 1
        mutant["key"] = key if seen[key] == 1 else f"{key} #{seen[key]}"
        mutant["number"] = number
    return mutants


def choose(mutants, options):
    """The chosen mutants, in an order that depends on their keys and the seed alone.

    An edit of the sources thus changes few mutants of a sample, and the sample is tested before the
    other mutants.
    """
    order = lambda mutant: hashlib.sha256(f"{options.seed} {mutant['key']}".encode()).digest()
    chosen = sorted(mutants, key=order)[: options.sample]
    shard, shards = map(int, options.shard.split("/"))
    return chosen[shard::shards]


def build_woven(mutants):
    """Weaves the mutants into a copy of the project. Returns the keys of those left out, with the reason."""
    by_file = {}
    key = {m["number"]: m["key"] for m in mutants}
    for mutant in mutants:
        by_file.setdefault(mutant["file"], []).append(placed(mutant))
    woven = {file: [m for m in found if m] for file, found in by_file.items()}
    unviable, constant = write_tree(woven)
    there = {m.number for found in woven.values() for m in found} - unviable - constant
    reason = lambda n: "does not compile" if n in unviable else "cannot be woven"
    return {key[n]: reason(n) for n in key if n not in there}


def placed(mutant):
    """The mutant with the bytes that it replaces.

    None outside functions, and in functions that return `impl Trait`: their variants have other
    types.
    """
    source = (ROOT / mutant["file"]).read_text()
    lines = source.split("\n")

    def byte(place):
        before = lines[: place["line"] - 1] + [lines[place["line"] - 1][: place["column"] - 1]]
        return len("\n".join(before).encode())

    if not mutant["function"] or "impl " in mutant["function"]["return_type"]:
        return None
    function = tuple(byte(mutant["function"]["span"][end]) for end in ("start", "end"))
    start, end = (byte(mutant["span"][end]) for end in ("start", "end"))
    return Mutant(mutant["number"], function, start, end, mutant["replacement"])


def write_tree(by_file):
    """Writes a copy of the project with the mutants.

    Returns those that do not compile, and those in functions that constants call.
    """
    files = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for file in subprocess.check_output(files, cwd=ROOT, text=True).split("\0"):
        if (ROOT / file).is_file() and file not in by_file and file != "engine/src/lib.rs":
            write(TREE / file, (ROOT / file).read_bytes())
    write(TREE / "engine/src/mutant.rs", SWITCH.encode())
    library = (ROOT / "engine/src/lib.rs").read_bytes()
    write(TREE / "engine/src/lib.rs", library.replace(b"\nmod action;", b"\nmod mutant;\nmod action;"))
    unviable, constant = set(), set()
    while True:
        for file, mutants in by_file.items():
            left = [m for m in mutants if m.number not in unviable | constant]
            write(TREE / file, weave((ROOT / file).read_bytes(), left))
        wrong, called = uncompilable()
        if not wrong and not called:
            return unviable, constant
        if not wrong:
            constant |= {m.number for file, found in by_file.items() for m in found if name_of(file, m) in called}
        unviable |= wrong
        print(f"{len(unviable)} mutants do not compile", flush=True)


def name_of(file, mutant):
    return name((ROOT / file).read_bytes(), mutant.function)


def write(path, content):
    """Writes a file if it is new, so that Cargo builds only what has changed."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def cargo(*arguments):
    """Runs a Cargo command in the woven copy. Returns its result and its messages."""
    quick = ["--config=profile.dev.package.jantaku-engine.opt-level=1", "--message-format=json"]
    command = ["cargo", *arguments, "--package=jantaku-engine", *quick]
    environment = os.environ | {"CARGO_TARGET_DIR": str(ROOT / "target")}
    result = subprocess.run(command, cwd=TREE, env=environment, capture_output=True)
    return result, [json.loads(line) for line in result.stdout.splitlines() if line.startswith(b"{")]


def uncompilable():
    """The mutants in which the compiler finds an error, and functions that constants call."""
    result, messages = cargo("check", "--lib")
    compiler = [m["message"] for m in messages if m["reason"] == "compiler-message"]
    errors = [m for m in compiler if m["level"] == "error"]
    wrong = set()
    for span in (span for error in errors for span in error["spans"]):
        wrong |= marked((TREE / span["file_name"]).read_bytes(), span["byte_start"], span["byte_end"])
    called = (re.search(r"cannot call non-const .*`(?:.*::)?(\w+)`", e["message"]) for e in errors)
    constant = {found[1] for found in called if found}
    if result.returncode != 0 and not wrong and not constant:
        sys.exit("\n".join(e["rendered"] for e in errors[:5]) or result.stderr.decode())
    return wrong, constant


def built(names):
    """Builds test programs. Returns their paths by name."""
    programs = [f"--test={name}" if name != UNIT_TESTS else "--lib" for name in names]
    result, messages = cargo("test", "--no-run", *programs)
    if result.returncode != 0:
        sys.exit(result.stderr.decode())
    found = {m["target"]["name"]: m["executable"] for m in messages if m.get("executable")}
    return {name: found[name] for name in names}


def limit_of(command):
    """Runs a test without a mutant. Returns the processor seconds after which it runs too long."""
    used = lambda: resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    start = used()
    if run(command, 0, 600).returncode != 0:
        sys.exit(f"{' '.join(command)} fails without a mutant")
    return max(20, int(10 * (used() - start)))


def run(command, mutant, limit):
    """Runs a test with a mutant. The kernel kills it after `limit` seconds of processor time."""
    environment = os.environ | SIZE | {"MUTANT": str(mutant), "RUST_BACKTRACE": "0"}
    bounded = ["prlimit", f"--as={MEMORY}", f"--cpu={limit}", *command]
    return subprocess.run(bounded, cwd=TREE / "engine", env=environment, capture_output=True)


def test(mutant, tests):
    """Runs the tests until one catches the mutant. Returns its outcome: their name, or `survives`."""
    for name, command, limit in tests:
        result = run(command, mutant, limit).returncode
        if result != 0:
            too_long = result in (-signal.SIGKILL, -signal.SIGXCPU)
            return f"{name} runs too long" if too_long else name
    return "survives"


def test_planted():
    """Plants the bugs of planted.toml. Returns 1 unless each makes its rows fail."""
    bugs = tomllib.loads((HERE / "planted.toml").read_text())["bug"]
    by_file = {}
    for number, bug in enumerate(bugs, 1):
        by_file.setdefault(f"engine/src/{bug['file']}", []).append(planted(number, bug))
    for number in set().union(*write_tree(by_file)):
        sys.exit(f"does not compile: {bugs[number - 1]['rule']}")
    suite = built({SUITE})[SUITE]
    wrong = 0
    for number, bug in enumerate(bugs, 1):
        result = run((suite, "cases::", "--skip=positions::"), number, 60)
        text = (result.stdout + result.stderr).decode()
        for row in (row.strip() for row in bug["rows"].split("|")):
            if not re.search(rf"(^|failed: ){re.escape(row)} (.* )?under ", text, re.MULTILINE):
                print(f"{bug['rule']} Planted in {bug['file']}, but the row `{row}` passes.")
                wrong = 1
    print(f"{len(bugs)} planted bugs")
    return wrong


def planted(number, bug):
    """A bug of planted.toml as a mutant of the function around it."""
    source = (ROOT / "engine/src" / bug["file"]).read_bytes()
    old = bug["from"].encode()
    if source.count(old) != 1:
        sys.exit(f"`{bug['from']}` must occur exactly once in {bug['file']}: adapt planted.toml")
    start = source.index(old)
    opened = list(re.finditer(rb"^( *)(?:pub(?:\(\w+\))? )?fn ", source[:start], re.MULTILINE))[-1]
    close = b"\n" + opened[1] + b"}"
    end = source.index(close, start) + len(close)
    return Mutant(number, (opened.start(), end), start, start + len(old), bug["to"])


def read_outcomes():
    if not OUTCOMES.exists():
        return {}
    return dict(line.rsplit("\t", 1) for line in OUTCOMES.read_text().splitlines())


def read_reasons():
    """The survivors that change nothing, with their reasons."""
    lines = (HERE / "survivors.txt").read_text().splitlines()
    return dict(line.rsplit(" => ", 1) for line in lines if line and not line.startswith("#"))


def report(chosen, outcomes, summary):
    """Prints the counts. Returns 1 if a survivor has no reason or a reason has no survivor."""
    tested = [outcomes[m["key"]] for m in chosen if m["key"] in outcomes]
    lines = [f"{len(chosen)} mutants chosen, {len(tested)} tested"]
    lines += [f"{count:6} {outcome}" for outcome, count in Counter(tested).most_common()]
    print("\n".join(lines))
    if summary:
        summary.write_text("\n".join(lines) + "\n")
    reasons = read_reasons()
    survivors = {m["key"] for m in chosen if outcomes.get(m["key"]) == "survives"}
    for key in sorted(survivors - reasons.keys()):
        print(f"survives without a reason: {key}")
    stale = sorted(key for key in reasons if outcomes.get(key, "survives") != "survives")
    for key in stale:
        print(f"survivors.txt lists a mutant that a test catches: {key}")
    return int(bool(stale or survivors - reasons.keys()))


if __name__ == "__main__":
    main()
