//! The thread that makes batches, and the loader, which receives them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use jantaku_engine::random::hash;
use rayon::prelude::*;

use super::batch::LoadedBatch;
use super::compatibility::GamesSoFar;
use super::config::LoaderConfig;
use super::error::LoadError;
use super::position::Position;
use super::sample::{Sample, samples};
use super::shuffle::Shuffle;
use super::sources::Sources;
use super::stream::{LoadedGame, Stream, Window};
use crate::run::{ConfigError, stray_note};

/// The number of games that each thread replays at a time.
const GAMES: usize = 4;
/// The stream of random numbers of the shuffle buffer.
const BUFFER: u64 = 4;

/// Loads the decisions of one epoch, batch by batch.
///
/// An iterator over batches, which ends after an error. Its threads prefetch batches and stop when
/// the loader is dropped.
#[derive(Debug)]
pub struct Loader {
    /// None after the end.
    batches: Option<Receiver<Result<LoadedBatch, LoadError>>>,
    thread: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
    warning: Option<String>,
}

/// The result of [`Loader::poll`].
#[derive(Debug)]
pub enum Polled {
    /// The next batch.
    Batch(Box<LoadedBatch>),
    /// No batch is ready yet.
    Waiting,
    /// An error, after which there is no batch.
    Failed(LoadError),
    /// There are no more batches.
    End,
}

/// State that the thread and the loader share.
#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    skipped: AtomicU64,
}

impl Loader {
    /// Opens the runs and logs, and starts to load.
    ///
    /// # Errors
    ///
    /// If an option is invalid, a run or log cannot be opened, runs do not belong together, or the
    /// checkpoint belongs to a different loader. A checkpoint beyond the last game is an error of the
    /// first batch.
    pub fn start(config: LoaderConfig) -> Result<Loader, LoadError> {
        config.check()?;
        let sources = Sources::open(&config.paths)?;
        sources.check(&config)?;
        let (id, warning) = (identity(&config, &sources), stray_note(&sources.strays));
        config.start.check(id)?;
        let stopped = |error: &dyn ToString| LoadError::Stopped(error.to_string());
        let workers = match config.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        };
        let pool = (workers > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(workers).build());
        let pool = pool.transpose().map_err(|error| stopped(&error))?;
        let (sender, batches) = sync_channel(config.ahead.max(1));
        let shared = Arc::<Shared>::default();
        let work = Work { config, sources, id, pool, shared: Arc::clone(&shared), sender };
        let thread = std::thread::Builder::new().name("jantaku-loader".to_owned());
        let thread = thread.spawn(move || work.run()).map_err(|error| stopped(&error))?;
        Ok(Loader { batches: Some(batches), thread: Some(thread), shared, warning })
    }

    /// Waits for the next batch, but no longer than `patience`. [`Iterator::next`] has no limit.
    pub fn poll(&mut self, patience: Duration) -> Polled {
        let Some(batches) = &self.batches else { return Polled::End };
        let polled = match batches.recv_timeout(patience) {
            Ok(Ok(batch)) => return Polled::Batch(Box::new(batch)),
            Err(RecvTimeoutError::Timeout) => return Polled::Waiting,
            Ok(Err(error)) => Polled::Failed(error),
            Err(RecvTimeoutError::Disconnected) => Polled::End,
        };
        self.batches = None;
        polled
    }

    /// What is wrong with the runs, although they can be read: files that no manifest names.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// The number of damaged logs that were skipped so far.
    pub fn skipped(&self) -> u64 {
        self.shared.skipped.load(Ordering::Relaxed)
    }
}

impl Iterator for Loader {
    type Item = Result<LoadedBatch, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.as_ref()?.recv().ok();
        if !matches!(batch, Some(Ok(_))) {
            self.batches = None;
        }
        batch
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // Without a receiver, a thread that waits for room in the channel wakes up.
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was caught and sent.
            let _ = thread.join();
        }
    }
}

/// A hash of the games and of the options that determine the order of the decisions. Never 0, which fits
/// every loader ([`Position::loader`]).
fn identity(config: &LoaderConfig, sources: &Sources) -> u64 {
    let text = format!("{:?}", (&config.filter, config.rules.map(|rules| rules.hash()), config.skip_damaged));
    let words: Vec<u64> = text.bytes().map(u64::from).collect();
    let (buffer, window) = (config.buffer as u64, config.window as u64);
    let numbers =
        [config.seed, buffer, window, config.rank, config.ranks, u64::from(config.augment), sources.hash()];
    hash(&[hash(&numbers), hash(&words)]).max(1)
}

/// The thread that makes batches.
struct Work {
    config: LoaderConfig,
    sources: Sources,
    id: u64,
    /// None for a single thread.
    pool: Option<rayon::ThreadPool>,
    shared: Arc<Shared>,
    sender: SyncSender<Result<LoadedBatch, LoadError>>,
}

