//! A game as one page for the browser.
//!
//! - [`GameView`]: a game or a position, ready to be drawn; [`Viewer`] follows a game and makes one
//! - `advice`: what agents think of the decisions
//! - `frame`: the table at one moment; `changes`: the difference of two moments
//! - `result`: how a hand ended
//!
//! Everything that needs rules is computed here: shanten, waits, furiten, payments. The script of
//! the page only draws it.
//!
//! # Why
//!
//! **Why does the page of `view` know no rules?** The library replays the game. It writes the table
//! after each deal, and for each event the values that change: hands, waits, furiten, points. The
//! script only merges these objects and renders the result. So one law in Rust compares the page
//! with the observations of players, and no second state machine in another language can drift.
//! Furiten from a passed tile cannot be derived from the events, so a replay shows its spectators
//! the hand in play. Rejected: a whole table for each event, which takes five times the bytes; the
//! engine as WebAssembly, because a page opened from an e-mail may not load it.

mod advice;
mod changes;
mod frame;
mod result;
mod viewer;

use std::ops::RangeInclusive;

use jantaku_engine::{FinalResult, Seat, Tile, cut_after};
use serde::Serialize;
use serde_json::Value;

use crate::{Judgement, KindSum, Sentence};

pub use self::advice::{Advisor, AllAdvice, ShownAdvisor};
pub use self::result::{ShownDraw, ShownFu, ShownResult, ShownWin, ShownYaku};
pub use self::viewer::Viewer;

/// How a page opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Opening {
    /// The seat at the bottom.
    pub seat: u8,
    /// Whether only its hand is shown, as its player saw the game.
    pub closed: bool,
    /// The hand, from 0.
    pub hand: usize,
    /// The decision, from 0 in the game. None for the deal of the hand.
    pub decision: Option<usize>,
}

/// A game or a position, ready to be drawn. Tiles are texts such as `0p`.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GameView {
    /// Where the game comes from, such as `game 3 of runs/first`.
    pub source: String,
    /// The name of the rules. Empty if it is not known.
    pub rules: String,
    /// The players or agents by seat. Empty for a position.
    pub names: Vec<String>,
    /// The number of players.
    pub players: u8,
    /// The hands in order.
    pub hands: Vec<HandView>,
    /// Placements and results by seat. None if the game does not reach its end.
    pub results: Option<Vec<FinalResult>>,
    /// The agents whose advice the decisions have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advisors: Vec<ShownAdvisor>,
    /// What decisions cost: for each of these agents, the sums of each seat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sums: Vec<Vec<SeatSums>>,
    /// Differences between the log and the rules, and other notes for the reader.
    pub notes: Vec<Sentence>,
}

/// A hand of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HandView {
    /// The round wind.
    pub wind: char,
    /// The number of the hand in its round, from 1.
    pub number: u16,
    /// Honba.
    pub honba: u16,
    /// The seat of the dealer.
    pub dealer: Seat,
    /// The table after the deal, as an object of `frame`.
    pub start: Value,
    /// What happens, in order.
    pub steps: Vec<StepView>,
    /// How the hand ended. None if it does not reach its end.
    pub result: Option<ShownResult>,
}

/// An event, and its changes of the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StepView {
    /// The event.
    #[serde(flatten)]
    pub event: ShownEvent,
    /// The values of the frame that change, in objects of the same shape.
    pub changes: Value,
    /// The decisions after the event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<ShownDecision>,
}

/// A decision, and the choice of the player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ShownDecision {
    /// The number of the decision in the game, from 0, as `show` and `ask` count them.
    pub number: usize,
    /// The seat.
    pub seat: Seat,
    /// The action.
    pub action: String,
    /// What each of the advisors thinks of it. Empty if none of them has advice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: AllAdvice,
    /// The legal actions that no advice has as an option. Empty without advice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<String>,
}

/// What the decisions of a seat cost, by the estimates of an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatSums {
    /// The sum of all decisions.
    pub all: KindSum,
    /// The sums of the kinds that occurred.
    pub kinds: Vec<KindSum>,
    /// The sums of the hands.
    pub hands: Vec<KindSum>,
}

impl SeatSums {
    fn of(hands: &[HandView], agent: usize, seat: Seat) -> SeatSums {
        let by_hand: Vec<Vec<&Judgement>> = hands.iter().map(|hand| hand.judged(agent, seat)).collect();
        let all = by_hand.concat();
        let of_hand = |judged: Vec<&Judgement>| KindSum::of("hand", judged.into_iter());
        SeatSums {
            all: KindSum::of("all", all.iter().copied()),
            kinds: KindSum::by_kind(&all),
            hands: by_hand.into_iter().map(of_hand).collect(),
        }
    }
}

impl HandView {
    /// How an agent judges the decisions of a seat in this hand.
    fn judged(&self, agent: usize, seat: Seat) -> Vec<&Judgement> {
        let decisions = self.steps.iter().flat_map(|step| &step.decisions).filter(|one| one.seat == seat);
        decisions.filter_map(|one| one.advice.get(agent)?.as_ref()?.judgement.as_ref()).collect()
    }
}

/// An event for the caption of a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "as the events of the engine")]
pub enum ShownEvent {
    Draw { seat: Seat, tile: Option<Tile>, replacement: bool },
    Discard { seat: Seat, tile: Tile, tsumogiri: bool, riichi: bool },
    RiichiAccepted { seat: Seat },
    Call { seat: Seat, call: &'static str, tile: Tile, from: Seat },
    Ankan { seat: Seat, tile: Tile },
    Kakan { seat: Seat, tile: Tile },
    Kita { seat: Seat },
    DeadHand { seat: Seat },
    Indicator { tile: Tile },
    HandEnd,
    GameEnd,
}

/// A text of one line that is safe to read, such as a name in a log. Control characters, line breaks
/// included, and marks that reorder text become their code points. The text is cut after 200 characters.
pub fn readable(text: &str) -> String {
    const MAX: usize = 200;
    without_hidden(&cut_after(text, MAX), &[])
}

/// The text with control characters and text-reordering marks, except `kept`, replaced by their
/// code points, such as `[U+001B]`.
pub fn without_hidden(text: &str, kept: &[char]) -> String {
    const MARKS: [RangeInclusive<char>; 5] = [
        '\u{061C}'..='\u{061C}',
        '\u{200B}'..='\u{200F}',
        '\u{2028}'..='\u{202E}',
        '\u{2060}'..='\u{206F}',
        '\u{FEFF}'..='\u{FEFF}',
    ];
    let is_mark = |c: char| MARKS.iter().any(|marks| marks.contains(&c));
    let is_hidden = |c: char| (c.is_control() || is_mark(c)) && !kept.contains(&c);
    let letter = |c: char| if is_hidden(c) { format!("[U+{:04X}]", u32::from(c)) } else { c.to_string() };
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_become_visible() {
        assert_eq!(readable("Aki<b> \u{202E}x\n雀"), "Aki<b> [U+202E]x[U+000A]雀");
        let long = readable(&"x".repeat(10_000));
        assert_eq!((long.chars().count(), long.ends_with("x…")), (201, true));
    }
}
