//! The other side of the format: one of our agents as a player in another program's games.
//!
//! - `normalise`: reduces the events of other programs to what a player needs
//! - `tile_count`: tiles that the player sees too often
//! - `replay`: follows a hand up to a decision of the player
//! - `game`: a game, followed by its events
//! - `error`: why a line has no answer
//! - this file: reads lines of events and answers them
//!
//! An agent decides from an [`Observation`](jantaku_engine::Observation), which needs a hand in the
//! engine. So at each question the hand is replayed with hidden tiles that are guessed. The guess
//! does not reach the agent, because an observation shows no hidden tile.
//!
//! # Why
//!
//! **Where does an agent get its observation in another program's game?** An observation needs a
//! hand in the engine, but mjai shows one player's view. At each question `mjai::Player` guesses
//! the hidden tiles so that every action of the others is possible, and replays the hand. An
//! observation cannot reach a hidden tile, so the guess does not matter, and a test compares the
//! observations with the true ones. Only riichi restricts the guess, because the player must be
//! tenpai. Rejected: a second state machine for public events. It would repeat the rules of
//! `engine/src/round`.

mod error;
mod game;
mod normalise;
mod replay;
mod tile_count;

use jantaku_engine::random::hash;
use jantaku_engine::replay::{Problem, RecordedHand};
use jantaku_engine::{
    Action, Declare, Event as EngineEvent, Observation, Rng, Rules, Seat, Tile, TileKind, named_enum,
    shortened,
};
use serde_json::Value;

use self::error::wrong_event;
use self::game::{Game, is_end};
use self::normalise::{Notes, Object, View};
use self::replay::{Stand, follow};
use super::answer::{Answer, answer, riichi_discards, riichi_of};
use super::event::{Event, Hora};
use super::pai::Pai;
use super::parts::hidden_tile;
use super::words;
use crate::fill_hidden::guess;
use crate::{Agent, AgentError, Request, TableId};

pub use self::error::{PlayerError, WantsUpdates};

/// The number of guesses of the hidden tiles before a hand counts as impossible.
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
    notes: Notes,
}

/// What a player knows of the games beforehand.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// The name with which the player joins the game of a host that says `hello`.
    pub name: String,
    /// The room that it joins.
    pub room: String,
}

impl Default for PlayerSetup {
    fn default() -> PlayerSetup {
        let [name, room] = ["jantaku", "default"].map(str::to_owned);
        PlayerSetup { seat: None, rules: None, dialect: None, seed: 0, name, room }
    }
}

