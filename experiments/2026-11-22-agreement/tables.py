"""Counts the tables that jantaku-agreement writes.

    python3 tables.py FOLDER

Writes agreement.txt, discards.txt, riichi.txt, calls.txt and others.txt, and all rows again as
groups.tsv, to this folder. Intervals are 95 %, with games as clusters. Needs polars.
"""

import math
import pathlib
import sys

import polars as pl

Z = 1.96
TEXTS = {}
ROWS = []


def bucket(column, edges, last="+"):
    """Names the range of a column: each edge starts one."""
    value = pl.col(column)
    names = [f"{a}" if b == a + 1 else f"{a}-{b - 1}" for a, b in zip(edges, edges[1:])] + [f"{edges[-1]}{last}"]
    found = pl.when(value < edges[0]).then(pl.lit(f"<{edges[0]}"))
    for low, high, name in zip(edges, [*edges[1:], None], names):
        found = found.when((value >= low) if high is None else (value >= low) & (value < high)).then(pl.lit(name))
    return found.alias(column)


def moments(frame, by, value):
    """Mean of a value and its 95 % interval for each group."""
    games = frame.group_by([*by, "game"]).agg(n=pl.len(), x=pl.col(value).cast(pl.Float64).sum())
    sums = games.group_by(by).agg(
        N=pl.col("n").sum(), X=pl.col("x").sum(), G=pl.len(),
        xx=(pl.col("x") ** 2).sum(), xn=(pl.col("x") * pl.col("n")).sum(), nn=(pl.col("n").cast(pl.Float64) ** 2).sum(),
    )
    found = {}
    for row in sums.iter_rows(named=True):
        mean = row["X"] / row["N"]
        spread = max(row["xx"] - 2 * mean * row["xn"] + mean**2 * row["nn"], 0.0)
        spread *= row["G"] / max(row["G"] - 1, 1)
        found[tuple(row[key] for key in by)] = (row["N"], mean, Z * math.sqrt(spread) / row["N"])
    return found


def key_of(group):
    """Sorts numbers before texts, and ranges by their start."""
    def part(value):
        text = str(value)
        digits = "".join(c for c in text.split("-")[0] if c.isdigit())
        return (0, int(digits), text) if digits and text[0] in "-<0123456789" else (1, 0, text)
    return [part(value) for value in group]


def table(page, title, frame, by, values, least=30):
    """One row per group: its size and the mean of each value in percent.

    A value is a column, or a pair of columns for the person and the agent.
    """
    by = [by] if isinstance(by, str) else by
    frame = frame.with_columns(all=pl.lit("all")) if by == ["all"] else frame
    columns, head = [], [*by, "n"]
    for name, value in values.items():
        if isinstance(value, tuple):
            frame = frame.with_columns(
                _h=value[0].cast(pl.Float64), _a=value[1].cast(pl.Float64),
                _d=value[1].cast(pl.Float64) - value[0].cast(pl.Float64))
            parts = [moments(frame, by, column) for column in ("_h", "_a", "_d")]
            columns.append((name, parts))
            head += [f"{name}: people", "agent", "difference"]
        else:
            columns.append((name, [moments(frame.with_columns(_v=value.cast(pl.Float64)), by, "_v")]))
            head += [name]
    lines = [head]
    groups = sorted(columns[0][1][0], key=key_of)
    for group in groups:
        size = columns[0][1][0][group][0]
        if size < least:
            continue
        line = [*(str(part) for part in group), f"{size:,}"]
        label = " ".join(f"{k}={v}" for k, v in zip(by, group))
        for name, parts in columns:
            if len(parts) == 1:
                _, mean, error = parts[0][group]
                line.append(f"{100 * mean:.1f} ± {100 * error:.1f}")
                ROWS.append([page, title, label, name, size, f"{mean:.4f}", "", "", f"{error:.4f}"])
            else:
                (_, h, _), (_, a, _), (_, d, error) = (part[group] for part in parts)
                line += [f"{100 * h:.1f}", f"{100 * a:.1f}", f"{100 * d:+.1f} ± {100 * error:.1f}"]
                ROWS.append([page, title, label, name, size, f"{h:.4f}", f"{a:.4f}", f"{d:.4f}", f"{error:.4f}"])
        lines.append(line)
    write(page, title, lines)


