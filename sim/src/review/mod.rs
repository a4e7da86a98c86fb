//! Reviews of a player's decisions by search.
//!
//! - `kind`: what kind of choice a decision is
//! - `result`: a review, which serializes as what `jantaku analyse --json` prints
//! - `reviewer`: follows a game and reviews the decisions of a seat
//! - `request`: what a caller asks to review

mod kind;
mod request;
mod result;
mod reviewer;

pub use kind::DecisionKind;
pub use request::{ReviewError, ReviewRequest};
pub use result::{Alternative, KindSum, Review, ReviewedDecision};
