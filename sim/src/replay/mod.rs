//! Recorded and stored games, replayed.

pub mod convert;
pub mod inputs;
pub mod verify;
