//! The options of a loader.

use std::path::PathBuf;

use jantaku_agents::encode::Encoder;
use jantaku_engine::Rules;
use serde::Deserialize;

use super::filter::Filter;
use super::position::Position;
use crate::run::ConfigError;

/// The maximum number of threads, and of prefetched batches.
const MAX: usize = 1024;

/// The options of a loader.
#[derive(Clone, Debug, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices of the caller")]
pub struct LoaderConfig {
    /// Runs, log files, and folders of them. With the feature `cloud` also URLs of runs.
    #[serde(skip)]
    pub paths: Vec<PathBuf>,
    /// The encoder. None for batches with only legal actions and labels.
    #[serde(skip)]
    pub encoder: Option<Encoder>,
    /// The number of decisions in a batch. The last batch of an epoch may have fewer.
    pub batch: usize,
    /// Whether to drop the last batch if it is not full.
    pub drop_last: bool,
    /// The number of decisions in the shuffle buffer. 0 keeps the order of the games. A decision
    /// takes about 1 KB of memory.
    pub buffer: usize,
    /// The number of games that are shuffled together before their decisions are.
    pub window: usize,
    /// The seed of the shuffle and the augmentation.
    pub seed: u64,
    /// Which decisions to load.
    #[serde(skip)]
    pub filter: Filter,
    /// Whether runs may have different rules, and games different numbers of players.
    pub mixed: bool,
    /// Whether batches have what the seats see, for other encoders. Suits are not permuted in it.
    pub observations: bool,
    /// Whether batches have what agents reported with their decisions.
    pub search_info: bool,
    /// Whether batches have the concealed tiles of all seats, as the table `oracle` of a run has.
    /// They follow from the game, so every run and log has them.
    pub concealed: bool,
    /// Whether batches have the tiles hidden from the player of each decision, as planes of
    /// [`OracleV1`](jantaku_agents::encode::OracleV1). They follow from the game, except for tiles of
    /// the wall that a log does not reveal.
    pub oracle: bool,
    /// Whether to load only decisions with labels by rollouts, and to add the labels to batches. All
    /// paths must be runs with labels.
    pub labels: bool,
    /// Whether to permute the suits of each decision at random. Only suits with the same tiles
    /// under the rules are exchanged.
    pub augment: bool,
    /// The rank of this loader in distributed training, below `ranks`. Ranks load disjoint games.
    pub rank: u64,
    /// The number of ranks. Together they load all games.
    pub ranks: u64,
    /// The number of threads that replay and encode. 0 for one per processor.
    pub workers: usize,
    /// The number of batches to prefetch. 0 counts as 1.
    pub ahead: usize,
    /// Whether to skip logs that cannot be read or replayed. Otherwise they are errors.
    pub skip_damaged: bool,
    /// The rules of all logs. Without them, a log has the rules stated in it, or Tenhou's under
    /// which it replays.
    #[serde(skip)]
    pub rules: Option<Rules>,
    /// The checkpoint to start from.
    #[serde(skip)]
    pub start: Position,
}

impl LoaderConfig {
    /// All decisions at these paths in order, in batches of 1,024.
    pub fn new(paths: Vec<PathBuf>) -> LoaderConfig {
        LoaderConfig {
            paths,
            encoder: None,
            batch: 1024,
            drop_last: false,
            buffer: 0,
            window: 4096,
            seed: 0,
            filter: Filter::default(),
            mixed: false,
            observations: false,
            search_info: false,
            concealed: false,
            oracle: false,
            labels: false,
            augment: false,
            rank: 0,
            ranks: 1,
            workers: 0,
            ahead: 2,
            skip_damaged: false,
            rules: None,
            start: Position::default(),
        }
    }

    /// Whether decisions are shuffled.
    pub(super) const fn shuffles(&self) -> bool {
        self.buffer > 0
    }

    /// Checks the values.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if self.batch == 0 {
            return Err(ConfigError::new("batch", &"at least 1", &0));
        }
        if self.window == 0 {
            return Err(ConfigError::new("window", &"at least 1", &0));
        }
        if self.ranks == 0 || self.rank >= self.ranks {
            return Err(ConfigError::new("rank", &format!("less than `ranks`, {}", self.ranks), &self.rank));
        }
        for (field, count) in [("workers", self.workers), ("prefetch", self.ahead)] {
            if count > MAX {
                return Err(ConfigError::new(field, &format!("at most {MAX}"), &count));
            }
        }
        if self.labels && self.augment {
            return Err(ConfigError::new(
                "augment",
                &"false, because candidates of labels are not permuted",
                &true,
            ));
        }
        if self.observations && self.augment {
            return Err(ConfigError::new("augment", &"false with a function as the encoder", &true));
        }
        if self.paths.is_empty() {
            return Err(ConfigError::new("runs", &"at least one run or log", &"none"));
        }
        self.filter.check()
    }
}
