"""Print what the other action of labelled decisions gains: riichi, calls and kans.

    python tables.py RUN [--groups] [--margins]
    python tables.py RUN… --kakan

RUN is a run with labels. A gain is the value of an action minus that of the choice of
`heuristic`, by rollouts, in points of the game's result. After ± stands a standard error by game.

`--groups` looks for groups of decisions in which the other action is better: it chooses them in
the games with even numbers, and measures them in those with odd numbers. `--margins` does the same
for margins that riichi and pons have to gain. `--kakan` prints only what the kakans of the choice
gain, for all runs together.
"""

import argparse
import math
from itertools import combinations
from pathlib import Path

import polars as pl

LABELS = ["game", "decision", "kind", "unit", "deals", "actions", "difference_sums", "gaps"]
ESTIMATES = ["wins", "win_points", "modes", "plan_shanten", "ukeire"]
DECISIONS = ["game", "decision", "turn", "seat", "round", "shanten", "history", "melds", "offer"]

# The kind of each action, by its number.
KINDS = {"dama": range(38), "riichi": range(38, 76), "chi": range(114, 120), "pon": range(120, 123)}
KINDS |= {"daiminkan": [123], "kan": range(124, 158), "pass": [162]}
FIRST_KAN = 124
NAMES = {number: kind for kind, numbers in KINDS.items() for number in numbers}
CALLS = ["pass", "chi", "pon"]

# A group is listed if it has this many decisions and standard errors in the even games.
LEAST, ERRORS = 60, 3.0
# A decision is near if the estimates differ by fewer points of the result.
NEAR = -300

FEATURES = ["gap", "turn", "threats", "dealer", "last", "points", "other_points", "ukeire"]
OF_RIICHI = [*FEATURES, "other_mode"]
OF_CALLS = [*FEATURES, "call", "open", "shanten", "plan", "nearer", "triplet"]


def pairs_of(run: Path) -> pl.DataFrame:
    """One row for each decision and kind of other action: the best by the base's estimates."""
    labels = pl.read_parquet(run / "labels/*.parquet", columns=LABELS + ESTIMATES)
    decisions = pl.read_parquet(run / "decisions/*.parquet", columns=DECISIONS)
    chosen = [pl.col(name).list.first().alias(f"chosen_{name}") for name in ["actions", *ESTIMATES]]
    pairs = (
        labels.with_columns(chosen)
        .explode(["actions", "difference_sums", "gaps", *ESTIMATES])
        .join(decisions, on=["game", "decision"])
        .with_columns(
            pl.col("kind", "melds", "offer").cast(pl.String),
            choice=kind_of("chosen_actions"),
            other=kind_of("actions"),
            gain=pl.col("difference_sums") / pl.col("deals"),
        )
        .filter(pl.col("choice") != pl.col("other"))
        .sort(
            "game", "decision", pl.col("gaps").fill_null(-math.inf), descending=[False, False, True]
        )
    )
    return pairs.unique(["game", "decision", "other"], keep="first", maintain_order=True)


def kind_of(column: str) -> pl.Expr:
    """The kind of the action whose number is in this column."""
    return pl.col(column).replace_strict(NAMES, default="other", return_dtype=pl.String)


