//! Reads and writes `run.toml` and `manifest.json`.

use std::io;
use std::path::Path;

use crate::dataset::{OLDEST_SCHEMA, ReadError, SCHEMA_VERSION};
use crate::logs::files::{find_at, shown};
use crate::play::SinkError;
use crate::run::check_files::check_sizes;
use crate::run::config::RunConfig;
use crate::run::in_use::located;
use crate::run::manifest::Manifest;
use crate::store::{self, Location, write};

/// Reads `run.toml` and `manifest.json` of a run, and checks that the files of its parts exist with
/// the sizes that the manifest states.
///
/// # Errors
///
/// As [`read_unchecked`]; also if a file of a part is missing or has a different size.
pub fn read(folder: &Path) -> Result<(RunConfig, Manifest), ReadError> {
    let (config, manifest) = read_unchecked(folder)?;
    check_sizes(folder, &manifest)?;
    Ok((config, manifest))
}

/// Reads `run.toml` and `manifest.json` of a run, and looks at no file of a part.
///
/// # Errors
///
/// If a file is missing, cannot be parsed or contradicts itself or the other file.
pub fn read_unchecked(folder: &Path) -> Result<(RunConfig, Manifest), ReadError> {
    let (config, manifest) = read_started(folder)?;
    let missing = "is missing; `jantaku rebuild-manifest` writes it from the parts";
    Ok((config, manifest.ok_or_else(|| ReadError::new(&folder.join("manifest.json"), &missing))?))
}

/// Reads `run.toml` of a run in a folder or under a URL, and `manifest.json` if it exists already.
///
/// # Errors
///
/// If there is no `run.toml`, or a file cannot be parsed or contradicts itself or the other file.
pub fn read_started(folder: &Path) -> Result<(RunConfig, Option<Manifest>), ReadError> {
    let run = located(folder)?;
    if run.path.metadata().is_ok_and(|found| !found.is_dir()) {
        let what = "expected the folder of a run, found a file; `jantaku convert` makes a run of logs";
        return Err(ReadError::new(&run.path, &what));
    }
    read_started_in(&run)
}

/// [`read_started`]; `None` if there is no `run.toml`, or it is still being written.
///
/// # Errors
///
/// As [`read_started`], for example if a store does not answer.
pub fn find_started(folder: &Path) -> Result<Option<(RunConfig, Option<Manifest>)>, ReadError> {
    let run = located(folder)?;
    match run.store.read(&run.path.join("run.toml")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => read_started_in(&run).map(Some),
    }
}

/// [`read_started`] for a run in any store. Cached files with other hashes than the manifest's are dropped.
///
/// # Errors
///
/// As [`read_started`].
pub fn read_started_in(run: &Location) -> Result<(RunConfig, Option<Manifest>), ReadError> {
    let config = read_config(run)?;
    let manifest = read_manifest(run, &config)?;
    let files = manifest.iter().flat_map(Manifest::files);
    store::keep_only(files.map(|file| (run.path.join(&file.path), file.sha256.as_ref())));
    Ok((config, manifest))
}

/// Reads `run.toml`.
pub(super) fn read_config(run: &Location) -> Result<RunConfig, ReadError> {
    let path = run.path.join("run.toml");
    let error = |what: &dyn ToString| ReadError::new(&path, what);
    let text = read_text(run, &path)?
        .ok_or_else(|| no_config(run).unwrap_or_else(|| unreadable(&path, &not_found(&path))))?;
    let config: RunConfig = toml::from_str(&text).map_err(|e| error(&e))?;
    if !(OLDEST_SCHEMA..=SCHEMA_VERSION).contains(&config.schema) {
        let found = config.schema;
        let what = format!(
            "`schema`: expected tables of version {SCHEMA_VERSION} (oldest readable: {OLDEST_SCHEMA}), found \
             version {found}"
        );
        return Err(error(&what));
    }
    config.check().map_err(|wrong| error(&wrong))?;
    Ok(config)
}

/// The error for a folder without `run.toml` that has a manifest, a league, a run or logs.
fn no_config(run: &Location) -> Option<ReadError> {
    lost_config(run).or_else(|| {
        let what = if run.store.read(&run.path.join("league.toml")).is_ok() {
            format!("has a league; its runs are `{}/tables/*`", run.path.display())
        } else {
            let paths = if store::is_url(&run.path) { Vec::new() } else { find_at(&run.path).ok()? };
            let first = paths.first()?;
            let kind = if first.is_dir() { "run" } else { "log" };
            format!(
                "expected a run or a log, found a folder of them; name one, such as the {kind} `{}`",
                shown(first)
            )
        };
        Some(ReadError::new(&run.path, &what))
    })
}

/// The error for a run that lost its `run.toml`. `None` if there is no manifest, so no run.
pub(super) fn lost_config(run: &Location) -> Option<ReadError> {
    run.store.read(&run.path.join("manifest.json")).ok()?;
    let what = "is missing, but manifest.json is there: restore run.toml from a copy; no other file has the \
        options of the run";
    Some(ReadError::new(&run.path.join("run.toml"), &what))
}

/// Reads `manifest.json`; `None` if there is no such file.
fn read_manifest(run: &Location, config: &RunConfig) -> Result<Option<Manifest>, ReadError> {
    let path = run.path.join("manifest.json");
    let Some(text) = read_text(run, &path)? else { return Ok(None) };
    let manifest: Manifest = serde_json::from_str(&text).map_err(|e| {
        ReadError::new(&path, &format!("{e}; `jantaku rebuild-manifest` writes it from the parts"))
    })?;
    manifest.check(config).map_err(|what| ReadError::new(&path, &what))?;
    Ok(Some(manifest))
}

/// The text of a small file; `None` if there is no such file.
fn read_text(run: &Location, path: &Path) -> Result<Option<String>, ReadError> {
    let read = run.store.read(path);
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    match read.and_then(|bytes| String::from_utf8(bytes).map_err(invalid)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(ReadError::new(path, &error)),
        Err(error) => Err(unreadable(path, &error)),
    }
}

/// The error for a file that does not exist: that of the system, number 2 on Unix and on Windows, or one for
/// object stores.
fn not_found(path: &Path) -> io::Error {
    if store::is_url(path) {
        return io::Error::new(io::ErrorKind::NotFound, "no such object, or no such bucket");
    }
    io::Error::from_raw_os_error(2)
}

/// The error for a file that cannot be read. Unless a store fails, the folder may be the wrong one.
fn unreadable(path: &Path, error: &io::Error) -> ReadError {
    let advice = if store::is_url(path) && error.kind() != io::ErrorKind::NotFound {
        ""
    } else {
        "; is this the folder of a run? `jantaku convert` makes one of logs"
    };
    ReadError::new(path, &format!("cannot read: {error}{advice}"))
}

/// Writes `run.toml`, replacing an old one.
pub(crate) fn write_config(run: &Location, config: &RunConfig) -> Result<(), SinkError> {
    write(&*run.store, &run.path.join("run.toml"), config_text(config).as_bytes())
}

/// The text of `run.toml`.
pub(super) fn config_text(config: &RunConfig) -> String {
    toml::to_string(config).expect("every field has a TOML form")
}

/// Writes `manifest.json`, replacing an old one.
pub(crate) fn write_manifest(run: &Location, manifest: &Manifest) -> Result<(), SinkError> {
    let text = serde_json::to_string_pretty(manifest).expect("a manifest has a JSON form") + "\n";
    write(&*run.store, &run.path.join("manifest.json"), text.as_bytes())
}
