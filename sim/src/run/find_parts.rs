//! Finds the complete parts of a run by their files.
//!
//! # Why
//!
//! **What happens to whole parts after a gap?** A manifest has no gaps, so `--resume` plays them
//! again, to the same bytes. If the run is not deterministic, their games would be lost, so it
//! refuses. Rejected: manifests with gaps, which every reader would have to handle.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::ErrorKind;
use std::ops::Range;

use bytes::Bytes;

use crate::dataset::{PartSummary, ReadError, TableFile, TableKind, part_name, rows_in};
use crate::run::check_files::table_entries;
use crate::run::config::RunConfig;
use crate::run::manifest::{Manifest, PartEntry, PartFile, part_number};
use crate::store::{Fingerprint, Location};

/// Why an existing part is not a complete part of the run.
pub(super) enum BadPart {
    /// It is damaged or not complete.
    Damaged(ReadError),
    /// It has games of another run: `run.toml` or the part was exchanged.
    OtherRun(ReadError),
}

impl BadPart {
    /// What is wrong.
    pub fn error(self) -> ReadError {
        match self {
            BadPart::Damaged(error) | BadPart::OtherRun(error) => error,
        }
    }
}

impl From<ReadError> for BadPart {
    fn from(error: ReadError) -> BadPart {
        BadPart::Damaged(error)
    }
}

/// Adds the next complete parts to a manifest, up to the first missing one.
///
/// # Errors
///
/// If the next part exists but is damaged, not complete or not one of this run. The manifest has
/// the parts before it.
pub(super) fn add_complete_parts(
    run: &Location,
    config: &RunConfig,
    manifest: &mut Manifest,
) -> Result<(), BadPart> {
    while let Some(part) = next_part(run, config, manifest)? {
        manifest.add(part);
    }
    let Range { start, end } = config.range();
    manifest.complete = config.games.is_some() && start + manifest.games == end;
    Ok(())
}

/// The complete part after those of the manifest; `None` if it is not there.
///
/// # Errors
///
/// If the part exists but is damaged, not complete or not one of this run.
pub(super) fn next_part(
    run: &Location,
    config: &RunConfig,
    manifest: &Manifest,
) -> Result<Option<PartEntry>, BadPart> {
    let Range { start, end } = config.range();
    let next = start + manifest.games;
    // After a short part there is none.
    if next >= end || manifest.short_part(config).is_some() {
        return Ok(None);
    }
    read_part(run, config, next)
}

/// The part that begins with this game; `None` if it has no table of games.
fn read_part(run: &Location, config: &RunConfig, first: u64) -> Result<Option<PartEntry>, BadPart> {
    let part = first / config.games_per_part;
    let (mut files, mut summary) = (Vec::new(), PartSummary::default());
    for table in config.kept() {
        let name = part_name(table, part);
        let path = run.path.join(&name);
        let error = |what: &str| ReadError::new(&path, &what);
        let bytes = match run.store.read(&path) {
            Ok(bytes) => Bytes::from(bytes),
            Err(error) if table == TableKind::Games && error.kind() == ErrorKind::NotFound => {
                return Ok(None);
            }
            Err(cause) => return Err(error(&format!("cannot open: {cause}")).into()),
        };
        let fingerprint = Fingerprint::of(&bytes[..]).map_err(|cause| error(&cause.to_string()))?;
        let rows = rows_in(&path, &bytes)?;
        if table == TableKind::Games {
            summary = PartSummary::read(&TableFile::from_bytes(table, path.clone(), bytes))?;
            check_games(&summary, config, first).map_err(|what| error(&what))?;
            check_is_of_run(&summary, config).map_err(|what| BadPart::OtherRun(error(&what)))?;
        }
        if let Some(expected) = summary.rows_of(table).filter(|expected| *expected != rows) {
            return Err(error(&format!("expected {expected} rows, those of the games, found {rows}")).into());
        }
        files.push(PartFile::new(table, name, rows, fingerprint));
    }
    Ok(Some(PartEntry { part, first_game: first, games: summary.games.len() as u64, files }))
}

