//! Differences and errors of single games: printed when found, or kept for the JSON output.

use indicatif::ProgressBar;
use jantaku_sim::logs::LogError;
use serde_json::{Value, json};

use super::output::{Output, note, say};

/// How many problems are kept for JSON. The others are only counted.
const MAX_KEPT: usize = 10_000;

/// The differences or errors of games, printed when found or kept for JSON.
pub(super) struct Problems {
    output: Output,
    /// Hidden while a line is printed.
    bar: ProgressBar,
    count: u64,
    kept: Vec<Value>,
    printed: anyhow::Result<()>,
}

impl Problems {
    /// No problems yet.
    pub(super) const fn new(output: Output, bar: ProgressBar) -> Problems {
        Problems { output, bar, count: 0, kept: Vec::new(), printed: Ok(()) }
    }

    /// The number of problems.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The first problems, for JSON.
    pub(super) fn kept(&self) -> &[Value] {
        &self.kept
    }

    /// The first error of printing. Returns it once.
    pub(super) fn printed(&mut self) -> anyhow::Result<()> {
        std::mem::replace(&mut self.printed, Ok(()))
    }

    /// Prints a problem as a line on stdout, or keeps its JSON value.
    pub(super) fn report(&mut self, line: &str, value: impl FnOnce() -> Value) {
        self.add(value, || say(line));
    }

    /// Prints a problem as a line on stderr, or keeps its JSON value.
    pub(super) fn warn(&mut self, line: &str, value: impl FnOnce() -> Value) {
        self.add(value, || {
            note(line.trim_end_matches('\n'));
            Ok(())
        });
    }

    fn add(&mut self, value: impl FnOnce() -> Value, print: impl FnOnce() -> anyhow::Result<()>) {
        self.count += 1;
        if !self.output.json {
            if self.printed.is_ok() {
                self.printed = self.bar.suspend(print);
            }
        } else if self.kept.len() < MAX_KEPT {
            self.kept.push(value());
        }
    }
}

/// An error as JSON.
pub(super) fn error_json(error: &LogError) -> Value {
    json!({ "file": error.file, "place": error.place, "error": error.problem.to_string() })
}
