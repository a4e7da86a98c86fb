"""The pages of the rule book: tables and plots of the figures that `jantaku` printed.

`interval` and its helpers write numbers; each other function makes a page or a table of one.
"""

import math
import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plots import Row, forest

Book = dict[str, Any]
Result = dict[str, Any]
Figure = dict[str, Any]
Cells = list[str]
# A figure's name and group.
Key = tuple[str, str]
Figures = dict[Key, Figure]
# The columns of a table: a figure for each heading.
Columns = dict[str, Key]

# The columns of the tables that compare rule sets: the name of a figure for each heading.
ENDS = {
    "tsumo %": "hands.tsumo",
    "ron %": "hands.ron",
    "two rons %": "hands.two-ron",
    "three rons %": "hands.three-ron",
    "draw %": "hands.draw",
    "dealer repeats %": "hands.dealer-repeat",
    "honba": "hands.honba",
}
DRAWS = {
    "exhaustive %": "draws.exhaustive",
    "nagashi %": "draws.nagashi",
    "kyuushu kyuuhai %": "draws.kyuushu-kyuuhai",
    "four winds %": "draws.four-winds",
    "four riichi %": "draws.four-riichi",
    "four kans %": "draws.four-kans",
    "triple ron %": "draws.triple-ron",
}
LENGTH = {
    "hands a game": "games.hands",
    "turn of a win": "turns.mean",
    "bust %": "games.bust",
    "lead lost in last hand %": "games.lead-lost-in-last-hand",
    "won from last in second round %": "games.won-from-last-in-second-round",
}
PLAYERS = {
    "win %": "players.win",
    "deal-in %": "players.deal-in",
    "riichi %": "players.riichi",
    "call %": "players.call",
    "tenpai % of exhaustive draws": "players.tenpai",
    "damaten % of wins": "players.dama",
    "points of a deal-in": "players.deal-in-points",
}
VALUES = {
    "points of a win": "points.mean",
    "han": "han.mean",
    "fu": "fu.mean",
    "dora": "han.dora",
    "ura dora": "han.ura-dora",
    "red fives": "han.red-fives",
    "kita": "han.kita",
}
LIMITS = {
    "5 han %": "han.5",
    "6 %": "han.6",
    "7 %": "han.7",
    "8 %": "han.8",
    "9 %": "han.9",
    "10 %": "han.10",
    "11 %": "han.11",
    "12 %": "han.12",
    "13 or more %": "han.13+",
}
SETS = {
    "How hands end, per hand": ENDS,
    "Draws, per hand": DRAWS,
    "Length of games": LENGTH,
    "What players do, per hand of a player unless the column says otherwise": PLAYERS,
    "Values of wins": VALUES,
    "Wins with many han, per win below yakuman": LIMITS,
}
# The rule sets with columns in the tables of yaku.
IN_YAKU = ["tenhou", "mjsoul", "mleague", "ema-2025", "wrc", "jpml-a", "tenhou-sanma", "duo"]
YAKUMAN = re.compile(
    r"yaku\.(tenhou|chiihou|renhou-yakuman|kokushi.*|suuankou.*|daisangen|shousuushii|daisuushii|"
    r"tsuuiisou|chinroutou|ryuuiisou|.*chuuren|suukantsu)$"
)

# The columns of the tables of single rules.
CHANGES = {
    "hands a game": "games.hands",
    "draw %": "hands.draw",
    "points of a win": "points.mean",
    "deal-in %": "players.deal-in",
    "call %": "players.call",
    "bust %": "games.bust",
    "won from last in second round %": "games.won-from-last-in-second-round",
}
# Figures that are not listed among the clearest changes: cells of tables and distributions.
UNLISTED = ("han-fu.", "spread.", "points.", "hands.honba-", "turns.", "fu.")
CLEAREST = 4
# A change is clear if it is this many times its distance to the farther end of its interval.
CLEAR = 2

