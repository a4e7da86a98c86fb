//! Writes the files of one part to a store.

use std::path::{Path, PathBuf};

use crate::dataset::{Contents, PartWriter, TableKind, WriteError, WrittenTable, part_name};
use crate::play::{GameRecord, SinkError};
use crate::run::manifest::PartRows;
use crate::run::store::Store;

/// The files of one part while they are written.
pub(super) struct PartFiles<S: Store> {
    tables: PartWriter<S::File>,
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

    /// Completes the files and publishes all of them. If that fails, removes all of them.
    pub(super) fn finish(self, store: &mut S) -> Result<Vec<PartRows>, SinkError> {
        let PartFiles { tables, folder, names } = self;
        let finished = tables.finish().map_err(|error| sink_error(error, &names, &folder));
        finished.and_then(|tables| publish(tables, &names, &folder, store)).inspect_err(|_| {
            for path in names.iter().map(|(_, name)| folder.join(name)) {
                store.discard(&path);
                store.withdraw(&path);
            }
        })
    }

    /// Gives up the part and removes its files.
    pub(super) fn discard(self, store: &mut S) {
        let PartFiles { tables, folder, names } = self;
        drop(tables);
        names.iter().for_each(|(_, name)| store.discard(&folder.join(name)));
    }
}

fn create_files<S: Store>(
    names: &[(TableKind, String)],
    folder: &Path,
    store: &mut S,
) -> Result<Vec<(TableKind, S::File)>, SinkError> {
    let create = |(table, name): &(TableKind, String)| {
        let path = folder.join(name);
        let file = store.create(&path);
        file.map(|file| (*table, file)).map_err(|cause| SinkError { path, what: "cannot create", cause })
    };
    names.iter().map(create).collect()
}

/// Seals all files before it publishes the first, because sealing fails more often.
fn publish<S: Store>(
    tables: Vec<WrittenTable<S::File>>,
    names: &[(TableKind, String)],
    folder: &Path,
    store: &mut S,
) -> Result<Vec<PartRows>, SinkError> {
    let failed = |name: &String, cause| SinkError { path: folder.join(name), what: "cannot finish", cause };
    let mut sealed = Vec::new();
    for (WrittenTable { table, file, rows }, (_, name)) in tables.into_iter().zip(names) {
        store.seal(file).map_err(|cause| failed(name, cause))?;
        sealed.push(PartRows { table: table.name().to_owned(), path: name.clone(), rows });
    }
    for PartRows { path, .. } in &sealed {
        store.publish(&folder.join(path)).map_err(|cause| failed(path, cause))?;
    }
    Ok(sealed)
}

/// The error of a table's file.
fn sink_error(error: WriteError, names: &[(TableKind, String)], folder: &Path) -> SinkError {
    let name = names.iter().find(|(table, _)| *table == error.table).map(|(_, name)| folder.join(name));
    let path = name.unwrap_or_else(|| folder.to_owned());
    SinkError { path, what: "cannot write", cause: error.cause }
}
