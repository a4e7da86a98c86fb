//! What the process of a bot writes to stderr.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::Messages;

/// The size of a file of messages, in bytes, from which on nothing is added. The last write of each process
/// may go beyond it.
const MAX_BYTES: u64 = 16 << 20;

/// How long the last messages of a process may take to be written.
const TIME_TO_END: Duration = Duration::from_secs(1);

/// The number of bytes of the last messages that are kept.
const TAIL: usize = 4096;

/// The maximum number of last lines that a message about a process shows.
const LAST_LINES: usize = 8;

/// A thread that copies messages to the place where the user wants them, and keeps the last ones.
#[derive(Debug)]
pub(super) struct Copier {
    /// Disconnected once all messages are copied.
    copied: Receiver<()>,
    tail: Arc<Mutex<VecDeque<u8>>>,
}

impl Copier {
    pub(super) fn start(stderr: ChildStderr, messages: &Messages) -> io::Result<Copier> {
        let to_stderr = *messages == Messages::Stderr;
        let mut file = match messages {
            Messages::File(path) => Some(OpenOptions::new().create(true).append(true).open(path)?),
            Messages::Nowhere | Messages::Stderr => None,
        };
        let ((sender, copied), tail) = (channel(), Arc::default());
        let kept = Arc::clone(&tail);
        thread::Builder::new().name("bot messages".to_owned()).spawn(move || {
            copy(stderr, |messages| {
                keep(&kept, messages);
                if to_stderr {
                    drop(io::stderr().write_all(messages));
                }
                if let Some(file) = &mut file {
                    append(file, messages);
                }
            });
            drop(sender);
        })?;
        Ok(Copier { copied, tail })
    }

    /// Waits until all messages of a process that has ended are copied.
    pub(super) fn finish(&self) {
        let _ = self.copied.recv_timeout(TIME_TO_END);
    }

    /// The last lines of a process that has ended.
    pub(super) fn last_lines(&self) -> String {
        self.finish();
        let tail: Vec<u8> =
            self.tail.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let text = String::from_utf8_lossy(&tail);
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
    }
}

/// Keeps the last bytes of all messages.
fn keep(tail: &Mutex<VecDeque<u8>>, messages: &[u8]) {
    let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
    tail.extend(&messages[messages.len().saturating_sub(TAIL)..]);
    let surplus = tail.len().saturating_sub(TAIL);
    tail.drain(..surplus);
}

/// Copies whole lines, so that those of several processes do not mix. Reads to the end in any case:
/// a process whose messages nobody reads would have to wait.
fn copy(mut stderr: ChildStderr, mut append: impl FnMut(&[u8])) {
    let mut buffer = vec![0; 1 << 16];
    // The start of a line that has not ended yet.
    let mut begun = 0;
    while let Ok(read @ 1..) = stderr.read(&mut buffer[begun..]) {
        let filled = begun + read;
        // A line longer than the buffer is copied in parts.
        let ended = buffer[..filled].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let ended = if ended == 0 && filled == buffer.len() { filled } else { ended };
        append(&buffer[..ended]);
        buffer.copy_within(ended..filled, 0);
        begun = filled - ended;
    }
    append(&buffer[..begun]);
}

/// Adds messages to the file until it is full. Ignores errors: this file is where they would be
/// reported.
fn append(file: &mut File, messages: &[u8]) {
    let is_full = |file: &File| file.metadata().map_or(true, |metadata| metadata.len() >= MAX_BYTES);
    if messages.is_empty() || is_full(file) {
        return;
    }
    let _ = file.write_all(messages);
    // Another process may have filled it meanwhile.
    if is_full(file) {
        let _ = writeln!(file, "\n(jantaku: the file has {MAX_BYTES} bytes; later messages are left out)");
    }
}