KEY_FIGURES = {
    **ENDS,
    **DRAWS,
    **LENGTH,
    **PLAYERS,
    **VALUES,
    "wins with riichi %": "yaku.riichi",
    "wins with ippatsu %": "yaku.ippatsu",
    "wins with menzen tsumo %": "yaku.menzen-tsumo",
    "wins with pinfu %": "yaku.pinfu",
    "wins with tanyao %": "yaku.tanyao",
    "wins with chiitoitsu %": "yaku.chiitoitsu",
    "wins with honitsu %": "yaku.honitsu",
    "wins with toitoi %": "yaku.toitoi",
    "wins with sanshoku doujun %": "yaku.sanshoku-doujun",
    "wins with ittsuu %": "yaku.ittsuu",
}
OF_PLAYERS = {
    "hands a game": ("games.hands", "all"),
    "draws, percentage points": ("hands.draw", "all"),
    "points of a win": ("points.mean", "all"),
    "deal-ins, percentage points": ("players.deal-in", "all"),
    "mean placement of the first dealer": ("players.placement", "seat 0"),
}
# The title and the figure of each plot of single rules.
RULES_PLOTS = {
    "rules-points": ("Points of a win", ("points.mean", "all")),
    "rules-hands": ("Hands a game", ("games.hands", "all")),
}
MARK = "<!-- Made by book.py. Edits are overwritten. -->\n\n"
# Links to the repository start with its name here. `write` makes them relative to the page.
REPOSITORY = Path(__file__).parents[2]
DEFINED = "[statistics.md](REPOSITORY/sim/docs/statistics.md) defines the figures."
LEGEND = (
    "± and ranges are 95 % intervals: one in 20 misses the true value. "
    "– : cannot happen, or was not counted."
)
DIFFERENCES = (
    "A difference is bold where its 95 % interval excludes 0. Of 20 numbers that a rule does not "
    "change, one is bold by chance. 0: the same in all games. 0.00 ± …: a difference that rounds "
    "to 0; the interval says how large the true one may be."
)


def write_pages(folder: Path, book: Book, results: dict[str, Result]) -> None:
    """Write all pages whose results are there."""
    (folder / "sets").mkdir(parents=True, exist_ok=True)
    sets = [name for part in book["frequencies"]["sets"].values() for name in part]
    made = {name: results[name] for name in sets if name in results}
    for name, result in made.items():
        write(folder / "sets" / f"{name}.md", set_page(book, name, result))
    if made:
        write(folder / "frequencies.md", frequencies_page(book, made))
        write_sets_plot(folder, made)
    if any(sweep_of(results, base, rule, book["agent"]) for base, rule in rules_of(book)):
        write(folder / "rules.md", rules_page(book, results))
        write_rules_plots(folder, book, results)
    if runs_of(book, results) or sweeps_of(book, results):
        write(folder / "players.md", players_page(book, results))


def write(path: Path, text: str) -> None:
    """Write a page that says where it comes from."""
    repository = os.path.relpath(REPOSITORY.resolve(), path.parent.resolve())
    path.write_text(MARK + text.replace("(REPOSITORY/", f"({repository}/"))


# Numbers


def interval(value: float, low: float | None, high: float | None, *, sign: bool = False) -> str:
    """A value with its interval, in as many digits as the interval determines."""
    if low is None or high is None:
        return number(value, 0 if abs(value) >= 100 else 3, sign)
    below, above = value - low, high - value
    if max(below, above) <= 0:
        return "0" if value == 0 else number(value, 3, sign)
    decimals = max(0, 1 - math.floor(math.log10(max(below, above))))
    if value == 0 and low == 0:
        return f"≤ {number(high, decimals)}"
    if min(below, above) < 0.8 * max(below, above):
        ends = f"{number(low, decimals, sign)} to {number(high, decimals, sign)}"
        return f"{number(value, decimals, sign)} ({ends})"
    return f"{number(value, decimals, sign)} ± {number(max(below, above), decimals)}"


