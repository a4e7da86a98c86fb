//! Plays a run again and compares every value of it that follows from seeds, walls and actions.
//!
//! The games are played as the stored actions say, and what is then known of them is encoded as it was when the run was written. So each
//! column is compared, but for those that agents or logs alone know ([`NOT_COMPARED`], [`NOT_COMPARED_OF_LOGS`]). Where only games or hands
//! are kept, the agents play again.
//!
//! A game that goes another way than it went differs nearly everywhere from there on: only the first row that differs is told. So it is in
//! a table with too few or too many rows, where rows are found by their games.
//!
//! [`NOT_COMPARED_OF_LOGS`]: crate::dataset::NOT_COMPARED_OF_LOGS
//! [`NOT_COMPARED`]: crate::dataset::NOT_COMPARED

mod again;

use std::fmt;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt16Type, UInt32Type};
use jantaku_agents::NamedAgent;
use jantaku_engine::rules::Preset;
use rayon::prelude::*;

use crate::dataset::{Cell, ReadError, Rows, StoredRows, Table, TableFile, column, part_path, rows_of};
use crate::play::{Detail, Job, Memory, Watch, play_game};
use crate::run::{self, Manifest, PartEntry, RunConfig};
use again::{Again, Misfit, Source};

/// Columns of a decision that tell what came of it later, or what the agent thought: by them no game goes another way.
const ASIDE: [&str; 5] = ["outranked", "hand_delta", "final_points", "final_rank", "policy"];

/// A part is left when it has so many differences.
const MOST: usize = 1000;

/// A value of a run that is not as it follows from seeds, walls and actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The table.
    pub table: Table,
    /// The part.
    pub part: u64,
    /// The row in the file of the part, from 0; none where the whole file is meant.
    pub row: Option<u64>,
    /// The game to which the row belongs.
    pub game: Option<u64>,
    /// The hand of the game.
    pub hand: Option<u16>,
    /// The step of the hand.
    pub step: Option<u16>,
    /// The column; `row` for a row that is missing or should not be there, `rows` for how many there are.
    pub column: String,
    /// The value that follows.
    pub expected: String,
    /// The value that is stored.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { table, part, row, column, expected, found, .. } = self;
        write!(f, "{}/part-{part:06}.parquet", table.name())?;
        if let Some(row) = row {
            write!(f, " row {row}")?;
        }
        let place =
            [("game", self.game), ("hand", self.hand.map(u64::from)), ("step", self.step.map(u64::from))];
        let place = place.iter().filter_map(|(name, number)| number.map(|number| format!("{name} {number}")));
        let place: Vec<String> = place.collect();
        if !place.is_empty() {
            write!(f, " ({})", place.join(" "))?;
        }
        write!(f, ": {column}: expected {expected}, found {found}")
    }
}

/// Verifies a run, and hands on what is wrong in the order of parts: values that differ, and files that cannot be read.
///
/// Parts are worked on by all threads of the rayon pool; memory does not grow with their number. Progress is told in games. Returns how many
/// games were played again: fewer than the run holds if a file cannot be read, a game cannot be played, or the watch has stopped it.
///
/// # Errors
///
/// If `run.toml` or `manifest.json` cannot be read, or the agents of a run without decisions are not known.
pub fn verify(
    folder: &Path,
    watch: &mut impl Watch,
    mut differs: impl FnMut(Difference),
    mut unreadable: impl FnMut(ReadError),
) -> Result<u64, ReadError> {
    let (config, manifest) = run::read(folder)?;
    check_sums(folder, &config, &manifest)?;
    check_name(folder, &config).unwrap_or_else(&mut unreadable);
    let verifier = Verifier { folder, config: &config, agents: agents(folder, &config)? };
    let (mut games, mut done) = (0, 0);
    for wave in manifest.parts.chunks(rayon::current_num_threads()) {
        let watching = &*watch;
        let found: Vec<_> = wave.par_iter().map(|part| verifier.part(part, watching)).collect();
        for (part, verified) in wave.iter().zip(found) {
            done += part.games;
            match verified {
                Ok(verified) => {
                    games += verified.games;
                    verified.differences.into_iter().for_each(&mut differs);
                }
                Err(error) => unreadable(error),
            }
        }
        if watch.should_stop() {
            break;
        }
        watch.progress(done);
    }
    Ok(games)
}

