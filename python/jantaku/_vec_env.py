"""Thousands of tables in one object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import inf
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ._arguments import (
    check_effect,
    described,
    flag,
    number,
    optional_number,
    optional_numbers,
    seed as checked_seed,
    several,
)
from ._closing import Closing
from ._function_encoder import Encoding, FunctionEncoder, function_encoder
from ._hand_rewards import Expectation, HandRewards
from ._jantaku import (
    Agent,
    Encoder,
    FunctionAgent,
    Observation,
    Rules,
    Standing,
    _Tables,
    flat_features,
)
from ._types import AnyAgent, AnyEncoder, AnyRules, Opponents, Reward

ACTIONS = 165
"""The number of actions."""

_SPREAD = ("placement", "result")
"""The rewards that ``hand_reward`` spreads over hands."""

if TYPE_CHECKING:
    from ._jantaku import _BatchColumns
else:
    _BatchColumns = object

_COLUMNS = {name: np.dtype(dtype) for name, dtype, _ in _Tables.columns()}


class Batch(_BatchColumns):
    """The rows of `VecEnv.recv`: the decisions that are due, and the seats of games that ended.

    Every attribute is a view of the first `rows` entries of an array that the batch owns. The next
    `recv` into the same batch overwrites them. ``batch["planes"]`` is the attribute ``planes``, and
    ``dict(batch)`` has all arrays. A batch is no mapping: ``len(batch)`` is the number of rows, and
    ``batch.keys()`` has the names. `jantaku.networks.tensors` makes tensors of torch of them.

    Attributes
    ----------
    rows, capacity : int
        The number of rows, and the maximum number.
    {columns}
    mask : numpy.ndarray
        Shape (rows, 165), bool. The legal actions; none in a row that ends a game.
    planes : numpy.ndarray
        ``planes-v1`` only: shape (rows, channels, 34), uint8.
    active, counts, scalars : numpy.ndarray
        ``sparse-v1`` only: shape (rows, most active), uint16, padded with the number of features;
        shape (rows,), uint16; shape (rows, scalars), float32.
    tokens, counts, scalars : numpy.ndarray
        ``events-v1`` only: as for ``sparse-v1``, with tokens instead of features. `Encoder.arrays`
        lists the arrays of each encoder.
    encoded : numpy.ndarray
        With a function as the encoder only: its array, or its arrays by their names. Zeros in a row
        that ends a game. Type checkers know other names only as ``batch["name"]``.
    oracle : numpy.ndarray
        With ``oracle`` only: shape (rows, 45, 34), uint8. What the seat does not see, the planes of
        `Game.oracle`, which ``Encoder("oracle-v1")`` describes; zeros in a row that ends a game.

    """

    __slots__ = ("_arrays", "_capacity", "_encoder", "_rows")
    __iter__ = __contains__ = None

    mask: NDArray[np.bool_]
    planes: NDArray[np.uint8]
    active: NDArray[np.uint16]
    tokens: NDArray[np.uint16]
    counts: NDArray[np.uint16]
    scalars: NDArray[np.float32]
    encoded: NDArray[Any]
    oracle: NDArray[np.uint8]

    def __init__(
        self,
        encoder: str | None,
        capacity: int,
        arrays: Mapping[str, Any],
        oracle: bool = False,
        function: FunctionEncoder | None = None,
    ) -> None:
        self._encoder = encoder
        self._capacity = capacity = number("rows", capacity)
        self._rows = 0
        # The shape of a row and the type of each array.
        rows: dict[str, tuple[tuple[int, ...], Any]] = {
            **{name: ((), dtype) for name, dtype in _COLUMNS.items()},
            "mask": ((ACTIONS,), np.bool_),
        }
        for one in (encoder, "oracle-v1" if oracle else None):
            for name, array in (Encoder(one).arrays if one else {}).items():
                rows[name] = array["shape"], np.dtype(array["dtype"])
        if function is not None:
            rows |= function.shapes
        unknown = [name for name in arrays if name not in rows]
        if unknown:
            raise ValueError(f"unknown array {unknown[0]!r}: expected one of {', '.join(rows)}")
        self._arrays: dict[str, NDArray[Any]] = {
            name: _array(name, arrays.get(name), (capacity, *shape), dtype)
            for name, (shape, dtype) in rows.items()
        }

    # If type checkers saw it, they would accept every name.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NDArray[Any]:
            # A batch that is being copied has no arrays yet.
            if name.startswith("_"):
                raise AttributeError(name)
            if name not in self._arrays:
                expected = ", ".join(self._arrays)
                raise AttributeError(f"this batch has no {name!r}: expected one of {expected}")
            return self._arrays[name][: self._rows]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._rows

    @property
    def capacity(self) -> int:
        """The maximum number of rows."""
        return self._capacity

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._arrays:
            raise KeyError(name)
        return self._arrays[name][: self._rows]

    def keys(self) -> list[str]:
        """The names of the arrays."""
        return list(self._arrays)

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self._arrays]

    def __len__(self) -> int:
        return self._rows

    def flat(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The active features of ``sparse-v1`` without padding: `flat_features`."""
        return flat_features(self.active, self.counts)

    def copy(self) -> dict[str, NDArray[Any]]:
        """Copies of the arrays, by name."""
        return {name: self[name].copy() for name in self.keys()}

    def __repr__(self) -> str:
        due = int(self._arrays["due"][: self._rows].sum())
        return f"<Batch of {self._rows} rows, {due} due, encoder {self._encoder}>"


