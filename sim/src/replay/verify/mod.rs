//! Replays a run and compares every value that follows from seeds, walls and actions.
//!
//! The games follow the stored actions. The replayed games are encoded by the code that wrote the
//! run, and the rows are compared. So every column is compared except those that do not follow from
//! the game ([`Provenance::Agent`] and, for games from logs, [`Provenance::Log`]). If a run keeps no
//! decisions, its agents play again.
//!
//! A part with a file that differs from the hash in the manifest is not replayed.
//!
//! After a game diverges from its rows, nearly all its values differ. Only the first differing row
//! is reported. The same holds for a table with missing or extra rows, in which each game's rows
//! are found by its number.
//!
//! - `source`: replays the games of a part from their stored actions
//! - `tables`: compares the rows of a part with the replayed games
//! - `difference`: a value that differs, and where
//! - `hashes`: compares the files with the hashes of the manifest
//! - `report`: the verification of several runs
//!
//! [`Provenance::Agent`]: crate::dataset::Provenance::Agent
//! [`Provenance::Log`]: crate::dataset::Provenance::Log
//!
//! # Why
//!
//! **How does `verify` know every value?** It replays the games from seeds or walls and the stored
//! actions. It encodes the result with the same code as the run, and compares the arrays. The
//! values that agents report cannot be recomputed, so only their form is checked. A runner makes
//! the same check before it stores a report. A new column is verified without further code.
//! Rejected: comparing signatures alone. They show that a game differs, but not where.

mod difference;
mod hashes;
mod report;
mod source;
mod tables;

use std::path::Path;

use jantaku_agents::labels::Labeller;
use jantaku_agents::{ParseAgentError, call};
use jantaku_engine::rules::Preset;
use rayon::prelude::*;

pub use difference::Difference;
pub use hashes::{VerifiedFiles, verify_hashes};
pub use report::{
    DifferenceInRun, Finding, MAX_KEPT, UnfinishedRun, Unreadable, Verification, VerifyRequest,
};

use crate::VERSION;
use crate::dataset::{
    Contents, PartSummary, ReadError, RowBuffers, StoredRows, TableFile, TableKind, part_path, rows_of,
};
use crate::play::{Detail, Memory, Policies, Watch, play_game};
use crate::run::{self, PartEntry, RunConfig};
use hashes::differences_of;
use source::{ReplayedGame, Source};
use tables::{Reproduction, Tables};

/// The verification of a part stops at this number of differences.
const MAX_DIFFERENCES: usize = 1000;

/// Verifies a run. Reports differing values and unreadable files in the order of parts.
///
/// Parts are verified on all threads of the rayon pool; memory does not grow with their number.
/// Progress is reported in games. Returns the number of replayed games. It is less than the run
/// holds if a file cannot be read, a game cannot be replayed, or the watch stops the verification.
///
/// # Errors
///
/// If `run.toml` or `manifest.json` cannot be read, or an agent is needed that is unknown or whose
/// parameters changed: an agent of the labels, or of a run without decisions.
pub fn verify(
    folder: &Path,
    watch: &mut dyn Watch,
    mut differs: impl FnMut(Difference),
    mut unreadable: impl FnMut(ReadError),
) -> Result<u64, ReadError> {
    let (config, manifest) = run::read_unchecked(folder)?;
    run::check_tables(folder, &config, &manifest)?;
    check_name(folder, &config).unwrap_or_else(&mut unreadable);
    let agents = agents(folder, &config)?;
    let labeller = config.labeller().map_err(|error| ReadError::new(&folder.join("run.toml"), &error))?;
    let verifier = Verifier { folder, config: &config, contents: config.contents(), agents, labeller };
    let mut games = 0;
    let verify_part = |part: &PartEntry, watch: &dyn Watch| verifier.part(part, watch);
    each_part(&manifest.parts, watch, verify_part, |_, verified| match verified {
        Ok(verified) => {
            games += verified.games;
            verified.differences.into_iter().for_each(&mut differs);
        }
        Err(error) => unreadable(error),
    });
    Ok(games)
}

