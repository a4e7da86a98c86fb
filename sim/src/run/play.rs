//! Plays a run.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::play::{LabelSink, PlayedParts, Players, RunError, SinkError, Tally, Watch, WatchPart};
use crate::run::config::{ConfigError, RunConfig};
use crate::run::environment::Environment;
use crate::run::files::read_started_in;
use crate::run::start::Run;
use crate::run::writer::ParquetSink;

/// What one call of [`Run::play`] or [`count`] played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The numbers of the games that were to be played.
    pub games: Range<u64>,
    /// Games that were played to their ends.
    pub finished: u64,
    /// Counts over the finished games that stay: those in complete parts, or all if nothing is
    /// written.
    pub tally: Tally,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Threads that played.
    pub threads: usize,
}

impl Played {
    /// Whether the watch stopped it before the last game.
    pub const fn is_interrupted(&self) -> bool {
        self.finished < self.games.end - self.games.start
    }
}

/// Why a run was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The agents have other names than those of `run.toml`.
    #[error("`agents`: expected {expected:?} as in the run, found {found:?}")]
    Agents {
        /// The names in the run.
        expected: Vec<String>,
        /// The names of the agents.
        found: Vec<String>,
    },
    /// A field of `run.toml` is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A game could not be played or written. Complete parts stay.
    #[error("{}: {cause}", what_is_kept(folder, *kept))]
    Stopped {
        /// The folder of the run.
        folder: PathBuf,
        /// Games in complete parts; none if they cannot be counted.
        kept: Option<u64>,
        /// The reason. The message contains it, so it is not a source.
        cause: RunError,
    },
    /// A game that is only counted could not be played.
    #[error(transparent)]
    Count(#[from] RunError),
    /// `environment.json` cannot be written.
    #[error(transparent)]
    Environment(SinkError),
}

fn what_is_kept(folder: &Path, kept: Option<u64>) -> String {
    let folder = folder.display();
    match kept {
        Some(0) => "stopped before a part was complete; no game is kept".to_owned(),
        Some(kept) => format!("stopped; the {kept} games of complete parts are kept in {folder}"),
        None => format!("stopped; complete parts are kept in {folder}"),
    }
}

impl Run {
    /// Plays the remaining games and writes them, on the rayon pool of the calling thread.
    ///
    /// `players` must have the names of the agents in `run.toml`. They are those of
    /// [`RunConfig::players`], unless the caller has its own. The files depend neither on the
    /// number of threads nor on that of tables. If the watch stops the run, it ends without an
    /// error: complete parts stay, and another call or [`Run::resume`] continues after them. If the
    /// run is complete, nothing is played or written.
    ///
    /// # Errors
    ///
    /// If the agents have other names, one of them fails or answers illegally, a game has no end, or
    /// a file cannot be written.
    pub fn play(&mut self, players: &mut Players, watch: &mut dyn Watch) -> Result<Played, PlayError> {
        if players.names() != self.config.agents {
            let found = players.names().into_iter().map(str::to_owned).collect();
            return Err(PlayError::Agents { expected: self.config.agents.clone(), found });
        }
        let (games, per_part) = (self.remaining(), self.config.games_per_part);
        let labeller = self.config.labeller()?;
        self.write(watch, |config, sink, watch| {
            let mut labelled = LabelSink::new(labeller.as_ref(), &config.rules, config.start(), sink);
            let played = players.play_parts(&config.job(games), Some(per_part), &mut labelled, watch)?;
            labelled.finish()?;
            Ok(played)
        })
    }

    /// Writes the remaining games, which `play` gives to a sink in order, and adds this call to
    /// `environment.json`. Writes nothing if the run is complete.
    ///
    /// # Errors
    ///
    /// The error of `play`, or if a file cannot be written.
    pub fn write(
        &mut self,
        watch: &mut dyn Watch,
        play: impl FnOnce(&RunConfig, &mut ParquetSink, &mut dyn Watch) -> Result<PlayedParts, RunError>,
    ) -> Result<Played, PlayError> {
        let games = self.remaining();
        if self.manifest.complete {
            let (tally, threads) = (Tally::default(), rayon::current_num_threads());
            return Ok(Played { games, finished: 0, tally, seconds: 0.0, threads });
        }
        let mut environment = Environment::read(self.folder());
        environment.begin(games.start);
        environment.write(&self.location).map_err(PlayError::Environment)?;
        let played = timed(&games, || self.write_games(watch, play));
        let played = played.map_err(|cause| {
            // The manifest on disk names the complete parts. A bucket may be out of reach.
            let found = read_started_in(&self.location).ok();
            let kept = found.map(|(_, manifest)| {
                self.manifest = manifest.unwrap_or_default();
                self.manifest.games
            });
            PlayError::Stopped { folder: self.location.path.clone(), kept, cause }
        })?;
        environment.finish(played.seconds, played.threads);
        environment.write(&self.location).map_err(PlayError::Environment)?;
        Ok(played)
    }

    /// Writes the games that `play` gives to a sink. Nothing is written after it returns.
    fn write_games(
        &mut self,
        watch: &mut dyn Watch,
        play: impl FnOnce(&RunConfig, &mut ParquetSink, &mut dyn Watch) -> Result<PlayedParts, RunError>,
    ) -> Result<PlayedParts, RunError> {
        let (config, manifest) = (self.config.clone(), self.manifest.clone());
        let mut sink = ParquetSink::resume(self.location.clone(), config, manifest);
        let (waits, mut reported) = (sink.waits(), 0);
        let report = |watch: &mut dyn Watch, done| {
            // Games that had to wait for the writer.
            let waits = waits.load(Ordering::Relaxed);
            watch.writer_is_behind(waits > reported);
            reported = waits;
            watch.progress(done);
        };
        let mut watch = WatchPart { watch, report };
        let played = play(&self.config, &mut sink, &mut watch)?;
        self.manifest = if watch.should_stop() { sink.stop()? } else { sink.finish()? };
        if self.manifest.complete {
            // The number of games may be known only now.
            self.config.games.get_or_insert(self.manifest.games);
        }
        Ok(played)
    }
}

/// Plays the games of a run and writes nothing.
///
/// # Errors
///
/// If an agent fails or answers illegally, or a game has no end.
pub fn count(config: &RunConfig, players: &mut Players, watch: &mut dyn Watch) -> Result<Played, RunError> {
    let games = config.range();
    timed(&games, || players.play_parts(&config.job(games.clone()), None, &mut (), watch))
}

fn timed(
    games: &Range<u64>,
    play: impl FnOnce() -> Result<PlayedParts, RunError>,
) -> Result<Played, RunError> {
    let start = Instant::now();
    let PlayedParts { games: finished, tally, threads } = play()?;
    Ok(Played { games: games.clone(), finished, tally, seconds: start.elapsed().as_secs_f64(), threads })
}
