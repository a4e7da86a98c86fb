"""The pages of the rule book: tables and plots of the figures that `jantaku` printed.

`interval` and its helpers write numbers; each other function makes a page or a table of one.
"""

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plots import forest

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
MARK = "<!-- Made by book.py. Edits are overwritten. -->\n\n"
LEGEND = "± and ranges are 95 % intervals. – : cannot happen, or was not counted."


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
    if any("variants" in result["result"] for result in results.values()):
        write(folder / "rules.md", rules_page(book, results))
        write_rules_plots(folder, book, results)
    if book["players"]["rules"] in made:
        write(folder / "players.md", players_page(book, results))


def write(path: Path, text: str) -> None:
    """Write a page that says where it comes from."""
    path.write_text(MARK + text)


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
    """A number with separators of thousands and a proper minus."""
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
    """The difference of a variant from its base, bold if its interval is without 0."""
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


def hands_of(results: Iterable[Result]) -> str:
    """The range of the numbers of hands."""
    hands = sorted(result["result"]["hands"] for result in results)
    return " to ".join(f"{size:,}" for size in dict.fromkeys((hands[0], hands[-1]))) + " hands"


# Frequencies


def frequencies_page(book: Book, made: dict[str, Result]) -> str:
    """The main figures of all rule sets."""
    seed, agent = book["frequencies"]["seed"], book["agent"]
    size = hands_of(made.values())
    parts = [
        "# Frequencies under each rule set\n",
        f"Games of `{agent}` in all seats, {size} under each rule set. "
        "Each name leads to all figures.\n",
        f"```sh\njantaku selfplay --rules NAME --agents {agent} --seed {seed} --games N "
        "--log hands --out RUN\njantaku stats RUN\n```\n",
        f"Program: {programs(made.values())}. [statistics.md](../../sim/docs/statistics.md) "
        f"defines the figures. {LEGEND}\n",
        "![Hands a game](sets-hands.svg)\n",
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
            parts.append("With fewer players, three or two equal winds or riichi end a hand.\n")
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
        [name.removeprefix("yaku."), *(cell(of.get((name, "all"))) for of in found.values())]
        for name in wanted
    ]
    return table(["%", *found], rows)


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
        "[statistics.md](../../../sim/docs/statistics.md) defines the figures and their intervals.",
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
    made = [result for result in results.values() if "variants" in result["result"]]
    parts = [
        "# What each rule changes\n",
        "Each row is a sweep: games under the base and with the fields of the row, on the same "
        "walls. The base's row has its own figures. The other rows have differences from it, bold "
        "where the 95 % interval is without 0. Of 20 numbers that a rule does not change, one is "
        "bold by chance. Differences of columns in % are percentage points. "
        f"{LEGEND} 0: the same in all games.\n",
        f"```sh\njantaku sweep --rules BASE --vary FIELD… --agents {agent} --seed {seed} "
        "--games N\n```\n",
        f"`{agent}` plays all seats. It knows the rules and plays differently under them: it calls "
        "more where open tanyao counts, and plays for other placements with another uma. "
        f"Program: {programs(made)}.\n",
        "![Points of a win](rules-points.svg)\n\n![Hands a game](rules-hands.svg)\n",
    ]
    for chapter in book["chapters"]:
        base = chapter["base"]
        found = [(rule, sweep_of(results, base, rule, agent)) for rule in chapter["rules"]]
        swept = [(rule, result) for rule, result in found if result]
        if swept:
            parts += chapter_parts(chapter["name"], base, swept)
    return "\n".join(parts)


def chapter_parts(name: str, base: str, swept: list[tuple[Book, Result]]) -> list[str]:
    """The tables of a chapter."""
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
        f"## {name}\n",
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
    agent = book["agent"]
    for file, title, key in (
        ("rules-points", "Points of a win: difference from tenhou", ("points.mean", "all")),
        ("rules-hands", "Hands a game: difference from tenhou", ("games.hands", "all")),
    ):
        found = [
            (rule["name"], figures(result, 1).get(key))
            for chapter in book["chapters"]
            for rule in chapter["rules"]
            if chapter["base"] == "tenhou"
            and rule.get("plot", True)
            and (result := sweep_of(results, chapter["base"], rule, agent))
        ]
        rows = [
            (name, of["difference"], of["difference_low"], of["difference_high"])
            for name, of in found
            if of and of["difference_low"] is not None
        ]
        (folder / f"{file}.svg").write_text(forest(title, rows, zero=True))


