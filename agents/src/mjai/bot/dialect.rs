//! Events as the lines that a bot gets, in three dialects.

use jantaku_engine::{Observation, Rules, Seat};
use serde::Serialize;

use crate::mjai::answer::{Answer, answer, legal, riichi_discards};
use crate::mjai::{Event, Pai, translate};

/// The first line of gimite's server. The bot answers with `join`.
pub(super) const HELLO: &str = r#"{"type":"hello","protocol":"mjsonp","protocol_version":3}"#;

/// How events become lines, and which lines are answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// A line is the list of events since the last question, and has one answer.
    App {
        /// Whether the event of a question lists the legal answers, in its key `legal`.
        legal: bool,
    },
    /// A line is one event, and has one answer: `none` unless the bot acts.
    Line {
        /// Whether each event says if it is a question, in its key `can_act`.
        can_act: bool,
        /// As in `App`.
        legal: bool,
    },
    /// As `Line`, in the words of gimite's server: `hello` comes first, and each question says what
    /// is legal.
    Mjsonp,
}

/// An event of gimite's server.
#[derive(Serialize)]
struct Hinted<'a> {
    #[serde(flatten)]
    event: &'a Event,
    /// The legal answers, except discards and `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    possible_actions: Option<Vec<Answer>>,
    /// The tiles in the hand that must not be discarded after a call or an announced riichi.
    #[serde(skip_serializing_if = "Option::is_none")]
    cannot_dahai: Option<Vec<Pai>>,
}

/// An event with the hints that the options `can_act` and `legal` add.
#[derive(Serialize)]
struct Marked<'a> {
    #[serde(flatten)]
    event: &'a Event,
    /// Whether it is a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    can_act: Option<bool>,
    /// The legal answers to a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Vec<Answer>>,
}

impl Dialect {
    /// What to try if a bot fails at its first message.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Dialect::App { .. } => {
                "\nThe bot failed at its first message, a line with a list of events. If it expects one event \
                 a line, give the agent `dialect=line`."
            }
            Dialect::Line { .. } | Dialect::Mjsonp => {
                "\nThe bot failed at its first message, a line with one event. If it expects lists of events, \
                 give the agent `dialect=app`."
            }
        }
    }

    /// The lines that state these events. `question` is the decision that the last event asks for, if it asks
    /// for one.
    pub(super) fn lines(self, events: &[Event], question: Option<&Observation<'_>>) -> Vec<String> {
        let asked = |at| question.filter(|_| at + 1 == events.len());
        match self {
            Dialect::App { legal } => {
                let marked =
                    |(at, event)| Marked { event, can_act: None, legal: listed(event, legal, asked(at)) };
                vec![json(&events.iter().enumerate().map(marked).collect::<Vec<_>>())]
            }
            Dialect::Line { can_act, legal } => {
                let marked = |(at, event)| {
                    let can_act = can_act.then(|| asked(at).is_some());
                    json(&Marked { event, can_act, legal: listed(event, legal, asked(at)) })
                };
                events.iter().enumerate().map(marked).collect()
            }
            Dialect::Mjsonp => {
                events.iter().enumerate().map(|(at, event)| hinted(event, asked(at))).collect()
            }
        }
    }
}

/// The legal answers to an event, if it is a question and they are wanted.
fn listed(event: &Event, are_wanted: bool, question: Option<&Observation<'_>>) -> Option<Vec<Answer>> {
    question.filter(|_| are_wanted).map(|o| answers(event, o))
}

/// The legal answers to an event that is a question. After an announced riichi they are its discards.
fn answers(event: &Event, o: &Observation<'_>) -> Vec<Answer> {
    match event {
        Event::Reach { .. } => riichi_discards(o).map(|action| answer(o, action)).collect(),
        _ => legal(o),
    }
}

/// An event in the words of gimite's server, which is a question if there is an observation.
fn hinted(event: &Event, question: Option<&Observation<'_>>) -> String {
    let mut hinted = Hinted { event, possible_actions: None, cannot_dahai: None };
    match (question, event) {
        (Some(o), Event::Chi(_) | Event::Pon(_) | Event::Reach { .. }) => {
            let discards = answers(event, o);
            let mut hand: Vec<Pai> = o.hand_with_draw().tiles().map(Pai::from).collect();
            hand.dedup();
            hand.retain(|pai| !discards.iter().any(|discard| discard.pai == Some(*pai)));
            hinted.cannot_dahai = Some(hand);
        }
        (Some(o), _) => {
            let actions = legal(o).into_iter().filter(|action| action.kind != "dahai" && !action.is_none());
            hinted.possible_actions = Some(actions.collect());
        }
        // The server never leaves the list out.
        (None, Event::Dahai { .. } | Event::Kakan { .. } | Event::Tsumo { .. }) => {
            hinted.possible_actions = Some(Vec::new());
        }
        (None, _) => {}
    }
    json(&hinted).replace(r#""ura_markers":"#, r#""uradora_markers":"#)
}

/// An event or a list of events as JSON.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("events are JSON")
}

/// The first event of a game, as one seat gets it. It has the rules if they are not the default.
pub(super) fn start_game(rules: &Rules, seat: Seat) -> Event {
    let names = rules.players.seats().map(|seat| seat.number().to_string()).collect();
    translate::start_game(rules, names, Some(seat.number()))
}
