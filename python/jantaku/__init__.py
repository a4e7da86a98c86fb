"""Riichi mahjong for machine learning: the engine, environments, datasets and agents.

>>> import jantaku
>>> game = jantaku.Game("tenhou", seed=1)
>>> view = game.decisions()[0]
>>> view.legal[0]
Action('discard 1m')
"""

from types import ModuleType as _ModuleType

import numpy as _numpy  # noqa: F401 - without numpy, the compiled part could not say what is missing

from ._jantaku import (
    Action as Action,
    Agent as Agent,
    AgentBatch as AgentBatch,
    AgentError as AgentError,
    Discard as Discard,
    DiscardChoice as DiscardChoice,
    Encoder as Encoder,
    FunctionAgent as FunctionAgent,
    Game as Game,
    Hand as Hand,
    IllegalActionError as IllegalActionError,
    LogError as LogError,
    Logs as Logs,
    Meld as Meld,
    Observation as Observation,
    Offer as Offer,
    Outcome as Outcome,
    RecordedGame as RecordedGame,
    Result as Result,
    Rules as Rules,
    RulesError as RulesError,
    RunError as RunError,
    Score as Score,
    Standing as Standing,
    Win as Win,
    __version__ as __version__,
    flat_features as flat_features,
    parse_log as parse_log,
    read_log as read_log,
    shanten as shanten,
)
from ._values import RecordedDecision as RecordedDecision, Replay as Replay, Reply as Reply
from ._vec_env import Batch as Batch, VecEnv as VecEnv
from .dataset import Dataset as Dataset
from .pages import Page as Page, view as view
from .reviews import analyse as analyse, ask as ask, verify as verify
from .runs import (
    cases as cases,
    info as info,
    label as label,
    match as match,
    merge as merge,
    selfplay as selfplay,
    stats as stats,
    sweep as sweep,
)
from .tournaments import league as league, plan as plan

__all__ = ["__version__"]
__all__ += [
    name
    for name, found in globals().items()
    if not name.startswith("_") and not isinstance(found, _ModuleType)
]
