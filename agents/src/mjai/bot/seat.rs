//! One seat of a game that a bot plays.

use std::time::Duration;

use jantaku_engine::{self as engine, Action, Observation, Rules, Seat};
use serde_json::Value;

use super::dialect::{Dialect, json};
use super::fault::{AnswerTo, Fault};
use super::process::{Limit, Process};
use crate::mjai::Event;
use crate::mjai::answer::{Answer, JOIN, Meaning};
use crate::mjai::translate::Translator;
use crate::mjai::words;
use crate::{FaultKind, Moves};

/// A bot's seat in a game, with the events that the bot has received and those still to send.
#[derive(Debug)]
pub(super) struct BotSeat {
    seat: Seat,
    pub(super) dialect: Dialect,
    translator: Translator,
    /// Events that the bot does not have yet.
    unsent: Vec<Event>,
    /// The events that were sent last.
    sent: Vec<Event>,
    /// Whether the bot has announced a riichi, but not yet its discard. It already has the `reach` event.
    pub(super) has_announced: bool,
    /// The decisions of the seat, and who made them.
    pub(super) moves: Moves,
    /// None if a substitute plays.
    pub(super) process: Option<Process>,
}

impl BotSeat {
    /// The seat at the start of a game. The process has been sent `start_game`.
    pub(super) fn new(seat: Seat, rules: &Rules, dialect: Dialect, process: Process) -> BotSeat {
        let scores = engine::BySeat::splat(rules.players, rules.start_points);
        BotSeat {
            seat,
            dialect,
            translator: Translator::new(rules, scores),
            unsent: Vec::new(),
            sent: Vec::new(),
            has_announced: false,
            moves: Moves::default(),
            process: Some(process),
        }
    }

    /// Translates an event, as the seat sees it, and queues it for the bot.
    pub(super) fn take(&mut self, event: &engine::Event) {
        if self.process.is_none() {
            return;
        }
        let first = self.unsent.len();
        self.translator.translate(event, &mut self.unsent);
        let is_own_reach = |event: &Event| *event == Event::Reach { actor: self.seat.number() };
        if self.has_announced && self.unsent.get(first).is_some_and(is_own_reach) {
            self.unsent.remove(first);
            self.has_announced = false;
        }
        // In mjai, a kan's indicator comes before the discard. The last event is the one to answer.
        if let [.., Event::Dahai { .. }, Event::Dora { .. }] = &self.unsent[..] {
            let last = self.unsent.len() - 1;
            self.unsent.swap(last - 1, last);
        }
    }

    /// Sends the unsent events. `question` is the decision that the last event asks for, if it asks for one.
    pub(super) fn send(&mut self, question: Option<&Observation<'_>>, limit: Limit) {
        let Some(process) = &mut self.process else { return };
        self.sent = std::mem::take(&mut self.unsent);
        process.send(&self.dialect.lines(&self.sent, question), limit);
    }

    /// Sends the announcement of a riichi, to which the bot answers with the discard.
    pub(super) fn announce_riichi(&mut self, o: &Observation<'_>, limit: Limit) {
        self.unsent.push(Event::Reach { actor: self.seat.number() });
        self.send(Some(o), limit);
        self.has_announced = true;
    }

    /// Waits for the answer to a line that is no question.
    pub(super) fn quiet_answer(&mut self) -> Result<(), Fault> {
        let Some(process) = &self.process else { return Ok(()) };
        let (is_start, owed) = (!process.has_answered, process.owed());
        self.read_quiet(owed, is_start).map_err(|fault| {
            let asked = if is_start { AnswerTo::Start } else { self.quiet_event(owed) };
            Fault { asked, ..fault }
        })
    }

    /// The event to which an answer came while this many were owed.
    fn quiet_event(&self, owed: usize) -> AnswerTo {
        let back = if matches!(self.dialect, Dialect::App { .. }) { 1 } else { owed };
        let event = self.sent.len().checked_sub(back).and_then(|at| self.sent.get(at));
        AnswerTo::Event(event.map_or_else(|| "none".to_owned(), json))
    }

