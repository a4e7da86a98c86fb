//! Reviews of a player's decisions by search.
//!
//! - `kind`: what kind of choice a decision is
//! - `result`: a review, serializable as `jantaku analyse --json` prints it
//! - `reviewer`: follows a game and reviews the decisions of a seat
//! - `request`: what a caller asks to review

mod kind;
mod request;
mod result;
mod reviewer;

pub use kind::DecisionKind;
pub use request::{ReviewError, ReviewRequest};
pub use result::{Alternative, KindSum, Review, ReviewedDecision};
