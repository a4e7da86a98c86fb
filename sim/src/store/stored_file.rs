//! A complete file that is open, on this machine or in the cache.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use super::Fingerprint;

/// The end of a file.
#[derive(Clone, Debug)]
pub struct FileEnd {
    /// Its last bytes.
    pub bytes: Bytes,
    /// The size of the whole file.
    pub size: u64,
}

/// A complete file. Any number of threads can read from any position.
#[derive(Clone, Debug)]
pub struct StoredFile {
    file: Arc<File>,
    bytes: u64,
    /// Known of a file that was hashed while it was downloaded.
    fingerprint: Option<Arc<Fingerprint>>,
}

impl StoredFile {
    /// A complete file that a store opened, and its size and hash if they are known.
    ///
    /// # Errors
    ///
    /// If its size cannot be read.
    pub fn new(file: File, fingerprint: Option<Arc<Fingerprint>>) -> io::Result<StoredFile> {
        let bytes = file.metadata()?.len();
        Ok(StoredFile { file: Arc::new(file), bytes, fingerprint })
    }

    /// Its size and hash. It is read to its end, unless they are known.
    pub(super) fn fingerprint(self) -> io::Result<Fingerprint> {
        match &self.fingerprint {
            Some(known) => Ok((**known).clone()),
            None => Fingerprint::of(ReadFrom { file: self, position: 0 }),
        }
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&*self.file, buffer, position)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, position)
    }
}

/// Reads a [`StoredFile`] from a position on.
#[derive(Debug)]
pub struct ReadFrom {
    file: StoredFile,
    position: u64,
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Length for StoredFile {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for StoredFile {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<BufReader<ReadFrom>, ParquetError> {
        Ok(BufReader::new(ReadFrom { file: self.clone(), position: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = Vec::with_capacity(length);
        let read =
            ReadFrom { file: self.clone(), position: start }.take(length as u64).read_to_end(&mut bytes)?;
        if read < length {
            return Err(ParquetError::EOF(format!("expected to read {length} bytes, read only {read}")));
        }
        Ok(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{end, open};
    use super::*;

    /// Readers of one file do not share a position, as clones of a file do.
    #[test]
    fn readers_have_positions_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, b"0123456789").expect("a file");
        let file = open(&path).expect("a file");
        let [mut first, mut second] = [2, 5].map(|start| file.get_read(start).expect("a reader").bytes());
        for (one, other) in [(b'2', b'5'), (b'3', b'6'), (b'4', b'7')] {
            assert_eq!(first.next().expect("a byte").expect("readable"), one);
            assert_eq!(second.next().expect("a byte").expect("readable"), other);
        }
        assert_eq!(file.get_bytes(8, 2).expect("bytes"), &b"89"[..]);
        assert!(file.get_bytes(8, 3).is_err());
        let ending = end(&path, 4).expect("a file");
        assert_eq!((&ending.bytes[..], ending.size), (&b"6789"[..], 10));
        assert_eq!(end(&path, 40).expect("a file").bytes, &b"0123456789"[..]);
    }
}
