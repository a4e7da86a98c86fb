//! The hashes of the parameter files that agents read.
//!
//! # Why
//!
//! **How does a run know which parameters played?** An agent reports the SHA-256 of each of its
//! parameter files, including those of released versions. `run.toml` and `league.toml` keep them
//! beside the names. Rejected: a hash in the name of the agent, because statistics and ratings
//! would count one agent as several; a hash of the parameters alone, because `sha256sum` cannot
//! compute it. External engines report no parameters.

use std::collections::BTreeMap;

use jantaku_agents::{Catalog, NamedAgent, ParseAgentError};
use serde::{Deserialize, Serialize};

/// The hashes of the files that the parameters of agents come from.
///
/// For each agent that has such files, the SHA-256 of each of them by the option that names it:
///
/// ```toml
/// [parameters."heuristic:params=my.toml"]
/// "params=my.toml" = "64 hexadecimal digits"
/// "version=1" = "64 hexadecimal digits"
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AgentParameters(BTreeMap<String, BTreeMap<String, String>>);

impl AgentParameters {
    /// The hashes of the files that these agents have read.
    pub fn of<'a>(agents: impl IntoIterator<Item = &'a NamedAgent>) -> AgentParameters {
        let with_files = agents.into_iter().filter(|agent| !agent.files().is_empty());
        AgentParameters(with_files.map(|agent| (agent.name().to_owned(), hashes(agent))).collect())
    }

    /// Whether no agent has such files.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The hashes of these agents alone.
    #[must_use]
    pub fn among(&self, agents: &[String]) -> AgentParameters {
        let kept = self.0.iter().filter(|(agent, _)| agents.contains(agent));
        AgentParameters(kept.map(|(agent, files)| (agent.clone(), files.clone())).collect())
    }

    /// Adds the hashes of agents that have none here yet.
    pub fn add(&mut self, others: &AgentParameters) {
        for (agent, files) in &others.0 {
            self.0.entry(agent.clone()).or_insert_with(|| files.clone());
        }
    }

    /// Checks that the files still have these hashes. Agents that are not in the catalog are skipped.
    ///
    /// # Errors
    ///
    /// The agent and the file that changed, was added or cannot be read, as a text.
    pub fn check(&self) -> Result<(), String> {
        let catalog = Catalog::standard();
        for (agent, expected) in &self.0 {
            let found = match catalog.agent(agent) {
                Ok(agent) => hashes(&agent),
                Err(ParseAgentError::UnknownAgent { .. }) => continue,
                Err(error) => return Err(format!("`parameters`: {error}")),
            };
            if let Some(option) = found.keys().find(|option| !expected.contains_key(*option)) {
                return Err(format!(
                    "`parameters`: agent `{agent}` now also reads `{option}`, and the games so far were played \
                     without it: begin a new run, or name the older version of the agent"
                ));
            }
            for (option, expected) in expected {
                let found = found.get(option).map_or("none", String::as_str);
                if found != expected {
                    return Err(format!(
                        "`parameters`: `{option}` of agent `{agent}`: expected the SHA-256 {expected}, that \
                         of the games so far, found {found}: other parameters may play other games; restore \
                         the file"
                    ));
                }
            }
        }
        Ok(())
    }
}

fn hashes(agent: &NamedAgent) -> BTreeMap<String, String> {
    agent.files().iter().map(|file| (file.option.clone(), file.sha256.clone())).collect()
}
