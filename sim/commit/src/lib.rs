//! The commit that a program of Jantaku is built from.
//!
//! It changes with every commit. Only programs use this crate, and pass the commit to the library, so
//! that a new commit compiles nothing else again.

/// The commit, or `unknown` outside a clone of the project. Ends with `-dirty` if a source of the
/// library differs from the commit.
pub const COMMIT: &str = env!("JANTAKU_COMMIT");
