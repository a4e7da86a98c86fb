//! Writes the manifest of a run anew.

use std::path::Path;

use crate::dataset::ReadError;
use crate::run::config::RunConfig;
use crate::run::files::{read_config, write_manifest};
use crate::run::manifest::Manifest;
use crate::run::parts::{add_complete_parts, parts_found};
use crate::run::start::StartError;
use crate::run::store::{Location, Store};

/// A manifest that was written anew.
#[derive(Debug)]
pub struct Rebuilt {
    /// The manifest.
    pub manifest: Manifest,
    /// Why it does not name all parts that are there.
    pub left_out: Option<ReadError>,
}

/// Writes the manifest of a run anew, from `run.toml` and the files of its parts.
///
/// The manifest names the complete parts up to the first one that is missing or damaged. No file
/// but the manifest changes. Each file is read into memory as a whole.
///
/// A part is complete if every table has its file, the games are those of `run.toml` without a gap,
/// and the tables have the rows that the table of games states. Other values are not checked;
/// `verify` does that.
///
/// # Errors
///
/// If `run.toml` cannot be read, another program writes the run, or the manifest cannot be written.
pub fn rebuild_manifest(path: &Path) -> Result<Rebuilt, StartError> {
    let (mut location, folder) = Location::open(path).map_err(|cause| StartError::open(path, cause))?;
    let _lock = location.lock(&folder).map_err(|cause| StartError::open(&folder, cause))?;
    let config = read_config(&location, &folder)?;
    let mut manifest = Manifest::default();
    let ended = add_complete_parts(&location, &folder, &config, &mut manifest);
    let left_out = match ended {
        Ok(()) => parts_after(&location, &folder, &config, &manifest)?,
        Err(error) => Some(error),
    };
    write_manifest(&mut location, &folder, &manifest)?;
    Ok(Rebuilt { manifest, left_out })
}

/// Why parts after those of the manifest cannot be named; `None` if there are none.
fn parts_after<S: Store>(
    store: &S,
    folder: &Path,
    config: &RunConfig,
    manifest: &Manifest,
) -> Result<Option<ReadError>, ReadError> {
    let next = (config.range().start + manifest.games).div_ceil(config.games_per_part);
    let found = parts_found(store, folder)?;
    Ok(found.range(next..).next().map(|(part, _)| {
        let before = if *part == next { "without a table of games" } else { "without the part before it" };
        ReadError::new(folder, &format!("part {part} is there {before}"))
    }))
}
