//! Tests of the library, in one binary. Those that run the program are in `cli/tests`.
//!
//! - `runs`: runs whose agents and stores fail; `example`: the example of a resumed run
//! - `news`: what agents at many tables receive
//! - `edited`: changed logs, and what a replay finds in them
//! - `logs`, `mjlog`, `majsoul`, `log_rules`, `mutated`, `foreign`: recorded games of other programs
//! - `changed`: a page of changed logs; `broken`, `odd_logs`: logs that break off, and with parts that other
//!   programs add or leave out
//! - `rooms`: games under the rules of lobbies and rooms
//! - `python`: games that the tests of the Python package play again
//! - `learn`: environments and loaders
//! - `network_file`: a network for tests of agents and servers; `thinker`: an agent that reports search info
//! - `sizes`: the sizes of the long checks; `level`: how `JANTAKU_TESTS` chooses them

mod broken;
mod changed;
mod common;
mod edited;
#[path = "../../examples/resume.rs"]
mod example;
mod foreign;
mod learn;
#[path = "../../../engine/tests/suite/level.rs"]
mod level;
mod log_rules;
mod logs;
mod majsoul;
mod mjlog;
mod mutated;
mod network_file;
mod news;
mod odd_logs;
mod python;
mod rooms;
mod runs;
mod sizes;
mod thinker;
