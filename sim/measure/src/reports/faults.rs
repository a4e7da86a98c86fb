//! Faults of agents in words.

use jantaku_show::numbers::percent;

use super::names::AgentNames;
use jantaku_sim::play::{FaultReport, FaultShare};

/// A line for each agent with faults, with the whole message of its latest fault.
pub fn fault_lines(found: &FaultReport, names: &AgentNames) -> Vec<String> {
    let line = |(agent, share): (&String, &FaultShare)| {
        let own = found.faults.iter().filter(|one| one.agent == *agent);
        let kinds: Vec<String> = own.map(|one| format!("{} {}", one.kind, one.count)).collect();
        let latest =
            if share.latest.is_empty() { String::new() } else { format!("; the latest: {}", share.latest) };
        format!("faults of {}: {}{}{latest}", names.shown(agent), kinds.join(", "), shares(share))
    };
    found.fault_shares.iter().map(line).collect()
}

/// The shares of games and moves with faults. Empty if no game has ended.
fn shares(share: &FaultShare) -> String {
    let FaultShare { games, games_with_faults, moves, substituted, .. } = *share;
    if games == 0 {
        return String::new();
    }
    format!(
        "; faults in {} of games, and the substitute made {} of the moves",
        percent(games_with_faults.min(games), games),
        percent(substituted, moves)
    )
}
