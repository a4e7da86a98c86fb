//! Checks that the games of a loader belong together, and that the chosen agents play in them.

use std::collections::BTreeSet;

use jantaku_engine::Players;

use super::config::LoaderConfig;
use super::error::LoadError;
use crate::replay::inputs::Input;
use crate::run::ConfigError;

/// The maximum number of names in a message.
const MAX_NAMES: usize = 20;

/// The players of the games of an epoch so far.
pub(super) struct GamesSoFar<'a> {
    config: &'a LoaderConfig,
    /// The first game: its place and its players.
    first: Option<(String, Players)>,
    /// The chosen agents that have not played yet.
    missing: BTreeSet<&'a str>,
    /// Who has played. Empty without a filter of agents.
    names: BTreeSet<String>,
}

impl<'a> GamesSoFar<'a> {
    pub(super) fn new(config: &'a LoaderConfig) -> GamesSoFar<'a> {
        let chosen = config.filter.agents.iter().flatten().map(String::as_str);
        GamesSoFar { config, first: None, missing: chosen.collect(), names: BTreeSet::new() }
    }

    /// Adds a game with these players.
    ///
    /// # Errors
    ///
    /// If its number of players differs from the first game's, unless the loader may mix them.
    pub(super) fn add(&mut self, game: &Input, players: Players, names: &[String]) -> Result<(), LoadError> {
        if self.config.filter.agents.is_some() {
            names.iter().for_each(|name| _ = self.missing.remove(name.as_str()));
            self.names.extend(names.iter().cloned());
        }
        let (first, expected) = self.first.get_or_insert_with(|| (game.place(), players));
        if self.config.mixed || *expected == players {
            return Ok(());
        }
        let in_words = |players: Players| format!("{} players", players.count());
        let (expected, found) = (in_words(*expected), in_words(players));
        Err(LoadError::Mixed { place: game.place(), first: first.clone(), expected, found })
    }

    /// Checks, after the last game, that every chosen agent has played. A loader that is one of several
    /// ranks or starts from a checkpoint misses games, so it checks nothing.
    ///
    /// # Errors
    ///
    /// If a chosen agent has not played.
    pub(super) fn check_agents(&self) -> Result<(), LoadError> {
        let start = self.config.start;
        let is_whole = self.config.ranks == 1 && (start.part, start.game, start.given) == (0, 0, 0);
        match self.missing.first().filter(|_| is_whole) {
            Some(name) => Err(unknown_agent(name, &self.names).into()),
            None => Ok(()),
        }
    }
}

/// The error for a chosen agent that does not play in games of these agents.
pub(super) fn unknown_agent(name: &str, known: &BTreeSet<String>) -> ConfigError {
    let listed: Vec<&str> = known.iter().take(MAX_NAMES).map(String::as_str).collect();
    let more = match known.len().saturating_sub(MAX_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let expected = format!("agents or players of these games: {}{more}", listed.join(", "));
    ConfigError::new("agents", &expected, &name)
}
