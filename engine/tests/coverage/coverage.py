#!/usr/bin/env python3
"""Measures which lines and branches of the rules the rule cases reach: make coverage

Compiles the engine with counters, runs the tests `cases` and compares the lines that none of them reaches with
`unreached.txt`, which has a reason for each. JANTAKU_WRITE=1 writes new entries there, without a reason.

The stable compiler counts branches if RUSTC_BOOTSTRAP allows the option. Only crates of the workspace get
counters: cargo calls this script in place of their compiler.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "engine/src"
WORK = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "coverage"
LISTED = Path(__file__).with_name("unreached.txt")
RULES = re.compile(r"(round|score|rules)/|settle\.rs$")
COUNTERS = ["-C", "instrument-coverage", "-Z", "coverage-options=branch"]
HEADING = "# Lines that no rule case reaches: FILE | FUNCTION | LINES => REASON\n"


def compile_with_counters(command: list[str]) -> None:
    """What cargo calls for a crate of the workspace."""
    os.environ["RUSTC_BOOTSTRAP"] = "1"
    os.execvp(command[0], command + (COUNTERS if {"jantaku_engine", "suite"} & {*command} else []))


def tool(name: str) -> str:
    """A program of the compiler's LLVM: counters have the form of its version."""
    sysroot = subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip()
    about = subprocess.check_output(["rustc", "-vV"], text=True)
    host, version = re.search("host: (.*)", about)[1], re.search(r"LLVM version: (\d+)", about)[1]
    found = shutil.which(name, path=f"{sysroot}/lib/rustlib/{host}/bin") or shutil.which(f"{name}-{version}")
    return found or sys.exit(f"{name} {version} is missing: `rustup component add llvm-tools` or `apt-get install llvm-{version}`")


def measure() -> str:
    """Runs the cases, and returns the counts of lines and branches in the format of lcov."""
    merge, export = tool("llvm-profdata"), tool("llvm-cov")
    shutil.rmtree(WORK / "counts", ignore_errors=True)
    environment = os.environ | {
        "RUSTC_WORKSPACE_WRAPPER": str(Path(__file__).resolve()),
        "CARGO_TARGET_DIR": str(WORK),
        # An incremental build leaves out some functions that nothing calls.
        "CARGO_INCREMENTAL": "0",
        "LLVM_PROFILE_FILE": str(WORK / "counts/%p-%m.profraw"),
    }
    build = ["cargo", "test", "--locked", "--package=jantaku-engine", "--test=suite", "--no-run", "--message-format=json"]
    built = subprocess.run(build, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    messages = [json.loads(line) for line in built.splitlines() if line.startswith("{")]
    program = [message["executable"] for message in messages if message.get("executable")][-1]
    run = [program, "cases::", "--skip=positions::", "--quiet"]
    subprocess.run(run, cwd=ROOT / "engine", env=environment, stdout=sys.stderr, check=True)
    data = WORK / "counts/all.profdata"
    subprocess.run([merge, "merge", "-sparse", *(WORK / "counts").glob("*.profraw"), "-o", data], check=True)
    return subprocess.check_output([export, "export", "-format=lcov", program, f"-instr-profile={data}"], text=True)


def function_at(file: Path, line: int) -> str:
    """The name of the function that a line belongs to."""
    before = "\n".join(file.read_text().split("\n")[:line])
    names = re.findall(r"^ *(?:pub(?:\([\w ]+\))? )?(?:const )?fn (\w+)|^((?:impl|macro_rules!).*?) \{", before, re.MULTILINE)
    return next((name or kind for name, kind in reversed(names)), "-")


def main() -> None:
    totals, unreached = defaultdict(Counter), {}
    for record in measure().split("end_of_record"):
        path = Path((re.search("^SF:(.*)$", record, re.MULTILINE) or [0, ""])[1])
        name = str(path).removeprefix(f"{SOURCES}/")
        if not RULES.match(name):
            continue
        lines = re.findall(r"^DA:(\d+),(\d+)", record, re.MULTILINE)
        branches = re.findall(r"^BRDA:.*,(\d+|-)$", record, re.MULTILINE)
        of = totals[name.split("/")[0].removesuffix(".rs")]
        of += Counter(lines=len(lines), branches=len(branches))
        of += Counter({"reached lines": sum(count != "0" for _, count in lines)})
        of += Counter({"reached branches": sum(count not in "0-" for count in branches)})
        for line in (int(line) for line, count in lines if count == "0"):
            unreached.setdefault(f"{name} | {function_at(path, line)}", []).append(line)
    found = {f"{place} | {len(lines)}": lines for place, lines in unreached.items()}
    listed = dict(line.split(" => ", 1) for line in LISTED.read_text().splitlines() if not line.startswith("#"))
    if os.environ.get("JANTAKU_WRITE"):
        LISTED.write_text(HEADING + "".join(f"{key} => {listed.get(key, '')}\n" for key in sorted(found)))
        listed = dict.fromkeys(found, "") | listed
    wrong = [f"no case reaches {key}: lines {', '.join(map(str, found[key]))}" for key in sorted(found.keys() - listed.keys())]
    wrong += [f"{LISTED.name} lists what is not so: {key}" for key in sorted(listed.keys() - found.keys())]
    print("\n".join(wrong))
    for part, of in sorted(totals.items()):
        print(f"{part}: {of['reached lines']:,} of {of['lines']:,} lines, {of['reached branches']:,} of {of['branches']:,} branches")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    compile_with_counters(sys.argv[1:]) if len(sys.argv) > 1 else main()
