//! A game wherever it is kept: in a run, in a log, or as a position.

use std::io;
use std::path::{Path, PathBuf};

use jantaku_engine::replay::{RecordedGame, Spectator};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Action, Event, Game, Observation, Observer, Players, Position, Rules};
use jantaku_show::Sentence;

use super::error::SourceError;
use super::inputs::Inputs;
use super::stored_run::GameOfRun;
use crate::dataset::BranchPoint;
use crate::logs::files::{content_of, is_page_url, shown};
use crate::{run, store};

/// A game that was opened. All numbers count from 0.
#[derive(Debug)]
pub enum GameSource {
    /// A game of a run.
    Run(Box<GameOfRun>),
    /// A game of a log: a file, stdin or a URL.
    Log(Box<GameOfLog>),
    /// The hand of a position up to its decision.
    Position(Box<DealtPosition>),
}

/// A game of a log.
#[derive(Debug)]
pub struct GameOfLog {
    /// The log.
    pub path: PathBuf,
    /// The number of the game in the log.
    pub number: u64,
    /// The game.
    pub game: RecordedGame,
    /// The seed of the random numbers of agents that are asked about the game.
    pub seed: u64,
}

/// A position whose hidden tiles were dealt.
#[derive(Debug)]
pub struct DealtPosition {
    /// The file.
    pub path: PathBuf,
    /// The position.
    pub position: Position,
    /// The seed of the hidden tiles, and of the random numbers of agents that are asked about the decision.
    pub seed: u64,
    /// The game at the decision of the position.
    pub game: Game,
    /// The events of its hand, with all tiles.
    pub events: Vec<Event>,
}

/// A decision, and what agents may know of it.
#[derive(Clone, Copy, Debug)]
pub struct DecisionContext<'a> {
    /// What the player sees.
    pub observation: Observation<'a>,
    /// The events of the game, or of a position's hand, with all tiles.
    pub events: &'a [Event],
    /// The seed of the game.
    pub seed: u64,
    /// The number of the hand, from 1.
    pub hand: u32,
}

impl GameSource {
    /// Opens a game of a run or log. The first game of a log needs no number. `rules` are for a log that
    /// states none, or none that fit.
    ///
    /// # Errors
    ///
    /// If the run or log cannot be read, has no decisions or no such game, or if `game` is None for a run.
    pub fn open(path: &Path, game: Option<u64>, rules: Option<&Rules>) -> Result<GameSource, SourceError> {
        if store::is_folder(path) {
            let Some(game) = game else {
                let (place, what) = (shown(path), format!("name a game of the run, as in {}:0", shown(path)));
                run::read_started(path)?;
                return Err(SourceError::NoDecision { place, what });
            };
            return Ok(GameSource::Run(Box::new(GameOfRun::open(path, game)?)));
        }
        Ok(GameSource::Log(Box::new(GameOfLog::open(path, game.unwrap_or(0), rules)?)))
    }

    /// Opens a position in a file; `-` is stdin. Hidden tiles are dealt from the seed. `load` reads the
    /// rules that the position names.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a position.
    pub fn open_position(
        path: &Path,
        seed: u64,
        load: impl FnOnce(&str) -> Result<Rules, String>,
    ) -> Result<GameSource, SourceError> {
        let unreadable = |cause: io::Error| SourceError::unreadable(path, &cause);
        let content = content_of(path).map_err(unreadable)?;
        if is_log(&content) {
            return Err(SourceError::WholeLog { log: shown(path) });
        }
        if content.trim_ascii().is_empty() {
            let expected = "the file is empty: expected a position";
            return Err(SourceError::Text { text: shown(path), expected });
        }
        let text = io::read_to_string(&content[..]).map_err(unreadable)?;
        let position = Position::from_toml_with(&text, &shown(path), load)?;
        let (mut events, path) = (Vec::new(), path.to_owned());
        let game = position.game_seen(seed, &mut events)?;
        Ok(GameSource::Position(Box::new(DealtPosition { path, position, seed, game, events })))
    }

    /// The folder of the run, or the file of the log or position.
    pub fn path(&self) -> &Path {
        match self {
            GameSource::Run(game) => &game.folder,
            GameSource::Log(game) => &game.path,
            GameSource::Position(position) => &position.path,
        }
    }

    /// The number of the game in its run or log; 0 for a position.
    pub fn number(&self) -> u64 {
        match self {
            GameSource::Run(game) => game.stored.game,
            GameSource::Log(game) => game.number,
            GameSource::Position(_) => 0,
        }
    }

