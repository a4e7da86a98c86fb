//! Compares the files of the parts with the manifest.

use std::path::Path;

use crate::dataset::{ReadError, TableKind, rows_of};
use crate::run::config::RunConfig;
use crate::run::manifest::{Manifest, PartFile};

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

/// Checks that every file of the manifest exists and has the size that the manifest says.
///
/// # Errors
///
/// If a file is missing or has another size.
pub(super) fn check_sizes(folder: &Path, manifest: &Manifest) -> Result<(), ReadError> {
    for file in manifest.files() {
        let path = folder.join(&file.path);
        let found = path.metadata().map_err(|e| ReadError::new(&path, &format!("cannot open: {e}")))?;
        check_size(folder, file, found.len())?;
    }
    Ok(())
}

/// Checks that a file has the size that the manifest says.
pub(super) fn check_size(folder: &Path, file: &PartFile, found: u64) -> Result<(), ReadError> {
    let Some(expected) = file.bytes.filter(|expected| *expected != found) else { return Ok(()) };
    let what = format!(
        "expected {expected} bytes, as manifest.json says, found {found}: it is damaged, or another tool \
        rewrote it; `jantaku rebuild-manifest` names the parts that are whole"
    );
    Err(ReadError::new(&folder.join(&file.path), &what))
}

/// Checks that every file of the manifest exists and has the size and the number of rows that the
/// manifest says.
///
/// Reads the footers of the files, not their rows.
///
/// # Errors
///
/// If a file is missing or damaged, or has another size or number of rows.
pub fn check_files(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    check_tables(folder, config, manifest)?;
    check_sizes(folder, manifest)?;
    for file in manifest.files() {
        let path = folder.join(&file.path);
        let found = rows_of(&path)?;
        if found != file.rows {
            let what = format!("expected {} rows, as the manifest says, found {found}", file.rows);
            return Err(ReadError::new(&path, &what));
        }
    }
    Ok(())
}
