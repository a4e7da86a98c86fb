//! What the process of a bot writes to stderr.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The maximum number of bytes of a file of messages, up to a part of a message for each process.
const MOST_BYTES: u64 = 16 << 20;

/// How long the last messages of a process may take to be written.
const TIME_TO_END: Duration = Duration::from_secs(1);

/// A thread that copies messages to the end of a file, until that is full.
#[derive(Debug)]
pub(super) struct Copier {
    /// Disconnected once all messages are copied.
    copied: Receiver<()>,
}

impl Copier {
    pub(super) fn start(stderr: ChildStderr, path: &Path) -> io::Result<Copier> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let (sender, copied) = channel();
        thread::Builder::new().name("bot messages".to_owned()).spawn(move || {
            copy(stderr, file);
            drop(sender);
        })?;
        Ok(Copier { copied })
    }

    /// Waits until all messages of a process that has ended are copied.
    pub(super) fn finish(&self) {
        let _ = self.copied.recv_timeout(TIME_TO_END);
    }
}

/// Copies whole lines, so that those of several processes do not mix. Reads to the end in any case:
/// a process whose messages nobody reads would have to wait.
fn copy(mut stderr: ChildStderr, mut file: File) {
    let mut buffer = vec![0; 1 << 16];
    // What the buffer has of a line that has not ended.
    let mut begun = 0;
    while let Ok(read @ 1..) = stderr.read(&mut buffer[begun..]) {
        let filled = begun + read;
        // A line longer than the buffer is copied in parts.
        let ended = buffer[..filled].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let ended = if ended == 0 && filled == buffer.len() { filled } else { ended };
        append(&mut file, &buffer[..ended]);
        buffer.copy_within(ended..filled, 0);
        begun = filled - ended;
    }
    append(&mut file, &buffer[..begun]);
}

/// Adds messages to the file until it is full. A file that cannot be written has no place for a
/// complaint.
fn append(file: &mut File, messages: &[u8]) {
    let is_full = |file: &File| file.metadata().map_or(true, |metadata| metadata.len() >= MOST_BYTES);
    if messages.is_empty() || is_full(file) {
        return;
    }
    let _ = file.write_all(messages);
    // Another process may have filled it meanwhile.
    if is_full(file) {
        let _ = writeln!(file, "\n(jantaku: the file has {MOST_BYTES} bytes; later messages are left out)");
    }
}
