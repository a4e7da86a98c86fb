//! Prints figures as text and writes them to files.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use jantaku_engine::Rules;
use jantaku_show::report::numbers::{ShownDifference, ShownFigure};
use jantaku_sim::play::{By, Groups};
use jantaku_sim::stats::{
    DifferenceRow, FigureRow, FigureTable, Section, Statistics, csv, parquet, unknown_figure,
};
use jantaku_sim::store::{self, Folder};

use super::html::{HtmlOption, check_new_file};
use super::output::note;
use super::print::{self, AgentNames};

/// The options for files of figures, as [`FigureOptions`] has them.
pub(super) const FILES: [&str; 4] = ["csv", "parquet", "markdown", "html"];

/// Options that choose the figures and the files for them.
#[derive(clap::Args)]
pub(super) struct FigureOptions {
    /// Print only these sections: hands, draws, turns, yaku, han, fu, han-fu, points, games,
    /// players, spread; or single figures, such as `draws.four-kans`
    #[arg(long, value_name = "SECTION|FIGURE[,…]", value_delimiter = ',')]
    only: Vec<String>,
    /// Print figures also by groups of players (seat, wind, dealer, agent) or of hands (round-wind,
    /// round)
    #[arg(long, value_name = "GROUPS[,…]", value_delimiter = ',')]
    by: Vec<String>,
    /// Write the figures to a CSV file, one row for each figure
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the figures to a Parquet file, one row for each figure
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    /// Write the figures to a Markdown file, as a table for people
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    pub html: HtmlOption,
}

impl FigureOptions {
    /// The sections that are chosen, or have chosen figures, in order.
    pub fn sections(&self) -> anyhow::Result<Vec<Section>> {
        let wanted = self.only.iter().map(|name| section_of(name)).collect::<anyhow::Result<Vec<_>>>()?;
        let is_wanted = |section: &Section| wanted.is_empty() || wanted.contains(section);
        Ok(Section::ALL.into_iter().filter(is_wanted).collect())
    }

    /// Keeps the rows of the chosen sections and figures, and says which figures there are not.
    pub fn keep<Row: AsRef<FigureRow>>(&self, rows: &mut Vec<Row>) {
        for name in self.only.iter().filter(|name| Section::named(name).is_none()) {
            if rows.iter().all(|row| row.as_ref().name != **name) {
                note(&format!("note: --only {name}: these games have no such figure"));
            }
        }
        let is_chosen = |row: &FigureRow| {
            self.only.is_empty()
                || self.only.iter().any(|name| *name == row.section.name() || *name == row.name)
        };
        rows.retain(|row| is_chosen(row.as_ref()));
    }

    /// A line for each chosen figure that only groups have: for all players it is the same in all
    /// games.
    pub fn fixed<Row: AsRef<FigureRow>>(&self, rows: &[Row], divisions: &[By]) -> String {
        let mut text = String::new();
        for name in self.only.iter().filter(|name| Section::named(name).is_none()) {
            let groups = || rows.iter().map(AsRef::as_ref).filter(|row| row.name == **name).map(|row| row.by);
            let is_shown = groups().any(|by| by == By::All || divisions.contains(&by));
            if let Some(by) = groups().next().filter(|_| !is_shown) {
                let by = by.name();
                text += &format!("\nover all players, {name} is the same in every game; use `--by {by}`\n");
            }
        }
        text
    }

    /// Whether sections or groups are chosen.
    pub fn are_chosen(&self) -> bool {
        !self.only.is_empty() || !self.by.is_empty()
    }

    /// The chosen divisions into groups, in order.
    pub fn divisions(&self) -> anyhow::Result<Vec<By>> {
        let sections = self.sections()?;
        for name in &self.by {
            let Some(by) = By::ALL.into_iter().find(|by| by.name() == name) else {
                let known = By::ALL.map(By::name).join(", ");
                bail!("--by: unknown groups `{name}`, expected one of {known}");
            };
            let divided = divided_sections(by);
            if !divided.iter().any(|section| sections.contains(section)) {
                let divided: Vec<&str> = divided.iter().map(|section| section.name()).collect();
                bail!("--by {name}: only these sections have such groups: {}", divided.join(", "));
            }
        }
        Ok(By::ALL.into_iter().filter(|by| self.by.iter().any(|name| name == by.name())).collect())
    }

    /// Checks before a long computation that the files can be written.
    pub fn check(&self) -> anyhow::Result<()> {
        let options = [
            ("--csv", &self.csv),
            ("--parquet", &self.parquet),
            ("--markdown", &self.markdown),
            ("--html", &self.html.html),
        ];
        for (index, (option, path)) in options.iter().enumerate() {
            let same = options[..index].iter().find(|(_, other)| *other == *path);
            if let (Some((other, _)), Some(path)) = (same, path) {
                let path = path.display();
                bail!("{other} and {option}: both name {path}; choose another name for one of them");
            }
        }
        options.iter().filter_map(|(_, path)| path.as_deref()).try_for_each(check_new_file)
    }