/// Works on parts on all threads of the rayon pool, and calls `done` with each result in order. Reports
/// progress in games. The watch ends it after the parts that are worked on at the same time.
fn each_part<T: Send>(
    parts: &[PartEntry],
    watch: &mut dyn Watch,
    work: impl Fn(&PartEntry, &dyn Watch) -> T + Sync,
    mut done: impl FnMut(&PartEntry, T),
) {
    let mut games = 0;
    for wave in parts.chunks(rayon::current_num_threads()) {
        let watching = &*watch;
        if watching.should_stop() {
            return;
        }
        let results: Vec<T> = wave.par_iter().map(|part| work(part, watching)).collect();
        wave.iter().zip(results).for_each(|(part, result)| done(part, result));
        games += wave.iter().map(|part| part.games).sum::<u64>();
        if !watch.should_stop() {
            watch.progress(games);
        }
    }
}

/// Checks that rules with the name of a preset equal the preset. `keep_draws` may differ: an option of
/// matches sets it.
fn check_name(folder: &Path, config: &RunConfig) -> Result<(), ReadError> {
    let RunConfig { rules_name, rules, version, commit, .. } = config;
    let Some(preset) = Preset::named(rules_name) else { return Ok(()) };
    let (expected, found) = (preset.rules().to_table(), rules.to_table());
    let is_option = |field: &str| field == "keep_draws";
    let differing =
        expected.iter().filter(|(field, value)| found[*field] != **value && !is_option(field.as_str()));
    let differing: Vec<String> = differing
        .map(|(field, value)| format!("`{field}`: expected {value}, found {}", found[field]))
        .collect();
    if differing.is_empty() {
        return Ok(());
    }
    // The preset may have changed since the run was made.
    let this = crate::commit();
    let made_by = if (&version[..], &commit[..]) == (VERSION, this) {
        String::new()
    } else {
        format!("; the run was made by version {version} {commit}, this is {VERSION} {this}")
    };
    let what =
        format!("`rules_name`: expected the rules of `{rules_name}`: {}{made_by}", differing.join(", "));
    Err(ReadError::new(&folder.join("run.toml"), &what))
}

/// Checks that the agents still have the parameters in `run.toml`, and returns those that play a run without
/// decisions again. A run with decisions needs only the agents of its labels; then the result is empty.
fn agents(folder: &Path, config: &RunConfig) -> Result<Policies, ReadError> {
    let changed = |what: String| ReadError::new(&folder.join("run.toml"), &what);
    if config.detail >= Detail::Decisions {
        config.check_label_parameters().map_err(changed)?;
        return Ok(Policies::new(Vec::new()));
    }
    config.parameters.check().map_err(changed)?;
    config.policies().map_err(|error| {
        let what = match error {
            ParseAgentError::NotAPolicy { agent } => format!(
                "`agents`: the run has no decisions, so its agents would have to play it again, but `verify` \
                plays only agents that decide one action at a time, not `{agent}`; {} compares the \
                files with the manifest",
                call("verify", "quick")
            ),
            error => format!("`agents`: {error}"),
        };
        ReadError::new(&folder.join("run.toml"), &what)
    })
}

/// Verifies parts of a run.
struct Verifier<'a> {
    folder: &'a Path,
    config: &'a RunConfig,
    contents: Contents,
    /// Empty for a run with decisions.
    agents: Policies,
    /// None for a run without labels.
    labeller: Option<Labeller>,
}

/// The result of a part.
struct VerifiedPart {
    /// The number of replayed games.
    games: u64,
    differences: Vec<Difference>,
}

