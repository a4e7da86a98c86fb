//! What Tenhou's formats share.
//!
//! - `rules`: rules by game type and date
//! - `lobby`: the settings of a lobby
//! - `names`: numbers and names of yaku, limits, draws and rooms
//! - `fields`: seats, rounds, deals, lists by seat, yaku lists

pub(super) mod fields;
mod lobby;
pub(super) mod names;
mod rules;

pub(super) use lobby::Lobby;
pub use rules::{Date, fit_rules, rules};
pub(super) use rules::{
    MARKED, NO_KUITAN, NO_RED, RON2, SOUTH, THREE, first_fit, game_type, given_rules, reference_in, type_in,
};
