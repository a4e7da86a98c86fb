//! Servers of pages: who may ask, tables to play at, and games to look at.

mod branch;
mod client;
mod games;
mod guard;
#[path = "../../../tests/suite/network_file.rs"]
mod network_file;
mod tables;