def number(value: float, decimals: int, sign: bool = False) -> str:
    """A number with separators of thousands and a proper minus. 0 has no sign."""
    if round(value, decimals) == 0:
        return "0" if value == 0 and sign else f"{0:.{decimals}f}"
    text = f"{value:{'+' if sign else ''},.{decimals}f}"
    return text.replace("-", "−")


def scale_of(figure: Figure) -> int:
    """What a figure is multiplied by: rates are printed in per cent."""
    return 100 if figure["kind"] == "rate" else 1


def cell(figure: Figure | None) -> str:
    """A figure's value and interval."""
    if figure is None or (figure["low"] == figure["high"] == 0 and "variant" in figure):
        return "–"
    scale = scale_of(figure)
    low, high = (end if end is None else scale * end for end in (figure["low"], figure["high"]))
    return interval(scale * figure["value"], low, high)


def change(figure: Figure | None) -> str:
    """The difference of a variant from its base, bold if its interval excludes 0."""
    if figure is None:
        return "–"
    scale, low, high = scale_of(figure), figure["difference_low"], figure["difference_high"]
    if figure["difference"] == 0 and not low and not high:
        return "0"
    ends = (low, high) if low is None else (scale * low, scale * high)
    text = interval(scale * figure["difference"], *ends, sign=True)
    return f"**{text}**" if low is not None and low * high > 0 else text


def table(heads: Cells, rows: Iterable[Cells], texts: int = 1) -> str:
    """A Markdown table. The first columns are text, the others are numbers."""
    rule = "|" + "---|" * texts + "--:|" * (len(heads) - texts)
    return "\n".join([line(heads), rule, *map(line, rows)]) + "\n"


def line(cells: Cells) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


# Results


def figures(result: Result, variant: int = 0) -> Figures:
    """Figures by name and group; those of one variant of a sweep."""
    found = result["result"]
    name = found["variants"][variant]["name"] if "variants" in found else None
    wanted = [figure for figure in found["figures"] if figure.get("variant") == name]
    return {(figure["name"], figure["group"]): figure for figure in wanted}


def programs(results: Iterable[Result]) -> str:
    """The versions of the program that made some results."""
    return "; ".join(sorted({result["program"] for result in results}))


def sizes(results: Iterable[Result], unit: str) -> str:
    """The range of the numbers of hands or games."""
    hands = sorted(result["result"][unit] for result in results)
    return " to ".join(f"{size:,}" for size in dict.fromkeys((hands[0], hands[-1])))


def short(agent: str) -> str:
    """An agent without its version."""
    return re.sub(r"version=\d+,?", "", agent).rstrip(":,")


def rules_of(book: Book) -> list[tuple[str, Book]]:
    """The base and the rule of each row of the chapters."""
    return [(chapter["base"], rule) for chapter in book["chapters"] for rule in chapter["rules"]]


# Frequencies


def frequencies_page(book: Book, made: dict[str, Result]) -> str:
    """The main figures of all rule sets."""
    seed, agent = book["frequencies"]["seed"], book["agent"]
    size = sizes(made.values(), "hands")
    parts = [
        "# Frequencies under each rule set\n",
        f"Games of `{agent}` in all seats, {size} hands under each rule set. "
        "Each name leads to all figures.\n",
        f"```sh\njantaku selfplay --rules NAME --agents {agent} --seed {seed} --games N "
        "--log hands --out RUN\njantaku stats RUN\n```\n",
        f"Program: {programs(made.values())}. {DEFINED} {LEGEND}\n",
        "![Hands a game](sets-hands.svg)\n",
        "Rule sets whose games all have the same number of hands are not in the plot.\n",
    ]
    by_part = {
        part: [name for name in names if name in made]
        for part, names in book["frequencies"]["sets"].items()
    }
    parts.append("## Sizes\n")
    parts.append(table(["rules", "hands", "games"], (size_row(name, made) for name in made)))
    for title, columns in SETS.items():
        parts.append(f"## {title}\n")
        if columns is DRAWS:
            parts.append(
                "With three players, three equal winds or three riichi end a hand; with two "
                "players, two.\n"
            )
        parts.append(sets_table(by_part, made, of_all(columns)))
    parts.append("## Placement and result by first seat\n")
    seats = {
        f"{what} of seat {seat}": (f"players.{what}", f"seat {seat}")
        for what in ("placement", "result")
        for seat in range(4)
    }
    parts.append("Seat 0 is the first dealer. A result of 1,000 is +1.0.\n")
    parts.append(sets_table(by_part, made, seats))
    for title, wanted in (("Yaku", False), ("Yakuman", True)):
        parts.append(f"## {title}, per win\n")
        parts.append(yaku_table(made, wanted))
    return "\n".join(parts)


