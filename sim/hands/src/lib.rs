//! Hands and tables of riichi mahjong for people.
//!
//! - [`text`]: observations, hands and results as text
//! - [`HandChoice`]: names of hands in a game
//! - [`story`]: a game as text
//! - [`draw`]: hands and tables as pictures; `laid`: how the tiles of a meld lie
//! - [`view`]: a game as a page for the browser
//! - [`analysis`]: analysis of a single hand
//!
//! Needs the engine alone: no agents, threads or files.

pub mod analysis;
pub mod draw;
mod hand_choice;
mod laid;
pub mod story;
pub mod text;
pub mod view;

pub use hand_choice::{HandChoice, HandFilter};
