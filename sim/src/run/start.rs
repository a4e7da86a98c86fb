//! Creates a run, or resumes one that was interrupted.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::dataset::ReadError;
use crate::play::{Detail, SinkError};
use crate::run::config::{ConfigError, RunConfig};
use crate::run::files::{read_started_in, write_config};
use crate::run::manifest::Manifest;
use crate::run::resume;
use crate::run::store::{Location, Store as _};

/// Why a run cannot be created or resumed.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder or URL cannot be used, or another program writes to it.
    #[error("{}: {cause}", path.display())]
    Open {
        /// The folder or URL.
        path: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
    /// The folder cannot take a new run.
    #[error("{}: {cause}", folder.display())]
    NotNew {
        /// The folder.
        folder: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: NotNew,
    },
    /// The folder has no run to resume.
    #[error("{}: there is no run.toml, so no run to resume", folder.display())]
    NoRun {
        /// The folder.
        folder: PathBuf,
    },
    /// The run in the folder is not the one that the caller asked for.
    #[error("{}: `{field}`: expected {expected}, the run has {found}", folder.display())]
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// The field of `run.toml`; rules are one field.
        field: &'static str,
        /// The value that the caller asked for.
        expected: String,
        /// The value of the run.
        found: String,
    },
    /// The run in the folder cannot be read or is damaged.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The run cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
}

/// Why a folder cannot take a new run.
#[derive(Debug, thiserror::Error)]
pub enum NotNew {
    /// It holds a run.
    #[error("already holds a run; choose another folder")]
    HoldsRun,
    /// It holds other files.
    #[error("is not empty; choose a new folder")]
    NotEmpty,
    /// It is a symbolic link to a folder that does not exist.
    #[error("is a link to {}, which does not exist", .0.display())]
    DeadLink(PathBuf),
    /// It cannot be read.
    #[error("cannot be used: {0}")]
    Unusable(io::Error),
}

/// A run that this program writes: [created](Run::create) or [resumed](Run::resume), then
/// [played](Run::play).
///
/// A run in a folder is locked against other programs until this value is dropped, where the system
/// has such locks. Object stores have none.
#[derive(Debug)]
pub struct Run {
    pub(super) location: Location,
    pub(super) folder: PathBuf,
    pub(super) config: RunConfig,
    pub(super) manifest: Manifest,
    /// Holds the lock.
    _lock: Option<File>,
}

impl Run {
    /// Creates a run in a new or empty folder, or under a URL that the program is built for.
    ///
    /// Writes `run.toml` and plays nothing.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid, the folder is in use, or it cannot be written.
    pub fn create(path: &Path, config: RunConfig) -> Result<Run, StartError> {
        config.check()?;
        if config.detail == Detail::None {
            return Err(ConfigError::new("log", &"games, hands, decisions or oracle", &"none").into());
        }
        if config.games.is_none() {
            return Err(ConfigError::new("games", &"a number of games to play", &"none").into());
        }
        let (mut location, folder) = open(path)?;
        let not_new = |cause| StartError::NotNew { folder: folder.clone(), cause };
        match &location {
            Location::Folder(_) => check_is_new(&folder).map_err(not_new)?,
            #[cfg(feature = "cloud")]
            Location::Cloud(cloud) => {
                let names = cloud.names(&folder).map_err(|error| not_new(NotNew::Unusable(error)))?;
                if !names.is_empty() {
                    return Err(not_new(NotNew::NotEmpty));
                }
            }
        }
        write_config(&mut location, &folder, &config)?;
        let lock = lock(&location, &folder)?;
        Ok(Run { location, folder, config, manifest: Manifest::default(), _lock: lock })
    }

    /// Resumes the run in a folder. See [`StoppedRun`] for the steps.
    ///
    /// # Errors
    ///
    /// If there is no run, another program writes it, or as [`StoppedRun::resume`].
    pub fn resume(path: &Path, asked: Option<&RunConfig>) -> Result<Run, StartError> {
        let stopped = StoppedRun::find(path)?;
        stopped.ok_or_else(|| StartError::NoRun { folder: path.to_owned() })?.resume(asked)
    }

    /// The contents of `run.toml`.
    #[must_use]
    pub const fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The complete parts.
    #[must_use]
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The folder of the run, or its URL.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The numbers of the games that no complete part holds yet.
    #[must_use]
    pub fn remaining(&self) -> Range<u64> {
        let Range { start, end } = self.config.range();
        start + self.manifest.games..end
    }

