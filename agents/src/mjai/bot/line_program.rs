//! A program that answers each line with a line, for questions that are not mjai.

use std::io;
use std::time::Duration;

use super::fault::{Fault, shown};
use super::process::{Limit, Process};
use super::shown_words;
use crate::{Messages, Setup};

/// A running program that answers each line with a line. Dropping it ends the program.
#[derive(Debug)]
pub struct LineProgram {
    process: Process,
    limit: Limit,
}

impl LineProgram {
    /// Starts a program that has this many seconds for each answer. Its stderr is that of this program.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(program: &str, arguments: &[String], seconds: f64) -> io::Result<LineProgram> {
        let setup = Setup { messages: Messages::Stderr, ..Setup::default() };
        let limit = Limit { time: Duration::from_secs_f64(seconds), option: "seconds", is_of_agent: false };
        Ok(LineProgram { process: Process::start(program, arguments, &setup)?, limit })
    }

    /// The answer to a line.
    ///
    /// # Errors
    ///
    /// What is wrong: the program ended or was late, its answer is too long or not UTF-8, or it had written a
    /// line that answers none. After an error it is of no further use.
    pub fn ask(&mut self, line: &str) -> Result<String, String> {
        if let Some(unasked) = self.process.unasked() {
            return Err(format!("a line that answers no question: {}", shown(&unasked)));
        }
        self.process.send(&[line.to_owned()], self.limit);
        let message = |fault: Fault| format!("{}{}", fault.what, shown_words(&fault.last_words));
        self.process.answer().map(|(answer, _)| answer).map_err(message)
    }
}
