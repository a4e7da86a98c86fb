//! Goes on with a run that was not finished, so that it ends with the bytes of one that was never interrupted.

use std::collections::BTreeSet;
use std::path::Path;

use crate::dataset::{ReadError, TableKind, read_games};
use crate::play::SelfPlay;
use crate::run::store::{Store, unfinished};
use crate::run::{Manifest, RunConfig, check_files, read_started_in};

/// What is there of a run, after everything that its manifest does not name has been removed: files that were being written, and those
/// of a part of which not all were complete.
///
/// # Errors
///
/// If a file cannot be read, the run was made by another version of the program or from logs, a part is damaged, or all games are there.
pub fn prepare<S: Store>(store: &mut S, folder: &Path) -> Result<(RunConfig, Manifest), ReadError> {
    let (config, manifest) = read_started_in(store, folder)?;
    let manifest = manifest.unwrap_or_default();
    let path = folder.join("run.toml");
    check(&config).map_err(|what| ReadError::new(&path, &what))?;
    if manifest.complete {
        return Err(ReadError::new(folder, &"the run is complete; there is nothing to go on with"));
    }
    clear(store, folder, &manifest).map_err(|error| ReadError::new(folder, &error))?;
    Ok((config, manifest))
}

/// Whether what is there of a run in a folder is whole, and its first game one of this run.
///
/// # Errors
///
/// If a file is damaged or not that of the manifest, or `run.toml` has been changed since.
pub fn check_kept(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    check_files(folder, config, manifest)?;
    let Some(first) = manifest.parts.first().filter(|_| config.keeps(TableKind::Decisions)) else {
        return Ok(());
    };
    let number = first.first_game;
    let games = read_games(folder, &config.contents(), first.part, Some(number))?;
    let Some(game) = games.first() else { return Ok(()) };
    let error = |what: String| Err(ReadError::new(&folder.join("run.toml"), &what));
    let seed = SelfPlay { games: config.games, seed: config.seed }.fixture(number).seed;
    if game.seed != seed {
        return error(format!(
            "`seed`: expected that from which the seed of game {number} follows, found {}",
            config.seed
        ));
    }
    if game.agents != config.agents {
        return error(format!(
            "`agents`: expected {:?}, who have played so far, found {:?}",
            game.agents, config.agents
        ));
    }
    Ok(())
}

/// Whether this program would have made the same run.
fn check(config: &RunConfig) -> Result<(), String> {
    if config.walls {
        return Err("games that came from logs are not played: convert the logs again".to_owned());
    }
    let own = RunConfig::of_logs();
    for (field, expected, found) in
        [("version", own.version, &config.version), ("commit", own.commit, &config.commit)]
    {
        if expected != *found {
            return Err(format!(
                "`{field}`: expected {expected}, that of this program, found {found}: another would not play the same games"
            ));
        }
    }
    Ok(())
}

/// Removes what the manifest does not name. Files that no run has are left alone.
fn clear<S: Store>(store: &mut S, folder: &Path, manifest: &Manifest) -> Result<(), String> {
    let named: BTreeSet<&str> =
        manifest.parts.iter().flat_map(|part| &part.files).map(|file| file.path.as_str()).collect();
    let (mut there, mut unnamed, mut partial) = (BTreeSet::new(), Vec::new(), Vec::new());
    for table in TableKind::ALL {
        let lies_in = folder.join(table.name());
        let names = store.names(&lies_in).map_err(|error| format!("{}: {error}", table.name()))?;
        for name in names {
            let (path, from_run) = (lies_in.join(&name), format!("{}/{name}", table.name()));
            match unfinished(&name) {
                Some(whole) if is_part(whole) => partial.push(lies_in.join(whole)),
                None if is_part(&name) && !named.contains(from_run.as_str()) => unnamed.push(path),
                _ => _ = there.insert(from_run),
            }
        }
    }
    if let Some(name) = named.iter().find(|name| !there.contains(**name)) {
        return Err(format!("the manifest names {name}, which is not there"));
    }
    let small = ["run.toml", "manifest.json", "environment.json"].map(|name| folder.join(name));
    small.iter().chain(&partial).for_each(|path| store.discard(path));
    unnamed.iter().for_each(|path| store.withdraw(path));
    Ok(())
}

/// Whether a file has the name of a part.
fn is_part(name: &str) -> bool {
    let number = name.strip_prefix("part-").and_then(|rest| rest.strip_suffix(".parquet"));
    number.is_some_and(|number| number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit()))
}
