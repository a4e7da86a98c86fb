//! Perft: everything that can be played from a position, counted.
//!
//! As in computer chess, two programs that count the same lines from the same positions agree on what is legal there; where the numbers
//! differ, [`divide`] tells below which action. The positions of `engine/tests/perft` come with their counts.
//!
//! # What is counted
//!
//! A *line* is a sequence of answers to decisions within one hand. The count at depth n is the number of lines of n answers, together with
//! those of fewer answers that end the hand. Whatever ends the hand ends the line: no points are compared and no next hand is dealt.
//!
//! A player who has at least two legal actions is asked, and his answer counts one depth. With one legal action he is not asked: it
//! happens by itself and counts nothing, such as a discard in riichi, or silence where nothing can be claimed.
//!
//! Several players can be asked at once: about a tile that lies open, or whether they show their hands at a draw. They answer in turn
//! order, from the player after the one whose tile lies open, or from the dealer. All are asked, whatever the earlier ones
//! have answered: a chi that a pon overrides, and a pass after a ron, are answers like others. Only the last answer has consequences.
//!
//! These actions are different:
//!
//! - a discard of the tile just drawn, and of each tile in hand that looks different, red fives apart from others; of equal
//!   tiles in hand there is one
//! - each such discard with and without riichi
//! - a chi by the place of the claimed tile in it, and by whether an own red five is used; a pon by how many are used
//! - a quad by its kind, whether all four come from the hand or one is added to a pon; an open quad; a North set aside
//! - ron, tsumo, the draw because of nine terminals; pass; to keep the hand closed at a draw

use std::fmt;

use serde::Deserialize;

use crate::event::Observer;
use crate::game::{Game, Standing};
use crate::notation::{parse_tiles, write_tiles};
use crate::round::Round;
use crate::rules::Rules;
use crate::table::Phase;
use crate::wall::Wall;
use crate::{ActionId, ActionSet, Observation, Seat};

/// Who answers next, and what he may answer; none when the hand is over.
#[must_use]
pub fn next_decision(round: &Round) -> Option<(Seat, ActionSet)> {
    let table = round.table();
    let first = if table.phase() == Phase::Draw { table.dealer() } else { table.turn() };
    round.decisions().min_by_key(|(seat, _)| first.steps_to(*seat, table.rules().players))
}

/// The number of lines of so many answers, or fewer that end the hand.
///
/// ```
/// use jantaku_engine::{Game, Rules, perft};
///
/// let game = Game::new(&Rules::default(), 1);
/// assert_eq!(perft::count(game.round(), 0), 1);
/// assert_eq!(perft::count(game.round(), 1), game.decisions().map(|(_, legal)| u64::from(legal.len())).sum());
/// ```
#[must_use]
pub fn count(round: &Round, depth: u32) -> u64 {
    match (next_decision(round), depth) {
        (None, _) | (_, 0) => 1,
        (Some((_, legal)), 1) => u64::from(legal.len()),
        (Some((seat, legal)), _) => legal.iter().map(|id| count(&after(round, seat, id), depth - 1)).sum(),
    }
}

/// The lines below each action of the next decision, so many answers together with it; nothing when the hand is over.
#[must_use]
pub fn divide(round: &Round, depth: u32) -> Vec<(Seat, ActionId, u64)> {
    let Some((seat, legal)) = next_decision(round) else { return Vec::new() };
    let below = |id| (seat, id, count(&after(round, seat, id), depth.saturating_sub(1)));
    legal.iter().map(below).collect()
}

fn after(round: &Round, seat: Seat, id: ActionId) -> Round {
    let mut next = round.clone();
    next.submit(seat, id.action()).expect("a legal action is accepted");
    next
}

/// A position in the first hand of a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Its name, which no other in the file has.
    pub name: String,
    /// All tiles of the wall as [`Wall::from_tiles`] takes them, in hand notation.
    pub wall: String,
    /// What the players have answered ([`move_text`]).
    pub moves: Vec<String>,
    /// The counts at depth 1, 2 and so on.
    pub counts: Vec<u64>,
}

/// A file of positions, or one of them, that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// The file, and the position in it where it is known.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for PositionError {}

/// A file of positions: TOML with a table `rules`, as a rule file has it, and a list `position`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rules: toml::Table,
    position: Vec<Position>,
}

/// Reads a file of positions under one set of rules; `origin` is its name for messages.
///
/// # Errors
///
/// If the text is no such file, or the rules in it cannot be used.
pub fn read(text: &str, origin: &str) -> Result<(Rules, Vec<Position>), PositionError> {
    let error = |what: String| PositionError { place: origin.to_owned(), what };
    let file: File = toml::from_str(text).map_err(|e| error(e.to_string()))?;
    let rules = Rules::from_toml(&file.rules.to_string(), "rules").map_err(|e| error(e.to_string()))?;
    Ok((rules, file.position))
}

/// A move as positions write it: the seat, counted from the first dealer, and the action with its tiles
/// ([`Observation::describe`]), such as `2 discard 5m` or `0 chi 34s`.
#[must_use]
pub fn move_text(o: &Observation<'_>, id: ActionId) -> String {
    format!("{} {}", o.seat(), o.describe(id.action()))
}

impl Position {
    /// The position that comes of these moves. Counts are not known yet.
    #[must_use]
    pub fn new(name: &str, wall: &Wall, moves: Vec<String>) -> Position {
        let mut tiles = String::new();
        write_tiles(&mut tiles, wall.tiles().iter().copied()).expect("a text can be written");
        Position { name: name.to_owned(), wall: tiles, moves, counts: Vec::new() }
    }

    /// The hand in this position; the observer is told what has happened before.
    ///
    /// # Errors
    ///
    /// If the tiles are not a wall, or a move is not legal.
    pub fn round(&self, rules: &Rules, seen: &mut impl Observer) -> Result<Round, PositionError> {
        let error = |what: String| PositionError { place: self.name.clone(), what };
        let tiles = parse_tiles(&self.wall).map_err(|e| error(format!("wall: {e}")))?;
        let wall = Wall::from_tiles(&tiles, rules).map_err(|e| error(format!("wall: {e}")))?;
        let game = Game::at(rules, 0, &Standing::start(rules), Some(wall), seen);
        let mut round = game.map_err(|e| error(e.to_string()))?.round().clone();
        for text in &self.moves {
            let Some((seat, legal)) = next_decision(&round) else {
                return Err(error(format!("move `{text}`: the hand is over")));
            };
            let view = round.observe(seat);
            let is_meant = |id: &ActionId| *text == move_text(&view, *id);
            let Some(id) = legal.iter().find(is_meant) else {
                let known: Vec<String> = legal.iter().map(|id| move_text(&view, id)).collect();
                return Err(error(format!("move `{text}`: expected one of {}", known.join(", "))));
            };
            round.submit_seen(seat, id.action(), seen).expect("a legal action is accepted");
        }
        Ok(round)
    }
}
