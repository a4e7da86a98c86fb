//! The size and hash of a file.

use std::io::{self, BufReader, Read, Write};

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

/// The size and hash of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal digits, as `sha256sum` prints it.
    pub sha256: String,
}

impl Fingerprint {
    /// Reads a file to its end.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn of(file: impl Read) -> io::Result<Fingerprint> {
        /// Bytes that are read at a time.
        const BLOCK: usize = 1 << 18;
        let mut hashed = Hashed::new(io::sink());
        io::copy(&mut BufReader::with_capacity(BLOCK, file), &mut hashed)?;
        Ok(hashed.finish().1)
    }
}

/// A file that is hashed while it is written.
pub(crate) struct Hashed<W> {
    file: W,
    bytes: u64,
    sha256: Sha256,
}

impl<W> Hashed<W> {
    /// Starts with an empty file.
    pub(crate) fn new(file: W) -> Hashed<W> {
        Hashed { file, bytes: 0, sha256: Sha256::new() }
    }

    /// The file, and the fingerprint of all that was written.
    pub(crate) fn finish(self) -> (W, Fingerprint) {
        let sha256 = format!("{:x}", Bytes::copy_from_slice(&self.sha256.finalize()));
        (self.file, Fingerprint { bytes: self.bytes, sha256 })
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash of `abc` is an example of the standard, FIPS 180-4.
    #[test]
    fn a_file_has_one_fingerprint_written_or_read() {
        let mut file = Hashed::new(Vec::new());
        file.write_all(b"a").and_then(|()| file.write_all(b"bc")).expect("room");
        let (written, fingerprint) = file.finish();
        assert_eq!(fingerprint.bytes, 3);
        assert_eq!(fingerprint.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(Fingerprint::of(&written[..]).expect("bytes"), fingerprint);
    }
}
