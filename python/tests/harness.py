"""What several tests share: games at random, and environments beside the engine."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jantaku
from jantaku import Game, Observation, Rules, VecEnv

ROOT = Path(__file__).parents[2]
ENCODERS = ("planes-v1", "sparse-v1", "events-v1")
CALLS = Path(__file__).with_name("calls")


def first_legal(batch: Any) -> np.ndarray:
    """Takes the first legal action."""
    return batch.mask.argmax(axis=1)


def play(game: Game, seed: int = 0, decisions: int | None = None) -> Game:
    """Plays at random, to the end or for a number of decisions."""
    choose = random.Random(seed).choice
    while not game.is_over:
        for view in game.decisions():
            if decisions is not None:
                if decisions == 0:
                    return game
                decisions -= 1
            game.submit(view.seat, choose(view.legal))
    return game


def views(
    preset: str = "tenhou", seed: int = 1, games: int = 1
) -> Iterator[tuple[Game, Observation]]:
    """Every view of some random games, with the game at that moment."""
    choose = random.Random(seed).choice
    for number in range(games):
        game = Game(preset, seed=seed + number)
        while not game.is_over:
            for view in game.decisions():
                yield game, view
                game.submit(view.seat, choose(view.legal))


def exchanged(game: Game, seat: int, chance: random.Random, tries: int = 60) -> Iterator[Game]:
    """The game of one hand on walls in which tiles that the seat cannot see changed places.

    Each has one exchange more than the last, after which the seat has seen the same events.
    """
    seen, wall = game.events(seat), game.wall
    for _ in range(tries):
        a, b = chance.sample(range(len(wall)), 2)
        changed = list(wall)
        changed[a], changed[b] = changed[b], changed[a]
        other = Game(game.rules, seed=game.seed, wall=changed)
        try:
            for step in game.actions:
                other.submit(*step)
        except jantaku.IllegalActionError:
            continue
        if changed != wall and other.events(seat) == seen and seat in other.pending:
            wall = changed
            yield other


def same_encoding(one: Any, other: Any) -> bool:
    """Whether two encodings have the same arrays."""
    if isinstance(one, dict):
        return all(np.array_equal(one[name], other[name]) for name in one | other)
    return np.array_equal(one, other)


def followed(
    env: VecEnv, rules: Rules | str, turns: int, agents: Any = None
) -> Iterator[tuple[jantaku.Batch, list[Game], np.ndarray]]:
    """Plays an environment at random, and the same games in the engine.

    Yields each batch with the games at the tables, before they get its actions, and these.
    """
    games = [Game(rules, seed=int(seed)) for seed in env.seeds()]
    batch = env.recv()
    for _ in range(turns):
        if agents is not None:
            for game in games:
                game.play(agents)
        actions = env.random_actions()
        yield batch, games, actions
        for row in np.flatnonzero(batch.due):
            games[batch.tables[row]].submit(int(batch.seats[row]), int(actions[row]))
        # The next game begins in the batch after the last rows.
        for table in np.unique(batch.tables[~batch.due]):
            games[table] = Game(rules, seed=int(env.seeds()[table]))
        batch = env.step(actions)


def in_a_fork(work: Callable[[], object]) -> int:
    """Calls a function in a forked process, for at most 60 seconds. Returns its exit code."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def gain_over_random(agent: Any, channels: list[int] | None = None) -> float:
    """By how much an agent's mean placement is better than 2.5, against three random players.

    With channels, the agent is a network that returns logits for these channels of planes.
    """
    if channels is not None:
        network, scales = agent, jantaku.Encoder("planes-v1").scales[channels, None]

        def logits(batch: jantaku.AgentBatch) -> Any:
            planes = batch.planes[:, channels] * scales
            return network(planes.reshape(len(planes), -1))

        agent = jantaku.FunctionAgent(logits, name="network", encoder="planes-v1")
    found = jantaku.match(agent, "random", sets=10, seed=2).placement_difference
    return found.value


def toml(path: Path, table: dict[str, Any]) -> str:
    """Writes settings to a file. Returns its path."""

    def text(value: object) -> str:
        if isinstance(value, dict):
            return "{ " + ", ".join(f"{name} = {text(one)}" for name, one in value.items()) + " }"
        return json.dumps(value)

    path.write_text("".join(f"{name} = {text(value)}\n" for name, value in table.items()))
    return str(path)


BLOCK = re.compile(r"(?<=```pycon\n).*?(?=```)", re.DOTALL)
PROMPT = re.compile(r"((?:>>> .*\n)(?:\.\.\.(?: .*)?\n)*)((?:(?!>>> ).*\n)*)")


def answer(code: str, names: dict[str, Any]) -> str:
    """What a prompt of Python shows: a value, or the last part of a traceback."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            exec(compile(code, "page", "single"), names)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    return shown.getvalue()


def check_page(page: Path, **names: Any) -> None:
    """Makes the calls of a page. Dots in an answer stand for any text."""

    def asked(prompt: re.Match[str]) -> str:
        shown, expected = prompt.groups()
        found = answer(re.sub(r"^(>>>|\.\.\.) ?", "", shown, flags=re.MULTILINE), names)
        pattern = re.escape(expected).replace(re.escape("..."), ".*")
        return prompt[0] if re.fullmatch(pattern, found, re.DOTALL) else shown + found

    text = page.read_text(encoding="utf-8")
    found = BLOCK.sub(lambda block: PROMPT.sub(asked, block[0]), text)
    if "JANTAKU_WRITE" in os.environ:
        page.write_text(found, encoding="utf-8")
    assert text.count("\n>>> ") > 8
    assert found == text


def curve(folder: Path) -> list[dict[str, str]]:
    """The rows of the curve of a training."""
    return list(csv.DictReader((folder / "curve.csv").read_text().splitlines()))


def page_data(html: str) -> Any:
    """The data of a page for the browser."""
    start = html.index('id="data">') + len('id="data">')
    return json.loads(html[start : html.index("</script>", start)])


def small_network(folder: Path) -> str:
    """A network for the rules `tenhou` with random weights, as an agent."""
    manifest = folder / "model.json"
    manifest.write_text(jantaku.Encoder("sparse-v1").manifest("tenhou", value="points"))
    maker = ROOT / "agents/tests/neural/make_model.py"
    command = [sys.executable, maker, manifest, "--columns", "16", "--layers", "8"]
    subprocess.run(command, check=True)
    return f"neural:model={manifest.with_suffix('.safetensors')}"


def repeated(files: dict[Path, bytes]) -> dict[str, bytes]:
    """The files of a run that repeat, by their paths in it."""
    kept = {"run.toml", "manifest.json", "match.toml"}
    repeats = [path for path in files if path.suffix == ".parquet" or path.name in kept]
    return {str(path): files[path] for path in repeats if path.name != "result.parquet"}


def files_of(folder: Path | str) -> dict[str, bytes]:
    """The files of a run in a folder that repeat."""
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    return repeated({path.relative_to(folder): path.read_bytes() for path in files})


def worker_environment(others: dict[str, str]) -> dict[str, Any]:
    """The environment in which workers of Ray find the tests and a bucket."""
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    return {"env_vars": {"PYTHONPATH": paths, **others}}


full_only = pytest.mark.skipif(
    os.environ.get("JANTAKU_TESTS") != "full", reason="`make test-all` runs it"
)
"""For tests that take long, or vary what a shorter one already shows."""

PATIENCE = {"health_check_timeout_ms": 300_000, "worker_register_timeout_seconds": 600}
"""A busy machine answers late, but a process that is gone refuses connections at once."""