    /// Writes the chosen files.
    pub fn write(&self, table: &FigureTable, markdown: impl FnOnce() -> String) -> anyhow::Result<()> {
        if let Some(path) = &self.csv {
            store::write(&mut Folder, path, csv(table).as_bytes())?;
        }
        if let Some(path) = &self.parquet {
            store::write(&mut Folder, path, &parquet(table, Vec::new()))?;
        }
        if let Some(path) = &self.markdown {
            store::write(&mut Folder, path, markdown().as_bytes())?;
        }
        Ok(())
    }
}

/// The section with this name, or that of the figure with this name.
fn section_of(name: &str) -> anyhow::Result<Section> {
    let Some((section, _)) = name.split_once('.') else {
        let known = Section::ALL.map(Section::name).join(", ");
        let unknown = || anyhow!("--only: unknown section `{name}`, expected one of {known}; or a figure");
        return Section::named(name).ok_or_else(unknown);
    };
    let statistics = Statistics::new(&Groups::default(), &Rules::default());
    let known: Vec<String> = statistics.figures().flat_map(|(figure, _)| figure.names()).collect();
    match Section::named(section).filter(|_| known.iter().any(|known| known == name)) {
        Some(section) => Ok(section),
        None => Err(anyhow!("--only: {}", unknown_figure(name, known))),
    }
}

/// The rows with the groups as tables call them.
pub(super) fn shown(rows: &[FigureRow], names: &AgentNames) -> Vec<FigureRow> {
    let shown = |row: &FigureRow| FigureRow { group: names.group(&row.group), ..row.clone() };
    rows.iter().map(shown).collect()
}

/// The sections with figures by these groups.
const fn divided_sections(by: By) -> &'static [Section] {
    match by {
        By::RoundWind | By::Round => {
            &[Section::Hands, Section::Draws, Section::Turns, Section::Han, Section::Points]
        }
        _ => &[Section::Players, Section::Spread],
    }
}

/// Figures by section: those of all players and hands, then those of the chosen groups.
pub(super) fn text(rows: &[FigureRow], divisions: &[By]) -> String {
    let of = |section: Section, by: By| -> Vec<&FigureRow> {
        rows.iter().filter(|row| (row.section, row.by) == (section, by)).collect()
    };
    let mut text = String::new();
    for section in Section::ALL {
        text += &match section {
            Section::HanFu => han_fu_text(&of(section, By::All)),
            Section::Spread => spread_text(section.name(), &of(section, By::All)),
            _ => section_text(section, &of(section, By::All)),
        };
        for by in divisions {
            let rows = of(section, *by);
            text += &match section {
                Section::Spread => spread_text(&format!("{} by {}", section.name(), by.name()), &rows),
                _ => group_text(section, *by, &rows),
            };
        }
    }
    text + &without_groups(divisions, |by| rows.iter().any(|row| row.by == by))
}

/// A table under a heading.
fn under(heading: &str, lines: &[Vec<String>]) -> String {
    format!("\n{}{}", print::wrapped(heading, 2), print::table(lines))
}

/// A line for each chosen division without figures, such as the agents of games from logs.
fn without_groups(divisions: &[By], has_figures: impl Fn(By) -> bool) -> String {
    let mut text = String::new();
    for by in divisions.iter().filter(|by| !has_figures(**by)) {
        let line = format!("no figures by {}: these games have no such groups", by.name());
        text += &format!("\n{}", print::wrapped(&line, 2));
    }
    text
}

/// One figure per line, under a heading for each denominator.
fn section_text(section: Section, rows: &[&FigureRow]) -> String {
    let line = |row: &&FigureRow| {
        let name = row.short_name().to_owned();
        vec![name, value(row), interval(row), events(row)]
    };
    let table = |per: &str| {
        let lines: Vec<Vec<String>> = rows.iter().filter(|row| row.per == per).map(line).collect();
        under(&format!("{}, per {per}", section.name()), &lines)
    };
    distinct(rows.iter().map(|row| row.per)).into_iter().map(table).collect()
}

/// A block for each figure, with one line for each group.
fn group_text(section: Section, by: By, rows: &[&FigureRow]) -> String {
    let names = |per: &str| distinct(rows.iter().filter(|row| row.per == per).map(|row| row.short_name()));
    let table = |per: &str| {
        let mut lines = Vec::new();
        for name in names(per) {
            lines.push(vec![name.to_owned()]);
            let groups = rows.iter().filter(|row| row.short_name() == name);
            lines.extend(
                groups.map(|row| vec![format!("  {}", row.group), value(row), interval(row), events(row)]),
            );
        }
        under(&format!("{} by {}, per {per}", section.name(), by.name()), &lines)
    };
    distinct(rows.iter().map(|row| row.per)).into_iter().map(table).collect()
}

