"""Values that the compiled module returns: `Reply`, `Replay` and `RecordedDecision`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._jantaku import Action, Observation


@dataclass(frozen=True, eq=False, repr=False)
class Reply:
    """An agent's answer with the search info behind it, which some agents do not report."""

    action: Action
    """The action."""
    value: float | None
    """The result that the agent expects for its seat, in its own unit. None if it does not report
    it."""
    probability: float | None
    """The probability with which the agent chose its action. None if it does not report it."""
    policy: NDArray[np.float32] | None
    """The probabilities of the actions: shape (165,), dtype float32, 0 for illegal actions. None if
    the agent does not report them."""
    action_values: NDArray[np.float32] | None
    """The agent's estimates of the actions, in the unit of `value`: shape (165,), dtype float32,
    NaN for actions that it did not examine. None if the agent does not report them."""

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value:.3f}"
        return f"<Reply {self.action}{value}>"


@dataclass(frozen=True, repr=False)
class RecordedDecision:
    """A decision of a recorded game: the player's observation and choice."""

    observation: Observation
    """What the player saw."""
    action: Action
    """What they chose."""
    hand: int
    """The number of the hand in the log, from 0."""

    def __iter__(self) -> Iterator[Any]:
        """Unpacks as observation and action."""
        return iter((self.observation, self.action))

    def __repr__(self) -> str:
        seat, action = self.observation.seat, self.observation.describe(self.action)
        return f"<RecordedDecision hand {self.hand}, seat {seat}: {action}>"


@dataclass(frozen=True, repr=False)
class Replay:
    """The replay of a recorded game."""

    decisions: list[RecordedDecision]
    """The decisions in order, passes included."""
    hands: int
    """Hands that were replayed."""
    differences: list[str]
    """All differences from the rules; empty for a game that replays as recorded."""

    def __repr__(self) -> str:
        decisions, differences = len(self.decisions), len(self.differences)
        return f"<Replay {self.hands} hands, {decisions} decisions, {differences} differences>"