/// Why the thread stops before the last batch.
enum End {
    /// The loader was dropped.
    Stopped,
    Failed(LoadError),
}

impl From<LoadError> for End {
    fn from(error: LoadError) -> End {
        End::Failed(error)
    }
}

/// Collects decisions into batches.
struct Batcher<'a> {
    work: &'a Work,
    /// The decisions of the next batch.
    pending: Vec<Sample>,
    /// The checkpoint after the latest decision.
    position: Position,
    /// The number of decisions to skip in the first window: those before the checkpoint to start from.
    skip: u64,
    games_so_far: GamesSoFar<'a>,
}

impl Work {
    fn run(self) {
        let ended = catch_unwind(AssertUnwindSafe(|| self.epoch()));
        let error = match ended {
            Ok(Ok(()) | Err(End::Stopped)) => return,
            Ok(Err(End::Failed(error))) => error,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                LoadError::Stopped(text.unwrap_or_else(|| "a thread panicked".to_owned()))
            }
        };
        // The loader may be gone.
        let _ = self.sender.send(Err(error));
    }

    /// Makes all batches.
    fn epoch(&self) -> Result<(), End> {
        let start = self.config.start;
        let mut stream = Stream::new(&self.config, &self.sources, &start)?;
        let position = Position { loader: self.id, given: 0, ..start };
        let games_so_far = GamesSoFar::new(&self.config);
        let mut batcher =
            Batcher { work: self, pending: Vec::new(), position, skip: start.given, games_so_far };
        while let Some(window) = stream.window()? {
            self.shared.skipped.fetch_add(std::mem::take(&mut stream.skipped), Ordering::Relaxed);
            self.window(&window, &mut batcher)?;
            batcher.end_of_window()?;
        }
        // If there was no window, a checkpoint within one is an error.
        batcher.end_of_window()?;
        batcher.games_so_far.check_agents()?;
        if self.config.drop_last { Ok(()) } else { batcher.send() }
    }

    /// Sends the decisions of a window.
    fn window(&self, window: &Window, batcher: &mut Batcher<'_>) -> Result<(), End> {
        let (config, epoch) = (&self.config, batcher.position.epoch);
        batcher.position = Position { part: window.part, game: window.game, given: 0, ..batcher.position };
        let seed = hash(&[config.seed, epoch, BUFFER, window.part, window.game]);
        let mut shuffle = Shuffle::new(config.buffer, seed);
        let threads = self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        for games in window.games.chunks(GAMES * threads) {
            if self.shared.stop.load(Ordering::Relaxed) {
                return Err(End::Stopped);
            }
            let replay = |game: &LoadedGame| samples(config, epoch, game);
            let replayed: Vec<_> = match &self.pool {
                Some(pool) => pool.install(|| games.par_iter().with_max_len(1).map(replay).collect()),
                None => games.iter().map(replay).collect(),
            };
            for (game, replayed) in games.iter().zip(replayed) {
                let Some(replayed) = replayed? else {
                    self.shared.skipped.fetch_add(1, Ordering::Relaxed);
                    continue;
                };
                batcher.games_so_far.add(&game.input, replayed.players, &replayed.names)?;
                for sample in replayed.samples {
                    if let Some(sample) = shuffle.push(sample) {
                        batcher.push(sample)?;
                    }
                }
            }
        }
        shuffle.drain().try_for_each(|sample| batcher.push(sample))
    }
}

impl Batcher<'_> {
    /// Adds a decision to the next batch, and sends the batch when it is full. Skips a decision before the
    /// checkpoint.
    fn push(&mut self, sample: Sample) -> Result<(), End> {
        self.position.given += 1;
        if self.position.given <= self.skip {
            return Ok(());
        }
        self.pending.push(sample);
        if self.pending.len() == self.work.config.batch { self.send() } else { Ok(()) }
    }

    /// Ends the skipping of decisions, which concerns only the first window. A window with fewer decisions
    /// than those to skip is an error.
    fn end_of_window(&mut self) -> Result<(), LoadError> {
        let given = self.position.given;
        match std::mem::take(&mut self.skip) {
            skip if skip > given => {
                let most = format!("at most {given}, the decisions of its window");
                Err(ConfigError::new("position.given", &most, &skip).into())
            }
            _ => Ok(()),
        }
    }

    /// Encodes and sends the decisions of the next batch, if there are any.
    fn send(&mut self) -> Result<(), End> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let config = &self.work.config;
        let batch = match &self.work.pool {
            Some(pool) => pool.install(|| LoadedBatch::new(config, &self.pending, self.position, true)),
            None => LoadedBatch::new(config, &self.pending, self.position, false),
        };
        self.pending.clear();
        self.work.sender.send(Ok(batch)).map_err(|_| End::Stopped)
    }
}
