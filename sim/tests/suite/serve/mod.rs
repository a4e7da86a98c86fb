//! Servers of pages: who may ask, tables to sit down at, and games to look at.

mod client;
mod games;
mod guard;
mod played_on;
mod tables;
