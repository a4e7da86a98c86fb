"""Make the rule book: play what book.toml lists, and write its pages.

    python book.py OUT [--program PATH] [--scale 0.001] [--threads N] [--only NAME…] [--pages DIR]
    python book.py OUT --write [--pages DIR]

OUT is a folder for runs and results, 10 GB for the whole book. An interrupted make continues in the
same folder. Pages are written after each pass, to OUT/pages or the folder of `--pages`. `--scale`
multiplies the numbers of hands and games. `--only` makes the named rule sets, rules and players.
`--write` plays nothing and writes the pages of what is there.
"""

import argparse
import difflib
import fcntl
import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pages import Book, Result, short, write_pages

HERE = Path(__file__).parent
PROGRAM = HERE.parents[1] / "target/release/jantaku"
# Passes below this share of the whole book are left out of a shortened one.
MIN_PASS = 0.001
# The fewest hands and games that give intervals.
MIN_HANDS, MIN_GAMES = 100, 4
# The largest book has this many times the hands and games of book.toml.
MAX_SCALE = 100
# Games of a part at full size. A killed make loses the games of unfinished parts.
GAMES_PER_PART = 10_000


@dataclass(frozen=True)
class RunPiece:
    """Frequencies of one agent under one rule set, from a stored run."""

    name: str
    rules: str
    agent: str
    seed: int
    hands: int
    # What `--only` calls it.
    known_as: tuple[str, ...]

    def settings(self) -> list[str]:
        """The arguments that decide what is played, apart from its size."""
        return ["--rules", self.rules, "--agents", self.agent, "--seed", str(self.seed)]


@dataclass(frozen=True)
class SweepPiece:
    """What one rule changes: the base and a variant on the same walls."""

    name: str
    base: str
    vary: tuple[str, ...]
    agent: str
    seed: int
    games: int
    # What `--only` calls it.
    known_as: tuple[str, ...]

    def settings(self) -> list[str]:
        """The arguments that decide what is played, apart from its size."""
        vary = [word for field in self.vary for word in ("--vary", field)]
        return ["--rules", self.base, *vary, "--agents", self.agent, "--seed", str(self.seed)]


Piece = RunPiece | SweepPiece


def pieces(book: Book) -> Iterator[Piece]:
    """All pieces of a book, the most wanted first."""
    sweeps, players = book["sweeps"], book["players"]
    first, *others = run_pieces(book)
    rules = [(chapter["base"], rule) for chapter in book["chapters"] for rule in chapter["rules"]]
    yield first
    for base, rule in rules:
        yield sweep_piece(sweeps, base, rule, book["agent"], sweeps["games"])
    yield from others
    for agent in players["agents"]:
        name = f"{players['rules']}, {agent}"
        seed, known_as = book["frequencies"]["seed"], (agent, short(agent))
        yield RunPiece(name, players["rules"], agent, seed, players["hands"], known_as)
        for base, rule in rules:
            if rule.get("players"):
                yield sweep_piece(sweeps, base, rule, agent, sweeps["games_of_players"])


def run_pieces(book: Book) -> Iterator[RunPiece]:
    """The frequencies under each rule set."""
    frequencies = book["frequencies"]
    for rules in (name for part in frequencies["sets"].values() for name in part):
        hands = frequencies["larger"].get(rules, frequencies["hands"])
        agent, seed = book["agent"], frequencies["seed"]
        known_as = (rules, agent, short(agent))
        yield RunPiece(rules, rules, agent, seed, hands, known_as)


def sweep_piece(sweeps: Book, base: str, rule: Book, agent: str, games: int) -> SweepPiece:
    """A rule of a chapter, measured with an agent."""
    name = f"{base}, {rule['name']}, {agent}"
    known_as = (rule["name"], agent, short(agent))
    return SweepPiece(name, base, tuple(rule["vary"]), agent, sweeps["seed"], games, known_as)


