//! Analysis of a single hand: shanten, ukeire, discards, and the value of a win.
//!
//! - [`Question`]: a hand and how it is won
//! - `json`: reads a question from a line of JSON
//! - `tiles`: checks the tiles of a question
//! - `seats`: finds its winner, discarder and liable players
//! - `facts`: checks the facts of the win against each other
//! - `value`: the value of a win, as a game pays it
//! - [`analyse`]: the analysis
//! - [`answer`]: a line of JSON for a line of JSON
//!
//! # Why
//!
//! **Why does `jantaku hand` agree with what a game pays?** Both build a `Win` and call
//! `Win::allowed` and `WonHand::new`. These two hold every rule about who wins and who pays. `hand`
//! only reads the facts of the win and rejects those that cannot occur in a game. A law asks it
//! about the wins of random hands under every preset.

mod analyse;
mod answer;
mod facts;
mod json;
mod question;
mod seats;
mod tiles;
mod value;

pub use analyse::{Analysis, DiscardChoice, ShantenByShape, analyse};
pub use answer::{Answer, MAX_LINE, answer};
pub use question::{
    OtherPlayer, Pao, Question, Refusal, WinBy, parse_pao, parse_player, parse_riichi, parse_win_by,
    parse_wind,
};
pub use tiles::UkeireKind;
pub use value::{NoScore, Payments, Won};
