//! Reviews of a player's decisions by search.
//!
//! - `kind`: what kind of choice a decision is
//! - `seat`: whose decisions are reviewed
//! - `least`: the least loss that is a mistake
//! - `gather`: collects the decisions of a player while a game is replayed
//! - `trial`: estimates a loss in fresh worlds until its size is certain
//! - `ends`: how hands end in a trial
//! - `reviewer`: searches decisions, and tries the actions that may be better
//! - `sentence`: a mistake in words
//! - `result`: a review, serializable as `jantaku analyse --json` prints it
//! - `error`: why decisions cannot be reviewed
//! - `request`: what a caller asks to review
//! - `advice`: a review as advice for the page of its game

mod advice;
mod ends;
mod error;
mod gather;
mod kind;
mod least;
mod request;
mod result;
mod reviewer;
mod seat;
mod sentence;
mod trial;

pub use advice::ReviewAdvisor;
pub use ends::Ends;
pub use error::ReviewError;
pub use kind::DecisionKind;
pub use least::LeastLoss;
pub use request::ReviewRequest;
pub use result::{Alternative, KindSum, Review, ReviewedDecision, ReviewedTrial};
pub use seat::SeatChoice;
