//! Reads games from logs and runs in order and works on them on all threads.

use std::io;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

use jantaku_engine::Rules;
use jantaku_engine::replay::RecordedGame;
use rayon::prelude::*;

use super::stored_run::{StoredRun, WantedExtras};
use crate::dataset::StoredGame;
use crate::logs::files::{Games, find, shown};
use crate::logs::{LogError, Source};
use crate::play::Watch;
use crate::store;

/// The maximum number of games in a batch.
const GAMES: usize = 64;
/// A batch takes no further game when it has this many bytes.
const BYTES: usize = 8 << 20;

/// A game before it is parsed.
#[derive(Debug)]
pub enum Input {
    /// The text of a log.
    Log(Source),
    /// A game of the run with this path.
    Stored(String, Box<StoredGame>),
}

impl Input {
    /// Where the game was found, for messages.
    pub fn place(&self) -> String {
        match self {
            Input::Log(source) => source.name.clone(),
            Input::Stored(run, game) => format!("{run}: game {}", game.game),
        }
    }

    /// The name of the game in its log. A self-play game of a run has its number instead, as in `game 3`.
    pub fn id(&self) -> String {
        match self {
            Input::Log(source) => source.id().to_owned(),
            Input::Stored(_, game) => game.source.clone().unwrap_or_else(|| format!("game {}", game.game)),
        }
    }

    /// Parses the game. See [`Source::read`] for the assumed rules.
    ///
    /// # Errors
    ///
    /// If a log cannot be read or a stored game cannot be replayed. The error names the game.
    pub fn read(&self, assumed: Option<&Rules>) -> Result<RecordedGame, LogError> {
        let recorded = match self {
            Input::Log(source) => source.read(assumed),
            Input::Stored(_, game) => {
                let mut recording = RecordedGame::new(game.rules);
                let replayed = game.replay(&mut recording).map_err(|what| LogError::new("", what));
                replayed.map(|()| RecordedGame { names: game.agents.clone(), ..recording })
            }
        };
        recorded.map_err(|error| error.in_game(&self.place()))
    }

    /// About how many bytes of memory it takes.
    fn bytes(&self) -> usize {
        match self {
            Input::Log(source) => source.length(),
            Input::Stored(_, game) => {
                size_of_val(game.decisions.as_slice()) + size_of_val(game.hands.as_slice())
            }
        }
    }
}

/// Reads games one after another.
pub struct Inputs {
    /// Files and runs, each with the number of its only game to read, or `None` for all games.
    paths: IntoIter<(PathBuf, Option<u64>)>,
    open: Option<OpenInput>,
    /// Bytes of the files that were read to their ends.
    before: u64,
    total: u64,
}

/// A file or run that is being read.
enum OpenInput {
    File(Box<Games>),
    Run(Box<StoredGames>),
}

/// The games of a run. One part is in memory.
struct StoredGames {
    run: StoredRun,
    /// The index of the next part in the manifest.
    next_part: usize,
    games: IntoIter<StoredGame>,
}

impl Inputs {
    /// Opens files, folders of files, and runs.
    ///
    /// # Errors
    ///
    /// If a path does not exist, or no file or run is found.
    pub fn open(paths: &[PathBuf]) -> io::Result<Inputs> {
        Inputs::open_games(paths.iter().map(|path| (path.clone(), None)))
    }

    /// Opens files, folders of files, and runs, with the number of the only game to read if there is
    /// one.
    ///
    /// # Errors
    ///
    /// As for [`Inputs::open`], and if a folder of files has a number.
    pub fn open_games(places: impl IntoIterator<Item = (PathBuf, Option<u64>)>) -> io::Result<Inputs> {
        let mut paths = Vec::new();
        for (path, game) in places {
            let found = find(std::slice::from_ref(&path))?;
            if game.is_some() && found != [path.clone()] {
                let what = format!(
                    "{}: games are numbered in a file, and this is a folder: name one of its files",
                    shown(&path)
                );
                return Err(io::Error::other(what));
            }
            paths.extend(found.into_iter().map(|path| (path, game)));
        }
        if paths.is_empty() {
            return Err(io::Error::other(
                "no recorded games: found no run and no file with the name of a log",
            ));
        }
        let total = paths.iter().map(|(path, _)| bytes_of(path)).sum();
        Ok(Inputs { paths: paths.into_iter(), open: None, before: 0, total })
    }

