"""Settings of experiments, from TOML files: a class for each command of ``jantaku.train``.

Also what runs with labels state in their ``run.toml``.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

from .._jantaku import Agent, Rules, _encoder, _run_toml

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

if TYPE_CHECKING:
    from typing_extensions import Self


Device: TypeAlias = Literal["auto", "cpu", "cuda"]
Precision: TypeAlias = Literal["auto", "f32", "bf16"]


class ConfigError(ValueError):
    """A setting is unknown, missing or has a wrong value."""


@dataclass(frozen=True)
class Experiment:
    """The settings of a command: the fields of a subclass.

    Paths are relative to the folder in which the command runs.
    """

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The settings in a file.

        Raises
        ------
        ConfigError
            If a setting is unknown, missing or has a wrong value.
        OSError
            If the file cannot be read.

        """
        with open(path, "rb") as file:
            try:
                table = tomllib.load(file)
            except tomllib.TOMLDecodeError as error:
                raise ConfigError(f"{path}: {error}") from None
        return cls.of(table, str(path))

    @classmethod
    def of(cls, table: dict[str, Any], place: str = "settings") -> Self:
        """The settings in a table."""
        kinds = get_type_hints(cls)
        for name, value in table.items():
            if name not in kinds:
                expected = ", ".join(kinds)
                raise ConfigError(f"{place}: {name}: unknown, expected one of {expected}")
            if not _fits(value, kinds[name]):
                expected = _expected(kinds[name])
                raise ConfigError(f"{place}: {name}: expected {expected}, found {value!r}")
        for one in dataclasses.fields(cls):
            if one.name not in table and one.default is one.default_factory is dataclasses.MISSING:
                expected = _expected(kinds[one.name])
                raise ConfigError(f"{place}: {one.name}: missing, expected {expected}")
        found = cls(**table)
        found.check(place)
        return found

    def check(self, place: str) -> None:
        """Checks what types cannot express.

        Raises
        ------
        ConfigError
            If a value is wrong.

        """

    def settings(self) -> dict[str, Any]:
        """The settings that determine the result: all but where it is written, and threads."""
        free = ("out", "board", "threads", "tensorboard")
        return {name: value for name, value in dataclasses.asdict(self).items() if name not in free}

    def _at_least(self, place: str, **least: float) -> None:
        """Checks lower bounds."""
        for name, bound in least.items():
            if getattr(self, name) < bound:
                raise ConfigError(f"{place}: {name}: expected at least {bound}")


@dataclass(frozen=True)
class Improve(Experiment):
    """The settings of ``improve``."""

    labels: list[str]
    """Runs with labels (``jantaku selfplay --labels``)."""
    out: str
    """Folder of the checkpoint, the curve and the network."""
    base: str | None = None
    """The agent whose estimates the labels have; by default the one that the runs state."""
    rules: str | None = None
    """The rules of the runs: a preset or a rule file; by default those that the runs state. Runs of
    recorded games state none: there ``tenhou``."""
    start: str | None = None
    """File of a network to start from, which learned from other games; by default one that corrects
    nothing."""
    hidden: list[int] = field(default_factory=lambda: [128, 64])
    """Widths of the layers, the embedding's first."""
    epochs: int = 2
    """How many times the training goes through all labels."""
    batch: int = 2048
    """Decisions of a batch."""
    piece: int = 2_000_000
    """Decisions in memory at once, about 1 KB each, and twice as much while a piece is read.
    If the labels do not fit, they are read again in each epoch."""
    rate: float = 3e-3
    """The highest learning rate. It rises over 50 batches and falls to 0 along a cosine."""
    decay: float = 0.01
    """Weight decay of AdamW."""
    average: float = 0.0
    """The share of the steps, the last ones, over which the weights are averaged: 0.2 for the mean
    of the last fifth. 0 for the weights of the last step."""
    folds: int = 5
    """Folds of the games. ``tested`` of them are held out, one at a time, to fit ``shrink`` and
    ``least``. 0 for none: the network is trained on all games alone, and keeps the factor 1."""
    tested: int = 5
    """The number of folds that are held out."""
    seed: int = 0
    """Seed of the first weights and of the order of the decisions."""
    device: Device = "auto"
    """``cpu``, ``cuda`` or ``auto``: CUDA where there is a device. Its memory must hold
    a piece: about 150 bytes for each candidate."""
    threads: int = 0
    """Threads of torch; 0 for one for each processor."""
    tensorboard: bool = False
    """Whether the curve is also written for TensorBoard."""

    def check(self, place: str) -> None:
        """Checks what types cannot express."""
        self._at_least(place, epochs=1, batch=1, piece=1, folds=0, tested=0, threads=0)
        if not 0 <= self.average <= 1:
            found = self.average
            raise ConfigError(f"{place}: average: expected a share from 0 to 1, found {found}")
        if not self.hidden or min(self.hidden) < 1:
            raise ConfigError(f"{place}: hidden: expected widths of at least one layer")
        if not self.labels:
            raise ConfigError(f"{place}: labels: expected at least one run")


