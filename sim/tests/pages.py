"""Runs the commands of the program on reference pages, with small numbers.

usage: pages.py PROGRAM PAGE...

Each page has a folder of its own with the files that the pages name, such as `runs/first` and `game.mjlog`.
`readers.py` runs the commands of README and the tutorials as they stand.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Numbers that take long, and what replaces them. Wide intervals, so that games end soon.
SMALLER = [
    # A part has 250 sets, so a match of fewer has no share for a second machine.
    (r"--sets \d+\b(?! --shard)", "--sets 4"),
    (r"--games \d+", "--games 20"),
    (r"--rollouts \d+", "--rollouts 500"),
    (r"rollouts=\d+", "rollouts=16"),
    (r"four-kans=\S+", "exhaustive=20%"),
    (r"exhaustive=0.05%", "exhaustive=20%"),
    (r"points.mean=\d+", "points.mean=3000"),
    (r"@agent greedy=0.02", "@agent greedy=1"),
    (r"--sprt 0,0.05", "--sprt 0,1"),
    (r"difference=0.03", "difference=1"),
    (r" --open", ""),
    (r"--hand S2-1", "--hand E1"),
    (r"python3 bot.py", "python3 agents/examples/bot.py {seat}"),
]
# What users call the network that they train.
NETWORK = ROOT / "agents/src/residual/version-2.safetensors"


def commands(page: str) -> list[str]:
    """The commands of the program in the page's shell blocks."""
    blocks = re.findall("^```sh\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.startswith("jantaku ")]


def prepare(program: Path, folder: Path) -> None:
    """Writes the files that the pages name."""

    def run(line: str) -> None:
        subprocess.run([program, *shlex.split(line), "--quiet"], cwd=folder, check=True)

    shutil.copytree(ROOT / "agents/examples", folder / "agents/examples")
    for name in ("logs", "more"):
        (folder / name).mkdir()
    run("selfplay --games 4 --seed 1 --agents heuristic --out runs/first")
    run("convert runs/first --to mjai --out logs/games.jsonl")
    run("convert runs/first --to run --out runs/people")
    run("convert runs/first:3 --to mjai --out more/2024.jsonl.gz")
    # The contents of a log tell its format.
    run("convert runs/first:3 --to mjai --out game.jsonl")
    (folder / "game.jsonl").rename(folder / "game.mjlog")
    position = subprocess.run([program, "ask", "runs/first:3:100", "--toml"], cwd=folder, stdout=subprocess.PIPE, check=True)
    (folder / "position.toml").write_bytes(position.stdout)
    (folder / "mjsoul-there.toml").write_text('base = "mjsoul"\nwall_layout = "Tenhou"\n')
    shutil.copy(NETWORK, folder / "night.safetensors")


def main() -> None:
    program, *pages = map(Path, sys.argv[1:])
    program = program.resolve()
    texts = {page: commands(page.read_text()) for page in pages}
    everything = "\n".join(line for lines in texts.values() for line in lines)
    for large, _ in SMALLER:
        assert re.search(large, everything), f"no page has {large}"
    for page, lines in texts.items():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(program, folder)
            for line in lines:
                small = line
                for large, replacement in SMALLER:
                    small = re.sub(large, replacement, small)
                done = subprocess.run(
                    small.replace("jantaku", str(program), 1),
                    shell=True,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=600,
                )
                assert done.returncode == 0, f"{page}: {line}\n{small}\n{done.stdout}{done.stderr}"
        print(f"{len(lines)} commands of {page} work")


main()
