//! Creates a run, or resumes one that was interrupted.
//!
//! # Why
//!
//! **How is a run extended?** First the manifest marks the run as incomplete, then `run.toml` gets
//! the new number of games, then the run resumes. A last part with too few games is played again
//! from its first game. When its new files are complete, the manifest drops the old part, the files
//! get their names, and the manifest lists the new part. So the manifest is right at every moment.
//! A shard cannot be extended, because its share of the games depends on their number.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use jantaku_agents::field_name;

use crate::dataset::ReadError;
use crate::play::{Detail, SinkError};
use crate::run::config::{ConfigError, RunConfig};
use crate::run::files::{lost_config, read_started_in, write_config, write_manifest};
use crate::run::find_parts::{PartsAfterGap, parts_after_gap};
use crate::run::in_use::{located, lock_run};
use crate::run::manifest::Manifest;
use crate::run::new_folder::{NotNew, PLAN, claim_in};
use crate::run::resume;
use crate::run::unchanged::{check_unchanged, field, on_fault_field};
use crate::store::{Location, Lock};

/// Why a run cannot be created or resumed.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is not valid, or not that of the run in the folder.
    #[error("{}: {}", field_name(.0.field), .0.what)]
    Config(ConfigError),
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
    /// The run in the folder cannot be read, is damaged, or another program writes it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The run cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
}

impl StartError {
    /// The error for a folder that cannot take a new run, match or league.
    pub fn not_new(folder: &Path, cause: NotNew) -> StartError {
        match cause {
            NotNew::InUse(error) => StartError::Read(error),
            cause => StartError::NotNew { folder: folder.to_owned(), cause },
        }
    }
}

impl From<ConfigError> for StartError {
    fn from(error: ConfigError) -> StartError {
        StartError::Config(error)
    }
}

/// A run that this program writes: [created](Run::create) or [resumed](Run::resume), then
/// [played](Run::play).
///
/// A run in a folder is locked against other programs until this value is dropped, where the system
/// has such locks. Object stores have none.
#[derive(Debug)]
pub struct Run {
    pub(super) location: Location,
    pub(super) config: RunConfig,
    pub(super) manifest: Manifest,
    after_gap: Option<PartsAfterGap>,
    /// Holds the lock.
    _lock: Option<Lock>,
}

impl Run {
    /// Creates a run in a new or empty folder, or under a URL if the build has object stores.
    ///
    /// Writes `run.toml` and plays nothing.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid, the folder is in use, or it cannot be written.
    pub fn create(path: &Path, config: RunConfig) -> Result<Run, StartError> {
        Run::create_after(path, config, |_| Ok(()))
    }

