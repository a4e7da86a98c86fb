//! The commit that a program of Jantaku is built from.
//!
//! It changes with every commit. Only programs use this crate, and pass the commit to the library, so
//! that a new commit compiles nothing else again.
//!
//! # Why
//!
//! **Why is the commit a crate of its own?** Every crate that contains the commit hash is
//! recompiled after each commit. So only the program and the Python package use `jantaku-commit`.
//! When they start, they pass the commit to the library (`jantaku_sim::set_commit`). Rejected: a
//! constant of the library, which takes minutes to compile; an argument of every request that
//! writes a run.

/// The commit, or `unknown` outside a clone of the project. Ends with `-dirty` if a source of the
/// library differs from the commit.
pub const COMMIT: &str = env!("JANTAKU_COMMIT");
