"""Checks `jantaku stats` with DuckDB, and the results of the queries in a documentation page.

usage: statistics.py PROGRAM QUERIES.md

Counts every figure a second time, in SQL, and computes its interval from the totals of games. Does so with
conditional tables, too.
JANTAKU_WRITE=1 replaces the results in the page.
"""

import functools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from fractions import Fraction
from pathlib import Path

import duckdb

# Tables, numerators, denominators and groups in SQL.
SQL = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())


def parts_of(name: str) -> int:
    """In how many parts the numerator counts an event: tied players can share places."""
    return 2 if name == "players.placement" else 12 if name.startswith("players.placement-") else 1


def counted(name: str) -> tuple[str, str]:
    """The table and the expression of a figure's numerator, in parts."""
    if name.startswith("players.placement-"):
        place = name.removeprefix("players.placement-")
        return "gp", f"if({place} between best and worst, 12 // (worst - best + 1), 0)"
    if name in SQL["of"]:
        return SQL["of"][name]
    for prefix, (table, number, condition) in SQL["bins"].items():
        bin_ = re.fullmatch(r"(\d+)(?:\+|-(\d+))?", name.removeprefix(prefix)) if name.startswith(prefix) else None
        if bin_:
            first = bin_[1]
            last = bin_[2] or ("1000000" if name.endswith("+") else first)
            return table, f"{condition} and {number} between {first} and {last}"
    section, short = name.split(".")
    if section == "han-fu":
        numbers = re.fullmatch(r"(\d+)(\+?)-han-(\d+)(\+?)-fu", short)
        bounds = [f"{column} {'>=' if open_ else '='} {number}" for column, number, open_ in
                  (("han", numbers[1], numbers[2]), ("fu", numbers[3], numbers[4]))]
        return "w", " and ".join(bounds)
    if section == "draws":
        return "h", f"outcome = '{short}'"
    assert section == "yaku", f"{name}: no SQL for this figure"
    return "w", f"list_contains(yaku, '{short}')"


def of_group(group: str) -> str:
    """The SQL condition for rows of this group."""
    kind, _, which = group.partition(" ")
    return "true" if group == "all" else SQL["groups"][kind].format(which)


def by_game(table: str, what: str, group: str) -> str:
    """A query for the total of each game."""
    return f"select game, sum(coalesce(({what})::bigint, 0)) as n from {table} where {of_group(group)} group by game"


@functools.cache
def quantile(degrees: int) -> float:
    """The 97.5 % quantile of Student's t, by Simpson's rule over its density."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    density = lambda t: scale * (1 + t * t / degrees) ** (-(degrees + 1) / 2)
    def below(t: float, steps: int = 2000) -> float:
        width = t / steps
        inner = sum((4 if step % 2 else 2) * density(step * width) for step in range(1, steps))
        return 0.5 + width / 3 * (density(0) + inner + density(t))
    low, high = 0.0, 20.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < 0.975 else (low, middle)
    return low


NORMAL = 1.959963984540054


def interval(kind: str, y: int, x: int, units: int, others: int, residuals: float, squares: int) -> tuple[float, float] | None:
    """The interval of a ratio over games.

    others: the number of games with another ratio; residuals: the sum of squared residuals; squares: the sum of x².
    """
    if units < 2 or kind == "mean" and others == 0:
        return None
    ratio, variance, t = y / x, units / (units - 1) * residuals / x**2, quantile(units - 1)
    if kind == "mean":
        return ratio - t * variance**0.5, ratio + t * variance**0.5
    # The effective number of cases, with one more unseen game in which two cases are events.
    unseen = min(2, squares / x)
    clustered, independent = variance * (t / NORMAL * x) ** 2, x**2 / (x - 1) * ratio * (1 - ratio)
    cases = x * (independent + unseen) / (clustered + unseen**2)
    return wilson(ratio - 0.5 / cases, cases)[0], wilson(ratio + 0.5 / cases, cases)[1]


def wilson(ratio: float, cases: float) -> tuple[float, float]:
    """Wilson's interval in its usual form; 0 and 1 for ratios beyond them."""
    if not 0 < ratio < 1:
        return (0, 0) if ratio <= 0 else (1, 1)
    centre = (ratio + NORMAL**2 / (2 * cases)) / (1 + NORMAL**2 / cases)
    half = NORMAL / (1 + NORMAL**2 / cases) * math.sqrt(ratio * (1 - ratio) / cases + NORMAL**2 / (4 * cases**2))
    return centre - half, centre + half


