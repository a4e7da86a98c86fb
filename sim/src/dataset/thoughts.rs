//! Builds and checks the columns of what agents report with a decision.

use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder as _, Float32Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use jantaku_agents::{Estimate, Thoughts, WrongThoughts};
use jantaku_engine::ActionSet;

use super::columns::{Column, NOT_COMPARED, TableKind};
use super::error::ReadError;
use super::file::TableFile;
use super::read::chosen;

/// The rows so far. Rows without thoughts at the end are added when they are needed: most agents
/// have none.
#[derive(Default)]
pub(super) struct ThoughtRows {
    value: Float32Builder,
    policy: ListBuilder<Float32Builder>,
    probability: Float32Builder,
    action_values: ListBuilder<Float32Builder>,
    action_errors: ListBuilder<Float32Builder>,
}

impl ThoughtRows {
    /// Adds the thoughts of a row. The rows before it that are missing have none.
    pub(super) fn push(&mut self, row: usize, thoughts: &Thoughts) {
        let Thoughts { value, policy, probability, action_values } = thoughts;
        self.fill(row);
        self.value.append_option(*value);
        self.policy.append_option(policy.as_ref().map(|policy| policy.iter().copied().map(Some)));
        self.probability.append_option(*probability);
        let of_each = |part: fn(&Estimate) -> Option<f32>| -> Option<Numbers> {
            Some(action_values.as_ref()?.iter().map(|estimate| part(estimate.as_ref()?)).collect())
        };
        self.action_values.append_option(of_each(|estimate| Some(estimate.mean)));
        let errors = of_each(|estimate| estimate.standard_error);
        self.action_errors.append_option(errors.filter(|errors| errors.iter().any(Option::is_some)));
    }

    /// Adds rows without thoughts up to this number of rows.
    fn fill(&mut self, rows: usize) {
        let missing = rows - self.value.len();
        self.value.append_nulls(missing);
        self.probability.append_nulls(missing);
        for lists in [&mut self.policy, &mut self.action_values, &mut self.action_errors] {
            lists.append_nulls(missing);
        }
    }

    /// Takes this number of rows, all so far, in the order of [`NOT_COMPARED`].
    pub(super) fn take(&mut self, rows: usize) -> [ArrayRef; 5] {
        self.fill(rows);
        [
            Arc::new(self.value.finish()),
            Arc::new(self.policy.finish()),
            Arc::new(self.probability.finish()),
            Arc::new(self.action_values.finish()),
            Arc::new(self.action_errors.finish()),
        ]
    }
}

/// What the agents reported with the decisions of a game, in order. None where they reported nothing.
///
/// # Errors
///
/// If the file of decisions cannot be read, or a list of standard errors does not fit its values.
pub fn read_thoughts(folder: &Path, part: u64, game: u64) -> Result<Vec<Option<Thoughts>>, ReadError> {
    let file = TableFile::new(folder, TableKind::Decisions, part);
    // A file of an earlier version lacks newer columns.
    let version = file.batches(&["game"])?.version();
    let is_there = |column: &&Column| column.name == "game" || NOT_COMPARED.contains(&column.name);
    let known = TableKind::Decisions.columns().filter(is_there).filter(|column| column.is_in(version));
    let names: Vec<&str> = known.map(|column| column.name).collect();
    let mut found = Vec::new();
    file.read(&names, |batch| {
        let columns = NOT_COMPARED.map(|name| batch.column_by_name(name));
        for row in chosen(batch, Some(game)) {
            let is_empty = columns.iter().flatten().all(|column| column.is_null(row));
            let read = (!is_empty).then(|| thoughts(columns, row)).transpose();
            found.push(read.map_err(|wrong| format!("game {game}: {wrong}"))?);
        }
        Ok(())
    })?;
    Ok(found)
}

/// Calls `each` with every stored row whose thoughts do not fit its legal actions or cannot be
/// true, and with what is wrong. `decisions` has the legal actions.
///
/// Only an agent knows its thoughts, so other mistakes cannot be found.
pub(super) fn each_wrong(
    stored: &RecordBatch,
    decisions: &RecordBatch,
    mut each: impl FnMut(usize, WrongThoughts),
) {
    // A file of an earlier version lacks newer columns.
    let columns = NOT_COMPARED.map(|name| stored.column_by_name(name));
    let words = ["legal_0", "legal_1", "legal_2"].map(|name| {
        decisions.column_by_name(name).expect("a column of decisions").as_primitive::<UInt64Type>()
    });
    let has_thoughts = |row: &usize| columns.iter().flatten().any(|column| column.is_valid(*row));
    for row in (0..stored.num_rows()).filter(has_thoughts) {
        let legal = ActionSet::from_words(words.map(|word| word.value(row)));
        let checked = thoughts(columns, row).and_then(|thoughts| thoughts.check(legal));
        checked.unwrap_or_else(|wrong| each(row, wrong));
    }
}

/// The stored thoughts of a decision. A null in a policy becomes a number that is no probability.
fn thoughts(columns: [Option<&ArrayRef>; 5], row: usize) -> Result<Thoughts, WrongThoughts> {
    let [value, policy, probability, means, errors] =
        columns.map(|column| column.filter(|column| column.is_valid(row)));
    let number = |column: Option<&ArrayRef>| Some(column?.as_primitive::<Float32Type>().value(row));
    let list = |column: Option<&ArrayRef>| -> Option<Numbers> {
        Some(column?.as_list::<i32>().value(row).as_primitive::<Float32Type>().iter().collect())
    };
    let or_none = |part: Option<f32>| part.unwrap_or(f32::NAN);
    let policy = list(policy).map(|policy| policy.into_iter().map(or_none).collect());
    let action_values = estimates(list(means), list(errors).as_deref())?;
    Ok(Thoughts { value: number(value), policy, probability: number(probability), action_values })
}

/// A list of numbers of a row.
type Numbers = Vec<Option<f32>>;

/// The estimates with these means and standard errors.
fn estimates(
    means: Option<Numbers>,
    errors: Option<&[Option<f32>]>,
) -> Result<Option<Vec<Option<Estimate>>>, WrongThoughts> {
    let values = means.as_deref().unwrap_or_default();
    if let Some(errors) = errors {
        let is_of_value = |(at, error): (usize, &Option<f32>)| error.is_none() || values[at].is_some();
        if errors.len() != values.len() || !errors.iter().enumerate().all(is_of_value) {
            let expected = "a list as long as action_values, null where it is null".to_owned();
            return Err(WrongThoughts { part: "action_errors", expected, found: format!("{errors:?}") });
        }
    }
    let error = |at: usize| errors.and_then(|errors| errors[at]);
    let estimate =
        |(at, mean): (usize, Option<f32>)| mean.map(|mean| Estimate { mean, standard_error: error(at) });
    Ok(means.map(|means| means.into_iter().enumerate().map(estimate).collect()))
}
