//! Tests of the agents that play many games, search, evaluate networks or wait for other programs.
//!
//! - `heuristic`, `no_absurd_play`: laws of `heuristic`, and plays that it avoids
//! - `graded`: levels of strength
//! - `mc`, `mc_positions`: the agent `mc`, and positions with a known right answer
//! - `labels`: labels by rollouts
//! - `neural`: networks
//! - `mjai_player`: agents as players of another program
//! - `bots`: external engines, good and faulty ones
//!
//! `common` plays several tables in batches. `JANTAKU_TESTS` chooses the sizes of long checks (`level`).

mod bots;
mod common;
mod graded;
mod heuristic;
mod labels;
#[path = "../../../engine/tests/suite/level.rs"]
mod level;
mod mc;
mod mc_positions;
mod mjai_player;
mod neural;
mod no_absurd_play;
