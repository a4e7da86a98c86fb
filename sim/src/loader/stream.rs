//! The games of all parts in the order of an epoch, window by window.

use jantaku_engine::Rng;
use jantaku_engine::random::hash;

use super::config::LoaderConfig;
use super::error::LoadError;
use super::position::Position;
use super::sources::{GameExtras, OpenPart, Sources};
use crate::replay::inputs::Input;
use crate::run::ConfigError;

/// The streams of random numbers that shuffle parts and games. 3 permutes suits (`sample`), 4 is that of the
/// shuffle buffer (`worker`).
const PARTS: u64 = 1;
const GAMES: u64 = 2;

/// The most games of a window without a shuffle.
const IN_ORDER: usize = 256;
/// A window is full when the texts of its logs have this many bytes.
const MAX_BYTES: usize = 256 << 20;

/// The games of a rank, from all parts in the order of an epoch.
pub(super) struct Stream<'a> {
    config: &'a LoaderConfig,
    sources: &'a Sources,
    epoch: u64,
    /// The parts in the order of the epoch.
    order: Vec<usize>,
    /// The index in `order` of the open part, or of the next one if none is open.
    next: usize,
    open: Option<OpenPart>,
    /// The number of games taken from the open part, including those of other ranks.
    taken: u64,
    /// The number of logs that were skipped. The caller of [`Stream::window`] takes it.
    pub(super) skipped: u64,
}

/// Games that are shuffled together.
pub(super) struct Window {
    /// The part in which it starts, in the order of the epoch.
    pub(super) part: u64,
    /// The number of its first game in this part.
    pub(super) game: u64,
    /// The games.
    pub(super) games: Vec<LoadedGame>,
}

/// A game before it is replayed.
pub(super) struct LoadedGame {
    /// The number of its run or log file.
    pub(super) run: u32,
    /// Its number in this run or file.
    pub(super) number: u64,
    pub(super) input: Input,
    /// What else is known of its decisions.
    pub(super) extras: GameExtras,
}

impl<'a> Stream<'a> {
    /// The games after a checkpoint.
    ///
    /// # Errors
    ///
    /// If the checkpoint is beyond the last game, or a part cannot be read.
    pub(super) fn new(
        config: &'a LoaderConfig,
        sources: &'a Sources,
        at: &Position,
    ) -> Result<Stream<'a>, LoadError> {
        let mut order: Vec<usize> = (0..sources.len()).collect();
        if config.shuffles() {
            Rng::new(hash(&[config.seed, at.epoch, PARTS])).shuffle(&mut order);
        }
        let next = usize::try_from(at.part).ok().filter(|part| *part == 0 || *part < order.len());
        let next = next.ok_or_else(|| {
            let expected = format!("less than {}, the number of parts", order.len());
            ConfigError::new("position.part", &expected, &at.part)
        })?;
        let mut stream =
            Stream { config, sources, epoch: at.epoch, order, next, open: None, taken: 0, skipped: 0 };
        while stream.taken < at.game {
            // A damaged log before the position was already reported.
            if !stream.open_next()? || stream.take().is_none() {
                let most = format!("at most {}, the games of part {}", stream.taken, at.part);
                return Err(ConfigError::new("position.game", &most, &at.game).into());
            }
        }
        Ok(stream)
    }

    /// The next window; none at the end of the epoch.
    pub(super) fn window(&mut self) -> Result<Option<Window>, LoadError> {
        let mut window = Window { part: self.next as u64, game: self.taken, games: Vec::new() };
        let mut bytes = 0;
        let most = if self.config.shuffles() { self.config.window } else { self.config.window.min(IN_ORDER) };
        while window.games.len() < most && bytes < MAX_BYTES && self.open_next()? {
            let (number_in_part, part) = (self.taken, self.order[self.next]);
            match self.take() {
                None => self.close(),
                Some(Err(_)) if self.config.skip_damaged && self.sources.is_log(part) => self.skipped += 1,
                Some(Err(error)) => return Err(error),
                // With the number of the part, files of one game are shared, too.
                Some(Ok((input, extras)))
                    if (number_in_part + part as u64) % self.config.ranks == self.config.rank =>
                {
                    let (number, length) = match &input {
                        Input::Log(source) => (number_in_part, source.length()),
                        Input::Stored(_, stored) => (stored.game, 0),
                    };
                    bytes += length;
                    let run = self.sources.source_of(part);
                    window.games.push(LoadedGame { run, number, input, extras });
                }
                Some(Ok(_)) => {}
            }
        }
        if self.config.shuffles() {
            let seed = hash(&[self.config.seed, self.epoch, GAMES, window.part, window.game]);
            Rng::new(seed).shuffle(&mut window.games);
        }
        Ok((!window.games.is_empty()).then_some(window))
    }

    /// Opens the next part if none is open. Returns false after the last.
    fn open_next(&mut self) -> Result<bool, LoadError> {
        if self.open.is_none() {
            let Some(part) = self.order.get(self.next) else { return Ok(false) };
            self.open = Some(self.sources.open_part(*part, self.config)?);
            if let Some(next) = self.order.get(self.next + 1) {
                self.sources.prefetch(*next, self.config);
            }
            self.taken = 0;
        }
        Ok(true)
    }

    /// Takes the next game of the open part.
    fn take(&mut self) -> Option<Result<(Input, GameExtras), LoadError>> {
        let game = self.open.as_mut()?.next()?;
        self.taken += 1;
        Some(game)
    }

    fn close(&mut self) {
        (self.open, self.taken) = (None, 0);
        self.next += 1;
    }
}