impl Verifier<'_> {
    /// Verifies a part, until the watch stops it or there are too many differences.
    fn part(&self, part: &PartEntry, watch: &dyn Watch) -> Result<VerifiedPart, ReadError> {
        // A file that was changed may make the reader of Parquet panic.
        let damaged = differences_of(self.folder, part)?;
        if !damaged.is_empty() {
            return Ok(VerifiedPart { games: 0, differences: damaged });
        }
        let mut tables = self.open(part)?;
        let mut source = None;
        if self.contents.detail >= Detail::Decisions {
            source = Some(Source::read(self.folder, &self.contents, part.part)?);
        }
        let (mut rows, mut games) = (RowBuffers::new(self.contents.clone()), 0);
        for game in part.range() {
            if tables.differences().len() >= MAX_DIFFERENCES || watch.should_stop() {
                return Ok(VerifiedPart { games, differences: tables.into_differences() });
            }
            tables.start_game(game);
            if let Some(source) = &mut source {
                tables.by_key().for_each(|table| source.go_to(table, game));
            }
            let decisions = source.as_ref().map_or(0, |source| source.decisions_up_to_next(game));
            let reproduction = match self.replay(source.as_mut(), game)? {
                Ok(mut replayed) => {
                    games += 1;
                    // A game that went differently has no labels to compare.
                    if let Some(labeller) = self.labeller.as_ref().filter(|_| replayed.stop.is_none()) {
                        replayed.record.label(labeller, &self.config.rules, &self.config.start());
                    }
                    rows.push(&replayed.record);
                    Some(tables.compare_game(&mut rows, &replayed, decisions)?)
                }
                Err(difference) => {
                    tables.report(*difference);
                    None
                }
            };
            if reproduction != Some(Reproduction::Exact) {
                tables.skip_to(game + 1)?;
                if let Some(source) = &mut source {
                    source.go_to(TableKind::Decisions, game + 1);
                    source.go_to(TableKind::Walls, game + 1);
                }
            }
        }
        tables.end()?;
        Ok(VerifiedPart { games, differences: tables.into_differences() })
    }

    /// Opens the tables of a part and reports wrong numbers of rows.
    ///
    /// The numbers must be those of the manifest and those that follow from the rows of games: a
    /// row may have been lost before the manifest was written.
    fn open(&self, entry: &PartEntry) -> Result<Tables, ReadError> {
        let (folder, part) = (self.folder, entry.part);
        let mut tables = Tables::new(part);
        let games = PartSummary::read(&TableFile::new(folder, TableKind::Games, part))?;
        for (table, file) in self.contents.tables().zip(&entry.files) {
            let found = rows_of(&part_path(folder, table, part))?;
            if found != file.rows {
                tables.report_row_count(table, file.rows, found);
            }
            let expected = if table == TableKind::Games { Some(entry.games) } else { games.rows_of(table) };
            let open = if file.rows == found && expected.is_none_or(|expected| expected == found) {
                StoredRows::open
            } else {
                StoredRows::open_by_key
            };
            tables.add(table, open(folder, table, self.config.schema, part)?);
        }
        Ok(tables)
    }

    /// Replays a game from its stored actions, or has the agents play it again.
    fn replay(
        &self,
        source: Option<&mut Source>,
        game: u64,
    ) -> Result<Result<ReplayedGame, Box<Difference>>, ReadError> {
        let (rules, schedule) = (&self.config.rules, self.config.schedule());
        let fixture = schedule.fixture(game);
        Ok(match source {
            Some(source) if self.contents.walls => source.replay_walls(game),
            Some(source) => Ok(source.replay_seed(rules, &self.config.start(), (game, fixture.seed))),
            None => {
                let mut memory = Memory::new(self.contents.detail, rules);
                let played = play_game(rules, fixture, &self.agents, &mut memory, &());
                played.map_err(|error| ReadError::new(self.folder, &error))?;
                let record = memory.finish(game, fixture.seed).expect("the game is over");
                Ok(ReplayedGame { record, stop: None, first_wall: None })
            }
        })
    }
}
