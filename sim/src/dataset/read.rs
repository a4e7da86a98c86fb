//! Reads a game back from the files of a run.

use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt16Type, UInt64Type};
use jantaku_engine::{ActionId, Seat};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::columns::Table;

/// A game as its run recorded it: with the rules it can be played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The seed of the game.
    pub seed: u64,
    /// The decisions in order.
    pub decisions: Vec<RecordedDecision>,
}

/// A decision as a run recorded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedDecision {
    /// The number of the hand in its game.
    pub hand: u16,
    /// How many events of the hand came before.
    pub step: u16,
    /// Whose decision.
    pub seat: Seat,
    /// What was chosen.
    pub action: ActionId,
}

/// Why a file of a run could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {what}")]
pub struct ReadError {
    path: String,
    what: String,
}

impl ReadError {
    pub(crate) fn new(path: &Path, what: &dyn ToString) -> ReadError {
        ReadError { path: path.display().to_string(), what: what.to_string() }
    }
}

/// Reads a game from the part that holds it.
///
/// # Errors
///
/// If a file is missing or not what it should be, or the game is not in it.
pub fn read_game(run: &Path, part: u64, game: u64) -> Result<RecordedGame, ReadError> {
    let path = part_path(run, Table::Games, part);
    let mut seed = None;
    read(&path, &["game", "seed"], |batch| {
        let (games, seeds) = (column::<UInt64Type>(batch, 0), column::<UInt64Type>(batch, 1));
        seed = seed.or(games.iter().position(|g| *g == game).map(|row| seeds[row]));
        Ok(())
    })?;
    let seed = seed.ok_or_else(|| ReadError::new(&path, &format!("no game {game}")))?;
    let path = part_path(run, Table::Decisions, part);
    let mut decisions = Vec::new();
    read(&path, &["game", "hand", "step", "seat", "action"], |batch| {
        let games = column::<UInt64Type>(batch, 0);
        let (hands, steps) = (column::<UInt16Type>(batch, 1), column::<UInt16Type>(batch, 2));
        let (seats, actions) = (column::<UInt8Type>(batch, 3), column::<UInt8Type>(batch, 4));
        for row in (0..batch.num_rows()).filter(|row| games[*row] == game) {
            let seat = Seat::new(seats[row]).ok_or_else(|| format!("seat {} of game {game}", seats[row]))?;
            let action = ActionId::new(actions[row])
                .ok_or_else(|| format!("action {} of game {game}", actions[row]))?;
            decisions.push(RecordedDecision { hand: hands[row], step: steps[row], seat, action });
        }
        Ok(())
    })?;
    Ok(RecordedGame { seed, decisions })
}

fn part_path(run: &Path, table: Table, part: u64) -> std::path::PathBuf {
    run.join(table.name()).join(format!("part-{part:06}.parquet"))
}

/// Shows the batches of some columns of a file, in the order of their names.
fn read(
    path: &Path,
    columns: &[&str],
    mut each: impl FnMut(&RecordBatch) -> Result<(), String>,
) -> Result<(), ReadError> {
    let error = |what: &dyn ToString| ReadError::new(path, what);
    let file = File::open(path).map_err(|e| error(&format!("cannot open: {e}")))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| error(&e))?;
    let schema = builder.schema().clone();
    let expected = super::schema(
        Table::ALL
            .into_iter()
            .find(|t| path.parent().is_some_and(|p| p.ends_with(t.name())))
            .unwrap_or(Table::Games),
    );
    for name in columns {
        let found = schema.field_with_name(name).map_err(|_| error(&format!("no column `{name}`")))?;
        let wanted = expected.field_with_name(name).map_err(|e| error(&e))?;
        if found.data_type() != wanted.data_type() {
            let what =
                format!("column `{name}` has type {}, expected {}", found.data_type(), wanted.data_type());
            return Err(error(&what));
        }
    }
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    for batch in builder.with_projection(mask).build().map_err(|e| error(&e))? {
        each(&batch.map_err(|e| error(&e))?).map_err(|e| error(&e))?;
    }
    Ok(())
}

/// The values of a column of numbers; its type has been checked, and it has no nulls.
fn column<T: arrow_array::types::ArrowPrimitiveType>(batch: &RecordBatch, index: usize) -> &[T::Native] {
    batch.column(index).as_primitive::<T>().values()
}
