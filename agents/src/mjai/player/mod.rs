//! The other side of the format: one of our agents as a player in another program's games.
//!
//! - `guess`: a guess of the tiles that the player does not see
//! - `follow`: follows a hand up to a decision of the player
//! - this file: reads lines of events and answers them
//!
//! An agent decides from an [`Observation`](jantaku_engine::Observation), which needs a hand in the
//! engine. So at each question the hand is replayed with hidden tiles that are guessed. The guess
//! does not reach the agent, because an observation shows no hidden tile.

mod follow;
mod guess;

use jantaku_engine::random::hash;
use jantaku_engine::replay::RecordedHand;
use jantaku_engine::{Action, Declare, Event as EngineEvent, Observation, Rng, Rules, Seat, Tile, TileKind};

use self::follow::{Stand, follow};
use self::guess::guess;
use super::answer::{Answer, answer, declares};
use super::error::ErrorKind;
use super::event::{Event, Hora};
use super::pai::Pai;
use super::read::Reader;
use crate::{Agent, AgentError, Request, TableId};

/// How often hidden tiles are guessed before a hand counts as impossible.
const GUESSES: u64 = 500;

/// An agent that plays one seat of games in another program.
///
/// ```
/// use jantaku_agents::mjai::{Player, PlayerSetup};
/// use jantaku_agents::{Catalog, Setup};
///
/// let agent = Catalog::standard().agent("greedy")?.start(&Setup::default())?;
/// let mut player = Player::new(agent, PlayerSetup::default())?;
/// assert_eq!(player.answer(r#"{"type":"start_game","id":1}"#)?.to_string(), r#"{"type":"none"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Player {
    agent: Box<dyn Agent>,
    setup: PlayerSetup,
    /// The game in play, once it has started.
    game: Option<Game>,
    /// Games that have started.
    games: u64,
    /// Lines that were read.
    lines: usize,
}

/// What a player knows of the games beforehand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerSetup {
    /// The seat. If it is not given, `start_game` must state it as `id`.
    pub seat: Option<u8>,
    /// The rules. If they are not given, they are those that `start_game` states, or Tenhou's for
    /// the number of players.
    pub rules: Option<Rules>,
    /// The dialect of the lines. If it is not given, each line may be of either one.
    pub dialect: Option<Dialect>,
    /// A number from which the random choices of the agent follow.
    pub seed: u64,
}

/// What a line holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The list of events since the last question.
    App,
    /// One event.
    Line,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 2] = [Dialect::App, Dialect::Line];

    /// The name, `app` or `line`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::App => "app",
            Dialect::Line => "line",
        }
    }

    /// The dialect with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

/// A game in another program.
struct Game {
    number: u64,
    seat: u8,
    reader: Reader,
    /// The discard of a riichi that the player has announced.
    announced: Option<Answer>,
    /// The last question: its hand, and the number of the event that asks.
    asked: Option<(usize, usize)>,
    /// The lines of the deal and of each event of the hand in play.
    lines: Vec<usize>,
}

/// Why a player cannot answer a line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct PlayerError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: PlayerErrorKind,
}

/// What is wrong with a line, or with the agent that answers it.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerErrorKind {
    /// The line is not of the dialect.
    #[error("expected {expected}: {reason}")]
    NotEvents {
        /// What the dialect expects.
        expected: &'static str,
        /// What the JSON reader says.
        reason: String,
    },
    /// An event is wrong.
    #[error("{event}: {kind}")]
    Event {
        /// The event.
        event: String,
        /// What is wrong with it.
        kind: ErrorKind,
    },
    /// An event comes before `start_game`.
    #[error("{0}: no `start_game` came before")]
    NoGame(String),
    /// Nothing says which seat the agent plays.
    #[error("`start_game` has no `id`, and no seat is given")]
    NoSeat,
    /// The seat is another one than expected.
    #[error("`id` of `start_game` is {found}, expected {expected}, the given seat")]
    OtherSeat {
        /// The seat of the event.
        found: u8,
        /// The given seat.
        expected: u8,
    },
    /// The hand does not follow the rules.
    #[error(
        "the hand cannot be played under these rules: {0}. Give the rules of the games if they are others"
    )]
    Impossible(String),
    /// The agent has no usable answer.
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// The error for an agent that follows whole games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the agent follows whole games; expected an agent that needs only its view, such as `greedy`")]
pub struct WantsUpdates;

/// An event of a line, and whether it may be answered.
#[derive(serde::Deserialize)]
struct Line {
    #[serde(flatten)]
    event: Event,
    can_act: Option<bool>,
}

impl Player {
    /// A player before the first line.
    ///
    /// # Errors
    ///
    /// If the agent wants the events of its tables.
    pub fn new(agent: Box<dyn Agent>, setup: PlayerSetup) -> Result<Player, WantsUpdates> {
        if agent.wants_updates() {
            return Err(WantsUpdates);
        }
        Ok(Player { agent, setup, game: None, games: 0, lines: 0 })
    }