def matrix(page, title, frame, row, column):
    """Counts of what people and the agent do."""
    counts = {(r[row], r[column]): r["n"] for r in frame.group_by(row, column).agg(n=pl.len()).iter_rows(named=True)}
    names = sorted({key[0] for key in counts} | {key[1] for key in counts})
    lines = [["people \\ agent", *names, "all"]]
    for h in names:
        cells = [counts.get((h, a), 0) for a in names]
        lines.append([h, *(f"{cell:,}" for cell in cells), f"{sum(cells):,}"])
        ROWS.extend([page, title, f"people={h}", f"agent={a}", cell, "", "", "", ""] for a, cell in zip(names, cells))
    totals = [sum(counts.get((h, a), 0) for h in names) for a in names]
    lines.append(["all", *(f"{total:,}" for total in totals), f"{sum(totals):,}"])
    write(page, title, lines)


def write(page, title, lines):
    """Adds an aligned table to a page."""
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    text = "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)
    TEXTS.setdefault(page, []).append(f"{title}\n\n{text}\n")


def read(folder, name):
    frame = pl.read_csv(folder / f"{name}.csv", infer_schema_length=200_000)
    threat = (pl.when((pl.col("riichi") > 0) & (pl.col("open") > 0)).then(pl.lit("both"))
              .when(pl.col("riichi") > 0).then(pl.lit("riichi"))
              .when(pl.col("open") > 0).then(pl.lit("two open melds")).otherwise(pl.lit("nobody")))
    return frame.with_columns(threat=threat, standing=standing())


def standing():
    """The standing in the scheduled last round and before it."""
    late = pl.col("last") == 1
    return (pl.when(~late).then(pl.lit("before"))
            .when(pl.col("place") == 1).then(pl.lit("last round, 1st"))
            .when(pl.col("place") == 4).then(pl.lit("last round, 4th"))
            .otherwise(pl.lit("last round, 2nd-3rd")))


def first(riichi):
    """The first decision about riichi of each player in a hand."""
    return riichi.unique(["game", "round", "honba", "seat"], keep="first", maintain_order=True)


TURNS = bucket("turn", [1, 4, 7, 10, 13, 16])
c = pl.col


def agreement(discards, riichi, calls, others):
    page, same = "agreement", {"agreement": c("h_kind").eq_missing(c("a_kind"))}
    own = discards.with_columns(bucket("shanten", [0, 1, 2, 3, 4, 5]), TURNS)
    table(page, "Discards", own, "all", same)
    table(page, "Discards by shanten: the least after a discard", own, "shanten", same)
    table(page, "Discards by threat", own, "threat", same)
    table(page, "Discards by shanten and threat", own, ["threat", "shanten"], same)
    table(page, "Discards by turn", own, "turn", same)
    table(page, "Discards by turn, nobody threatens", own.filter(c("threat") == "nobody"), "turn", same)
    table(page, "Discards after the player's own call", own, "called", same)
    equal = {"agreement": c("h") == c("a"), "riichi": ((c("h") == "riichi"), (c("a") == "riichi"))}
    table(page, "Riichi where it is legal, each turn", riichi, "all", equal)
    matrix(page, "Riichi, damaten, or leaving tenpai, each turn", riichi, "h", "a")
    table(page, "Riichi where it is legal, first time in a hand", first(riichi), "all", equal)
    matrix(page, "Riichi, damaten, or leaving tenpai, first time in a hand", first(riichi), "h", "a")
    call = {"agreement": (c("h") == "pass") == (c("a") == "pass"), "calls": (c("h") != "pass", c("a") != "pass")}
    table(page, "Call or not", calls, "all", call)
    matrix(page, "Calls", calls, "h", "a")
    table(page, "Call or not, by what is legal", calls, ["chi", "pon"], call)
    both = calls.filter((c("h") != "pass") & (c("a") != "pass"))
    table(page, "The same call, where both call", both, "h", {"agreement": c("same")})
    table(page, "Kans, kyuushu kyuuhai and wins, where legal", others, ["what", "own_riichi"],
          {"agreement": c("h") == c("a"), "do it": (c("h"), c("a"))}, least=1)