# Players


def players_page(book: Book, results: dict[str, Result]) -> str:
    """How much figures depend on the player: other agents, and people."""
    rules = book["players"]["rules"]
    runs = {book["agent"]: results[rules]} | {
        agent: results[f"{rules}, {agent}"]
        for agent in book["players"]["agents"]
        if f"{rules}, {agent}" in results
    }
    parts = [
        "# How much depends on the player\n",
        f"The same figures under `{rules}` with other players in all seats, and the published "
        "figures of people. `greedy` ignores danger and calls whatever brings it nearer. "
        "`heuristic:fast=on` estimates less and is 0.08 placements weaker than `heuristic`; "
        "`residual` is stronger.\n",
        f"Seed {book['frequencies']['seed']} for frequencies, {book['sweeps']['seed']} for rules. "
        f"Program: {programs(runs.values())}. {LEGEND}\n",
        "## Key figures\n",
        key_table(runs),
        "## What a rule changes, by player\n",
        "Differences on the same walls. Where all players have the same difference, the rule "
        "changes the game. Where they differ, it changes how they play.\n",
        *rule_tables(book, results, list(runs)),
        "## `heuristic` beside people\n",
        *people_tables(results[rules]),
    ]
    return "\n".join(parts)


def key_table(runs: dict[str, Result]) -> str:
    """Key figures of each player, and of people."""
    found = [figures(result) for result in runs.values()]
    sources = next(iter(runs.values()))["result"]["people"]
    people: dict[str, str] = {}
    for name, source in sources.items():
        for figure in source["figures"]:
            shown = of_people(figure)
            people.setdefault(figure["name"], f"{shown} ({name})")
    hands = ["hands played", *(f"{result['result']['hands']:,}" for result in runs.values()), ""]
    rows = [
        [head, *(cell(of.get((name, "all"))) for of in found), people.get(name, "")]
        for head, name in KEY_FIGURES.items()
        if any((name, "all") in of for of in found)
    ]
    return table(["", *(f"`{agent}`" for agent in runs), "people"], [hands, *rows])


def rule_tables(book: Book, results: dict[str, Result], agents: list[str]) -> Iterable[str]:
    """For each figure, what each rule changes with each player."""
    rules = [
        (chapter["base"], rule)
        for chapter in book["chapters"]
        for rule in chapter["rules"]
        if rule.get("players")
    ]
    for title, key in OF_PLAYERS.items():
        rows = []
        for base, rule in rules:
            found = [sweep_of(results, base, rule, agent) for agent in agents]
            cells = [change(figures(of, 1).get(key)) if of else "" for of in found]
            rows.append([rule["name"], *cells])
        yield f"### {title[0].upper()}{title[1:]}\n"
        yield table(["difference", *(f"`{agent}`" for agent in agents)], rows)


def people_tables(result: Result) -> Iterable[str]:
    """The program's comparison with each source of published figures."""
    for name, source in result["result"]["people"].items():
        yield f"### {name}\n"
        yield f"{source['about']}. Source: {source['source']}.\n"
        if source["notes"]:
            yield "\n".join(f"- {note}" for note in source["notes"]) + "\n"
        rows = []
        for figure in source["figures"]:
            errors = figure["standard_errors"]
            shown = "" if errors is None else number(errors, 1, sign=True)
            rows.append([figure["name"], cell(figure), of_people(figure), ratio(figure), shown])
        yield table(["figure", "`heuristic`", "people", "ratio", "standard errors"], rows)


def of_people(figure: Figure) -> str:
    """The published value of a comparison, with its interval."""
    scale, low, high = scale_of(figure), figure["other_low"], figure["other_high"]
    ends = (None, None) if low is None or high is None else (scale * low, scale * high)
    return interval(scale * figure["other"], *ends)


def ratio(figure: Figure) -> str:
    """How many times as large a figure is as that of people."""
    return number(figure["value"] / figure["other"], 2) if figure["other"] else ""