@dataclass(frozen=True)
class Clone(Experiment):
    """The settings of ``clone``."""

    runs: list[str]
    """Runs and logs of games, all that `jantaku.Dataset` reads."""
    out: str
    """Folder of the checkpoint, the curve and the network."""
    start: str | None = None
    """The checkpoint of another clone to start from: a network of the same shape, with the same
    heads. By default a random one."""
    encoder: str = "planes-v1"
    """An encoder. Its arrays choose the network: planes, such as ``planes-v1``, a convolution over
    kinds of tiles, which TorchScript plays; features, such as ``sparse-v1``, an embedding bag,
    which the program plays on its own."""
    agents: list[str] = field(default_factory=list)
    """Agents or players to learn from, by name; all if empty."""
    rules: str = ""
    """Rules of the network: a preset or a rule file. By default those of the first run. Logs need
    it."""
    log_rules: str = ""
    """Rules of all logs. By default those that each log states, or Tenhou's under which it
    replays."""
    width: int = 64
    """Channels of the convolution for planes."""
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    """Widths of the layers for features, first that of the embedding."""
    heads: dict[str, float] = field(default_factory=lambda: {"value": 0.02, "placement": 0.1})
    """What the network learns beside the policy, with the weight of each loss: ``value``,
    ``placement``, and from the concealed tiles the opponents' ``tenpai`` and ``waits``. The loss of
    ``value`` is a squared error in units of 10,000 points."""
    steps: int = 10_000
    """Batches."""
    batch: int = 1024
    """Decisions of a batch."""
    augment: bool = False
    """Whether suits are permuted at random. Agents that break ties by suit are cloned better
    without it."""
    rate: float = 3e-3
    """The highest learning rate."""
    warm_up: int = 200
    """Batches over which the rate rises. Then it falls to 0 along a cosine."""
    decay: float = 0.01
    """Weight decay."""
    muon: bool = True
    """Whether Muon trains the inner layers, beside AdamW for all else."""
    held_out: float = 0.02
    """The share of games that is held out."""
    every: int = 500
    """Batches between rows of the curve, each with a checkpoint."""
    test_every: int = 10
    """Rows between those with a test on the games held out. The last one has a test, too."""
    test_sets: int = 0
    """Sets of games against ``heuristic`` in each test, for the placement and the style in the
    curve. 0 for none."""
    device: Device = "auto"
    """``cpu``, ``cuda`` or ``auto``: CUDA where there is a device."""
    precision: Precision = "auto"
    """``f32`` or ``bf16`` for mixed precision; ``auto``: bf16 on CUDA."""
    seed: int = 0
    """Seed of the first weights and of the order of the decisions."""
    threads: int = 0
    """Threads of torch and of the loader; 0 for one for each processor."""
    tensorboard: bool = False
    """Whether the curve is also written for TensorBoard."""

    def check(self, place: str) -> None:
        """Checks what types cannot express."""
        self._at_least(place, width=1, steps=1, batch=1, warm_up=0, every=1, test_every=1)
        self._at_least(place, test_sets=0, threads=0, seed=0)
        try:
            _encoder(self.encoder)
        except ValueError as error:
            raise ConfigError(f"{place}: encoder: {error}") from None
        if not self.runs:
            raise ConfigError(f"{place}: runs: expected at least one run or log")
        if not self.hidden or min(self.hidden) < 1:
            raise ConfigError(f"{place}: hidden: expected widths of at least one layer")
        if not 0 < self.held_out <= 0.5:
            raise ConfigError(f"{place}: held_out: expected a share above 0, at most 0.5")
        for name in self.heads:
            if name not in HEADS:
                raise ConfigError(
                    f"{place}: heads: {name}: unknown, expected one of {', '.join(HEADS)}"
                )


HEADS = ("value", "placement", "tenpai", "waits")
"""What a network can learn beside the policy."""