    /// Reads the next line and answers it.
    ///
    /// # Errors
    ///
    /// If the line is not of the dialect or describes an impossible game, or the agent has no
    /// answer. The player cannot go on in this game.
    pub fn answer(&mut self, line: &str) -> Result<Answer, PlayerError> {
        self.lines += 1;
        let number = self.lines;
        let here = |kind| PlayerError { line: number, kind };
        let lines = self.parse(line).map_err(here)?;
        let may_act = lines.last().is_some_and(|last| last.can_act != Some(false));
        let last = lines.last().map(|line| line.event.clone());
        for Line { event, .. } in lines {
            self.take(event).map_err(here)?;
        }
        match last {
            Some(last) if may_act => self.decide(&last),
            _ => Ok(Answer::none()),
        }
    }

    fn parse(&self, line: &str) -> Result<Vec<Line>, PlayerErrorKind> {
        let is_list = line.trim_start().starts_with('[');
        let dialect = self.setup.dialect.unwrap_or(if is_list { Dialect::App } else { Dialect::Line });
        let (expected, events) = match dialect {
            Dialect::App => ("a list of events", serde_json::from_str(line)),
            Dialect::Line => ("one event", serde_json::from_str(line).map(|event| vec![event])),
        };
        events.map_err(|error| PlayerErrorKind::NotEvents { expected, reason: error.to_string() })
    }

    fn take(&mut self, event: Event) -> Result<(), PlayerErrorKind> {
        if let Event::StartGame { id, .. } = &event {
            let seat = match (self.setup.seat, *id) {
                (Some(expected), Some(found)) if expected != found => {
                    return Err(PlayerErrorKind::OtherSeat { found, expected });
                }
                (given, stated) => given.or(stated).ok_or(PlayerErrorKind::NoSeat)?,
            };
            let reader = Reader::under(self.setup.rules);
            let (announced, asked, lines) = (None, None, Vec::new());
            self.game = Some(Game { number: self.games, seat, reader, announced, asked, lines });
            self.games += 1;
        }
        if event == Event::None {
            return Ok(());
        }
        let text = serde_json::to_string(&event).unwrap_or_default();
        let Some(game) = &mut self.game else { return Err(PlayerErrorKind::NoGame(text)) };
        let event = match event {
            // The given rules count.
            Event::StartGame { names, rules, gametype, aka_flag, kyoku_first, id } => {
                let rules = rules.filter(|_| self.setup.rules.is_none());
                Event::StartGame { names, rules, gametype, aka_flag, kyoku_first, id }
            }
            event => without_hidden_tiles(event, game.seat),
        };
        game.reader.take(event).map_err(|kind| PlayerErrorKind::Event { event: text, kind })?;
        let known = game.reader.hand().map_or(0, |hand| 1 + hand.events.len());
        game.lines.resize(known, self.lines);
        Ok(())
    }

    /// Answers the last event that was taken.
    fn decide(&mut self, last: &Event) -> Result<Answer, PlayerError> {
        let line = self.lines;
        let here = |kind| PlayerError { line, kind };
        let Some(game) = &mut self.game else { return Ok(Answer::none()) };
        if let Event::Reach { actor } = last
            && *actor == game.seat
        {
            return Ok(game.announced.take().unwrap_or_else(Answer::none));
        }
        game.announced = None;
        let (Some(rules), Some(hand)) = (game.reader.rules(), game.reader.hand()) else {
            return Ok(Answer::none());
        };
        if !may_decide(last, game.seat) || hand.end.is_some() {
            return Ok(Answer::none());
        }
        let own = rules.players.seats().find(|seat| seat.number() == game.seat);
        let Some(own) = own else {
            let kind = ErrorKind::NoPlayer(game.seat);
            return Err(here(PlayerErrorKind::Event { event: "start_game".to_owned(), kind }));
        };
        let masked = masked(hand, own);
        let earlier = game.reader.earlier_hands();
        // An accepted riichi or a turned indicator asks nothing that was not asked before.
        let asks = |event: &EngineEvent| {
            !matches!(event, EngineEvent::RiichiAccepted { .. } | EngineEvent::Indicator { .. })
        };
        let question = hand.events.iter().rposition(asks).map(|at| (earlier.len(), at));
        if question.is_none() || std::mem::replace(&mut game.asked, question) == question {
            return Ok(Answer::none());
        }
        let words = [self.setup.seed, game.number, earlier.len() as u64, u64::from(game.seat)];
        let agent = &mut self.agent;
        let mut decide = |o: &Observation<'_>| {
            let rng = Rng::new(hash(&[hash(&words), agent.salt(), u64::from(o.decision_count())]));
            choose(agent.as_mut(), Request { table: TableId(game.number), observation: *o, rng })
        };
        // The event at which the best guess fails.
        let mut wrong: Option<(Option<usize>, String)> = None;
        for attempt in 0..GUESSES {
            let rng = &mut Rng::new(attempt);
            let Some(guessed) = guess(&masked, own, rules, rng) else { continue };
            match follow(rules, earlier, &guessed, own, &mut decide) {
                Stand::Decision(chosen) => {
                    let (first, second) = chosen.map_err(|error| here(error.into()))?;
                    game.announced = second;
                    return Ok(first);
                }
                Stand::Forced(answer) => return Ok(answer),
                Stand::Nothing => return Ok(Answer::none()),
                Stand::Impossible { event, why } => {
                    if wrong.as_ref().is_none_or(|(other, _)| *other <= event) {
                        wrong = Some((event, why));
                    }
                }
            }
        }
        let (event, reason) =
            wrong.unwrap_or_else(|| (first_of_no_set(&masked, own, rules), NO_SET.to_owned()));
        let line = game.lines.get(event.map_or(0, |event| 1 + event)).copied().unwrap_or(line);
        Err(PlayerError { line, kind: PlayerErrorKind::Impossible(reason) })
    }
}

