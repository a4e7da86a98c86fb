//! Finds a decision: in a position, a run or a log.

use std::io::Read as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use jantaku_engine::replay::Spectator;
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Action, Event, Observation, Observer, Players, Position, Rules};
use jantaku_sim::replay::inputs::Inputs;

use super::answer::Decision;
use crate::arguments::load_rules;
use crate::show::{OpenedGame, open_game};

/// Where a decision is.
pub(super) enum Place {
    /// A position in a file; `-` is stdin.
    Position(String),
    /// A decision of a game of a run.
    Run { folder: PathBuf, game: u64, step: usize },
    /// A decision of a hand of a game of a log.
    Log { file: PathBuf, game: usize, hand: usize, step: usize },
}

/// What an answer is about.
pub(super) struct Source {
    /// The place in words.
    pub name: String,
    /// The name of the rules for a position.
    pub rules: String,
}

impl Place {
    pub(super) fn parse(text: &str) -> anyhow::Result<Place> {
        if text == "-" || PathBuf::from(text).is_file() {
            return Ok(Place::Position(text.to_owned()));
        }
        let (path, numbers) = split_numbers(text);
        let path = PathBuf::from(path);
        let is_run = path.is_dir();
        match numbers.as_slice() {
            [game, step] if is_run => Ok(Place::Run { folder: path, game: *game, step: *step as usize }),
            _ if is_run => bail!("{text}: expected the game and the decision of the run, as in RUN:3:141"),
            _ if !path.is_file() => {
                bail!("{text}: no such file; expected a position, RUN:GAME:STEP or LOG:HAND:STEP")
            }
            [hand, step] => {
                Ok(Place::Log { file: path, game: 0, hand: *hand as usize, step: *step as usize })
            }
            [game, hand, step] => Ok(Place::Log {
                file: path,
                game: *game as usize,
                hand: *hand as usize,
                step: *step as usize,
            }),
            _ => bail!("{text}: expected the hand and the decision of the log, as in LOG:7:25"),
        }
    }

    /// Calls `found` with the decision, and what the player chose there.
    pub(super) fn visit(
        &self,
        seed: u64,
        rules: Option<&str>,
        found: impl FnMut(&Source, &Decision<'_>, Option<Action>),
    ) -> anyhow::Result<()> {
        match self {
            Place::Position(name) => position(name, seed, found),
            Place::Run { folder, game, step } => {
                let OpenedGame { config, stored, .. } = open_game(folder, *game)?;
                let show = folder.display();
                let name = format!("decision {step} of game {game} of {show}");
                let source = Source { rules: rules_name(&stored.rules, &config.rules_name), name };
                let mut finder = Finder::new(source, None, *step, stored.seed, found);
                stored.replay(&mut finder).map_err(|what| anyhow::anyhow!("{show}: game {game}: {what}"))?;
                finder.check(&format!("{show}: game {game}"))
            }
            Place::Log { file, game, hand, step } => {
                let assumed = rules.map(load_rules).transpose()?;
                let show = file.display();
                let mut inputs = Inputs::open(std::slice::from_ref(file))?;
                let input = inputs.nth(*game).with_context(|| format!("{show}: no game {game}"))?;
                let recorded = input.and_then(|input| input.read(assumed.as_ref()))?;
                let name = format!("decision {step} of hand {hand} of {show}");
                let source = Source {
                    rules: rules_name(&recorded.rules, rules.unwrap_or(usual_rules(&recorded.rules))),
                    name,
                };
                let mut finder = Finder::new(source, Some(*hand), *step, seed, found);
                let report = recorded.replay(&mut finder);
                let difference = report.differences.iter().find(|difference| difference.hand == *hand);
                finder.check(&format!("{show}: hand {hand}")).map_err(|error| match difference {
                    Some(difference) => error.context(difference.to_string()),
                    None => error,
                })
            }
        }
    }
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

/// The preset that has these rules, or else this name.
fn rules_name(rules: &Rules, name: &str) -> String {
    let preset = PRESETS.iter().find(|preset| preset.rules() == *rules);
    preset.map_or(name, |preset| preset.name).to_owned()
}

/// The preset that comes closest to the rules of a log.
fn usual_rules(rules: &Rules) -> &'static str {
    if rules.players == Players::Three { "tenhou-sanma" } else { "tenhou" }
}

fn position(
    name: &str,
    seed: u64,
    mut found: impl FnMut(&Source, &Decision<'_>, Option<Action>),
) -> anyhow::Result<()> {
    let (name, text) = if name == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("stdin: cannot read")?;
        ("stdin", text)
    } else {
        (name, std::fs::read_to_string(name).with_context(|| format!("{name}: cannot read"))?)
    };
    let position = Position::from_toml_with(&text, name, |rules| {
        load_rules(rules).map_err(|error| format!("{error:#}"))
    })?;
    let mut events = Vec::new();
    let game = position.game_seen(seed, &mut events)?;
    let decision = Decision {
        observation: game.observe(position.seat()),
        events: &events,
        seed,
        hand: game.hand_count(),
    };
    let source = Source { name: name.to_owned(), rules: position.rules_name().to_owned() };
    found(&source, &decision, None);
    Ok(())
}

/// Looks for a decision in a replay.
struct Finder<F> {
    source: Source,
    /// The hand, if decisions are counted from its start.
    hand: Option<usize>,
    step: usize,
    seed: u64,
    found: F,
    events: Vec<Event>,
    /// Hands dealt so far.
    hands: usize,
    /// Decisions so far, of the hand or of the game.
    decisions: usize,
    is_found: bool,
}

impl<F: FnMut(&Source, &Decision<'_>, Option<Action>)> Finder<F> {
    const fn new(source: Source, hand: Option<usize>, step: usize, seed: u64, found: F) -> Finder<F> {
        Finder {
            source,
            hand,
            step,
            seed,
            found,
            events: Vec::new(),
            hands: 0,
            decisions: 0,
            is_found: false,
        }
    }

    /// Whether the latest hand is the one to look at.
    fn is_open(&self) -> bool {
        self.hand.is_none_or(|hand| self.hands == hand + 1)
    }

    /// Checks that the decision was found.
    fn check(&self, place: &str) -> anyhow::Result<()> {
        match (self.is_found, self.hand) {
            (true, _) => Ok(()),
            (false, Some(hand)) if self.hands <= hand => {
                bail!("{place}: no such hand; the game has hands 0 to {}", self.hands.saturating_sub(1))
            }
            (false, _) => bail!(
                "{place}: no decision {}; it has decisions 0 to {}",
                self.step,
                self.decisions.saturating_sub(1)
            ),
        }
    }
}

impl<F: FnMut(&Source, &Decision<'_>, Option<Action>)> Observer for Finder<F> {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Deal { .. }) {
            self.hands += 1;
        }
        if !self.is_found {
            self.events.push(event.clone());
        }
    }
}

impl<F: FnMut(&Source, &Decision<'_>, Option<Action>)> Spectator for Finder<F> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        if !self.is_open() {
            return;
        }
        if self.decisions == self.step && !self.is_found {
            let (seed, hand) = (self.seed, self.hands as u32);
            let decision = Decision { observation: *o, events: &self.events, seed, hand };
            (self.found)(&self.source, &decision, Some(action));
            self.is_found = true;
        }
        self.decisions += 1;
    }
}
