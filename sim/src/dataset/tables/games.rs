//! The table of games.

use super::statement::table;
use crate::dataset::column::{Provenance, Storage};
use crate::dataset::types::{I32, List, Nullable, U8, U16, U32, U64, Word};
use crate::play::GameRecord;

table! {
    /// One row per game, sorted by `game`.
    Games, from Row { record, rules_hash, agents },

    game: U64 [storage: Storage::Delta] = record.game
        => "Number of the game in its run, from 0.";
    seed: U64 [storage: Storage::Plain] = record.seed
        => "Seed of the game. With the rules it determines every wall; with the agents' salts, their random choices.";
    rules_hash: Word = rules_hash
        => "Hash of the rules, 16 hexadecimal digits. The rules themselves are in run.toml or in ruleset.";
    agents: List<Word> = agents.iter()
        => "Agent of each seat, or the player's name in the log. Seat 0 is the first dealer. Lists of this table have an entry for each playing seat.";
    points: List<I32> = record.results.iter().map(|result| result.points)
        => "Points of each seat at the end, after the riichi sticks left on the table are paid out.";
    placement: List<U8> = record.results.iter().map(|result| result.placement)
        => "Placement of each seat, 1 is first. Seats with equal points are ranked by seat number, even if they share uma and oka (`tie_rule`).";
    result: List<I32> = record.results.iter().map(|result| result.result)
        => "Result of each seat with uma and oka, in points: 55000 means +55.0.";
    hands: U16 = record.hand_count as u16
        => "Number of hands.";
    decisions: U32 = record.decision_count
        => "Number of decisions. Forced moves are not decisions.";
    signature: U64 [storage: Storage::Plain] = record.signature
        => "Hash of all events of the game. Games with the same events have the same signature.";
    source: Nullable<Word> [provenance: Provenance::Log] = record.origin.as_deref().map(|origin| &origin.source)
        => "Name of the log that the game came from; null for a self-play game.";
    ruleset: Nullable<Word> = record.origin.as_deref().map(|origin| origin.rules.to_toml())
        => "Rules of the game as TOML text; null if they are those of run.toml.";
}

/// A game, the hash of its rules, and who plays it.
struct Row<'a> {
    record: &'a GameRecord,
    rules_hash: &'a str,
    agents: &'a [String],
}

impl Rows {
    /// Adds a game. `rules_hash` is for a game that does not store its own rules.
    pub(in crate::dataset) fn push_game(&mut self, record: &GameRecord, rules_hash: &str, agents: &[String]) {
        let own = record.origin.as_deref().map(|origin| format!("{:016x}", origin.rules.hash()));
        let rules_hash = own.as_deref().unwrap_or(rules_hash);
        self.push(&Row { record, rules_hash, agents });
    }
}
