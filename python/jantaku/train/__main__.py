"""Runs an experiment: ``python -m jantaku.train clone experiment.toml``."""

from __future__ import annotations

import argparse
import shlex
import sys
from importlib import import_module
from pathlib import Path

from .config import Clone, ConfigError, Experiment, Gate, Improve, Ppo, Screen


def _run(command: str, path: str) -> None:
    """Runs an experiment: the function with the name of the command, in the module of that name."""
    config = COMMANDS[command][0].read(path)
    getattr(import_module(f"{__package__}.{command}"), command)(config)


def _curve(folder: Path, html: Path) -> None:
    from .curve import page

    if html.exists():
        raise ConfigError(f"{html}: already exists; choose another name")
    page(folder, shlex.join(["python", "-m", "jantaku.train", *sys.argv[1:]])).save(html)


COMMANDS: dict[str, tuple[type[Experiment], str]] = {
    "clone": (Clone, "train a network to choose the actions of games"),
    "improve": (Improve, "train a network from labels by rollouts"),
    "ppo": (Ppo, "let a clone learn from its own games"),
    "gate": (Gate, "play the match of a candidate that is named beforehand"),
    "screen": (Screen, "find the strongest of several candidates; losers stop early"),
}


def main(arguments: list[str] | None = None) -> int:
    """Runs the experiment that the arguments name. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m jantaku.train", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, does) in COMMANDS.items():
        command = commands.add_parser(name, help=does)
        command.add_argument("config", help="the experiment, a TOML file")
    curve = commands.add_parser("curve", help="write the curves of a training as a page")
    curve.add_argument("folder", type=Path, help="the folder of the training, with curve.csv")
    curve.add_argument("--html", type=Path, required=True, metavar="FILE", help="the page to write")
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "curve":
            _curve(asked.folder, asked.html)
        else:
            _run(asked.command, asked.config)
    except (ConfigError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: the same command continues from the last checkpoint", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
