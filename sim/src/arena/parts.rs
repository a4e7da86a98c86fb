//! How many games of a match or of a league's table make a part.

use jantaku_agents::Catalog;

/// About the games of a part. An interruption loses the games of an unfinished part.
const GAMES_PER_PART: u64 = 1000;

/// The same if an agent plays few games at once, as a program that may take minutes for a game.
const SLOW_GAMES_PER_PART: u64 = 40;

/// Programs ask for fewer tables than this, networks for more.
const FEW_TABLES: usize = 64;

/// The games of a part of a new run of these agents: whole sets.
///
/// Agents that are not in the catalog count as fast.
#[must_use]
pub fn games_per_part(agents: &[String], games_per_set: u64) -> u64 {
    let catalog = Catalog::standard();
    let is_slow = |name: &String| {
        catalog.agent(name).is_ok_and(|agent| agent.tables().is_some_and(|tables| tables < FEW_TABLES))
    };
    let about = if agents.iter().any(is_slow) { SLOW_GAMES_PER_PART } else { GAMES_PER_PART };
    (about / games_per_set).max(1) * games_per_set
}
