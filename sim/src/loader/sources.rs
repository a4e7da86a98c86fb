//! The parts of runs and the files of logs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

use bytes::Bytes;
use jantaku_engine::random::hash;

use super::error::LoadError;
use crate::dataset::{Contents, ReadError, StoredGame, TableFile, TableKind, read_games_of};
use crate::logs::files::{Games, find};
use crate::play::Detail;
use crate::replay::inputs::Input;
use crate::run::store::{Location, Store as _};
use crate::run::{Fingerprint, Manifest, PartEntry, PartFile, check_tables, read_started_in};

/// The parts that a loader reads.
pub(super) struct Sources {
    runs: Vec<StoredRun>,
    parts: Vec<Part>,
}

/// A part of a run, or a file of logs.
enum Part {
    Stored { run: usize, part: usize },
    Log(PathBuf),
}

/// A run that was opened.
struct StoredRun {
    location: Location,
    folder: PathBuf,
    contents: Contents,
    manifest: Manifest,
}

/// The games of an open part.
pub(super) enum OpenPart {
    Stored(String, IntoIter<StoredGame>),
    Log(Box<Games>),
}

impl Sources {
    /// Opens runs, logs, and folders of them.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Sources, LoadError> {
        let mut sources = Sources { runs: Vec::new(), parts: Vec::new() };
        for path in paths {
            if path.to_string_lossy().contains("://") {
                sources.add_run(path)?;
                continue;
            }
            let found = find(std::slice::from_ref(path));
            let found = found.map_err(|error| open_error(path, &error))?;
            if found.is_empty() {
                return Err(open_error(path, &"no run and no file with the name of a log"));
            }
            for path in found {
                if path.is_dir() { sources.add_run(&path)? } else { sources.parts.push(Part::Log(path)) }
            }
        }
        Ok(sources)
    }

    fn add_run(&mut self, path: &Path) -> Result<(), LoadError> {
        let (location, folder) = Location::open(path).map_err(|error| open_error(path, &error))?;
        let (config, manifest) = read_started_in(&location, &folder)?;
        let manifest = manifest.ok_or_else(|| {
            let missing = "is missing; `jantaku rebuild-manifest` writes it from the parts";
            ReadError::new(&folder.join("manifest.json"), &missing)
        })?;
        check_tables(&folder, &config, &manifest)?;
        if config.detail < Detail::Decisions {
            let what = format!(
                "the run keeps no decisions: it was written with `--log {}`, expected `--log decisions`",
                config.detail.name()
            );
            return Err(open_error(path, &what));
        }
        let run = self.runs.len();
        self.parts.extend((0..manifest.parts.len()).map(|part| Part::Stored { run, part }));
        self.runs.push(StoredRun { location, folder, contents: config.contents(), manifest });
        Ok(())
    }

    /// The number of parts.
    pub(super) const fn len(&self) -> usize {
        self.parts.len()
    }

    /// A hash of the parts and how many games each has.
    pub(super) fn hash(&self) -> u64 {
        let of_part = |part: &Part| match part {
            Part::Stored { run, part } => {
                let StoredRun { contents, manifest, .. } = &self.runs[*run];
                let PartEntry { part, first_game, games, .. } = &manifest.parts[*part];
                hash(&[
                    *run as u64,
                    contents.schedule.seed,
                    contents.rules.hash(),
                    *part,
                    *first_game,
                    *games,
                ])
            }
            Part::Log(path) => hash(&[path.metadata().map_or(0, |file| file.len())]),
        };
        hash(&self.parts.iter().map(of_part).collect::<Vec<_>>())
    }

    /// Opens a part. Reads all games of a run's part; logs are read one by one.
    pub(super) fn open_part(&self, part: usize) -> Result<OpenPart, LoadError> {
        match &self.parts[part] {
            Part::Log(path) => {
                let games = Games::open(path).map_err(|error| open_error(path, &error))?;
                Ok(OpenPart::Log(Box::new(games)))
            }
            Part::Stored { run, part } => {
                let run = &self.runs[*run];
                let games = run.read(&run.manifest.parts[*part])?;
                Ok(OpenPart::Stored(run.folder.display().to_string(), games.into_iter()))
            }
        }
    }
}

impl OpenPart {
    /// The next game. After the error of an unreadable log, more games may follow.
    pub(super) fn next(&mut self) -> Option<Result<Input, LoadError>> {
        match self {
            OpenPart::Log(games) => games.next().map(|game| game.map(Input::Log).map_err(LoadError::from)),
            OpenPart::Stored(run, games) => {
                games.next().map(|game| Ok(Input::Stored(run.clone(), Box::new(game))))
            }
        }
    }

    /// Whether an error of [`OpenPart::next`] concerns one log, not the part.
    pub(super) const fn is_log(&self) -> bool {
        matches!(self, OpenPart::Log(_))
    }
}

impl StoredRun {
    /// Reads the games of a part and checks its files against the manifest.
    fn read(&self, part: &PartEntry) -> Result<Vec<StoredGame>, ReadError> {
        let read = |table: TableKind| {
            let entry = part.files.iter().find(|file| file.table == table.name());
            let entry = entry.expect("the tables were checked");
            let bytes = self.read_file(entry)?;
            Ok(TableFile::of_bytes(table, self.folder.join(&entry.path), bytes))
        };
        // A manifest of an older version has no hashes, and the reader of Parquet may panic.
        let parsed = catch_unwind(AssertUnwindSafe(|| read_games_of(read, &self.contents, None)));
        let path = || self.folder.join(&part.files[0].path);
        parsed.unwrap_or_else(|_| Err(ReadError::new(&path(), &"is damaged")))
    }

    /// The bytes of a file of a part.
    fn read_file(&self, file: &PartFile) -> Result<Bytes, ReadError> {
        let path = self.folder.join(&file.path);
        let bytes = self.location.read(&path);
        let bytes = bytes.map_err(|error| ReadError::new(&path, &format!("cannot read: {error}")))?;
        let found = bytes.len() as u64;
        if let Some(expected) = file.bytes.filter(|expected| *expected != found) {
            let what =
                format!("expected {expected} bytes, as manifest.json says, found {found}: it is damaged");
            return Err(ReadError::new(&path, &what));
        }
        if let Some(expected) = &file.sha256 {
            let found = Fingerprint::of(&bytes[..]).map_err(|error| ReadError::new(&path, &error))?;
            if found.sha256 != *expected {
                let what = "has a different SHA-256 than manifest.json says: it is damaged";
                return Err(ReadError::new(&path, &what));
            }
        }
        Ok(Bytes::from(bytes))
    }
}

fn open_error(path: &Path, what: &dyn ToString) -> LoadError {
    LoadError::Open { path: path.display().to_string(), what: what.to_string() }
}
