//! Prepares an interrupted run to be resumed: it ends with the bytes of an uninterrupted one.
//!
//! # Why
//!
//! **How does a killed run continue?** The manifest is replaced only after all files of a part have
//! their final names, so it lists complete parts only. `--resume` removes half-written files and
//! continues at the first game that is not listed. Its settings come from `run.toml`; flags that
//! disagree are an error. So is a different version or commit of the program, which might play
//! different games. The folder is locked while it is written. Rejected: continuing inside a part,
//! which would keep the writer's state on disk to save a few seconds of play. Also rejected: taking
//! a part that is whole but not yet listed. No hash proves its files, and replaying it to compare
//! takes as long as playing it.

use std::path::Path;

use crate::dataset::{ReadError, SCHEMA_VERSION, TableKind, read_games};
use crate::run::check_files::{check_files, check_size, file_sizes, table_entries};
use crate::run::config::RunConfig;
use crate::run::find_parts::{BadPart, next_part, parts_found};
use crate::run::manifest::{Manifest, part_number};
use crate::store::{Location, unfinished};
use crate::{VERSION, commit};

/// Checks the files of the parts that the manifest names, removes half-written files, and returns the
/// manifest.
///
/// A part may be whole before the manifest names it. Nothing states its hash, so it counts as not
/// written and is played again; until then its files stay. Also returns why the next part cannot be
/// played, if it is there with games of another run.
///
/// # Errors
///
/// - There are parts, but no manifest.
/// - A file of the manifest is missing or has a different size.
/// - A folder cannot be read.
pub(super) fn prepare(
    run: &Location,
    config: &RunConfig,
    manifest: Option<Manifest>,
) -> Result<(Manifest, Option<ReadError>), ReadError> {
    let manifest = match manifest {
        Some(manifest) => manifest,
        None => no_parts(run)?,
    };
    check_named(run, &manifest)?;
    let foreign = match next_part(run, config, &manifest) {
        Err(BadPart::OtherRun(error)) if !manifest.complete => Some(
            error
                .advise("if the part is the wrong one, move its files away; then its games are played again"),
        ),
        _ => None,
    };
    discard_partial(run)?;
    Ok((manifest, foreign))
}

/// The manifest of a run that has none yet: it names no part. If there are parts, their manifest was lost,
/// which is an error.
fn no_parts(run: &Location) -> Result<Manifest, ReadError> {
    let found = parts_found(run)?;
    if found.is_empty() {
        return Ok(Manifest::default());
    }
    let mut tables: Vec<&str> = found.values().flatten().copied().collect();
    tables.sort_unstable();
    tables.dedup();
    let (parts, tables) = (found.len(), tables.join(", "));
    let there = if parts == 1 { "1 part is".to_owned() } else { format!("{parts} parts are") };
    let what = format!(
        "is missing, but {there} there ({tables}); `jantaku rebuild-manifest {}` writes it from the parts, \
        then the run can be resumed",
        run.path.display()
    );
    Err(ReadError::new(&run.path.join("manifest.json"), &what))
}

/// Checks that the files of the manifest are there and have their sizes.
fn check_named(run: &Location, manifest: &Manifest) -> Result<(), ReadError> {
    let sizes = file_sizes(run, manifest)?;
    for file in manifest.files() {
        let Some(found) = sizes.get(&file.path) else {
            let what = format!(
                "the manifest names {}, but there is no such file; `jantaku rebuild-manifest` names the \
                parts before it",
                file.path
            );
            return Err(ReadError::new(&run.path, &what));
        };
        check_size(&run.path, file, *found)?;
    }
    Ok(())
}

/// Removes the half-written files of a run. Files of other programs stay.
fn discard_partial(run: &Location) -> Result<(), ReadError> {
    for name in ["run.toml", "manifest.json", "environment.json"] {
        run.store.discard(&run.path.join(name));
    }
    for table in TableKind::ALL {
        let path = run.path.join(table.name());
        let entries = table_entries(run, table.name())?;
        let partial = entries.iter().filter_map(|entry| unfinished(&entry.name));
        let of_parts = partial.filter(|name| part_number(name).is_some());
        of_parts.for_each(|name| run.store.discard(&path.join(name)));
    }
    Ok(())
}

/// Checks the files of the complete parts against the manifest, and the first game against
/// `run.toml`.
///
/// # Errors
///
/// If a file is damaged or does not agree with the manifest, or `run.toml` was changed after the
/// game was written.
pub(super) fn check_kept(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
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
    let found = config.contents().agents_of(number);
    if game.agents != found {
        let expected = &game.agents;
        return error(format!("`agents`: expected {expected:?} as in the stored games, found {found:?}"));
    }
    Ok(())
}

/// Checks that this program has the version and commit of the one that started the run, and that
/// the agents' parameters are unchanged.
///
/// # Errors
///
/// If they differ, or the games come from logs.
pub(super) fn check_program(folder: &Path, config: &RunConfig) -> Result<(), ReadError> {
    let error = |what: String| ReadError::new(&folder.join("run.toml"), &what);
    if config.from_logs {
        let what = "the games come from logs and are not played: convert the logs again";
        return Err(error(what.to_owned()));
    }
    if config.schema != SCHEMA_VERSION {
        return Err(error(format!(
            "`schema`: expected {SCHEMA_VERSION} as in this program, found {}: all parts of a run have one \
            version",
            config.schema
        )));
    }
    for (field, expected, found) in
        [("version", VERSION, &config.version), ("commit", commit(), &config.commit)]
    {
        if expected != *found {
            return Err(error(format!(
                "`{field}`: expected {expected} as in this program, found {found}: \
                another program may play other games"
            )));
        }
    }
    config.parameters.check().map_err(error)
}
