//! The game in play of a run: the first one that is in no complete part yet, played again.

use std::path::Path;

use jantaku_agents::{AgentSpeed, NamedAgent};

use super::error::ServeError;
use jantaku_sim::dataset::StoredGame;
use jantaku_sim::play::{Detail, Memory, play_game};
use jantaku_sim::replay::stored_run::GameOfRun;
use jantaku_sim::run::RunConfig;

/// Whether this program can play games of a run again: it must be the program of the run, the games must
/// follow from its seed alone, and the agents must be fast and deterministic.
///
/// Runs of slow agents have small parts, so their games can be opened soon.
pub(super) fn can_be_played(config: &RunConfig) -> bool {
    let is_same_program = config.commit == jantaku_sim::commit() && config.version == jantaku_sim::VERSION;
    let is_played = !config.from_logs && config.branch.is_none();
    is_same_program && is_played && has_quick_agents(config) && config.parameters.check().is_ok()
}

/// Whether all agents of a run are fast and deterministic policies.
fn has_quick_agents(config: &RunConfig) -> bool {
    let agents = config.named_agents().unwrap_or_default();
    let is_quick = |agent: &NamedAgent| agent.is_deterministic() && agent.speed() == AgentSpeed::Fast;
    !agents.is_empty() && agents.iter().all(is_quick) && config.policies().is_ok()
}

/// Plays a game of a run again. It must be [possible](can_be_played).
///
/// # Errors
///
/// If the game has no end.
pub(super) fn play_again(folder: &Path, config: RunConfig, game: u64) -> Result<GameOfRun, ServeError> {
    let (fixture, rules) = (config.schedule().fixture(game), config.rules);
    let policies = config.policies().expect("all agents are policies");
    let mut memory = Memory::new(Detail::Decisions, &rules);
    play_game(&rules, fixture, &policies, &mut memory, &())
        .map_err(|cause| ServeError::new(&folder.display(), format!("cannot be played again: {cause}")))?;
    let record = memory.finish(game, fixture.seed).expect("the game is over");
    let agents = config.contents().agents_of(game);
    let stored = StoredGame { agents, ..StoredGame::from_record(&rules, &record) };
    let part = game / config.games_per_part;
    Ok(GameOfRun { folder: folder.to_owned(), config, stored, part })
}