/// Whether the manifest names the files that the run has to have, and counts their rows.
fn check_sums(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    run::check_tables(folder, config, manifest)?;
    let mut sums = Manifest::default();
    manifest.parts.iter().for_each(|part| sums.add(part.clone()));
    for (table, (expected, found)) in
        Table::ALL.iter().zip(sums.rows.by_table().zip(manifest.rows.by_table()))
    {
        if found != expected {
            let table = table.name();
            let what = format!("`rows.{table}`: expected {expected}, those of the parts, found {found}");
            return Err(ReadError::new(&folder.join("manifest.json"), &what));
        }
    }
    Ok(())
}

/// Whether the rules are those of the preset after which they are called.
fn check_name(folder: &Path, config: &RunConfig) -> Result<(), ReadError> {
    let RunConfig { rules_name, rules, version, commit, .. } = config;
    let Some(preset) = Preset::named(rules_name) else { return Ok(()) };
    let (expected, found) = (preset.rules().to_table(), rules.to_table());
    let differing = expected.iter().filter(|(field, value)| found[*field] != **value);
    let differing: Vec<String> = differing
        .map(|(field, value)| format!("`{field}`: expected {value}, found {}", found[field]))
        .collect();
    if differing.is_empty() {
        return Ok(());
    }
    // What a preset says may have changed since.
    let own = RunConfig::new(rules_name, rules, Vec::new(), 0, 0, Detail::None);
    let made_by = if (version, commit) == (&own.version, &own.commit) {
        String::new()
    } else {
        format!("; the run was made by version {version} {commit}, this is {} {}", own.version, own.commit)
    };
    let what =
        format!("`rules_name`: expected the rules of `{rules_name}`: {}{made_by}", differing.join(", "));
    Err(ReadError::new(&folder.join("run.toml"), &what))
}

/// The agents of a run whose decisions are not kept, who play it again.
fn agents(folder: &Path, config: &RunConfig) -> Result<Vec<(String, NamedAgent)>, ReadError> {
    if config.detail == Detail::Decisions {
        return Ok(Vec::new());
    }
    config.players().map_err(|e| ReadError::new(&folder.join("run.toml"), &format!("`agents`: {e}")))
}

/// Verifies parts of a run.
struct Verifier<'a> {
    folder: &'a Path,
    config: &'a RunConfig,
    /// Only where no decisions are kept.
    agents: Vec<(String, NamedAgent)>,
}

/// What came of a part.
struct Verified {
    /// How many of its games were played again.
    games: u64,
    differences: Vec<Difference>,
}

/// The tables of a part while they are compared.
struct Tables {
    part: u64,
    /// The game whose rows are compared.
    game: u64,
    stored: Vec<(Table, StoredRows)>,
    differences: Vec<Difference>,
}

