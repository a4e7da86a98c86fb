//! How many games of a match or of a league's table make a part.

use jantaku_agents::{Catalog, MonteCarlo};

/// About the games of a part. An interruption loses the games of an unfinished part.
const GAMES_PER_PART: u64 = 1000;

/// The same if an agent may take seconds for a game: a search, or a program that plays few games at
/// once.
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
        catalog.agent(name).is_ok_and(|agent| {
            let is_search = agent.downcast::<MonteCarlo>().is_some();
            is_search || agent.tables().is_some_and(|tables| tables < FEW_TABLES)
        })
    };
    let about = if agents.iter().any(is_slow) { SLOW_GAMES_PER_PART } else { GAMES_PER_PART };
    (about / games_per_set).max(1) * games_per_set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_search_loses_few_games() {
        let parts = |agents: [&str; 2]| games_per_part(&agents.map(str::to_owned), 6);
        assert_eq!(parts(["heuristic", "greedy"]), 996);
        assert_eq!(parts(["mc:rollouts=64", "heuristic"]), 36);
    }
}
