//! Finds a decision in a position, a run or a log.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use jantaku_engine::replay::Spectator;
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Action, Event, Observation, Observer, Players, Position, PositionError, Rules};

use super::ask::DecisionContext;
use crate::logs::files::{Games, is_readable, is_stdin, is_url, shown};
use crate::replay::open::{GameOfRun, OpenError, game_of_log};
use crate::store;

/// Where a decision is. All numbers count from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A position in a file; `-` is stdin.
    Position(String),
    /// A decision of a game of a run.
    Run {
        /// The folder of the run.
        folder: PathBuf,
        /// The number of the game.
        game: u64,
        /// The number of the decision in the game.
        step: usize,
    },
    /// A decision of a game of a log.
    Log {
        /// The log.
        file: PathBuf,
        /// The number of the game.
        game: u64,
        /// The number of the decision in the game.
        step: usize,
    },
}

/// Where a decision was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The place in words.
    pub name: String,
    /// The name of the rules for a position.
    pub rules: String,
    /// The values missing in a position, with the assumed ones.
    pub assumed: Vec<String>,
    /// Likely errors of a position.
    pub notes: Vec<String>,
}

/// Rules, with their name, for a log that states none, or none that fit.
pub type AssumedRules<'a> = (&'a str, &'a Rules);

/// Why a decision was not found.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// A text names no place.
    #[error("{text}: {expected}")]
    Text {
        /// The text.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A game cannot be opened or replayed.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A position cannot be read.
    #[error("{name}: cannot read: {cause}")]
    Unreadable {
        /// The file.
        name: String,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
    /// A position is not valid.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The game has no such decision.
    #[error("{game}: no decision {step}; it has decisions 0 to {last}")]
    NoDecision {
        /// The game.
        game: String,
        /// The number of the decision.
        step: usize,
        /// The number of its last decision.
        last: usize,
    },
    /// The decision is after a difference between the log and the rules.
    #[error("{difference}: {error}")]
    AfterDifference {
        /// The difference.
        difference: String,
        /// The reason apart from the difference.
        error: Box<PlaceError>,
    },
}

impl Source {
    const fn of_game(name: String, rules: String) -> Source {
        Source { name, rules, assumed: Vec::new(), notes: Vec::new() }
    }
}

impl Place {
    /// Reads a place such as `position.toml`, `RUN:GAME:STEP`, `LOG:STEP` or `LOG:GAME:STEP`. `-` is
    /// stdin.
    ///
    /// # Errors
    ///
    /// If the file does not exist, or the numbers of a run are missing. Without a number, a log is
    /// taken for a position, which [`Place::visit`] refuses.
    pub fn parse(text: &str) -> Result<Place, PlaceError> {
        let wrong = |expected| Err(PlaceError::Text { text: shown(Path::new(text)), expected });
        if is_readable(Path::new(text)) && !is_url(Path::new(text)) {
            return Ok(Place::Position(text.to_owned()));
        }
        let (path, numbers) = split_numbers(text);
        let file = PathBuf::from(path);
        let is_run = store::is_folder(&file);
        if is_url(&file) {
            let unreadable = |cause| PlaceError::Unreadable { name: shown(&file), cause };
            Games::open(&file).map_err(unreadable)?;
        }
        match *numbers.as_slice() {
            [game, step] if is_run => Ok(Place::Run { folder: file, game, step: as_index(step) }),
            _ if is_run => wrong("expected the game and the decision of the run, as in RUN:3:141"),
            _ if !is_readable(&file) => wrong("no such file; expected a position, RUN:GAME:STEP or LOG:STEP"),
            [step] => Ok(Place::Log { file, game: 0, step: as_index(step) }),
            [game, step] => Ok(Place::Log { file, game, step: as_index(step) }),
            _ => wrong(IN_LOG),
        }
    }

    /// The folder of the run that has the decision, if it is in one.
    #[must_use]
    pub fn run(&self) -> Option<&Path> {
        match self {
            Place::Run { folder, .. } => Some(folder),
            Place::Position(_) | Place::Log { .. } => None,
        }
    }

    /// Calls `found` with the decision and the player's choice there.
    ///
    /// `seed` chooses the hidden tiles of a position and the random numbers of agents, except those
    /// for a game of a run. `rules` are for logs; `load` reads the rules that a position names.
    ///
    /// # Errors
    ///
    /// If there is no such decision, or it cannot be read.
    pub fn visit(
        &self,
        seed: u64,
        rules: Option<AssumedRules<'_>>,
        load: impl FnOnce(&str) -> Result<Rules, String>,
        found: impl FnMut(&Source, &DecisionContext<'_>, Option<Action>),
    ) -> Result<(), PlaceError> {
        match self {
            Place::Position(name) => visit_position(name, seed, load, found),
            Place::Run { folder, game, step } => {
                let opened = GameOfRun::open(folder, *game)?;
                let show = folder.display();
                let name = format!("decision {step} of game {game} of {show}");
                let rules = rules_name(&opened.stored.rules, &opened.config.rules_name);
                let source = Source::of_game(name, rules);
                let mut finder = Finder::new(source, *step, opened.stored.seed, found);
                opened.replay(&mut finder)?;
                finder.check(format!("{show}: game {game}"))
            }
            Place::Log { file, game, step } => {
                let recorded = game_of_log(file, *game, rules.map(|(_, rules)| rules))?;
                let show = shown(file);
                let name = format!("decision {step} of game {game} of {show}");
                let usual = rules.map_or_else(|| usual_rules(&recorded.rules), |(name, _)| name);
                let rules = rules_name(&recorded.rules, usual);
                let source = Source::of_game(name, rules);
                let mut finder = Finder::new(source, *step, seed, found);
                let report = recorded.replay(&mut finder);
                finder.check(format!("{show}: game {game}")).map_err(|error| {
                    match report.differences.first() {
                        Some(difference) => PlaceError::AfterDifference {
                            difference: difference.to_string(),
                            error: Box::new(error),
                        },
                        None => error,
                    }
                })
            }
        }
    }
}

/// What a place in a log needs.
const IN_LOG: &str = "expected the decision of the log, as in LOG:25, or its game, too, as in LOG:0:25; \
                      `jantaku show` numbers the decisions";

/// Whether the content of a file begins like a log and not like a position.
fn is_log(content: &[u8]) -> bool {
    let start = &content[..content.len().min(1000)];
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    let is_list = |text: &str| text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'));
    start.starts_with(&[0x1F, 0x8B])
        || text.starts_with(['<', '{'])
        || is_list(text)
        || is_url(Path::new(text))
}

/// The path and the numbers after it, at most three.
fn split_numbers(text: &str) -> (&str, Vec<u64>) {
    let (mut path, mut numbers) = (text, Vec::new());
    while numbers.len() < 3
        && let Some((before, last)) = path.rsplit_once(':')
        && let Ok(number) = last.parse()
    {
        numbers.insert(0, number);
        path = before;
    }
    (path, numbers)
}

fn as_index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The preset that has these rules, or else this name.
pub(crate) fn rules_name(rules: &Rules, name: &str) -> String {
    let preset = PRESETS.iter().find(|preset| preset.rules() == *rules);
    preset.map_or(name, |preset| preset.name).to_owned()
}

/// The preset that comes closest to the rules of a log.
fn usual_rules(rules: &Rules) -> &'static str {
    if rules.players == Players::Three { "tenhou-sanma" } else { "tenhou" }
}

/// Reads the position in a file; `-` is stdin. `load` reads the rules that it names.
pub(crate) fn read_position(
    name: &str,
    load: impl FnOnce(&str) -> Result<Rules, String>,
) -> Result<Position, PlaceError> {
    let shown = shown(Path::new(name));
    let unreadable = |cause| PlaceError::Unreadable { name: shown.clone(), cause };
    let content = content_of(name).map_err(unreadable)?;
    if is_log(&content) {
        return Err(PlaceError::Text { text: shown, expected: IN_LOG });
    }
    if content.trim_ascii().is_empty() {
        return Err(PlaceError::Text { text: shown, expected: "the file is empty: expected a position" });
    }
    let text = io::read_to_string(&content[..]).map_err(unreadable)?;
    Ok(Position::from_toml_with(&text, &shown, load)?)
}

fn visit_position(
    name: &str,
    seed: u64,
    load: impl FnOnce(&str) -> Result<Rules, String>,
    mut found: impl FnMut(&Source, &DecisionContext<'_>, Option<Action>),
) -> Result<(), PlaceError> {
    let position = read_position(name, load)?;
    let mut events = Vec::new();
    let game = position.game_seen(seed, &mut events)?;
    let context = DecisionContext {
        observation: game.observe(position.seat()),
        events: &events,
        seed,
        hand: game.hand_count(),
    };
    let rules = position.rules_name().to_owned();
    let notes = position.doubt(&game).into_iter().collect();
    let source = Source { name: shown(Path::new(name)), rules, assumed: position.assumed(), notes };
    found(&source, &context, None);
    Ok(())
}

/// The content of a file, or of stdin.
fn content_of(name: &str) -> io::Result<Vec<u8>> {
    if !is_stdin(Path::new(name)) {
        return fs::read(name);
    }
    let mut content = Vec::new();
    io::stdin().read_to_end(&mut content).map(|_| content)
}

/// Looks for a decision in a replay.
struct Finder<F> {
    source: Source,
    step: usize,
    seed: u64,
    found: F,
    events: Vec<Event>,
    /// Hands dealt so far.
    hands: usize,
    /// Decisions of the game so far.
    decisions: usize,
    is_found: bool,
}

impl<F: FnMut(&Source, &DecisionContext<'_>, Option<Action>)> Finder<F> {
    const fn new(source: Source, step: usize, seed: u64, found: F) -> Finder<F> {
        Finder { source, step, seed, found, events: Vec::new(), hands: 0, decisions: 0, is_found: false }
    }

    /// Checks that the decision of this game was found.
    fn check(&self, game: String) -> Result<(), PlaceError> {
        if self.is_found {
            return Ok(());
        }
        let last = self.decisions.saturating_sub(1);
        Err(PlaceError::NoDecision { game, step: self.step, last })
    }
}

impl<F: FnMut(&Source, &DecisionContext<'_>, Option<Action>)> Observer for Finder<F> {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Deal { .. }) {
            self.hands += 1;
        }
        if !self.is_found {
            self.events.push(event.clone());
        }
    }
}

impl<F: FnMut(&Source, &DecisionContext<'_>, Option<Action>)> Spectator for Finder<F> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        if self.decisions == self.step && !self.is_found {
            let (seed, hand) = (self.seed, self.hands as u32);
            let context = DecisionContext { observation: *o, events: &self.events, seed, hand };
            (self.found)(&self.source, &context, Some(action));
            self.is_found = true;
        }
        self.decisions += 1;
    }
}
