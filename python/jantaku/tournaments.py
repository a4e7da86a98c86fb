"""Ratings of several agents, and how long matches and statistics must be: `league`, `plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from ._arguments import documented
from ._jantaku import _league, _plan_match, _plan_stats
from ._progress import Bar, Progress
from ._types import Agents, AnyAgent
from .options import LeagueOptions, MatchOptions, StatsOptions
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
    progress: Progress = False,
    **options: Unpack[MatchOptions],
) -> SetsPlan: ...
@overload
def plan(*, progress: Progress = False, **options: Unpack[StatsOptions]) -> GamesPlan: ...
def plan(
    challenger: AnyAgent | None = None,
    baseline: AnyAgent | None = None,
    *,
    placement_difference: float | None = None,
    variance: float | None = None,
    progress: Progress = False,
    **options: Any,
) -> SetsPlan | GamesPlan:
    """Estimates how long a match or statistics must be.

    With ``placement_difference``: the number of sets that show it in 80 of 100 matches. Plays 400
    sets to estimate the variance, unless it is given. With ``precision``: the number of games of
    `stats`. Plays the first games to find out.

    ```python
    jantaku.plan("heuristic", "greedy", placement_difference=0.03, keep_draws=True).sets
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
    progress : bool or callable
        As in `selfplay`.
    options
        Those of `match`, but for its length, files and tests; or those of `stats`, such as
        ``precision``. ``games`` is then a number to check: ``enough`` says whether it suffices.

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
    if (placement_difference is None) == (options.get("precision") is None):
        raise TypeError(
            "expected `placement_difference` for a match, or `precision` for statistics"
        )
    of_match = {"challenger": challenger, "baseline": baseline, "variance": variance}
    asked = {**of_match, "placement_difference": placement_difference, **options}
    if placement_difference is None:
        with Bar(progress, "games") as shown:
            return GamesPlan(_plan_stats(asked, shown))
    with Bar(progress, "sets") as shown:
        return SetsPlan(_plan_match(asked, shown))