named_enum! {
    /// What a line holds.
    Dialect {
        /// The list of events since the last question.
        App = "app",
        /// One event.
        Line = "line",
    }
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
        Ok(Player { agent, setup, game: None, games: 0, lines: 0, notes: Notes::default() })
    }

    /// Reads the next line and answers it.
    ///
    /// Ignores events and values that the player does not need, and during a game lines that are no
    /// JSON objects. It keeps [notes](Player::take_notes) about them.
    ///
    /// # Errors
    ///
    /// If the line is not of the dialect, lacks values that the player needs or describes an
    /// impossible game, if a line before the first game is no JSON, or if the agent has no answer.
    /// The player cannot continue this game.
    pub fn answer(&mut self, line: &str) -> Result<Answer, PlayerError> {
        self.lines += 1;
        let number = self.lines;
        let here = |what| PlayerError { line: number, what };
        let objects = self.parse(line).map_err(here)?;
        let is_hello = objects.last().is_some_and(|last| last.get("type") == Some(&"hello".into()));
        let may_act = objects.last().is_some_and(|last| last.get("can_act") != Some(&false.into()));
        let mut last = None;
        for object in objects {
            last = self.take(object).map_err(here)?.or(last);
        }
        match last {
            _ if is_hello => Ok(Answer::join(&self.setup.name, &self.setup.room)),
            Some(last) if may_act => {
                let answer = self.decide(&last)?;
                Ok(self.in_words_of_game(answer))
            }
            _ => Ok(Answer::none()),
        }
    }

    /// Removes and returns the notes about what was ignored since the last call. Each names its
    /// line, and none comes twice.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.notes.take()
    }

    /// The answer with the game's own word for a North that is set aside.
    fn in_words_of_game(&self, answer: Answer) -> Answer {
        let says_nukidora =
            self.game.as_ref().is_some_and(|game| game.says_nukidora.unwrap_or(game.lists_four));
        let is_kita = answer.kind == "kita" && says_nukidora;
        if is_kita { Answer { kind: "nukidora".to_owned(), ..answer } } else { answer }
    }

    fn parse(&mut self, line: &str) -> Result<Vec<Object>, String> {
        let line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
        if line.trim().is_empty() {
            self.notes.add(self.lines, "ignored an empty line".to_owned());
            return Ok(Vec::new());
        }
        if self.game.is_some() && !is_object_or_list(line) {
            self.notes.add(self.lines, "ignored a line that is no JSON object".to_owned());
            return Ok(Vec::new());
        }
        let is_list = line.trim_start().starts_with('[');
        let dialect = self.setup.dialect.unwrap_or(if is_list { Dialect::App } else { Dialect::Line });
        let (expected, objects) = match dialect {
            Dialect::App => ("a list of events", serde_json::from_str(line)),
            Dialect::Line => ("one event", serde_json::from_str(line).map(|object| vec![object])),
        };
        objects.map_err(|error| format!("expected {expected}: {}", words::plain(&error.to_string())))
    }

    /// Takes an event, and returns it unless it is ignored.
    fn take(&mut self, object: Object) -> Result<Option<Event>, String> {
        let (lacks_fourth_name, lists_four) = (lacks_fourth_name(&object), normalise::lists_four(&object));
        let kind = object.get("type").and_then(|kind| kind.as_str()).unwrap_or_default().to_owned();
        let (line, notes) = (self.lines, &mut self.notes);
        let note = &mut |what| notes.add(line, what);
        if let (None, "start_kyoku", Some(seat)) = (&self.game, &*kind, self.setup.seat) {
            note("`start_kyoku` comes without `start_game`, so a game starts here".to_owned());
            self.game = Some(Game::new(self.games, seat, false, self.setup.rules.as_ref()));
            self.games += 1;
        }
        let view = match &self.game {
            Some(game) => game.view(self.setup.rules.as_ref()),
            None => View { own: 0, rules: None, lacks_fourth_name: false, hand: None },
        };
        let id = object.get("id").filter(|id| !id.is_null()).cloned();
        let event =
            normalise::read(object, &view, note).map_err(|reason| format!("expected one event: {reason}"))?;
        let Some(mut event) = event.filter(|event| *event != Event::None) else { return Ok(None) };
        if matches!(event, Event::StartGame { .. }) {
            let seat = seat_of(id.as_ref(), self.setup.seat)?;
            self.game = Some(Game::new(self.games, seat, lacks_fourth_name, self.setup.rules.as_ref()));
            self.games += 1;
        }
        let text = serde_json::to_string(&event).unwrap_or_default();
        let Some(game) = &mut self.game else {
            if is_end(&event) {
                note(format!("ignored `{kind}` before `start_game`"));
                return Ok(None);
            }
            return Err(wrong_event("no `start_game` came before", &text));
        };
        if matches!(event, Event::Kita { .. }) {
            game.says_nukidora = Some(kind == "nukidora");
        }
        game.lists_four |= lists_four;
        match &mut event {
            // Rules of the setup take precedence over those of `start_game`.
            Event::StartGame { rules, .. } => *rules = rules.take().filter(|_| self.setup.rules.is_none()),
            event => hide_tiles(event, game.seat),
        }
        let taken = game.take(event.clone(), &kind, note);
        let is_taken = taken.map_err(|error| {
            let what = hidden_from(game.seat, &event, &error);
            wrong_event(what.unwrap_or_else(|| error.to_string()), &text)
        })?;
        game.check_seat()?;
        if let Some(too_many) = game.too_many().filter(|_| is_taken) {
            return Err(wrong_event(
                format_args!("{too_many}. If the games have other rules, state them"),
                &text,
            ));
        }
        let known = game.reader.hand().map_or(0, |hand| 1 + hand.events.len());
        game.lines.resize(known, self.lines);
        Ok(Some(event).filter(|_| is_taken))
    }

    /// Answers the last event that was taken.
    fn decide(&mut self, last: &Event) -> Result<Answer, PlayerError> {
        let line = self.lines;
        let here = |what| PlayerError { line, what };
        let Some(game) = &mut self.game else { return Ok(Answer::none()) };
        let announces = matches!(last, Event::Reach { actor } if *actor == game.seat);
        let announced = game.announced.take().filter(|_| announces);
        if let Some(discard) = announced {
            return Ok(discard);
        }
        let (Some(rules), Some(hand)) = (game.reader.rules(), game.reader.hand()) else {
            return Ok(Answer::none());
        };
        if !may_decide(last, game.seat) || game.is_over {
            return Ok(Answer::none());
        }
        let own = rules.players.seats().find(|seat| seat.number() == game.seat);
        let own = own.expect("the seat was checked at the deal");
        let masked = masked(hand, own);
        let earlier = game.reader.earlier_hands();
        // An accepted riichi asks nothing that was not asked before.
        let asks = |event: &EngineEvent| !matches!(event, EngineEvent::RiichiAccepted { .. });
        let question = hand.events.iter().rposition(asks).map(|at| (earlier.len(), at));
        let is_asked = std::mem::replace(&mut game.asked, question) == question;
        // A question is answered once. After a riichi that somebody else has announced for the agent, it is
        // asked again, for the discard.
        if question.is_none() || is_asked && !announces {
            return Ok(Answer::none());
        }
        let words = [self.setup.seed, game.number, earlier.len() as u64, u64::from(game.seat)];
        let agent = &mut self.agent;
        let mut decide = |o: &Observation<'_>| {
            let rng = Rng::new(hash(&[hash(&words), agent.salt(), u64::from(o.decision_count())]));
            let request = Request { table: TableId(game.number), observation: *o, rng };
            choose(agent.as_mut(), request, announces)
        };
        // The latest event at which a guess fails, and why.
        let mut wrong: Option<(Option<usize>, String)> = None;
        for attempt in 0..GUESSES {
            let rng = &mut Rng::new(attempt);
            let Some(guessed) = guess(&masked, own, rules, rng) else { continue };
            match follow(rules, earlier, &guessed, own, &mut decide) {
                Stand::Decision(chosen) => {
                    let (first, second) = chosen.map_err(|error| here(error.to_string()))?;
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
            wrong.unwrap_or_else(|| (first_impossible(&masked, own, rules), TOO_MANY_COPIES.to_owned()));
        let line = game.lines.get(event.map_or(0, |event| 1 + event)).copied().unwrap_or(line);
        let what = format!(
            "the hand cannot be played under these rules: {reason}. If the games have other rules, state them"
        );
        Err(PlayerError { line, what })
    }
}

/// Whether a line is a JSON object or list.
fn is_object_or_list(line: &str) -> bool {
    serde_json::from_str(line).is_ok_and(|value: Value| value.is_object() || value.is_array())
}

/// The seat of a player: the given one, or the `id` of `start_game`, which must agree with it.
fn seat_of(id: Option<&Value>, given: Option<u8>) -> Result<u8, String> {
    let stated = id.and_then(Value::as_u64).and_then(|id| u8::try_from(id).ok());
    match (given, stated) {
        (Some(expected), Some(found)) if expected != found => {
            Err(format!("`id` of `start_game` is {found}, expected {expected}, the given seat"))
        }
        (Some(seat), _) | (None, Some(seat @ 0..4)) => Ok(seat),
        (None, _) => Err(match id {
            None => "`start_game` has no `id`, and no seat is given".to_owned(),
            Some(id) => {
                let found = shortened(&id.to_string());
                format!("`id` of `start_game` is {found}, expected a seat, a number from 0 to 3")
            }
        }),
    }
}

/// The error of an event that hides a tile of the player. None for another error.
fn hidden_from(seat: u8, event: &Event, error: &Problem) -> Option<String> {
    let is_hidden = |hand: &Vec<Pai>| hand.iter().any(|pai| pai.0.is_none());
    let what = match event {
        Event::StartKyoku { tehais, .. } if tehais.get(usize::from(seat)).is_some_and(is_hidden) => {
            "the hand"
        }
        Event::Tsumo { .. } => "the drawn tile",
        _ => return None,
    };
    let text = || format!("{what} of seat {seat} is hidden, but the player sits there: check the seat");
    (*error == hidden_tile()).then(text)
}

/// Whether `start_game` has a fourth name that is empty.
fn lacks_fourth_name(object: &Object) -> bool {
    let names = object.get("names").and_then(|names| names.as_array());
    let fourth = names.and_then(|names| names.get(3));
    fourth.is_some_and(|name| name.as_str().is_none_or(str::is_empty))
}

const TOO_MANY_COPIES: &str = "more copies of a tile are visible than there are";

/// The number of the event that rules out every guess. None if the dealt tiles do.
fn first_impossible(masked: &RecordedHand, own: Seat, rules: &Rules) -> Option<usize> {
    let is_possible = |events: usize| {
        let mut hand = masked.clone();
        hand.events.truncate(events);
        (0..GUESSES).any(|attempt| guess(&hand, own, rules, &mut Rng::new(attempt)).is_some())
    };
    (0..masked.events.len()).rev().find(|events| is_possible(*events))
}

/// The answer of an agent. For riichi, the announcement and the discard; the discard alone if the
/// riichi is announced already.
fn choose(
    agent: &mut dyn Agent,
    request: Request<'_>,
    is_announced: bool,
) -> Result<(Answer, Option<Answer>), AgentError> {
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
    if is_announced {
        return Ok((answer(&o, with_riichi(&o, action)), None));
    }
    match riichi_of(action) {
        None => Ok((answer(&o, action), None)),
        Some(Declare::Riichi) => Ok((Answer::reach(o.seat().number()), Some(answer(&o, action)))),
        Some(_) => Err(failed("declares open riichi, which mjai has no word for".to_owned())),
    }
}

/// The discard of a riichi that somebody else has announced at the agent's seat: the action's tile if it
/// is legal with riichi, otherwise the first legal one.
fn with_riichi(o: &Observation<'_>, action: Action) -> Action {
    let wanted = match action {
        Action::Discard { tile, .. } => Action::Discard { tile, declare: Declare::Riichi },
        Action::Tsumogiri { .. } => Action::Tsumogiri { declare: Declare::Riichi },
        action => action,
    };
    let is_wanted = |riichi: &Action| *riichi == wanted;
    riichi_discards(o).find(is_wanted).or_else(|| riichi_discards(o).next()).unwrap_or(action)
}

/// Whether this player may have to decide after an event.
fn may_decide(event: &Event, own: u8) -> bool {
    match event {
        Event::Tsumo { actor, .. } | Event::Reach { actor } => *actor == own,
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

/// Replaces the tiles that this player does not see by a filler, so that the reader accepts the
/// event. If the end of a hand states the points after it, its changes of points are dropped. If it states
/// neither, nobody wins or loses points.
fn hide_tiles(event: &mut Event, own: u8) {
    let filler = Pai::from(Tile::plain(TileKind::EAST));
    match event {
        Event::StartKyoku { tehais, .. } => {
            let others = tehais.iter_mut().zip(0_u8..).filter(|(_, seat)| *seat != own);
            others.for_each(|(tehai, _)| *tehai = vec![filler; 13]);
        }
        Event::Tsumo { actor, pai } if *actor != own => *pai = filler,
        Event::Hora(Hora { deltas, scores, .. }) | Event::Ryukyoku { deltas, scores, .. } => {
            *deltas = match scores {
                Some(_) => None,
                None => Some(deltas.take().unwrap_or_else(|| vec![0; 4])),
            };
        }
        _ => {}
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