    /// About how many bytes [`Run::play`] will write.
    ///
    /// The remaining games times the average bytes of a four-player game of `greedy` under the
    /// default rules (see `sim/docs/dataset.md`). Games of `random` and `tsumogiri` take about
    /// twice as much.
    #[must_use]
    pub fn estimated_bytes(&self) -> u64 {
        /// Hands and decisions of a game, and bytes of a row of each table.
        const HANDS: u64 = 10;
        const DECISIONS: u64 = 557;
        const GAME_BYTES: u64 = 44;
        const HAND_BYTES: u64 = 25;
        const DECISION_BYTES: u64 = 20;
        const WALL_BYTES: u64 = 122;
        const HIDDEN_BYTES: u64 = 6;
        let per_game = match self.config.detail {
            Detail::None => 0,
            Detail::Games => GAME_BYTES,
            Detail::Hands => GAME_BYTES + HANDS * HAND_BYTES,
            Detail::Decisions => GAME_BYTES + HANDS * HAND_BYTES + DECISIONS * DECISION_BYTES,
            Detail::Oracle => {
                let hand = HAND_BYTES + WALL_BYTES;
                GAME_BYTES + HANDS * hand + DECISIONS * (DECISION_BYTES + HIDDEN_BYTES)
            }
        };
        let Range { start, end } = self.remaining();
        per_game.saturating_mul(end - start)
    }
}

/// A run found in a folder, to be resumed.
///
/// It is locked like a [`Run`]. Its files have not changed yet; only a half-written `run.toml` is
/// removed.
#[derive(Debug)]
pub struct StoppedRun {
    location: Location,
    folder: PathBuf,
    config: RunConfig,
    lock: Option<File>,
}

impl StoppedRun {
    /// Finds the run in a folder or under a URL. `None` if there is no `run.toml`.
    ///
    /// # Errors
    ///
    /// If the run cannot be read, or another program writes it.
    pub fn find(path: &Path) -> Result<Option<StoppedRun>, StartError> {
        let (mut location, folder) = open(path)?;
        let lock = lock(&location, &folder)?;
        let config = folder.join("run.toml");
        // A new run needs an empty folder.
        location.discard(&config);
        if location.read(&config).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(None);
        }
        let (config, _) = read_started_in(&location, &folder)?;
        Ok(Some(StoppedRun { location, folder, config, lock }))
    }

    /// The contents of `run.toml`.
    #[must_use]
    pub const fn config(&self) -> &RunConfig {
        &self.config
    }

    /// Checks the run and removes the files that no complete part names.
    ///
    /// `asked` is the run that the caller expects to find; `None` accepts any.
    ///
    /// # Errors
    ///
    /// If the run is not the one that was asked for, is complete, comes from another version of the
    /// program or from logs, or is damaged. Files of an object store are not checked for damage.
    pub fn resume(mut self, asked: Option<&RunConfig>) -> Result<Run, StartError> {
        if let Some(asked) = asked {
            self.check_is(asked)?;
        }
        let (config, manifest) = resume::prepare(&mut self.location, &self.folder)?;
        if matches!(self.location, Location::Folder(_)) {
            resume::check_kept(&self.folder, &config, &manifest)?;
        }
        let StoppedRun { location, folder, lock, .. } = self;
        Ok(Run { location, folder, config, manifest, _lock: lock })
    }

    /// Checks that the run plays and writes what `asked` says.
    fn check_is(&self, asked: &RunConfig) -> Result<(), StartError> {
        let entries = |run: &RunConfig| {
            [
                ("games", run.games.unwrap_or(0).to_string()),
                ("agents", run.agents.join(",")),
                ("rules", format!("{} ({})", run.rules_name, run.rules_hash)),
                ("seed", run.seed.to_string()),
                ("log", run.detail.name().to_owned()),
                ("games_per_part", run.games_per_part.to_string()),
                ("shard", run.shard.map_or_else(|| "all games".to_owned(), |shard| shard.to_string())),
            ]
        };
        let same_rules = asked.rules_hash == self.config.rules_hash;
        let pairs = entries(asked).into_iter().zip(entries(&self.config));
        for ((field, expected), (_, found)) in pairs {
            // Rules are the same under any name.
            if expected != found && !(field == "rules" && same_rules) {
                return Err(StartError::OtherRun { folder: self.folder.clone(), field, expected, found });
            }
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<(Location, PathBuf), StartError> {
    Location::open(path).map_err(|cause| StartError::Open { path: path.to_owned(), cause })
}

fn lock(location: &Location, folder: &Path) -> Result<Option<File>, StartError> {
    location.lock(folder).map_err(|cause| StartError::Open { path: folder.to_owned(), cause })
}

/// Checks that a folder does not exist yet or is empty.
///
/// # Errors
///
/// If it holds anything or cannot be read.
pub fn check_is_new(folder: &Path) -> Result<(), NotNew> {
    if folder.join("run.toml").exists() {
        return Err(NotNew::HoldsRun);
    }
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().map_or(Ok(()), |_| Err(NotNew::NotEmpty)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::read_link(folder).map_or(Ok(()), |target| Err(NotNew::DeadLink(target)))
        }
        Err(error) => Err(NotNew::Unusable(error)),
    }
}
