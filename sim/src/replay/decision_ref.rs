//! Names a decision of a run or log, or a position.

use std::path::{Path, PathBuf};

use jantaku_engine::{Action, Rules};

use super::error::SourceError;
use super::source::{DecisionContext, GameSource};
use crate::logs::files::{Games, is_page_url, is_readable, shown};
use crate::store;

/// Where a decision is. All numbers count from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionRef {
    /// The folder of the run, or the file of the log or position; `-` is stdin.
    pub path: PathBuf,
    /// The number of the game. None for the first game of a log, and for a position.
    pub game: Option<u64>,
    /// The number of the decision in the game. None for a position.
    pub step: Option<usize>,
}

impl DecisionRef {
    /// Reads a reference such as `position.toml`, `RUN:GAME:STEP`, `LOG:STEP` or `LOG:GAME:STEP`. `-` is
    /// stdin; a log may be the address of a page.
    ///
    /// # Errors
    ///
    /// If the file does not exist, a page cannot be opened, or the numbers of a run or a page are missing
    /// or too many. Without a number, the file of a log is taken for a position, which
    /// [`DecisionRef::open`] refuses.
    pub fn parse(text: &str) -> Result<DecisionRef, SourceError> {
        let path = PathBuf::from(text);
        if is_readable(&path) && !is_page_url(&path) {
            return Ok(DecisionRef { path, game: None, step: None });
        }
        let wrong = |expected| Err(SourceError::Text { text: shown(Path::new(text)), expected });
        let (path, numbers) = split_numbers(text, 3);
        let path = PathBuf::from(path);
        let is_run = store::is_folder(&path);
        if is_page_url(&path) {
            Games::open(&path).map_err(|cause| SourceError::unreadable(&path, &cause))?;
        }
        let (game, step) = match *numbers.as_slice() {
            [game, step] if is_run => (Some(game), step),
            _ if is_run => return wrong("expected the game and the decision of the run, as in RUN:3:141"),
            _ if !is_readable(&path) => {
                return wrong("no such file; expected a position, RUN:GAME:STEP or LOG:STEP");
            }
            [step] => (None, step),
            [game, step] => (Some(game), step),
            _ => return Err(SourceError::WholeLog { log: shown(Path::new(text)) }),
        };
        let step = Some(usize::try_from(step).unwrap_or(usize::MAX));
        Ok(DecisionRef { path, game, step })
    }

    /// The folder of the run that has the decision, if it is in one.
    pub fn run(&self) -> Option<&Path> {
        Some(self.path.as_path()).filter(|path| self.step.is_some() && store::is_folder(path))
    }

    /// Opens the game or the position.
    ///
    /// `seed` chooses the hidden tiles of a position and the random numbers of agents, except those
    /// for a game of a run. `rules` are for logs; `load` reads the rules that a position names.
    ///
    /// # Errors
    ///
    /// If the game or the position cannot be read.
    pub fn open(
        &self,
        seed: u64,
        rules: Option<&Rules>,
        load: impl FnOnce(&str) -> Result<Rules, String>,
    ) -> Result<GameSource, SourceError> {
        if self.step.is_none() {
            return GameSource::open_position(&self.path, seed, load);
        }
        let mut source = GameSource::open(&self.path, self.game, rules)?;
        if let GameSource::Log(game) = &mut source {
            game.seed = seed;
        }
        Ok(source)
    }

    /// The decision in words. `source` is its open game or position.
    pub fn name(&self, source: &GameSource) -> String {
        let path = shown(&self.path);
        match self.step {
            None => path,
            Some(step) => format!("decision {step} of game {} of {path}", source.number()),
        }
    }

    /// Calls `found` with the decision in its open game or position, and the choice of the player there.
    ///
    /// # Errors
    ///
    /// If there is no such decision, or the game cannot be replayed.
    pub fn visit<T>(
        &self,
        source: &GameSource,
        found: impl FnOnce(&DecisionContext<'_>, Option<Action>) -> T,
    ) -> Result<T, SourceError> {
        source.decision(self.step.unwrap_or(0), found)
    }
}

/// The path and at most `max` numbers after it, each after a colon.
pub fn split_numbers(text: &str, max: usize) -> (&str, Vec<u64>) {
    let (mut path, mut numbers) = (text, Vec::new());
    while numbers.len() < max
        && let Some((before, last)) = path.rsplit_once(':')
        && let Ok(number) = last.parse()
    {
        numbers.insert(0, number);
        path = before;
    }
    (path, numbers)
}
