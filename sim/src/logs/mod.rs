//! Readers and writers of other programs' game logs.
//!
//! In dependency order:
//!
//! - [`LogError`], [`Problem`]: why a log cannot be read, and where
//! - `json`: JSON texts
//! - `settings`: the settings of a room as changes of the rules
//! - [`tenhou`]: what Tenhou's formats share: rules, names of yaku, lists by seat
//! - [`mjlog`]: Tenhou's XML logs
//! - [`tenhou6`]: tenhou.net/6 JSON, which many sites read and write
//! - [`majsoul`]: Mahjong Soul's own records
//! - [`Source`]: the text of one game, and the reader of its format
//! - [`files`]: files and folders of logs in any format
//!
//! The mjai format is in `jantaku_agents::mjai`, because external players speak it.

mod error;
pub mod files;
mod json;
pub mod majsoul;
pub mod mjlog;
mod settings;
mod source;
pub mod tenhou;
pub mod tenhou6;

use jantaku_engine::replay::{HandLog, RecordedHand};

pub use error::{LogError, Problem};
pub use source::{LogFormat, Source};

/// Marks a gap in `hand`, the hand that is being read; without one, in `last`, the last hand that was
/// read. Without either, the log is broken: returns the error.
fn break_off(
    hand: Option<&mut HandLog>,
    last: Option<&mut RecordedHand>,
    error: LogError,
) -> Result<(), LogError> {
    match (hand, last) {
        (Some(hand), _) => hand.break_off(&error.to_string()),
        (None, Some(last)) => last.break_off(&error.to_string()),
        (None, None) => return Err(error),
    }
    Ok(())
}

/// Adds the note that something unknown was ignored, unless the notes have it already.
fn note_ignored(notes: &mut Vec<String>, what: impl std::fmt::Display) {
    let note = format!("ignored the unknown {what}");
    if !notes.contains(&note) {
        notes.push(note);
    }
}
