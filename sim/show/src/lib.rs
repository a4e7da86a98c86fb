//! What people read of hands, games and decisions.
//!
//! - [`Opinion`]: what an agent thinks of a decision
//! - [`Judgement`]: what the choice of a player was worth; [`KindSum`] sums them; [`DecisionKind`]
//! - [`Danger`]: what a discard risks, and why it is safe
//! - [`text`]: observations, hands and results as text
//! - [`HandChoice`]: names of hands in a game
//! - [`transcript`]: a game as text
//! - [`view`]: a game, ready to be drawn; [`meld_layout`]: how the tiles of a meld lie
//! - [`WORDS`]: the words of pages; [`Sentence`]: a sentence in each language
//! - [`analysis`]: analysis of a single hand
//! - [`numbers`]: numbers as text
//! - `options`: parsers of options of a program, with the feature `clap`
//!
//! Needs the engine alone: no agents, threads or files. `jantaku-pages` makes pictures and pages of it.

pub mod analysis;
mod decision_kind;
mod hand_choice;
mod judgement;
pub mod meld_layout;
pub mod numbers;
mod opinion;
#[cfg(feature = "clap")]
pub mod options;
mod safety;
pub mod text;
pub mod transcript;
pub mod view;
mod words;

pub use decision_kind::DecisionKind;
pub use hand_choice::{HandChoice, HandFilter};
pub use judgement::{Grade, HALF_WIDTH_95, Judgement, KindSum, OtherAnswer, SearchAnswer};
pub use opinion::{Correction, Opinion, OptionOpinion, Places, Plan, RuleVerdict, WaitCount};
pub use safety::{Danger, Safety};
pub use words::{LANGUAGES, Sentence, WORDS};