def size_row(name: str, made: dict[str, Result]) -> Cells:
    """The hands and games under a rule set."""
    found = made[name]["result"]
    return [f"[{name}](sets/{name}.md)", f"{found['hands']:,}", f"{found['games']:,}"]


def of_all(columns: dict[str, str]) -> Columns:
    """Figures of all players and hands."""
    return {head: (name, "all") for head, name in columns.items()}


def sets_table(by_part: dict[str, list[str]], made: dict[str, Result], columns: Columns) -> str:
    """A row for each rule set. Columns without figures are left out."""
    found = {name: figures(result) for name, result in made.items()}
    used = {head: key for head, key in columns.items() if any(key in of for of in found.values())}
    rows = []
    for part, names in by_part.items():
        if names:
            rows.append([f"*{part}*", *[""] * len(used)])
        rows += [
            [f"[{name}](sets/{name}.md)", *(cell(found[name].get(key)) for key in used.values())]
            for name in names
        ]
    return table(["rules", *used], rows)


def yaku_table(made: dict[str, Result], is_yakuman: bool) -> str:
    """A row for each yaku or yakuman, in per cent of wins."""
    found = {name: figures(made[name]) for name in IN_YAKU if name in made}
    names = {name: None for of in found.values() for name, _ in of if name.startswith("yaku.")}
    wanted = [name for name in names if bool(YAKUMAN.match(name)) == is_yakuman]
    rows = [
        [yaku_name(name), *(cell(of.get((name, "all"))) for of in found.values())]
        for name in wanted
    ]
    return table(["yaku, %", *(f"[{name}](sets/{name}.md)" for name in found)], rows)


def yaku_name(figure: str) -> str:
    """The yaku of a figure. One has the name of a rule set."""
    name = figure.removeprefix("yaku.")
    return f"{name} (the yaku)" if name in IN_YAKU else name


def set_page(book: Book, name: str, result: Result) -> str:
    """All figures of a rule set: the program's table, with a heading for each section."""
    found, agent, seed = result["result"], book["agent"], book["frequencies"]["seed"]
    command = (
        f"jantaku selfplay --rules {name} --agents {agent} --seed {seed} --games {found['games']} "
        "--log hands --out RUN\njantaku stats RUN --by seat --markdown TABLE"
    )
    head, rule, *rows = found["table"].strip().splitlines()
    parts = [
        f"# {name}\n",
        f"{found['games']:,} games, {found['hands']:,} hands of `{agent}`. "
        f"Program: {result['program']}.\n",
        f"```sh\n{command}\n```\n",
        f"{DEFINED} {LEGEND}",
    ]
    section = None
    for row in rows:
        of = row.removeprefix("| ").split(".")[0]
        if of != section:
            parts.append(f"\n## {of}\n\n{head}\n{rule}")
            section = of
        parts.append(row)
    return "\n".join(parts) + "\n"


# Single rules


def sweep_of(results: dict[str, Result], base: str, rule: Book, agent: str) -> Result | None:
    """The result of a rule with an agent, if it has been made."""
    return results.get(f"{base}, {rule['name']}, {agent}")