def discard_groups(frame):
    page = "discards"
    frame = frame.filter(c("answer") == "discard")
    frame = frame.with_columns(bucket("shanten", [0, 1, 2, 3, 4]), TURNS, least=c("shanten"))
    calm = frame.filter(c("threat") == "nobody")
    efficiency = {
        "raises the shanten": (c("h_shanten") > c("least"), c("a_shanten") > c("least")),
        "keeps it with less ukeire": ((c("h_shanten") == c("least")) & (c("h_ukeire") < c("best")),
                                     (c("a_shanten") == c("least")) & (c("a_ukeire") < c("best"))),
    }
    table(page, "Efficiency while nobody threatens, closed hands", calm.filter(c("melds") == 0), ["shanten", "turn"], efficiency)
    table(page, "Efficiency while nobody threatens, open hands", calm.filter(c("melds") > 0), ["shanten", "turn"], efficiency)
    differ = calm.filter(c("h_kind") != c("a_kind"))
    worse = {"people have more ukeire": (c("h_shanten") == c("a_shanten")) & (c("h_ukeire") > c("a_ukeire")),
             "agent has more": (c("h_shanten") == c("a_shanten")) & (c("h_ukeire") < c("a_ukeire")),
             "equal": (c("h_shanten") == c("a_shanten")) & (c("h_ukeire") == c("a_ukeire")),
             "people have less shanten": c("h_shanten") < c("a_shanten"),
             "agent has less": c("h_shanten") > c("a_shanten")}
    table(page, "Different discards while nobody threatens", differ, "shanten", worse)
    for melds, name in [(0, "closed"), (1, "open")]:
        part = calm.filter((c("melds") > 0) == bool(melds))
        total = part.height
        shares = {}
        for who in "ha":
            grouped = part.group_by("shanten", cls=c(f"{who}_class"), role=c(f"{who}_role")).agg(n=pl.len())
            for r in grouped.iter_rows(named=True):
                shares.setdefault((r["shanten"], r["cls"], r["role"]), {})[who] = r["n"]
        sizes = dict(part.group_by("shanten").agg(n=pl.len()).iter_rows())
        rows = sorted(shares.items(), key=lambda item: -abs(item[1].get("a", 0) - item[1].get("h", 0)))[:30]
        lines = [["shanten", "tile", "in the hand", "people", "agent", "difference", "% of decisions"]]
        for (shanten, cls, role), n in rows:
            h, a = n.get("h", 0), n.get("a", 0)
            lines.append([str(shanten), cls, role, f"{h:,}", f"{a:,}", f"{a - h:+,}", f"{100 * (a - h) / sizes[shanten]:+.1f}"])
            ROWS.append([page, f"Discarded tiles, {name}", f"shanten={shanten} class={cls} role={role}", "count", sizes[shanten], h, a, a - h, ""])
        write(page, f"What is discarded while nobody threatens, {name} hands ({total:,} decisions)", lines)
        table(page, f"Pairs of discards that differ most often, {name} hands: share of the differing ones",
              *pairs(part.filter(c("h_kind") != c("a_kind"))))
    table(page, "Dora given up while nobody threatens", calm, "shanten",
          {"dora or red five": (c("h_dora") > 0, c("a_dora") > 0)})
    riichi = frame.filter((c("riichi") > 0))
    fold = {
        "safe tile": (c("h_safe"), c("a_safe")),
        "raises the shanten": (c("h_shanten") > c("least"), c("a_shanten") > c("least")),
        "pushes: unsafe and keeps it": ((c("h_safe") == 0) & (c("h_shanten") == c("least")),
                                        (c("a_safe") == 0) & (c("a_shanten") == c("least"))),
    }
    one = riichi.filter(c("riichi") == 1)
    table(page, "Against one riichi, by shanten", one, "shanten", fold)
    table(page, "Against one riichi, by shanten and turn", one, ["shanten", "turn"], fold)
    table(page, "Against one riichi, by shanten and open melds", one.with_columns(bucket("melds", [0, 1, 2])), ["shanten", "melds"], fold)
    table(page, "Against one riichi, dealer or not", one, ["shanten", "dealer"], fold)
    table(page, "Against one riichi, by standing", one, ["shanten", "standing"], fold)
    table(page, "Against two or more riichi, by shanten", riichi.filter(c("riichi") > 1), "shanten", fold)
    cannot = frame.with_columns(cannot=c("a_worth").is_null() & c("a_risk").is_not_null())
    table(page, "Decisions in which the agent sees no way to win", cannot, ["threat", "melds"], {"share": c("cannot")})
    table(page, "The same against riichi: safe tiles", cannot.filter((c("riichi") > 0) & c("cannot")), "shanten",
          {"safe tile": (c("h_safe"), c("a_safe"))})
    late = frame.filter(c("live") < 24).with_columns(bucket("live", [0, 4, 8, 12, 16, 20]))
    table(page, "Late in the hand, by live tiles", late, ["shanten", "live"],
          {"raises the shanten": (c("h_shanten") > c("least"), c("a_shanten") > c("least"))})
    broken = calm.filter((c("melds") > 0) & (c("live") >= 8))
    table(page, "Open hands while nobody threatens, without decisions in which the agent sees no way to win",
          broken.filter(c("a_worth").is_not_null() & c("h_worth").is_not_null()), ["shanten", "called"],
          {"raises the shanten": (c("h_shanten") > c("least"), c("a_shanten") > c("least"))})
    opened = frame.filter((c("riichi") == 0) & (c("open") > 0))
    table(page, "Against two open melds without riichi", opened, ["shanten", "turn"],
          {k: v for k, v in fold.items() if k == "raises the shanten"})