impl Verifier<'_> {
    fn part(&self, part: &PartEntry, watch: &impl Watch) -> Result<Verified, ReadError> {
        let mut tables = self.open(part)?;
        let mut source = match self.config.detail {
            Detail::Decisions => Some(Source::read(self.folder, self.config, part.part)?),
            _ => None,
        };
        let (mut rows, mut games) = (Rows::default(), 0);
        for game in part.first_game..part.first_game + part.games {
            if tables.differences.len() >= MOST || watch.should_stop() {
                return Ok(Verified { games, differences: tables.differences });
            }
            tables.game = game;
            if let Some(source) = &mut source {
                tables.by_key().for_each(|table| source.go_to(table, game));
            }
            let first_decision = source.as_ref().map_or(0, Source::row);
            let went_astray = match self.again(source.as_mut(), game)? {
                Err(misfit) => {
                    tables.tell_misfit(misfit);
                    tables.skip_to(game + 1)?;
                    true
                }
                Ok(again) => {
                    games += 1;
                    rows.push(&again.record, self.config);
                    let stored = source.as_ref().map_or(0, |source| source.first_decision(game + 1));
                    tables.game(&mut rows, &again, stored.saturating_sub(first_decision))?
                }
            };
            if let Some(source) = source.as_mut().filter(|_| went_astray) {
                [Table::Decisions, Table::Walls].into_iter().for_each(|table| source.go_to(table, game + 1));
            }
        }
        tables.end()?;
        Ok(Verified { games, differences: tables.differences })
    }

    /// The tables of a part, whose rows are counted: by the manifest, which may have been written when a row was missing already, and by the
    /// rows of games.
    fn open(&self, entry: &PartEntry) -> Result<Tables, ReadError> {
        let (folder, part, files) = (self.folder, entry.part, &entry.files);
        let mut tables = Tables { part, game: 0, stored: Vec::new(), differences: Vec::new() };
        let of_games = self.rows_of_games(entry)?;
        for (table, file) in self.config.kept().zip(files) {
            let found = rows_of(&part_path(folder, table, part))?;
            if found != file.rows {
                tables.tell_rows(table, file.rows, found);
            }
            let open = if [file.rows, of_games[table as usize]] == [found; 2] {
                StoredRows::open
            } else {
                StoredRows::open_by_key
            };
            tables.stored.push((table, open(folder, table, part)?));
        }
        Ok(tables)
    }

    /// How many rows each table has to have, as the rows of games say.
    fn rows_of_games(&self, entry: &PartEntry) -> Result<[u64; 4], ReadError> {
        let (mut hands, mut decisions) = (0, 0);
        TableFile::new(self.folder, Table::Games, entry.part).read(&["hands", "decisions"], |batch| {
            hands += column::<UInt16Type>(batch, 0).iter().map(|hands| u64::from(*hands)).sum::<u64>();
            decisions += column::<UInt32Type>(batch, 1).iter().map(|count| u64::from(*count)).sum::<u64>();
            Ok(())
        })?;
        Ok([entry.games, hands, decisions, hands])
    }

    /// Plays a game again.
    fn again(&self, source: Option<&mut Source>, game: u64) -> Result<Result<Again, Misfit>, ReadError> {
        let RunConfig { rules, walls, .. } = self.config;
        let schedule = self.config.schedule();
        let fixture = schedule.fixture(game);
        Ok(match source {
            Some(source) if *walls => source.play_walls(game),
            Some(source) => Ok(source.play_seed(rules, game, fixture.seed)),
            None => {
                let job = Job { rules, schedule, agents: &self.agents, detail: self.config.detail };
                let mut memory = Memory::new(job.detail, rules);
                let played = play_game(&job, fixture, &mut memory, &());
                played.map_err(|error| ReadError::new(self.folder, &error))?;
                let record = memory.finish(game, fixture.seed).expect("the game is over");
                Ok(Again { record, stop: None, first_wall: 0 })
            }
        })
    }
}

impl Tables {
    /// Compares a game, of which the part has so many decisions as far as their rows tell, and tells whether it went another way than
    /// stored: then the tables stand at the next.
    fn game(&mut self, rows: &mut Rows, again: &Again, decisions: usize) -> Result<bool, ReadError> {
        let [games, hands, all_decisions, walls] = Table::ALL.map(|table| rows.take(table));
        let row = self.row(Table::Games);
        let cells = self.compare(Table::Games, &games)?;
        let differs = |name| cells.iter().any(|cell| column_of(cell, &games) == name);
        let went_astray = again.stop.is_some() || differs("signature");
        let other_rules = went_astray && differs("rules");
        if went_astray && !other_rules {
            let most = if self.is_by_key(Table::Decisions) { usize::MAX } else { decisions };
            let expected = all_decisions.slice(0, all_decisions.num_rows().min(most));
            let cells = self.compare_decisions(&expected, again, row)?;
            if let Some(row) = first_astray(&expected, &cells) {
                self.tell_astray(&expected, cells, row, again);
                self.skip_to(self.game + 1)?;
                return Ok(true);
            }
            self.tell_all(Table::Decisions, &expected, cells);
        }
        self.tell_all(Table::Games, &games, cells);
        if other_rules {
            self.skip_to(self.game + 1)?;
            return Ok(true);
        }
        if !went_astray {
            let cells = self.compare_decisions(&all_decisions, again, row)?;
            self.tell_all(Table::Decisions, &all_decisions, cells);
        }
        for (table, expected) in [(Table::Hands, hands), (Table::Walls, walls)] {
            let cells = self.compare(table, &expected)?;
            self.tell_all(table, &expected, cells);
        }
        if went_astray {
            self.skip_to(self.game + 1)?;
        }
        Ok(went_astray)
    }