    /// The source in words, such as `game 3 of runs/first`.
    pub fn name(&self) -> String {
        match (self, shown(self.path())) {
            (GameSource::Log(_), path) if self.number() == 0 => path,
            (GameSource::Position(_), path) => path,
            (_, path) => format!("game {} of {path}", self.number()),
        }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        match self {
            GameSource::Run(game) => &game.stored.rules,
            GameSource::Log(game) => &game.game.rules,
            GameSource::Position(position) => position.position.rules(),
        }
    }

    /// The name of the rules in the run or position, or the preset that has them. Empty if they have no
    /// name.
    pub fn rules_name(&self) -> &str {
        match self {
            GameSource::Run(game) if game.stored.source.is_none() => &game.config.rules_name,
            GameSource::Run(_) | GameSource::Log(_) => preset_name(self.rules()).unwrap_or_default(),
            GameSource::Position(position) => position.position.rules_name(),
        }
    }

    /// The rules that a position with the rules of this game may name and build on: the preset that has
    /// them; otherwise the name of a run's rules, or `given`, the name of the rules of a log; otherwise
    /// Tenhou's for this number of players. A position keeps the name that it has.
    pub fn rules_base<'a>(&'a self, given: Option<&'a str>) -> &'a str {
        let named = match self {
            GameSource::Run(game) => Some(game.config.rules_name.as_str()),
            GameSource::Log(_) => given,
            GameSource::Position(position) => return position.position.rules_name(),
        };
        let closest = if self.rules().players == Players::Three { "tenhou-sanma" } else { "tenhou" };
        preset_name(self.rules()).or(named).unwrap_or(closest)
    }

    /// The agents of a run by seat, or the names in a log. Empty for a position.
    pub fn names(&self) -> &[String] {
        match self {
            GameSource::Run(game) => &game.stored.agents,
            GameSource::Log(game) => &game.game.names,
            GameSource::Position(_) => &[],
        }
    }

    /// The seed of a game of a run. For a log or position, the seed of the agents' random numbers and of a
    /// position's hidden tiles.
    pub fn seed(&self) -> u64 {
        match self {
            GameSource::Run(game) => game.stored.seed,
            GameSource::Log(game) => game.seed,
            GameSource::Position(position) => position.seed,
        }
    }

    /// The first decision that the named players made. Earlier decisions were copied from another game.
    pub fn first_decision(&self) -> usize {
        match self {
            GameSource::Run(game) => game.stored.first_decision(),
            GameSource::Log(_) | GameSource::Position(_) => 0,
        }
    }

    /// What people should know of the game: that decisions were copied, what in the log was not understood,
    /// or that the points of a position do not add up. [`GameSource::assumed`] has its missing values.
    pub fn notes(&self) -> Vec<Sentence> {
        match self {
            GameSource::Run(game) => game.stored.branch.iter().map(BranchPoint::sentence).collect(),
            GameSource::Log(game) => game.game.notes.iter().map(Sentence::from).collect(),
            GameSource::Position(of) => {
                of.position.warning(&of.game).into_iter().map(Sentence::from).collect()
            }
        }
    }

    /// The values missing in a position, with the assumed ones.
    pub fn assumed(&self) -> Vec<String> {
        match self {
            GameSource::Run(_) | GameSource::Log(_) => Vec::new(),
            GameSource::Position(position) => position.position.assumed(),
        }
    }

    /// Replays the game. Returns the differences between a log and the rules; a hand ends at its
    /// difference. A position has events but no decisions.
    ///
    /// # Errors
    ///
    /// If the decisions of a run are not those of a game under its rules.
    pub fn replay(&self, spectator: &mut dyn Spectator) -> Result<Vec<String>, SourceError> {
        match self {
            GameSource::Run(game) => game.replay(spectator).map(|()| Vec::new()),
            GameSource::Log(game) => {
                Ok(game.game.replay(spectator).differences.iter().map(ToString::to_string).collect())
            }
            GameSource::Position(position) => {
                position.events.iter().for_each(|event| spectator.event(event));
                Ok(Vec::new())
            }
        }
    }

