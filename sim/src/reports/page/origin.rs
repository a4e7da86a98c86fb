//! What was run.

use serde::Deserialize;
use serde_json::Value;

use super::report::Fact;
use crate::play::By;
use crate::{VERSION, commit};

/// Where a result comes from, besides what its JSON says.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The command line. None if a program called the library.
    pub command: Option<String>,
    /// The groups whose figures are shown, besides all players and, if there are several, the agents.
    pub divisions: Vec<By>,
}

/// The rules in a result.
#[derive(Deserialize)]
pub(super) struct RulesOfResult {
    rules: String,
    rules_hash: Option<String>,
    rules_toml: Option<String>,
}

impl Origin {
    /// The command, and the program that makes the page.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let command = self.command.iter().map(|command| Fact::code("command", command));
        let program = Fact::new("program", format!("jantaku {VERSION}, commit {}", commit()));
        command.chain([program]).collect()
    }

    /// Whether figures of a group are shown.
    pub(super) fn shows(&self, group: &str) -> bool {
        self.divisions.contains(&by(group))
    }
}

impl RulesOfResult {
    /// The name of the rules and what differs from the closest preset.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let hash = self.rules_hash.as_ref().map_or_else(String::new, |hash| format!(" (hash {hash})"));
        let mut facts = vec![Fact::new("rules", format!("{}{hash}", self.rules))];
        facts.extend(self.rules_toml.as_deref().map(|toml| Fact::code("rules in full", toml.trim_end())));
        facts
    }
}

/// The division that a group belongs to, by its name in [`crate::play::Groups::names`].
fn by(group: &str) -> By {
    match group.split(' ').next() {
        Some("seat") => By::Seat,
        Some("wind") => By::Wind,
        Some("dealer" | "non-dealer") => By::Dealer,
        Some("agent") => By::Agent,
        Some("round-wind") => By::RoundWind,
        Some("round") => By::Round,
        _ => By::All,
    }
}

/// The seed of a result as a fact.
pub(super) fn seed(result: &Value) -> Option<Fact> {
    result["seed"].as_u64().map(|seed| Fact::new("seed", seed.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Groups;

    #[test]
    fn names_tell_divisions() {
        let groups = Groups::new(["all", "seat 1"].map(str::to_owned));
        for (index, name) in groups.names().iter().enumerate() {
            assert_eq!(by(name), groups.by(index), "{name}");
        }
    }
}
