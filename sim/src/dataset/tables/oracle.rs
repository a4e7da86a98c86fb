//! The table of hidden hands.
//!
//! # Why
//!
//! **Why do hidden tiles have a table of their own?** A learner must never read a hidden tile by
//! mistake, and most runs need none. `oracle` has the rows of `decisions` in the same order, so a
//! learner that wants hidden hands reads both side by side. The hands follow from the events and
//! the walls from the seed, so agents need not report either. Rejected: one row per hand with the
//! deal and the wall, from which every reader would have to replay the draws and calls.

use jantaku_engine::BySeat;
use jantaku_engine::notation::HandText;

use super::statement::{PlayedGame, table};
use crate::dataset::column::Storage;
use crate::dataset::types::{List, Text, U8, U16, U64};
use crate::play::Decision;

table! {
    /// One row per decision, only with `--log oracle`: what no player sees. Row k belongs to row k
    /// of the same part of `decisions`.
    Oracle, from Row { game, d, concealed },

    game: U64 [storage: Storage::Delta, since: 2] = *game
        => "Number of the game in its run.";
    hand: U16 [storage: Storage::Delta, since: 2] = d.hand
        => "Number of the hand in its game, from 0.";
    step: U16 [since: 2] = d.step
        => "Number of events of the hand before the decision, as in decisions.";
    seat: U8 [since: 2] = d.seat.number()
        => "Seat that decides. The row belongs to the row of decisions with the same number.";
    tiles: List<Text> [since: 2] = concealed.iter().map(HandText::as_str)
        => "Concealed tiles of each seat in hand notation, 0 for a red five, without the tile just drawn. The entry of the seat that decides is tiles of decisions.";
}

/// A decision with the number of its game, and the concealed tiles of all seats.
struct Row<'a> {
    game: u64,
    d: &'a Decision,
    concealed: &'a BySeat<HandText>,
}

fn rows_of<'a>(game: &PlayedGame<'a>) -> impl Iterator<Item = Row<'a>> {
    let record = game.record;
    let decisions = record.decisions.iter().zip(&record.concealed);
    decisions.map(|(d, concealed)| Row { game: record.game, d, concealed })
}
