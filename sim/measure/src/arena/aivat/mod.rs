//! Variance reduction: results of games without the luck of the tiles.
//!
//! The luck of a player is a control variate, as in AIVAT (Burch, Schmid, Moravčík, Morrill and
//! Bowling, AAAI 2018). Each deal, draw and new indicator is a chance event. Its luck is the value
//! of the game after the event, minus the expected value before it. The value function is fixed. It
//! sees all hands and the set of hidden tiles, but not the order of the wall. So the expected luck
//! is 0 for every player and every value function, and a result minus its luck has the expected
//! value of the result. A better value function only makes the variance smaller.
//!
//! In the order in which the files build on each other:
//!
//! - [`view`]: a hand in play with all hands open, but not the order of the wall
//! - [`win_odds`]: how likely a seat is to win the hand, and its value
//! - [`payoffs`]: the expected result of each seat for each end of the hand
//! - [`numbers`]: the fitted parameters of the value function
//! - `control_variate`: adds up the luck of a game, event by event
//! - `game`: the luck of a finished game as whole numbers
//!
//! # Why
//!
//! **How is the variance of results reduced?** As in AIVAT, from the events of a game. A value
//! function sees all hands and the hidden tiles. The luck of a draw is its realised value minus the
//! expectation over the hidden tiles. The parameters of the function are fitted once, in advance,
//! so the mean of a result does not change. The luck of a game follows from its decisions. So games
//! that were just played and stored games share the code, and a resumed match needs no file of its
//! own. Rejected: a column of luck in the tables, because it would depend on the fitted parameters.
//! A network as the value function takes milliseconds for the 2,000 states of a hand. A fit to the
//! match's own games would make the luck depend on the result.

mod control_variate;
mod game;
pub mod numbers;
pub mod payoffs;
pub mod view;
pub mod win_odds;

pub use control_variate::ControlVariate;
pub use game::GameVariate;
