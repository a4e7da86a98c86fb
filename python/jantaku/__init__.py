"""Riichi mahjong for machine learning: the engine, environments, datasets and agents.

>>> import jantaku
>>> game = jantaku.Game("tenhou", seed=1)
>>> view = game.decisions()[0]
>>> view.legal[0]
Action('discard 1m')
"""

import numpy as _numpy  # noqa: F401 - without numpy, the compiled part could not say what is missing

from ._jantaku import (
    Action,
    Agent,
    AgentBatch,
    AgentError,
    Discard,
    DiscardChoice,
    Encoder,
    FunctionAgent,
    Game,
    Hand,
    IllegalActionError,
    LogError,
    Logs,
    Meld,
    Observation,
    Offer,
    Outcome,
    RecordedDecision,
    RecordedGame,
    Replay,
    Reply,
    Result,
    Rules,
    RulesError,
    RunError,
    Score,
    Standing,
    Win,
    __version__,
    flat_features,
    parse_log,
    read_log,
    shanten,
)
from ._vec_env import Batch, VecEnv
from .dataset import Dataset
from .pages import Page, view
from .reviews import analyse, ask, verify
from .runs import label, match, merge, selfplay, stats, sweep
from .tournaments import league, plan

__all__ = [
    "Action",
    "Agent",
    "AgentBatch",
    "AgentError",
    "Batch",
    "Dataset",
    "Discard",
    "DiscardChoice",
    "Encoder",
    "FunctionAgent",
    "Game",
    "Hand",
    "IllegalActionError",
    "LogError",
    "Logs",
    "Meld",
    "Observation",
    "Offer",
    "Outcome",
    "Page",
    "RecordedDecision",
    "RecordedGame",
    "Replay",
    "Reply",
    "Result",
    "Rules",
    "RulesError",
    "RunError",
    "Score",
    "Standing",
    "VecEnv",
    "Win",
    "__version__",
    "analyse",
    "ask",
    "flat_features",
    "label",
    "league",
    "match",
    "merge",
    "parse_log",
    "plan",
    "read_log",
    "selfplay",
    "shanten",
    "stats",
    "sweep",
    "verify",
    "view",
]
