//! Figures as reports show them.

use jantaku_pages::report::{ShownDifference, ShownFigure};

use crate::stats::{DifferenceRow, FigureRow};

impl From<&FigureRow> for ShownFigure<'static> {
    fn from(row: &FigureRow) -> ShownFigure<'static> {
        ShownFigure { kind: row.kind.name(), value: row.value, interval: row.possible_interval() }
    }
}

impl From<&DifferenceRow> for ShownDifference {
    fn from(row: &DifferenceRow) -> ShownDifference {
        ShownDifference {
            scale: ShownFigure::from(&row.row).scale(),
            value: row.difference,
            interval: row.difference_low.zip(row.difference_high),
        }
    }
}