    /// Compares rows with the next of a table, if that is kept.
    fn compare(&mut self, table: Table, expected: &RecordBatch) -> Result<Vec<Cell>, ReadError> {
        match self.stored.iter_mut().find(|(other, _)| *other == table) {
            Some((_, stored)) => stored.compare(self.game, expected),
            None => Ok(Vec::new()),
        }
    }

    /// Compares the decisions of a game, which has this row among the games. Who plays a game from a log stands in its row and in every
    /// decision: where all those of a seat have another name, it is the row of the game that is wrong.
    fn compare_decisions(
        &mut self,
        expected: &RecordBatch,
        again: &Again,
        row: u64,
    ) -> Result<Vec<Cell>, ReadError> {
        let mut cells = self.compare(Table::Decisions, expected)?;
        let Some(origin) = again.record.origin.as_deref() else { return Ok(cells) };
        let seats =
            expected.column_by_name("seat").expect("a column of decisions").as_primitive::<UInt8Type>();
        let is_name = |cell: &Cell, seat: usize| {
            column_of(cell, expected) == "agent" && usize::from(seats.value(cell.of)) == seat
        };
        let mut names = origin.players.clone();
        for (seat, name) in names.iter_mut().enumerate() {
            let mut found = cells.iter().filter(|cell| is_name(cell, seat)).map(|cell| &cell.found);
            let decisions = seats.values().iter().filter(|of| usize::from(**of) == seat).count();
            let Some(first) = found.next().cloned() else { continue };
            if 1 + found.filter(|other| **other == first).count() == decisions {
                cells.retain(|cell| !is_name(cell, seat));
                *name = first;
            }
        }
        if names != origin.players {
            let list = |names: &[String]| format!("[{}]", names.join(", "));
            let (expected, found) = (list(&names), list(&origin.players));
            let misfit = Misfit { table: Table::Games, row, column: "agents", expected, found };
            self.tell_misfit(misfit);
        }
        Ok(cells)
    }

    /// The tables that have too few or too many rows.
    fn by_key(&self) -> impl Iterator<Item = Table> {
        self.stored.iter().filter(|(_, rows)| rows.is_by_key()).map(|(table, _)| *table)
    }

    fn is_by_key(&self, table: Table) -> bool {
        self.by_key().any(|other| other == table)
    }

    /// The number of the next row of a table that is kept.
    fn row(&self, table: Table) -> u64 {
        self.stored.iter().find(|(other, _)| *other == table).map_or(0, |(_, rows)| rows.row())
    }

