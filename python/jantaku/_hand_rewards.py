"""Rewards at the ends of hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._arguments import described

if TYPE_CHECKING:
    from ._function_encoder import Rows
    from ._jantaku import _Tables

Columns: TypeAlias = Mapping[str, NDArray[Any]]
Expectation: TypeAlias = Literal["model"] | Callable[[Columns], Any]

_DEAL = ("rounds", "honba", "sticks", "points")
"""The columns of a deal."""


class HandRewards:
    """Spreads the rewards of games over their hands.

    When a hand ends, each seat gets the change in its expected reward for the rest of the game.
    After the game that is 0, so the changes of a game sum up to minus the expectation at its start.

    Parameters
    ----------
    core : _Tables
        The tables.
    seats : list of int, optional
        The seats of the learner; all if None.
    rotate : bool
        Whether players move by one seat after each game.
    expectation : str or callable
        ``model``, or a function from columns of deals to an array (deals, players).

    """

    def __init__(
        self,
        core: _Tables,
        seats: Iterable[int] | None,
        rotate: bool,
        expectation: Expectation,
    ) -> None:
        if expectation != "model" and not callable(expectation):
            found = described(expectation)
            raise TypeError(f"`hand_reward`: expected 'model', a function or None, found {found}")
        self._core = core
        self._function = None if isinstance(expectation, str) else expectation
        self._rotates = rotate
        self._learner = np.isin(np.arange(core.players), list(range(4) if seats is None else seats))
        # What each seat expects in the hand in play, and what it was not paid yet.
        self._expected: NDArray[np.float64] = np.zeros((core.tables, core.players))
        self._owed: NDArray[np.float64] = np.zeros((core.tables, core.players))
        self.start()

    def start(self, tables: Any = slice(None)) -> None:
        """Forgets the earlier games of these tables."""
        self._store_expected(tables)
        self._owed[tables] = 0

    def _store_expected(self, tables: Any) -> None:
        """Stores what each seat expects in the hands in play at these tables."""
        deals = self._core.deals()
        self._expected[tables] = self._expect({name: deals[name][tables] for name in _DEAL})

    def _expect(self, deals: Columns) -> NDArray[np.float64]:
        """What each seat expects after these deals: (deals, players)."""
        shape = deals["points"].shape
        if self._function is None:
            return self._core.expected(deals["rounds"], deals["points"]).astype(np.float64)
        expected: NDArray[np.float64] = np.asarray(self._function(deals), np.float64)
        if expected.shape != shape or not np.isfinite(expected).all():
            raise ValueError(
                f"`hand_reward`: expected finite numbers of shape {shape} from the function, found "
                f"{'others' if expected.shape == shape else f'shape {expected.shape}'}"
            )
        return expected

    def changes(self, hands: Columns) -> NDArray[np.float64]:
        """The changes for hands that ended since the last call. Stores the new expectations."""
        tables, last = hands["tables"], hands["last"]
        after = np.zeros(hands["points"].shape)
        if not len(tables):
            return after
        if not last.all():
            after[~last] = self._expect({name: hands[f"next_{name}"][~last] for name in _DEAL})
        # Several hands of a table may end before the learner decides again: their rows follow each
        # other, in the order of play.
        before = self._expected[tables]
        again = np.flatnonzero(tables[1:] == tables[:-1]) + 1
        before[again] = after[again - 1]
        final = np.append(tables[1:] != tables[:-1], True)
        self._expected[tables[final]] = after[final]
        ended = tables[last]
        if len(ended):
            self._store_expected(ended)
        return after - before

    def pay(self, batch: Rows, hands: Columns) -> NDArray[np.float64]:
        """Adds to the rewards of a batch what its hands changed. Returns the changes."""
        changes = self.changes(hands)
        seats = np.arange(self._core.players)
        # With `rotate`, the learner's seats move by one with each game.
        moved = hands["games"][:, None] * self._rotates
        learner = self._learner[(seats - moved.astype(np.int64)) % len(seats)]
        np.add.at(self._owed, hands["tables"], np.where(learner, changes, 0))
        owed = self._owed.reshape(-1)
        ids, rewards = batch["ids"], batch["rewards"]
        total = owed[ids] + rewards
        rewards[:] = total
        # What rounding keeps back is paid with the next row of the game.
        owed[ids] = np.where(batch["due"], total - rewards, 0)
        return changes

    def state(self) -> dict[str, NDArray[np.float64]]:
        """What `load_state` needs."""
        return {"expected": self._expected.copy(), "owed": self._owed.copy()}

    def load_state(self, state: Mapping[str, NDArray[np.float64]]) -> None:
        """Continues from a state."""
        self._expected, self._owed = state["expected"].copy(), state["owed"].copy()