def _documented(name: str, dtype: str, about: str) -> str:
    """What the docstring of `Batch` says about a column."""
    lines = [f"    {name} : numpy.ndarray", f"        Shape (rows,), {dtype}."]
    return "\n".join([*lines, *(f"       {line}" for line in about.split("\n"))])


if Batch.__doc__:
    _columns = "\n".join(_documented(*column) for column in _Tables.columns())
    Batch.__doc__ = Batch.__doc__.replace("    {columns}", _columns)


def _array(name: str, given: Any, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """The caller's array as a numpy array that shares its memory, or a new one."""
    if given is None:
        return np.zeros(shape, dtype)
    array: Any = given
    if not isinstance(given, np.ndarray):
        # Tensors of torch on the CPU share their memory this way.
        if hasattr(given, "numpy"):
            array = given.numpy()
        elif hasattr(given, "__dlpack__"):
            array = np.from_dlpack(given)
        else:
            expected = f"an array of shape {shape} and dtype {np.dtype(dtype)}"
            raise TypeError(f"`{name}`: expected {expected}, found {described(given)}")
    fits = array.shape == shape and array.dtype == dtype and array.flags.c_contiguous
    if not (fits and array.flags.writeable):
        expected = f"a contiguous, writable array of shape {shape} and dtype {np.dtype(dtype)}"
        raise ValueError(
            f"`{name}`: expected {expected}, found shape {array.shape}, dtype {array.dtype}"
        )
    result: NDArray[Any] = array
    return result


class VecEnv(Closing):
    """Thousands of tables. A learner plays some seats, agents play the others.

    ``recv`` returns the decisions that are due, with table and seat. ``send`` takes the actions:

    >>> import jantaku
    >>> with jantaku.VecEnv(64, "tenhou", encoder="planes-v1") as env:
    ...     batch = env.recv()
    ...     for _ in range(10):
    ...         env.send(env.random_actions())  # one action for each row
    ...         batch = env.recv()
    ...     print(batch.planes.shape[1:], batch.mask.shape[1:])
    (216, 34) (165,)

    Each decision is returned once and answered once. Decisions that several seats of a table make
    at the same time are returned together, and none of them depends on the answer to another. A
    table advances when all of them are answered; other tables do not wait for it. When a game ends,
    each seat of the learner gets a row that is not due (``due`` is false), with its last reward,
    and the next game starts.

    Tables count their games from 0 (``games``). The seed of a game follows from the seed of the
    environment, its table and its number, so games have different walls.
    ``python/docs/environments.md`` explains streams, ends of games, reused arrays and threads.

    With the same arguments and answers, all rows are the same for any number of threads.

    `copy.deepcopy` and `pickle` copy an environment that is ``resumable``, by its arguments and its
    `state`, unless `set_opponents` was called.

    An argument without effect beside the others is a ValueError: opponents or ``rotate`` where the
    learner plays all seats, and ``hand_reward="model"`` where only points are rewarded.

    Parameters
    ----------
    tables : int
        The number of tables.
    rules : Rules, str or os.PathLike, default "tenhou"
        The rules, for two, three or four players.
    seats : iterable of int, optional
        The seats that the learner plays, at least one, each once. By default all.
    opponents : Agent, str, FunctionAgent, callable, a sequence or a dict, optional
        Who plays the other seats: one agent for all, or one for each in order. By default
        ``greedy``. A dict is a pool, from which each game draws by the weights:
        ``{"greedy": 1, "heuristic": 3}``. A key may be a tuple of agents, one for each of these
        seats. Functions are called by ``recv``. Agents that follow whole games (``mjai``) cannot
        play here.
    rotate : bool, default False
        Whether players move by one seat after each game at a table.
    encoder : Encoder, str or callable, optional
        ``planes-v1``, ``sparse-v1`` or ``events-v1``. Without one, rows have only the mask. A
        function gets the `Observation` of each decision. It returns an array, which batches have as
        ``encoded``, or a dict of arrays, which batches have under their names. Its first call, in
        this constructor, sets their shapes and dtypes. Python calls it row by row: about 4 µs a
        row, beside its own time.
    oracle : bool, default False
        Whether rows also have what their seats do not see: hidden hands and the wall, for a critic
        that helps to train. Opponents never get it.
    reward : str or dict, default "result"
        ``points``: points won and lost in each hand, in thousands, at the end of the hand, and
        leftover riichi sticks at the end of the game. ``placement``: from 1 for first place to -1
        for last place, in equal steps, at the end of the game. ``result``: the final result with
        uma and oka, in thousands, at the end of the game. A dict has weights, and the rewards add
        up: ``{"points": 0.1, "placement": [3, 1, -1, -3], "result": 0}``.
    hand_reward : str or callable, optional
        Spreads the rewards for placement and result over the hands: at the end of each, a seat gets
        the change in their expected value. The rewards of a game then sum up to the same total
        minus the expectation at its start. ``model`` takes expected values from the placement model
        of ``heuristic``. A function gets columns of deals, as `ended_hands` has them: ``rounds``,
        ``honba`` and ``sticks`` of shape (n,), and ``points`` of shape (n, players). It returns the
        expected value of each seat, in the unit of the rewards: shape (n, players).
    start : sequence of Standing or of (Standing, float), optional
        Where games start: one of the standings, drawn by their weights. By default the start of a
        game. For games of one hand, use rules with ``hands_limit=1``.
    seed : int, default 0
        Determines all walls and all random choices of opponents: 0 to 2**63 - 1.
    threads : int, optional
        The threads that advance tables and encode. By default one for each processor.
    rows : int, optional
        The maximum number of rows of a batch. By default one for each seat of the learner, so that
        all rows have room. With less room, the next ``recv`` returns the rest.
    resumable : bool, default False
        Whether tables keep their answers, for `state` and `load_state`.

    """

    HAND_ENDS: ClassVar[tuple[str, ...]] = tuple(_Tables.hand_ends())
    """How hands end, by their numbers in the column ``kinds`` of `ended_hands`."""

    def __init__(
        self,
        tables: int,
        rules: AnyRules = "tenhou",
        *,
        seats: Iterable[int] | None = None,
        opponents: Opponents | None = None,
        rotate: bool = False,
        encoder: AnyEncoder | Encoding | None = None,
        oracle: bool = False,
        reward: Reward = "result",
        hand_reward: Expectation | None = None,
        start: Sequence[Standing | tuple[Standing, float]] | None = None,
        seed: int = 0,
        threads: int | None = None,
        rows: int | None = None,
        resumable: bool = False,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        start = None if start is None else _weighted(start)
        self._seed = checked_seed(seed)
        seats = optional_numbers("seats", seats, 0, 3)
        taken = [*_COLUMNS, "mask", "oracle", *dir(Batch)]
        self._function = function_encoder(encoder, rules, taken)
        self._core = _Tables(
            number("tables", tables),
            rules,
            seats,
            _pool("greedy" if opponents is None else opponents),
            rotate=flag("rotate", rotate),
            encoder=None if self._function else encoder,  # type: ignore[arg-type]
            reward=dict(reward) if isinstance(reward, Mapping) else reward,
            start=start,
            seed=self._seed,
            threads=optional_number("threads", threads) or 0,
            resumable=flag("resumable", resumable),
        )
        # The arguments that make the same environment again; None after `set_opponents` or `close`.
        self._arguments: dict[str, Any] | None = {
            **given,
            "rules": Rules(rules),
            "seats": seats,
            "start": start,
        }
        self._plays_all = seats is None or len(seats) == self.players
        if opponents is not None or rotate:
            self._check_others("rotate" if opponents is None else "opponents")
        weights: Mapping[str, Any] = {reward: 1.0} if isinstance(reward, str) else reward
        is_spread = any(np.any(weights.get(name, 0)) for name in _SPREAD)
        why = f"`reward` has no {' and no '.join(_SPREAD)}"
        check_effect("hand_reward", hand_reward != "model" or is_spread, why)
        self._capacity = self._core.most_rows if rows is None else number("rows", rows)
        self._oracle = flag("oracle", oracle)
        self._hand_rewards = (
            None if hand_reward is None else HandRewards(self._core, seats, rotate, hand_reward)
        )
        self._hands: dict[str, NDArray[Any]] | None = None
        self._last: Batch | None = None

    def _check_others(self, name: str) -> None:
        """Checks that the learner does not play all seats, so that an argument has an effect."""
        why = "the learner plays all seats; name its own in `seats`, such as seats=[0]"
        check_effect(name, not self._plays_all, why)

    def __reduce__(self) -> tuple[Any, ...]:
        state = self.state()
        if self._arguments is None:
            raise TypeError(
                "an environment whose opponents were set later cannot be copied: make a new one, "
                "call `set_opponents`, then `load_state`"
            )
        return _resumed, (type(self), self._arguments, state)

    @cached_property
    def _batch(self) -> Batch:
        """The environment's own batch."""
        return self.batch()

    def batch(self, rows: int | None = None, **arrays: Any) -> Batch:
        """Memory for rows, for ``recv(out=...)``.

        Parameters
        ----------
        rows : int, optional
            The maximum number of rows. By default the environment's.
        **arrays
            Arrays of your own by the names of `Batch`'s attributes, such as ``planes``: numpy
            arrays or tensors of torch on the CPU (also pinned ones), of the shape and dtype that
            `Batch` describes with ``rows`` as its first axis. The others are created.

        """
        capacity = self._capacity if rows is None else rows
        return Batch(self._core.encoder, capacity, arrays, self._oracle, self._function)

    def recv(self, out: Batch | None = None) -> Batch:
        """The rows that are ready, at least one, in the order of tables and seats.

        Without room for all rows, the next call begins with the first one that is left.

        No ID comes twice in a batch, so ``total[batch.ids] += batch.rewards`` adds up all rewards:
        after the rows that end a game, the next game's decisions come in a later batch.

        Advances the tables whose decisions are all answered, without the GIL.

        Parameters
        ----------
        out : Batch, optional
            A batch of `VecEnv.batch`. By default the environment's own, which every ``recv``
            overwrites.

        Raises
        ------
        RuntimeError
            If nothing is ready: all decisions were returned and wait for their actions. Also if the
            environment is closed, or was made before a fork.
        AgentError
            If an opponent fails. Nothing is returned, and a later ``recv`` tries again.
        Exception
            If a function as the encoder fails. A ValueError if its arrays have other names, shapes
            or dtypes than in its first call. The rows are lost: `reset` restarts all games.

        """
        if out is not None and not isinstance(out, Batch):
            raise TypeError(f"`out`: expected a batch of `VecEnv.batch`, found {described(out)}")
        out = self._batch if out is None else out
        if out._encoder != self._core.encoder:
            expected, found = self._core.encoder, out._encoder
            raise ValueError(f"`out`: expected a batch with encoder {expected}, found {found}")
        try:
            out._rows = self._core.recv(out._arrays)
            self._encode(out)
        except Exception:
            # Some rows may be overwritten, whatever a function of the caller has raised.
            if not self.closed:
                out._rows = 0
            raise
        self._last, self._hands = out, None
        if self._hand_rewards is not None:
            self._hands = self._core.ended_hands()
            self._hands["rewards"] += self._hand_rewards.pay(out, self._hands)
        return out

    def _encode(self, batch: Batch) -> None:
        """Fills the arrays of an encoder that is a function. Does nothing for other encoders."""
        if self._function is None:
            return
        for name in self._function.shapes:
            batch[name][~batch.due] = 0
        rows = np.flatnonzero(batch.due)
        seats = zip(batch.tables[rows].tolist(), batch.seats[rows].tolist(), strict=True)
        self._function.fill(batch, rows, (self._core.observation(*seat) for seat in seats))

    def ended_hands(self) -> dict[str, NDArray[Any]]:
        """The hands that ended between the last two calls of ``recv``, in the order of tables.

        If the dealer may end the game after a hand, the hand is listed only after that decision.

        Returns
        -------
        dict of numpy.ndarray
            One row for each of m hands:

            ``tables``, ``games``, ``hands``
                (m,), int32. The table, the number of the game at the table and that of the hand in
                the game, all from 0.
            ``opponents``
                (m,), int32. The opponents of the game, as `set_opponents` numbers them.
            ``rounds``, ``honba``, ``sticks``
                (m,), int32. The deal of the hand: its number, which goes up when the deal passes
                (0 is East 1, 4 South 1), honba, and riichi sticks on the table.
            ``points``
                (m, players), int32. The points of each seat at the deal.
            ``kinds``
                (m,), uint8. How the hand ended, an index of `HAND_ENDS`.
            ``last``
                (m,), bool. Whether the game ended with it.
            ``next_rounds``, ``next_honba``, ``next_sticks``
                (m,), int32. The deal of the next hand; 0 if there is none.
            ``next_points``
                (m, players), int32. The points after the hand; at the end of the game with the
                leftover riichi sticks.
            ``placements``, ``results``
                (m, players), int32. At the end of the game the placements, from 1, and the results
                with uma and oka in points; 0 before.
            ``rewards``
                (m, players), float32. The reward of each seat for the hand, with ``hand_reward`` if
                it is asked for. Over a game, they sum up to the rewards in the seat's rows.

        """
        if self._hands is None:
            self._hands = self._core.ended_hands()
        return dict(self._hands)

    def set_opponents(self, opponents: Opponents) -> range:
        """Lets each game that starts from now on have these opponents.

        Games in play keep theirs. Which of a pool play a game follows from the seed of the game.

        Parameters
        ----------
        opponents : Agent, str, FunctionAgent, callable, a sequence or a dict
            As for `VecEnv`.

        Returns
        -------
        range
            The numbers of the opponents in order, as in the columns ``opponents``. They continue
            those of earlier calls; the first opponents have the numbers from 0.

        """
        self._check_others("opponents")
        numbers = range(*self._core.set_opponents(_pool(opponents)))
        self._arguments = None
        return numbers

    def state(self) -> dict[str, Any]:
        """The state, for `load_state`: a dict that can be pickled.

        It has the answers of all games in play, but no opponents. The environment must be made with
        ``resumable``; otherwise this is a RuntimeError.
        """
        hand_rewards: dict[str, Any] | None = None
        if self._hand_rewards is not None:
            hand_rewards = {**self._hand_rewards.state()}
            if self._last is not None and self._hands is not None:
                hand_rewards["rows"] = self._last.rewards.copy()
                hand_rewards["hands"] = self._hands["rewards"].copy()
        return {"seed": self._seed, "tables": self._core.state(), "hand_rewards": hand_rewards}

    def load_state(self, state: Mapping[str, Any]) -> Batch:
        """Continues from a state. Subsequent batches are identical.

        The environment must have the same arguments, except for ``seed``, ``threads``, ``encoder``
        and ``oracle``, and have had the same calls of `set_opponents`. Opponents are compared by
        their names.

        Parameters
        ----------
        state : dict
            Of `state`, also from another process.

        Returns
        -------
        Batch
            The rows of the last ``recv`` before the state, also those that still wait for actions;
            empty if there was none.

        Raises
        ------
        ValueError
            If the state does not fit this environment, which then stays as it was.

        """
        if not isinstance(state, Mapping) or not {"seed", "tables", "hand_rewards"} <= state.keys():
            raise ValueError(f"expected a state of `VecEnv.state`, found {described(state)}")
        rewards = state["hand_rewards"]
        if (rewards is None) != (self._hand_rewards is None):
            raise ValueError("the state is not one of this environment: `hand_reward` differs")
        out = self._batch
        out._rows = self._core.load_state(state["tables"], out._arrays)
        self._encode(out)
        self._seed, self._last, self._hands = state["seed"], out, None
        if self._hand_rewards is not None:
            self._hand_rewards.load_state(rewards)
            if "rows" in rewards:
                self._hands = self._core.ended_hands()
                out.rewards[:], self._hands["rewards"][:] = rewards["rows"], rewards["hands"]
        return out

    def send(self, actions: Any, ids: Any = None) -> None:
        """Answers decisions. If one action is wrong, none is taken.

        Under rules with a referee (``enforce="Referee"``) an illegal action is not an error but a
        foul, which the rules punish.

        Parameters
        ----------
        actions : array_like of int
            The numbers of the actions. Without ``ids``, one for each row of the last ``recv``, in
            order; those of rows that are not due are ignored.
        ids : array_like of int, optional
            The IDs of the decisions, in any order. Until the next ``recv``, the actions of rows
            that are not due are ignored here, too.

        Raises
        ------
        IllegalActionError
            If an action is not legal.
        ValueError
            If there are not as many actions as rows or IDs, a number is not an action, or a
            decision does not wait for one.
        TypeError
            If the actions or IDs are not integers.

        """
        self._core.send(_native(actions), None if ids is None else _native(ids))

    def step(self, actions: Any, ids: Any = None) -> Batch:
        """``send``, then ``recv``."""
        self.send(actions, ids)
        return self.recv()

    def reset(self, seed: int | None = None, tables: Iterable[int] | None = None) -> Batch:
        """Restarts games. Returns the first rows, as `recv` does.

        Parameters
        ----------
        seed : int, optional
            The seed of all games, by default the same as before.
        tables : iterable of int, optional
            Gives up the games in play at these tables, whose next games start. Their decisions are
            void. The other tables play on. By default all tables start again with their first game.

        """
        some = optional_numbers("tables", tables, 0, self.tables - 1)
        if some is None:
            seed = self._seed if seed is None else checked_seed(seed)
            self._core.reset(seed)
            self._seed = seed
        elif not some:
            raise ValueError("`tables`: expected at least one, found none")
        elif seed is not None:
            raise ValueError("`seed`: expected None with `tables`: it restarts all tables")
        else:
            self._core.restart(np.isin(np.arange(self.tables), some).tolist())
        if self._hand_rewards is not None:
            self._hand_rewards.start(slice(None) if some is None else some)
        return self.recv()

    def random_actions(self) -> NDArray[np.uint8]:
        """A random legal action for each row of the last ``recv``; 0 for rows that are not due.

        Uniform, and deterministic from the seed. Shape (rows,), dtype uint8.
        """
        return self._core.random_actions()

    def observation(self, table: int, seat: int) -> Observation:
        """What a seat sees now. It is the same whether or not other seats have answered."""
        table = number("table", table, 0, self.tables - 1)
        return self._core.observation(table, number("seat", seat, 0, self.players - 1))

    def seeds(self) -> NDArray[np.uint64]:
        """The seed of the game in play at each table: ``Game(rules, seed)`` has the same walls."""
        return self._core.seeds()

    @property
    def tables(self) -> int:
        """The number of tables."""
        return self._core.tables

    @property
    def players(self) -> int:
        """The number of players at a table."""
        return self._core.players

    @property
    def threads(self) -> int:
        """The number of threads that advance tables."""
        return self._core.threads

    @property
    def outstanding(self) -> int:
        """The number of decisions that were returned and wait for their actions."""
        return self._core.outstanding

    @property
    def closed(self) -> bool:
        """Whether the environment was closed."""
        return self._core.closed

    def close(self) -> None:
        """Ends the threads. Closing twice does nothing."""
        self._core.close()
        self._function = self._arguments = None

    def __repr__(self) -> str:
        if self.closed:
            return "<VecEnv, closed>"
        encoder = self._function.name if self._function else self._core.encoder
        return f"<VecEnv of {self.tables} tables, {self.players} players, encoder {encoder}>"


def _resumed(kind: type[VecEnv], arguments: dict[str, Any], state: dict[str, Any]) -> VecEnv:
    """A copied or unpickled environment, in the state of the original."""
    env = kind(**arguments)
    env.load_state(state)
    return env


def _weighted(start: Any) -> list[tuple[Standing, float]]:
    """The standings with their weights."""
    found = []
    for one in several("start", start, "Standing, or of (Standing, weight)"):
        match one:
            case Standing():
                found.append((one, 1.0))
            case (Standing() as standing, Real() as weight):
                found.append((standing, float(weight)))
            case _:
                expected = "a Standing, alone or with its weight"
                raise TypeError(f"`start`: expected {expected}, found {described(one)}")
    return found


def _pool(opponents: Opponents) -> list[tuple[list[AnyAgent], float]]:
    """The opponents that a game may have, with their weights."""
    if not isinstance(opponents, Mapping):
        return [(_opponents(opponents), 1.0)]
    if not opponents:
        raise ValueError("`opponents`: expected at least one in the pool, found none")
    for weight in opponents.values():
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 < weight < inf:
            found = described(weight)
            raise ValueError(f"`opponents`: expected a positive number as a weight, found {found}")
    return [(_opponents(one), float(weight)) for one, weight in opponents.items()]


def _opponents(opponents: Any) -> list[AnyAgent]:
    """One opponent for all seats, or one for each."""
    if isinstance(opponents, (str, Agent, FunctionAgent)) or callable(opponents):
        return [opponents]
    return several("opponents", opponents, "agents")


def _native(numbers: Any) -> NDArray[Any]:
    """The numbers as an array in native byte order, whose type the core checks.

    An empty list, which NumPy takes for floats, gets a type of integers.
    """
    array: NDArray[Any] = np.asarray(numbers)
    if array.size == 0:
        return array.astype(np.uint8)
    # Integers may have the order of bytes of another machine.
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