    /// Tells the row at which a game begins to go another way.
    fn tell_astray(&mut self, expected: &RecordBatch, cells: Vec<Cell>, row: u64, again: &Again) {
        let of_row = |cell: &Cell| cell.row == row && !ASIDE.contains(&column_of(cell, expected));
        let cells: Vec<Cell> = cells.into_iter().filter(of_row).collect();
        let sees_other =
            cells.iter().any(|cell| !["action", "action_text"].contains(&column_of(cell, expected)));
        if sees_other && again.record.origin.is_some() && !self.is_by_key(Table::Decisions) {
            // Up to here all went as stored, so the wall holds other tiles.
            let hand = expected.column(1).as_primitive::<UInt16Type>().value(cells[0].of);
            self.differences.push(Difference {
                table: Table::Walls,
                part: self.part,
                row: Some(again.first_wall + u64::from(hand)),
                game: Some(self.game),
                hand: Some(hand),
                step: None,
                column: "wall".to_owned(),
                expected: "the tiles that the decisions show".to_owned(),
                found: "others".to_owned(),
            });
        }
        match again.stop.as_ref().filter(|stop| stop.row == row && !sees_other) {
            None => self.tell_all(Table::Decisions, expected, cells),
            Some(stop) => {
                let Some(cell) = cells.into_iter().next() else { return };
                let (expected_action, found) = (stop.expected.clone(), stop.found.clone());
                let column = expected.schema().index_of("action").ok();
                self.tell(
                    Table::Decisions,
                    expected,
                    Cell { column, expected: expected_action, found, ..cell },
                );
            }
        }
    }

    fn tell_all(&mut self, table: Table, expected: &RecordBatch, mut cells: Vec<Cell>) {
        cells.sort_by_key(|cell| (cell.row, cell.column));
        cells.into_iter().for_each(|cell| self.tell(table, expected, cell));
    }

    fn tell(&mut self, table: Table, expected: &RecordBatch, cell: Cell) {
        let column = column_of(&cell, expected);
        let is_expected = cell.of < expected.num_rows();
        let number = |column: usize| expected.column(column).as_primitive::<UInt16Type>().value(cell.of);
        self.differences.push(Difference {
            table,
            part: self.part,
            row: Some(cell.row),
            game: Some(self.game),
            hand: (is_expected && table != Table::Games).then(|| number(1)),
            step: (is_expected && table == Table::Decisions).then(|| number(2)),
            column: column.to_owned(),
            expected: cell.expected,
            found: cell.found,
        });
    }

    fn tell_misfit(&mut self, misfit: Misfit) {
        let Misfit { table, row, column, expected, found } = misfit;
        self.differences.push(Difference {
            table,
            part: self.part,
            row: Some(row),
            game: Some(self.game),
            hand: None,
            step: None,
            column: column.to_owned(),
            expected,
            found,
        });
    }

    /// Tells that a table has another number of rows than the manifest says.
    fn tell_rows(&mut self, table: Table, expected: u64, found: u64) {
        let (expected, found) = (expected.to_string(), found.to_string());
        self.tell_file(table, None, "rows", expected, found);
    }

    /// Tells of what belongs to no game.
    fn tell_file(&mut self, table: Table, row: Option<u64>, column: &str, expected: String, found: String) {
        let (part, column) = (self.part, column.to_owned());
        self.differences.push(Difference {
            table,
            part,
            row,
            game: None,
            hand: None,
            step: None,
            column,
            expected,
            found,
        });
    }

    /// Leaves out what the tables have before this game.
    fn skip_to(&mut self, game: u64) -> Result<(), ReadError> {
        self.stored.iter_mut().try_for_each(|(_, rows)| rows.skip_to_game(game))
    }

    /// After the last game no row may be left.
    fn end(&mut self) -> Result<(), ReadError> {
        for index in 0..self.stored.len() {
            let (table, rows) = &mut self.stored[index];
            if rows.has_more()? {
                let (table, row) = (*table, rows.row());
                self.tell_file(table, Some(row), "row", "the end of the file".to_owned(), "a row".to_owned());
            }
        }
        Ok(())
    }
}

/// The name of a value's column.
fn column_of<'a>(cell: &Cell, expected: &'a RecordBatch) -> &'a str {
    cell.column.map_or("row", |column| expected.schema_ref().field(column).name())
}

/// The first row that differs in what was seen or done.
fn first_astray(expected: &RecordBatch, cells: &[Cell]) -> Option<u64> {
    let earlier = cells.iter().filter(|cell| !ASIDE.contains(&column_of(cell, expected)));
    earlier.map(|cell| cell.row).min()
}
