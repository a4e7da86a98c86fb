//! The games of many files: read in order, worked on by all threads, handed on in order.

use std::path::PathBuf;

use rayon::prelude::*;

use super::LogError;
use super::files::{Games, Source};
use crate::runner::Watch;

/// What is worked on at once: so many games, unless their texts are long.
const GAMES: usize = 64;
/// Bytes of texts that are held at once.
const BYTES: usize = 8 << 20;

/// Works on the games of files on all threads of the rayon pool, and hands what came of them on in the order of the files.
///
/// Memory does not grow with the number of games. What cannot be read is told by its name, with the reason; the rest is read on. Progress is told in bytes of the files. Tells whether all games were read: the watch may stop earlier.
pub fn each_game<T: Send>(
    files: &[PathBuf],
    work: impl Fn(&Source) -> T + Sync,
    watch: &mut impl Watch,
    mut done: impl FnMut(&Source, T),
    mut unreadable: impl FnMut(LogError),
) -> bool {
    let mut before = 0;
    for path in files {
        let mut games = match Games::open(path) {
            Ok(games) => games,
            Err(error) => {
                unreadable(LogError::new("", error).of_game(&path.display().to_string()));
                continue;
            }
        };
        loop {
            if watch.should_stop() {
                return false;
            }
            let (batch, errors) = batch(&mut games);
            let results: Vec<T> = batch.par_iter().map(&work).collect();
            batch.iter().zip(results).for_each(|(source, result)| done(source, result));
            watch.progress(before + games.position());
            errors.into_iter().for_each(&mut unreadable);
            if games.is_done() {
                break;
            }
        }
        before += games.position();
    }
    true
}

/// The next games of a file, and what could not be read among them.
fn batch(games: &mut Games) -> (Vec<Source>, Vec<LogError>) {
    let (mut batch, mut errors, mut bytes) = (Vec::new(), Vec::new(), 0);
    while batch.len() + errors.len() < GAMES && bytes < BYTES {
        match games.next() {
            Some(Ok(source)) => {
                bytes += source.len();
                batch.push(source);
            }
            Some(Err(error)) => errors.push(error),
            None => break,
        }
    }
    (batch, errors)
}
