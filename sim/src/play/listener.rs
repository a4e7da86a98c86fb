//! Listeners: spectators that also receive the search info of agents.

use jantaku_agents::SearchInfo;
use jantaku_engine::replay::Spectator;

/// Follows a game in play, and may receive the [`SearchInfo`] of its agents.
pub trait Listener: Spectator {
    /// Whether this listener wants the search info of agents.
    ///
    /// The runner calls this before every decision. If it is false, an agent may save the work of
    /// its search info.
    fn listens(&self) -> bool {
        false
    }

    /// Receives the search info behind a decision, right after [`Spectator::decision`].
    ///
    /// Called only if the listener [listens](Listener::listens) and the agent reports search info, which
    /// fits the legal actions ([`SearchInfo::check`]).
    fn search_info(&mut self, _: Box<SearchInfo>) {}
}

impl Listener for () {}
