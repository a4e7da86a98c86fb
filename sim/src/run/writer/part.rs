//! Writes the files of one part to a store.

use std::io;
use std::path::PathBuf;

use crate::dataset::{Contents, PartWriter, TableKind, WrittenTable, part_name, part_path};
use crate::play::{GameRecord, SinkError};
use crate::run::manifest::PartFile;
use crate::store::fingerprint::Hashed;
use crate::store::{Location, NewFile};

/// The files of one part while they are written.
pub(super) struct PartFiles {
    writer: PartWriter<Hashed<Box<dyn NewFile>>>,
    paths: Paths,
}

/// The files of one part, with all their bytes but without their final names.
///
/// All files are sealed before the first is published, because sealing fails more often.
pub(super) struct SealedFiles {
    files: Vec<PartFile>,
    paths: Paths,
}

/// Where the files of a part are.
struct Paths {
    run: Location,
    part: u64,
    tables: Vec<TableKind>,
}

impl PartFiles {
    /// Creates the files of a part.
    pub(super) fn create(part: u64, contents: &Contents, run: &Location) -> Result<PartFiles, SinkError> {
        let paths = Paths { run: run.clone(), part, tables: contents.tables().collect() };
        let create = |table: &TableKind| {
            let file = run.store.create(&paths.of(*table));
            file.map(|file| (*table, Hashed::new(file))).map_err(paths.error("cannot create", *table))
        };
        let files = paths.tables.iter().map(create).collect::<Result<_, _>>();
        let writer = files.and_then(|files| {
            let writer = PartWriter::new(contents.clone(), files);
            writer.map_err(|error| paths.error("cannot write", error.table)(error.cause))
        });
        let writer = writer.inspect_err(|_| paths.discard())?;
        Ok(PartFiles { writer, paths })
    }

    /// Adds a game.
    pub(super) fn push(&mut self, game: &GameRecord) -> Result<(), SinkError> {
        let pushed = self.writer.push(game);
        pushed.map_err(|error| self.paths.error("cannot write", error.table)(error.cause))
    }

    /// Completes the files and makes their bytes durable. If that fails, removes all of them.
    pub(super) fn finish(self) -> Result<SealedFiles, SinkError> {
        let PartFiles { writer, paths } = self;
        let seal = |written: WrittenTable<Hashed<Box<dyn NewFile>>>| {
            let WrittenTable { table, file, rows } = written;
            let (file, fingerprint) = file.finish();
            file.seal().map_err(paths.error("cannot finish", table))?;
            Ok(PartFile::new(table, part_name(table, paths.part), rows, fingerprint))
        };
        let finished = writer.finish();
        let sealed = finished
            .map_err(|error| paths.error("cannot write", error.table)(error.cause))
            .and_then(|tables| tables.into_iter().map(seal).collect::<Result<_, SinkError>>());
        let files = sealed.inspect_err(|_| paths.discard())?;
        Ok(SealedFiles { files, paths })
    }

    /// Gives up the part and removes its files.
    pub(super) fn discard(self) {
        drop(self.writer);
        self.paths.discard();
    }
}

impl SealedFiles {
    /// Gives all files their final names. If that fails, some files may already have theirs; the others
    /// are removed.
    pub(super) fn publish(self) -> Result<Vec<PartFile>, SinkError> {
        let SealedFiles { files, paths } = self;
        let publish = |table: &TableKind| {
            let published = paths.run.store.publish(&paths.of(*table));
            published.map_err(paths.error("cannot finish", *table))
        };
        paths.tables.iter().try_for_each(publish).inspect_err(|_| paths.discard())?;
        Ok(files)
    }

    /// Removes the files, none of which is published.
    pub(super) fn discard(&self) {
        self.paths.discard();
    }
}

impl Paths {
    /// The file of a table.
    fn of(&self, table: TableKind) -> PathBuf {
        part_path(&self.run.path, table, self.part)
    }

    /// The error of the file of a table.
    fn error(&self, what: &'static str, table: TableKind) -> impl FnOnce(io::Error) -> SinkError {
        let path = self.of(table);
        move |cause| SinkError { path, what, cause }
    }

    /// Removes the files that are not published.
    fn discard(&self) {
        self.tables.iter().for_each(|table| self.run.store.discard(&self.of(*table)));
    }
}
