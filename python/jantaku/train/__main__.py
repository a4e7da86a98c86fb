"""Runs an experiment: ``python -m jantaku.train improve experiment.toml``."""

from __future__ import annotations

import argparse
import sys

from .config import ConfigError, Improve
from .improve import improve


def main(arguments: list[str] | None = None) -> int:
    """Runs the experiment that the arguments name. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m jantaku.train", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("improve", help="train a network from labels by rollouts")
    command.add_argument("config", help="the experiment, a TOML file")
    asked = parser.parse_args(arguments)
    try:
        improve(Improve.read(asked.config))
    except (ConfigError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from the last checkpoint", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