def rules_page(book: Book, results: dict[str, Result]) -> str:
    """What each rule changes."""
    agent, seed = book["agent"], book["sweeps"]["seed"]
    swept_rules = [sweep_of(results, base, rule, agent) for base, rule in rules_of(book)]
    parts = [
        "# What each rule changes\n",
        "Each row is a sweep: games under the base and with the fields of the row, on the same "
        "walls. The base's row has its own figures. The other rows have differences from it. "
        "Differences of columns in % are percentage points. "
        f"{DIFFERENCES} {LEGEND} {DEFINED}\n",
        sweep_command(agent, seed),
        f"`{agent}` plays all seats. It knows the rules and plays differently under them: it calls "
        "more where open tanyao counts, and plays for other placements with another uma. "
        f"Program: {programs(result for result in swept_rules if result)}.\n",
    ]
    for file, (title, key) in RULES_PLOTS.items():
        _, left_out = plotted(book, results, key)
        parts.append(f"![{title}]({file}.svg)\n")
        for reason, names in left_out.items():
            parts.append(f"Not in this plot, because {reason}: {', '.join(names)}.\n")
    for chapter in book["chapters"]:
        base = chapter["base"]
        found = [(rule, sweep_of(results, base, rule, agent)) for rule in chapter["rules"]]
        swept = [(rule, result) for rule, result in found if result]
        if swept:
            parts += chapter_parts(chapter, swept)
    return "\n".join(parts)


def sweep_command(agent: str, seed: int) -> str:
    """The command of a rule's row."""
    return (
        f"```sh\njantaku sweep --rules BASE --vary 'FIELD' --vary 'FIELD'… --agents {agent} "
        f"--seed {seed} --games N\n```\n\nEach field of a row needs its own `--vary`.\n"
    )


def chapter_parts(chapter: Book, swept: list[tuple[Book, Result]]) -> list[str]:
    """The tables of a chapter."""
    base = chapter["base"]
    largest = max((result for _, result in swept), key=lambda result: result["result"]["games"])
    of_base = figures(largest)
    seats = [group for name, group in of_base if name == "players.placement" and "seat" in group]
    by_seat = {
        f"{what}, {seat}": (f"players.{what}", seat)
        for what in ("placement", "result")
        for seat in seats
    }
    fields = [fields_row(rule, result) for rule, result in swept]
    return [
        f"## {chapter['name']}\n",
        *([chapter["note"] + "\n"] if "note" in chapter else []),
        table(["rule", f"fields, from `{base}`", "games"], fields, texts=2),
        changes_table(base, of_base, swept, of_all(CHANGES)),
        changes_table(base, of_base, swept, by_seat),
        table(["rule", "the clearest changes"], [clearest_row(*row) for row in swept], texts=2),
    ]


def fields_row(rule: Book, result: Result) -> Cells:
    """The fields that make a rule, and the games of its sweep."""
    fields = " ".join(f"`{field}`" for field in rule["vary"])
    return [rule["name"], fields, f"{result['result']['games']:,}"]


def changes_table(
    base: str, of_base: Figures, swept: list[tuple[Book, Result]], columns: Columns
) -> str:
    """The base's figures, and each rule's differences."""
    rows = [[f"`{base}`", *(cell(of_base.get(key)) for key in columns.values())]]
    for rule, result in swept:
        varied = figures(result, 1)
        rows.append([rule["name"], *(change(varied.get(key)) for key in columns.values())])
    return table(["difference", *columns], rows)


def clearest_row(rule: Book, result: Result) -> Cells:
    """The figures of all players that change most, in distances to their intervals' ends."""
    found = [
        (clearness(figure), figure)
        for (name, group), figure in figures(result, 1).items()
        if group == "all" and not (name.startswith(UNLISTED) and name != "points.mean")
    ]
    best = sorted((pair for pair in found if pair[0] >= CLEAR), key=lambda pair: -pair[0])
    texts = [f"{figure['name']} {change(figure).strip('*')}" for _, figure in best[:CLEAREST]]
    return [rule["name"], "; ".join(texts) or "none is clear"]


