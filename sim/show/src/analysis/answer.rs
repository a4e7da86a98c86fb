//! Answers to questions, as lines of JSON.

use jantaku_engine::{Limit, Rules, Shanten, Tile, TileKind};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::analyse::{Analysis, DiscardChoice, ShantenByShape, analyse};
use super::json::Line;
use super::tiles::UkeireKind;
use super::value::{Payments, Won};

/// The longest question in bytes. Real questions need less than a hundredth of it.
pub const MAX_LINE: usize = 64 << 10;

/// The answer to a line: an analysis or an error.
#[derive(Debug)]
pub struct Answer {
    id: Option<Box<RawValue>>,
    found: Result<Analysis, String>,
}

/// Answers a line of JSON with a [`Question`](super::Question).
///
/// `rules` finds the rules with the name in the question, or the default rules without a name. It
/// returns an error message for an unknown name.
pub fn answer(line: &[u8], mut rules: impl FnMut(Option<&str>) -> Result<Rules, String>) -> Answer {
    if line.len() > MAX_LINE {
        return Answer { id: None, found: Err(format!("the line is longer than {MAX_LINE} bytes")) };
    }
    let Line { id, question } = Line::read(line);
    let found = question.and_then(|question| {
        let rules = rules(question.rules.as_deref())?;
        analyse(&question, &rules).map_err(|refusal| refusal.to_string())
    });
    Answer { id, found }
}

impl Answer {
    /// The answer to a valid question.
    pub fn of(analysis: Analysis) -> Answer {
        Answer { id: None, found: Ok(analysis) }
    }
}

/// An answer as JSON. An answer with an error has all keys, without values.
#[derive(Serialize, Default)]
struct AnswerLine<'a> {
    id: Option<&'a RawValue>,
    shanten: Option<ShantenByShape>,
    waits: Vec<TileKind>,
    discards: Vec<DiscardLine>,
    score: Option<ScoreLine<'a>>,
    no_score: Option<String>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct DiscardLine {
    tile: Tile,
    shanten: Shanten,
    ukeire: Vec<TileKind>,
    count: u32,
}

#[derive(Serialize)]
struct ScoreLine<'a> {
    yaku: Vec<YakuLine>,
    han: u32,
    fu: u8,
    yakuman: u8,
    limit: Option<&'static str>,
    points: i32,
    payments: &'a Payments,
}

#[derive(Serialize)]
struct YakuLine {
    name: &'static str,
    han: u8,
}

fn kinds(ukeire: &[UkeireKind]) -> Vec<TileKind> {
    ukeire.iter().map(|ukeire| ukeire.kind).collect()
}

fn discard_line(discard: &DiscardChoice) -> DiscardLine {
    DiscardLine {
        tile: discard.tile,
        shanten: discard.shanten,
        ukeire: kinds(&discard.ukeire),
        count: discard.count(),
    }
}

fn score_line(won: &Won) -> ScoreLine<'_> {
    let score = &won.hand.score;
    ScoreLine {
        yaku: won.yaku.iter().map(|(yaku, han)| YakuLine { name: yaku.name(), han: *han }).collect(),
        han: score.han(),
        fu: score.fu,
        yakuman: score.yakuman,
        limit: Some(score.limit).filter(|limit| *limit != Limit::None).map(Limit::name),
        points: won.hand.points,
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
                shanten: Some(found.shanten),
                waits: if found.is_tenpai { kinds(&found.ukeire) } else { Vec::new() },
                discards: found.discards.iter().map(discard_line).collect(),
                score: found.score().map(score_line),
                no_score: found.won.as_ref().and_then(|won| Some(won.as_ref().err()?.to_string())),
                error: None,
            },
        };
        line.serialize(output)
    }
}
