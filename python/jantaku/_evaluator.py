"""Networks that answer the decisions of many tasks, one for each device."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import ray
from numpy.typing import NDArray

from ._arguments import number
from ._closing import Closing
from ._cluster import actor, end, start_ray
from ._jantaku import AgentBatch, FunctionAgent


class Columns(dict[str, NDArray[Any]]):
    """The arrays of an `AgentBatch`: items, and attributes."""

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name not in self:
            raise AttributeError(f"the batch has no {name!r}; found {', '.join(self)}")
        return self[name]

    def __len__(self) -> int:
        """The number of decisions, as in `AgentBatch`."""
        return len(self["games"])

    def keys(self) -> list[str]:  # type: ignore[override]
        """The names of the arrays, as a list like that of `AgentBatch`."""
        return list(self)


def plain(answer: Any) -> Any:
    """An answer of a function with arrays instead of tensors: a task may not have their device."""
    if isinstance(answer, Mapping):
        return {name: plain(value) for name, value in answer.items()}
    if not hasattr(answer, "detach"):
        return answer
    tensor = answer.detach().cpu()
    return np.asarray(tensor.float() if tensor.is_floating_point() else tensor)


class Answering:
    """An actor that answers decisions."""

    def __init__(self, agent: FunctionAgent) -> None:
        self._function: Any = agent.function

    def answer(self, arrays: dict[str, NDArray[Any]]) -> Any:
        """What the function answers."""
        return plain(self._function(Columns(arrays)))


class Asking:
    """A function that has its decisions answered by one of several actors."""

    def __init__(self, actors: Sequence[Any]) -> None:
        self._actors = list(actors)
        self._turns: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Asking, (self._actors,)

    def __call__(self, batch: AgentBatch) -> Any:
        if self._turns is None:
            # Processes begin with different actors.
            self._turns = itertools.count(os.getpid())
        actor = self._actors[next(self._turns) % len(self._actors)]
        arrays = {name: batch[name] for name in batch.keys()}  # noqa: SIM118
        return ray.get(actor.answer.remote(arrays))


class Evaluator(Closing):
    """A network on one or several devices of a Ray cluster, which many tasks ask.

    ```python
    agent = FunctionAgent(network, name="net-3", encoder="sparse-v1", deterministic=True)
    with jantaku.ray.Evaluator(agent, resources={"num_gpus": 1}) as evaluator:
        jantaku.ray.match(evaluator.agent, "heuristic", sets=10_000, out="/shared/net-3")
    ```

    Without it, each task loads its network and needs a share of a device. Tasks wait for the
    answers while others play, so give tasks one processor. If an actor or its node is lost, Ray
    starts it again, and decisions without an answer are asked again.

    Parameters
    ----------
    agent : FunctionAgent
        A function with an encoder. It receives the arrays of the encoder as in a run on one
        machine, and travels by pickle. Load its network when it is first called.
    copies : int, default 1
        The number of actors, one for each device.
    resources : dict, optional
        The options of each actor, such as ``{"num_gpus": 1}``.

    """

    def __init__(
        self,
        agent: FunctionAgent,
        *,
        copies: int = 1,
        resources: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(agent, FunctionAgent):
            raise TypeError("`agent`: expected a FunctionAgent")
        if agent.encoder is None:
            raise ValueError("`agent`: expected a FunctionAgent with an encoder, found one without")
        number("copies", copies)
        start_ray()
        answering = actor(Answering, resources)
        # An actor that starts again needs it again: Ray forgets what nobody refers to.
        self._shared = ray.put(agent)
        self._actors = [answering.remote(self._shared) for _ in range(copies)]
        self._agent = FunctionAgent(
            Asking(self._actors),
            agent.name,
            agent.encoder,
            agent.temperature,
            agent.top_p,
            agent.tables,
            agent.deterministic,
        )

    @property
    def agent(self) -> FunctionAgent:
        """The agent that asks the actors, with the name and options of the network's."""
        return self._agent

    def close(self) -> None:
        """Ends the actors. Closing twice does nothing."""
        end(self._actors)
