//! How commands print and end.

use std::io::{ErrorKind, Write as _};

use anyhow::{Context as _, bail};
use jantaku_show::view::without_hidden;
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
    /// Status 75, `EX_TEMPFAIL` of `sysexits.h`: another program writes the same folder.
    InUse,
    /// Status 130: Ctrl-C or another signal.
    Interrupted,
}

impl Ended {
    /// How a check ended: interrupted, or with this many unreadable inputs and differences.
    pub const fn of(interrupted: bool, errors: u64, differences: u64) -> Ended {
        match (interrupted, errors, differences) {
            (true, ..) => Ended::Interrupted,
            (_, 0, 0) => Ended::Done,
            (_, 0, _) => Ended::No,
            _ => Ended::Unreadable,
        }
    }
}

impl Output {
    /// Prints a result as one line of JSON, or as this text.
    pub fn print(self, result: &impl Serialize, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        if self.json { say_json(result) } else { say(&text()) }
    }

    /// [`Output::print`] for the summary of what is in files or was printed already: `--quiet` leaves out its
    /// text.
    pub fn sum_up(self, result: &impl Serialize, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        if self.quiet && !self.json { Ok(()) } else { self.print(result, text) }
    }

    /// Checks that `--json` is not given to a command that prints or writes something else.
    pub fn check_no_json(self, what: &str) -> anyhow::Result<()> {
        if self.json {
            bail!("--json: expected no such option, because {what}");
        }
        Ok(())
    }
}

/// A text that cannot control the terminal, no matter which names it contains.
pub(super) fn harmless(text: &str) -> String {
    without_hidden(text, &['\n', '\t'])
}

/// Prints a text for people on stdout.
pub(super) fn say(text: &str) -> anyhow::Result<()> {
    say_exact(&harmless(text))
}

/// Prints a line for people on stderr: an error, a warning or a note.
pub(super) fn note(line: &str) {
    eprintln!("{}", harmless(line));
}

/// Prints a text for programs on stdout, as it is. The reader may close the pipe, as `head` does.
pub(super) fn say_exact(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot print"),
    }
}

/// Prints an object as one line of JSON.
pub(super) fn say_json(value: &impl Serialize) -> anyhow::Result<()> {
    let value = serde_json::to_value(value).context("cannot print as JSON")?;
    say_exact(&format!("{value}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_control_the_terminal() {
        assert_eq!(
            harmless("a\u{202E}b\u{200F}\t\u{1B}[31mred\r\n雀"),
            "a[U+202E]b[U+200F]\t[U+001B][31mred[U+000D]\n雀"
        );
    }
}
