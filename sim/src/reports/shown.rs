//! Figures as reports show them.

use jantaku_show::report::numbers::{ShownDifference, ShownFigure};

use crate::stats::{DifferenceRow, FigureRow};

impl<'a> From<&'a FigureRow> for ShownFigure<'a> {
    fn from(row: &'a FigureRow) -> ShownFigure<'a> {
        let FigureRow { kind, value, events, trials, .. } = *row;
        ShownFigure { kind, value, interval: row.possible_interval(), events, trials }
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
