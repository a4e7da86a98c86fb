//! Compares the files of the parts with the manifest.
//!
//! # Why
//!
//! **What guards the files of a part?** Their sizes and SHA-256 in the manifest, computed while
//! they are written. It takes about 2 % of the time of writing, and users check it with
//! `sha256sum`. Faster hashes, such as XXH3, would save little and need a tool that few have.
//! Rejected: checksums of Parquet pages, which the parquet crate does not write yet. Commands
//! compare the hashes of the files whose rows they read, `verify` and `verify --quick` those of all
//! files. `info` compares the sizes and numbers of rows. `--resume` does so, too, and compares the
//! first game with `run.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jantaku_agents::call;
use rayon::prelude::*;

use crate::dataset::{ReadError, TableKind, rows_of, stored_rows};
use crate::run::config::RunConfig;
use crate::run::in_use::located;
use crate::run::manifest::{Manifest, PartEntry, PartFile, part_number};
use crate::store::{self, FolderEntry, Location};

/// Checks that the manifest names one file for each table of the run, and no other, in every part.
pub(crate) fn check_tables(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    let kept: Vec<&str> = config.kept().map(TableKind::name).collect();
    for part in &manifest.parts {
        let tables: Vec<&str> = part.files.iter().map(|file| file.table.as_str()).collect();
        if tables != kept {
            let (part, expected, found) = (part.part, kept.join(", "), tables.join(", "));
            let what = format!("part {part}: expected files of {expected}, found files of {found}");
            return Err(ReadError::new(&folder.join("manifest.json"), &what));
        }
    }
    Ok(())
}

/// Checks that every file of the manifest exists with the size that the manifest states.
///
/// # Errors
///
/// If a file is missing or has a different size.
pub(super) fn check_sizes(folder: &Path, manifest: &Manifest) -> Result<(), ReadError> {
    let run = located(folder)?;
    // A request for each file would take long.
    let listed = if run.store.is_local() { None } else { Some(file_sizes(&run, manifest)?) };
    for file in manifest.files() {
        let path = run.path.join(&file.path);
        let found = match &listed {
            Some(sizes) => sizes.get(&file.path).copied().ok_or_else(|| "no such object".to_owned()),
            None => run.store.size(&path).map_err(|error| error.to_string()),
        };
        let found = found.map_err(|error| {
            let size = file.bytes.map_or_else(String::new, |bytes| format!(" with {bytes} bytes"));
            ReadError::new(&path, &format!("cannot open: {error}; manifest.json names it{size}"))
        })?;
        check_size(&run.path, file, found)?;
    }
    Ok(())
}

/// The sizes of all files of the tables that the manifest names, by their paths relative to the folder
/// of the run.
pub(super) fn file_sizes(run: &Location, manifest: &Manifest) -> Result<BTreeMap<String, u64>, ReadError> {
    let mut sizes = BTreeMap::new();
    for table in manifest.files().map(|file| file.table.as_str()).collect::<BTreeSet<_>>() {
        let entries = table_entries(run, table)?;
        sizes.extend(entries.into_iter().map(|entry| (format!("{table}/{}", entry.name), entry.bytes)));
    }
    Ok(sizes)
}

/// The files in the folder of a table.
pub(super) fn table_entries(run: &Location, table: &str) -> Result<Vec<FolderEntry>, ReadError> {
    let path = run.path.join(table);
    run.store.entries(&path).map_err(|error| ReadError::new(&path, &error))
}

/// The Parquet files in the folders of the tables that the manifest does not name. Other tools that read
/// all files of a table count their rows.
///
/// Later parts of an incomplete run do not count: `--resume` plays them again, and a program that is
/// writing the run adds them to the manifest soon.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn stray_files(folder: &Path, manifest: &Manifest) -> Result<Vec<PathBuf>, ReadError> {
    let run = located(folder)?;
    let named: BTreeSet<&str> = manifest.files().map(|file| file.path.as_str()).collect();
    let next = manifest.parts.last().map_or(0, |part| part.part + 1);
    let is_later = |name: &str| !manifest.complete && part_number(name).is_some_and(|part| part >= next);
    let mut strays = Vec::new();
    // Not in parallel: a forked process, such as a worker of a `DataLoader`, has no threads of rayon.
    for table in TableKind::ALL {
        for FolderEntry { name, .. } in table_entries(&run, table.name())? {
            let path = format!("{}/{name}", table.name());
            if name.ends_with(".parquet") && !is_later(&name) && !named.contains(path.as_str()) {
                strays.push(folder.join(path));
            }
        }
    }
    strays.sort();
    Ok(strays)
}

