"""Ratings of several agents, and how long matches and statistics must be: `league`, `plan`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from ._arguments import check_effect, documented
from ._jantaku import _league, _plan_match, _plan_stats
from ._progress import Bar, Progress
from ._types import Agents, AnyAgent, AnyRules
from .options import LeagueOptions
from .results import GamesPlan, League, SetsPlan
from .runs import _run

if TYPE_CHECKING:
    from typing_extensions import Unpack


@documented(LeagueOptions)
def league(
    agents: Agents | None = None, *, progress: Progress = False, **options: Unpack[LeagueOptions]
) -> League:
    """Rates agents by games of all tables on the same walls.

    Each combination of agents is a table; all tables play the same sets of walls. In each set
    its agents change seats. ``sim/docs/league.md`` explains the ratings.

    ```python
    jantaku.league("heuristic,greedy,random,tsumogiri", sets=100).to_pandas()
    jantaku.league(["heuristic", "greedy", "random", my_function], sets=100, out="leagues/first")
    jantaku.league("mc", out="leagues/first", resume=True)      # joins the league
    ```

    Parameters
    ----------
    {options}
    progress : bool or callable
        As in `selfplay`.

    Raises
    ------
    RunError
        If the league cannot be started, resumed or written.
    AgentError
        If an agent does not exist or cannot start.
    KeyboardInterrupt
        After Ctrl-C. Its attribute ``partial`` has the ratings so far, and ``resume=True``
        continues the league.

    """
    return _run(League, _league, {"agents": agents, **options}, progress=progress)


@overload
def plan(
    challenger: AnyAgent,
    baseline: AnyAgent,
    *,
    placement_difference: float,
    variance: float | None = None,
    seatings: Literal["1-v-rest", "2-v-2"] | None = None,
    rules: AnyRules | None = None,
    seed: int | None = None,
    threads: int | None = None,
    tables: int | None = None,
    progress: Progress = False,
) -> SetsPlan: ...
@overload
def plan(
    *,
    precision: str | Sequence[str],
    games: int | None = None,
    agents: Agents | None = None,
    rules: AnyRules | None = None,
    seed: int | None = None,
    threads: int | None = None,
    tables: int | None = None,
    progress: Progress = False,
) -> GamesPlan: ...
def plan(
    challenger: AnyAgent | None = None,
    baseline: AnyAgent | None = None,
    *,
    placement_difference: float | None = None,
    variance: float | None = None,
    seatings: Literal["1-v-rest", "2-v-2"] | None = None,
    precision: str | Sequence[str] | None = None,
    games: int | None = None,
    agents: Agents | None = None,
    rules: AnyRules | None = None,
    seed: int | None = None,
    threads: int | None = None,
    tables: int | None = None,
    progress: Progress = False,
) -> SetsPlan | GamesPlan:
    """Estimates how long a match or statistics must be.

    With ``placement_difference``: the number of sets that show it in 80 of 100 matches. Plays 400
    sets to estimate the variance, unless it is given. With ``precision``: the number of games of
    `stats`. Plays the first games to find out.

    ```python
    jantaku.plan("heuristic", "greedy", placement_difference=0.03).sets
    jantaku.plan(precision="draws.four-kans=0.001%").games
    ```

    Parameters
    ----------
    challenger, baseline : agent
        The two agents of the match.
    placement_difference : float
        The difference in mean placement to detect.
    variance : float, optional
        The variance of the mean placement of a set. With it, no game is played.
    seatings : {"1-v-rest", "2-v-2"}, default "1-v-rest"
        Who sits where in the games of a set.
    precision : str or sequence of str
        How precisely figures must be known, as in `stats`.
    games : int, optional
        A number of games: ``enough`` says whether it suffices for the precision.
    agents : agent or sequence of agents, default "greedy"
        The agents of the statistics.
    rules, seed, threads, tables, progress
        As in `selfplay`.

    Returns
    -------
    jantaku.results.SetsPlan or jantaku.results.GamesPlan
        The plan of a match, or of statistics.

    Raises
    ------
    ValueError
        If no match can show the difference.
    KeyboardInterrupt
        After Ctrl-C. There is no plan without the whole pilot.

    """
    if (placement_difference is None) == (precision is None):
        raise TypeError(
            "expected `placement_difference` for a match, or `precision` for statistics"
        )
    asked: dict[str, Any] = {"rules": rules, "seed": seed, "threads": threads, "tables": tables}
    of_match = {"challenger": challenger, "baseline": baseline, "seatings": seatings}
    of_stats = {"games": games, "agents": agents}
    if placement_difference is None:
        _leave_out("a match", **of_match, variance=variance)
        with Bar(progress, "games") as shown:
            found = _plan_stats({**asked, **of_stats, "precision": precision}, shown)
        return GamesPlan(found)
    _leave_out("statistics", **of_stats)
    for name in ("seed", "threads", "tables"):
        why = "no game is played where `variance` is given"
        check_effect(name, variance is None or asked[name] is None, why)
    if challenger is None or baseline is None:
        raise TypeError("expected a challenger and a baseline")
    with Bar(progress, "sets") as shown:
        spread = None if variance is None else float(variance)
        found = _plan_match({**asked, **of_match}, float(placement_difference), spread, shown)
    return SetsPlan(found)


def _leave_out(what: str, **options: object) -> None:
    """Checks that options of another plan are not given."""
    for name, value in options.items():
        if value is not None:
            raise TypeError(f"`{name}`: belongs to the plan of {what}; leave it out")