def spread(measure: str, amount: tuple[str, str], group: str) -> float:
    """The standard deviation or a quantile of the amounts of a group."""
    table, what = amount
    amounts = duckdb.sql(f"""
        select ({what})::bigint as amount, count(*) as n from {table}
        where ({what}) is not null and {of_group(group)} group by amount order by amount""").fetchall()
    total = sum(n for _, n in amounts)
    if measure == "sd":
        mean = Fraction(sum(amount * n for amount, n in amounts), total)
        return math.sqrt(sum(n * (amount - mean) ** 2 for amount, n in amounts) / total)
    every = [amount for amount, n in amounts for _ in range(n)]
    return every[math.ceil(Fraction(int(measure.removeprefix("q")), 100) * total) - 1]


def check(figure: dict) -> None:
    """Compares a figure with DuckDB's count."""
    name, group = figure["name"], figure["group"]
    measure = None
    if name.startswith("spread."):
        name, _, measure = name.replace("spread.", "players.").rpartition("-")
    per = SQL["per_player" if name.startswith("players.") else "per"][figure["per"]]
    parts = parts_of(name)
    query = f"""
        with y as ({by_game(*counted(name), group)}), x as ({by_game(*per, group)}),
        u as (select coalesce(y.n, 0) as y, coalesce(x.n, 0) as x from g left join y using (game) left join x using (game)),
        t as (select sum(y)::bigint as y, sum(x)::bigint as x, count_if(x <> 0) as units from u)
        select any_value(t.y), any_value(t.x), any_value(t.units), count_if(u.y::hugeint * t.x <> t.y::hugeint * u.x),
            sum(((u.y - t.y / t.x * u.x) / {parts}) ** 2), sum(u.x * u.x)::bigint from u, t"""
    y, x, units, others, residuals, squares = duckdb.sql(query).fetchall()[0]
    found = (round(parts * figure["events"], 6), figure["trials"], figure["units"])
    assert found == (y, x, units), f"{name} of {group}: {found}, DuckDB counts {(y, x, units)}"
    y = Fraction(y, parts)
    value = spread(measure, counted(name), group) if measure else float(y / x)
    assert math.isclose(figure["value"], value, rel_tol=1e-12), f"{figure['name']} of {group}: {figure['value']}, DuckDB has {value}"
    expected = None if measure else interval(figure["kind"], float(y), x, units, others, residuals, squares)
    check_interval(f"{name} of {group}", figure, expected)


def check_interval(name: str, row: dict, expected: tuple[float, float] | None) -> None:
    """Compares the interval of a figure with that of DuckDB's totals."""
    found = (row["low"], row["high"])
    # The program's quantile has an error below 0.001.
    near = lambda a, b: math.isclose(a, b, rel_tol=1e-9, abs_tol=2e-4 * max(expected[1] - expected[0], 1e-9))
    same = all(map(near, found, expected)) if expected else found == (None, None)
    assert same, f"{name}: {found}, by DuckDB {expected}"


def check_run(program: Path, folder: Path, words: str) -> None:
    """Plays a run and compares its figures with DuckDB, and with those of games without files.

    Under `mleague`, tied players share their places.
    """
    run = folder / "run"
    subprocess.run([program, "selfplay", *words.split(), "--log", "hands", "--out", run, "--quiet"], check=True)
    stats = lambda arguments: json.loads(subprocess.run([program, "stats", *arguments, "--json"], capture_output=True, check=True).stdout)
    figures = stats([run])["figures"]
    assert figures == stats(words.split())["figures"], "stored and played games have different figures"
    shared = "--rules mleague" in words
    duckdb.sql(SQL["tables"].format(run=run, shared=shared))
    for figure in figures:
        check(figure)
    print(f"{words}: DuckDB confirms {len(figures)} figures of jantaku stats")
    subprocess.run(["rm", "-r", run], check=True)


