//! The rules of games from logs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use jantaku_engine::rules::PRESETS;
use serde::Serialize;

use crate::dataset::{ReadError, StoredColumn as _, TableFile, TableKind, select};
use crate::run::Manifest;

/// Games of a run under the same rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LogRules {
    /// The preset with these rules. None if there is none.
    pub name: Option<&'static str>,
    /// The hash of the rules.
    pub hash: String,
    /// The number of players.
    pub players: u8,
    /// The number of games.
    pub games: u64,
}

select! {
    struct RuleColumns from games { rules_hash, agents }
}

impl LogRules {
    /// The rules of the games in the complete parts of a run, the most frequent first.
    ///
    /// # Errors
    ///
    /// If a table of games cannot be read.
    pub fn of_run(folder: &Path, manifest: &Manifest) -> Result<Vec<LogRules>, ReadError> {
        let mut found: BTreeMap<(String, u8), u64> = BTreeMap::new();
        for part in &manifest.parts {
            TableFile::new(folder, TableKind::Games, part.part).read(|games: &RuleColumns, row| {
                let players = games.agents.at(row).len() as u8;
                *found.entry((games.rules_hash.at(row).to_owned(), players)).or_default() += 1;
                Ok(())
            })?;
        }
        let presets = PRESETS.iter().map(|preset| (format!("{:016x}", preset.rules().hash()), preset.name));
        let presets: Vec<(String, &'static str)> = presets.collect();
        let rules = |((hash, players), games): ((String, u8), u64)| {
            let name = presets.iter().find(|(known, _)| *known == hash).map(|(_, name)| *name);
            LogRules { name, hash, players, games }
        };
        let mut all: Vec<LogRules> = found.into_iter().map(rules).collect();
        all.sort_by_key(|rules| Reverse(rules.games));
        Ok(all)
    }
}
