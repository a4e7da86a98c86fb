//! The contents of `league.toml`.

use jantaku_agents::{Catalog, NamedAgent, OnFault, label_of};
use jantaku_engine::Rules;
use serde::{Deserialize, Serialize};

use crate::arena::parts::games_per_part;
use jantaku_sim::play::{Detail, Seatings};
use jantaku_sim::run::{AgentParameters, ConfigError, RequestError, RunConfig};

/// Everything needed to repeat a league: the contents of `league.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueConfig {
    /// The agents, in the order in which they joined.
    pub agents: Vec<String>,
    /// Sets that every table plays.
    pub sets: u64,
    /// Seed of all tables.
    pub seed: u64,
    /// Who sits where in the games of a set.
    pub seatings: Seatings,
    /// How much of each game is written.
    #[serde(rename = "log")]
    pub detail: Detail,
    /// The maximum number of games in play at once, if the user chose it.
    #[serde(rename = "tables")]
    pub at_once: Option<usize>,
    /// What happens after a fault of an external engine, if the user chose it.
    pub on_fault: Option<OnFault>,
    /// Name of the rule set as the user gave it.
    pub rules_name: String,
    /// The parameters of the agents.
    #[serde(default, skip_serializing_if = "AgentParameters::is_empty")]
    pub parameters: AgentParameters,
    /// The rules.
    pub rules: Rules,
}

impl LeagueConfig {
    /// Checks that the values are valid and agree with each other.
    ///
    /// # Errors
    ///
    /// The first value that is wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        let players = self.rules.players.count();
        if self.agents.len() < usize::from(players) {
            let expected = format!("at least {players}, one for each seat");
            return Err(ConfigError::new("agents", &expected, &self.agents.len()));
        }
        for (index, agent) in self.agents.iter().enumerate() {
            let label = label_of(agent);
            let same = self.agents[..index].iter().find(|other| label_of(other) == label);
            let (expected, found) = match same {
                None => continue,
                Some(other) if other == agent => ("different agents", agent.as_str()),
                Some(_) => ("different names", label),
            };
            return Err(ConfigError::new("agents", &expected, &format!("{found} twice")));
        }
        if self.sets == 0 {
            return Err(ConfigError::new("sets", &"at least 1", &0));
        }
        if !matches!(self.seatings, Seatings::Rotations | Seatings::AllOrders) {
            return Err(ConfigError::new("seatings", &"rotations or all-orders", &self.seatings.name()));
        }
        // The rules are checked as those of a table.
        self.table(&tables(players.into(), players)[0]).check()
    }

    /// The agents, in the order of the league. An agent that is not in `known` is built by the catalog.
    ///
    /// # Errors
    ///
    /// If the catalog cannot build an agent that is not in `known`, such as a function of the caller.
    pub fn named_agents(&self, known: &[NamedAgent]) -> Result<Vec<NamedAgent>, RequestError> {
        let find = |name: &String| match known.iter().find(|agent| agent.name() == name) {
            Some(agent) => Ok(agent.clone()),
            None => Catalog::standard().agent(name).map_err(|cause| RequestError::Agents {
                field: "agents",
                text: name.clone(),
                cause: Box::new(cause),
            }),
        };
        self.agents.iter().map(find).collect()
    }

    /// The agents of every table, by their indexes. Later agents come with later tables.
    pub fn tables(&self) -> Vec<Vec<usize>> {
        tables(self.agents.len(), self.rules.players.count())
    }

    /// The number of games of a table.
    pub fn games_per_table(&self) -> u64 {
        self.sets * self.games_per_set()
    }

    /// The number of games of the league.
    pub fn games(&self) -> u64 {
        self.tables().len() as u64 * self.games_per_table()
    }

    pub(super) const fn games_per_set(&self) -> u64 {
        self.seatings.games_per_set(self.rules.players)
    }

    /// The run of a new table, which these agents play.
    pub(super) fn run_of(&self, table: &[usize], agents: &[NamedAgent]) -> RunConfig {
        let run = self.table(table);
        RunConfig {
            games_per_part: games_per_part(agents, self.at_once, self.games_per_set()),
            deterministic: run.deterministic && agents.iter().all(NamedAgent::is_deterministic),
            ..run
        }
    }

    /// The run of a table, before its agents state their speed and whether they are deterministic.
    fn table(&self, table: &[usize]) -> RunConfig {
        let agents: Vec<String> = table.iter().map(|agent| self.agents[*agent].clone()).collect();
        let LeagueConfig { rules_name, rules, seed, detail, seatings, .. } = self;
        RunConfig {
            games: Some(self.games_per_table()),
            seed: *seed,
            seatings: *seatings,
            detail: *detail,
            parameters: self.parameters.among(&agents),
            games_per_part: self.games_per_set(),
            agents,
            ..RunConfig::new(rules_name, rules)
        }
    }
}

/// All combinations of `players` of the agents, those without the last agent first.
fn tables(agents: usize, players: u8) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..players {
        let longer = |table: &Vec<usize>| {
            let first = table.last().map_or(0, |last| last + 1);
            (first..agents).map(|agent| [&table[..], &[agent]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_agents_come_with_later_tables() {
        let five = tables(5, 3);
        assert_eq!(five.len(), 10);
        assert_eq!(five[..4], tables(4, 3));
        assert!(five[4..].iter().all(|table| table.contains(&4)));
        assert_eq!(tables(3, 3), [[0, 1, 2]]);
    }
}
