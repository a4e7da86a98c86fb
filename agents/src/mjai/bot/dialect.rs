//! Events as the lines that a bot gets, in two dialects.

use jantaku_engine::{Rules, Seat};
use serde::Serialize;

use crate::mjai::Event;

/// How events become lines, and which lines are answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// A line is the list of events since the last question, and has one answer.
    App,
    /// A line is one event, and has one answer: `none` unless the bot acts.
    Line {
        /// Whether each event says if it is a question, in its key `can_act`.
        can_act: bool,
    },
}

/// An event that says whether it is a question.
#[derive(Serialize)]
struct Marked<'a> {
    #[serde(flatten)]
    event: &'a Event,
    can_act: bool,
}

impl Dialect {
    /// What to try if a bot fails at its first message.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Dialect::App => {
                "\nThe bot failed at its first message, a line with a list of events. If it expects one event \
                 a line, give the agent `dialect=line`."
            }
            Dialect::Line { .. } => {
                "\nThe bot failed at its first message, a line with one event. If it expects lists of events, \
                 give the agent `dialect=app`."
            }
        }
    }

    /// The lines that state these events. `asks` says whether the last one is a question.
    pub(super) fn lines(self, events: &[Event], asks: bool) -> Vec<String> {
        match self {
            Dialect::App => vec![json(&events)],
            Dialect::Line { can_act: false } => events.iter().map(json).collect(),
            Dialect::Line { can_act: true } => {
                let is_last = |at| at + 1 == events.len();
                let marked = |(at, event)| json(&Marked { event, can_act: asks && is_last(at) });
                events.iter().enumerate().map(marked).collect()
            }
        }
    }
}

/// An event or a list of events as JSON.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("events are JSON")
}

/// The first event of a game, as one seat gets it. It has the rules if they are not the default.
pub(super) fn start_game(rules: &Rules, seat: Seat) -> Event {
    Event::StartGame {
        names: rules.players.seats().map(|seat| seat.number().to_string()).collect(),
        rules: (*rules != Rules::default()).then(|| rules.to_toml()),
        gametype: Some(if rules.wind_rounds == 1 { "tonpu" } else { "tonnan" }.to_owned()),
        aka_flag: Some(rules.aka.m + rules.aka.p + rules.aka.s > 0),
        kyoku_first: Some(0),
        id: Some(seat.number()),
    }
}
