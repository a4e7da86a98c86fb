//! What goes wrong with single games: told when it is found, and kept for JSON within bounds.

use indicatif::ProgressBar;
use jantaku_sim::logs::LogError;
use serde_json::{Value, json};

use super::{Output, say};

/// So many are kept for the JSON object; the rest is counted.
const KEPT: usize = 10_000;

/// Differences or errors of games.
pub(super) struct Told {
    output: Output,
    /// What must not be on the screen while a line is printed.
    bar: ProgressBar,
    count: u64,
    kept: Vec<Value>,
    printed: anyhow::Result<()>,
}

impl Told {
    /// Nothing yet.
    pub(super) const fn new(output: Output, bar: ProgressBar) -> Told {
        Told { output, bar, count: 0, kept: Vec::new(), printed: Ok(()) }
    }

    /// How many there were.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The first of them for JSON.
    pub(super) fn kept(&self) -> &[Value] {
        &self.kept
    }

    /// Whether all could be printed.
    pub(super) fn printed(&mut self) -> anyhow::Result<()> {
        std::mem::replace(&mut self.printed, Ok(()))
    }

    /// Tells one more: a line on stdout, or the value in JSON.
    pub(super) fn tell(&mut self, line: &str, value: impl FnOnce() -> Value) {
        self.add(value, || say(line));
    }

    /// Tells of a game that is left out of what is written: on stderr, where the summary is on stdout.
    pub(super) fn warn(&mut self, line: &str, value: impl FnOnce() -> Value) {
        self.add(value, || {
            eprint!("{line}");
            Ok(())
        });
    }

    fn add(&mut self, value: impl FnOnce() -> Value, print: impl FnOnce() -> anyhow::Result<()>) {
        self.count += 1;
        if !self.output.json {
            if self.printed.is_ok() {
                self.printed = self.bar.suspend(print);
            }
        } else if self.kept.len() < KEPT {
            self.kept.push(value());
        }
    }
}

/// An error as JSON.
pub(super) fn error_json(error: &LogError) -> Value {
    json!({ "file": error.file, "place": error.place, "error": error.problem.to_string() })
}
