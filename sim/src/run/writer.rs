//! Writes the files of a run while its games are played.
//!
//! # Why
//!
//! **Who encodes the files?** Separate threads. A thread that plays never encodes, and waits only
//! when the writers are a wave behind. One writer thread takes the games in order and makes rows.
//! Batches of about 8,192 rows are then encoded in parallel, each column by one thread. So the
//! bytes do not depend on the number of threads. Because the writer makes the rows, both sides cost
//! about the same per decision of `greedy`: 0.5 µs to play and 0.7 µs to write. Rejected: writing
//! several parts at once, since each would hold its games in memory until the part before it is
//! done.

mod part;

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use crate::dataset::Contents;
use crate::play::{GameRecord, Sink, SinkError};
use crate::run::{Manifest, PartEntry, RunConfig, write_config, write_manifest};
use crate::store::Location;
use part::{PartFiles, SealedFiles};

/// Writes the games of a run as Parquet on its own threads.
///
/// It starts as many threads as the caller's rayon pool has, up to eight. One of them takes the
/// games and makes rows; all of them encode columns.
///
/// [`Sink::take`] waits when the writer is far behind. If anything fails, the complete parts stay,
/// and the manifest names them. Partial or complete files of the next part may remain; a resumed
/// run replaces them.
pub struct ParquetSink {
    games: Option<SyncSender<GameRecord>>,
    /// Whether the caller has sent every game of the run. The writer reads it when no game is left.
    has_all_games: Arc<AtomicBool>,
    waits: Arc<AtomicU64>,
    writer: Option<JoinHandle<Result<Manifest, SinkError>>>,
}

impl ParquetSink {
    /// Starts a run in a folder without a run.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn start(run: Location, config: RunConfig) -> Result<ParquetSink, SinkError> {
        write_config(&run, &config)?;
        Ok(ParquetSink::resume(run, config, Manifest::default()))
    }

    /// Continues a run with these complete parts. The first game to take is the one after them. If
    /// the last part is too short for an extended run, it is the first game of this part.
    pub fn resume(run: Location, config: RunConfig, manifest: Manifest) -> ParquetSink {
        /// Games that may wait for the writer: one wave of the runner. The next wave is played
        /// while this one is written.
        const WAITING: usize = 512;
        /// More threads would only wait for the one that encodes the largest column.
        const MAX_ENCODERS: usize = 8;
        let (sender, receiver) = sync_channel(WAITING);
        let has_all_games = Arc::<AtomicBool>::default();
        let threads = rayon::current_num_threads().min(MAX_ENCODERS);
        let writer = Writer { run, config, has_all_games: Arc::clone(&has_all_games) };
        let writer = std::thread::spawn(move || {
            let encoders =
                rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "write".to_owned());
            let encoders = encoders.build().map_err(|error| {
                let cause = io::Error::other(error);
                SinkError { path: writer.run.path.clone(), what: "cannot start the writer's threads", cause }
            })?;
            encoders.install(move || writer.write(manifest, &receiver))
        });
        ParquetSink { games: Some(sender), has_all_games, waits: Arc::default(), writer: Some(writer) }
    }

    /// The number of games that had to wait for the writer. It grows while the sink takes games.
    pub fn waits(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.waits)
    }

    /// Waits until all games are written.
    ///
    /// Gives up an unfinished part unless it is the last of the run. A run of an unknown number of
    /// games is then complete with the games taken so far.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<Manifest, SinkError> {
        self.has_all_games.store(true, Ordering::Release);
        self.join()
    }

    /// Waits until the complete parts are written, for a caller that was interrupted.
    ///
    /// Gives up an unfinished part. A run of an unknown number of games stays incomplete.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
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
        // The writer has stopped and returns the reason.
        match self.join() {
            Err(error) => Err(error),
            Ok(_) => unreachable!("the writer stops before the last game only when it fails"),
        }
    }
}

