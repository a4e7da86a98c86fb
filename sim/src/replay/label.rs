//! Labels the decisions of a run that was played before.
//!
//! # Why
//!
//! **Why does `label` write a whole run?** Labels are rows keyed by decision, so loaders, `verify`,
//! `merge` and shards handle them like any other table. The games are replayed and written by the
//! code of `selfplay`, and the bytes are those of `selfplay --labels`; a test compares them.
//! Rejected: a table of its own in the run that was played, because a complete run never changes.

use std::ops::Range;
use std::path::PathBuf;

use jantaku_agents::field_name;
use jantaku_agents::labels::LabelOptions;
use serde::{Deserialize, Serialize};

use super::error::SourceError;
use super::stored_run::{GameExtras, StoredRun, WantedExtras};
use crate::dataset::{ReadError, SCHEMA_VERSION, StoredGame};
use crate::path_text;
use crate::play::{
    Detail, GameRecord, LabelSink, Memory, Origin, PlayedParts, RunError, Sink as _, Tally, Watch,
};
use crate::run::{
    ConfigError, PlayError, RowCounts, Run, RunConfig, Shard, StartError, StoppedRun, label_options,
};

/// A run to be labelled.
///
/// The result has the bytes of the same run with labels from the start, if the same program played
/// it. Its `run.toml` keeps the version and commit of the program that played.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct LabelRequest {
    /// Label the games of this run; it must be complete and have decisions. It stays as it is
    pub run: PathBuf,
    /// Write the labelled run to this new or empty folder
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub out: PathBuf,
    /// Change the defaults by options such as `deals=8,discard=0.1`; sim/docs/labels.md has all
    #[cfg_attr(feature = "clap", arg(long, value_name = "OPTIONS"))]
    #[serde(default, deserialize_with = "label_options")]
    pub labels: Option<LabelOptions>,
    /// Label one share of the games, such as 2/4 for the second of four; `jantaku merge` joins the
    /// shares
    #[cfg_attr(feature = "clap", arg(long, value_name = "I/N"))]
    pub shard: Option<Shard>,
    /// Resume the labelled run in the folder; the result has the same bytes as without a stop
    #[cfg_attr(feature = "clap", arg(long))]
    #[serde(default)]
    pub resume: bool,
}