    /// Creates a run as [`Run::create`] does, after `first` has written other files into the folder.
    /// So a folder with a `run.toml` also has these files.
    ///
    /// # Errors
    ///
    /// As [`Run::create`], or the error of `first`.
    pub fn create_after(
        path: &Path,
        config: RunConfig,
        first: impl FnOnce(&Path) -> Result<(), SinkError>,
    ) -> Result<Run, StartError> {
        config.check()?;
        if config.detail == Detail::None {
            return Err(ConfigError::new("log", &"games, hands, decisions or oracle", &"none").into());
        }
        let location = located(path)?;
        let lock = claim_in(&location).map_err(|cause| StartError::not_new(&location.path, cause))?;
        if location.store.is_local() {
            // The plan of a match that never began.
            location.store.remove(&[location.path.join(PLAN)]);
        }
        first(&location.path)?;
        write_config(&location, &config)?;
        Ok(Run { location, config, manifest: Manifest::default(), after_gap: None, _lock: lock })
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
    pub const fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The complete parts.
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The whole parts of a resumed run that come after a gap. They are played again, to the same
    /// bytes.
    pub const fn after_gap(&self) -> Option<&PartsAfterGap> {
        self.after_gap.as_ref()
    }

    /// The folder of the run, or its URL.
    pub fn folder(&self) -> &Path {
        &self.location.path
    }

    /// The numbers of the games to play: those that no complete part holds yet. A part that has too
    /// few games for an extended run is played again.
    pub fn remaining(&self) -> Range<u64> {
        let Range { start, end } = self.config.range();
        start + self.manifest.settled_games(&self.config)..end
    }

    /// About how many bytes [`Run::play`] will write.
    ///
    /// The remaining games times the average bytes of a four-player game of `greedy` under the
    /// default rules (see `sim/docs/dataset.md`). Games of `random` and `tsumogiri` take about
    /// twice as much.
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
/// It is locked like a [`Run`]. Its files have not changed yet.
#[derive(Debug)]
pub struct StoppedRun {
    location: Location,
    config: RunConfig,
    manifest: Option<Manifest>,
    lock: Option<Lock>,
}

impl StoppedRun {
    /// Finds the run in a folder or under a URL. `None` if there is no `run.toml`.
    ///
    /// # Errors
    ///
    /// If the run cannot be read, its `run.toml` is lost, or another program is writing it.
    pub fn find(path: &Path) -> Result<Option<StoppedRun>, StartError> {
        let location = located(path)?;
        let config = location.store.read(&location.path.join("run.toml"));
        if config.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return lost_config(&location).map_or(Ok(None), |error| Err(error.into()));
        }
        // Only a folder that exists can be locked, and another program may begin the run at any moment.
        let lock = lock_run(&location)?;
        let (config, manifest) = read_started_in(&location)?;
        Ok(Some(StoppedRun { location, config, manifest, lock }))
    }

    /// The contents of `run.toml`.
    pub const fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The number of games in the parts that the manifest names.
    pub fn games(&self) -> u64 {
        self.manifest.as_ref().map_or(0, |manifest| manifest.games)
    }

    /// Checks the run, finds its complete parts and removes half-written files.
    ///
    /// `asked` is the run that the caller expects to find; `None` accepts any. If it has more games
    /// than the run, the run is extended to them. A complete run that is not extended has no games
    /// left to play.
    ///
    /// # Errors
    ///
    /// - The run is not the one that was asked for, or it comes from logs.
    /// - There are games to play, and the run was started by another version of the program or with
    ///   other parameter files.
    /// - A shard would be extended.
    /// - The run is damaged. In an object store, only the sizes of the files are checked.
    /// - The run is not deterministic, and it has whole parts after a missing or damaged one.
    pub fn resume(mut self, asked: Option<&RunConfig>) -> Result<Run, StartError> {
        let more = asked.and_then(|asked| asked.games.filter(|games| Some(*games) > self.config.games));
        if let Some(asked) = asked {
            self.check_is(asked, more)?;
        }
        if more.is_some() {
            self.check_is_whole()?;
        }
        let is_complete = self.manifest.as_ref().is_some_and(|manifest| manifest.complete);
        if self.config.from_logs || !is_complete || more.is_some() {
            resume::check_program(&self.location.path, &self.config)?;
        }
        let found = self.manifest.clone();
        let (mut manifest, foreign) = resume::prepare(&self.location, &self.config, found)?;
        if self.location.store.is_local() {
            resume::check_kept(&self.location.path, &self.config, &manifest)?;
        }
        if let Some(error) = foreign {
            return Err(error.into());
        }
        let after_gap = parts_after_gap(&self.location, &self.config, &manifest)?;
        if let Some(parts) = after_gap.as_ref().filter(|_| !self.config.deterministic) {
            let what = format!(
                "{parts}, which the manifest does not name, and the run is not deterministic: to resume it \
                would replace them by other games. Restore part {} and run `jantaku rebuild-manifest`, or move \
                the later parts away to lose their games",
                parts.gap
            );
            return Err(ReadError::new(&self.location.path, &what).into());
        }
        if self.manifest.as_ref() != Some(&manifest) {
            write_manifest(&self.location, &manifest)?;
        }
        if let Some(asked) = asked.filter(|asked| asked.on_fault != self.config.on_fault) {
            self.config.on_fault = asked.on_fault;
            write_config(&self.location, &self.config)?;
        }
        if let Some(games) = more {
            self.extend(Some(games), &mut manifest)?;
        }
        let StoppedRun { location, config, lock, .. } = self;
        Ok(Run { location, config, manifest, after_gap, _lock: lock })
    }

    /// Resumes a complete run to give it more games. Their number is unknown until the run ends again.
    ///
    /// A last part that is shorter than the others is played again.
    ///
    /// # Errors
    ///
    /// As [`StoppedRun::resume`], and if the run is a shard.
    pub fn reopen(mut self) -> Result<Run, StartError> {
        self.check_is_whole()?;
        resume::check_program(&self.location.path, &self.config)?;
        if let Some(mut manifest) = self.manifest.take() {
            self.extend(None, &mut manifest)?;
            self.manifest = Some(manifest);
        }
        self.resume(None)
    }

    /// Gives the run more games, or an unknown number of them.
    fn extend(&mut self, games: Option<u64>, manifest: &mut Manifest) -> Result<(), SinkError> {
        // In this order, the two files agree whenever the program stops.
        manifest.complete = false;
        write_manifest(&self.location, manifest)?;
        self.config.games = games;
        write_config(&self.location, &self.config)
    }

    /// Checks that the run is no shard, because a shard cannot be extended.
    fn check_is_whole(&self) -> Result<(), ReadError> {
        let Some(shard) = self.config.shard else { return Ok(()) };
        let what = format!(
            "is shard {shard}, which has a fixed share of the games: merge the shards, then resume the merged \
            run with more games"
        );
        Err(ReadError::new(&self.location.path, &what))
    }

    /// Checks that the run plays and writes what `asked` says. It may have `more` games.
    fn check_is(&self, asked: &RunConfig, more: Option<u64>) -> Result<(), ConfigError> {
        let own = &self.config;
        let games = |run: &RunConfig| run.games.unwrap_or(0);
        let rules = |run: &RunConfig| format!("{} ({})", run.rules_name, run.rules_hash);
        let shard = |run: &RunConfig| run.shard.map_or_else(|| "all games".to_owned(), |own| own.to_string());
        let labels = |run: &RunConfig| run.labels.as_ref().map_or("none".to_owned(), ToString::to_string);
        let fields = [
            field("games", games(own), Some(games(asked)).filter(|_| more.is_none())),
            field("agents", own.agents.join(","), Some(asked.agents.join(","))),
            field("seatings", own.seatings.name(), Some(asked.seatings.name())),
            // Rules are the same under any name.
            field("rules", rules(own), Some(rules(asked)).filter(|_| asked.rules_hash != own.rules_hash)),
            field("seed", own.seed, Some(asked.seed)),
            field("log", own.detail.name(), Some(asked.detail.name())),
            field("games_per_part", own.games_per_part, Some(asked.games_per_part)),
            field("shard", shard(own), Some(shard(asked))),
            on_fault_field(Some(own.on_fault), Some(asked.on_fault)),
            field("labels", labels(own), Some(labels(asked))),
        ];
        check_unchanged("run", Some(&self.location.path), fields)
    }
}
