//! The luck of the players of a game, and results without it.
//!
//! A player's luck is a control variate in the manner of AIVAT (Burch, Schmid, Moravčík, Morrill and
//! Bowling, AAAI 2018): at each deal, draw and new indicator, the value of what came less the mean
//! value of all that could have come. The values are those of fixed functions that see all hands and
//! which tiles are hidden, but never their order. So the mean of the luck is 0, whoever plays and
//! however wrong the values are: a result less its luck has the mean of the result.
//!
//! In the order in which the files build on each other:
//!
//! - [`view`]: a hand in play with all tiles open but the order of the wall
//! - [`hope`]: what a seat hopes to win
//! - [`stakes`]: what the ends of a hand are worth to each seat
//! - [`numbers`]: the fitted numbers
//! - `meter`: adds up the luck of a game
//! - `game`: the luck of a finished game in whole numbers

mod game;
pub mod hope;
mod meter;
pub mod numbers;
pub mod stakes;
pub mod view;

pub use game::GameLuck;
pub use meter::Luck;