/// Checks the number of games of a part, and that they are numbered from `first` on.
fn check_games(summary: &PartSummary, config: &RunConfig, first: u64) -> Result<(), String> {
    let most = config.games_per_part.min(config.range().end - first);
    let games = summary.games.len() as u64;
    if games == 0 || games > most {
        return Err(format!("expected 1 to {most} games, found {games}"));
    }
    match summary.games.iter().zip(first..).find(|((game, _), expected)| game != expected) {
        Some(((game, _), expected)) => Err(format!("expected game {expected}, found game {game}")),
        None => Ok(()),
    }
}

/// Checks that the games of a part are those of the run: their seeds, rules and agents.
fn check_is_of_run(summary: &PartSummary, config: &RunConfig) -> Result<(), String> {
    for (game, seed) in &summary.games {
        let of_run = config.schedule().fixture(*game).seed;
        if !config.from_logs && *seed != of_run {
            return Err(format!("game {game}: expected seed {of_run} as in run.toml, found {seed}"));
        }
    }
    if config.from_logs {
        return Ok(());
    }
    let agents = config.contents().agents_of(summary.games[0].0);
    if (&summary.rules_hash, &summary.agents) != (&config.rules_hash, &agents) {
        let (rules, agents) = (&config.rules_hash, agents.join(", "));
        return Err(format!(
            "expected games of {agents} under rules {rules} as in run.toml, found {} under {}",
            summary.agents.join(", "),
            summary.rules_hash
        ));
    }
    Ok(())
}

/// Whole parts that come after a part that is missing or damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartsAfterGap {
    /// The part that the manifest does not name.
    pub gap: u64,
    /// The whole parts after it, in order.
    pub whole: Vec<u64>,
}

impl fmt::Display for PartsAfterGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gap = self.gap;
        match self.whole[..] {
            [part] => write!(f, "part {part} is whole, but comes after part {gap}"),
            [first, .., last] => {
                let parts = self.whole.len();
                write!(
                    f,
                    "{parts} parts from part {first} to part {last} are whole, but come after part {gap}"
                )
            }
            [] => write!(f, "no whole part comes after part {gap}"),
        }
    }
}

/// The whole parts after the first part that the manifest does not name; `None` if there are none.
///
/// Reads these parts into memory, one file at a time.
///
/// # Errors
///
/// If a folder cannot be read.
pub(super) fn parts_after_gap(
    run: &Location,
    config: &RunConfig,
    manifest: &Manifest,
) -> Result<Option<PartsAfterGap>, ReadError> {
    if manifest.complete {
        return Ok(None);
    }
    let Range { start, end } = config.range();
    let gap = (start + manifest.settled_games(config)) / config.games_per_part;
    let found = parts_found(run)?;
    let is_whole = |part: &u64| {
        let first = part.checked_mul(config.games_per_part).filter(|first| *first < end);
        first.is_some_and(|first| matches!(read_part(run, config, first), Ok(Some(_))))
    };
    let whole: Vec<u64> = found.range(gap + 1..).map(|(part, _)| *part).filter(is_whole).collect();
    Ok((!whole.is_empty()).then_some(PartsAfterGap { gap, whole }))
}

/// The parts that have files, each with the tables of its files.
pub(super) fn parts_found(run: &Location) -> Result<BTreeMap<u64, BTreeSet<&'static str>>, ReadError> {
    let mut found: BTreeMap<u64, BTreeSet<&'static str>> = BTreeMap::new();
    for table in TableKind::ALL {
        for part in table_entries(run, table.name())?.iter().filter_map(|entry| part_number(&entry.name)) {
            found.entry(part).or_default().insert(table.name());
        }
    }
    Ok(found)
}
