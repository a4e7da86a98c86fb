//! Prints figures as text and writes them to files.

use std::path::{Path, PathBuf};

use anyhow::bail;
use jantaku_sim::run::store::{self, Folder};
use jantaku_sim::stats::{DifferenceRow, FigureRow, FigureTable, Section, csv, parquet};

use super::print;

/// Options that choose the figures and the files for them.
#[derive(clap::Args)]
pub(super) struct FigureOptions {
    /// Print only these sections: hands, draws, turns, yaku, han, fu, points, games, players
    #[arg(long, value_name = "SECTION[,…]", value_delimiter = ',')]
    only: Vec<String>,
    /// Write the figures to a CSV file, one row for each figure
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the figures to a Parquet file, one row for each figure
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
}

impl FigureOptions {
    /// The chosen sections in order.
    pub fn sections(&self) -> anyhow::Result<Vec<Section>> {
        let known = || Section::ALL.map(Section::name).join(", ");
        for name in &self.only {
            if Section::named(name).is_none() {
                bail!("--only: unknown section `{name}`, expected one of {}", known());
            }
        }
        let is_wanted =
            |section: &Section| self.only.is_empty() || self.only.iter().any(|name| name == section.name());
        Ok(Section::ALL.into_iter().filter(is_wanted).collect())
    }

    /// Checks before a long computation that the files can be written.
    pub fn check(&self) -> anyhow::Result<()> {
        if let (Some(csv), true) = (&self.csv, self.csv == self.parquet) {
            bail!("--csv and --parquet: both name {}; choose another name for one of them", csv.display());
        }
        for path in self.paths() {
            let show = path.display();
            if path.exists() {
                bail!("{show}: already exists; choose another name");
            }
            if !path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir()) {
                bail!("{show}: its folder does not exist");
            }
        }
        Ok(())
    }

    fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.csv, &self.parquet].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Writes the chosen files.
    pub fn write(&self, table: &FigureTable) -> anyhow::Result<()> {
        if let Some(path) = &self.csv {
            store::write(&mut Folder, path, csv(table).as_bytes())?;
        }
        if let Some(path) = &self.parquet {
            store::write(&mut Folder, path, &parquet(table))?;
        }
        Ok(())
    }
}

/// Figures by section, one per line. The section `players` has a column for each group.
pub(super) fn text(rows: &[FigureRow]) -> String {
    let sections = Section::ALL.into_iter().filter(|section| *section != Section::Players);
    let of_table: String = sections.map(|section| section_text(section, rows)).collect();
    of_table + &players_text(rows)
}

fn section_text(section: Section, rows: &[FigureRow]) -> String {
    let rows: Vec<&FigureRow> = rows.iter().filter(|row| row.section == section).collect();
    if rows.is_empty() {
        return String::new();
    }
    // The heading has the most common denominator.
    let count = |per: &str| rows.iter().filter(|row| row.per == per).count();
    let per = rows.iter().map(|row| row.per).max_by_key(|per| count(per)).unwrap_or_default();
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let name = if row.per == per {
                row.short_name().to_owned()
            } else {
                format!("{} (per {})", row.short_name(), row.per)
            };
            let events =
                if row.is_rate() { print::thousands(row.events.unsigned_abs()) } else { String::new() };
            vec![name, value(row), interval(row), events]
        })
        .collect();
    format!("\n{}, per {per}\n{}", section.name(), print::table(&lines))
}

/// A table for all players and each seat, one for the winds, and one for several agents.
fn players_text(rows: &[FigureRow]) -> String {
    let rows: Vec<&FigureRow> = rows.iter().filter(|row| row.section == Section::Players).collect();
    let mut groups: Vec<&str> = Vec::new();
    for row in &rows {
        if !groups.contains(&row.group.as_str()) {
            groups.push(&row.group);
        }
    }
    let of = |kind: &str| groups.iter().copied().filter(|group| group.starts_with(kind)).collect::<Vec<_>>();
    let (mut seats, winds, agents) = (of("all"), of("wind "), of("agent "));
    seats.extend(of("seat "));
    // A single agent has the figures of all players.
    let agents = if agents.len() > 1 { agents } else { Vec::new() };
    let tables = [("seat", seats), ("wind", winds), ("agent", agents)];
    let tables = tables.iter().filter(|(_, groups)| !groups.is_empty());
    tables.map(|(by, groups)| group_table(by, groups, &rows)).collect()
}

fn group_table(by: &str, groups: &[&str], rows: &[&FigureRow]) -> String {
    let mut lines = vec![vec![String::new(), "per".to_owned()]];
    lines[0].extend(groups.iter().map(|group| (*group).to_owned()));
    for row in rows.iter().filter(|row| row.group == "all") {
        let of = |group: &&str| rows.iter().find(|other| other.name == row.name && other.group == **group);
        let cells: Vec<_> = groups.iter().map(of).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.iter().map(|cell| cell.map_or_else(|| "–".to_owned(), |row| short(row)));
            lines.push([row.short_name(), row.per].map(str::to_owned).into_iter().chain(cells).collect());
        }
    }
    format!("\nplayers, by {by}\n{}", print::table(&lines))
}