def clearness(figure: Figure) -> float:
    """How many times the distance to its interval's end a difference is."""
    low, high, value = figure["difference_low"], figure["difference_high"], figure["difference"]
    if low is None or low == high:
        return 0
    return float(abs(value) / max(value - low, high - value))


def write_sets_plot(folder: Path, made: dict[str, Result]) -> None:
    """The length of games under each rule set. A fixed length has no interval and is left out."""
    hands = {name: figures(result)["games.hands", "all"] for name, result in made.items()}
    rows = [(name, of["value"], of["low"], of["high"]) for name, of in hands.items() if of["low"]]
    (folder / "sets-hands.svg").write_text(forest("Hands a game", rows))


def write_rules_plots(folder: Path, book: Book, results: dict[str, Result]) -> None:
    """What single rules for four players change."""
    for file, (title, key) in RULES_PLOTS.items():
        rows, _ = plotted(book, results, key)
        text = forest(f"{title}: difference from tenhou", rows, zero=True)
        (folder / f"{file}.svg").write_text(text)


def plotted(
    book: Book, results: dict[str, Result], key: Key
) -> tuple[list[Row], dict[str, list[str]]]:
    """The rows of a plot of single rules, and the rules that are not in it, by the reason."""
    rows: list[Row] = []
    left_out: dict[str, list[str]] = defaultdict(list)
    for base, rule in rules_of(book):
        result = sweep_of(results, base, rule, book["agent"])
        if base != "tenhou" or result is None:
            continue
        of = figures(result, 1).get(key)
        if not rule.get("plot", True):
            left_out["they would dwarf the others"].append(rule["name"])
        elif of is None or of["difference_low"] is None:
            same = of is not None and of["difference"] == 0
            left_out["they change nothing in any game" if same else "they have no interval"].append(
                rule["name"]
            )
        else:
            ends = of["difference_low"], of["difference_high"]
            rows.append((rule["name"], of["difference"], *ends))
    return rows, left_out


# Players


def players_of(book: Book) -> list[str]:
    """The player of all other pages, and the other players."""
    return [book["agent"], *book["players"]["agents"]]


def runs_of(book: Book, results: dict[str, Result]) -> dict[str, Result]:
    """The frequencies of each player under the rule set of the players, if they are there."""
    rules = book["players"]["rules"]
    names = {agent: f"{rules}, {agent}" for agent in players_of(book)} | {book["agent"]: rules}
    return {agent: results[name] for agent, name in names.items() if name in results}


def sweeps_of(book: Book, results: dict[str, Result]) -> dict[str, list[Result]]:
    """The sweeps of each player with the rules of the players, if they are there."""
    rules = [(base, rule) for base, rule in rules_of(book) if rule.get("players")]
    found = {
        agent: [sweep for rule in rules if (sweep := sweep_of(results, *rule, agent))]
        for agent in players_of(book)
    }
    return {agent: sweeps for agent, sweeps in found.items() if sweeps}


def players_page(book: Book, results: dict[str, Result]) -> str:
    """How much figures depend on the player: other agents, and people."""
    rules, seed = book["players"]["rules"], book["frequencies"]["seed"]
    runs, sweeps = runs_of(book, results), sweeps_of(book, results)
    made = [*runs.values(), *(sweep for found in sweeps.values() for sweep in found)]
    agents = ", ".join(f"`{agent}`" for agent in players_of(book) if agent in {**runs, **sweeps})
    parts = [
        "# How much depends on the player\n",
        f"The same figures under `{rules}` with different players in all seats, and the published "
        f"figures of people. The players: {agents}. The tables leave out their versions. "
        "`greedy` plays for the nearest win and ignores danger; `heuristic:fast=on` estimates less "
        "to decide faster. [agents.md](REPOSITORY/agents/docs/agents.md) describes "
        "the players, [strength.md](REPOSITORY/docs/strength.md) has their strength.\n",
        f"Program: {programs(made)}. {DEFINED} {LEGEND}\n",
    ]
    if runs:
        parts += [
            "## Key figures\n",
            f"```sh\njantaku selfplay --rules {rules} --agents AGENT --seed {seed} --games N "
            "--log hands --out RUN\njantaku stats RUN\n```\n",
            key_table(runs),
        ]
    if sweeps:
        parts += [
            "## What a rule changes, by player\n",
            "Differences on the same walls. Where all players have the same difference, the rule "
            "changes the game. Where they differ, it changes how they play. "
            f"{DIFFERENCES} [book.toml](REPOSITORY/experiments/2026-11-27-rule-book/book.toml) has the "
            "base and the fields of each rule.\n",
            sweep_command("AGENT", book["sweeps"]["seed"]),
            *rule_tables(book, results, sweeps),
        ]
    if rules in results:
        player = short(book["agent"])
        parts += [f"## `{player}` beside people\n", *people_tables(player, results[rules])]
    return "\n".join(parts)


