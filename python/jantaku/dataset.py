"""Decisions of stored and recorded games, encoded batch by batch."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypedDict, cast, get_args

from ._arguments import (
    check_effect,
    described,
    number,
    optional_number,
    optional_numbers,
    optional_texts,
    seed as checked_seed,
    several,
)
from ._function_encoder import Encoding, FunctionEncoder
from ._jantaku import Rules, _encoder, _Loader, flat_features
from ._types import AnyEncoder, AnyRules, Path

if TYPE_CHECKING:
    from torch.utils.data import IterableDataset

_Position: TypeAlias = tuple[int, int, int, int, int]

Kind: TypeAlias = Literal["turn", "claim", "kan-claim", "draw", "end"]

_STATE = ("loader", "epoch", "part", "game", "given")
"""The entries of a state: the numbers of a position, in the order of `_Loader`."""

_WINDOW = 4096
"""The games that are shuffled together by default."""

_BUFFER = 65_536
"""The decisions of the buffer for ``shuffle=True``."""


class Columns(TypedDict, total=False):
    """The columns of a batch of `Dataset`: arrays, or tensors of torch."""

    planes: Any
    active: Any
    counts: Any
    tokens: Any
    scalars: Any
    encoded: Any
    indices: Any
    offsets: Any
    mask: Any
    action: Any
    runs: Any
    games: Any
    hands: Any
    decisions: Any
    players: Any
    seats: Any
    kinds: Any
    hand_deltas: Any
    points: Any
    placements: Any
    results: Any
    value: Any
    probability: Any
    policy: Any
    action_values: Any
    action_errors: Any
    concealed: Any
    oracle: Any
    label_kind: Any
    deals: Any
    candidate_counts: Any
    candidate: Any
    gap: Any
    value_sum: Any
    value_squares: Any
    difference_sum: Any
    difference_squares: Any
    candidate_active: Any
    candidate_active_counts: Any
    candidate_scalars: Any


class Dataset:
    """The decisions of runs and logs, encoded batch by batch.

    Each iteration is one epoch: ``iter`` begins the next one, also after a loop that was left with
    ``break``. Only `load_state_dict` continues an epoch. Threads replay and encode ahead, without
    the GIL:

    >>> import jantaku, tempfile
    >>> data = jantaku.Dataset("runs/greedy", encoder="planes-v1", shuffle=True)  # doctest: +SKIP
    >>> for batch in data:  # doctest: +SKIP
    ...     logits = network(batch["planes"])

    A batch is a dict of arrays with one row for each decision. They belong to the caller. Type
    checkers know the columns (`jantaku.dataset.Columns`).

    ``planes``
        ``planes-v1`` only: (n, channels, 34), uint8.
    ``active``, ``counts``, ``scalars``
        ``sparse-v1`` only: (n, most active), uint16, padded with the number of features; (n,),
        uint16; (n, scalars), float32.
    ``tokens``, ``counts``, ``scalars``
        ``events-v1`` only: as for ``sparse-v1``, with tokens instead of features. `Encoder.arrays`
        lists the arrays of each encoder.
    ``encoded``
        With a function as the encoder: its array, or its arrays by their names.
    ``indices``, ``offsets``
        With ``flat``, instead of ``active`` and ``counts``: the same features without padding, as
        ``torch.nn.EmbeddingBag`` reads them. (sum of counts,), int64; (n,), int64, where each row
        begins.
    ``mask``
        (n, 165), bool. The legal actions.
    ``action``
        (n,), uint8. The action that was chosen. (Logs leave out claims that another claim
        outranked; they look like passes.)
    ``runs``
        (n,), int32. The run or file of logs, an index of `runs`.
    ``games``, ``hands``, ``decisions``
        (n,), int64, int32, int32. The number of the game in its run or file, of the hand in the
        game, and of the decision in the game, as in the tables of the run.
    ``players``, ``seats``, ``kinds``
        (n,), uint8. The number of players of the game, the seat that decided, and the kind of
        decision, an index of `Dataset.KINDS`.
    ``hand_deltas``
        (n,), int32. The points that the seat won or lost in the hand.
    ``points``, ``placements``, ``results``
        (n,), int32, uint8, int32. At the end of the game: the seat's points, its placement from 1,
        and its result with uma and oka in points. 0 where a log stops before the end.
    ``value``, ``probability``
        With ``search_info``: (n,), float32. What the agent reported: the result that it expected,
        and the probability with which it chose the action. NaN where it reported nothing, as in
        logs.
    ``policy``, ``action_values``, ``action_errors``
        With ``search_info``: (n, 165), float32. The probability of each action, its expected
        value, and the standard error of this value. The probability of an illegal action is 0; the
        others are NaN for actions that the agent did not examine. NaN where it reported nothing.
    ``concealed``
        With ``concealed``: (n, 4, 37), uint8. How many of each tile each seat conceals, without the
        tile just drawn: the table ``oracle`` of a run. Seats have the numbers of ``seats``, and
        tiles those of the actions that discard them, 34 to 36 for red fives. It is there for every
        run and log, also without that table, because it follows from the game.
    ``oracle``
        With ``oracle``: (n, 45, 34), uint8. What the seat does not see, for critics: the planes of
        `Game.oracle`. They follow from the game; only the tiles of the wall that a log does not
        reveal come in an arbitrary order.
    ``label_kind``, ``deals``, ``candidate_counts``
        With ``labels``: (n,), uint8, int32, int32. What the candidates differ in (kan, abort,
        riichi, call, danger, discard), the number of deals, and the number of candidates.
    ``candidate``, ``gap``, ``value_sum``, ``value_squares``
        With ``labels``: (c,), uint8, then float32: those of the table ``labels``, for the c
        candidates of all decisions in order. ``gap`` is NaN where the base decides by rule.
    ``difference_sum``, ``difference_squares``
        With ``labels``: (c,), float32. The sums over the deals of each candidate's difference to
        the first, and of its square.
    ``candidate_active``, ``candidate_active_counts``, ``candidate_scalars``
        With ``labels``: (f,), uint16; (c,), uint16; (c, scalars), float32. Each candidate as
        networks for the agent ``residual`` read it: the active features of the first, then of the
        second and so on, how many each has, and the scalars.

    Parameters
    ----------
    runs : str, os.PathLike, or an iterable of them
        Folders of runs, files of logs (all that `read_log` reads), folders of them, and URLs of
        runs in object stores, such as ``s3://bucket/run``.
    encoder : Encoder, str, callable or None, default "planes-v1"
        ``planes-v1``, ``sparse-v1``, ``events-v1``, or None for masks and labels alone. A function
        gets the `Observation` of each decision, as for `VecEnv`, but when its batch is taken.
    batch : int, default 1024
        The decisions of a batch. The last batch of an epoch may have fewer.
    shuffle : bool or int, default False
        False keeps the order of runs, games and decisions. True shuffles: the parts of all runs in
        random order, ``window`` games of several parts in random order, and their decisions through
        a buffer of 65,536, or as many as the number says. A decision takes about 1 KB in it. Each
        batch draws from about one game for each 550 decisions of the buffer.
    window : int, default 4096
        The number of games that are shuffled together, with ``shuffle``.
    seed : int, default 0
        Determines, with the number of the epoch, the order and the augmentation.
    seats, agents, placements, kinds : iterable, optional
        Which decisions: of these seats; of these agents, by name, or of players of logs; of players
        who finish in these places, from 1; of these `Dataset.KINDS`. An agent that plays in none of
        the games is an error: with the first batch for runs, after a whole epoch for logs.
    mixed : bool, default False
        Whether runs of different rules, and games of different numbers of players, are loaded
        together. Otherwise they are an error. Rules of logs may differ if the numbers of players
        are the same: each log states its own.
    search_info : bool, default False
        Whether batches have what agents reported.
    concealed : bool, default False
        Whether batches have the concealed tiles of all seats, for critics.
    oracle : bool, default False
        Whether batches have what the seats do not see, for critics. A decision then takes 1.5 KB
        more in the shuffle buffer.
    labels : bool, default False
        Whether only decisions with labels by rollouts are loaded, and batches have these. All runs
        must have labels.
    flat : bool, default False
        Whether the features of ``sparse-v1`` come without padding: `flat_features`.
    augment : bool, default False
        Whether the suits of each decision are permuted at random, where the rules treat them
        equally. Mask and action are permuted too.
    rank, ranks : int, default 0 and 1
        The share of the games for distributed training: ranks load disjoint games, and together all
        of them. Shares differ in size by some games, so ranks may have different numbers of
        batches.
    workers : int, optional
        The threads that replay and encode. By default one for each processor.
    prefetch : int, default 2
        The number of batches to prefetch.
    drop_last : bool, default False
        Whether a last batch with fewer decisions is left out.
    skip_damaged : bool, default False
        Whether logs that cannot be read or replayed are left out; ``skipped`` counts them.
        Otherwise they raise `LogError`.
    rules : Rules, str or os.PathLike, optional
        The rules of all logs. By default those that a log states, or the rules of Tenhou that fit
        it.
    tensors : str, default "numpy"
        ``numpy`` or ``torch``. Tensors of torch share the memory of the arrays, except that uint16
        becomes int32: torch has few functions for unsigned integers above 8 bits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not valid.
    FileNotFoundError
        If a run or log does not exist. Other faults of runs and logs raise an error at the first
        batch, or at the batch with the damaged game.

    """

    KINDS: ClassVar[tuple[Kind, ...]] = get_args(Kind)
    """The kinds of decisions by their numbers in the column ``kinds``."""

    skipped: int
    """The logs that this iteration has left out, with ``skip_damaged``."""

    def __init__(
        self,
        runs: Path | Iterable[Path],
        *,
        encoder: AnyEncoder | Encoding | None = "planes-v1",
        batch: int = 1024,
        shuffle: bool | int = False,
        window: int = _WINDOW,
        seed: int = 0,
        seats: Iterable[int] | None = None,
        agents: Iterable[str] | None = None,
        placements: Iterable[int] | None = None,
        kinds: Iterable[Kind] | None = None,
        mixed: bool = False,
        search_info: bool = False,
        concealed: bool = False,
        oracle: bool = False,
        labels: bool = False,
        flat: bool = False,
        augment: bool = False,
        rank: int = 0,
        ranks: int = 1,
        workers: int | None = None,
        prefetch: int = 2,
        drop_last: bool = False,
        skip_damaged: bool = False,
        rules: AnyRules | None = None,
        tensors: Literal["numpy", "torch"] = "numpy",
    ) -> None:
        if isinstance(runs, (str, os.PathLike)):
            runs = [runs]
        paths = several("runs", runs, "runs and logs")
        if tensors not in ("numpy", "torch"):
            raise ValueError(f"`tensors`: expected numpy or torch, found {described(tensors)}")
        if isinstance(shuffle, bool):
            shuffle = _BUFFER if shuffle else 0
        buffer = number("shuffle", shuffle, 0)
        self._tensors = tensors
        self._flat = bool(flat)
        chosen = {
            "seats": optional_numbers("seats", seats, 0, 3),
            "agents": optional_texts("agents", agents, "greedy"),
            "placements": optional_numbers("placements", placements, 1, 4),
            "kinds": _kinds(kinds),
        }
        for name, values in chosen.items():
            if values == []:
                raise ValueError(f"`{name}`: expected at least one, found none")
        self._function = encoder if callable(encoder) else None
        self._encoder = None if encoder is None or callable(encoder) else _encoder(encoder)
        self._arguments: dict[str, Any] = chosen | {
            "batch": number("batch", batch),
            "drop_last": drop_last,
            "buffer": buffer,
            "window": number("window", window),
            "seed": checked_seed(seed),
            "mixed": bool(mixed),
            "observations": self._function is not None,
            "search_info": bool(search_info),
            "concealed": bool(concealed),
            "oracle": bool(oracle),
            "labels": bool(labels),
            "augment": augment,
            "rank": number("rank", rank, 0),
            "ranks": number("ranks", ranks),
            "workers": optional_number("workers", workers) or 0,
            "ahead": number("prefetch", prefetch, 0),
            "skip_damaged": skip_damaged,
        }
        check_effect("window", window == _WINDOW or buffer > 0, "`shuffle` is False")
        why = "`shuffle` and `augment` are False"
        check_effect("seed", seed == 0 or buffer > 0 or augment, why)
        self._rules = rules if rules is None or isinstance(rules, Rules) else _rules(rules)
        if self._flat and (self._encoder is None or "active" not in self._encoder.arrays):
            raise ValueError("`flat`: expected an encoder with features, such as sparse-v1")
        self._paths = [os.fspath(path) for path in paths]
        _check_exist(self._paths)
        self._position: _Position = (0, 0, 0, 0, 0)
        # Where the next iteration begins. None: with the epoch after that of `_position`.
        self._start: _Position | None = self._position
        self.skipped = 0

    @property
    def runs(self) -> list[str]:
        """The runs and files of logs in order: the column ``runs`` has their indices."""
        return _Loader.sources(self._paths)

    @property
    def epoch(self) -> int:
        """The number of the epoch in progress, or of the next one after the end of an epoch."""
        return self._position[1]

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration load this epoch from its beginning."""
        self._position = self._start = (0, number("epoch", epoch, 0), 0, 0, 0)

    def state_dict(self) -> dict[str, int]:
        """Where the dataset stands after the latest batch, as numbers that JSON can store."""
        return dict(zip(_STATE, self._position, strict=True))

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Makes the next iteration continue exactly after a state.

        The dataset must have the same games and arguments, except for ``encoder``, ``batch``,
        ``mixed``, ``search_info``, ``concealed``, ``oracle``, ``flat``, ``workers``, ``prefetch``
        and ``tensors``. The loader replays up to one window of games to find the place.

        Raises
        ------
        TypeError, ValueError
            If the state is not a result of `state_dict`. The dataset stays as it was. A state of
            other games or arguments, or beyond the games, is an error of the first batch.

        """
        if not isinstance(state, Mapping) or set(state) != set(_STATE):
            is_dict = isinstance(state, Mapping) and state
            keys = f"the keys {', '.join(map(str, state))}" if is_dict else ""
            raise ValueError(
                f"`state`: expected a dict of {', '.join(_STATE)}, as `state_dict` gives it, "
                f"found {keys or described(state)}"
            )
        loader, epoch, part, game, given = (
            number(f"state[{name!r}]", state[name], 0, 2**64 - 1) for name in _STATE
        )
        self._position = self._start = (loader, epoch, part, game, given)

    def _begin(self) -> _Position:
        """Begins an iteration. Returns where it starts."""
        start = self._start or (0, self._position[1] + 1, 0, 0, 0)
        self._position, self._start = start, None
        return start

    def __iter__(self) -> Iterator[Columns]:
        return self._load(self._begin(), self._arguments)

    def _load(self, position: _Position, arguments: dict[str, Any]) -> Iterator[Columns]:
        loader = _Loader(
            self._paths, arguments, encoder=self._encoder, rules=self._rules, position=position
        )
        function: FunctionEncoder | None = None
        if self._tensors == "torch":
            from ._torch import shared
        try:
            while (loaded := next(loader, None)) is not None:
                after, batch = loaded
                self._position = after
                self.skipped = loader.skipped
                if self._function is not None:
                    views = batch.pop("observations")
                    function = function or FunctionEncoder(self._function, views[0], batch)
                    batch |= function.encoded(views)
                if self._flat:
                    _flatten(batch)
                if self._tensors == "torch":
                    batch = {name: shared(array) for name, array in batch.items()}
                yield cast("Columns", batch)
            self.skipped = loader.skipped
            # Another iteration may have begun meanwhile.
            if self._start is None and self._position[1] == position[1]:
                self.set_epoch(position[1] + 1)
        finally:
            loader.close()

    def torch(self) -> IterableDataset[dict[str, Any]]:
        """The dataset as an ``IterableDataset`` of torch, which yields whole batches of tensors.

        Use it with ``DataLoader(..., batch_size=None)``. Each worker process of the ``DataLoader``
        loads a share of the rank's games, and has its share of the ``workers``. Threads do the work
        already, and processes must copy each batch, so ``num_workers=0`` costs least.

        Worker processes have copies of the dataset. What they load does not change the dataset of
        this process: call ``set_epoch`` before each epoch, or all epochs are in the same order.
        ``state_dict`` does not follow them either.
        """
        from ._torch import TorchDataset

        return TorchDataset(self)

    def __repr__(self) -> str:
        encoder = self._encoder or self._function
        name = getattr(encoder, "name", getattr(encoder, "__name__", None))
        return f"<Dataset of {', '.join(self._paths)}, encoder {name}>"


def _flatten(batch: dict[str, Any]) -> None:
    """Replaces padded features by those without padding."""
    active, counts = batch.pop("active"), batch.pop("counts")
    batch["indices"], batch["offsets"] = flat_features(active, counts)


def _check_exist(paths: list[str]) -> None:
    """Checks that the paths exist, except for URLs."""
    for path in paths:
        if "://" not in path and not os.path.exists(path):
            raise FileNotFoundError(f"{path}: there is no such run, log or folder")


def _kinds(kinds: Iterable[str] | None) -> list[str] | None:
    """Checks the chosen kinds of decisions. None if none were chosen."""
    chosen = optional_texts("kinds", kinds, "turn")
    for kind in chosen or ():
        if kind not in Dataset.KINDS:
            known = ", ".join(Dataset.KINDS)
            raise ValueError(f"`kinds`: expected one of {known}, found {described(kind)}")
    return chosen


def _rules(rules: object) -> Rules:
    """The rules of a preset or a rule file."""
    if not isinstance(rules, (str, os.PathLike)):
        expected = "Rules, the name of a preset, or the path of a rule file"
        raise TypeError(f"`rules`: expected {expected}, found {described(rules)}")
    return Rules(rules)