def pairs(differ):
    """The frame and arguments for the table of pairs of classes and roles."""
    differ = differ.with_columns(people=c("h_class") + " " + c("h_role"), agent=c("a_class") + " " + c("a_role"))
    common = differ.group_by("people", "agent").agg(n=pl.len()).sort("n", descending=True).head(30)
    differ = differ.with_columns(pair=c("people") + " | " + c("agent"))
    names = [f"{p} | {a}" for p, a in common.select("people", "agent").iter_rows()]
    return (differ.filter(c("pair").is_in(names)), "pair", {"people have more ukeire": (c("h_shanten") < c("a_shanten")) | ((c("h_shanten") == c("a_shanten")) & (c("h_ukeire") > c("a_ukeire"))),
                            "agent has more": (c("a_shanten") < c("h_shanten")) | ((c("h_shanten") == c("a_shanten")) & (c("h_ukeire") < c("a_ukeire")))})


def riichi_groups(frame):
    page = "riichi"
    rates = {name: (c("h") == what, c("a") == what) for name, what in
             [("riichi", "riichi"), ("damaten", "damaten"), ("leaves tenpai", "leave")]}
    again = pl.struct("game", "round", "honba", "seat").is_first_distinct()
    frame = frame.with_columns(TURNS, bucket("waits", [0, 1, 3, 5, 7]), bucket("han", [1, 2, 3, 4, 5, 6]),
                               bucket("dama_han", [0, 1, 2, 3, 4, 5]),
                               later=~again,
                               shape=pl.when(c("wait").is_in(["two-sided", "wide"])).then(pl.lit("good"))
                               .otherwise(pl.lit("bad")),
                               yaku=pl.when(c("dama_points") > 0).then(pl.lit("yaku")).otherwise(pl.lit("no yaku")))
    later = frame.filter(c("later"))
    table(page, "Later turns of a hand in damaten, by wait and yaku", later.filter(c("riichi") == 0), ["shape", "yaku"], rates)
    frame = frame.filter(~c("later"))
    calm = frame.filter(c("riichi") == 0)
    table(page, "By threat", frame, "threat", rates)
    table(page, "By wait, nobody in riichi", calm, ["wait", "honour"], rates)
    table(page, "By wait and turn, nobody in riichi", calm, ["wait", "turn"], rates)
    table(page, "By unseen waits, nobody in riichi", calm, ["shape", "waits"], rates)
    table(page, "By wait and han with riichi, nobody in riichi", calm, ["shape", "han"], rates)
    table(page, "By wait, yaku and han without riichi, nobody in riichi", calm, ["shape", "yaku", "dama_han"], rates)
    table(page, "By wait and turn, no yaku without riichi, nobody in riichi", calm.filter(c("yaku") == "no yaku"), ["shape", "turn"], rates)
    table(page, "By wait and turn, a yaku without riichi, nobody in riichi", calm.filter(c("yaku") == "yaku"), ["shape", "turn"], rates)
    table(page, "Furiten, nobody in riichi", calm, ["furiten", "shape"], rates)
    table(page, "Dealer, nobody in riichi", calm, ["dealer", "shape"], rates)
    table(page, "By standing", frame, "standing", rates)
    table(page, "By placement before the last round", frame.filter(c("last") == 0), "place", rates)
    table(page, "Last round, first place, by lead", frame.filter((c("last") == 1) & (c("place") == 1)).with_columns(bucket("lead", [0, 2000, 4000, 8000, 12000])), "lead", rates)
    threat = frame.filter(c("riichi") > 0)
    table(page, "Somebody in riichi, by wait and han", threat, ["shape", "han"], rates)
    table(page, "Somebody in riichi, by wait and turn", threat, ["shape", "turn"], rates)
    table(page, "By live tiles, nobody in riichi", calm.with_columns(bucket("live", [4, 8, 12, 16, 24, 32, 40, 50])), "live", rates)
    leads = frame.filter((c("last") == 0) & (c("place") == 1)).with_columns(bucket("lead", [0, 4000, 8000, 15000]))
    table(page, "First place before the last round, by lead and yaku", leads, ["lead", "yaku", "shape"], rates)
    table(page, "Last round, by placement and yaku", frame.filter(c("last") == 1), ["place", "yaku", "shape"], rates)
    table(page, "Two or more open melds, by wait and turn", frame.filter((c("riichi") == 0) & (c("open") > 0)), ["shape", "turn"], rates)


