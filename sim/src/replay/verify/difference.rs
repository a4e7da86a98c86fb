//! A stored value that does not follow from the replayed game.

use std::fmt;

use serde::Serialize;

use crate::dataset::{TableKind, part_name};

/// A value of a run that does not follow from seeds, walls and actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The table.
    pub table: TableKind,
    /// The part.
    pub part: u64,
    /// The row in the file of the part, from 0. None for the whole file.
    pub row: Option<u64>,
    /// The game of the row.
    pub game: Option<u64>,
    /// The hand of the game.
    pub hand: Option<u16>,
    /// The step of the hand.
    pub step: Option<u16>,
    /// The column; `row` for a missing or extra row, `rows` for the number of rows, `bytes` and
    /// `sha256` for the file.
    pub column: String,
    /// The value that follows.
    pub expected: String,
    /// The stored value.
    pub found: String,
}

impl Difference {
    /// A difference of a whole file.
    pub(super) fn whole_file(
        table: TableKind,
        part: u64,
        column: &str,
        [expected, found]: [String; 2],
    ) -> Difference {
        let (row, game, hand, step) = (None, None, None, None);
        Difference { table, part, row, game, hand, step, column: column.to_owned(), expected, found }
    }

    /// The difference, located in this row.
    pub(super) fn at_row(self, row: u64) -> Difference {
        Difference { row: Some(row), ..self }
    }

    /// A difference in a row of a game: the expected and the found value.
    pub(super) fn in_row(
        table: TableKind,
        part: u64,
        (game, row): (u64, u64),
        column: &str,
        values: [String; 2],
    ) -> Difference {
        Difference { game: Some(game), ..Difference::whole_file(table, part, column, values).at_row(row) }
    }

    /// The difference, located in this hand and step; None in tables without them.
    pub(super) fn in_hand(self, hand: Option<u16>, step: Option<u16>) -> Difference {
        Difference { hand, step, ..self }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { table, part, row, column, expected, found, .. } = self;
        f.write_str(&part_name(*table, *part))?;
        if let Some(row) = row {
            write!(f, " row {row}")?;
        }
        let keys =
            [("game", self.game), ("hand", self.hand.map(u64::from)), ("step", self.step.map(u64::from))];
        let keys = keys.iter().filter_map(|(name, number)| number.map(|number| format!("{name} {number}")));
        let keys: Vec<String> = keys.collect();
        if !keys.is_empty() {
            write!(f, " ({})", keys.join(" "))?;
        }
        write!(f, ": {column}: expected {expected}, found {found}")
    }
}