    /// The bytes of all files.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        let open = match &self.open {
            Some(OpenInput::File(games)) => games.bytes_read(),
            Some(OpenInput::Run(_)) | None => 0,
        };
        self.before + open
    }

    /// Calls `work` with each game on all threads of the rayon pool, and `done` with each game and
    /// its result in order.
    ///
    /// Memory does not grow with the number of games. `unreadable` receives the error of each game
    /// or file that cannot be read; the others are still read. Progress is reported in bytes. Returns
    /// false if the watch stopped it before the last game.
    pub fn each<T: Send>(
        &mut self,
        work: impl Fn(&Input) -> T + Sync,
        watch: &mut dyn Watch,
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

    /// Reads the next games. Returns them, the errors among them, and whether they are the last.
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
                Some(OpenInput::File(games)) => games.next().map(|game| game.map(Input::Log)),
                Some(OpenInput::Run(games)) => games.next(),
                None => None,
            };
            if game.is_some() {
                return game;
            }
            if let Some(OpenInput::File(games)) = &self.open {
                self.before += games.bytes_read();
            }
            let (path, game) = self.paths.next()?;
            self.open = None;
            match (OpenInput::open(&path), game) {
                (Ok(open), None) => self.open = Some(open),
                (Ok(open), Some(game)) => {
                    let missing = || LogError::new(shown(&path), format!("no game {game}"));
                    return open.into_game(game).or_else(|| Some(Err(missing())));
                }
                (Err(error), _) => return Some(Err(error)),
            }
        }
    }
}

impl OpenInput {
    fn open(path: &Path) -> Result<OpenInput, LogError> {
        if !store::is_folder(path) {
            let games = Games::open(path).map_err(|error| LogError::new(shown(path), error))?;
            return Ok(OpenInput::File(Box::new(games)));
        }
        let run = StoredRun::open(path).map_err(|error| LogError::new("", error))?;
        Ok(OpenInput::Run(Box::new(StoredGames { run, next_part: 0, games: Vec::new().into_iter() })))
    }

    /// The game with this number. None if there is no such game.
    fn into_game(self, number: u64) -> Option<Result<Input, LogError>> {
        match self {
            OpenInput::File(mut games) => {
                games.nth(usize::try_from(number).ok()?).map(|game| game.map(Input::Log))
            }
            OpenInput::Run(mut games) => {
                let part = games.run.manifest.part_of(number)?.part;
                games.run.manifest.parts.retain(|other| other.part == part);
                let is_meant = |game: &Result<Input, LogError>| match game {
                    Ok(Input::Stored(_, stored)) => stored.game == number,
                    _ => true,
                };
                games.find(is_meant)
            }
        }
    }
}

impl Iterator for StoredGames {
    type Item = Result<Input, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let run = &self.run;
            if let Some(game) = self.games.next() {
                return Some(Ok(Input::Stored(run.folder.display().to_string(), Box::new(game))));
            }
            let part = run.manifest.parts.get(self.next_part)?;
            self.next_part += 1;
            if let Some(next) = run.manifest.parts.get(self.next_part) {
                run.prefetch(next, WantedExtras::default());
            }
            match run.read(part, None, WantedExtras::default()) {
                Ok(games) => {
                    let games: Vec<StoredGame> = games.into_iter().map(|(game, _)| game).collect();
                    self.games = games.into_iter();
                }
                Err(error) => return Some(Err(LogError::new("", error))),
            }
        }
    }
}

/// The bytes of a file; 0 for a run, whose parts are not read in small steps.
fn bytes_of(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| if file.is_file() { file.len() } else { 0 })
}
