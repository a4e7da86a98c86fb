//! Hand inference: samples the hidden tiles given what a player has seen.
//!
//! A uniform determinization ignores how the opponents played. But a player in riichi is tenpai,
//! hands approach a win as the turns go by, and a player who discards a tile early does not need
//! its neighbours. [`HandInference`] weights determinizations, here called worlds, by such
//! evidence:
//!
//! - `features`: the numbering of the features of a hand
//! - `weights`: the weight of each feature, fitted to games ([`Weights`])
//! - `evidence`: the public information about one opponent, and the features of their possible
//!   hands
//! - `tenpai`: tenpai hands made of groups, for players in riichi
//! - `sampler`: samples a world ([`HandInference::sample`])
//!
//! The probability of a world is proportional to the product of exp(sum of weights) over the
//! opponents. Each sample is a Markov chain of its own (Metropolis–Hastings), so samples are
//! independent. The chain starts from a uniform world in which players in riichi are tenpai. After
//! open riichi, their waits are the shown ones, if such a hand is found. Then it proposes a fixed
//! number of exchanges of tiles between hands and wall, and accepts each by the ratio of
//! probabilities. The weights were fitted to chains of this length: the mean features of the
//! samples equal those of true hands.

mod evidence;
mod features;
mod sampler;
mod tenpai;
mod weights;

pub use evidence::Evidence;
pub use features::{FEATURES, HandState};
pub use sampler::{HandInference, World};
pub use weights::{InferenceModel, Weights, WeightsError};