const NO_SET: &str = "the visible tiles are not of one set";

/// The number of the event with which no guess is left. None if the dealt tiles leave none.
fn first_of_no_set(masked: &RecordedHand, own: Seat, rules: &Rules) -> Option<usize> {
    let is_possible = |events: usize| {
        let mut hand = masked.clone();
        hand.events.truncate(events);
        (0..GUESSES).any(|attempt| guess(&hand, own, rules, &mut Rng::new(attempt)).is_some())
    };
    (0..masked.events.len()).rev().find(|events| is_possible(*events))
}

/// The answer of an agent. For riichi, the announcement and the discard.
fn choose(agent: &mut dyn Agent, request: Request<'_>) -> Result<(Answer, Option<Answer>), AgentError> {
    let o = request.observation;
    let (mut requests, mut replies) = ([request], Vec::new());
    agent.decide(&mut requests, &mut replies)?;
    let agent = "of this player".to_owned();
    let failed = |reason: String| AgentError::Failed { agent, table: None, reason };
    let action: Action = match &replies[..] {
        [reply] => reply.action,
        _ => return Err(failed(format!("{} answers to 1 decision", replies.len()))),
    };
    if !o.legal().contains(action.id()) {
        return Err(failed(format!("answered illegally: {}", o.describe(action))));
    }
    match declares(action) {
        None => Ok((answer(&o, action), None)),
        Some(Declare::Riichi) => Ok((Answer::reach(o.seat().number()), Some(answer(&o, action)))),
        Some(_) => Err(failed("declares open riichi, which mjai has no word for".to_owned())),
    }
}

/// Whether this player may have to decide after an event.
fn may_decide(event: &Event, own: u8) -> bool {
    match event {
        Event::Tsumo { actor, .. } => *actor == own,
        Event::Chi(claim) | Event::Pon(claim) => claim.actor == own,
        Event::Dahai { actor, .. }
        | Event::Ankan { actor, .. }
        | Event::Kakan { actor, .. }
        | Event::Kita { actor, .. } => *actor != own,
        // Some programs turn an indicator or accept a riichi before they ask.
        Event::Dora { .. } => true,
        Event::ReachAccepted { actor, .. } => *actor != own,
        _ => false,
    }
}

/// A tile for those that this player does not see, so that the reader takes the event. What only a
/// log of the whole game can state is left out.
fn without_hidden_tiles(event: Event, own: u8) -> Event {
    let filler = || Pai::from(Tile::plain(TileKind::EAST));
    match event {
        Event::StartKyoku { bakaze, dora_marker, kyoku, honba, kyotaku, oya, scores, mut tehais } => {
            // Three-player games may have a fourth list.
            tehais.truncate(scores.as_ref().map_or(tehais.len(), Vec::len));
            let others = tehais.iter_mut().zip(0_u8..).filter(|(_, seat)| *seat != own);
            others.for_each(|(tehai, _)| *tehai = vec![filler(); 13]);
            Event::StartKyoku { bakaze, dora_marker, kyoku, honba, kyotaku, oya, scores, tehais }
        }
        Event::Tsumo { actor, .. } if actor != own => Event::Tsumo { actor, pai: filler() },
        Event::Hora(hora) => Event::Hora(Hora {
            ura_markers: None,
            hora_tehais: None,
            yakus: None,
            fu: None,
            fan: None,
            hora_points: None,
            ..hora
        }),
        Event::Ryukyoku { reason, deltas, scores, .. } => {
            Event::Ryukyoku { reason, tehais: None, tenpais: None, deltas, scores }
        }
        event => event,
    }
}

/// The hand without the drawn tiles of other players.
fn masked(hand: &RecordedHand, own: Seat) -> RecordedHand {
    let mut masked = hand.clone();
    for event in &mut masked.events {
        if let EngineEvent::Draw { seat, tile, .. } = event
            && *seat != own
        {
            *tile = None;
        }
    }
    masked
}
