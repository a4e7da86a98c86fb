//! Compares the rows of replayed games with the tables of a part.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt16Type;

use super::difference::Difference;
use super::source::ReplayedGame;
use crate::dataset::{
    CellDifference, Provenance, ReadError, RowBuffers, Selection as _, StoredColumn as _, StoredRows,
    TableKind, select,
};

select! {
    struct SeatColumn from decisions { seat }
}

/// How well a replay reproduced the events of a stored game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reproduction {
    /// It has the stored events.
    Exact,
    /// It has other events than stored.
    OtherEvents,
    /// It has other events, and its rules are not those of `rules_hash` in its row of games.
    OtherRules,
}

/// The tables of a part while their rows are compared.
pub(super) struct Tables {
    part: u64,
    /// The game whose rows are compared.
    game: u64,
    stored: Vec<(TableKind, StoredRows)>,
    differences: Vec<Difference>,
}

impl Tables {
    /// A part without tables.
    pub const fn new(part: u64) -> Tables {
        Tables { part, game: 0, stored: Vec::new(), differences: Vec::new() }
    }

    /// Adds a table that the run keeps.
    pub fn add(&mut self, table: TableKind, rows: StoredRows) {
        self.stored.push((table, rows));
    }

    /// Sets the game whose rows are compared next.
    pub(super) const fn start_game(&mut self, game: u64) {
        self.game = game;
    }

    pub(super) fn differences(&self) -> &[Difference] {
        &self.differences
    }

    pub(super) fn into_differences(self) -> Vec<Difference> {
        self.differences
    }

    /// Compares a game. `decisions` is the number of its stored rows of decisions.
    ///
    /// If the game did not go as stored, the caller skips to the next game.
    pub(super) fn compare_game(
        &mut self,
        rows: &mut RowBuffers,
        replayed: &ReplayedGame,
        decisions: usize,
    ) -> Result<Reproduction, ReadError> {
        let [games, hands, all_decisions, walls, oracle, labels] =
            TableKind::ALL.map(|table| rows.take(table));
        let row = self.row(TableKind::Games);
        let cells = self.compare(TableKind::Games, &games)?;
        let reproduction = reproduction(replayed, &cells, &games);
        // A game that diverges may have more decisions than stored: they have no rows to compare with.
        let most = match reproduction {
            Reproduction::OtherRules => {
                self.report_all(TableKind::Games, &games, cells);
                return Ok(reproduction);
            }
            Reproduction::OtherEvents if !self.is_by_key(TableKind::Decisions) => decisions,
            Reproduction::OtherEvents | Reproduction::Exact => usize::MAX,
        };
        let expected = all_decisions.slice(0, all_decisions.num_rows().min(most));
        let decision_cells = self.compare_decisions(&expected, replayed, row)?;
        if reproduction == Reproduction::OtherEvents
            && let Some(row) = first_diverging(&decision_cells)
        {
            self.report_divergence(&expected, decision_cells, row, replayed);
            return Ok(reproduction);
        }
        self.report_all(TableKind::Games, &games, cells);
        self.report_all(TableKind::Decisions, &expected, decision_cells);
        let others = [
            (TableKind::Hands, hands),
            (TableKind::Walls, walls),
            (TableKind::Oracle, oracle),
            (TableKind::Labels, labels),
        ];
        for (table, expected) in others {
            let cells = self.compare(table, &expected)?;
            self.report_all(table, &expected, cells);
        }
        Ok(reproduction)
    }

    /// Compares rows with the next rows of a table, if the run keeps it.
    fn compare(
        &mut self,
        table: TableKind,
        expected: &RecordBatch,
    ) -> Result<Vec<CellDifference>, ReadError> {
        match self.stored.iter_mut().find(|(other, _)| *other == table) {
            Some((_, stored)) => stored.compare(self.game, expected),
            None => Ok(Vec::new()),
        }
    }

    /// Compares the decisions of the game in this row of games.
    ///
    /// In a game from a log, the row of the game and each decision have the player's name. If all
    /// decisions of a seat have the same other name, the row of the game is reported instead of
    /// them.
    fn compare_decisions(
        &mut self,
        expected: &RecordBatch,
        replayed: &ReplayedGame,
        row: u64,
    ) -> Result<Vec<CellDifference>, ReadError> {
        let mut cells = self.compare(TableKind::Decisions, expected)?;
        let Some(origin) = replayed.record.origin.as_deref() else { return Ok(cells) };
        let seats = SeatColumn::of(expected).seat;
        let seat_of = |row: usize| usize::from(seats.at(row));
        let is_name = |cell: &CellDifference, seat: usize| {
            column_of(cell, expected) == "agent" && seat_of(cell.index) == seat
        };
        let mut names = origin.players.clone();
        for (seat, name) in names.iter_mut().enumerate() {
            let mut found = cells.iter().filter(|cell| is_name(cell, seat)).map(|cell| &cell.found);
            let decisions = (0..expected.num_rows()).filter(|row| seat_of(*row) == seat).count();
            let Some(first) = found.next().cloned() else { continue };
            if 1 + found.filter(|other| **other == first).count() == decisions {
                cells.retain(|cell| !is_name(cell, seat));
                *name = first;
            }
        }
        if names != origin.players {
            let list = |names: &[String]| format!("[{}]", names.join(", "));
            let values = [list(&names), list(&origin.players)];
            self.report(self.in_row(TableKind::Games, row, "agents", values));
        }
        Ok(cells)
    }

    /// The tables with missing or extra rows.
    pub(super) fn by_key(&self) -> impl Iterator<Item = TableKind> {
        self.stored.iter().filter(|(_, rows)| rows.is_by_key()).map(|(table, _)| *table)
    }

