//! Writes the files of one part to a store.

use std::io;
use std::path::{Path, PathBuf};

use crate::dataset::{Contents, PartWriter, TableKind, WriteError, WrittenTable, part_name};
use crate::play::{GameRecord, SinkError};
use crate::run::manifest::PartFile;
use crate::store::Store;
use crate::store::fingerprint::Hashed;

/// The files of one part while they are written.
pub(super) struct PartFiles<S: Store> {
    tables: PartWriter<Hashed<S::File>>,
    folder: PathBuf,
    /// The tables with the paths of their files, relative to the folder of the run.
    names: Vec<(TableKind, String)>,
}

impl<S: Store> PartFiles<S> {
    /// Creates the files of a part.
    pub(super) fn create(
        number: u64,
        contents: &Contents,
        folder: &Path,
        store: &mut S,
    ) -> Result<PartFiles<S>, SinkError> {
        let names: Vec<_> = contents.tables().map(|table| (table, part_name(table, number))).collect();
        let started = create_files(&names, folder, store).and_then(|files| {
            PartWriter::new(contents.clone(), files).map_err(|error| sink_error(error, &names, folder))
        });
        match started {
            Ok(tables) => Ok(PartFiles { tables, folder: folder.to_owned(), names }),
            Err(error) => {
                names.iter().for_each(|(_, name)| store.discard(&folder.join(name)));
                Err(error)
            }
        }
    }

    /// Adds a game.
    pub(super) fn push(&mut self, game: &GameRecord) -> Result<(), SinkError> {
        self.tables.push(game).map_err(|error| sink_error(error, &self.names, &self.folder))
    }

    /// Completes the files. If that fails, removes all of them.
    pub(super) fn finish(self, store: &mut S) -> Result<SealedFiles, SinkError> {
        let PartFiles { tables, folder, names } = self;
        let finished = tables.finish().map_err(|error| sink_error(error, &names, &folder));
        let sealed = finished.and_then(|tables| seal(tables, &names, &folder, store));
        match sealed {
            Ok(files) => Ok(SealedFiles { folder, files }),
            Err(error) => {
                names.iter().for_each(|(_, name)| store.discard(&folder.join(name)));
                Err(error)
            }
        }
    }

    /// Gives up the part and removes its files.
    pub(super) fn discard(self, store: &mut S) {
        let PartFiles { tables, folder, names } = self;
        drop(tables);
        names.iter().for_each(|(_, name)| store.discard(&folder.join(name)));
    }
}

/// A table and its file.
type TableFile<S> = (TableKind, Hashed<<S as Store>::File>);

fn create_files<S: Store>(
    names: &[(TableKind, String)],
    folder: &Path,
    store: &mut S,
) -> Result<Vec<TableFile<S>>, SinkError> {
    let create = |(table, name): &(TableKind, String)| {
        let path = folder.join(name);
        let file = store.create(&path);
        file.map(|file| (*table, Hashed::new(file))).map_err(|cause| SinkError {
            path,
            what: "cannot create",
            cause,
        })
    };
    names.iter().map(create).collect()
}

/// Makes the bytes of all files durable.
fn seal<S: Store>(
    tables: Vec<WrittenTable<Hashed<S::File>>>,
    names: &[(TableKind, String)],
    folder: &Path,
    store: &mut S,
) -> Result<Vec<PartFile>, SinkError> {
    let mut sealed = Vec::new();
    for (WrittenTable { table, file, rows }, (_, name)) in tables.into_iter().zip(names) {
        let (file, fingerprint) = file.finish();
        store.seal(file).map_err(|cause| cannot_finish(folder, name, cause))?;
        sealed.push(PartFile::new(table, name.clone(), rows, fingerprint));
    }
    Ok(sealed)
}

/// The files of one part, with all their bytes but without their final names.
///
/// All files are sealed before the first is published, because sealing fails more often.
pub(super) struct SealedFiles {
    folder: PathBuf,
    files: Vec<PartFile>,
}

impl SealedFiles {
    /// Gives all files their final names. If that fails, some of them may have them.
    pub(super) fn publish<S: Store>(self, store: &mut S) -> Result<Vec<PartFile>, SinkError> {
        let publish = |file: &PartFile| {
            let published = store.publish(&self.folder.join(&file.path));
            published.map_err(|cause| cannot_finish(&self.folder, &file.path, cause))
        };
        match self.files.iter().try_for_each(publish) {
            Ok(()) => Ok(self.files),
            Err(error) => {
                self.discard(store);
                Err(error)
            }
        }
    }

    /// Removes the files that are not published.
    pub(super) fn discard<S: Store>(&self, store: &mut S) {
        self.files.iter().for_each(|file| store.discard(&self.folder.join(&file.path)));
    }
}

fn cannot_finish(folder: &Path, name: &str, cause: io::Error) -> SinkError {
    SinkError { path: folder.join(name), what: "cannot finish", cause }
}

/// The error of a table's file.
fn sink_error(error: WriteError, names: &[(TableKind, String)], folder: &Path) -> SinkError {
    let name = names.iter().find(|(table, _)| *table == error.table).map(|(_, name)| folder.join(name));
    let path = name.unwrap_or_else(|| folder.to_owned());
    SinkError { path, what: "cannot write", cause: error.cause }
}
