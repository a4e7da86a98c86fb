//! Reads and checks what agents reported with their decisions.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_array::types::Float32Type;
use jantaku_agents::{Estimate, SearchInfo, WrongSearchInfo};
use jantaku_engine::ActionSet;

use super::error::ReadError;
use super::file::TableFile;
use super::select::{Selection as _, select};
use super::table::TableKind;
use super::types::{Items, Nullables, Numbers, StoredColumn as _};

select! {
    /// What agents reported, with the games of the rows.
    struct ReportedColumns from decisions { game, value, policy, probability, action_values, action_errors }
}

select! {
    #[expect(clippy::struct_field_names, reason = "the words of one set")]
    struct LegalColumns from decisions { legal_0, legal_1, legal_2 }
}

/// What the agents reported with the decisions of a game, in order. None where they reported nothing.
///
/// # Errors
///
/// If the file of decisions cannot be read, or a list of standard errors does not fit its values.
pub fn read_search_info(folder: &Path, part: u64, game: u64) -> Result<Vec<Option<SearchInfo>>, ReadError> {
    let mut found = Vec::new();
    let file = TableFile::new(folder, TableKind::Decisions, part);
    read_search_info_of(&file, Some(game), |_, search_info| found.push(search_info))?;
    Ok(found)
}

/// Calls `each` for every decision in a file, or every decision of one game, with the number of the
/// game and what the agent reported.
///
/// # Errors
///
/// As [`read_search_info`].
pub(crate) fn read_search_info_of(
    file: &TableFile,
    only: Option<u64>,
    mut each: impl FnMut(u64, Option<SearchInfo>),
) -> Result<(), ReadError> {
    file.read(|reported: &ReportedColumns, row| {
        let game = reported.game.at(row);
        if only.is_none_or(|only| only == game) {
            let search_info = reported.search_info(row);
            each(game, search_info.map_err(|wrong| format!("game {game}: {wrong}"))?);
        }
        Ok(())
    })
}

/// Calls `each` with every stored row whose search info does not fit its legal actions or cannot be
/// true, and with the error. Row k of `decisions` has the legal actions of stored row k.
///
/// Only an agent knows its search info, so other mistakes cannot be found.
pub(super) fn each_wrong(
    stored: &RecordBatch,
    decisions: &RecordBatch,
    mut each: impl FnMut(usize, WrongSearchInfo),
) {
    let (reported, legal) = (ReportedColumns::of(stored), LegalColumns::of(decisions));
    for row in 0..stored.num_rows() {
        let words = [legal.legal_0.at(row), legal.legal_1.at(row), legal.legal_2.at(row)];
        let check = |search_info: SearchInfo| search_info.check(ActionSet::from_words(words));
        let checked = reported.search_info(row).and_then(|search_info| search_info.map_or(Ok(()), check));
        checked.unwrap_or_else(|wrong| each(row, wrong));
    }
}

impl ReportedColumns {
    /// The search info in a row; None if there is none. A null in a policy becomes NaN, which
    /// [`SearchInfo::check`] refuses. Standard errors that do not fit the values are an error.
    fn search_info(&self, row: usize) -> Result<Option<SearchInfo>, WrongSearchInfo> {
        let (value, probability) = (self.value.at(row), self.probability.at(row));
        let [policy, means, errors] = [&self.policy, &self.action_values, &self.action_errors]
            .map(|lists| lists.at(row).as_ref().map(numbers));
        if value.is_none()
            && probability.is_none()
            && [&policy, &means, &errors].iter().all(|list| list.is_none())
        {
            return Ok(None);
        }
        let or_nan = |number: Option<f32>| number.unwrap_or(f32::NAN);
        let policy = policy.map(|policy| policy.into_iter().map(or_nan).collect());
        let action_values = estimates(means, errors.as_deref())?;
        Ok(Some(SearchInfo { value, policy, probability, action_values }))
    }
}

fn numbers(list: &Items<'_, Nullables<Numbers<Float32Type>>>) -> OptionalNumbers {
    list.iter().collect()
}

/// A list of numbers; None for a null.
type OptionalNumbers = Vec<Option<f32>>;

/// The estimates with these means and standard errors.
fn estimates(
    means: Option<OptionalNumbers>,
    errors: Option<&[Option<f32>]>,
) -> Result<Option<Vec<Option<Estimate>>>, WrongSearchInfo> {
    let values = means.as_deref().unwrap_or_default();
    if let Some(errors) = errors {
        let fits_value = |(at, error): (usize, &Option<f32>)| error.is_none() || values[at].is_some();
        if errors.len() != values.len() || !errors.iter().enumerate().all(fits_value) {
            let expected = "a list as long as action_values, null where it is null".to_owned();
            return Err(WrongSearchInfo { part: "action_errors", expected, found: format!("{errors:?}") });
        }
    }
    let error = |at: usize| errors.and_then(|errors| errors[at]);
    let estimate =
        |(at, mean): (usize, Option<f32>)| mean.map(|mean| Estimate { mean, standard_error: error(at) });
    Ok(means.map(|means| means.into_iter().enumerate().map(estimate).collect()))
}
