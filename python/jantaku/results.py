"""The results of functions such as `selfplay`, `match` and `stats`: tables and figures."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ._jantaku import _page
from .pages import Page

if TYPE_CHECKING:
    import pandas
    import polars

_R = TypeVar("_R", bound="_Result")


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


@dataclass(frozen=True)
class _Result:
    """The base of all results."""

    data: dict[str, Any] = field(repr=False)
    """The result as the program prints it with ``--json``."""

    def to_pandas(self) -> "pandas.DataFrame":
        """The figures as a data frame of pandas; of `Selfplay`, the counts of the seats."""
        return self._table.to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """The figures as a data frame of polars; of `Selfplay`, the counts of the seats."""
        return self._table.to_polars()

    @property
    def _table(self) -> Table:
        raise NotImplementedError

    @classmethod
    def _of(cls: type[_R], data: dict[str, Any], **made: Any) -> _R:
        """The result with the entries that are its fields, and those that are made of them."""
        own = {field.name for field in fields(cls)} - {"data"}
        entries = {key: value for key, value in data.items() if key in own}
        return cls(data=data, **(entries | made))


@dataclass(frozen=True)
class _Reported(_Result):
    """A result that can be shown as a page."""

    _kind: ClassVar[str]
    """The command of the program that prints such a result."""

    def html(self) -> str:
        """The result as a page for the browser, as the program writes it with ``--html``.

        Figures with their intervals, what was run, and the result as JSON. The page needs no other
        file and no network. A notebook shows it in the cell.
        """
        return _page(self._kind, self.data, None)

    def _repr_html_(self) -> str:
        return Page(self.html())._repr_html_()


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


@dataclass(frozen=True, repr=False)
class Selfplay(_Result):
    """What `selfplay` played and wrote.

    ``games``, ``hands`` and ``decisions`` are those that are kept: in complete parts, or all if
    nothing is written.
    """

    first_game: int
    """The number of the first game that was played: not 0 in a shard or a resumed run."""
    games: int
    """Games that are kept."""
    hands: int
    """Hands of these games."""
    decisions: int
    """Decisions of these games; forced moves do not count."""
    won_hands: int
    """Hands with a winner."""
    multiple_rons: int
    """Hands with several winners."""
    draws: dict[str, int]
    """Hands that ended in a draw, by reason."""
    seats: Table
    """The counts of each seat: ``agent``, ``tsumo``, ``ron``, ``deal_ins``, ``riichi``, ``called``,
    ``win_points``, ``deal_in_points``, ``points``, ``results``, ``placements``."""
    rules: str
    """The name of the rules as given."""
    rules_hash: str
    """The hash of the rules, 16 hexadecimal digits."""
    seed: int
    """The seed of the run."""
    shard: str | None
    """The share of the run that was played, such as ``2/4``; None for the whole run."""
    out: str | None
    """The folder of the run; None if nothing is written."""
    rows: dict[str, int] | None
    """The rows of each table in complete parts; None if nothing is written."""
    complete: bool
    """False if it was interrupted."""
    faults: list[dict[str, Any]]
    """The faults of agents that are programs: ``agent``, ``kind``, ``count``."""
    seconds: float
    """The wall-clock time."""
    threads: int
    """The threads that played."""

    @property
    def _table(self) -> Table:
        return self.seats

    def __repr__(self) -> str:
        agents = ", ".join(dict.fromkeys(seat["agent"] for seat in self.seats))
        out = "" if self.out is None else f" in {self.out!r}"
        part = "" if self.complete else ", incomplete"
        return (
            f"<Selfplay of {agents}: {_many(self.games, 'game')}, {_many(self.hands, 'hand')}, "
            f"{_many(self.decisions, 'decision')}{out}, {self.seconds:.1f} s{part}>"
        )


@dataclass(frozen=True, repr=False)
class Standing:
    """The result of one agent in a match."""

    agent: str
    """The agent, with its options."""
    placement: Mean
    """From 1."""
    result: Mean
    """With uma and oka, in points."""
    points: Mean
    """At the end."""
    placements: list[float]
    """The share of games in each placement."""
    variance_ratio: float | None
    """The variance of the mean placement of a set, over that of as many games on walls of their
    own. None if the sets do not determine it."""

    def __repr__(self) -> str:
        return f"<Standing {self.agent}: placement {self.placement}>"


@dataclass(frozen=True, repr=False)
class Match(_Reported):
    """The result of `match`. Intervals and tests are over sets of games on the same walls."""

    _kind = "match"

    seatings: str
    """``1-v-rest``, ``2-v-2``, ``all-orders`` or ``rotations``."""
    rules: str
    """The name of the rules as given."""
    rules_hash: str
    """The hash of the rules, 16 hexadecimal digits."""
    keep_draws: bool
    """Whether all seats keep their own draws after calls."""
    seed: int
    """The seed of the match."""
    sets: int
    """Sets that were played, earlier ones of a resumed match included."""
    games: int
    """Games of these sets."""
    complete: bool
    """False if it was interrupted."""
    agents: list[Standing]
    """The agents; the challenger is first."""
    placement_difference: Mean | None
    """How many placements the challenger is above the mean of all players, which is 2.5 with four:
    positive if it places better."""
    elo: Mean | None
    """The Elo difference that explains the placement of the challenger; only with ``1-v-rest``."""
    sprt: dict[str, Any] | None
    """The sequential test: ``llr``, ``lower``, ``upper``, ``decision``. None without one."""
    conditional: bool
    """Whether a sequential test stopped the match, so that intervals are conditional on that."""
    figures: Figures
    """The figures of the sections that were asked for, by agent."""
    faults: dict[str, int]
    """The number of faults of each agent that has some, in all sets."""
    fault_shares: dict[str, dict[str, int]]
    """The agents with faults: ``games``, ``games_with_faults``, ``moves``, ``substituted``."""
    out: str | None
    """The folder of the match; None if no game is kept."""
    speed: dict[str, Any]
    """``seconds``, ``sets``, ``threads``, and the ``latency`` of agents."""

    @property
    def _table(self) -> Table:
        return self.figures

    def __repr__(self) -> str:
        part = "" if self.complete else ", incomplete"
        agents = ", ".join(f"{one.agent} {one.placement}" for one in self.agents)
        difference = self.placement_difference
        found = "" if difference is None else f", placement difference {difference}"
        return f"<Match of {_many(self.sets, 'set')}{part}: placements {agents}{found}>"


@dataclass(frozen=True, repr=False)
class Statistics(_Reported):
    """The result of `stats`."""

    _kind = "stats"

    games: int
    """Games that were counted."""
    units: int
    """Games, or sets of games on the same walls."""
    hands: int
    """Hands of these games."""
    rules: str
    """The name of the rules as given."""
    rules_hash: str | None
    """The hash of the rules, 16 hexadecimal digits; None for games from logs."""
    agents: list[str] | None
    """The agent of each seat, or the agents that change seats; None if the runs have different
    ones, and for games from logs."""
    seed: int | None
    """The seed of the games; None if they come from runs."""
    runs: list[str]
    """The runs that the games come from; none if they were played now."""
    left_out: int
    """Games from logs that are not counted because another one has the same signature."""
    played_on: int
    """Games that were played on from a decision of another game: hands with decisions copied from
    there and final results are not counted."""
    conditional: bool
    """Whether one of the runs is a match that a sequential test stopped, so that intervals are
    conditional on that."""
    precision: list[dict[str, Any]]
    """The figures whose precision was asked for: ``name``, ``group``, ``within``, ``relative``,
    ``value``, ``distance``, ``met``, ``games``, ``at_least``."""
    complete: bool
    """False if it was interrupted or a run is not complete."""
    faults: list[dict[str, Any]]
    """The faults of agents that are programs: ``agent``, ``kind``, ``count``."""
    figures: Figures
    """The figures."""
    against: dict[str, Any] | None
    """With ``against``: ``name``, ``about``, ``source``, ``rules``, ``notes``, and ``figures``.
    Each figure has ``value``, ``other``, ``difference``, ``standard_error`` and
    ``standard_errors``."""
    seconds: float
    """The wall-clock time."""

    @property
    def _table(self) -> Table:
        return self.figures

    def figure(self, name: str, group: str = "all") -> dict[str, Any]:
        """The row of a figure, such as ``draws.exhaustive``. See `Figures`."""
        return self.figures.figure(name, group)

    def __repr__(self) -> str:
        part = "" if self.complete else ", incomplete"
        return (
            f"<Statistics of {_many(self.games, 'game')}, {_many(self.hands, 'hand')} "
            f"under {self.rules}: {len(self.figures)} figures{part}>"
        )


@dataclass(frozen=True, repr=False)
class Sweep(_Reported):
    """The result of `sweep`.

    The figures also have the columns ``variant``, ``difference``, ``difference_low`` and
    ``difference_high``. The difference is that from the first variant.
    """

    _kind = "sweep"

    games: int
    """Under each variant."""
    variants: list[dict[str, Any]]
    """The variants: ``name``, ``rules_hash``, ``rules_toml``, ``hands``. The others are compared
    with the first."""
    agents: list[str]
    """The agent of each seat."""
    seed: int
    """The seed of the games."""
    precision: list[dict[str, Any]]
    """The figures whose precision was asked for: ``name``, ``group``, ``within``, ``relative``,
    ``value``, ``distance``, ``met``, ``games``, ``at_least``."""
    complete: bool
    """False if it was interrupted."""
    figures: Figures
    """The figures of each variant."""
    seconds: float
    """The wall-clock time."""

    @property
    def _table(self) -> Table:
        return self.figures

    def figure(self, name: str, variant: str, group: str = "all") -> dict[str, Any]:
        """The row of a figure of a variant. See `Figures`."""
        return self.figures.figure(name, group, variant)

    def __repr__(self) -> str:
        part = "" if self.complete else ", incomplete"
        names = ", ".join(variant["name"] for variant in self.variants)
        return f"<Sweep of {_many(self.games, 'game')} under {names}{part}>"


def selfplay_of(data: dict[str, Any]) -> Selfplay:
    """The result of these entries."""
    return Selfplay._of(data, seats=Table(data["seats"]))


def match_of(data: dict[str, Any]) -> Match:
    """The result of these entries."""

    def mean(value: dict[str, Any] | None) -> Any:
        return None if value is None else Mean(**value)

    def standing(agent: dict[str, Any]) -> Standing:
        means = {name: mean(agent[name]) for name in ("placement", "result", "points")}
        return Standing(**{**agent, **means})

    agents = [standing(agent) for agent in data["agents"] or []]
    means = {name: mean(data[name]) for name in ("placement_difference", "elo")}
    return Match._of(data, **means, agents=agents, figures=Figures(data["figures"]))


def statistics_of(data: dict[str, Any]) -> Statistics:
    """The result of these entries."""
    return Statistics._of(data, figures=Figures(data["figures"]))


def sweep_of(data: dict[str, Any]) -> Sweep:
    """The result of these entries."""
    return Sweep._of(data, figures=Figures(data["figures"]))


@dataclass(frozen=True, repr=False)
class Reasons(_Result):
    """What an agent chooses in a decision, and why. Actions are texts, such as ``chi 34s``."""

    agent: str
    """The agent: the name that the user gives it, or its text."""
    text: str
    """The agent with its options."""
    action: str
    """Its choice."""
    why: str
    """Why it chose that, in a few words."""
    unit: str | None
    """The unit of all values: ``points`` of the result of the game. None if only the agent knows
    it."""
    value: float | None
    """The result that the agent expects."""
    probability: float | None
    """The probability with which it made this choice."""
    policy: list[dict[str, Any]] | None
    """Its probabilities of the legal actions: ``action``, ``value``."""
    action_values: list[dict[str, Any]] | None
    """Its estimates of the legal actions: ``action``, ``value``, ``standard_error``."""
    candidates: Table | None
    """What ``heuristic`` compares, best first: ``action``, ``value``, ``risk``, ``win``,
    ``points``, ``plan_shanten``, ``plan_ukeire``, ``mode``. None for other agents."""
    corrections: Table | None
    """What the network of ``residual`` adds to the values of ``heuristic``, best first: ``action``,
    ``base``, ``correction``, ``value``. None for other agents."""
    verdicts: list[dict[str, Any]]
    """Kans, kita and kyuushu kyuuhai: ``action``, ``taken``, ``why``."""

    @property
    def _compared(self) -> Table | None:
        return self.corrections if self.candidates is None else self.candidates

    @property
    def _table(self) -> Table:
        return Table([]) if self._compared is None else self._compared

    def __repr__(self) -> str:
        compared = "" if self._compared is None else f", {len(self._compared)} candidates"
        return f"<Reasons of {self.agent}: {self.action}{compared}>"


@dataclass(frozen=True, repr=False)
class DecisionReport(_Result):
    """The result of `ask`: a decision with the answers of agents. Tiles and actions are texts."""

    place: str
    """The position, or the decision of a run or log."""
    assumed: list[str]
    """What a position leaves out, and what is assumed instead."""
    seat: int
    """The seat that decides."""
    hand: str
    """Its concealed tiles without the drawn one."""
    melds: str
    """Its melds."""
    drawn: str | None
    """The tile just drawn; None for a claim and after a call."""
    offered: str | None
    """The tile that the player can claim."""
    live: int
    """Live tiles left."""
    furiten: bool
    """Whether it is furiten."""
    legal: list[str]
    """Its legal actions."""
    chosen: str | None
    """What the player did in the run or log."""
    answers: list[Reasons]
    """The answer of each agent."""

    @property
    def _table(self) -> Table:
        return Table([{"agent": one.agent, "action": one.action} for one in self.answers])

    def __repr__(self) -> str:
        answers = ", ".join(f"{one.agent} {one.action}" for one in self.answers)
        return f"<DecisionReport of {self.place}: {answers}>"


@dataclass(frozen=True, repr=False)
class Review(_Reported):
    """The result of `analyse`. ``sim/docs/json.md`` describes each column."""

    _kind = "analyse"

    seat: int
    """The seat of the player."""
    player: str | None
    """The agent of the run, or the name in the log."""
    agent: str
    """The agent that searches: the name that the user gives it, or its text."""
    agent_text: str
    """That agent with its options."""
    rules: str
    """The preset that is closest to the rules of the game."""
    rules_hash: str
    """The hash of the rules, 16 hexadecimal digits."""
    copied: dict[str, int] | None
    """``decisions`` and ``hands`` that were copied from another game, where other players made
    them: they are not reviewed."""
    least: dict[str, float | None]
    """The least loss that is a mistake: ``points``, ``placements``."""
    decisions: Table
    """Decisions with several actions to compare, with ``better``, ``loss`` and ``is_mistake``."""
    clear: int
    """The number of decisions with one legal action, or one worth comparing."""
    kinds: Table
    """The sums of each kind of decision: ``compared``, ``agreed``, ``mistakes``, ``undecided``,
    ``untried``, ``lost``, ``lost_low``, ``lost_high``; the last three are None without a loss."""
    all: dict[str, Any]
    """The sum of all decisions."""

    @property
    def _table(self) -> Table:
        return self.decisions

    def __repr__(self) -> str:
        player = "" if self.player is None else f", {self.player}"
        lost = self.all["lost"]
        cost = "" if lost is None else f", {lost:.0f} points lost"
        return (
            f"<Review of seat {self.seat}{player}: {_many(len(self.decisions), 'decision')}, "
            f"{_many(self.all['mistakes'], 'mistake')}{cost}>"
        )


@dataclass(frozen=True, repr=False)
class Verification(_Result):
    """The result of `verify`."""

    games: int
    """Games that were replayed; with ``quick``, games of the parts whose files were read."""
    games_stored: int
    """The games in complete parts. More than ``games`` if some could not be verified."""
    complete: bool
    """Whether all runs are complete and all their games were verified."""
    difference_count: int
    """The number of differences."""
    differences: Table
    """The first 10,000 differences: ``run``, ``table``, ``part``, ``row``, ``game``, ``hand``,
    ``step``, ``column``, ``expected``, ``found``."""
    error_count: int
    """The number of runs and files that cannot be read."""
    errors: list[str]
    """The files that cannot be read, each with the reason; at most 10,000."""

    @property
    def ok(self) -> bool:
        """Whether there is no difference and no error."""
        return self.difference_count == 0 and self.error_count == 0

    @property
    def _table(self) -> Table:
        return self.differences

    def __repr__(self) -> str:
        part = "" if self.complete else ", incomplete"
        return (
            f"<Verification of {_many(self.games, 'game')}: "
            f"{_many(self.difference_count, 'difference')}, "
            f"{_many(self.error_count, 'error')}{part}>"
        )


@dataclass(frozen=True, repr=False)
class ReplayedParts(_Result):
    """The result of `verify` with ``replay``."""

    seed: int
    """The seed that chose the parts."""
    parts: int
    """Parts that the agents played again."""
    games: int
    """Their games."""
    complete: bool
    """Whether all parts that were chosen were played again."""
    wrong: Table
    """Parts with other bytes than the agents play: ``run``, ``part``, ``first_game``, ``games``,
    ``host`` (the machine that wrote it, or None), ``files`` (each with ``path``, and the SHA-256 as
    ``expected`` and ``found``), ``put_back`` (whether it was removed with all later parts)."""

    @property
    def ok(self) -> bool:
        """Whether no part is wrong."""
        return not self.wrong

    @property
    def _table(self) -> Table:
        return self.wrong

    def __repr__(self) -> str:
        part = "" if self.complete else ", incomplete"
        return (
            f"<ReplayedParts of {_many(self.parts, 'part')} with {_many(self.games, 'game')}: "
            f"{len(self.wrong)} wrong{part}>"
        )


def reasons_of(data: dict[str, Any]) -> Reasons:
    """The reasons in these entries."""
    names = ("candidates", "corrections")
    tables = {name: None if data[name] is None else Table(data[name]) for name in names}
    return Reasons._of(data, **tables)


def decision_report_of(data: dict[str, Any]) -> DecisionReport:
    """The result of these entries."""
    return DecisionReport._of(data, answers=[reasons_of(one) for one in data["answers"]])


def review_of(data: dict[str, Any]) -> Review:
    """The result of these entries."""
    tables = {name: Table(data[name]) for name in ("decisions", "kinds")}
    return Review._of(data, **tables)


def verification_of(data: dict[str, Any]) -> Verification:
    """The result of these entries."""
    errors = [entry["error"] for entry in data["errors"]]
    return Verification._of(data, differences=Table(data["differences"]), errors=errors)


def replayed_parts_of(data: dict[str, Any]) -> ReplayedParts:
    """The result of these entries."""
    return ReplayedParts._of(data, wrong=Table(data["wrong"]))


@dataclass(frozen=True, repr=False)
class League(_Reported):
    """The result of `league`. Intervals are over sets of games on the same walls."""

    _kind = "league"

    agents: Table
    """Strongest first: ``agent``, ``rating``, ``low``, ``high``, ``games``, ``placement``,
    ``placements``. A rating is None if it is not finite or not known."""
    pairs: Table
    """All ordered pairs: ``agent``, ``other``, ``games``, ``ahead``, ``los``."""
    fit: dict[str, Any] | None
    """How well the ratings explain the results: ``p_value``, ``excess_rms``, ``poor``."""
    anchor: str
    """The agent with the fixed rating."""
    anchor_rating: float
    """Its rating."""
    tables: int
    """Tables of the league."""
    sets: int
    """Sets of every table."""
    games: int
    """Games that were played, earlier ones of a resumed league included."""
    played: int
    """Games that this call played."""
    seatings: str
    """``rotations`` or ``all-orders``."""
    rules: str
    """The name of the rules as given."""
    rules_hash: str
    """The hash of the rules, 16 hexadecimal digits."""
    seed: int
    """The seed of the walls."""
    out: str | None
    """The folder of the league; None if nothing is written."""
    complete: bool
    """False if it was interrupted."""
    faults: list[dict[str, Any]]
    """The faults of agents that are programs: ``agent``, ``kind``, ``count``."""
    seconds: float
    """The wall-clock time."""
    threads: int
    """The threads that played."""

    @property
    def _table(self) -> Table:
        return self.agents

    def __repr__(self) -> str:
        part = "" if self.complete else ", incomplete"
        ratings = ", ".join(
            one["agent"] if one["rating"] is None else f"{one['agent']} {one['rating']:+.0f}"
            for one in self.agents
        )
        return f"<League of {_many(self.games, 'game')}{part}: {ratings}>"


@dataclass(frozen=True, repr=False)
class SetsPlan(_Result):
    """How many sets a match needs, from `plan`."""

    placement_difference: float
    """The difference in mean placement to detect."""
    power: float
    """The chance that a match with this many sets shows the difference."""
    variance: float
    """The variance of the mean placement of a set."""
    sets: int
    """Sets that are enough."""
    games: int
    """Games of these sets."""
    seconds: float | None
    """The estimated time. None if the variance was given."""

    @property
    def _table(self) -> Table:
        return Table([self.data])

    def __repr__(self) -> str:
        time = "" if self.seconds is None else f", about {self.seconds:,.0f} s"
        sets, games = _many(self.sets, "set"), _many(self.games, "game")
        difference = f"a placement difference of {self.placement_difference}"
        return f"<SetsPlan for {difference}: {sets}, {games}{time}>"


@dataclass(frozen=True, repr=False)
class GamesPlan(_Result):
    """How many games statistics need, from `plan`."""

    pilot: int
    """The games that were played to find out."""
    games: int | None
    """The games that are enough for all figures. None if the pilot does not tell, because a figure
    has no interval or had no event, or if they are more than can be played."""
    enough: bool | None
    """Whether the number of games that was given is enough. None if the pilot does not tell."""
    seconds: float | None
    """The estimated time on ``threads`` threads."""
    threads: int
    """The threads of the estimate."""
    precision: Table
    """What the pilot says about each figure."""

    @property
    def _table(self) -> Table:
        return self.precision

    def __repr__(self) -> str:
        if self.games is None or self.seconds is None:
            return f"<GamesPlan: {self._without_number()}>"
        return f"<GamesPlan: {_many(self.games, 'game')}, about {self.seconds:,.0f} s>"

    def _without_number(self) -> str:
        """Why the plan has no number of games."""
        pilot = _many(self.pilot, "game")
        if any(known["distance"] is None for known in self.precision):
            return f"unknown: in the pilot of {pilot}, a figure has no interval"
        if any(known["relative"] and known["value"] == 0 for known in self.precision):
            return f"unknown: the pilot of {pilot} had no such event"
        return "more games than can be played"


def league_of(data: dict[str, Any]) -> League:
    """The result of these entries."""
    return League._of(data, **{name: Table(data[name]) for name in ("agents", "pairs")})


def sets_plan_of(data: dict[str, Any]) -> SetsPlan:
    """The result of these entries."""
    return SetsPlan._of(data)


def games_plan_of(data: dict[str, Any]) -> GamesPlan:
    """The result of these entries."""
    return GamesPlan._of(data, precision=Table(data["precision"]))
