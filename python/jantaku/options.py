"""The options of the functions that play, which are those of the program's commands.

A test writes this file from the requests of the library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from ._types import Agents, AnyRules, Path


class SelfplayOptions(TypedDict, total=False):
    """The options of `selfplay`.

    Parameters
    ----------
    games : int
        Play this many games.
    agents : Agents
        Choose one agent for all seats or one for each, such as ``greedy`` or
        ``greedy,random,greedy:calls=off,tsumogiri``; ``Agent.catalog()`` lists them [default:
        greedy].
    rules : AnyRules
        Choose the rules, a preset (``Rules.presets()`` lists them) or a TOML file [default:
        tenhou].
    seed : int
        Set the seed of the run, from 0 to 9223372036854775807; the same seed plays the same
        games [default: 0].
    out : Path
        Write the run to this new or empty folder, or to a URL (s3://, gs://, az://, file://,
        memory://) if the program is built with the feature ``cloud``; not needed with ``log
        none``.
    log : Literal["none", "games", "hands", "decisions", "oracle"]
        Choose the tables to write: none, games, also hands, also decisions, or also oracle, the
        hidden hands at each decision and the walls [default: decisions].
    labels : bool | str
        Label decisions for training: play their candidates to the end of the hand with the true
        hands and fresh walls, and write the values to the table ``labels``; OPTIONS such as
        ``deals=8,discard=0.1`` change the defaults.
    games_per_part : int
        Write parts of this many games; a run that is killed loses the games of unfinished parts
        [default: 1000].
    shard : str
        Play one share of the games, such as 2/4 for the second of four; ``jantaku.merge`` joins
        the shares.
    resume : bool
        Resume the run in the folder with the options of its run.toml; the result has the same
        bytes as an uninterrupted run. A larger ``games`` extends the run.
    tables : int
        Play this many games at once if an agent is a function, a network or a program; a
        program has at most one process for each seat in these games [default: 2048 for each
        thread, at most 8192; 8192 with libtorch, 4 with a program].
    on_fault : Literal["stop", "substitute", "forfeit"]
        Choose what a fault of a program causes: stop the run, substitute this move (discard the
        drawn tile, or pass), or forfeit the rest of the game to the substitute [default: stop].
    verbose : bool
        Print what programs write to stderr; otherwise it goes to ``agents.log`` in the folder
        of a run.
    threads : int
        Use this many threads, at most 1024 [default: all threads of the machine].

    """

    rules: AnyRules | None
    seed: int | None
    out: Path | None
    log: Literal["none", "games", "hands", "decisions", "oracle"] | None
    labels: bool | str | None
    games_per_part: int | None
    shard: str | None
    resume: bool | None
    tables: int | None
    on_fault: Literal["stop", "substitute", "forfeit"] | None
    verbose: bool | None
    threads: int | None


class MatchOptions(TypedDict, total=False):
    """The options of `match`.

    Parameters
    ----------
    challenger : Agents
        Play this agent against the baseline; see ``Agent.catalog()``.
    baseline : Agents
        Play the challenger against this agent.
    agents : Agents
        Play these agents at one table, an agent for each seat.
    seatings : Literal["1-v-rest", "2-v-2", "all-orders", "rotations"]
        Choose who sits where in the games of a set: 1-v-rest, the challenger in each seat in
        turn; 2-v-2, both agents in two seats, all six ways; all-orders, all orders of
        ``agents`` around the table; rotations, each of ``agents`` in each seat [default:
        1-v-rest, or all-orders].
    sets : int
        Play this many sets, or at most as many with ``sprt``.
    sprt : tuple[float, float]
        Stop as soon as it is clear whether the challenger places better by the second number or
        only the first, such as 0,0.05.
    risk : float | tuple[float, float]
        Set the chance of each wrong decision of ``sprt`` [default: 0.05].
    rules : AnyRules
        Choose the rules, a preset or a TOML file; ``Rules.presets()`` lists the presets
        [default: tenhou].
    keep_draws : bool
        Let all seats keep their own draws when a call changes the order of turns, so that the
        games of a set have more luck in common.
    seed : int
        Set the seed of the walls and of random choices [default: 0].
    out : Path
        Keep the games as a run in this new or empty folder, with the result in result.json.
    variance_reduction : bool
        Also report variance-reduced results (AIVAT): without the luck of the tiles, so with
        narrower intervals.
    log : Literal["hands", "decisions", "oracle"]
        Choose the tables of the run: hands, also decisions, or also oracle [default: hands, or
        decisions with ``variance_reduction``].
    resume : bool
        Resume the match in the folder with its own options; a larger ``sets`` extends it. With
        ``shard``, repeat all options: the share is resumed, or begun if there is none.
    tables : int
        Play this many games at once if an agent is a function, a network or a program; a
        program has at most one process for each seat in these games [default: 2048 for each
        thread, at most 8192; 8192 with libtorch, 4 with a program].
    on_fault : Literal["stop", "substitute", "forfeit"]
        Choose what a fault of a program causes: stop the run, substitute this move (discard the
        drawn tile, or pass), or forfeit the rest of the game to the substitute [default: stop].
    verbose : bool
        Print what programs write to stderr; otherwise it goes to ``agents.log`` in the folder
        of a run.
    threads : int
        Use this many threads, at most 1024 [default: all threads of the machine].

    """

    agents: Agents | None
    seatings: Literal["1-v-rest", "2-v-2", "all-orders", "rotations"] | None
    sets: int | None
    sprt: tuple[float, float] | None
    risk: float | tuple[float, float] | None
    rules: AnyRules | None
    keep_draws: bool | None
    seed: int | None
    out: Path | None
    variance_reduction: bool | None
    log: Literal["hands", "decisions", "oracle"] | None
    resume: bool | None
    tables: int | None
    on_fault: Literal["stop", "substitute", "forfeit"] | None
    verbose: bool | None
    threads: int | None


class LeagueOptions(TypedDict, total=False):
    """The options of `league`.

    Parameters
    ----------
    agents : Agents
        Choose the agents, at least one for each seat; ``Agent.catalog()`` lists them. With
        ``resume``, those that are not in the league yet join it.
    sets : int
        Play this many sets of walls at every table; with ``resume``, a larger number extends
        the league.
    rules : AnyRules
        Choose the rules, a preset (``Rules.presets()`` lists them) or a TOML file [default:
        tenhou].
    seed : int
        Set the seed of the walls, from 0 to 9223372036854775807 [default: 0].
    seatings : Literal["rotations", "all-orders"]
        Choose the seatings of a set: rotations, in which all agents move on by one seat from
        game to game, or all-orders [default: rotations].
    out : Path
        Write the league to this new or empty folder.
    resume : bool
        Play the missing games of the league in the folder: interrupted tables, tables with new
        agents, and new sets.
    log : Literal["games", "hands", "decisions", "oracle"]
        Choose the tables of data to write: games, also hands, also decisions, or also oracle
        [default: hands].
    anchor : Agents
        Give this agent a fixed rating, to which all others are relative [default: the first
        agent].
    anchor_rating : float
        Set the rating of the anchor.
    tables : int
        Play this many games at once if an agent is a function, a network or a program; a
        program has at most one process for each seat in these games [default: 2048 for each
        thread, at most 8192; 8192 with libtorch, 4 with a program].
    on_fault : Literal["stop", "substitute", "forfeit"]
        Choose what a fault of a program causes: stop the run, substitute this move (discard the
        drawn tile, or pass), or forfeit the rest of the game to the substitute [default: stop].
    verbose : bool
        Print what programs write to stderr; otherwise it goes to ``agents.log`` in the folder
        of a run.
    threads : int
        Use this many threads, at most 1024 [default: all threads of the machine].

    """

    sets: int | None
    rules: AnyRules | None
    seed: int | None
    seatings: Literal["rotations", "all-orders"] | None
    out: Path | None
    resume: bool | None
    log: Literal["games", "hands", "decisions", "oracle"] | None
    anchor: Agents | None
    anchor_rating: float | None
    tables: int | None
    on_fault: Literal["stop", "substitute", "forfeit"] | None
    verbose: bool | None
    threads: int | None


class StatsOptions(TypedDict, total=False):
    """The options of `stats`.

    Parameters
    ----------
    games : int
        Play this many games, or at most as many with ``precision``.
    agents : Agents
        Use one agent for all seats, or one for each; see ``Agent.catalog()`` [default: greedy].
    seed : int
        Play the games that ``selfplay`` plays with this seed [default: 0].
    precision : str | Sequence[str]
        Play until no end of the figure's interval is farther than this from its value, such as
        ``draws.four-kans=0.001%`` (percentage points), ``draws.four-kans=10%rel`` (a tenth of
        the value) or ``points.mean=50``; ``games`` is then the maximum.
    rules : AnyRules
        Use this preset or TOML file; see ``Rules.presets()`` [default: tenhou].
    tables : int
        Play this many games at once if an agent is a function, a network or a program; a
        program has at most one process for each seat in these games [default: 2048 for each
        thread, at most 8192; 8192 with libtorch, 4 with a program].
    on_fault : Literal["stop", "substitute", "forfeit"]
        Choose what a fault of a program causes: stop the run, substitute this move (discard the
        drawn tile, or pass), or forfeit the rest of the game to the substitute [default: stop].
    verbose : bool
        Print what programs write to stderr; otherwise it goes to ``agents.log`` in the folder
        of a run.
    threads : int
        Use this many threads, at most 1024 [default: all threads of the machine].

    """

    games: int | None
    agents: Agents | None
    seed: int | None
    precision: str | Sequence[str] | None
    rules: AnyRules | None
    tables: int | None
    on_fault: Literal["stop", "substitute", "forfeit"] | None
    verbose: bool | None
    threads: int | None


class SweepOptions(TypedDict, total=False):
    """The options of `sweep`.

    Parameters
    ----------
    rules : AnyRules | Sequence[AnyRules] | Mapping[str, AnyRules]
        Add a preset or TOML file as a variant, with a name of its own if one is given; with
        ``vary``, give only one.
    vary : Mapping[str, Iterable[Any]]
        Add a variant for each value of a rule field, such as ``kiriage=true,false``; several
        fields give all combinations.
    one_at_a_time : bool
        Change one field in each variant, instead of all combinations.
    games : int
        Play this many games, or at most as many with ``precision``.
    agents : Agents
        Use one agent for all seats, or one for each; see ``Agent.catalog()`` [default: greedy].
    seed : int
        Play the games that ``selfplay`` plays with this seed [default: 0].
    precision : str | Sequence[str]
        Play until no end of the figure's interval is farther than this from its value, such as
        ``draws.four-kans=0.001%`` (percentage points), ``draws.four-kans=10%rel`` (a tenth of
        the value) or ``points.mean=50``; ``games`` is then the maximum.
    threads : int
        Use this many threads, at most 1024 [default: all threads of the machine].

    """

    vary: Mapping[str, Iterable[Any]] | None
    one_at_a_time: bool | None
    games: int | None
    agents: Agents | None
    seed: int | None
    precision: str | Sequence[str] | None
    threads: int | None


class LabelOptions(TypedDict, total=False):
    """The options of `label`.

    Parameters
    ----------
    run : Path
        Label the games of this run; it must be complete and have decisions. It stays as it is.
    out : Path
        Write the labelled run to this new or empty folder.
    labels : bool | str
        Change the defaults by options such as ``deals=8,discard=0.1``; sim/docs/labels.md has
        all.
    shard : str
        Label one share of the games, such as 2/4 for the second of four; ``jantaku.merge``
        joins the shares.
    resume : bool
        Resume the labelled run in the folder; the result has the same bytes as without a stop.
    threads : int
        Use this many threads, at most 1024 [default: all threads of the machine].

    """

    labels: bool | str | None
    shard: str | None
    resume: bool | None
    threads: int | None


class AnalyseOptions(TypedDict, total=False):
    """The options of `analyse`.

    Parameters
    ----------
    seat : int | str
        Review this player: a seat (0 is the first dealer), its wind in the first hand (E), or a
        name.
    hand : int | str
        Review only this hand: a number from 0, or the first hand with a name such as E3 or E3-1.
    agent : Agents
        Search with this agent: ``mc`` with any options, or another one, such as ``residual``,
        as the prior of the usual search [default: mc:rollouts=512].
    threshold : float
        Call a loss of more than this many points a mistake [default: 2000, unless
        ``threshold_places`` is given].
    threshold_places : float
        Call a loss of more than this part of a place a mistake, such as 0.05; with both, a
        mistake loses more by both measures.
    rollouts : int
        Spend at most this many rollouts on confirming losses, after the searches [default:
        110000].
    seed : int
        Choose the random numbers of the search [default: 0].
    rules : AnyRules
        Read a log under these rules, whatever it states: a preset or a file. Runs have their
        own.
    threads : int
        Use this many threads, at most 1024 [default: all threads of the machine].

    """

    hand: int | str | None
    agent: Agents | None
    threshold: float | None
    threshold_places: float | None
    rollouts: int | None
    seed: int | None
    rules: AnyRules | None
    threads: int | None


class VerifyOptions(TypedDict, total=False):
    """The options of `verify`.

    Parameters
    ----------
    replay : float | str
        Only let the agents of a run play this share of its parts again, such as 1% or 0.01, or
        this many parts, and compare the bytes of the files; names the wrong parts and the
        machine that wrote them.
    seed : int
        Choose the parts of ``replay`` by this seed [default: a random one, which the result
        has].
    put_back : bool
        Remove the first wrong part that ``replay`` finds, and all later parts; ``resume`` then
        plays these again.
    threads : int
        Use this many threads, at most 1024 [default: all threads of the machine].

    """

    seed: int | None
    put_back: bool | None
    threads: int | None
