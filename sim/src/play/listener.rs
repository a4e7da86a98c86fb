//! Listeners: spectators that also receive the search info of agents.

use jantaku_agents::SearchInfo;
use jantaku_engine::replay::Spectator;

/// Follows a game in play, and may receive the [`SearchInfo`] of its agents.
pub trait Listener: Spectator {
    /// Whether agents are asked for their search info.
    ///
    /// The runner asks before every decision. Agents that need not report may save the work.
    fn listens(&self) -> bool {
        false
    }

    /// Receives the search info behind a decision, right after [`Spectator::decision`].
    ///
    /// Only if it [listens](Listener::listens) and the agent reports search info. It fits the legal
    /// actions ([`SearchInfo::check`]).
    fn search_info(&mut self, _: Box<SearchInfo>) {}
}

impl Listener for () {}