def with_features(pairs: pl.DataFrame) -> pl.DataFrame:
    """The pairs with what a player sees of their decisions, as words or numbers of classes."""
    acts = pl.col("choice").is_in(["riichi", "chi", "pon", "daiminkan"])

    def of_act(name: str) -> pl.Expr:
        """The column's value for the action that is riichi or the call."""
        return pl.when(acts).then(pl.col(f"chosen_{name}")).otherwise(pl.col(name))

    def of_rest(name: str) -> pl.Expr:
        """The column's value for the action that is damaten or passing."""
        return pl.when(acts).then(pl.col(name)).otherwise(pl.col(f"chosen_{name}"))

    def classes(value: pl.Expr, *limits: float) -> pl.Expr:
        return pl.sum_horizontal([(value >= limit).cast(pl.Int8) for limit in limits])

    wind = pl.col("seat").cast(pl.Int32) - pl.col("round").cast(pl.Int32)
    offered = pl.col("offer").str.head(1).cast(pl.Int32)
    is_yaku = (offered >= 5) | (offered == wind % 4 + 1) | (offered == pl.col("round") // 4 % 4 + 1)
    is_valued = pl.col("offer").str.ends_with("z") & is_yaku
    call = pl.when(acts).then(pl.col("choice")).otherwise(pl.col("other"))
    points = (2600, 4500, 7000)
    return pairs.with_columns(
        points_apart=pl.col("gaps"),
        gap=classes(pl.col("gaps"), -1000, -500, -150),
        turn=classes(pl.col("turn"), 6, 9, 12),
        threats=classes(pl.col("history").str.count_matches(r"r( |$)"), 1, 2),
        dealer=wind % 4 == 0,
        last=pl.col("round") >= 7,
        points=classes(of_act("win_points"), *points),
        other_points=classes(of_rest("win_points"), *points),
        ukeire=classes(of_act("ukeire"), 3, 5, 8),
        other_mode=of_rest("modes"),
        call=pl.when((call == "pon") & is_valued).then(pl.lit("valued pon")).otherwise(call),
        open=pl.col("melds").str.contains(r"\["),
        plan=of_act("plan_shanten"),
        nearer=of_act("plan_shanten") < of_rest("plan_shanten"),
        # A daiminkan is legal only with a triplet.
        triplet=pl.col("kind") == "kan",
    )


def gains(pairs: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """The mean gain of each group, its standard error by game and the mean gap."""
    games = pairs.group_by([*by, "game"]).agg(
        sum=pl.col("gain").sum(),
        count=pl.len(),
        apart=pl.col("points_apart").sum(),
        estimated=pl.col("points_apart").count(),
    )
    mean = pl.col("sum").sum() / pl.col("count").sum()
    return games.group_by(by).agg(
        decisions=pl.col("count").sum(),
        gain=mean,
        error=((pl.col("sum") - mean * pl.col("count")) ** 2).sum().sqrt() / pl.col("count").sum(),
        apart=pl.col("apart").sum() / pl.col("estimated").sum(),
    )


def print_gains(title: str, pairs: pl.DataFrame, by: list[str]) -> None:
    """Decisions, gain and estimate of each group."""
    print(f"\n{title}")
    for row in gains(pairs, by).sort(by).iter_rows(named=True):
        group = [str(row[name]) for name in by]
        gain = f"{row['gain']:+,.0f} ± {row['error']:.0f}"
        apart = "by rule" if math.isnan(row["apart"]) else f"{row['apart']:,.0f}"
        print("|", " | ".join([*group, f"{row['decisions']:,}", gain, apart]), "|")


def print_groups(title: str, pairs: pl.DataFrame, features: list[str]) -> None:
    """The groups whose gain is clear in the even games, with their gain in the odd ones."""
    even, odd = (pairs.filter(pl.col("game") % 2 == half) for half in (0, 1))
    tried, found = 0, []
    for names in [*combinations(features, 1), *combinations(features, 2)]:
        by = ["choice", "other", *names]
        groups = gains(even, by).filter(pl.col("decisions") >= LEAST)
        tried += len(groups)
        better = groups.filter(pl.col("gain") > ERRORS * pl.col("error"))
        both = better.join(gains(odd, by), on=by, how="left", suffix="_odd")
        found += [(by, row) for row in both.iter_rows(named=True)]
    print(
        f"\n{title}: {tried:,} groups, {len(found)} better in even games; gains in even, odd ones"
    )
    for by, row in sorted(found, key=lambda item: -item[1]["gain"] / item[1]["error"]):
        group = ", ".join(f"{name} {row[name]}" for name in by)
        measured = [
            f"{row[f'gain{half}']:+,.0f} ± {row[f'error{half}']:.0f}" for half in ("", "_odd")
        ]
        print("|", " | ".join([group, str(row["decisions"]), *measured]), "|")


def print_daiminkan(title: str, pairs: pl.DataFrame, by: list[str]) -> None:
    """What a daiminkan is worth beside the best other action."""
    made = pl.col("choice") == "daiminkan"
    best = pairs.unique(["game", "decision"], keep="first", maintain_order=True)
    best = best.with_columns(
        pl.when(made).then(-pl.col(name)).otherwise(pl.col(name))
        for name in ("gain", "points_apart")
    )
    names = ["1 worse", "2 a little worse", "3 equal", "4 a little better", "5 better"]
    above = pl.sum_horizontal([pl.col("points_apart") > limit for limit in (-300, -1, 1, 300)])
    estimate = above.replace_strict(dict(enumerate(names)), return_dtype=pl.String)
    print_gains(title, best.with_columns(pl.col("shanten").clip(0, 2), estimate=estimate), by)


def kakans(pairs: pl.DataFrame) -> pl.DataFrame:
    """The kakans of the choice beside the best discard, with what the hand expects from a win."""
    kind = pl.col("chosen_actions").cast(pl.Int32) - FIRST_KAN
    rank = (kind % 9 + 1).cast(pl.String)
    suit = (kind // 9).replace_strict(dict(enumerate("mpsz")), return_dtype=pl.String)
    pon = pl.concat_str(pl.lit("["), rank, rank, rank, suit, pl.lit("]"))
    melds = pl.col("melds").str.replace_all("0", "5").str.replace_all("'", "")
    made = pairs.filter(pl.col("choice") == "kan", pl.col("other") == "dama")
    expected = pl.col("wins") * pl.col("win_points")
    return made.filter(melds.str.contains(pon, literal=True)).with_columns(
        gain=-pl.col("gain"),
        cheap=pl.when(pl.col("threats") > 0).then(expected < 500 * pl.col("threats")),
    )


def print_margins(title: str, pairs: pl.DataFrame, limits: list[float]) -> None:
    """What all seats gain in a game if calls or riichi must exceed a margin in the base's unit."""
    sign = pl.when(pl.col("choice").is_in(["pass", "dama"])).then(1.0).otherwise(-1.0)
    estimate = sign * pl.col("points_apart") / pl.col("unit")
    if pairs.is_empty():
        return
    print(f"\n{title}: margin, gain in even games, in odd games")
    for limit in limits:
        dropped = (
            pl.when((estimate > 0) & (estimate <= limit))
            .then(-sign * pl.col("gain"))
            .otherwise(0.0)
        )
        games = pairs.group_by("game").agg(gain=dropped.sum())
        cells = []
        for half in (0, 1):
            gain = games.filter(pl.col("game") % 2 == half)["gain"]
            count = pairs["game"].max() / 2
            cells.append(
                f"{gain.sum() / count:+.0f} ± {gain.std() * math.sqrt(len(gain)) / count:.0f}"
            )
        print("|", " | ".join([f"{limit:g}", *cells]), "|")


def main() -> None:
    """Reads the arguments and prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--groups", action="store_true")
    parser.add_argument("--margins", action="store_true")
    parser.add_argument("--kakan", action="store_true")
    options = parser.parse_args()
    # Games of several runs have the same numbers.
    pairs = with_features(
        pl.concat(
            pairs_of(run).with_columns(pl.col("game").cast(pl.Int64) + number * 10**6)
            for number, run in enumerate(options.runs)
        )
    )
    if options.kakan:
        made = kakans(pairs)
        for by in (["threats"], ["cheap"], ["threats", "cheap"]):
            print_gains("Kakan by " + ", ".join(by), made, by)
        return
    near, both = pl.col("points_apart") > NEAR, pl.col("choice", "other")
    riichi = pairs.filter(
        pl.all_horizontal(both.is_in(["riichi", "dama"])), pl.col("kind") == "riichi"
    )
    calls = pairs.filter(pl.all_horizontal(both.is_in(CALLS)), pl.any_horizontal(both == "pass"))
    kans = pairs.filter(pl.any_horizontal(both.is_in(["kan", "daiminkan"])))
    daiminkan = kans.filter(
        pl.any_horizontal(both == "daiminkan"), pl.col("points_apart").is_not_null()
    )
    ends = ["choice", "other"]
    print_gains("Riichi", riichi, ends)
    print_gains("Riichi, near", riichi.filter(near), ends)
    print_gains("Calls", calls, [*ends, "call"])
    print_gains("Calls, near", calls.filter(near), [*ends, "call"])
    print_gains("Kans", kans, ends)
    print_gains("Calls with a triplet in the hand", calls.filter("triplet"), [*ends, "call"])
    print_gains("The same, near", calls.filter("triplet", near), [*ends, "call"])
    print_daiminkan("Daiminkan of open hands", daiminkan.filter("open"), ["shanten", "estimate"])
    print_daiminkan("Daiminkan of closed hands", daiminkan.filter(~pl.col("open")), ["estimate"])
    if options.groups:
        for feature in OF_RIICHI:
            print_gains(f"Riichi by {feature}", riichi, [*ends, feature])
        print_groups("Groups of riichi", riichi, OF_RIICHI)
        print_groups("Groups of calls", calls, OF_CALLS)
    if options.margins:
        print_margins("Riichi", riichi, [50, 100, 200, 400])
        pons = calls.filter(pl.any_horizontal(both == "pon"))
        print_margins("Pons of triplets", pons.filter("triplet"), [200, 400, 800, 1200])
        rest = pons.filter(~pl.col("triplet"), ~pl.col("open"), pl.col("call") == "pon")
        limits = [50, 100, 150, 200, 300, 400]
        print_margins("Other pons of closed hands, nearer", rest.filter("nearer"), limits)
        print_margins("Other pons of closed hands, as far", rest.filter(~pl.col("nearer")), limits)


if __name__ == "__main__":
    main()
