//! Reads labels by rollouts.

use jantaku_agents::candidates::{Compared, ComparisonKind};
use jantaku_agents::labels::{Label, LabelledAction, Sums};
use jantaku_agents::{Candidate, WinMode};
use jantaku_engine::ActionId;

use super::error::ReadError;
use super::file::TableFile;
use super::select::select;
use super::types::{Items, StoredColumn as _};

select! {
    struct LabelColumns from labels {
        game, decision, kind, unit, deals, actions, value_sums, value_squares, difference_sums,
        difference_squares, gaps, doubts, estimates, risks, wins, win_points, modes, plan_shanten, ukeire
    }
}

/// Calls `each` with the game of every label in a file, the number of its decision, and the label.
///
/// # Errors
///
/// If the file cannot be read, the lists of a row have different lengths, or a value is invalid.
pub(crate) fn read_labels_of(
    file: &TableFile,
    mut each: impl FnMut(u64, u32, Label),
) -> Result<(), ReadError> {
    file.read(|columns: &LabelColumns, row| {
        let (game, decision) = (columns.game.at(row), columns.decision.at(row));
        let place = |what: String| format!("game {game} decision {decision}: {what}");
        let name = columns.kind.at(row);
        let kind = kind_named(name).ok_or_else(|| place(format!("unknown kind of comparison `{name}`")))?;
        let wrong = || place("lists of different lengths, or an invalid value".into());
        let label = columns.label(row, kind).ok_or_else(wrong)?;
        each(game, decision, label);
        Ok(())
    })
}

fn kind_named(name: &str) -> Option<ComparisonKind> {
    ComparisonKind::ALL.into_iter().find(|kind| kind.name() == name)
}

impl LabelColumns {
    /// The label in a row. None if its lists have different lengths or a value is invalid.
    fn label(&self, row: usize, kind: ComparisonKind) -> Option<Label> {
        let numbers = self.actions.at(row);
        let [values, squares, differences, difference_squares, doubts] = [
            &self.value_sums,
            &self.value_squares,
            &self.difference_sums,
            &self.difference_squares,
            &self.doubts,
        ]
        .map(|column| column.at(row));
        let [gaps, estimates, risks, wins, points, modes, shanten, ukeire] = [
            &self.gaps,
            &self.estimates,
            &self.risks,
            &self.wins,
            &self.win_points,
            &self.modes,
            &self.plan_shanten,
            &self.ukeire,
        ]
        .map(|column| column.at(row));
        let lengths = [&values, &squares, &differences, &difference_squares, &doubts].map(Items::len);
        let others = [&gaps, &estimates, &risks, &wins, &points, &modes, &shanten, &ukeire];
        let is_whole = lengths.iter().all(|length| *length == numbers.len())
            && others.iter().all(|list| list.len() == numbers.len());
        if !is_whole {
            return None;
        }
        let action = |index: usize| {
            let action = ActionId::new(numbers.at(index))?.action();
            let of = |list: &Items<'_, _>| list.at(index);
            let estimate = match (of(&estimates), of(&risks), of(&wins), of(&points)) {
                (Some(value), Some(risk), Some(win), Some(points)) => Some(Candidate {
                    action,
                    value,
                    risk,
                    win,
                    points,
                    mode: *WinMode::ALL.get(of(&modes)? as usize)?,
                    shanten: of(&shanten)? as i8,
                    ukeire: of(&ukeire)?,
                }),
                _ => None,
            };
            Some(LabelledAction {
                compared: Compared { action, gap: gaps.at(index), estimate },
                doubt: doubts.at(index),
                values: Sums { sum: values.at(index), squares: squares.at(index) },
                differences: Sums { sum: differences.at(index), squares: difference_squares.at(index) },
            })
        };
        let actions = (0..numbers.len()).map(action).collect::<Option<Vec<_>>>()?;
        Some(Label { kind, unit: self.unit.at(row), deals: self.deals.at(row), actions })
    }
}
