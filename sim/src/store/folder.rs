//! The files of runs in folders of a disk.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use parquet::file::reader::{ChunkReader as _, Length as _};

use super::{Disk, FileEnd, FolderEntry, Lock, NewFile, Store, StoredFile, partial};
use crate::play::SinkError;

impl<D: Disk> Store for D {
    fn is_local(&self) -> bool {
        true
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile>> {
        create_parent(self, path)?;
        self.create_file(&partial(path))
    }

    fn publish(&self, path: &Path) -> io::Result<()> {
        self.rename(&partial(path), path)?;
        sync_parent(self, path);
        Ok(())
    }

    fn discard(&self, path: &Path) {
        // If the file cannot be removed, its partial name shows that it is not complete.
        self.remove_file(&partial(path)).ok();
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        match self.list(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            entries => entries,
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_file(path)
    }

    fn open(&self, path: &Path) -> io::Result<StoredFile> {
        StoredFile::new(self.open_file(path)?, None)
    }

    fn end(&self, path: &Path, bytes: u64) -> io::Result<FileEnd> {
        let file = self.open(path)?;
        let (size, bytes) = (file.len(), file.len().min(bytes));
        let bytes = file.get_bytes(size - bytes, bytes as usize).map_err(io::Error::other)?;
        Ok(FileEnd { bytes, size })
    }

    fn size(&self, path: &Path) -> io::Result<u64> {
        self.file_size(path)
    }

    fn adopt(&self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError> {
        files.iter().try_for_each(|(from, path)| {
            let adopted = adopt_file(self, from, path);
            adopted.map_err(|cause| SinkError { path: path.clone(), what: "cannot write", cause })
        })
    }

    fn remove(&self, files: &[PathBuf]) {
        files.iter().for_each(|path| _ = self.remove_file(path));
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        match self.remove_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        let mut created = self.create_one_folder(folder);
        if let (Err(error), Some(above)) = (&created, parent(folder))
            && error.kind() == io::ErrorKind::NotFound
        {
            self.create_folder(above)?;
            created = self.create_one_folder(folder);
        }
        if let Err(error) = created
            && !self.has_folder(folder)
        {
            return Err(error);
        }
        // A program that was killed may have created the folder without making its name durable.
        sync_parent(self, folder);
        Ok(())
    }

    fn lock(&self, folder: &Path) -> io::Result<Option<Lock>> {
        let lock = self.lock_folder(folder)?;
        // A program may have been killed before it synced the folder.
        self.sync_folder(folder);
        Ok(lock)
    }
}

/// The folder above a file or folder. A path of one name is in the current folder.
fn parent(path: &Path) -> Option<&Path> {
    path.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent })
}

fn create_parent(disk: &impl Disk, path: &Path) -> io::Result<()> {
    parent(path).filter(|folder| !disk.has_folder(folder)).map_or(Ok(()), |folder| disk.create_folder(folder))
}

/// Makes a new name durable.
fn sync_parent(disk: &impl Disk, path: &Path) {
    parent(path).into_iter().for_each(|folder| disk.sync_folder(folder));
}

/// Gives a complete file a second name, or copies it where that is not possible.
fn adopt_file(disk: &impl Disk, from: &Path, path: &Path) -> io::Result<()> {
    create_parent(disk, path)?;
    // A link cannot replace a file, which an unfinished merge may have left.
    disk.remove_file(path).ok();
    if disk.link(from, path).is_ok() {
        sync_parent(disk, path);
        return Ok(());
    }
    let copied = disk.open_file(from).and_then(|from| {
        let mut file = disk.create(path)?;
        io::copy(&mut BufReader::with_capacity(1 << 18, from), &mut file)?;
        file.seal()?;
        disk.publish(path)
    });
    copied.inspect_err(|_| disk.discard(path))
}
