//! Laws, golden files and documentation of the encoders.
//!
//! - `play`: games under all presets that reach rare decisions
//! - `laws`: hidden tiles, ranges, what can be read back
//! - `rare`: states that few games reach
//! - `replay`: stored games
//! - `rivers`: the facts about rivers that the engine keeps for the encoders
//! - `rows`: laws of the rows of every encoder
//! - `sparse`: laws of `sparse-v1`
//! - `events`: laws of `events-v1`
//! - `oracle`: laws of `oracle-v1`, and its channels of the same positions
//! - `suits`: permuted games have permuted encodings
//! - `golden`: every channel of a few positions, beside the position
//! - `pinned`: hashes of many encodings
//! - `document`: `docs/encoders.md` matches the tables
//!
//! `JANTAKU_WRITE=1` rewrites the golden files and the document instead of comparing them.

mod document;
mod events;
mod golden;
mod laws;
mod oracle;
mod pinned;
mod play;
mod rare;
mod replay;
mod rivers;
mod rows;
mod sparse;
mod suits;

/// Whether to rewrite files instead of comparing them.
fn writes() -> bool {
    std::env::var_os("JANTAKU_WRITE").is_some_and(|value| value == "1")
}
