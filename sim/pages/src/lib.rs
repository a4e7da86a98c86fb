//! Hands, games and results of riichi mahjong as pictures and pages.
//!
//! - [`draw`]: hands and tables as pictures
//! - [`report`]: results as text, Markdown and pages for the browser
//! - [`page()`]: the page of a game, one file of HTML with all that it needs; [`play_page`]: that of a table
//!   in play
//! - [`html`]: what every page needs: escapes and the policy of its content
//!
//! This crate plays no games, and no crate that plays games needs it.

pub mod draw;
pub mod html;
pub mod report;
mod view;

pub use view::{page, play_page, served_page};
