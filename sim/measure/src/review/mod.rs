//! Reviews of a player's decisions by search.
//!
//! - `seat`: whose decisions are reviewed
//! - `threshold`: the mistake threshold
//! - `decisions`: collects the decisions of a player while a game is replayed
//! - `confirm`: estimates a loss in fresh worlds until its size is certain
//! - `reviewer`: searches decisions, and tries the actions that may be better
//! - `result`: a review, serializable as `jantaku analyse --json` prints it
//! - `error`: why decisions cannot be reviewed
//! - `request`: what a caller asks to review
//! - `advice`: a review as advice for the page of its game

mod advice;
mod confirm;
mod decisions;
mod error;
mod request;
mod result;
mod reviewer;
mod seat;
mod threshold;

pub use advice::ReviewAdvisor;
pub use error::ReviewError;
pub use jantaku_show::{DecisionKind, Grade, KindSum};
pub use request::ReviewRequest;
pub use result::{Alternative, Review, ReviewedDecision, ReviewedTrial};
pub use seat::SeatChoice;
pub use threshold::Threshold;
