//! What a loader loads, and how.

use std::path::PathBuf;

use jantaku_agents::neural::Encoder;
use jantaku_engine::Rules;

use super::error::LoadError;
use super::filter::Filter;
use super::position::Position;

/// The most threads, and the most batches made ahead.
const MOST: usize = 1024;

/// What a loader loads, and how.
#[derive(Clone, Debug)]
pub struct LoaderConfig {
    /// Runs, log files, and folders of them. With the feature `cloud` also URLs of runs.
    pub paths: Vec<PathBuf>,
    /// The encoder. Without one, batches have legal actions and labels.
    pub encoder: Option<Encoder>,
    /// The decisions of a batch. The last batch of an epoch may have fewer.
    pub batch: usize,
    /// Whether the last batch is left out if it has fewer decisions.
    pub drop_last: bool,
    /// The decisions of the buffer that shuffles them; 0 for the order of the games. A decision
    /// takes about 1 KB of memory.
    pub buffer: usize,
    /// The games that are put in random order at a time.
    pub window: usize,
    /// The seed of the order and of the augmentation.
    pub seed: u64,
    /// Which decisions.
    pub filter: Filter,
    /// Whether the suits of each decision are permuted at random, as far as the rules treat them
    /// alike.
    pub augment: bool,
    /// The share of the games: `rank` of `ranks` that load disjoint games, all of them together.
    pub rank: u64,
    /// The number of shares.
    pub ranks: u64,
    /// The threads that replay and encode; 0 for one for each processor.
    pub workers: usize,
    /// The batches that are made ahead of the caller.
    pub ahead: usize,
    /// Whether logs that cannot be read or replayed are left out. Otherwise they are errors.
    pub skip_damaged: bool,
    /// The rules of logs that state none.
    pub rules: Option<Rules>,
    /// Where to begin.
    pub start: Position,
}

impl LoaderConfig {
    /// All decisions at these paths in order, in batches of 1,024.
    #[must_use]
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
    pub(super) fn check(&self) -> Result<(), LoadError> {
        let wrong = |field, expected: &str, found: &dyn std::fmt::Display| {
            let (expected, found) = (expected.to_owned(), found.to_string());
            Err(LoadError::Config { field, expected, found })
        };
        if self.batch == 0 {
            return wrong("batch", "at least 1", &0);
        }
        if self.window == 0 {
            return wrong("window", "at least 1", &0);
        }
        if self.ranks == 0 || self.rank >= self.ranks {
            return wrong("rank", &format!("less than `ranks`, {}", self.ranks), &self.rank);
        }
        for (field, count) in [("workers", self.workers), ("prefetch", self.ahead)] {
            if count > MOST {
                return wrong(field, &format!("at most {MOST}"), &count);
            }
        }
        if self.paths.is_empty() {
            return wrong("paths", "at least one run or log", &"none");
        }
        self.filter.check()
    }
}
