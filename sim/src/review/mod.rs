//! Reviews of a player's decisions by search.
//!
//! - `kind`: what kind of choice a decision is
//! - `seat`: whose decisions are reviewed
//! - `least`: the least loss that is a mistake
//! - `gather`: collects the decisions of a player while a game is replayed
//! - `trial`: estimates a loss in fresh worlds until its size is certain
//! - `reviewer`: searches decisions, and tries the actions that may be better
//! - `sentence`: a mistake in words
//! - `result`: a review, serializable as `jantaku analyse --json` prints it
//! - `request`: what a caller asks to review
//! - `advice`: a review as advice for the page of its game

mod advice;
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
pub use kind::DecisionKind;
pub use least::LeastLoss;
pub use request::{ReviewError, ReviewRequest};
pub use result::{Alternative, Ends, KindSum, Review, ReviewedDecision, ReviewedTrial};
pub use seat::SeatChoice;
