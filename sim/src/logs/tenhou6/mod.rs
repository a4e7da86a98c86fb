//! tenhou.net/6 JSON: per player, a list of draws and calls and a list of discards.
//!
//! - `document`: the JSON document and its tile numbers
//! - `rules`: the rules that a document states
//! - `value`, `result`: the value of a won hand, and the result of a hand
//! - `cursor`: puts the lists of a hand into the order of events
//! - [`read()`]: a recorded game from its text
//! - [`write()`], [`write_urls()`]: the text of a recorded game, and its hands as URLs
//!
//! How the lists encode a hand:
//!
//! - A tile is a number: tens for the suit (characters, dots, bamboo, honours), ones for the rank.
//!   51, 52 and 53 are the red fives.
//! - A call is a text of tiles with a letter before the tile that made it. Where the letter stands
//!   shows who discarded that tile.
//! - 60 discards the tile just drawn. `r` before a number declares riichi.
//! - 0 fills the list of discards for a daiminkan, which has no discard before the replacement
//!   tile.

mod cursor;
mod document;
mod read;
mod result;
mod rules;
mod value;
mod write;

pub use read::read;
pub use write::{write, write_urls};
