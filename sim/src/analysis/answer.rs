//! Answers to questions, as lines of JSON.

use jantaku_engine::{Rules, Shanten};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::analyse::{Analysis, DiscardChoice, Payments, ShantenByShape, Won, analyse};
use super::question::Question;
use super::tiles::UkeireKind;

/// The longest question in bytes. Real questions need less than a hundredth of it.
pub const LONGEST_LINE: usize = 64 << 10;

/// The answer to a line: an analysis or an error.
#[derive(Debug)]
pub struct Answer {
    id: Option<Box<RawValue>>,
    found: Result<Analysis, String>,
}

/// The id of a question that is not valid.
#[derive(Deserialize)]
struct OnlyId {
    #[serde(default)]
    id: Option<Box<RawValue>>,
}

/// Answers a line of JSON with a [`Question`].
///
/// `rules` finds the rules with the name in the question, or the default rules without a name. It
/// returns an error message for an unknown name.
pub fn answer(line: &[u8], mut rules: impl FnMut(Option<&str>) -> Result<Rules, String>) -> Answer {
    if line.len() > LONGEST_LINE {
        return Answer { id: None, found: Err(format!("the line is longer than {LONGEST_LINE} bytes")) };
    }
    match serde_json::from_slice::<Question>(line) {
        Ok(question) => {
            let found = rules(question.rules.as_deref())
                .and_then(|rules| analyse(&question, &rules).map_err(|refusal| refusal.to_string()));
            Answer { id: question.id, found }
        }
        Err(error) => {
            let id = serde_json::from_slice::<OnlyId>(line).ok().and_then(|only| only.id);
            Answer { id, found: Err(without_line(&error)) }
        }
    }
}

/// The message without the line number, which is always 1.
fn without_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    format!("{what} at character {}", error.column())
}

impl Answer {
    /// The answer to a valid question.
    #[must_use]
    pub fn of(analysis: Analysis) -> Answer {
        Answer { id: None, found: Ok(analysis) }
    }
}

/// An answer as JSON. An answer with an error has all keys, without values.
#[derive(Serialize, Default)]
struct AnswerLine<'a> {
    id: Option<&'a RawValue>,
    shanten: Option<ShantenLine>,
    waits: Vec<String>,
    discards: Vec<DiscardLine>,
    score: Option<ScoreLine<'a>>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct ShantenLine {
    standard: i8,
    seven_pairs: Option<i8>,
    thirteen_orphans: Option<i8>,
    best: i8,
}

#[derive(Serialize)]
struct DiscardLine {
    tile: String,
    shanten: i8,
    ukeire: Vec<String>,
    count: u32,
}

#[derive(Serialize)]
struct ScoreLine<'a> {
    yaku: Vec<YakuLine>,
    han: u32,
    fu: u8,
    yakuman: u8,
    points: i32,
    payments: &'a Payments,
}

#[derive(Serialize)]
struct YakuLine {
    name: &'static str,
    han: u8,
}

fn names(ukeire: &[UkeireKind]) -> Vec<String> {
    ukeire.iter().map(|kind| kind.kind.to_string()).collect()
}

fn shanten_line(shanten: ShantenByShape) -> ShantenLine {
    ShantenLine {
        standard: shanten.standard.number(),
        seven_pairs: shanten.seven_pairs.map(Shanten::number),
        thirteen_orphans: shanten.thirteen_orphans.map(Shanten::number),
        best: shanten.best.number(),
    }
}

fn discard_line(discard: &DiscardChoice) -> DiscardLine {
    DiscardLine {
        tile: discard.tile.to_string(),
        shanten: discard.shanten.number(),
        ukeire: names(&discard.ukeire),
        count: discard.count(),
    }
}

fn score_line(won: &Won) -> ScoreLine<'_> {
    ScoreLine {
        yaku: won.yaku.iter().map(|(yaku, han)| YakuLine { name: yaku.name(), han: *han }).collect(),
        han: won.score.han(),
        fu: won.score.fu,
        yakuman: won.score.yakuman,
        points: won.points,
        payments: &won.payments,
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        let id = self.id.as_deref();
        let line = match &self.found {
            Err(error) => AnswerLine { id, error: Some(error), ..AnswerLine::default() },
            Ok(found) => AnswerLine {
                id,
                shanten: Some(shanten_line(found.shanten)),
                waits: if found.is_tenpai { names(&found.ukeire) } else { Vec::new() },
                discards: found.discards.iter().map(discard_line).collect(),
                score: found.won.as_ref().map(score_line),
                error: None,
            },
        };
        line.serialize(output)
    }
}
