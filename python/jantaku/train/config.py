"""Settings of an experiment, from a TOML file, and what the runs of its labels say."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._jantaku import Agent, Rules

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib


class ConfigError(ValueError):
    """A setting is unknown, missing or has a wrong value."""


@dataclass(frozen=True)
class Improve:
    """The settings of ``improve``. Paths are relative to the folder of the command."""

    labels: list[str]
    """Runs with labels (``jantaku selfplay --labels``)."""
    out: str
    """Folder of the checkpoint, the curve and the network."""
    base: str | None = None
    """The agent whose estimates the labels have; by default the one that the runs state."""
    rules: str | None = None
    """The rules of the runs: a preset or a rule file; by default those that the runs state. Runs of
    recorded games state none: there ``tenhou``."""
    hidden: list[int] = field(default_factory=lambda: [128, 64])
    """Widths of the layers, first that of the embedding."""
    epochs: int = 2
    """How often the labels are read."""
    batch: int = 2048
    """Decisions of a batch."""
    rate: float = 3e-3
    """The highest learning rate. It rises over 50 batches and falls to 0 along a cosine."""
    decay: float = 0.01
    """Weight decay of AdamW."""
    folds: int = 5
    """Folds of the games. Each is held out once, to fit ``shrink`` and ``least``. 0 for none: the
    network is trained on all games alone, and keeps the factor 1."""
    tested: int = 5
    """The number of folds that are held out."""
    seed: int = 0
    """Seed of the first weights and of the order of the decisions."""
    threads: int = 0
    """Threads of torch; 0 for one for each processor."""
    shares: dict[str, float] = field(default_factory=dict)
    """The share of decisions of each kind that the runs label; by default what the runs state. It
    weighs the gain in points."""

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Improve:
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
        return Improve.of(table, str(path))

    @staticmethod
    def of(table: dict[str, Any], place: str = "settings") -> Improve:
        """The settings in a table."""
        fields = {one.name: one for one in dataclasses.fields(Improve)}
        hints = {name: str(one.type) for name, one in fields.items()}
        for name, value in table.items():
            if name not in fields:
                expected = ", ".join(fields)
                raise ConfigError(f"{place}: {name}: unknown, expected one of {expected}")
            table[name] = _checked(f"{place}: {name}", value, hints[name])
        for name, one in fields.items():
            has_default = (
                one.default is not dataclasses.MISSING
                or one.default_factory is not dataclasses.MISSING
            )
            if name not in table and not has_default:
                raise ConfigError(f"{place}: {name}: missing, expected {_TYPES[hints[name]][0]}")
        found = Improve(**table)
        for name, least in [
            ("epochs", 1),
            ("batch", 1),
            ("folds", 0),
            ("tested", 0),
            ("threads", 0),
        ]:
            if getattr(found, name) < least:
                raise ConfigError(f"{place}: {name}: expected at least {least}")
        if not found.hidden or min(found.hidden) < 1:
            raise ConfigError(f"{place}: hidden: expected widths of at least one layer")
        if not found.labels:
            raise ConfigError(f"{place}: labels: expected at least one run")
        return found


@dataclass(frozen=True)
class Labels:
    """How the decisions of the runs were labelled."""

    base: str
    """The agent whose estimates the labels have, with its version."""
    rules: Rules
    """The rules of the games."""
    shares: dict[str, float]
    """The share of decisions of each kind that is labelled."""

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
        base = _only(config, "base", [_with_version(table["labels"]["base"]) for table in tables])
        shares = _only(config, "shares", [table["labels"]["shares"] for table in tables])
        # Recorded games have rules of their own.
        stated = [Rules(**table["rules"]) for table in tables if not table["from_logs"]]
        asked = None if config.rules is None else Rules(config.rules)
        rules = _only(config, "rules", stated) if stated else asked or Rules()
        if config.base is not None and _with_version(config.base) != base:
            raise _contradiction("base", base, config.base)
        if asked not in (None, rules):
            raise _contradiction("rules", repr(rules), config.rules)
        for kind, share in config.shares.items():
            if kind not in shares:
                raise ConfigError(f"shares.{kind}: unknown, expected one of {', '.join(shares)}")
            if shares[kind] != share:
                raise _contradiction(f"shares.{kind}", shares[kind], share)
        return Labels(base=base, rules=rules, shares=shares)


def _table_of(run: str) -> dict[str, Any]:
    """The contents of ``run.toml`` of a run with labels."""
    path = Path(run) / "run.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    if "labels" not in table:
        raise ConfigError(f"{path}: the run has no labels; `jantaku label` adds them")
    return table


def _only(config: Improve, name: str, found: list[Any]) -> Any:
    """What all runs have."""
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
    """The agent with its version, which an agent's name leaves out if it is the usual one."""
    name = Agent(base).name
    if "version=" in name:
        return name
    start = f"{name}{',' if ':' in name else ':'}version="
    version = 1
    while Agent(f"{start}{version}").name != name:
        version += 1
    return f"{start}{version}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("a text", _is_text),
    "str | None": ("a text", _is_text),
    "int": ("a whole number", _is_whole),
    "float": ("a number", _is_number),
    "list[str]": ("a list of texts", lambda v: isinstance(v, list) and all(map(_is_text, v))),
    "list[int]": (
        "a list of whole numbers",
        lambda v: isinstance(v, list) and all(map(_is_whole, v)),
    ),
    "dict[str, float]": (
        "a table of numbers",
        lambda v: isinstance(v, dict) and all(map(_is_number, v.values())),
    ),
}
"""What a setting of each type is called, and which values it takes."""


def _checked(place: str, value: Any, hint: str) -> Any:
    """A value of the type of its field."""
    expected, is_right = _TYPES[hint]
    if not is_right(value):
        raise ConfigError(f"{place}: expected {expected}, found {value!r}")
    return value
