//! Runs of the program, and bots and tables for the tests.

pub mod bots;
#[path = "../../../../tests/suite/common/data.rs"]
pub mod data;
pub mod program;
pub mod tables;
