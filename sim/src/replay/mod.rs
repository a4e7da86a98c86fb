//! Replays of recorded and stored games.
//!
//! - [`stored`]: replays one game of a run
//! - [`inputs`]: reads recorded and stored games and works on them on all threads
//! - [`stored_run`]: reads the games of a run, part by part
//! - [`source`]: [`GameSource`](source::GameSource), a game of a run or a log, or a position
//! - [`decision_ref`]: names a decision of a run or log, or a position
//! - [`error`]: why a game or a decision cannot be found, opened or replayed
//! - [`transcript`]: a game as text
//! - [`view`]: a game or a position as a view for the browser
//! - [`convert`]: completes recorded games and writes them in other formats
//! - [`verify`]: replays a run and compares every stored value
//! - [`label`]: replays a run and labels its decisions

pub mod convert;
pub mod decision_ref;
pub mod error;
pub mod inputs;
pub mod label;
pub mod source;
pub mod stored;
pub mod stored_run;
pub mod transcript;
pub mod verify;
pub mod view;
