"""The types of arguments that many functions take."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from ._jantaku import Agent, AgentBatch, Encoder, FunctionAgent, Rules

Path: TypeAlias = str | os.PathLike[str]
AnyRules: TypeAlias = Rules | Path
AnyAgent: TypeAlias = Agent | FunctionAgent | str | Callable[[AgentBatch], Any]
Agents: TypeAlias = AnyAgent | Sequence[AnyAgent]
AnyEncoder: TypeAlias = Encoder | Literal["planes-v1", "sparse-v1", "events-v1"]
Reward: TypeAlias = Literal["points", "placement", "result"] | Mapping[str, Any]
# The type of a dict's keys is invariant: a dict of names is not one of agents.
Opponents: TypeAlias = AnyAgent | Sequence[AnyAgent] | Mapping[Any, float]