/// What is wrong with a [stray file](stray_files).
pub(crate) fn stray_problem(path: &Path) -> String {
    let table = path.parent().and_then(Path::file_name).unwrap_or_default().display();
    format!("is not in the manifest; DuckDB over {table}/*.parquet would count it")
}

/// A sentence about [stray files](stray_files); `None` without any.
pub fn stray_note(strays: &[impl AsRef<Path>]) -> Option<String> {
    let (first, others) = strays.split_first()?;
    let (path, others) = (first.as_ref(), others.len());
    let others = if others == 0 { String::new() } else { format!(" (and {others} more)") };
    Some(format!("{}: {}{others}", path.display(), stray_problem(path)))
}

/// Checks the sizes, hashes and rows of a part's files against the manifest, for these tables.
///
/// Reads the files to their ends. Manifests of older versions have no hashes; then nothing is read.
///
/// # Errors
///
/// If a file cannot be read, or is not the one that was written.
pub fn check_part(folder: &Path, part: &PartEntry, tables: &[TableKind]) -> Result<(), ReadError> {
    let is_of_tables = |file: &&PartFile| tables.iter().any(|table| table.name() == file.table);
    for file in part.files.iter().filter(is_of_tables) {
        let Some(expected) = &file.sha256 else { continue };
        let path = folder.join(&file.path);
        let found = store::fingerprint(&path)
            .map_err(|error| ReadError::new(&path, &format!("cannot read: {error}")))?;
        check_size(folder, file, found.bytes)?;
        if found.sha256 != *expected {
            return Err(changed(&path, "has a different SHA-256 than manifest.json says"));
        }
        compare_rows(&path, file, stored_rows(&path)?)?;
    }
    Ok(())
}

/// Begins to download the files of a part that are read soon, for these tables. Does nothing in a
/// folder.
pub fn prefetch_part(folder: &Path, part: &PartEntry, tables: &[TableKind]) {
    let is_of_tables = |file: &&PartFile| tables.iter().any(|table| table.name() == file.table);
    store::prefetch(part.files.iter().filter(is_of_tables).map(|file| folder.join(&file.path)).collect());
}

/// The error for a file that is not the one in the manifest.
fn changed(path: &Path, what: &str) -> ReadError {
    let (cause, verify) = ("it is damaged, or another tool rewrote it", call("verify", "quick"));
    ReadError::new(path, &format!("{what}: {cause}; {verify} lists all such files"))
}

/// Checks the size of a file against the manifest.
pub(super) fn check_size(folder: &Path, file: &PartFile, found: u64) -> Result<(), ReadError> {
    let Some(expected) = file.bytes.filter(|expected| *expected != found) else { return Ok(()) };
    let what = format!("expected {expected} bytes, as manifest.json says, found {found}");
    Err(changed(&folder.join(&file.path), &what))
}

/// Checks that every file of the manifest exists with the size and the number of rows that the
/// manifest states.
///
/// Reads the footers of the files, not their rows, on all threads of the rayon pool.
///
/// # Errors
///
/// If a file is missing or damaged, or has a different size or number of rows.
pub fn check_files(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    check_tables(folder, config, manifest)?;
    check_sizes(folder, manifest)?;
    let files: Vec<&PartFile> = manifest.files().collect();
    let wrong = files.par_iter().map(|file| check_rows(folder, file)).find_first(Result::is_err);
    wrong.unwrap_or(Ok(()))
}

/// Checks the number of rows of a file against the manifest.
fn check_rows(folder: &Path, file: &PartFile) -> Result<(), ReadError> {
    let path = folder.join(&file.path);
    compare_rows(&path, file, rows_of(&path)?)
}

fn compare_rows(path: &Path, file: &PartFile, found: u64) -> Result<(), ReadError> {
    if found == file.rows {
        return Ok(());
    }
    let what = format!("expected {} rows, as the manifest says, found {found}", file.rows);
    Err(ReadError::new(path, &what))
}