/// The number of decimals that shows two digits of half an interval.
fn decimals(half: f64) -> usize {
    if half > 0.0 { (1.0 - half.log10().floor()).clamp(0.0, 6.0) as usize } else { 3 }
}

/// The factor of printed values: rates are in percent.
fn scale(is_rate: bool) -> f64 {
    if is_rate { 100.0 } else { 1.0 }
}

fn half(row: &FigureRow) -> f64 {
    match (row.low, row.high) {
        (Some(low), Some(high)) => scale(row.is_rate()) * (high - low) / 2.0,
        _ => 0.0,
    }
}

/// Whether no case is an event, or every case.
fn is_all_or_none(row: &FigureRow) -> bool {
    row.is_rate() && (row.events == 0 || row.events == row.trials)
}

/// The value, with the decimals that its interval justifies.
fn value(row: &FigureRow) -> String {
    let (number, unit) = (scale(row.is_rate()) * row.value, if row.is_rate() { " %" } else { "" });
    let decimals = if is_all_or_none(row) { 0 } else { decimals(half(row)) };
    format!("{number:.decimals$}{unit}")
}

/// The interval, a one-sided bound for 0 % and 100 %, or a dash if there is no interval.
fn interval(row: &FigureRow) -> String {
    let (Some(low), Some(high)) = (row.low, row.high) else { return NO_INTERVAL.to_owned() };
    let (low, high) = (scale(row.is_rate()) * low, scale(row.is_rate()) * high);
    if is_all_or_none(row) {
        return bound(row.value == 0.0, low, high);
    }
    let decimals = decimals((high - low) / 2.0);
    format!("{low:.decimals$} – {high:.decimals$}")
}

/// Printed in place of an interval that does not exist.
const NO_INTERVAL: &str = "–";

/// A one-sided bound in percent.
fn bound(is_upper: bool, low: f64, high: f64) -> String {
    if is_upper {
        format!("≤ {high:.*}", decimals(high))
    } else {
        format!("≥ {low:.*}", decimals(100.0 - low))
    }
}

/// The value with half its interval, or with both ends if the interval is clearly asymmetric.
fn short(row: &FigureRow) -> String {
    let (number, half, unit) =
        (scale(row.is_rate()) * row.value, half(row), if row.is_rate() { "%" } else { "" });
    match (row.low, row.high) {
        (Some(low), Some(high)) if is_all_or_none(row) => {
            bound(row.value == 0.0, 100.0 * low, 100.0 * high) + unit
        }
        (Some(low), Some(high)) => {
            let decimals = decimals(half);
            // Near 0 % and 100 % the interval is longer on the inner side.
            if row.is_rate() && (half > number || half > 100.0 - number) {
                let (low, high) = (100.0 * low, 100.0 * high);
                return format!("{number:.decimals$}{unit} ({low:.decimals$} – {high:.decimals$})");
            }
            format!("{number:.decimals$}{unit} ±{half:.decimals$}")
        }
        _ => format!("{number:.3}{unit} ±{NO_INTERVAL}"),
    }
}

/// Figures of variants: a block for each figure, with the difference from the first variant.
pub(super) fn difference_text(rows: &[DifferenceRow], sections: &[Section]) -> String {
    sections.iter().map(|section| difference_section(*section, rows)).collect()
}

fn difference_section(section: Section, rows: &[DifferenceRow]) -> String {
    let mut lines: Vec<Vec<String>> = Vec::new();
    // Only files have seats, winds and agents: the printed table would be too long.
    let shown = rows.iter().filter(|shown| shown.row.section == section && shown.row.group == "all");
    let mut before = "";
    for compared in shown {
        let row = &compared.row;
        let name = if row.name == before {
            String::new()
        } else {
            format!("{} (per {})", row.short_name(), row.per)
        };
        before = &row.name;
        lines.push(vec![name, compared.variant.clone(), value(row), interval(row), difference(compared)]);
    }
    if lines.is_empty() { String::new() } else { format!("\n{}\n{}", section.name(), print::table(&lines)) }
}

/// The difference with its interval; percentage points for a rate.
fn difference(compared: &DifferenceRow) -> String {
    let Some(value) = compared.difference else { return String::new() };
    let scale = scale(compared.row.is_rate());
    let (Some(low), Some(high)) = (compared.difference_low, compared.difference_high) else {
        return format!("{:+.3}  {NO_INTERVAL}", scale * value);
    };
    let (value, low, high) = (scale * value, scale * low, scale * high);
    if (value, low, high) == (0.0, 0.0, 0.0) {
        return "0".to_owned();
    }
    let decimals = decimals((high - low) / 2.0);
    format!("{value:+.decimals$}  {low:+.decimals$} – {high:+.decimals$}")
}