def key_table(runs: dict[str, Result]) -> str:
    """Key figures of each player, and of people."""
    found = [figures(result) for result in runs.values()]
    people: dict[str, str] = {}
    for source, values in published():
        for (name, group), figure in found[0].items():
            if group == "all" and name in values:
                people.setdefault(name, f"{of_people(figure, values[name])} ({source['name']})")
    hands = ["hands played", *(sizes([result], "hands") for result in runs.values()), ""]
    rows = [
        [head, *(cell(of.get((name, "all"))) for of in found), people.get(name, "")]
        for head, name in KEY_FIGURES.items()
        if any((name, "all") in of for of in found)
    ]
    return table(["", *(f"`{short(agent)}`" for agent in runs), "people"], [hands, *rows])


def rule_tables(
    book: Book, results: dict[str, Result], sweeps: dict[str, list[Result]]
) -> Iterable[str]:
    """For each figure, what each rule changes with each player."""
    games = ["games of a rule", *(sizes(found, "games") for found in sweeps.values())]
    for title, key in OF_PLAYERS.items():
        rows = []
        for base, rule in rules_of(book):
            found = [sweep_of(results, base, rule, agent) for agent in sweeps]
            if rule.get("players") and any(found):
                cells = [change(figures(of, 1).get(key)) if of else "" for of in found]
                rows.append([rule["name"], *cells])
        yield f"### {title[0].upper()}{title[1:]}\n"
        yield table(["difference", *(f"`{short(agent)}`" for agent in sweeps)], [games, *rows])


def published() -> Iterable[tuple[Book, dict[str, float]]]:
    """Each source of published figures, and its values by the names of the figures."""
    text = (Path(__file__).parent / "published.toml").read_text()
    for source in tomllib.loads(text)["population"]:
        values: dict[str, float] = {}
        for of in source["of"]:
            values |= {name: count / of["cases"] for name, count in of.get("counts", {}).items()}
            values |= of.get("rates", {}) | of.get("means", {})
        yield source, values


def people_tables(player: str, result: Result) -> Iterable[str]:
    """The figures beside those of each source of published figures."""
    found = figures(result)
    for source, values in published():
        yield f"### {source['name']}\n"
        yield f"{source['about']}. Source: {source['source']}.\n"
        if source["notes"]:
            yield "\n".join(f"- {note}" for note in source["notes"]) + "\n"
        rows = [
            [name, cell(figure), of_people(figure, values[name]), ratio(figure, values[name])]
            for (name, group), figure in found.items()
            if group == "all" and name in values
        ]
        yield table(["figure", f"`{player}`", "people", "ratio"], rows)


def of_people(figure: Figure, value: float) -> str:
    """The published value of a figure, with four significant digits."""
    shown = scale_of(figure) * value
    return number(shown, max(0, 3 - math.floor(math.log10(shown)))) if shown else "0"


def ratio(figure: Figure, value: float) -> str:
    """How many times as large a figure is as that of people."""
    return number(figure["value"] / value, 2) if value else ""
