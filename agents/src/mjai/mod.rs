//! The mjai format: one JSON object for each event of a game.
//!
//! - [`Event`]: the objects, with the keys of all known dialects
//! - [`read()`]: reads a recorded game from its events
//! - [`write()`]: writes the events of a recorded game
//! - `keys`: the keys of the events in all dialects
//! - `pai`, `yaku`: the names of tiles and yaku
//! - `parts`, `win`: tiles and lists by seat, and the value of a win
//! - `words`: errors of JSON texts, with the key whose value is wrong
//! - [`Translator`]: translates the engine's events into the format's, one by one
//! - [`Answer`]: what a player answers
//! - `bot`: the agent `mjai`, a program in any language; [`LineProgram`]
//! - [`Player`]: one of our agents in the games of another program
//! - [`MjaiError`]: why events cannot be read
//!
//! The format is described at
//! <https://gimite.net/pukiwiki/index.php?Mjai%20麻雀AI対戦サーバ>.
//! The dialects of Mortal and `RiichiEnv` leave out the value of a win; `RiichiEnv` adds `kita`.
//! Jantaku adds `rules` to `start_game`, so that a game can be replayed under its rules.

mod answer;
mod bot;
mod error;
mod event;
mod keys;
mod pai;
mod parts;
mod player;
mod read;
mod translate;
mod win;
mod words;
mod write;
mod yaku;

pub use answer::Answer;
pub(crate) use bot::ENTRY;
pub use bot::{LineProgram, exit};
pub use error::MjaiError;
pub use event::{Claim, Event, Hora};
pub use pai::{Pai, RoundWind};
pub(crate) use parts::shown;
pub use player::{Dialect, Player, PlayerError, PlayerSetup, WantsUpdates};
pub use read::{Log, read, read_under};
pub use translate::{Translator, start_game};
pub use words::plain;
pub use write::write;