class Maker:
    """Plays pieces in a folder. A program that outlives a killed maker still holds its lock."""

    def __init__(self, out: Path, program: Path, threads: int | None, scale: float) -> None:
        self.out, self.program = out, program.resolve()
        self.threads = ["--threads", str(threads)] if threads else []
        self.scale = scale
        self.version = version_of(self.program)
        out.mkdir(parents=True, exist_ok=True)
        self.lock = os.open(out / "lock", os.O_CREAT | os.O_RDWR)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"{out}: another make of the book is running here; wait for its end")
        claim(out, scale)

    def call(self, arguments: Sequence[str | Path]) -> str:
        """What a command prints on stdout. A failure ends the make."""
        done = subprocess.run(
            [self.program, *arguments], stdout=subprocess.PIPE, text=True, pass_fds=[self.lock]
        )
        if done.returncode:
            sys.exit(f"jantaku {' '.join(map(str, arguments))}: status {done.returncode}")
        return done.stdout

    def make(self, piece: Piece, share: float) -> None:
        """Bring a piece to a share of its size."""
        if isinstance(piece, RunPiece):
            self.play_run(piece, max(MIN_HANDS, round(piece.hands * self.scale * share)))
        else:
            self.play_sweep(piece, max(MIN_GAMES, round(piece.games * self.scale * share)))

    def play_run(self, piece: RunPiece, hands: int) -> None:
        """Extend a run to this many hands, and count it."""
        run = self.out / "runs" / file_name(f"{piece.rules} {piece.agent} {piece.seed}")
        if not (run / "run.toml").exists():
            # About half of the hands, to learn how many a game has.
            games = max(MIN_GAMES, hands // 20)
            parts = max(MIN_GAMES, round(GAMES_PER_PART * min(1, self.scale)))
            size = ["--games", str(games), "--games-per-part", str(parts)]
            arguments = [*piece.settings(), *size, "--log", "hands", *self.threads]
            self.call(["selfplay", *arguments, "--out", run, "-q"])
        manifest = self.finish(run)
        while manifest["rows"]["hands"] < hands:
            games = 1 + manifest["games"] * hands // manifest["rows"]["hands"]
            self.resume(run, ["--games", str(games)])
            manifest = self.finish(run)
        self.count_run(piece, run, manifest["games"])

    def finish(self, run: Path) -> Result:
        """Play the games that a run lacks, if any. Returns its manifest."""
        path = run / "manifest.json"
        if not path.exists() or not json.loads(path.read_text())["complete"]:
            self.resume(run, [])
        manifest: Result = json.loads(path.read_text())
        return manifest

    def resume(self, run: Path, size: list[str]) -> None:
        """Continue a run, with `--games` to more games than it was for."""
        self.call(["selfplay", "--resume", "--out", run, *size, "-q", *self.threads])

    def count_run(self, piece: RunPiece, run: Path, games: int) -> None:
        """Write the figures of a run and its table."""
        path = result_path(self.out, piece)
        if is_made(path, piece, games):
            return
        table = run.with_suffix(".md")
        counted = self.call(
            ["stats", run, "--by", "seat", "--markdown", table, "--json", *self.threads]
        )
        self.keep(path, piece, json.loads(counted) | {"table": table.read_text()})
        table.unlink()

    def play_sweep(self, piece: SweepPiece, games: int) -> None:
        """Play a sweep, unless its result has as many games."""
        path = result_path(self.out, piece)
        if not is_made(path, piece, games):
            size = ["--games", str(games)]
            arguments = ["sweep", *piece.settings(), *size, "--json", "-q", *self.threads]
            self.keep(path, piece, json.loads(self.call(arguments)))

    def keep(self, path: Path, piece: Piece, found: Result) -> None:
        """Write the result of a piece, whole or not at all."""
        if not found["complete"]:
            sys.exit(f"{piece.name}: interrupted")
        path.parent.mkdir(exist_ok=True)
        partial = path.with_suffix(".partial")
        kept = {"program": self.version, "settings": piece.settings(), "result": found}
        partial.write_text(json.dumps(kept))
        partial.rename(path)


def version_of(program: Path) -> str:
    """The first line of `--version`. Ends the make if the program is missing or another one."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, errors="replace")
    except OSError as error:
        sys.exit(f"--program {program}: {error.strerror}; `cargo build --release` makes it")
    version = done.stdout.strip().partition("\n")[0]
    if done.returncode or not version.startswith("jantaku "):
        sys.exit(f"--program {program}: is not jantaku; `--version` prints {version!r}")
    return version


def claim(out: Path, scale: float) -> None:
    """Write the scale of a new book, or check that a book in the folder has this scale."""
    path = out / "scale"
    if not path.exists():
        path.write_text(str(scale))
    try:
        kept = float(path.read_text())
    except ValueError:
        sys.exit(f"{path}: damaged, expected a number; write the scale of this folder's book")
    if kept != scale:
        sys.exit(f"{out}: has a book of scale {kept:g}; choose another folder")


def is_made(path: Path, piece: Piece, games: int) -> bool:
    """Whether a piece has a result of at least this many games."""
    found = result_of(path, piece)
    return found is not None and found["result"]["games"] >= games


def result_of(path: Path, piece: Piece) -> Result | None:
    """The result of a piece, or none if it has other rules, another agent or another seed."""
    if not path.exists():
        return None
    try:
        kept: Result = json.loads(path.read_text())
        return kept if kept["settings"] == piece.settings() else None
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{path}: damaged or of an earlier book.py; delete it to make it again")


def file_name(piece: str) -> str:
    """A piece's name as that of a file."""
    return "".join(letter if letter.isalnum() or letter in "-=" else "_" for letter in piece)


def result_path(out: Path, piece: Piece) -> Path:
    """Where a piece's result is kept."""
    return out / "results" / f"{file_name(piece.name)}.json"


def results(out: Path, book: Book) -> dict[str, Result]:
    """The result of each piece that has one, by the piece's name."""
    found = {piece.name: result_of(result_path(out, piece), piece) for piece in pieces(book)}
    return {name: result for name, result in found.items() if result}


def is_wanted(piece: Piece, only: list[str]) -> bool:
    """Whether one of the names is that of the piece, its rule set, its rule or its player."""
    return not only or any(name in piece.known_as for name in only)


def scale(text: str) -> float:
    """The number of `--scale`."""
    value = float(text)
    if not 0 < value <= MAX_SCALE:
        expected = f"expected a number above 0 and at most {MAX_SCALE}"
        raise argparse.ArgumentTypeError(f"{expected}, found {text}")
    return value


def threads(text: str) -> int:
    """The number of `--threads`."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return value


def folder(text: str) -> Path:
    """A folder that exists or can be made."""
    path = Path(text)
    if path.exists() and not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is not a folder")
    return path


def options_of(book: Book) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=folder)
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--scale", type=scale, default=1.0)
    parser.add_argument("--threads", type=threads)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--pages", type=folder)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    names = list(dict.fromkeys(name for piece in pieces(book) for name in piece.known_as))
    for name in options.only:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            parser.error(f"--only: no {name!r}; {hint}Names: {'; '.join(names)}")
    return options


def main() -> None:
    """Make a book."""
    book = tomllib.loads((HERE / "book.toml").read_text())
    options = options_of(book)
    # An exception also ends the program that is playing.
    text = f"interrupted; the same command continues in {options.out}"
    for interruption in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interruption, lambda *_: sys.exit(text))
    try:
        make(book, options)
    except OSError as error:
        sys.exit(str(error))


def make(book: Book, options: argparse.Namespace) -> None:
    """Play and write what the options ask for."""
    pages = options.pages or options.out / "pages"
    if options.write:
        found = results(options.out, book)
        if not found:
            sys.exit(f"no results in {options.out / 'results'}")
        write_pages(pages, book, found)
        return
    maker = Maker(options.out, options.program, options.threads, options.scale)
    wanted = [piece for piece in pieces(book) if is_wanted(piece, options.only)]
    for share in book["passes"]:
        if share < 1 and share * options.scale < MIN_PASS:
            continue
        for number, piece in enumerate(wanted, 1):
            print(f"pass {share:g}, {number} of {len(wanted)}: {piece.name}", flush=True)
            maker.make(piece, share)
        write_pages(pages, book, results(options.out, book))


main()
