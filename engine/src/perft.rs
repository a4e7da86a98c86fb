//! Perft: the number of lines of play from a position.
//!
//! As in computer chess, two programs that count the same lines from the same positions agree on
//! the legal actions there. Where counts differ, [`divide`] shows which action leads to the
//! difference. The positions in `engine/tests/perft` come with their counts.
//!
//! # What is counted
//!
//! A *line* is a sequence of answers to decisions within one hand. The count at depth n is the
//! number of lines of n answers, plus the lines of fewer answers that end the hand. A line ends
//! with the hand: points are not compared and no next hand is dealt.
//!
//! A player with at least two legal actions makes a decision, and the answer adds one to the depth.
//! A single legal action happens without a decision and adds nothing. Examples are the discard in
//! riichi and passing when no claim is possible.
//!
//! Several players can decide at once: about a claim, or about showing their hands at an exhaustive
//! draw. They answer in turn order. For a claim, the first to answer is the next player after the
//! one whose tile it is; at a draw, it is the dealer. Earlier answers do not rule out later ones: a
//! chi that a pon overrides and a pass after a ron count too. The answers take effect together,
//! after the last one.
//!
//! These are different actions:
//!
//! - tsumogiri, and the discard of each different tile in hand; red fives differ from plain ones,
//!   and equal tiles in hand count once
//! - each of these discards with and without riichi
//! - a chi by the position of the claimed tile and by whether it uses a red five from the hand; a
//!   pon by the number of red fives that it uses
//! - an ankan or kakan by its kind; a daiminkan; a North set aside
//! - ron; tsumo; kyuushu kyuuhai; pass; keeping the hand closed at a draw

use serde::Deserialize;

use crate::event::Observer;
use crate::game::Game;
use crate::game_state::Standing;
use crate::notation::{parse_tiles, write_tiles};
use crate::round::Round;
use crate::rules::Rules;
use crate::table::Phase;
use crate::wall::Wall;
use crate::{ActionId, ActionSet, Observation, Seat};

/// The seat that answers next, with its legal actions. None if the hand is over.
pub fn next_decision(round: &Round) -> Option<(Seat, ActionSet)> {
    let table = round.table();
    let first = if table.phase() == Phase::Draw { table.dealer() } else { table.turn() };
    round.decisions().min_by_key(|(seat, _)| first.steps_to(*seat, table.rules().players))
}

/// Counts the lines of `depth` answers, and the shorter ones that end the hand.
///
/// ```
/// use jantaku_engine::{Game, Rules, perft};
///
/// let game = Game::new(&Rules::default(), 1);
/// assert_eq!(perft::count(game.round(), 0), 1);
/// let (_, legal) = game.decisions().next().expect("the dealer begins");
/// assert_eq!(perft::count(game.round(), 1), u64::from(legal.len()));
/// ```
pub fn count(round: &Round, depth: u32) -> u64 {
    match (next_decision(round), depth) {
        (None, _) | (_, 0) => 1,
        (Some((_, legal)), 1) => u64::from(legal.len()),
        (Some((seat, legal)), _) => legal.iter().map(|id| count(&after(round, seat, id), depth - 1)).sum(),
    }
}

/// Counts the lines of `depth` answers separately for each first answer. Empty if the hand is over.
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

/// The files of positions, by the names of their rules.
pub const FILES: [(&str, &str); 7] = [
    ("tenhou", include_str!("../tests/perft/tenhou.toml")),
    ("mjsoul", include_str!("../tests/perft/mjsoul.toml")),
    ("mleague", include_str!("../tests/perft/mleague.toml")),
    ("ema-2016", include_str!("../tests/perft/ema-2016.toml")),
    ("tenhou-sanma", include_str!("../tests/perft/tenhou-sanma.toml")),
    ("mjsoul-sanma", include_str!("../tests/perft/mjsoul-sanma.toml")),
    ("two-players", include_str!("../tests/perft/two-players.toml")),
];

/// A position in the first hand of a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerftPosition {
    /// The name, unique in its file.
    pub name: String,
    /// All tiles of the wall in the order of [`Wall::from_tiles`], in hand notation.
    pub wall: String,
    /// The answers that lead to the position, as written by [`move_text`].
    pub moves: Vec<String>,
    /// The counts at depth 1, 2 and so on.
    pub counts: Vec<u64>,
}

/// The error for an invalid file of positions, or for an invalid position in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {what}")]
pub struct PerftError {
    /// The file or the position.
    pub location: String,
    /// What is wrong.
    pub what: String,
}

/// A file of positions: TOML with a table `rules`, like a rule file, and a list `position`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rules: toml::Table,
    position: Vec<PerftPosition>,
}

/// Reads a file of positions and the rules that they share. `origin` names the file in errors.
///
/// # Errors
///
/// If the text is not such a file, or its rules are invalid.
pub fn read(text: &str, origin: &str) -> Result<(Rules, Vec<PerftPosition>), PerftError> {
    let error = |what: String| PerftError { location: origin.to_owned(), what };
    let file: File = toml::from_str(text).map_err(|e| error(e.to_string()))?;
    let rules = Rules::from_toml(&file.rules.to_string(), "rules").map_err(|e| error(e.to_string()))?;
    Ok((rules, file.position))
}

/// Writes a move as in a file of positions, such as `2 discard 5m` or `0 chi 34s`.
///
/// It is the seat, counted from the first dealer, and the action ([`Observation::describe`]).
pub fn move_text(o: &Observation<'_>, id: ActionId) -> String {
    format!("{} {}", o.seat(), o.describe(id.action()))
}

impl PerftPosition {
    /// The position after these moves, without counts.
    pub fn new(name: &str, wall: &Wall, moves: Vec<String>) -> PerftPosition {
        let mut tiles = String::new();
        write_tiles(&mut tiles, wall.tiles().iter().copied()).expect("writing to a string succeeds");
        PerftPosition { name: name.to_owned(), wall: tiles, moves, counts: Vec::new() }
    }

    /// A game whose first hand is that of the position, before its moves. The observer receives the deal.
    ///
    /// # Errors
    ///
    /// If the tiles are not a wall of these rules.
    pub fn deal(&self, rules: &Rules, seen: &mut impl Observer) -> Result<Game, PerftError> {
        let error = |what: String| PerftError { location: self.name.clone(), what };
        let tiles = parse_tiles(&self.wall).map_err(|e| error(format!("wall: {e}")))?;
        let wall = Wall::from_tiles(&tiles, rules).map_err(|e| error(format!("wall: {e}")))?;
        Game::at(rules, 0, &Standing::start(rules), Some(wall), seen).map_err(|e| error(e.to_string()))
    }

    /// Plays the moves and returns the hand in play. The observer receives the events on the way.
    ///
    /// # Errors
    ///
    /// If the tiles are not a wall of these rules, or a move is illegal.
    pub fn round(&self, rules: &Rules, seen: &mut impl Observer) -> Result<Round, PerftError> {
        let error = |what: String| PerftError { location: self.name.clone(), what };
        let mut round = self.deal(rules, seen)?.round().clone();
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
