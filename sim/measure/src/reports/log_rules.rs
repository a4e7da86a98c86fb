//! The rules of games from logs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use jantaku_engine::Rules;
use serde::Serialize;

use jantaku_sim::dataset::{ReadError, StoredColumn as _, TableFile, TableKind, select};
use jantaku_sim::replay::source::preset_name;
use jantaku_sim::run::Manifest;

/// Games of a run under the same rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LogRules {
    /// The preset with these rules; None if they are no preset. `rules_of_logs` is empty unless the games
    /// come from logs.
    pub name: Option<&'static str>,
    /// The hash of the rules.
    pub hash: String,
    /// The nearest preset and the fields that differ, as a rule file.
    pub ruleset: String,
    /// The number of players.
    pub players: u8,
    /// The number of games.
    pub games: u64,
}

select! {
    struct RuleColumns from games { rules_hash, ruleset, agents }
}

impl LogRules {
    /// The rules of the games in the complete parts of a run, the most frequent first.
    ///
    /// # Errors
    ///
    /// If a table of games cannot be read.
    pub fn read(folder: &Path, manifest: &Manifest) -> Result<Vec<LogRules>, ReadError> {
        let mut found: BTreeMap<(String, u8), (String, u64)> = BTreeMap::new();
        for part in &manifest.parts {
            TableFile::new(folder, TableKind::Games, part.part).read(|games: &RuleColumns, row| {
                let players = games.agents.at(row).len() as u8;
                let key = (games.rules_hash.at(row).to_owned(), players);
                let ruleset = || games.ruleset.at(row).unwrap_or_default().to_owned();
                found.entry(key).or_insert_with(|| (ruleset(), 0)).1 += 1;
                Ok(())
            })?;
        }
        let rules = |((hash, players), (ruleset, games)): ((String, u8), (String, u64))| {
            let name = Rules::from_toml(&ruleset, &hash).ok().and_then(|rules| preset_name(&rules));
            LogRules { name, hash, ruleset, players, games }
        };
        let mut all: Vec<LogRules> = found.into_iter().map(rules).collect();
        all.sort_by_key(|rules| Reverse(rules.games));
        Ok(all)
    }

    /// The preset, or the nearest one with the fields that differ.
    pub fn in_words(&self) -> String {
        if let Some(name) = self.name {
            return name.to_owned();
        }
        let base = Rules::base_of(&self.ruleset);
        let is_said =
            |line: &&str| !["base = ", "wall_layout = "].iter().any(|start| line.starts_with(start));
        let fields: Vec<&str> = self.ruleset.lines().filter(is_said).collect();
        format!("{base} with {}", fields.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_leave_out_the_layout_of_the_wall() {
        let ruleset = "base = \"mleague\"\nkiriage = false\nwall_layout = \"MahjongSoul\"\n".to_owned();
        let rules = LogRules { name: None, hash: String::new(), ruleset, players: 4, games: 1 };
        assert_eq!(rules.in_words(), "mleague with kiriage = false");
    }
}
