//! Tests of the engine, in one binary.
//!
//! - `cases`: rule cases as rows of data, in `tests/cases`
//! - `mutants`: the planted bugs of `engine/mutants` match sources and rows
//! - `laws`: laws of the game in random play; `hidden`: what no player sees, and determinizations
//! - `perft`: counts of lines of play, and a second generator of legal actions; the positions are in
//!   `tests/perft`
//! - `next_hand`: what follows a hand
//! - `positions`: games set up in the middle of a hand
//! - `rules`: rule files
//! - `vectors`, `scores`: shanten and scores compared with other programs and recorded games
//!
//! `eager` is a player who reaches rare states. `sizes` has the sizes of the long checks. `JANTAKU_TESTS` chooses one of three (`level`).

mod cases;
mod common;
mod eager;
mod hidden;
mod laws;
mod level;
mod mutants;
mod next_hand;
mod perft;
mod positions;
mod rules;
mod scores;
mod sizes;
mod vectors;