def call_groups(frame):
    page = "calls"
    rates = {"calls": (c("h") != "pass", c("a") != "pass")}
    frame = frame.with_columns(
        TURNS, bucket("shanten", [0, 1, 2, 3, 4]), bucket("hand_dora", [0, 1, 2, 3]),
        step=pl.when(c("after") < c("shanten")).then(pl.lit("closer")).when(c("after") == c("shanten")).then(pl.lit("keeps")).otherwise(pl.lit("farther")))
    calm = frame.filter(c("riichi") == 0)
    table(page, "By threat", frame, "threat", rates)
    table(page, "By way to a yaku, nobody in riichi, closed or open hand", calm, [c_ for c_ in ["melds", "way"]], rates)
    closer = calm.filter(c("step") == "closer")
    keeps = calm.filter(c("step") == "keeps")
    for name, part in [("calls that lower the shanten", closer), ("calls that keep the shanten", keeps)]:
        table(page, f"{name}, by open melds and way", part, ["melds", "way"], rates)
        closed, opened = part.filter(c("melds") == 0), part.filter(c("melds") > 0)
        table(page, f"{name}, closed hand: way and shanten", closed, ["way", "shanten"], rates)
        table(page, f"{name}, closed hand: way and turn", closed, ["way", "turn"], rates)
        table(page, f"{name}, closed hand: way and dora", closed, ["way", "hand_dora"], rates)
        table(page, f"{name}, closed hand: shanten and turn", closed, ["shanten", "turn"], rates)
        table(page, f"{name}, open hand: way and shanten", opened, ["way", "shanten"], rates)
        table(page, f"{name}, open hand: shanten and turn", opened, ["shanten", "turn"], rates)
    yakuhai = calm.filter(c("way") == "yakuhai")
    table(page, "Pon of valued honours: closed hand, shanten and turn", yakuhai.filter(c("melds") == 0), ["shanten", "turn"], rates)
    table(page, "Pon of valued honours: closed hand, shanten and unseen tiles left", yakuhai.filter(c("melds") == 0), ["shanten", "left"], rates)
    table(page, "Pon of valued honours: closed hand, dora and shanten", yakuhai.filter(c("melds") == 0), ["hand_dora", "shanten"], rates)
    table(page, "Pon of valued honours: dealer", yakuhai.filter(c("melds") == 0), ["dealer"], rates)
    table(page, "Closed hand, calls that lower the shanten: way, shanten and dora", closer.filter(c("melds") == 0), ["way", "shanten", "hand_dora"], rates)
    table(page, "By standing", calm.filter(c("melds") == 0), ["standing", "way"], rates)
    table(page, "Somebody in riichi, by shanten and step", frame.filter(c("riichi") > 0), ["shanten", "step"], rates)
    ready = closer.filter((c("shanten") == "1") & (c("live") < 24))
    ready = ready.with_columns(bucket("live", [0, 4, 8, 12, 16, 20]), yaku=~c("way").is_in(["none", "backed"]))
    table(page, "Calls into tenpai late in the hand: whether the way has a yaku, and live tiles", ready, ["yaku", "live"], rates)
    table(page, "Calls into tenpai, closed hand: way and ukeire before", closer.filter((c("shanten") == "1") & (c("melds") == 0)).with_columns(bucket("ukeire", [0, 8, 16, 24, 32])), ["way", "ukeire"], rates)
    table(page, "Calls that raise the shanten", calm.filter(c("step") == "farther"), ["melds", "shanten"], rates)


