//! Analysis of a single hand: shanten, ukeire, discards, and the value of a win.
//!
//! - [`Question`]: a hand, from the command line or a line of JSON
//! - `tiles`: checks the tiles of a question
//! - [`analyse`]: what the engine finds
//! - [`answer`]: a line of JSON for a line of JSON

mod analyse;
mod answer;
mod question;
mod tiles;

pub use analyse::{Analysis, DiscardChoice, Payments, ShantenByShape, Won, analyse};
pub use answer::{Answer, LONGEST_LINE, answer};
pub use question::{By, Question, Refusal, parse_riichi, parse_wind};
pub use tiles::UkeireKind;
