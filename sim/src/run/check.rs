//! Compares the files of the parts with the manifest.

use std::path::Path;

use crate::dataset::{ReadError, TableKind, rows_of};
use crate::run::config::RunConfig;
use crate::run::manifest::Manifest;

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

/// Checks that every file of the manifest exists and has the number of rows that the manifest says.
///
/// Reads the footers of the files, not their rows.
///
/// # Errors
///
/// If a file is missing or damaged, or has another number of rows.
pub fn check_files(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    check_tables(folder, config, manifest)?;
    for file in manifest.parts.iter().flat_map(|part| &part.files) {
        let path = folder.join(&file.path);
        let found = rows_of(&path)?;
        if found != file.rows {
            let what = format!("expected {} rows, as the manifest says, found {found}", file.rows);
            return Err(ReadError::new(&path, &what));
        }
    }
    Ok(())
}