/// Gives up the unfinished part of a sink that was not finished. Nothing is written afterwards.
impl Drop for ParquetSink {
    fn drop(&mut self) {
        drop(self.games.take());
        if let Some(writer) = self.writer.take() {
            // The code that drops an unfinished sink reports another error.
            writer.join().ok();
        }
    }
}

/// The writer's side of [`ParquetSink`].
struct Writer {
    run: Location,
    config: RunConfig,
    has_all_games: Arc<AtomicBool>,
}

/// A part whose files are written but not published.
struct WrittenPart {
    part: u64,
    first_game: u64,
    games: u64,
    files: SealedFiles,
}

impl Writer {
    fn write(mut self, mut manifest: Manifest, games: &Receiver<GameRecord>) -> Result<Manifest, SinkError> {
        let (first_game, total) = (self.config.range().start, self.games_in_total());
        // A resumed run may have all its games and lack only this mark.
        manifest.complete = total == Some(manifest.games);
        write_manifest(&self.run, &manifest)?;
        let contents = self.config.contents();
        let mut next = games.recv().ok();
        while let Some(game) = next.take() {
            let settled = manifest.settled_games(&self.config);
            let left = total.map_or(u64::MAX, |total| total - settled);
            let most = self.config.games_per_part.min(left);
            let Some(part) = self.write_part(&contents, games, game, first_game + settled, most)? else {
                return Ok(manifest);
            };
            self.replace_short_part(&mut manifest, &part.files)?;
            let WrittenPart { part, first_game, games: count, files } = part;
            manifest.add(PartEntry { part, first_game, games: count, files: files.publish()? });
            manifest.complete = total == Some(manifest.games);
            write_manifest(&self.run, &manifest)?;
            // Only now: a complete part must not wait for the next game.
            next = games.recv().ok();
        }
        if total.is_none() && self.has_all_games() {
            self.config.games = Some(manifest.games);
            write_config(&self.run, &self.config)?;
            manifest.complete = true;
            write_manifest(&self.run, &manifest)?;
        }
        Ok(manifest)
    }

    /// Removes a part that is too short for an extended run from the manifest. The files that
    /// replace its files are complete but not published. So at every moment the files match the
    /// manifest, and the old part or the new one is complete.
    fn replace_short_part(&mut self, manifest: &mut Manifest, new: &SealedFiles) -> Result<(), SinkError> {
        if manifest.short_part(&self.config).is_none() {
            return Ok(());
        }
        manifest.remove_last();
        write_manifest(&self.run, manifest).inspect_err(|_| new.discard())
    }

    /// The number of games of this folder. None if it is known only when the games end.
    fn games_in_total(&self) -> Option<u64> {
        let Range { start, end } = self.config.range();
        self.config.games.map(|_| end - start)
    }

    /// Whether the caller has sent every game. Only valid when no game is left.
    fn has_all_games(&self) -> bool {
        self.has_all_games.load(Ordering::Acquire)
    }

    /// Writes a part of up to `most` games, starting with `game`, the game number `first`.
    ///
    /// None if the games end before the part is full, unless it may be the last part of a run of an
    /// unknown number of games.
    fn write_part(
        &mut self,
        contents: &Contents,
        games: &Receiver<GameRecord>,
        game: GameRecord,
        first: u64,
        most: u64,
    ) -> Result<Option<WrittenPart>, SinkError> {
        let part = first / self.config.games_per_part;
        let mut tables = PartFiles::create(part, contents, &self.run)?;
        let (mut next, mut count) = (Some(game), 0);
        while count < most {
            let pushed = match next.take() {
                Some(game) => tables.push(&game),
                None if self.games_in_total().is_none() && self.has_all_games() => break,
                None => {
                    tables.discard();
                    return Ok(None);
                }
            };
            if let Err(error) = pushed {
                tables.discard();
                return Err(error);
            }
            count += 1;
            if count < most {
                next = games.recv().ok();
            }
        }
        let files = tables.finish()?;
        Ok(Some(WrittenPart { part, first_game: first, games: count, files }))
    }
}