/// A table of shares with a row for each number of fu and a column for each number of han.
fn han_fu_text(rows: &[&FigureRow]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let cell = |row: &FigureRow| {
        let (han, fu) = row.short_name().split_once("-han-").expect("the name has han and fu");
        (han.to_owned(), fu.trim_end_matches("-fu").to_owned(), value(row))
    };
    let cells: Vec<(String, String, String)> = rows.iter().map(|row| cell(row)).collect();
    let hans = distinct(cells.iter().map(|(han, ..)| han.as_str()));
    let mut fus = distinct(cells.iter().map(|(_, fu, _)| fu.as_str()));
    fus.sort_by_key(|fu| fu.trim_end_matches('+').parse::<u32>().unwrap_or(0));
    let mut lines = vec![vec![String::new()]];
    lines[0].extend(hans.iter().map(|han| format!("{han} han")));
    lines.extend(fus.iter().map(|fu| {
        let of = |han: &&str| cells.iter().find(|cell| (cell.0.as_str(), cell.1.as_str()) == (*han, *fu));
        let shares = hans.iter().map(|han| of(han).map_or_else(|| "–".to_owned(), |cell| cell.2.clone()));
        std::iter::once(format!("{fu} fu")).chain(shares).collect()
    }));
    under(&format!("{}, per {}", first.section.name(), first.per), &lines)
}

/// A table with a row for each quantity and group, and a column for each measure.
fn spread_text(heading: &str, rows: &[&FigureRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let measures = distinct(rows.iter().map(|row| parts_of_spread(row).1));
    let titles = measures.iter().map(|measure| match measure.strip_prefix('q') {
        Some(percent) => format!("{} %", percent.trim_start_matches('0')),
        None => (*measure).to_owned(),
    });
    let mut lines: Vec<Vec<String>> = vec![std::iter::once(String::new()).chain(titles).collect()];
    for (quantity, group) in distinct(rows.iter().map(|row| (parts_of_spread(row).0, row.group.as_str()))) {
        let cell = |measure: &&str| {
            let is_cell = |row: &&&FigureRow| {
                (parts_of_spread(row), row.group.as_str()) == ((quantity, *measure), group)
            };
            rows.iter().find(is_cell).map_or_else(|| "–".to_owned(), |row| value(row))
        };
        lines.push(std::iter::once(named(quantity, group)).chain(measures.iter().map(cell)).collect());
    }
    under(&format!("{heading}: standard deviation and quantiles"), &lines)
}

/// The quantity and the measure in a figure's name, such as `win-points` and `q05`.
fn parts_of_spread(row: &FigureRow) -> (&str, &str) {
    row.short_name().rsplit_once('-').expect("the name has a quantity and a measure")
}

/// The name of a figure with its group, if it is about a group.
pub(super) fn named(name: &str, group: &str) -> String {
    if group == "all" { name.to_owned() } else { format!("{name}, {group}") }
}

/// The different items in the order of their first appearance.
pub(super) fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

/// The number of events of a rate; empty for other kinds.
fn events(row: &FigureRow) -> String {
    if row.is_rate() { print::thousands(row.events.unsigned_abs()) } else { String::new() }
}

/// The value, with the decimals that its interval justifies.
pub(super) fn value(row: &FigureRow) -> String {
    ShownFigure::from(row).value()
}

/// The interval, a bound, or a dash.
pub(super) fn interval(row: &FigureRow) -> String {
    ShownFigure::from(row).interval()
}

/// Figures of variants: a block for each figure and group, with the differences from the first
/// variant.
pub(super) fn difference_text(rows: &[DifferenceRow], divisions: &[By]) -> String {
    let of = |section: Section, by: By| -> Vec<&DifferenceRow> {
        rows.iter().filter(|row| (row.row.section, row.row.by) == (section, by)).collect()
    };
    let mut text = String::new();
    for section in Section::ALL {
        text += &difference_section(section.name(), &of(section, By::All));
        for by in divisions {
            text += &difference_section(&format!("{} by {}", section.name(), by.name()), &of(section, *by));
        }
    }
    text + &without_groups(divisions, |by| rows.iter().any(|row| row.row.by == by))
}

fn difference_section(heading: &str, rows: &[&DifferenceRow]) -> String {
    let table = |per: &str| {
        let rows = || rows.iter().filter(|compared| compared.row.per == per);
        let mut lines: Vec<Vec<String>> = Vec::new();
        for name in distinct(rows().map(|compared| compared.row.short_name())) {
            let mut group = "";
            for compared in rows().filter(|compared| compared.row.short_name() == name) {
                let row = &compared.row;
                if row.group != group {
                    group = &row.group;
                    lines.push(vec![named(name, group)]);
                }
                let [difference, half] = ShownDifference::from(*compared).texts();
                let variant = format!("  {}", compared.variant);
                lines.push(vec![variant, value(row), interval(row), difference, half]);
            }
        }
        under(&format!("{heading}, per {per}"), &lines)
    };
    distinct(rows.iter().map(|compared| compared.row.per)).into_iter().map(table).collect()
}
