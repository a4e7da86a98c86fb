//! What agents choose in a single decision, and why.
//!
//! In the order in which the files build on each other:
//!
//! - `reason`: the reason of an agent in a few words
//! - `reasons`: the choice of an agent with its reasons
//! - `ask`: asks agents for one decision
//! - `advice`: what agents think of the decisions of a game, for its page
//! - `decision_ref`: finds a decision in a position, a run or a log
//! - `report`: the answers of agents, with the question
//!
//! # Examples
//!
//! ```
//! use jantaku_agents::Catalog;
//! use jantaku_engine::{Game, Rules};
//! use jantaku_sim::explain::{DecisionContext, ask};
//!
//! let mut events = Vec::new();
//! let game = Game::new_seen(&Rules::default(), 1, &mut events);
//! let (seat, _) = game.decisions().next().expect("the dealer must discard");
//! let observation = game.observe(seat);
//! let context = DecisionContext { observation, events: &events, seed: 1, hand: 1 };
//! let reasons = ask(&Catalog::standard().agent("heuristic")?, &context)?;
//! let candidates = reasons.candidates.expect("`heuristic` compares candidates");
//! assert_eq!(candidates[0].action, reasons.action);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod ask;
mod decision_ref;
mod reason;
mod reasons;
mod report;

pub(crate) use advice::advice_of;
pub use advice::{AskingAdvisor, shown_advisors};
pub use ask::{AskError, DecisionContext, ask, ask_all};
pub use decision_ref::{AssumedRules, Place, PlaceError, Source};
pub(crate) use decision_ref::{read_position, rules_name};
pub use reasons::{
    ActionProbability, ActionValue, CandidateReasons, CorrectionReasons, Reasons, ReportedSearchInfo,
    VerdictReasons,
};
pub use report::DecisionReport;