@functools.cache
def blocks(counts: tuple[int, ...], honours: bool) -> frozenset[tuple[int, int, int]]:
    """The numbers of sets, pairs used as such, and parts of sets that a suit splits into."""
    at = next((rank for rank, count in enumerate(counts) if count), None)
    if at is None:
        return frozenset([(0, 0, 0)])
    take = lambda *ranks: blocks(tuple(count - ranks.count(rank) for rank, count in enumerate(counts)), honours)
    found = set(take(at))
    shapes = [((at,) * 3, (1, 0, 0)), ((at,) * 2, (0, 1, 0)), ((at,) * 2, (0, 0, 1))]
    if not honours:
        shapes += [((at, at + 1, at + 2), (1, 0, 0)), ((at, at + 1), (0, 0, 1)), ((at, at + 2), (0, 0, 1))]
    for ranks, (sets, pairs, parts) in shapes:
        if ranks[-1] < len(counts) and all(counts[rank] >= ranks.count(rank) for rank in ranks):
            found |= {(s + sets, p + pairs, q + parts) for s, p, q in take(*ranks) if p + pairs < 2}
    return frozenset(found)


def shanten(counts: list[int]) -> int:
    """The shanten of a hand by the textbook: the best split into sets and parts, seven pairs, thirteen orphans."""
    melds = (14 - sum(counts)) // 3
    split = {(melds, 0, 0)}
    for suit in range(4):
        own = blocks(tuple(counts[9 * suit:9 * suit + 9]), suit == 3)
        split = {(a + x, b + y, c + z) for a, b, c in split for x, y, z in own if b + y < 2}
    best = min(8 - 2 * s - min(q, 4 - s) - p for s, p, q in split if s <= 4)
    if melds == 0:
        orphans = [counts[kind] for kind in (0, 8, 9, 17, 18, 26, *range(27, 34))]
        pairs, kinds = sum(count >= 2 for count in counts), sum(count > 0 for count in counts)
        best = min(best, 6 - pairs + max(0, 7 - kinds), 13 - sum(count > 0 for count in orphans) - any(count > 1 for count in orphans))
    return best


def known(hand: str) -> tuple[str, int, list[str]]:
    """The shanten and the waits of a hand such as `123m1z5p-1z`."""
    counts = [0] * 34
    for part, sign in zip(hand.split("-"), (1, -1)):
        for digits, suit in re.findall(r"(\d+)([mpsz])", part):
            for digit in digits:
                counts["mpsz".index(suit) * 9 + (int(digit) or 5) - 1] += sign
    found = shanten(counts)
    adds = lambda kind: counts[kind] < 4 and shanten(counts[:kind] + [counts[kind] + 1] + counts[kind + 1:]) < 0
    return hand, found, [f"{kind % 9 + 1}{'mpsz'[kind // 9]}" for kind in range(34) if found == 0 and adds(kind)]


def check_cases(program: Path, folder: Path, words: str) -> None:
    """Counts all cases of conditional tables by all of their conditions in SQL, and some of them with intervals."""
    run, stats = folder / "cases", lambda arguments: json.loads(subprocess.check_output([program, "stats", *arguments, "--json"]))
    subprocess.run([program, "selfplay", *words.split(), "--log", "oracle", "--out", run, "--quiet"], check=True)
    first, second = Path(__file__).with_name("cases.sql").read_text().replace("RUN", str(run)).split("-- SECOND PART")
    duckdb.sql(first)
    hands = [known(hand) for hand, in duckdb.sql("from held").fetchall()]
    (folder / "known.json").write_text(json.dumps([dict(zip(("text", "shanten", "waits"), hand)) for hand in hands]))
    duckdb.sql(f"create or replace table known as select text, shanten, waits::varchar[] as waits from '{folder}/known.json'")
    duckdb.sql(second)
    confirmed = 0
    for cases, some in {"decisions": ["action"], "hands": ["shanten"], "riichi": ["order"], "discards": ["turn", "melds"],
                        "tiles": ["class", "riichi"], "danger": ["class", "riichi"], "deal-ins": ["discarder"]}.items():
        measures = {row["measure"]: row["kind"] for row in stats([run, "--of", cases])["rows"]}
        every = [name for name in duckdb.sql(f'from "{cases}"').columns if name != "game" and name not in measures.keys() - {"riichi"}]
        for by in ([], some, every):
            confirmed += check_table(stats([run, "--of", cases, "--by", ",".join(by)] if by else [run, "--of", cases]), cases, by, measures)
    assert stats([run, "--of", "tiles", "--by", "class"])["rows"] == stats([*words.split(), "--of", "tiles", "--by", "class"])["rows"]
    print(f"{words}: DuckDB confirms {confirmed} rows of conditional tables")


