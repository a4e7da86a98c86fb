"""Tasks of a Ray cluster."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

import ray
from ray.exceptions import RayTaskError

from ._arguments import described, number
from ._jantaku import AgentError, RunError

K = TypeVar("K")

_POLL = 1.0
"""Seconds between two looks at tasks that are not done."""

_PATIENCE = 60.0
"""Seconds that tasks may take to end after they were stopped."""


def further(resources: object) -> dict[str, Any]:
    """The argument ``resources`` of a task or actor as a dict, which is empty for None."""
    if resources is not None and not isinstance(resources, Mapping):
        expected = "options such as {'num_gpus': 1}"
        raise TypeError(f"`resources`: expected {expected}, found {described(resources)}")
    return dict(resources or {})


@dataclass(frozen=True)
class Cluster:
    """The options of tasks."""

    cpus: int
    """The processors and threads of a task."""
    retries: int = 3
    """How often Ray restarts a task whose worker or node is lost; -1 for no limit."""
    resources: dict[str, Any] = field(default_factory=dict)
    """Further options of a task, such as ``num_gpus``."""

    def __post_init__(self) -> None:
        number("cpus", self.cpus)
        number("retries", self.retries, -1)
        start_ray()

    def task(self, function: Callable[..., Any]) -> Any:
        """A task that calls this function."""
        options = {"num_cpus": self.cpus, "max_retries": self.retries, **self.resources}
        return ray.remote(function).options(**options)

    def at_once(self) -> int:
        """The number of tasks that the current nodes can run at once."""
        found: Any = ray.cluster_resources
        nodes = found()
        needs = {
            "CPU": self.resources.get("num_cpus", self.cpus),
            "GPU": self.resources.get("num_gpus", 0),
            **self.resources.get("resources", {}),
        }
        fits = [nodes.get(name, 0) / need for name, need in needs.items() if need]
        return max(1, int(min(fits, default=1)))

    def run(
        self,
        tasks: Iterator[tuple[K, Callable[[], Any]]],
        done: Callable[[K, Any], object],
        look: Callable[[], object],
    ) -> None:
        """Runs tasks, and gives the result of each to a function as soon as it is there.

        Keeps twice the cluster's capacity submitted to Ray, so that it prepares the next tasks and
        an autoscaler sees that there is more to do. If a task fails, or Ctrl-C comes, the other
        tasks are stopped.

        Parameters
        ----------
        tasks : iterator of (key, function)
            Each function starts a task and returns its reference. It is called when the task can go
            to Ray.
        done : callable
            Receives the key and the result of each task.
        look : callable
            Called whenever tasks have ended, and at least once a second.

        """
        waiting: dict[Any, K] = {}
        try:
            while True:
                free = 2 * self.at_once() - len(waiting)
                waiting.update((start(), key) for key, start in islice(tasks, max(0, free)))
                if not waiting:
                    return
                ready, _ = ray.wait(list(waiting), timeout=_POLL)
                for one in ready:
                    done(waiting.pop(one), result_of(one))
                look()
        except BaseException:
            stop(list(waiting))
            raise


def start_ray() -> None:
    """Starts Ray, unless it runs."""
    if not ray.is_initialized():
        ray.init()


def actor(kind: type, resources: object, **options: Any) -> Any:
    """A class of actors that Ray starts again when they are lost."""
    lasting = {"max_restarts": -1, "max_task_retries": -1}
    remote: Any = ray.remote(kind)
    return remote.options(**lasting, **options, **further(resources))


def end(actors: list[Any]) -> None:
    """Ends actors, and empties the list."""
    while actors:
        ray.kill(actors.pop())


def result_of(task: Any) -> Any:
    """The result of a task. An error of the package is raised without the lines of its worker."""
    try:
        return ray.get(task)
    except RayTaskError as error:
        if isinstance(error.cause, (AgentError, RunError)):
            raise error.cause from None
        raise


def stop(tasks: list[Any]) -> None:
    """Stops tasks, which end with complete parts, and waits until they have ended.

    So another call does not find their folders locked.
    """
    for task in tasks:
        ray.cancel(task)
    if tasks:
        ray.wait(tasks, num_returns=len(tasks), timeout=_PATIENCE)