    /// Calls `found` with a decision and the choice of the player there. A position has decision 0, and
    /// no choice.
    ///
    /// # Errors
    ///
    /// If there is no such decision, or the game cannot be replayed.
    pub fn decision<T>(
        &self,
        step: usize,
        found: impl FnOnce(&DecisionContext<'_>, Option<Action>) -> T,
    ) -> Result<T, SourceError> {
        let (seed, missing) = (self.seed(), |last| self.no_decision(step, last));
        if let GameSource::Position(position) = self {
            let DealtPosition { position, game, events, .. } = &**position;
            let (observation, hand) = (game.observe(position.seat()), game.hand_count());
            return match step {
                0 => Ok(found(&DecisionContext { observation, events, seed, hand }, None)),
                _ => Err(missing(0)),
            };
        }
        let (events, found) = (Vec::new(), Some(found));
        let mut finder = Finder { step, seed, found, result: None, events, hands: 0, decisions: 0 };
        let differences = self.replay(&mut finder)?;
        let error = || missing(finder.decisions.saturating_sub(1));
        finder.result.ok_or_else(|| match differences.into_iter().next() {
            Some(place) => SourceError::NoDecision { place, what: error().to_string() },
            None => error(),
        })
    }

    /// The error for a decision that the game does not have.
    pub(super) fn no_decision(&self, step: usize, last: usize) -> SourceError {
        let what = format!("no decision {step}; game {} has decisions 0 to {last}", self.number());
        SourceError::NoDecision { place: shown(self.path()), what }
    }
}

impl GameOfLog {
    /// Reads a game of a log. `rules` are for a log that states none, or none that fit.
    ///
    /// # Errors
    ///
    /// If the log cannot be read or has no such game.
    pub fn open(path: &Path, number: u64, rules: Option<&Rules>) -> Result<GameOfLog, SourceError> {
        let path = path.to_owned();
        let mut inputs = Inputs::open(std::slice::from_ref(&path))?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let mut games = 0;
        let input = inputs.by_ref().inspect(|_| games += 1).nth(index);
        let input = input.ok_or_else(|| SourceError::not_in_log(&path, number, games))?;
        Ok(GameOfLog { path, number, game: input?.read(rules)?, seed: 0 })
    }
}

/// [`count_games`] counts up to one more game than this, because logs can be very long.
pub const MAX_COUNTED: usize = 1000;

/// The number of games of a log up to its last readable one. 0 if it cannot be opened.
pub fn count_games(log: &Path) -> usize {
    let Ok(inputs) = Inputs::open(&[log.to_owned()]) else { return 0 };
    let games = (1..=MAX_COUNTED + 1).zip(inputs);
    games.filter(|(_, game)| game.is_ok()).last().map_or(0, |(number, _)| number)
}

/// The name of the preset that has these rules, if there is one. The layout of the wall is not compared,
/// because no recorded game depends on it.
pub fn preset_name(rules: &Rules) -> Option<&'static str> {
    let same = |preset: Rules| preset == Rules { wall_layout: preset.wall_layout, ..*rules };
    PRESETS.iter().find(|preset| same(preset.rules())).map(|preset| preset.name)
}

/// Whether the content of a file begins like a log and not like a position.
fn is_log(content: &[u8]) -> bool {
    let start = &content[..content.len().min(1000)];
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    let is_list = |text: &str| text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'));
    start.starts_with(&[0x1F, 0x8B])
        || text.starts_with(['<', '{'])
        || is_list(text)
        || is_page_url(Path::new(text))
}

/// Looks for a decision in a replay.
struct Finder<F, T> {
    step: usize,
    seed: u64,
    /// Called once, with the decision.
    found: Option<F>,
    result: Option<T>,
    events: Vec<Event>,
    /// Hands dealt so far.
    hands: u32,
    /// Decisions of the game so far.
    decisions: usize,
}

impl<F: FnOnce(&DecisionContext<'_>, Option<Action>) -> T, T> Observer for Finder<F, T> {
    fn event(&mut self, event: &Event) {
        self.hands += u32::from(matches!(event, Event::Deal { .. }));
        if self.found.is_some() {
            self.events.push(event.clone());
        }
    }
}

impl<F: FnOnce(&DecisionContext<'_>, Option<Action>) -> T, T> Spectator for Finder<F, T> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        if self.decisions == self.step
            && let Some(found) = self.found.take()
        {
            let Finder { seed, hands: hand, .. } = *self;
            let context = DecisionContext { observation: *o, events: &self.events, seed, hand };
            self.result = Some(found(&context, Some(action)));
        }
        self.decisions += 1;
    }
}
