//! What the process of a bot writes to stderr.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The most bytes of a file of messages, up to a part of a message for each process.
const MOST_BYTES: u64 = 16 << 20;
/// Longer lines are copied in parts.
const MOST_OF_A_LINE: u64 = 1 << 16;

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
fn copy(stderr: ChildStderr, mut file: File) {
    let mut stderr = BufReader::with_capacity(MOST_OF_A_LINE as usize, stderr);
    let mut line = Vec::new();
    while let Ok(1..) = stderr.by_ref().take(MOST_OF_A_LINE).read_until(b'\n', &mut line) {
        let length = file.metadata().map_or(MOST_BYTES, |metadata| metadata.len());
        if length < MOST_BYTES {
            // A file that cannot be written has no place for a complaint.
            let _ = file.write_all(&line);
            if length + line.len() as u64 >= MOST_BYTES {
                let _ = writeln!(
                    file,
                    "\n(jantaku: the file has {MOST_BYTES} bytes; later messages are left out)"
                );
            }
        }
        line.clear();
    }
}
