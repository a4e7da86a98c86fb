//! The columns of all tables as a document.

use std::fmt::Write as _;

use parquet::basic::Encoding;

use super::columns::{COLUMNS, Column, NOT_COMPARED, NOT_COMPARED_OF_LOGS, SCHEMA_VERSION, Table};
use super::part::encoding;

/// The part of `sim/docs/dataset.md` that follows from the columns.
#[must_use]
pub fn reference() -> String {
    let mut text = format!("These are the tables of version {SCHEMA_VERSION}.\n\n{}", compared());
    for table in Table::ALL {
        let (name, about) = (table.name(), about(table));
        write!(text, "\n## {name}\n\n{about}\n\n").expect("a String takes everything");
        text += "| column | type | null | since | stored | meaning |\n|---|---|---|---|---|---|\n";
        COLUMNS.iter().filter(|column| column.table == table).for_each(|column| text += &line(column));
    }
    text
}

/// Which columns `verify` compares.
fn compared() -> String {
    let list =
        |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
    let (of_agents, of_logs) = (list(&NOT_COMPARED), list(&NOT_COMPARED_OF_LOGS));
    format!(
        "`jantaku verify` compares every column with what follows from seeds, walls and actions, but not {of_agents}, which agents alone \
         know, and not {of_logs} of games that came from logs. A policy has to have an entry for each legal action all the same.\n"
    )
}

fn line(column: &Column) -> String {
    let Column { name, kind, nullable, since, meaning, .. } = column;
    let (kind, null) = (kind.name(), if *nullable { "yes" } else { "" });
    format!("| `{name}` | {kind} | {null} | {since} | {} | {meaning} |\n", stored(column))
}

fn about(table: Table) -> &'static str {
    match table {
        Table::Games => "A row a game, in order of `game`.",
        Table::Hands => "A row a hand, in order of `game` and `hand`.",
        Table::Decisions => {
            "A row a decision, in order of `game`, `hand` and `step`: what the seat saw, what was legal, what was chosen, and what became of \
             it. Nothing in it is hidden from the seat but `step`, `outranked` and the labels."
        }
        Table::Walls => {
            "A row a hand, in runs of games that came from logs alone: the walls of others follow from their seeds. What is in it nobody at \
             the table could know."
        }
    }
}

fn stored(column: &Column) -> &'static str {
    match encoding(column) {
        None => "dictionary",
        Some(Encoding::PLAIN) => "plain",
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY) => "lengths",
        Some(_) => "delta",
    }
}
