//! What Tenhou's formats share.
//!
//! - `rules`: rules by game type and date
//! - `names`: numbers and names of yaku, limits, draws and rooms
//! - `fields`: seats, rounds, deals, lists by seat, yaku lists

pub(super) mod fields;
pub(super) mod names;
mod rules;

pub use rules::{Date, fit_rules, rules};
pub(super) use rules::{
    NO_KUITAN, NO_RED, SOUTH, THREE, first_fit, fit_year, game_type, given_rules, reference_in,
    rules_of_results,
};
