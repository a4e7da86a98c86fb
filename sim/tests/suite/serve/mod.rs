//! Servers of pages: who may ask, and tables to sit down at.

mod client;
mod guard;
mod tables;
