//! Hands, tables and results of riichi mahjong for people.
//!
//! - [`Opinion`]: what an agent thinks of a decision
//! - [`Judgement`]: what the choice of a player was worth; [`KindSum`] sums them; [`DecisionKind`]
//! - [`Danger`]: what a discard risks, and why it is safe
//! - [`text`]: observations, hands and results as text
//! - [`HandChoice`]: names of hands in a game
//! - [`transcript`]: a game as text
//! - [`draw`]: hands and tables as pictures; `meld_layout`: how the tiles of a meld lie
//! - [`view`]: a game as a page for the browser
//! - [`html`]: what every page needs: escapes and the policy of its content
//! - [`WORDS`]: the words of pages; [`Sentence`]: a sentence in each language
//! - [`analysis`]: analysis of a single hand
//! - [`report`]: results as text, Markdown and pages for the browser
//! - `options`: parsers of options of a program, with the feature `clap`
//!
//! Needs the engine alone: no agents, threads or files.

pub mod analysis;
mod decision_kind;
pub mod draw;
mod hand_choice;
pub mod html;
mod judgement;
mod meld_layout;
mod opinion;
#[cfg(feature = "clap")]
pub mod options;
pub mod report;
mod safety;
pub mod text;
pub mod transcript;
pub mod view;
mod words;

pub use decision_kind::DecisionKind;
pub use hand_choice::{HandChoice, HandFilter};
pub use judgement::{Grade, Judgement, KindSum, OtherAnswer};
pub use opinion::{Correction, Opinion, OptionOpinion, Places, Plan, RuleVerdict, WaitCount};
pub use safety::{Danger, Safety};
pub use words::{Sentence, WORDS};
