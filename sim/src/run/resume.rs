//! Prepares an interrupted run to be resumed: it ends with the bytes of an uninterrupted one.

use std::collections::BTreeSet;
use std::path::Path;

use crate::dataset::{ReadError, TableKind, read_games};
use crate::run::check::check_files;
use crate::run::config::RunConfig;
use crate::run::files::read_started_in;
use crate::run::manifest::Manifest;
use crate::run::store::{Store, unfinished};

/// Removes the files of parts that the manifest does not name, and reads the run.
///
/// The removed files are half written or belong to a part that is not complete. Files with other
/// names stay.
///
/// # Errors
///
/// - A file cannot be read, or a file of the manifest is missing.
/// - The run comes from another version of the program, or from logs.
/// - The run is complete.
pub fn prepare<S: Store>(store: &mut S, folder: &Path) -> Result<(RunConfig, Manifest), ReadError> {
    let (config, manifest) = read_started_in(store, folder)?;
    let manifest = manifest.unwrap_or_default();
    let path = folder.join("run.toml");
    check_program(&config).map_err(|what| ReadError::new(&path, &what))?;
    if manifest.complete {
        return Err(ReadError::new(folder, &"the run is complete; there is nothing to resume"));
    }
    clear(store, folder, &manifest).map_err(|error| ReadError::new(folder, &error))?;
    Ok((config, manifest))
}

/// Checks the files of the complete parts against the manifest, and the first game against
/// `run.toml`.
///
/// # Errors
///
/// If a file is damaged or does not agree with the manifest, or `run.toml` was changed after the
/// game was written.
pub fn check_kept(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    check_files(folder, config, manifest)?;
    let Some(first) = manifest.parts.first().filter(|_| config.keeps(TableKind::Decisions)) else {
        return Ok(());
    };
    let number = first.first_game;
    let games = read_games(folder, &config.contents(), first.part, Some(number))?;
    let Some(game) = games.first() else { return Ok(()) };
    let error = |what: String| Err(ReadError::new(&folder.join("run.toml"), &what));
    if game.seed != config.schedule().fixture(number).seed {
        let found = config.seed;
        return error(format!("`seed`: expected that of the stored game {number}, found {found}"));
    }
    if game.agents != config.agents {
        let (expected, found) = (&game.agents, &config.agents);
        return error(format!("`agents`: expected {expected:?}, those of the stored games, found {found:?}"));
    }
    Ok(())
}

/// Checks that the program that started the run has the version and commit of this one.
fn check_program(config: &RunConfig) -> Result<(), String> {
    if config.walls {
        return Err("the games come from logs and are not played: convert the logs again".to_owned());
    }
    let own = RunConfig::of_logs(config.detail);
    if config.schema != own.schema {
        return Err(format!(
            "`schema`: expected {}, that of this program, found {}: all parts of a run have one version",
            own.schema, config.schema
        ));
    }
    for (field, expected, found) in
        [("version", own.version, &config.version), ("commit", own.commit, &config.commit)]
    {
        if expected != *found {
            return Err(format!(
                "`{field}`: expected {expected}, that of this program, found {found}: \
                another program may play other games"
            ));
        }
    }
    Ok(())
}

/// Removes the files of parts that the manifest does not name.
fn clear<S: Store>(store: &mut S, folder: &Path, manifest: &Manifest) -> Result<(), String> {
    let named: BTreeSet<&str> =
        manifest.parts.iter().flat_map(|part| &part.files).map(|file| file.path.as_str()).collect();
    let (mut present, mut unnamed, mut partial) = (BTreeSet::new(), Vec::new(), Vec::new());
    for table in TableKind::ALL {
        let table_folder = folder.join(table.name());
        let names = store.names(&table_folder).map_err(|error| format!("{}: {error}", table.name()))?;
        for name in names {
            let (path, from_run) = (table_folder.join(&name), format!("{}/{name}", table.name()));
            match unfinished(&name) {
                Some(whole) if is_part(whole) => partial.push(table_folder.join(whole)),
                None if is_part(&name) && !named.contains(from_run.as_str()) => unnamed.push(path),
                _ => _ = present.insert(from_run),
            }
        }
    }
    if let Some(name) = named.iter().find(|name| !present.contains(**name)) {
        return Err(format!("the manifest names {name}, but there is no such file"));
    }
    let small = ["run.toml", "manifest.json", "environment.json"].map(|name| folder.join(name));
    small.iter().chain(&partial).for_each(|path| store.discard(path));
    unnamed.iter().for_each(|path| store.withdraw(path));
    Ok(())
}

/// Whether a file name is that of a part.
fn is_part(name: &str) -> bool {
    let number = name.strip_prefix("part-").and_then(|rest| rest.strip_suffix(".parquet"));
    number.is_some_and(|number| number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit()))
}