    fn is_by_key(&self, table: TableKind) -> bool {
        self.by_key().any(|other| other == table)
    }

    /// The number of the next row of a table that is kept.
    fn row(&self, table: TableKind) -> u64 {
        self.stored.iter().find(|(other, _)| *other == table).map_or(0, |(_, rows)| rows.row())
    }

    /// Reports the row at which a game diverges.
    fn report_divergence(
        &mut self,
        expected: &RecordBatch,
        mut cells: Vec<CellDifference>,
        row: u64,
        replayed: &ReplayedGame,
    ) {
        cells.retain(|cell| cell.row == row && has_effect(cell));
        let is_action =
            |cell: &CellDifference| ["action", "action_text"].contains(&column_of(cell, expected));
        let observation_differs = !cells.iter().all(is_action);
        if let Some(stop) = replayed.stop.as_ref().filter(|stop| stop.row == row && !observation_differs) {
            cells.truncate(1);
            for cell in &mut cells {
                cell.column = expected.schema().index_of("action").ok();
                (cell.expected, cell.found) = (stop.expected.clone(), stop.found.clone());
            }
        }
        if observation_differs && let Some(first_wall) = replayed.first_wall {
            self.report_wall(expected, &cells[0], first_wall);
        }
        self.report_all(TableKind::Decisions, expected, cells);
    }

    /// Reports the wall of the first decision that shows different tiles. Every decision before it
    /// is as stored. Reports nothing if rows of decisions are missing or extra.
    fn report_wall(&mut self, expected: &RecordBatch, cell: &CellDifference, first_wall: u64) {
        if self.is_by_key(TableKind::Decisions) {
            return;
        }
        let hand = number(expected, HAND, cell.index);
        let values = ["the tiles that the decisions show".to_owned(), "different tiles".to_owned()];
        let difference = self.in_row(TableKind::Walls, first_wall + u64::from(hand), "wall", values);
        self.differences.push(difference.in_hand(Some(hand), None));
    }

    fn report_all(&mut self, table: TableKind, expected: &RecordBatch, mut cells: Vec<CellDifference>) {
        cells.sort_by_key(|cell| (cell.row, cell.column));
        for cell in cells {
            let column = column_of(&cell, expected).to_owned();
            let key = |column: usize| {
                (cell.index < expected.num_rows()).then(|| number(expected, column, cell.index))
            };
            let hand = if table == TableKind::Games { None } else { key(HAND) };
            let has_step = matches!(table, TableKind::Decisions | TableKind::Oracle | TableKind::Labels);
            let step = if has_step { key(STEP) } else { None };
            let difference = self.in_row(table, cell.row, &column, [cell.expected, cell.found]);
            self.differences.push(difference.in_hand(hand, step));
        }
    }

    /// Reports a difference.
    pub(super) fn report(&mut self, difference: Difference) {
        self.differences.push(difference);
    }

    /// Reports a file with another number of rows than the manifest states.
    pub(super) fn report_row_count(&mut self, table: TableKind, expected: u64, found: u64) {
        let values = [expected.to_string(), found.to_string()];
        self.differences.push(Difference::whole_file(table, self.part, "rows", values));
    }

    /// A difference in a row of the current game: the expected and the found value.
    fn in_row(&self, table: TableKind, row: u64, column: &str, values: [String; 2]) -> Difference {
        Difference::in_row(table, self.part, (self.game, row), column, values)
    }

    /// Skips the rows before this game.
    pub(super) fn skip_to(&mut self, game: u64) -> Result<(), ReadError> {
        self.stored.iter_mut().try_for_each(|(_, rows)| rows.skip_to_game(game))
    }

    /// Reports rows after the last game.
    pub(super) fn end(&mut self) -> Result<(), ReadError> {
        for (table, rows) in &mut self.stored {
            if rows.has_more()? {
                let values = ["the end of the file".to_owned(), "a row".to_owned()];
                let difference = Difference::whole_file(*table, self.part, "row", values);
                self.differences.push(difference.at_row(rows.row()));
            }
        }
        Ok(())
    }
}

/// How a replayed game relates to its row of games, which has these differences.
fn reproduction(replayed: &ReplayedGame, cells: &[CellDifference], games: &RecordBatch) -> Reproduction {
    let differs = |name| cells.iter().any(|cell| column_of(cell, games) == name);
    if replayed.stop.is_none() && !differs("signature") {
        Reproduction::Exact
    } else if differs("rules_hash") {
        Reproduction::OtherRules
    } else {
        Reproduction::OtherEvents
    }
}

/// The column `hand` of every table except that of games.
const HAND: usize = 1;
/// The column `step` of the tables of decisions, hidden hands and labels.
const STEP: usize = 2;

/// The number of the hand or step in a row, from the column [`HAND`] or [`STEP`].
fn number(expected: &RecordBatch, column: usize, row: usize) -> u16 {
    expected.column(column).as_primitive::<UInt16Type>().value(row)
}

/// The name of the differing column.
fn column_of<'a>(cell: &CellDifference, expected: &'a RecordBatch) -> &'a str {
    cell.column.map_or("row", |column| expected.schema_ref().field(column).name())
}

/// Whether this difference in a row of decisions can make a game diverge. Later outcomes and
/// reports of agents have no effect on the game.
fn has_effect(cell: &CellDifference) -> bool {
    let provenance = cell.column.map(|column| TableKind::Decisions.columns()[column].provenance);
    !matches!(provenance, Some(Provenance::Outcome | Provenance::Agent))
}

/// The first row at which the game diverges.
fn first_diverging(cells: &[CellDifference]) -> Option<u64> {
    cells.iter().filter(|cell| has_effect(cell)).map(|cell| cell.row).min()
}
