//! Compares the files of a run with the sizes and hashes in its manifest.

use std::path::Path;

use super::{Difference, each_part};
use crate::dataset::{ReadError, TableKind, stored_rows};
use crate::play::Watch;
use crate::run::{self, PartEntry};
use crate::store;

/// How much of a run was verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifiedFiles {
    /// Games that were replayed, or games of the parts whose files were hashed.
    pub games: u64,
    /// Bytes that were hashed.
    pub bytes: u64,
}

/// Compares the size, SHA-256 and number of rows of each file with the manifest. Reports differences and
/// unreadable files in the order of parts.
///
/// Reads files on all threads of the rayon pool, and decodes nothing. Progress is reported in
/// games.
///
/// # Errors
///
/// If `run.toml` or `manifest.json` cannot be read, or the manifest has no hashes.
pub fn verify_hashes(
    folder: &Path,
    watch: &mut dyn Watch,
    mut differs: impl FnMut(Difference),
    mut unreadable: impl FnMut(ReadError),
) -> Result<VerifiedFiles, ReadError> {
    let (config, manifest) = run::read_unchecked(folder)?;
    run::check_tables(folder, &config, &manifest)?;
    if !manifest.has_hashes() {
        let what = "has no hashes, like those of older versions; `jantaku rebuild-manifest` adds them";
        return Err(ReadError::new(&folder.join("manifest.json"), &what));
    }
    let mut read = VerifiedFiles::default();
    let compare = |part: &PartEntry, _: &dyn Watch| compare_part(folder, part);
    each_part(&manifest.parts, watch, compare, |part, files| {
        if files.iter().all(Result::is_ok) {
            read.games += part.games;
        }
        for file in files {
            match file {
                Ok((bytes, difference)) => {
                    read.bytes += bytes;
                    difference.into_iter().for_each(&mut differs);
                }
                Err(error) => unreadable(error),
            }
        }
    });
    Ok(read)
}

/// Where the files of a part differ from the sizes and hashes in the manifest.
///
/// # Errors
///
/// If a file cannot be read.
pub(super) fn differences_of(folder: &Path, part: &PartEntry) -> Result<Vec<Difference>, ReadError> {
    let compared = compare_part(folder, part).into_iter();
    let differences = compared.map(|file| file.map(|(_, difference)| difference));
    Ok(differences.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Reads the files of a part. Returns for each its size in bytes, and its first difference from the manifest.
fn compare_part(folder: &Path, part: &PartEntry) -> Vec<Result<(u64, Option<Difference>), ReadError>> {
    let compare = |file: &run::PartFile| {
        let path = folder.join(&file.path);
        let found = store::fingerprint(&path)
            .map_err(|error| ReadError::new(&path, &format!("cannot read: {error}")))?;
        let table = TableKind::named(&file.table).expect("the tables of the manifest were checked");
        let differs = |column: &str, expected: String, found: String| {
            (expected != found).then(|| Difference::whole_file(table, part.part, column, [expected, found]))
        };
        let size = file.bytes.and_then(|bytes| differs("bytes", bytes.to_string(), found.bytes.to_string()));
        let hash = file.sha256.clone().and_then(|sha256| differs("sha256", sha256, found.sha256));
        let difference = match size.or(hash) {
            // Without a hash, the part is replayed, which finds the rows that differ.
            None if file.sha256.is_some() => {
                let rows = stored_rows(&path)?;
                differs("rows", file.rows.to_string(), rows.to_string())
            }
            different => different,
        };
        Ok((found.bytes, difference))
    };
    part.files.iter().map(compare).collect()
}