def check_table(found: dict, cases: str, by: list[str], measures: dict[str, str]) -> int:
    """Compares a conditional table with DuckDB's count."""
    column = lambda name: f'"{name}"'
    values = ", ".join(f"{column(name)}::varchar" for name in by)
    sums = ", ".join(["count(*)", *(f"sum({column(name)}::int)::bigint" for name in measures if name != "share")])
    counted: dict[tuple, dict[int, tuple]] = {}
    for game, *rest in duckdb.sql(f"select game, {values + ',' if by else ''} {sums} from {column(cases)} group by all").fetchall():
        counted.setdefault(tuple(rest[:len(by)]), {})[game] = tuple(rest[len(by):])
    games = duckdb.sql(f"select game, count(*) from {column(cases)} group by game").fetchall()
    assert {tuple(row["values"]) for row in found["rows"]} == counted.keys(), f"{cases} by {by}: other cells"
    for row in found["rows"]:
        cell, at = counted[tuple(row["values"])], list(measures).index(row["measure"])
        pairs = [(cell[game][at], cell[game][0]) for game in cell] if at else [(cell.get(game, (0,))[0], all_) for game, all_ in games]
        y, x = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
        where = f"{cases} by {by}: {row}"
        assert (row["events"], row["trials"], row["units"]) == (y, x, len(pairs)), f"{where}, DuckDB counts {(y, x, len(pairs))}"
        residuals, squares = sum((a - y / x * b) ** 2 for a, b in pairs), sum(b * b for _, b in pairs)
        others = sum(a * x != y * b for a, b in pairs)
        check_interval(where, row, interval(row["kind"], y, x, len(pairs), others, residuals, squares))
    return len(found["rows"])


def markdown(query: str, folder: Path) -> str:
    """The result of a query as a Markdown table."""
    found = duckdb.sql(query.replace("'runs/", f"'{folder}/runs/"))
    line = lambda cells: "| " + " | ".join("" if cell is None else str(cell) for cell in cells) + " |\n"
    return line(found.columns) + "|" + "---|" * len(found.columns) + "\n" + "".join(map(line, found.fetchall()))


def check_queries(program: Path, page: Path, folder: Path) -> None:
    """Runs the page's commands and queries, and compares the result after each query."""
    text = page.read_text()
    for block in re.findall(r"^```sh\njantaku (.*?)\n```", text, flags=re.MULTILINE):
        subprocess.run([program, *block.split(), "--quiet"], cwd=folder, check=True)
    pattern = re.compile(r"(^```sql\n)(.*?)(^```\n\n)((?:\|[^\n]*\n)*)", flags=re.MULTILINE | re.DOTALL)
    expected = pattern.sub(lambda found: found[1] + found[2] + found[3] + markdown(found[2], folder), text)
    if os.environ.get("JANTAKU_WRITE") == "1":
        page.write_text(expected)
    assert page.read_text() == expected, f"{page}: results differ, expected the text below; JANTAKU_WRITE=1 replaces them\n{expected}"
    print(f"{len(pattern.findall(text))} queries have the results in {page.name}")


def main() -> None:
    program, page = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_run(program, folder, "--games 1200 --seed 5 --agents greedy,greedy:calls=off,random,greedy")
        check_run(program, folder, "--games 4 --seed 5 --agents greedy,random,greedy,tsumogiri")
        check_run(program, folder, "--games 300 --seed 6 --agents greedy --rules tenhou-sanma")
        check_run(program, folder, "--games 300 --seed 7 --agents tsumogiri,random,tsumogiri,random --rules mleague")
        check_cases(program, folder, "--games 12 --seed 5 --agents greedy,greedy:calls=off,heuristic,random")
        check_queries(program, page, folder)


main()
