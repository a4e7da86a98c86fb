//! The documentation of all columns.

use std::fmt::Write as _;

use jantaku_engine::ActionId;

use super::column::{Column, OLDEST_SCHEMA, Provenance, SCHEMA_VERSION};
use super::table::TableKind;

/// The part of `sim/docs/dataset.md` that is generated from the columns.
pub fn reference() -> String {
    let mut text =
        format!("This is version {SCHEMA_VERSION} of the tables.\n\n{}\n{}", versions(), compared());
    TableKind::ALL.into_iter().for_each(|table| text += &columns_as_markdown(table, SCHEMA_VERSION));
    text + &actions()
}

/// What a table has in this version of the tables: a heading, its documentation, and a row for each column.
pub(crate) fn columns_as_markdown(table: TableKind, schema: u32) -> String {
    let about: Vec<&str> = table.about().iter().map(|line| line.trim()).collect();
    let mut text = format!("\n## {}\n\n{}\n\n", table.name(), about.join("\n"));
    text += "| column | type | null | since | stored | meaning |\n|---|---|---|---|---|---|\n";
    table.columns_of(schema).for_each(|column| text += &line(column));
    text
}

/// How other versions are treated.
fn versions() -> String {
    format!(
        "The column `since` names the version that added a column. Commands read runs of version\n\
         {OLDEST_SCHEMA} and later, and refuse other versions.\n"
    )
}

/// The columns that `verify` compares.
fn compared() -> String {
    let list = |provenance| {
        let columns = TableKind::ALL.into_iter().flat_map(TableKind::columns);
        let names = columns
            .filter(|column| column.provenance == provenance)
            .map(|column| format!("`{}`", column.name));
        names.collect::<Vec<_>>().join(", ")
    };
    let (of_agents, of_logs) = (list(Provenance::Agent), list(Provenance::Log));
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
    let Column { name, kind, nullable, since, storage, meaning, .. } = column;
    let (kind, null, stored) = (kind.name(), if *nullable { "yes" } else { "" }, storage.name());
    format!("| `{name}` | {kind} | {null} | {since} | {stored} | {meaning} |\n")
}
