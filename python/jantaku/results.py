"""The results of functions such as `selfplay`, `match` and `stats`: tables and figures.

A result has the keys that the program prints with ``--json`` as its attributes, such as
``result.games``. ``sim/docs/json.md`` documents them by command, with their types and units. A mean
with its interval is a `Mean`, and a list of equal rows is a `Table`. ``dir(result)`` lists the
keys.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ._jantaku import _page, _text
from .pages import Page

if TYPE_CHECKING:
    import pandas
    import polars


class Table(Sequence[dict[str, Any]]):
    """Rows of equal columns: a sequence of dicts, and a data frame on demand."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        return Table(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(list(self._rows))

    def to_polars(self) -> "polars.DataFrame":
        """The rows as a data frame of polars."""
        import polars

        return polars.DataFrame(list(self._rows), infer_schema_length=None)

    def __repr__(self) -> str:
        columns = ", ".join(self._rows[0]) if self._rows else ""
        return f"<Table of {len(self)} rows: {columns}>"


class Figures(Table):
    """Rates and means, each with a 95 % interval: one row for each figure and group.

    Columns: ``name`` (such as ``draws.exhaustive``), ``group``, ``kind`` (rate, mean, sd or
    quantile), ``per``, ``value``, ``low`` and ``high`` (None without an interval), ``events``,
    ``trials``, ``units``. ``sim/docs/statistics.md`` defines all figures.
    """

    def figure(self, name: str, group: str = "all", variant: str | None = None) -> dict[str, Any]:
        """The row of a figure.

        Raises
        ------
        KeyError
            If there is no such figure.

        """
        for row in self:
            is_named = row["name"] == name and row["group"] == group
            if is_named and (variant is None or row["variant"] == variant):
                return dict(row)
        of = "" if variant is None else f" of {variant!r}"
        raise KeyError(f"no figure {name!r} in the group {group!r}{of}")

    def of(self, section: str) -> "Figures":
        """The figures of a section, such as ``draws``."""
        return Figures([row for row in self if row["name"].split(".")[0] == section])


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval. The ends are None if the games do not determine them."""

    value: float
    """The mean."""
    low: float | None
    """The lower end of the interval."""
    high: float | None
    """The upper end."""
    standard_error: float | None
    """The standard error."""

    def __repr__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:.4g}"
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g})"


@dataclass(frozen=True, repr=False)
class _View:
    """The keys of an object as attributes."""

    data: dict[str, Any]
    """The result as the program prints it with ``--json``."""

    _tables: ClassVar[tuple[str, ...]] = ()
    """The keys whose lists are tables; the first is the main one."""

    def __getattr__(self, name: str) -> Any:
        # `data` is missing while a copy is made or a pickle is read.
        if name.startswith("_") or name == "data" or name not in self.data:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = self.data[name]
        if value is not None and name in self._tables:
            return Figures(value) if name == "figures" else Table(value)
        if isinstance(value, dict) and value.keys() == Mean.__dataclass_fields__.keys():
            return Mean(**value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.data})


class _Result(_View):
    """The base of all results."""

    def to_pandas(self) -> "pandas.DataFrame":
        """The main table, such as the figures, as a data frame of pandas."""
        return self._table.to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """The main table, such as the figures, as a data frame of polars."""
        return self._table.to_polars()

    @property
    def _incomplete(self) -> str:
        """What a text says of a result that is not complete."""
        return "" if self.complete else ", incomplete"

    @property
    def _table(self) -> Table:
        """The main table, which `to_pandas` and `to_polars` return."""
        table: Table = getattr(self, self._tables[0])
        return table


class _Reported(_Result):
    """A result with tables: ``print(result)`` prints them, and a notebook shows them as a page."""

    _kind: ClassVar[str]
    """The command of the program that prints such a result."""

    def __str__(self) -> str:
        # As wide as the program prints.
        width = min(max(shutil.get_terminal_size().columns, 40), 80)
        return _text(self._kind, self.data, width)

    def html(self) -> str:
        """The result as a page for the browser, as the program writes it with ``--html``.

        Figures with their intervals, what was run, and the result as JSON. The page needs no other
        file and no network. A notebook shows it in the cell.
        """
        return _page(self._kind, self.data, None)

    def _repr_html_(self) -> str:
        return Page(self.html())._repr_html_()


def _many(count: int, thing: str) -> str:
    """A number of things, such as ``1 game`` or ``2,000 games``."""
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


class Selfplay(_Result):
    """What `selfplay` played and wrote: the keys of ``jantaku selfplay --json``."""

    _tables = ("seats",)

    def __repr__(self) -> str:
        agents = ", ".join(dict.fromkeys(seat["agent"] for seat in self.seats))
        out = "" if self.out is None else f" in {self.out!r}"
        return (
            f"<Selfplay of {agents}: {_many(self.games, 'game')}, {_many(self.hands, 'hand')}, "
            f"{_many(self.decisions, 'decision')}{out}, {self.seconds:.1f} s{self._incomplete}>"
        )


class Info(_Result):
    """What `info` found in the folder of a run: the keys of ``jantaku info --json``.

    A data frame has a row for each table. `complete` tells whether all games are played, and
    `games_asked` is None while the number of games is not known.
    """

    _tables = ("tables",)

    def __repr__(self) -> str:
        agents = ", ".join(dict.fromkeys(self.agents)) or "logs"
        return f"<Info of {self.run!r}: {_many(self.games, 'game')} of {agents}{self._incomplete}>"


class AgentResult(_View):
    """The result of one agent in a match: an entry of ``agents``."""

    def __repr__(self) -> str:
        return f"<AgentResult {self.agent}: placement {self.placement}>"


class Match(_Reported):
    """The result of `match`: the keys of ``jantaku match --json``.

    Intervals and tests are over sets of games on the same walls.
    """

    _kind = "match"
    _tables = ("figures",)

    @property
    def agents(self) -> list[AgentResult]:
        """The agents; the challenger is first. Empty if no set is kept."""
        return [AgentResult(one) for one in self.data["agents"] or []]

    def __repr__(self) -> str:
        agents = ", ".join(f"{one.agent} {one.placement}" for one in self.agents)
        difference = self.placement_difference
        found = "" if difference is None else f", placement difference {difference}"
        placements = f": placements {agents}{found}" if agents else ""
        return f"<Match of {_many(self.sets, 'set')}{self._incomplete}{placements}>"


class Statistics(_Reported):
    """The result of `stats`: the keys of ``jantaku stats --json``."""

    _kind = "stats"
    _tables = ("figures",)

    def figure(self, name: str, group: str = "all") -> dict[str, Any]:
        """The row of a figure, such as ``draws.exhaustive``. See `Figures`."""
        return Figures(self.data["figures"]).figure(name, group)

    def __repr__(self) -> str:
        return (
            f"<Statistics of {_many(self.games, 'game')}, {_many(self.hands, 'hand')} "
            f"under {self.rules}: {len(self.figures)} figures{self._incomplete}>"
        )


class Cases(_Reported):
    """The result of `cases`: the keys of ``jantaku stats --of --json``.

    A data frame has a column for each condition.
    """

    _kind = "stats"
    _tables = ("rows",)

    @property
    def _table(self) -> Table:
        rows = ({**dict(zip(self.by, row["values"], strict=True)), **row} for row in self.rows)
        return Table([{name: row[name] for name in row if name != "values"} for row in rows])

    def __repr__(self) -> str:
        by = f" by {', '.join(self.by)}" if self.by else ""
        return f"<Cases: {self.of}{by} of {_many(self.games, 'game')}{self._incomplete}>"


class Sweep(_Reported):
    """The result of `sweep`: the keys of ``jantaku sweep --json``.

    The figures also have the columns ``variant``, ``difference``, ``difference_low`` and
    ``difference_high``. The difference is that from the first variant.
    """

    _kind = "sweep"
    _tables = ("figures",)

    def figure(self, name: str, variant: str, group: str = "all") -> dict[str, Any]:
        """The row of a figure of a variant. See `Figures`."""
        return Figures(self.data["figures"]).figure(name, group, variant)

    def __repr__(self) -> str:
        names = ", ".join(variant["name"] for variant in self.variants)
        return f"<Sweep of {_many(self.games, 'game')} under {names}{self._incomplete}>"


class Opinion(_Result):
    """What an agent thinks of a decision. Actions are texts, such as ``chi 34s``.

    ``unit``, ``value`` and ``probability`` are None where the agent does not state them.
    """

    _tables = ("options",)

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__({"unit": None, "value": None, "probability": None, **data})

    def __repr__(self) -> str:
        compared = f", {_many(len(self.options), 'option')}" if len(self.options) else ""
        return f"<Opinion of {self.agent}: {self.action}{compared}>"


class DecisionReport(_Result):
    """The result of `ask`: the keys of ``jantaku ask --json``.

    A decision with the answers of agents. Tiles and actions are texts.
    """

    @property
    def answers(self) -> list[Opinion]:
        """The answer of each agent."""
        return [Opinion(one) for one in self.data["answers"]]

    @property
    def _table(self) -> Table:
        return Table([{"agent": one.agent, "action": one.action} for one in self.answers])

    def __repr__(self) -> str:
        answers = ", ".join(f"{one.agent} {one.action}" for one in self.answers)
        return f"<DecisionReport of {self.place}: {answers}>"


class Review(_Reported):
    """The result of `analyse`: the keys of ``jantaku analyse --json``."""

    _kind = "analyse"
    _tables = ("decisions", "kinds")

    def __repr__(self) -> str:
        player = "" if self.player is None else f", {self.player}"
        lost = self.all["lost"]
        cost = "" if lost is None else f", {lost:.0f} points lost"
        return (
            f"<Review of seat {self.seat}{player}: {_many(len(self.decisions), 'decision')}, "
            f"{_many(self.all['mistakes'], 'mistake')}{cost}{self._incomplete}>"
        )


class Verification(_Result):
    """The result of `verify`: the keys of ``jantaku verify --json``."""

    _tables = ("differences",)

    @property
    def errors(self) -> list[str]:
        """The files that cannot be read, each with the reason; at most 10,000."""
        return [entry["error"] for entry in self.data["errors"]]

    @property
    def ok(self) -> bool:
        """Whether there is no difference and no error."""
        return not (self.difference_count or self.error_count)

    def __repr__(self) -> str:
        return (
            f"<Verification of {_many(self.games, 'game')}: "
            f"{_many(self.difference_count, 'difference')}, "
            f"{_many(self.error_count, 'error')}{self._incomplete}>"
        )


class ReplayedParts(_Result):
    """The result of `verify` with ``replay``: the keys of ``jantaku verify --replay --json``."""

    _tables = ("wrong",)

    @property
    def ok(self) -> bool:
        """Whether no part is wrong."""
        return not self.wrong

    def __repr__(self) -> str:
        return (
            f"<ReplayedParts of {_many(self.parts, 'part')} with {_many(self.games, 'game')}: "
            f"{len(self.wrong)} wrong{self._incomplete}>"
        )


class League(_Reported):
    """The result of `league`: the keys of ``jantaku league --json``.

    Intervals are over sets of games on the same walls.
    """

    _kind = "league"
    _tables = ("agents", "pairs")

    def __repr__(self) -> str:
        ratings = ", ".join(
            one["agent"] if one["rating"] is None else f"{one['agent']} {one['rating']:+.0f}"
            for one in self.agents
        )
        return f"<League of {_many(self.games, 'game')}{self._incomplete}: {ratings}>"


class SetsPlan(_Result):
    """How many sets a match needs, from `plan`: the keys of ``jantaku match --plan --json``."""

    @property
    def _table(self) -> Table:
        return Table([self.data])

    def __repr__(self) -> str:
        time = "" if self.seconds is None else f", about {self.seconds:,.0f} s"
        sets, games = _many(self.sets, "set"), _many(self.games, "game")
        difference = f"a placement difference of {self.placement_difference}"
        return f"<SetsPlan for {difference}: {sets}, {games}{time}>"


class GamesPlan(_Result):
    """How many games statistics need, from `plan`: the keys of ``jantaku stats --plan --json``."""

    _tables = ("precision",)

    def __repr__(self) -> str:
        if self.games is None:
            return f"<GamesPlan: {self.reason}>"
        return f"<GamesPlan: {_many(self.games, 'game')}, about {self.seconds:,.0f} s>"
