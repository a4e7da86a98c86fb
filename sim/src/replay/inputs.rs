//! Recorded games from logs and from runs: read in order, worked on by all threads, handed on in order.

use std::io;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

use jantaku_engine::Rules;
use jantaku_engine::replay::{RecordedGame, Recording};
use rayon::prelude::*;

use crate::dataset::{StoredGame, read_games};
use crate::logs::LogError;
use crate::logs::files::{Games, Source, find};
use crate::play::Watch;
use crate::run::{self, Manifest, RunConfig};

/// What is worked on at once: so many games, unless their texts are long.
const GAMES: usize = 64;
/// Bytes of texts that are held at once.
const BYTES: usize = 8 << 20;

/// A recorded game that has not been understood yet.
#[derive(Debug)]
pub enum Input {
    /// The text of a log.
    Log(Source),
    /// A game out of the run with this name.
    Stored(String, Box<StoredGame>),
}

impl Input {
    /// Where it was found, for messages.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Input::Log(source) => source.name.clone(),
            Input::Stored(run, game) => format!("{run}: game {}", game.game),
        }
    }

    /// The name of the game: that which its log has, or its number in the run.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Input::Log(source) => source.id().to_owned(),
            Input::Stored(_, game) => game.source.clone().unwrap_or_else(|| format!("game {}", game.game)),
        }
    }

    /// The game as it is recorded; what a log leaves out is not known. See [`Source::read`] for the assumed rules.
    ///
    /// # Errors
    ///
    /// If a log cannot be read, or the decisions of a stored game are not those of a game.
    pub fn read(&self, assumed: Option<&Rules>) -> Result<RecordedGame, LogError> {
        match self {
            Input::Log(source) => source.read(assumed),
            Input::Stored(_, game) => {
                let mut recording = Recording::new(&game.rules);
                game.replay(&mut recording).map_err(|what| LogError::new("", what))?;
                Ok(RecordedGame { names: game.agents.clone(), ..recording.into_game() })
            }
        }
    }

    /// About how much memory it takes.
    fn bytes(&self) -> usize {
        match self {
            Input::Log(source) => source.len(),
            Input::Stored(_, game) => {
                size_of_val(game.decisions.as_slice()) + size_of_val(game.hands.as_slice())
            }
        }
    }
}

/// Reads games one after the other.
pub struct Inputs {
    places: IntoIter<PathBuf>,
    open: Option<Place>,
    /// Bytes of the places that have been read.
    before: u64,
    total: u64,
}

/// A file or run that is being read.
enum Place {
    File(Games),
    Run(Box<StoredGames>),
}

/// The games of a run, of which a part is in memory.
struct StoredGames {
    folder: PathBuf,
    config: RunConfig,
    manifest: Manifest,
    /// The next part of the manifest.
    part: usize,
    games: IntoIter<StoredGame>,
}

impl Inputs {
    /// The games of these files, folders of files and runs.
    ///
    /// # Errors
    ///
    /// If a path does not exist, or there is nothing that could hold games.
    pub fn open(paths: &[PathBuf]) -> io::Result<Inputs> {
        let places = find(paths)?;
        if places.is_empty() {
            return Err(io::Error::other(
                "no recorded games: no file in these folders is named as one, and none is a run",
            ));
        }
        let total = places.iter().map(|path| bytes_of(path)).sum();
        Ok(Inputs { places: places.into_iter(), open: None, before: 0, total })
    }

    /// The bytes of all files.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The bytes that have been read.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        let open = match &self.open {
            Some(Place::File(games)) => games.bytes_read(),
            Some(Place::Run(_)) | None => 0,
        };
        self.before + open
    }

    /// Works on all games on all threads of the rayon pool, and hands what came of them on in order.
    ///
    /// Memory does not grow with the number of games. What cannot be read is told, and the rest is read on. Progress is told in bytes.
    /// Tells whether all games were read: the watch may stop earlier.
    pub fn each<T: Send>(
        &mut self,
        work: impl Fn(&Input) -> T + Sync,
        watch: &mut impl Watch,
        mut done: impl FnMut(&Input, T),
        mut unreadable: impl FnMut(LogError),
    ) -> bool {
        loop {
            if watch.should_stop() {
                return false;
            }
            let (batch, errors, is_last) = self.batch();
            let results: Vec<T> = batch.par_iter().map(&work).collect();
            batch.iter().zip(results).for_each(|(game, result)| done(game, result));
            errors.into_iter().for_each(&mut unreadable);
            watch.progress(self.bytes_read());
            if is_last {
                return true;
            }
        }
    }

    /// The next games, what could not be read among them, and whether there are no more.
    fn batch(&mut self) -> (Vec<Input>, Vec<LogError>, bool) {
        let (mut batch, mut errors, mut bytes) = (Vec::new(), Vec::new(), 0);
        while batch.len() + errors.len() < GAMES && bytes < BYTES {
            match self.next() {
                Some(Ok(game)) => {
                    bytes += game.bytes();
                    batch.push(game);
                }
                Some(Err(error)) => errors.push(error),
                None => return (batch, errors, true),
            }
        }
        (batch, errors, false)
    }
}

impl Iterator for Inputs {
    type Item = Result<Input, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let game = match &mut self.open {
                Some(Place::File(games)) => games.next().map(|game| game.map(Input::Log)),
                Some(Place::Run(games)) => games.next(),
                None => None,
            };
            if game.is_some() {
                return game;
            }
            if let Some(Place::File(games)) = &self.open {
                self.before += games.bytes_read();
            }
            let path = self.places.next()?;
            self.open = None;
            match Place::open(&path) {
                Ok(place) => self.open = Some(place),
                Err(what) => return Some(Err(LogError::new("", what).of_game(&path.display().to_string()))),
            }
        }
    }
}

impl Place {
    fn open(path: &Path) -> Result<Place, String> {
        if !path.is_dir() {
            return Games::open(path).map(Place::File).map_err(|error| error.to_string());
        }
        let (config, manifest) = run::read(path).map_err(|error| error.to_string())?;
        let games = Vec::new().into_iter();
        Ok(Place::Run(Box::new(StoredGames { folder: path.to_owned(), config, manifest, part: 0, games })))
    }
}

impl Iterator for StoredGames {
    type Item = Result<Input, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(Input::Stored(self.folder.display().to_string(), Box::new(game))));
            }
            let part = self.manifest.parts.get(self.part)?.part;
            self.part += 1;
            match read_games(&self.folder, &self.config, part, None) {
                Ok(games) => self.games = games.into_iter(),
                Err(error) => return Some(Err(LogError::new("", error))),
            }
        }
    }
}

/// The bytes of a file; a run counts for nothing, its parts are read at once.
fn bytes_of(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| if file.is_file() { file.len() } else { 0 })
}
