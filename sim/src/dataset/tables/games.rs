//! The table of games.

use super::statement::{PlayedGame, table};
use crate::dataset::column::{Provenance, Storage};
use crate::dataset::types::{I32, List, Nullable, U8, U16, U32, U64, Word};

table! {
    /// One row per game, sorted by `game`.
    Games, from PlayedGame { record, rules_hash, agents, .. },

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

fn rows_of<'a>(game: &PlayedGame<'a>) -> [PlayedGame<'a>; 1] {
    [*game]
}
