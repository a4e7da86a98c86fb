"""Calls a function of `jantaku.ray` on a Ray cluster, as a job.

Usage: python examples/on_ray.py FUNCTION [NAME=VALUE …]

    python examples/on_ray.py match challenger=heuristic baseline=greedy sets=1000 out=/shared/match

    ray job submit --address http://HEAD:8265 --working-dir python/examples -- \
        python on_ray.py selfplay games=10_000_000 agents=heuristic out=/shared/run

Values are Python literals, such as ``1_000``, ``True`` or ``["hands"]``, and texts otherwise. A
stopped job continues when the same one is submitted again; for a league with ``resume=True``.
"""

import ast
import sys
from typing import Any

import jantaku.ray


def value_of(text: str) -> Any:
    """A literal, or else the text itself."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def show(done: int, total: int | None) -> None:
    """Prints how far the call is, for the log of the job."""
    print(f"{done:,} of {'?' if total is None else f'{total:,}'}", flush=True)


def main() -> None:
    """Reads the arguments, calls the function, and prints its result."""
    if len(sys.argv) < 2 or sys.argv[1] not in jantaku.ray.__all__:
        sys.exit(__doc__)
    given = (argument.partition("=") for argument in sys.argv[2:])
    arguments = {name: value_of(text) for name, _, text in given}
    print(getattr(jantaku.ray, sys.argv[1])(**arguments, progress=show))


if __name__ == "__main__":
    main()
