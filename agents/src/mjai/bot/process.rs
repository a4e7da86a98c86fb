//! A process that answers lines with lines.
//!
//! # Why
//!
//! **Why does a bot that answers late lose its process?** Its answer may still arrive, and would
//! then be taken for the answer to the next question.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::groups;
use super::messages::Copier;
use crate::{FaultKind, Setup, argument};

/// The maximum number of bytes of an answer: far more than any answer of the format has.
const MAX_BYTES: usize = 1 << 20;

/// Answers that may wait to be read. A process that writes more has to wait.
const MAX_WAITING: usize = 64;

/// How long a process that closed its output may take to end, before it is killed.
const TIME_TO_END: Duration = Duration::from_millis(200);

/// How often a wait checks whether the run is being stopped.
const POLL: Duration = Duration::from_millis(50);

/// A process with one thread that writes its input and one that reads its output.
///
/// Dropping it kills the process and waits for its end.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// To the thread that writes. None once the input is closed.
    input: Option<Sender<String>>,
    output: Receiver<Output>,
    /// Batches with lines that are not answered yet, oldest first.
    open: VecDeque<Batch>,
    /// When the last answer arrived that completed a batch.
    answered: Instant,
    /// Whether the process has answered its first line, `start_game`, rightly or wrongly.
    pub(super) has_answered: bool,
    /// Whether the run is being stopped.
    stop: Arc<AtomicBool>,
    /// None until the process runs.
    messages: Option<Copier>,
}

/// Lines that were sent together.
#[derive(Debug)]
struct Batch {
    sent: Instant,
    /// The time for all answers, from `sent` or from the last answer to the batch before.
    limit: Limit,
    /// The number of lines without an answer.
    lines: usize,
}

/// The time for answers, and what sets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) time: Duration,
    pub(super) option: &'static str,
    /// Whether it is an option of the agent, not of the caller.
    pub(super) is_of_agent: bool,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64();
        let plural = if self.time == Duration::from_secs(1) { "" } else { "s" };
        write!(f, "{seconds} second{plural}, the limit ")?;
        if self.is_of_agent {
            write!(f, "`{}={seconds}`", self.option)
        } else {
            write!(f, "{}", argument(self.option, &seconds.to_string()))
        }
    }
}

/// A line of the process.
#[derive(Debug)]
struct Output {
    arrived: Instant,
    /// None at the end of the output.
    line: Result<Option<String>, Fault>,
}