/// Why a run cannot be labelled.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The run cannot be opened, or has no decisions.
    #[error(transparent)]
    Open(#[from] SourceError),
    /// The run is not complete, or a game of it cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A field of the request is not valid.
    #[error("{}: {}", field_name(.0.field), .0.what)]
    Config(ConfigError),
    /// The labelled run cannot be created or resumed.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The labelled run cannot be written.
    #[error(transparent)]
    Write(#[from] PlayError),
}

impl From<ConfigError> for LabelError {
    fn from(error: ConfigError) -> LabelError {
        LabelError::Config(error)
    }
}

/// A run that is ready to be labelled.
#[derive(Debug)]
pub struct Labelling {
    source: StoredRun,
    run: Run,
}

/// What was labelled and written.
#[derive(Clone, Debug, Serialize)]
pub struct Labelled {
    /// The folder of the labelled run.
    #[serde(serialize_with = "path_text::serialize")]
    pub out: PathBuf,
    /// Games in its complete parts.
    pub games: u64,
    /// Rows of its tables.
    pub rows: RowCounts,
    /// Whether it has all games.
    pub complete: bool,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Threads that labelled.
    pub threads: usize,
}

impl LabelRequest {
    /// Creates or resumes the labelled run. Labels nothing.
    ///
    /// # Errors
    ///
    /// If the run has no decisions or is not complete, a field is not valid, or the labelled run
    /// cannot be created or resumed.
    pub fn resolve(&self) -> Result<Labelling, LabelError> {
        let source = StoredRun::open(&self.run)?;
        if !source.manifest.complete {
            return Err(ReadError::new(&self.run, &"the run is not complete: resume it first").into());
        }
        let played = &source.config;
        if let Some(shard) = self.shard.filter(|_| played.from_logs || played.shard.is_some()) {
            let expected = "none, because the run is a shard or its games come from logs";
            return Err(ConfigError::new("shard", &expected, &shard).into());
        }
        if self.resume && played.from_logs {
            let expected = "a new folder, because the games come from logs";
            return Err(ConfigError::new("resume", &expected, &self.out.display()).into());
        }
        let stopped = if self.resume { StoppedRun::find(&self.out)? } else { None };
        let resumed = stopped.as_ref().map(StoppedRun::config);
        let labels = self.labels.clone().or_else(|| resumed?.labels.clone()).unwrap_or_default();
        let labelled = RunConfig { schema: SCHEMA_VERSION, ..played.clone() }.with_labels(Some(labels))?;
        let shard = self.shard.or_else(|| resumed?.shard).or(labelled.shard);
        let labelled = RunConfig { shard, ..labelled };
        let run = match stopped {
            Some(stopped) => stopped.resume(Some(&labelled))?,
            None => Run::create(&self.out, labelled)?,
        };
        Ok(Labelling { source, run })
    }
}

impl Labelling {
    /// The labelled run.
    pub const fn run(&self) -> &Run {
        &self.run
    }

    /// The numbers of the games to label.
    pub fn games(&self) -> Range<u64> {
        self.run.remaining()
    }

    /// Labels the games and writes them, on the rayon pool of the calling thread. If the watch stops
    /// it, complete parts stay.
    ///
    /// # Errors
    ///
    /// If a game cannot be read or does not follow its rules, or a file cannot be written.
    pub fn label(&mut self, watch: &mut dyn Watch) -> Result<Labelled, LabelError> {
        let labeller = self.run.config().labeller()?.expect("a labelled run has options of labels");
        let (games, source, mut unreadable) = (self.run.remaining(), &self.source, None);
        let written = self.run.write(watch, |config, sink, watch| {
            let mut sink = LabelSink::new(Some(&labeller), &config.rules, config.start(), sink);
            let mut labelled = 0;
            for game in games_of(source, games) {
                if watch.should_stop() {
                    break;
                }
                match game {
                    Ok(game) => sink.take(game)?,
                    Err(error) => {
                        unreadable = Some(error);
                        return Err(RunError::Stopped);
                    }
                }
                labelled += 1;
                watch.progress(labelled);
            }
            sink.finish()?;
            let threads = rayon::current_num_threads();
            Ok(PlayedParts { games: labelled, tally: Tally::default(), threads })
        });
        if let Some(error) = unreadable {
            return Err(error.into());
        }
        let (written, manifest) = (written?, self.run.manifest());
        Ok(Labelled {
            out: self.run.folder().to_owned(),
            games: manifest.games,
            rows: manifest.rows,
            complete: manifest.complete,
            seconds: written.seconds,
            threads: written.threads,
        })
    }
}

/// Replays the games with these numbers and returns their records in order. The range must consist of whole
/// parts of the source.
fn games_of(
    source: &StoredRun,
    games: Range<u64>,
) -> impl Iterator<Item = Result<GameRecord, ReadError>> + '_ {
    let parts = source.manifest.parts.iter().filter(move |part| games.contains(&part.first_game));
    parts.flat_map(move |part| {
        let read = source.read(part, None, WantedExtras { search_info: true, labels: false });
        let (stored, error) = read.map_or_else(|error| (Vec::new(), Some(error)), |games| (games, None));
        let records = stored.into_iter().map(move |(game, extras)| record(source, &game, extras));
        records.chain(error.map(Err))
    })
}

/// Replays a game and returns its record, as it was when the run was written.
fn record(source: &StoredRun, stored: &StoredGame, extras: GameExtras) -> Result<GameRecord, ReadError> {
    let mut memory = Memory::new(source.config.detail, &stored.rules);
    let error = |what: &dyn ToString| {
        ReadError::new(&source.folder, &format!("game {}: {}", stored.game, what.to_string()))
    };
    stored.replay(&mut memory).map_err(|wrong| error(&wrong))?;
    let record = memory.finish(stored.game, stored.seed);
    let mut record = record.ok_or_else(|| error(&"the decisions end before the game does"))?;
    for (decision, reported) in record.decisions.iter_mut().zip(extras.search_info) {
        decision.search_info = reported;
    }
    if source.config.from_logs {
        for (hand, stored) in record.hands.iter_mut().zip(&stored.hands) {
            hand.wall = Some(stored.wall);
        }
        let (source, players) = (stored.source.clone().unwrap_or_default(), stored.agents.clone());
        record.origin = Some(Box::new(Origin { source, players, rules: stored.rules }));
    } else if source.config.detail >= Detail::Oracle {
        record.add_walls(&stored.rules);
    }
    Ok(record)
}
