//! Writes the files of a run while its games are played.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use crate::dataset::Part;
use crate::play::{GameRecord, Sink, SinkError};
use crate::run::store::Store;
use crate::run::{Manifest, PartEntry, RunConfig, write_config, write_manifest};

/// Writes the games of a run as Parquet, on threads of its own: one for every thread of the rayon pool in which the sink starts, up to eight.
/// One of them takes the games and makes rows of them, all encode columns.
///
/// The caller waits when the writer is far behind. Whatever happens, parts that are complete stay; the manifest names just
/// them, and there are no other files of parts in the folder.
pub struct ParquetSink {
    games: Option<SyncSender<GameRecord>>,
    /// Whether the games that were taken are all: told to the writer when no more come.
    are_all: Arc<AtomicBool>,
    waits: Arc<AtomicU64>,
    writer: Option<JoinHandle<Result<Manifest, SinkError>>>,
}

impl ParquetSink {
    /// Starts a run in a folder, which holds no other run.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn start<S: Store + 'static>(
        mut store: S,
        folder: &Path,
        config: RunConfig,
    ) -> Result<ParquetSink, SinkError> {
        write_config(&mut store, folder, &config)?;
        Ok(ParquetSink::go_on(store, folder, config, Manifest::default()))
    }

    /// Goes on with a run that has these parts, from the game after them: see [`crate::run::resume`].
    pub fn go_on<S: Store + 'static>(
        store: S,
        folder: &Path,
        config: RunConfig,
        manifest: Manifest,
    ) -> ParquetSink {
        /// Games that may wait for the writer: a wave of the runner, so that the next is played while this one is written.
        const WAITING: usize = 512;
        /// More threads would wait for the one that encodes the largest column.
        const MOST_ENCODERS: usize = 8;
        let (sender, receiver) = sync_channel(WAITING);
        let folder = folder.to_owned();
        let are_all = Arc::<AtomicBool>::default();
        let told = Arc::clone(&are_all);
        let threads = rayon::current_num_threads().min(MOST_ENCODERS);
        let writer = std::thread::spawn(move || {
            let encoders =
                rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "write".to_owned());
            let encoders = encoders.build().map_err(|error| {
                let cause = io::Error::other(error);
                SinkError { path: folder.clone(), what: "cannot start threads that write", cause }
            })?;
            encoders.install(move || Writer { store, folder, config, are_all: told }.run(manifest, &receiver))
        });
        ParquetSink { games: Some(sender), are_all, waits: Arc::default(), writer: Some(writer) }
    }

    /// How often a game has had to wait for the writer, counted on while the sink takes games.
    #[must_use]
    pub fn waits(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.waits)
    }

    /// Waits until everything is written. An unfinished part is given up unless it is the last of the run: a run that has as many games as
    /// come is complete with those that were taken.
    ///
    /// # Errors
    ///
    /// If something could not be written.
    pub fn finish(mut self) -> Result<Manifest, SinkError> {
        self.are_all.store(true, Ordering::Release);
        self.join()
    }

    /// The same where more games would have come: a run that has as many as come is not complete, and its unfinished part is given up.
    ///
    /// # Errors
    ///
    /// If something could not be written.
    pub fn stop(mut self) -> Result<Manifest, SinkError> {
        self.join()
    }

    fn join(&mut self) -> Result<Manifest, SinkError> {
        drop(self.games.take());
        let writer = self.writer.take().expect("the writer is joined once");
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Sink for ParquetSink {
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError> {
        let games = self.games.as_ref().expect("the sink is open until it is finished");
        let sent = match games.try_send(game) {
            Err(TrySendError::Full(game)) => {
                self.waits.fetch_add(1, Ordering::Relaxed);
                games.send(game).is_ok()
            }
            sent => sent.is_ok(),
        };
        if sent {
            return Ok(());
        }
        // The writer has stopped; it says why.
        match self.join() {
            Err(error) => Err(error),
            Ok(_) => unreachable!("the writer stops before the last game only when it fails"),
        }
    }
}

/// A sink that is not finished gives up its last part; nothing is written any more when it is gone.
impl Drop for ParquetSink {
    fn drop(&mut self) {
        drop(self.games.take());
        if let Some(writer) = self.writer.take() {
            // Whoever drops a sink has another error to tell.
            writer.join().ok();
        }
    }
}

/// The writer's side of [`ParquetSink`].
struct Writer<S> {
    store: S,
    folder: PathBuf,
    config: RunConfig,
    are_all: Arc<AtomicBool>,
}

impl<S: Store> Writer<S> {
    fn run(mut self, mut manifest: Manifest, games: &Receiver<GameRecord>) -> Result<Manifest, SinkError> {
        let is_open_ended = self.config.games.is_none();
        let Range { start, end } = self.config.range();
        let asked = if is_open_ended { u64::MAX } else { end - start };
        // A run that goes on may lack this word alone.
        manifest.complete = manifest.games == asked;
        self.write_manifest(&manifest)?;
        let mut next = games.recv().ok();
        while let Some(first) = next.take() {
            let most = self.config.games_per_part.min(asked - manifest.games);
            let Some((part, after)) = self.part(games, first, start + manifest.games, most)? else {
                return Ok(manifest);
            };
            next = after;
            let files: Vec<PathBuf> = part.files.iter().map(|file| self.folder.join(&file.path)).collect();
            manifest.add(part);
            manifest.complete = manifest.games == asked;
            if let Err(error) = self.write_manifest(&manifest) {
                files.iter().for_each(|path| self.store.withdraw(path));
                return Err(error);
            }
        }
        if is_open_ended && self.have_all_come() {
            self.config.games = Some(manifest.games);
            write_config(&mut self.store, &self.folder, &self.config)?;
            manifest.complete = true;
            self.write_manifest(&manifest)?;
        }
        Ok(manifest)
    }

    /// Whether no game is missing, where no more come.
    fn have_all_come(&self) -> bool {
        self.are_all.load(Ordering::Acquire)
    }

    /// Writes a part of at most so many games, of which the first has come; also gives the game after it. None if the games end before,
    /// unless the run has as many as come and these are all.
    fn part(
        &mut self,
        games: &Receiver<GameRecord>,
        first: GameRecord,
        number: u64,
        most: u64,
    ) -> Result<Option<(PartEntry, Option<GameRecord>)>, SinkError> {
        let mut part =
            Part::start(number / self.config.games_per_part, &self.config, &self.folder, &mut self.store)?;
        let (mut next, mut count) = (Some(first), 0);
        while count < most {
            let pushed = match next.take() {
                Some(game) => part.push(&game),
                None if self.config.games.is_none() && self.have_all_come() => break,
                None => {
                    part.discard(&mut self.store);
                    return Ok(None);
                }
            };
            if let Err(error) = pushed {
                part.discard(&mut self.store);
                return Err(error);
            }
            count += 1;
            next = games.recv().ok();
        }
        let files = part.finish(&mut self.store)?;
        let part = number / self.config.games_per_part;
        Ok(Some((PartEntry { part, first_game: number, games: count, files }, next)))
    }

    fn write_manifest(&mut self, manifest: &Manifest) -> Result<(), SinkError> {
        write_manifest(&mut self.store, &self.folder, manifest)
    }
}
