//! Tests of the library, in one binary. Those that run the program are in `cli/tests`.
//!
//! - `runs`: runs whose agents and stores fail; `example`: the example of a resumed run
//! - `news`: what agents at many tables receive
//! - `edited`: changed logs, and what a replay finds in them
//! - `logs`, `mjlog`, `majsoul`, `log_rules`, `mutated`, `foreign`: recorded games of other programs
//! - `broken`, `odd_logs`: logs that break off, and with parts that other programs add or leave out
//! - `python`: games that the tests of the Python package play again
//! - `ratings`, `league_coverage`: simulated leagues
//! - `intervals`: the coverage of intervals
//! - `learn`: environments and loaders
//! - `serve`: servers of pages, and tables to sit down at
//! - `sizes`: the sizes of the long checks; `level`: how `JANTAKU_TESTS` chooses them

mod broken;
mod common;
mod edited;
#[path = "../../examples/resume.rs"]
mod example;
mod foreign;
mod intervals;
#[path = "../../examples/league_coverage/model.rs"]
mod league_coverage;
mod learn;
#[path = "../../../engine/tests/suite/level.rs"]
mod level;
mod log_rules;
mod logs;
mod majsoul;
mod mjlog;
mod mutated;
mod news;
mod odd_logs;
mod python;
mod ratings;
mod runs;
mod serve;
mod sizes;
