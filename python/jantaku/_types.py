"""The types of arguments that many functions take."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ._jantaku import Agent, AgentBatch, FunctionAgent, Rules

Path: TypeAlias = str | os.PathLike[str]
AnyRules: TypeAlias = Rules | Path
AnyAgent: TypeAlias = Agent | FunctionAgent | str | Callable[[AgentBatch], Any]
Agents: TypeAlias = AnyAgent | Sequence[AnyAgent]
Opponents: TypeAlias = (
    AnyAgent | Sequence[AnyAgent] | Mapping[AnyAgent, float] | Mapping[tuple[AnyAgent, ...], float]
)
