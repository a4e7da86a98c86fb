//! Prints figures as text and writes them to files.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use jantaku_engine::Rules;
use jantaku_measure::reports::page::Reported;
use jantaku_measure::stats::{
    FigureRow, FigureTable, Section, Statistics, can_occur, csv, parquet, unknown_figure,
};
use jantaku_sim::play::{By, Groups};
use jantaku_sim::store::{self, Folder};

use super::html::{HtmlOption, check_new_file};
use super::output::{Output, note};
use super::print;

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
    pub by: Vec<String>,
    /// Write the figures to a CSV file, one row for each figure
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the figures to a Parquet file, one row for each figure
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    /// Write the result to a Markdown file, as tables for people
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

    /// Keeps the rows of the chosen sections and figures, and notes why a chosen figure has no row. `rules`
    /// are the rule files of all games; empty if they are not known.
    pub fn keep<Row: AsRef<FigureRow>>(&self, rows: &mut Vec<Row>, rules: &[String]) {
        let rules: Vec<Rules> = rules.iter().filter_map(|text| Rules::from_toml(text, "").ok()).collect();
        for name in self.only.iter().filter(|name| Section::named(name).is_none()) {
            if rows.iter().all(|row| row.as_ref().name != **name) {
                let is_excluded = !rules.is_empty() && !rules.iter().any(|rules| can_occur(name, rules));
                let why = if is_excluded {
                    "cannot occur under these rules"
                } else {
                    "these games have no such figure"
                };
                note(&format!("note: --only {name}: {why}"));
            }
        }
        let is_chosen = |row: &FigureRow| {
            self.only.is_empty()
                || self.only.iter().any(|name| {
                    row.section().is_some_and(|section| *name == section.name()) || *name == row.name
                })
        };
        rows.retain(|row| is_chosen(row.as_ref()));
    }

    /// A sentence for each chosen figure that only groups have: for all players it is the same in all
    /// games.
    fn fixed<Row: AsRef<FigureRow>>(&self, rows: &[Row], divisions: &[By]) -> Vec<String> {
        let mut found = Vec::new();
        for name in self.only.iter().filter(|name| Section::named(name).is_none()) {
            let groups =
                || rows.iter().map(AsRef::as_ref).filter(|row| row.name == **name).map(FigureRow::by);
            let is_shown = groups().any(|by| by == By::All || divisions.contains(&by));
            if let Some(by) = groups().next().filter(|_| !is_shown) {
                let by = by.name();
                found.push(format!("over all players, {name} is the same in every game; use `--by {by}`"));
            }
        }
        found
    }

    /// Whether sections or groups are chosen.
    pub fn are_chosen(&self) -> bool {
        !self.only.is_empty() || !self.by.is_empty()
    }

    /// The chosen divisions into groups, in order.
    pub fn divisions(&self) -> anyhow::Result<Vec<By>> {
        let sections = self.sections()?;
        for name in &self.by {
            let Some(by) = By::DIVISIONS.into_iter().find(|by| by.name() == name) else {
                let known = By::DIVISIONS.map(By::name).join(", ");
                bail!("--by: unknown groups `{name}`, expected one of {known}");
            };
            let divided = divided_sections(by);
            if !divided.iter().any(|section| sections.contains(section)) {
                let divided: Vec<&str> = divided.iter().map(|section| section.name()).collect();
                bail!("--by {name}: only these sections have such groups: {}", divided.join(", "));
            }
        }
        Ok(By::DIVISIONS.into_iter().filter(|by| self.by.iter().any(|name| name == by.name())).collect())
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

    /// Writes the chosen files and prints the result. `figures` are its figures, also as a table.
    pub fn write<Row: AsRef<FigureRow>>(
        &self,
        result: &impl Reported,
        figures: &[Row],
        table: &FigureTable,
        divisions: &[By],
        output: Output,
    ) -> anyhow::Result<()> {
        if let Some(path) = &self.csv {
            store::write(&Folder, path, csv(table).as_bytes())?;
        }
        if let Some(path) = &self.parquet {
            store::write(&Folder, path, &parquet(table, Vec::new()))?;
        }
        if let Some(path) = &self.markdown {
            store::write(&Folder, path, result.report(divisions).to_markdown().as_bytes())?;
        }
        self.html.write(result, divisions)?;
        output.print(result, || {
            let mut report = result.report(divisions);
            report.findings.extend(self.fixed(figures, divisions));
            let report = if output.quiet { report.without_head() } else { report };
            report.to_text(print::width())
        })
    }
}

/// The section with this name, or the section of the figure with this name.
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

/// The sections with figures by these groups.
const fn divided_sections(by: By) -> &'static [Section] {
    match by {
        By::RoundWind | By::Round => {
            &[Section::Hands, Section::Draws, Section::Turns, Section::Han, Section::Points]
        }
        _ => &[Section::Players, Section::Spread],
    }
}
