//! What the opponents may hold: hidden tiles drawn with about the chance that they have after all
//! that a player has seen.
//!
//! A uniform deal of the unseen tiles ignores how the opponents played. A player in riichi is
//! tenpai, hands come nearer to a win with the turns, and a tile discarded early tells that its
//! neighbours are not needed. [`Belief`] weighs deals by such signs:
//!
//! - `evidence`: what is known of one opponent, and the features of a hand that it could be
//! - `features`: the numbering of the features
//! - `weights`: what each feature weighs, fitted to games ([`Weights`])
//! - `tenpai`: tenpai hands from groups, for players in riichi
//! - `draw`: draws a deal by a walk from a random one ([`Belief::draw`])
//!
//! The chance of a deal is proportional to the product of e^(sum of weights) over the opponents. A
//! draw starts from a uniform deal in which players in riichi are tenpai. In open riichi they have the
//! waits that they show, if such a hand is found. It then exchanges tiles
//! between hands and wall for a fixed number of steps and accepts exchanges by the ratio of chances
//! (Metropolis and Hastings). Every draw starts anew, so draws are independent. The weights were
//! fitted to draws of this length: they make the mean features of the draws those of true hands.

mod draw;
mod evidence;
mod features;
mod tenpai;
mod weights;

pub use draw::{Belief, Deal};
pub use evidence::Evidence;
pub use features::{FEATURES, State};
pub use weights::{Beliefs, Weights, WeightsError};
