//! The tests of the library and of the program, in one binary.

mod common;
mod dataset;
mod edited;
mod hand;
mod kept;
mod logs;
mod mjlog;
mod mutated;
mod program;
mod recorded;
mod runs;
mod shards;
mod stats;
mod stopped;
mod verify;
