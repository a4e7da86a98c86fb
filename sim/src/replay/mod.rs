//! Replays of recorded and stored games.
//!
//! - [`stored`]: replays one game of a run
//! - [`inputs`]: reads recorded and stored games and works on them on all threads
//! - [`open`]: opens one game of a run or of a log
//! - [`transcript`]: one game of a run as text
//! - [`view`]: one game of a run or of a log, or a position, as a view for the browser
//! - [`convert`]: completes recorded games and writes them in other formats
//! - [`verify`]: replays a run and compares every stored value
//! - [`label`]: replays a run and labels its decisions

pub mod convert;
pub mod inputs;
pub mod label;
pub mod open;
pub mod stored;
pub mod transcript;
pub mod verify;
pub mod view;
