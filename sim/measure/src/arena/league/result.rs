//! The result of a league so far.

use std::collections::BTreeSet;

use jantaku_agents::Faults;

use super::config::LeagueConfig;
use crate::arena::ranked::RankedGames;

/// The result of a league so far.
#[derive(Clone, Debug)]
pub struct LeagueResult {
    /// The games, those of earlier calls included.
    pub games: RankedGames,
    /// Games that this call played.
    pub played: u64,
    /// Whether all games are played.
    pub complete: bool,
    /// Versions and commits of the programs that played the stored tables.
    pub programs: BTreeSet<String>,
    /// The faults of each agent in these games, in the order of the league.
    pub faults: Vec<Faults>,
    /// Wall-clock time of this call in seconds.
    pub seconds: f64,
    /// The maximum number of threads that played a table.
    pub threads: usize,
}

impl LeagueResult {
    /// A league without games.
    pub(super) fn new(config: &LeagueConfig) -> LeagueResult {
        let agents = config.agents.len();
        LeagueResult {
            games: RankedGames::new(agents),
            played: 0,
            complete: false,
            programs: BTreeSet::new(),
            faults: vec![Faults::default(); agents],
            seconds: 0.0,
            threads: 1,
        }
    }

    /// Adds faults of agents, which are given by their indexes.
    pub(super) fn add_faults(&mut self, faults: impl IntoIterator<Item = (usize, Faults)>) {
        faults.into_iter().for_each(|(agent, faults)| self.faults[agent].extend(&faults));
    }
}
