"""Ends matches and leagues of a slow bot at random moments, and resumes them to their end.

    python3 sim/tests/interruptions.py target/release/jantaku [--signals 100] [--seed 0]

Each signal is INT, TERM or KILL, at a random moment of a program that plays or resumes. After each,
the parts of all finished sets must still be there with the same bytes, and what an interrupted
program reports must be what it kept. The games at the end must have the bytes of an uninterrupted
program. Half of the signals end matches, the other half leagues.
"""

import argparse
import hashlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BOT = r"""
import json, sys, time
for line in sys.stdin:
    events = json.loads(line)
    if events[0]["type"] == "start_game":
        seat = events[0]["id"]
    answer, last = {"type": "none"}, events[-1]
    if last["type"] == "tsumo" and last["actor"] == seat:
        time.sleep(0.002)
        answer = {"type": "dahai", "pai": last["pai"], "tsumogiri": True}
    print(json.dumps(answer), flush=True)
"""
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


def hashes(folder):
    """The hash of each file with games, by its path in the folder."""
    files = (path for path in folder.rglob("*.parquet") if path.name != "result.parquet")
    return {path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def finished(folder):
    """The games and files that the manifests of a match or league name, by the manifest's folder."""
    found = {}
    for path in folder.rglob("manifest.json"):
        manifest = json.loads(path.read_text())
        files = [file["path"] for part in manifest["parts"] for file in part["files"]]
        found[path.parent.relative_to(folder)] = manifest["games"], files
    return found


def check_kept(before, folder):
    """Checks that nothing of the finished sets is lost. Returns the number of finished games."""
    kept, after = hashes(folder), finished(folder)
    for run, (games, files) in after.items():
        assert games % 4 == 0, f"{run}: {games} games are not whole sets"
        missing = [file for file in files if run / file not in kept]
        assert not missing, f"{run}: the manifest names {missing}, which are not there"
    for run, (games, _, sums) in before.items():
        assert after[run][0] >= games, f"{run}: {games} games became {after[run][0]}"
        changed = [path for path, found in sums.items() if kept[path] != found]
        assert not changed, f"{run}: {changed} changed"
    return sum(games for games, _ in after.values())


def state(folder):
    """What must be kept: games, files and their hashes for each manifest."""
    sums = hashes(folder)
    return {
        run: (games, files, {run / file: sums[run / file] for file in files})
        for run, (games, files) in finished(folder).items()
    }


def command(words, out):
    """The command line that begins the match or league in this folder, or resumes it."""
    has_begun = any((out / file).exists() for file in ("run.toml", "league.toml"))
    return [*([*words[:2], "--resume", "--json"] if has_begun else words), "--out", str(out)]


def interrupted(words, folder, delay, sent, reported):
    """Starts the program and sends the signal. Returns whether the signal ended it."""
    before = state(folder)
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        program.wait(delay)
    except subprocess.TimeoutExpired:
        program.send_signal(sent)
    out, err = program.communicate()
    games = check_kept(before, folder)
    if program.returncode == 0:
        return False
    if program.returncode == 130 and out:
        said = json.loads(out)
        assert reported(said) == games, f"{reported(said)} games are reported, {games} are kept"
    else:
        # A signal before the program handles signals, or one that cannot be handled.
        assert program.returncode in (130, -sent), f"status {program.returncode}: {err}"
    return True


def play(name, words, wanted, reported, dice, folder):
    """Interrupts this command `wanted` times, and compares each end with an uninterrupted one."""
    start = time.monotonic()
    whole = folder / f"{name}-whole"
    subprocess.run([*words, "--out", str(whole)], stdout=subprocess.DEVNULL, check=True)
    usual, expected = time.monotonic() - start, hashes(whole)
    counts, ends = dict.fromkeys(SIGNALS, 0), 0
    while sum(counts.values()) < wanted:
        out, signals = folder / f"{name}-{ends}", 0
        while sum(counts.values()) < wanted:
            sent, delay = dice.choice(SIGNALS), dice.uniform(0, usual / 4)
            if not interrupted(command(words, out), out, delay, sent, reported):
                break
            counts[sent] += 1
            signals += 1
        subprocess.run(command(words, out), stdout=subprocess.DEVNULL, check=True)
        assert hashes(out) == expected, f"{out}: other bytes than {whole} after {signals} signals"
        ends += 1
    sent = ", ".join(f"{count} {sent.name}" for sent, count in counts.items())
    print(f"{name}: {sum(counts.values())} interruptions ({sent}), {ends} ends, all byte-equal", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--signals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "bot.py").write_text(BOT)
        bot = f"mjai:command=\"{sys.executable} '{folder / 'bot.py'}'\""
        usual = ["--rules", "tenhou-tonpuu", "--seed", "1", "--json"]
        match = [asked.program, "match", "--challenger", bot, "--baseline", "tsumogiri", "--sets", "8"]
        league = [asked.program, "league", "--agents", f"{bot},tsumogiri,random,greedy", "--sets", "8"]
        of_match, of_league = (lambda said: 4 * said["sets"]), (lambda said: said["games"])
        half = asked.signals // 2
        play("match", match + usual, asked.signals - half, of_match, dice, folder)
        play("league", league + usual, half, of_league, dice, folder)


if __name__ == "__main__":
    main()
