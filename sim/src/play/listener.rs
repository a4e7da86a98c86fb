//! What follows a game in play and hears what its agents report.

use jantaku_agents::Thoughts;
use jantaku_engine::replay::Spectator;

/// Follows a game in play, and may hear the [`Thoughts`] of its agents.
pub trait Listener: Spectator {
    /// Whether agents are asked for their thoughts.
    ///
    /// The runner asks before every decision. Agents that need not report may save the work.
    fn listens(&self) -> bool {
        false
    }

    /// Receives the thoughts behind a decision, right after [`Spectator::decision`].
    ///
    /// Only if it [listens](Listener::listens) and the agent reports thoughts. They fit the legal
    /// actions ([`Thoughts::check`]).
    fn thoughts(&mut self, _: Box<Thoughts>) {}
}

impl Listener for () {}
