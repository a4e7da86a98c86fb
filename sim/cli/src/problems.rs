//! Differences and errors of single games: printed when found, or kept for the JSON output.

use indicatif::ProgressBar;

use super::output::{Output, note, say};

/// How many problems are kept for JSON. The others are only counted.
const MAX_KEPT: usize = 10_000;

/// The differences or errors of games, printed when found or kept for JSON.
pub(super) struct Problems<T> {
    output: Output,
    /// Hidden while a line is printed.
    bar: ProgressBar,
    count: u64,
    kept: Vec<T>,
    printed: anyhow::Result<()>,
}

impl<T> Problems<T> {
    /// No problems yet.
    pub(super) const fn new(output: Output, bar: ProgressBar) -> Problems<T> {
        Problems { output, bar, count: 0, kept: Vec::new(), printed: Ok(()) }
    }

    /// The number of problems.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The first problems, for JSON.
    pub(super) fn kept(&self) -> &[T] {
        &self.kept
    }

    /// Takes the first error of printing. A second call returns no error.
    pub(super) fn take_print_result(&mut self) -> anyhow::Result<()> {
        std::mem::replace(&mut self.printed, Ok(()))
    }

    /// Prints a problem as a line on stdout, or keeps it for JSON.
    pub(super) fn report(&mut self, line: &str, value: impl FnOnce() -> T) {
        self.add(value, || say(line));
    }

    /// Prints a problem as a line on stderr, or keeps it for JSON.
    pub(super) fn warn(&mut self, line: &str, value: impl FnOnce() -> T) {
        self.add(value, || {
            note(line.trim_end_matches('\n'));
            Ok(())
        });
    }

    fn add(&mut self, value: impl FnOnce() -> T, print: impl FnOnce() -> anyhow::Result<()>) {
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
