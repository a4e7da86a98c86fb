//! The documentation of all columns.

use std::fmt::Write as _;

use jantaku_engine::ActionId;
use parquet::basic::Encoding;

use super::columns::{Column, NOT_COMPARED, NOT_COMPARED_OF_LOGS, SCHEMA_VERSION, TableKind};
use super::encoding::encoding;

/// The part of `sim/docs/dataset.md` that is generated from the columns.
#[must_use]
pub fn reference() -> String {
    let mut text =
        format!("This is version {SCHEMA_VERSION} of the tables.\n\n{}\n{}", versions(), compared());
    for table in TableKind::ALL {
        let (name, about) = (table.name(), about(table));
        write!(text, "\n## {name}\n\n{about}\n\n").expect("writing to a String cannot fail");
        text += "| column | type | null | since | stored | meaning |\n|---|---|---|---|---|---|\n";
        table.columns().for_each(|column| text += &line(column));
    }
    text + &actions()
}

/// How runs of earlier versions are read.
fn versions() -> &'static str {
    "The column `since` names the version that added a column, and the column's name in version 1 if it\n\
     had another one. Commands read the runs of all versions under the present names. `verify` compares\n\
     the columns that a run has. A command that needs another column says so: `jantaku convert --to run`\n\
     makes a run of the present version, without what only the agents knew.\n"
}

/// The columns that `verify` compares.
fn compared() -> String {
    let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let (of_agents, of_logs) = (list(&NOT_COMPARED), list(&NOT_COMPARED_OF_LOGS));
    format!(
        "`jantaku verify` recomputes every column from seeds, walls and actions and compares it.\n\
         It does not compare what only the agent knows:\n\
         {of_agents}.\n\
         But their lists must have an entry for each legal action, probabilities lie between 0 and 1, a\n\
         policy adds up to 1 (within 0.001), and numbers are finite. For games from logs it does not\n\
         compare {of_logs} either.\n"
    )
}

/// The numbers of all actions.
fn actions() -> String {
    let mut text = "\n## Actions\n\n\
        Every action has a number, the same under all rules. The files of `decisions` have this list as\n\
        JSON in their metadata, under the key `jantaku.actions`: 165 texts, of which the first is\n\
        action 0. `jantaku actions` prints it.\n\n\
        | number | action | meaning |\n|---|---|---|\n"
        .to_owned();
    for id in ActionId::all() {
        let (number, action) = (id.number(), id.action());
        writeln!(text, "| {number} | {action} | {} |", action.meaning()).expect("a String takes everything");
    }
    text
}

fn line(column: &Column) -> String {
    let Column { name, kind, nullable, since, before, meaning, .. } = column;
    let (kind, null) = (kind.name(), if *nullable { "yes" } else { "" });
    let since = before.map_or_else(|| since.to_string(), |before| format!("{since}, as `{before}`"));
    format!("| `{name}` | {kind} | {null} | {since} | {} | {meaning} |\n", stored(column))
}

fn about(table: TableKind) -> &'static str {
    match table {
        TableKind::Games => "One row per game, sorted by `game`.",
        TableKind::Hands => "One row per hand, sorted by `game` and `hand`.",
        TableKind::Decisions => {
            "One row per decision, sorted by `game`, `hand` and `step`: what the seat saw, the legal\n\
             actions, the chosen action and its outcome. The seat sees every column except `step`,\n\
             `outranked` and the labels."
        }
        TableKind::Walls => {
            "One row per hand, in runs of games from logs and with `--log oracle`: the walls of\n\
             self-play games follow from their seeds. No player sees any of it. With four players,\n\
             tiles 0 to 51 are dealt and 52 to 121 are live. After k replacement tiles, the next live\n\
             tile is tile 122 - k - `live`."
        }
        TableKind::Oracle => {
            "One row per decision, only with `--log oracle`: what no player sees. Row k belongs to row k\n\
             of the same part of `decisions`."
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
