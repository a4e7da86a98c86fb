//! How commands print and end.

use std::io::{ErrorKind, Write as _};

use anyhow::Context as _;
use serde::Serialize;

/// How a command prints: as JSON or text, with or without progress.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub json: bool,
    pub quiet: bool,
}

/// How a command ended, with its exit status.
pub(super) enum Ended {
    /// Status 0.
    Done,
    /// Status 1: a check failed.
    No,
    /// Status 2: some input could not be read. The rest was processed and the errors are printed.
    Unreadable,
    /// Status 130: Ctrl-C or another signal.
    Interrupted,
}

/// Prints a text on stdout. The reader may close the pipe, as `head` does.
pub(super) fn say(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot print"),
    }
}

/// Prints an object as one line of JSON.
pub(super) fn say_json(value: &impl Serialize) -> anyhow::Result<()> {
    let value = serde_json::to_value(value).context("cannot print as JSON")?;
    say(&format!("{value}\n"))
}
