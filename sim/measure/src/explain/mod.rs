//! What agents choose in a single decision, and why.
//!
//! In the order in which the files build on each other:
//!
//! - `reason`: the reason of an agent in a few words
//! - `opinion`: the opinion of an agent, from its reply
//! - `ask`: asks agents for one decision
//! - `comparison`: why an action is better than another in rollouts
//! - `references`: agents that give a second opinion on a mistake
//! - `advice`: what agents think of the decisions of a game, for its page
//! - `report`: the answers of agents, with the question
//!
//! # Examples
//!
//! ```
//! use jantaku_agents::Catalog;
//! use jantaku_engine::{Game, Rules};
//! use jantaku_measure::explain::ask;
//! use jantaku_sim::replay::source::DecisionContext;
//!
//! let mut events = Vec::new();
//! let game = Game::new_seen(&Rules::default(), 1, &mut events);
//! let (seat, _) = game.decisions().next().expect("the dealer must discard");
//! let observation = game.observe(seat);
//! let context = DecisionContext { observation, events: &events, seed: 1, hand: 1 };
//! let opinion = ask(&Catalog::standard().agent("heuristic")?, &context)?;
//! assert_eq!(opinion.options[0].action, opinion.action);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod ask;
mod comparison;
mod opinion;
mod reason;
mod references;
mod report;

pub use advice::{AskingAdvisor, shown_advisors};
pub use ask::{AskError, ask, ask_all};
pub use comparison::Ends;
pub(crate) use comparison::explain_loss;
pub use opinion::{opinion_of, reported};
pub(crate) use references::References;
pub use report::DecisionReport;
