//! Rebuilds the manifest of a run.
//!
//! # Why
//!
//! **Who repairs a run?** `rebuild-manifest`, and only on request. It lists the complete parts
//! before the first missing or damaged one, and accepts no file that differs from the hashes of the
//! old manifest. It keeps the hashes of the parts that it leaves out, so that a part that comes back is
//! compared, too. Without a manifest there is nothing to compare, so it asks for `verify`.
//! Rejected: writing a new manifest at `--resume`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use jantaku_agents::argument;
use serde::Serialize;

use crate::dataset::{ReadError, TableKind};
use crate::path_text;
use crate::run::check_files::check_part;
use crate::run::config::RunConfig;
use crate::run::files::{read_config, write_manifest};
use crate::run::find_parts::{BadPart, PartsAfterGap, add_complete_parts, parts_after_gap, parts_found};
use crate::run::in_use::locked;
use crate::run::manifest::{Manifest, PartEntry, PartFile};
use crate::run::start::StartError;
use crate::store::Location;

/// A rebuilt manifest.
#[derive(Debug, Serialize)]
pub struct Rebuilt {
    /// Folder or URL of the run.
    #[serde(serialize_with = "path_text::serialize")]
    pub run: PathBuf,
    /// Whether the parts hold all games of the run.
    pub complete: bool,
    /// Games of the parts that the manifest names.
    pub games: u64,
    /// Number of these parts.
    pub parts: usize,
    /// Why the manifest does not name an existing part; None if it names all. If it leaves one out, the exit
    /// status is 1.
    pub left_out: Option<String>,
    /// Files of the new manifest that were not compared with a hash of the old one; then `verify` has to
    /// check their values.
    pub uncompared_files: usize,
    /// Whole parts that are not named, because one before them is missing or damaged.
    pub whole_after_gap: Vec<u64>,
    /// These parts and the gap before them, for a message.
    #[serde(skip)]
    pub after_gap: Option<PartsAfterGap>,
}

/// Rebuilds the manifest of a run from `run.toml` and the files of its parts.
///
/// The manifest names the complete parts up to the first one that is missing or damaged. No file
/// but the manifest changes. Each file is read into memory as a whole.
///
/// A part is complete if every table has its file, the games are those of `run.toml` without a gap,
/// and the tables have the rows that the table of games states. If the old manifest can be read,
/// each file also has the hash that it has there, unless `accept_changes` says that the files were
/// changed on purpose. Other values are not checked; `verify` does that.
///
/// # Errors
///
/// If `run.toml` cannot be read or does not describe the parts of the old manifest, another program
/// writes the run, or the manifest cannot be written.
pub fn rebuild_manifest(path: &Path, accept_changes: bool) -> Result<Rebuilt, StartError> {
    let (run, _lock) = locked(path)?;
    let (folder, config) = (&run.path, read_config(&run)?);
    let mut manifest = Manifest::default();
    let ended = add_complete_parts(&run, &config, &mut manifest);
    let old = old_manifest(&run)?;
    if let (Err(BadPart::OtherRun(error)), Some(old)) = (&ended, &old)
        && let Some(part) = old.parts.get(manifest.parts.len())
        && part.files.iter().all(|file| file.sha256.is_some())
        && check_part(folder, part, &TableKind::ALL).is_ok()
    {
        let what = format!(
            "does not describe the parts that manifest.json names: it was changed or exchanged. The manifest \
            stays as it is ({error})"
        );
        return Err(ReadError::new(&folder.join("run.toml"), &what).into());
    }
    let mut left_out = match ended {
        Ok(()) => parts_after(&run, &config, &manifest)?,
        Err(bad) => Some(bad.error()),
    };
    let old = old.filter(|_| !accept_changes).unwrap_or_default();
    if let Some((part, error)) = first_changed(folder, &old, &manifest) {
        manifest.keep(part);
        manifest.complete = false;
        left_out = Some(error);
    }
    let is_named = |old: &PartEntry| manifest.parts.iter().any(|part| part.part == old.part);
    manifest.left_out = old.parts.iter().chain(&old.left_out).filter(|old| !is_named(old)).cloned().collect();
    write_manifest(&run, &manifest)?;
    let uncompared_files = manifest.files().filter(|file| hash_of(&old, &file.path).is_none()).count();
    let after_gap = parts_after_gap(&run, &config, &manifest)?;
    Ok(Rebuilt {
        run: path.to_owned(),
        complete: manifest.complete,
        games: manifest.games,
        parts: manifest.parts.len(),
        left_out: left_out.map(|error| error.to_string()),
        uncompared_files,
        whole_after_gap: after_gap.as_ref().map_or_else(Vec::new, |parts| parts.whole.clone()),
        after_gap,
    })
}

/// The manifest that is there, whether or not its numbers agree. None if there is none, it cannot be
/// parsed, or a file in it has the wrong path.
///
/// # Errors
///
/// If it cannot be read. Without it, damaged files would be taken as they are.
fn old_manifest(run: &Location) -> Result<Option<Manifest>, ReadError> {
    let path = run.path.join("manifest.json");
    let text = match run.store.read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| ReadError::new(&path, &format!("cannot read: {error}")))?,
    };
    let old = serde_json::from_slice(&text).ok();
    Ok(old.filter(|old: &Manifest| old.parts.iter().all(|part| part.check_names().is_ok())))
}

/// The hash of the file with this path in a part of the manifest or in one that it leaves out.
fn hash_of<'a>(manifest: &'a Manifest, path: &str) -> Option<&'a String> {
    let mut files = manifest.parts.iter().chain(&manifest.left_out).flat_map(|part| &part.files);
    files.find(|file| file.path == path)?.sha256.as_ref()
}

/// The index of the first part with a file whose hash differs from the old manifest, and the error.
fn first_changed(folder: &Path, old: &Manifest, new: &Manifest) -> Option<(usize, ReadError)> {
    new.parts.iter().enumerate().find_map(|(index, part)| {
        let is_changed = |file: &&PartFile| hash_of(old, &file.path).is_some_and(|old| file.sha256.as_ref() != Some(old));
        let file = part.files.iter().find(is_changed)?;
        let what = format!(
            "has a different SHA-256 than the old manifest.json says: it is damaged, or another tool rewrote it; {} \
             takes it as it is",
            argument("accept_changes", "")
        );
        Some((index, ReadError::new(&folder.join(&file.path), &what)))
    })
}

/// Why the manifest does not name a part that comes after its own; `None` if there is no such part.
fn parts_after(
    run: &Location,
    config: &RunConfig,
    manifest: &Manifest,
) -> Result<Option<ReadError>, ReadError> {
    let end = config.range().end;
    let next = (config.range().start + manifest.games).div_ceil(config.games_per_part);
    let found = parts_found(run)?;
    Ok(found.range(next..).next().map(|(part, _)| {
        let what = if *part >= end.div_ceil(config.games_per_part) {
            format!("part {part} is beyond the {end} games of run.toml")
        } else if *part == next {
            format!("part {part} is there without a table of games")
        } else {
            format!("part {part} is there without the part before it")
        };
        ReadError::new(&run.path, &what)
    }))
}