@dataclass(frozen=True)
class Gate(Experiment):
    """The settings of ``gate``."""

    name: str
    """Name of the candidate on the board. A name plays once."""
    model: str
    """File of the candidate's network."""
    prediction: list[float]
    """The range of the placement difference that is expected."""
    out: str
    """Folder of the match."""
    agent: str = "neural"
    """The agent that plays the network, with any options except ``model``, which is added."""
    baseline: str = "heuristic"
    """The agent to beat."""
    rules: str = "tenhou"
    """The rules of the match: a preset or a rule file."""
    sprt: list[float] = field(default_factory=lambda: [0.0, 0.02])
    """Placement differences of the sequential test: the candidate passes if the second is accepted
    against the first."""
    sets: int = 20_000
    """The most sets of games."""
    board: str = "scoreboard.jsonl"
    """The file of all candidates, which only grows."""
    threads: int = 0
    """Threads of the match; 0 for one for each processor."""

    def check(self, place: str) -> None:
        """Checks what types cannot express."""
        self._at_least(place, sets=100, threads=0)
        for name in ("prediction", "sprt"):
            pair = getattr(self, name)
            if len(pair) != 2 or pair[0] >= pair[1]:
                raise ConfigError(f"{place}: {name}: expected two numbers, the lower one first")
        for name in ("name", "agent", "baseline"):
            if not getattr(self, name):
                raise ConfigError(f"{place}: {name}: expected a text that is not empty")


@dataclass(frozen=True)
class Screen(Experiment):
    """The settings of ``screen``."""

    candidates: list[str]
    """The agents that are compared, such as ``residual:model=a.safetensors``."""
    out: str
    """Folder of the matches and of ``result.json``."""
    baseline: str = "heuristic"
    """The agent that all candidates play against."""
    rules: str = "tenhou"
    """The rules of the matches: a preset or a rule file."""
    risk: float = 0.05
    """The chance that the best candidate stops early, over all candidates and stages."""
    first: int = 250
    """Sets of the first stage. Each further stage has twice as many."""
    sets: int = 10_000
    """The most sets of a candidate."""
    seed: int = 0
    """The seed of the walls. All matches are played with the same walls."""
    threads: int = 0
    """Threads of a match; 0 for one for each processor."""

    def check(self, place: str) -> None:
        """Checks what types cannot express."""
        self._at_least(place, first=30, sets=self.first, threads=0, seed=0)
        if len(set(self.candidates)) != len(self.candidates) or len(self.candidates) < 2:
            raise ConfigError(f"{place}: candidates: expected at least two agents, each once")
        if not 0 < self.risk < 1:
            raise ConfigError(
                f"{place}: risk: expected a chance between 0 and 1, found {self.risk}"
            )


@dataclass(frozen=True)
class Ppo(Experiment):
    """The settings of ``ppo``."""

    start: str
    """The checkpoint of a clone with the head ``value``, which says where to start."""
    out: str
    """Folder of the checkpoint, the curve and the networks."""
    opponents: list[str] | dict[str, float] = field(default_factory=list)
    """The agents at the other seats: one for all, or one for each. A table is a pool with weights,
    such as ``{ greedy = 1, heuristic = 3 }``, from which each game draws one for all. By default
    the network plays all seats."""
    rules: str = "tenhou"
    """The rules of the games: a preset or a rule file."""
    hand_reward: Literal["model"] | None = None
    """``model``: the placement model of ``heuristic`` spreads the result over the hands. At the end
    of each, the reward is the change in the result that it expects. The value of the network then
    learns what it expects beyond the model, from 0 on. By default the reward is the result, at the
    end of the game."""
    games: int = 64
    """Games of an iteration."""
    iterations: int = 200
    """Iterations: each plays games, and learns from all of their decisions once."""
    batch: int = 2048
    """Decisions of a batch."""
    rate: float = 1e-4
    """The highest learning rate."""
    clip: float = 0.2
    """How far the probability of an action may move in an iteration, as a share of what it was."""
    fade: float = 0.95
    """Lambda of generalised advantage estimation."""
    kl: float = 0.2
    """Weight of the divergence from the best snapshot."""
    entropy: float = 0.0
    """Weight of the entropy of the policy."""
    value: float = 0.05
    """Weight of the loss of the value."""
    critic: Literal["head", "oracle"] = "head"
    """The source of the values in advantages. ``head``: the head ``value`` of the network.
    ``oracle``: a network of its own that also sees hidden hands and the wall. It stays in the
    checkpoint; the head learns the same targets."""
    critic_rate: float = 1e-3
    """The highest learning rate of the network of ``oracle``."""
    every: int = 5
    """Iterations between rows of the curve, each with a checkpoint."""
    test_every: int = 4
    """Rows between matches against the best snapshot."""
    test_sets: int = 200
    """Sets of such a match."""
    device: Device = "auto"
    """``cpu``, ``cuda`` or ``auto``: CUDA where there is a device."""
    precision: Precision = "auto"
    """``f32`` or ``bf16`` for mixed precision; ``auto``: bf16 on CUDA."""
    seed: int = 0
    """Seed of the games and of the order of the decisions."""
    threads: int = 0
    """Threads of torch and of the games; 0 for one for each processor."""
    tensorboard: bool = False
    """Whether the curve is also written for TensorBoard."""

    def check(self, place: str) -> None:
        """Checks what types cannot express."""
        self._at_least(place, games=1, iterations=1, batch=1, every=1, test_every=1, test_sets=2)
        self._at_least(place, threads=0, seed=0, kl=0, entropy=0, value=0)
        if isinstance(self.opponents, dict) and min(self.opponents.values(), default=0) <= 0:
            raise ConfigError(f"{place}: opponents: expected agents with positive weights")
        if not 0 <= self.fade <= 1:
            raise ConfigError(f"{place}: fade: expected a number from 0 to 1, found {self.fade}")


