//! Hands, tables and results of riichi mahjong for people.
//!
//! - [`Opinion`]: what an agent thinks of a decision
//! - [`text`]: observations, hands and results as text
//! - [`HandChoice`]: names of hands in a game
//! - [`transcript`]: a game as text
//! - [`draw`]: hands and tables as pictures; `meld_layout`: how the tiles of a meld lie
//! - [`view`]: a game as a page for the browser
//! - [`html`]: what every page needs: escapes and the policy of its content
//! - [`WORDS`]: the words of pages
//! - [`analysis`]: analysis of a single hand
//! - [`report`]: results as text, Markdown and pages for the browser
//! - `options`: parsers of options of a program, with the feature `clap`
//!
//! Needs the engine alone: no agents, threads or files.

pub mod analysis;
pub mod draw;
mod hand_choice;
pub mod html;
mod meld_layout;
mod opinion;
#[cfg(feature = "clap")]
pub mod options;
pub mod report;
pub mod text;
pub mod transcript;
pub mod view;
mod words;

pub use hand_choice::{HandChoice, HandFilter};
pub use opinion::{Correction, Judgement, Opinion, OptionOpinion, Plan, RuleVerdict};
pub use words::WORDS;