    /// Waits for such an answer while this many are owed, and checks that it does nothing.
    fn read_quiet(&mut self, owed: usize, is_start: bool) -> Result<(), Fault> {
        let Some(process) = &mut self.process else { return Ok(()) };
        let (text, took) = process.answer()?;
        let answer = parse(&text).map_err(|fault| fault.after(took))?;
        // The bot may answer with a move that has no alternative.
        let later = &self.sent[self.sent.len().saturating_sub(owed.saturating_sub(1))..];
        let own = later.iter().find_map(|event| match event {
            Event::Dahai { actor, pai, .. } if *actor == self.seat.number() => Some(*pai),
            _ => None,
        });
        let is_forced = answer.kind == "dahai" && own.is_some() && answer.pai == own;
        let joins = is_start && self.dialect == Dialect::Mjsonp && answer.kind == JOIN;
        if answer.is_none() || is_forced || joins {
            return Ok(());
        }
        let fault = Fault::new(FaultKind::Illegal, "an action where there is nothing to decide");
        Err(fault.in_answer(&text))
    }

    /// Takes the answers to the last events of a game. Returns the process for another game.
    pub(super) fn finish(mut self) -> Result<Option<Process>, Fault> {
        while self.process.as_ref().is_some_and(|process| process.owed() > 0) {
            self.quiet_answer()?;
        }
        Ok(self.process)
    }

    /// Waits for the answer to a question. Returns it with its time.
    pub(super) fn answer(&mut self, o: &Observation<'_>) -> Result<(Meaning, Duration), Fault> {
        self.answer_as(|answer| answer.meaning(o))
    }

    /// Waits for the discard of the announced riichi. Returns it with its time.
    pub(super) fn riichi_discard(&mut self, o: &Observation<'_>) -> Result<(Action, Duration), Fault> {
        self.answer_as(|answer| answer.riichi_discard(o))
    }

    fn answer_as<T>(&mut self, meaning: impl Fn(&Answer) -> Option<T>) -> Result<(T, Duration), Fault> {
        let Some(process) = &mut self.process else {
            return Err(Fault::new(FaultKind::Crash, "there is no process"));
        };
        let (text, took) = process.answer()?;
        let answer = parse(&text).map_err(|fault| fault.after(took))?;
        meaning(&answer).map(|meaning| (meaning, took)).ok_or_else(|| {
            let what = match answer.actor {
                Some(actor) if actor != self.seat.number() => {
                    format!("`actor` is {actor}, expected {}", self.seat.number())
                }
                _ => "an action that is not legal".to_owned(),
            };
            Fault::new(FaultKind::Illegal, what).after(took).in_answer(&text)
        })
    }

    /// The last event that the bot was sent.
    pub(super) fn last_event(&self) -> Option<String> {
        self.sent.last().map(json)
    }
}

/// Sends the start of another game to a process and takes the answer.
pub(super) fn restart(process: &mut Process, start: &[String], limit: Limit) -> Result<(), Fault> {
    process.send(start, limit);
    let (text, _) = process.answer()?;
    if parse(&text)?.is_none() {
        return Ok(());
    }
    let fault = Fault::new(FaultKind::Illegal, "an action outside the game, expected `none`");
    Err(fault.in_answer(&text))
}

/// Reads an answer.
fn parse(text: &str) -> Result<Answer, Fault> {
    let wrong = |kind, what: String| Fault::new(kind, what).in_answer(text);
    let text_alone = text.trim_end();
    let value: Value = serde_json::from_str(text_alone).map_err(|error| {
        let reason = match text_alone {
            "" => "an empty line".to_owned(),
            _ => words::plain(&error.to_string()),
        };
        wrong(FaultKind::NotJson, format!("an answer that is not JSON: {reason}"))
    })?;
    let not_an_answer = |what: String| wrong(FaultKind::NotAnAnswer, format!("not an answer: {what}"));
    if !value.is_object() {
        return Err(not_an_answer(format!("found {}, expected a JSON object", kind_of(&value))));
    }
    let answer: Answer = words::read(&value).map_err(not_an_answer)?;
    answer.check().map_err(not_an_answer)?;
    Ok(answer)
}

/// What a JSON value is.
const fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