def command_of(settings: Mapping[str, Any]) -> str:
    """The command whose checkpoint has these settings, or ``?``."""
    decisive = {"runs": "clone", "labels": "improve", "iterations": "ppo"}
    return next((command for name, command in decisive.items() if name in settings), "?")


@dataclass(frozen=True)
class Labels:
    """How the decisions of the runs were labelled."""

    base: str
    """The agent whose estimates the labels have, with its version."""
    rules: Rules
    """The rules of the games."""
    shares: list[dict[str, float]]
    """The share of decisions of each kind that is labelled, for each run."""

    @staticmethod
    def of(config: Improve) -> Labels:
        """What the files ``run.toml`` of the runs state.

        Raises
        ------
        ConfigError
            If a run has no labels, the runs differ, or a setting contradicts them.
        OSError
            If a file cannot be read.

        """
        tables = [_table_of(run) for run in config.labels]
        base = _common(config, "base", [_with_version(table["labels"]["base"]) for table in tables])
        # Recorded games have rules of their own.
        stated = [Rules(**table["rules"]) for table in tables if not table["from_logs"]]
        asked = None if config.rules is None else Rules(config.rules)
        rules = _common(config, "rules", stated) if stated else asked or Rules()
        if config.base is not None and _with_version(config.base) != base:
            raise _contradiction("base", base, config.base)
        if asked not in (None, rules):
            raise _contradiction("rules", repr(rules), config.rules)
        shares = [table["labels"]["shares"] for table in tables]
        return Labels(base=base, rules=rules, shares=shares)


def run_table(run: str) -> dict[str, Any] | None:
    """The contents of ``run.toml`` of a run in a folder or object store. None without that file."""
    text = _run_toml(run)
    return None if text is None else tomllib.loads(text)


def _table_of(run: str) -> dict[str, Any]:
    """The contents of ``run.toml`` of a run with labels."""
    table = run_table(run)
    if table is None:
        raise ConfigError(f"labels: {run}: expected a run with labels, found no {run}/run.toml")
    if "labels" not in table:
        raise ConfigError(f"{run}/run.toml: the run has no labels; `jantaku label` adds them")
    return table


def _common(config: Improve, name: str, found: list[Any]) -> Any:
    """The value that all runs share."""
    for run, value in zip(config.labels, found, strict=False):
        if value != found[0]:
            expected = f"{found[0]!r}, as {config.labels[0]} has"
            raise ConfigError(f"{run}: {name}: expected {expected}, found {value!r}")
    return found[0]


def _contradiction(name: str, expected: Any, found: Any) -> ConfigError:
    return ConfigError(
        f"{name}: expected {expected}, as the runs have, found {found}; leave the setting out"
    )


def _with_version(base: str) -> str:
    """The agent with its version, which an agent's name leaves out if it is the default."""
    name = Agent(base).name
    if "version=" in name:
        return name
    start = f"{name}{',' if ':' in name else ':'}version="
    version = 1
    while Agent(f"{start}{version}").name != name:
        version += 1
    return f"{start}{version}"


_NAMES = {str: "text", bool: "true or false", int: "whole number", float: "number"}


def _expected(kind: Any) -> str:
    """What values of a type are called."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return f"one of {', '.join(inner)}"
    if origin in (list, dict):
        return f"a {'list' if origin is list else 'table'} of {_NAMES[inner[-1]]}s"
    if inner:
        return ", or ".join(_expected(one) for one in inner if one is not NoneType)
    return _NAMES[kind] if kind is bool else f"a {_NAMES[kind]}"


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value has a type. A whole number is a number."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value in inner
    if origin in (list, dict):
        values = value.values() if isinstance(value, dict) else value
        return isinstance(value, origin) and all(_fits(one, inner[-1]) for one in values)
    if inner:
        return any(_fits(value, one) for one in inner)
    return type(value) is kind or (kind is float and type(value) is int)