impl Process {
    /// Starts a program. Its stderr goes where the setup says.
    pub(super) fn start(program: &str, arguments: &[String], setup: &Setup) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = groups::spawn(&mut command)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else { unreachable!("both are piped") };
        let ((input, lines), (answers, output)) = (channel(), sync_channel(MAX_WAITING));
        let now = Instant::now();
        let mut process = Process {
            child,
            input: Some(input),
            output,
            open: VecDeque::new(),
            answered: now,
            has_answered: false,
            stop: Arc::clone(&setup.stop),
            messages: None,
        };
        process.messages = stderr.map(|stderr| Copier::start(stderr, &setup.messages)).transpose()?;
        thread::Builder::new().name("bot input".to_owned()).spawn(move || write_lines(stdin, &lines))?;
        thread::Builder::new().name("bot output".to_owned()).spawn(move || read_lines(stdout, &answers))?;
        Ok(process)
    }

    /// Sends lines that must be answered within this time, one answer for each.
    pub(super) fn send(&mut self, lines: &[String], limit: Limit) {
        if lines.is_empty() {
            return;
        }
        let sent = Instant::now();
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        if let Some(input) = &self.input {
            // If the writer has ended, then so has the process, which the next answer reports.
            let _ = input.send(text);
        }
        self.open.push_back(Batch { sent, limit, lines: lines.len() });
    }

    /// The number of lines without an answer.
    pub(super) fn owed(&self) -> usize {
        self.open.iter().map(|batch| batch.lines).sum()
    }

    /// Waits for the answer to the oldest line without one. If the run is being stopped, the answer
    /// is late at once.
    ///
    /// Returns the answer with its time, from sending to arrival. If answers to earlier batches were still
    /// owed at sending, the time begins when the last of these answers arrives.
    ///
    /// After an error the answers no longer fit the questions, so the process is of no further use.
    pub(super) fn answer(&mut self) -> Result<(String, Duration), Fault> {
        let Some(batch) = self.open.front_mut() else {
            return Err(Fault::new(FaultKind::NotAnAnswer, "no line was sent"));
        };
        let limit = batch.limit;
        let start = batch.sent.max(self.answered);
        let end = start + limit.time;
        let late =
            |took: Duration| Fault::new(FaultKind::Late, format!("no answer after {limit}")).after(took);
        let output = loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(POLL)) {
                Ok(output) => break output,
                Err(RecvTimeoutError::Timeout) if left > POLL && !self.stop.load(Ordering::Relaxed) => {}
                Err(RecvTimeoutError::Timeout) => return Err(late(limit.time)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
            }
        };
        batch.lines -= 1;
        let took = output.arrived.saturating_duration_since(start);
        if batch.lines == 0 {
            self.open.pop_front();
            self.answered = output.arrived;
        }
        match output.line {
            Ok(None) => Err(self.crash()),
            Ok(Some(_)) if output.arrived > end => Err(late(took)),
            Ok(Some(line)) => {
                self.has_answered = true;
                Ok((line, took))
            }
            Err(fault) => {
                self.has_answered |= fault.kind == FaultKind::NotJson;
                Err(if fault.kind == FaultKind::Crash { fault } else { fault.after(took) })
            }
        }
    }

    /// Takes a line that the process wrote although every line is answered. None if there is no such line.
    pub(super) fn unasked(&mut self) -> Option<String> {
        if !self.open.is_empty() {
            return None;
        }
        self.output.try_recv().ok()?.line.ok()?
    }

    /// Closes the input, as a sign that the process should end.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits until the process has ended, for this time at most.
    pub(super) fn wait(&mut self, time: Duration) -> Option<std::process::ExitStatus> {
        let end = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// The fault of a process whose output ended.
    fn crash(&mut self) -> Fault {
        let what = match self.wait(TIME_TO_END) {
            Some(status) => format!("the process ended, {status}"),
            None => "the process closed its output".to_owned(),
        };
        let last_words = self.messages.as_ref().map(Copier::last_lines).unwrap_or_default();
        Fault { last_words, ..Fault::new(FaultKind::Crash, what) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_input();
        // The group has what the process started, such as the program behind a script.
        groups::end(&mut self.child);
        self.messages.iter().for_each(Copier::finish);
    }
}

/// Writes texts until there are no more or the process reads no more.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for text in lines {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the output ends or nobody wants them.
fn read_lines(stdout: impl Read, answers: &SyncSender<Output>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut bytes = Vec::new();
        let read = reader.by_ref().take(MAX_BYTES as u64 + 1).read_until(b'\n', &mut bytes);
        let line = match read {
            Ok(0) => Ok(None),
            Ok(_) if bytes.len() > MAX_BYTES => {
                Err(Fault::new(FaultKind::Oversized, format!("an answer of more than {MAX_BYTES} bytes")))
            }
            Ok(_) => String::from_utf8(bytes)
                .map(Some)
                .map_err(|_| Fault::new(FaultKind::NotJson, "an answer that is not UTF-8")),
            Err(error) => Err(Fault::new(FaultKind::Crash, format!("its answers cannot be read: {error}"))),
        };
        let is_last = match &line {
            Ok(line) => line.is_none(),
            Err(fault) => fault.kind != FaultKind::NotJson,
        };
        if answers.send(Output { arrived: Instant::now(), line }).is_err() || is_last {
            return;
        }
    }
}
