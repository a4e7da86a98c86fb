//! What is wrong with the process of a bot or its answer.

use std::time::Duration;

use crate::FaultKind;

/// The maximum number of letters of an answer that a message shows.
const SHOWN: usize = 300;

/// What is wrong with a process or its answer.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    pub(super) what: String,
    /// The time until the wrong answer, or the time waited in vain. None if the process ended.
    pub(super) took: Option<Duration>,
    /// The last lines that a process wrote to stderr before it ended.
    pub(super) last_words: String,
    /// The beginning of the wrong answer, if there is one.
    pub(super) answer: Option<String>,
    pub(super) asked: AnswerTo,
}

/// What an answer is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AnswerTo {
    /// The first line of a process, `start_game`.
    Start,
    /// An event that is no question.
    Event(String),
    /// The question of a decision.
    Question,
    /// Nothing: the line came without a question.
    Nothing,
}

impl Fault {
    /// A fault at the question of a decision.
    pub(super) fn new(kind: FaultKind, what: impl Into<String>) -> Fault {
        let (what, last_words) = (what.into(), String::new());
        Fault { kind, what, took: None, last_words, answer: None, asked: AnswerTo::Question }
    }

    /// A line that came without a question.
    pub(super) fn unasked(line: &str) -> Fault {
        let fault = Fault::new(FaultKind::NotAnAnswer, "a line that answers no question");
        Fault { asked: AnswerTo::Nothing, ..fault.in_answer(line) }
    }

    /// The fault of an answer that came, or was missing, after this time.
    pub(super) fn after(self, took: Duration) -> Fault {
        Fault { took: Some(took), ..self }
    }

    /// The fault of this answer.
    pub(super) fn in_answer(self, answer: &str) -> Fault {
        Fault { answer: Some(shown(answer)), ..self }
    }
}

/// The beginning of a text.
pub(super) fn shown(text: &str) -> String {
    let text = text.trim_end();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], text.len()),
        None => text.to_owned(),
    }
}