def other_groups(frame):
    rates = {"do it": (c("h"), c("a"))}
    kans = frame.filter(c("what").is_in(["ankan", "kakan"])).with_columns(bucket("shanten", [-1, 0, 1, 2, 3]))
    table("others", "Kans by threat", kans, ["what", "own_riichi", "threat"], rates, least=10)
    table("others", "Kans by shanten", kans.filter(c("own_riichi") == 0), ["what", "riichi", "shanten"], rates, least=10)
    once = kans.unique(["game", "round", "honba", "seat", "what", "own_riichi"], keep="first", maintain_order=True)
    once = once.with_columns(threat=pl.when(c("riichi") > 0).then(pl.lit("riichi")).otherwise(pl.lit("no riichi")))
    table("others", "Kans, first chance in a hand", once, ["what", "own_riichi", "threat", "shanten"], rates, least=10)
    table("others", "Kyuushu kyuuhai", frame.filter(c("what") == "kyuushu"), "shanten", rates, least=1)
    table("others", "Wins", frame.filter(c("what").is_in(["ron", "tsumo"])), ["what", "standing"], rates, least=1)


def main():
    folder = pathlib.Path(sys.argv[1])
    discards, riichi, calls, others = (read(folder, name) for name in ("discards", "riichi", "calls", "others"))
    agreement(discards, riichi, calls, others)
    discard_groups(discards)
    riichi_groups(riichi)
    call_groups(calls)
    other_groups(others)
    for page, texts in TEXTS.items():
        (folder / f"{page}.txt").write_text("\n".join(texts))
    head = ["page", "table", "group", "value", "n", "people", "agent", "difference", "interval"]
    lines = ["\t".join(str(cell) for cell in row) for row in [head, *ROWS]]
    (folder / "groups.tsv").write_text("\n".join(lines) + "\n")


main()
