//! Joins the shards of a run.
//!
//! # Why
//!
//! **How does a merge stay inside a bucket?** The store copies the objects, 32 at a time, and the
//! manifest comes last. Only the manifests, `run.toml` and lists of sizes are read.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use jantaku_agents::argument;
use rayon::prelude::*;
use serde::Serialize;
use toml::Value;

use crate::dataset::ReadError;
use crate::path_text;
use crate::play::FAULTS;
use crate::run::check_files::{check_files, check_sizes, check_tables};
use crate::run::config::RunConfig;
use crate::run::environment::{ENVIRONMENT, Environment};
use crate::run::files::{config_text, read_unchecked, write_config, write_manifest};
use crate::run::in_use::{located, lock_run};
use crate::run::manifest::{Manifest, RowCounts};
use crate::run::new_folder::{NotNew, PLAN, claim_in};
use crate::run::start::StartError;
use crate::store::{self, Location, Lock, unfinished, write};

/// A run that was joined from shards.
#[derive(Clone, Debug, Serialize)]
pub struct Merged {
    /// Folder of the merged run.
    #[serde(serialize_with = "path_text::serialize")]
    pub out: PathBuf,
    /// Number of shards.
    pub shards: usize,
    /// Number of parts.
    pub parts: usize,
    /// Number of games.
    pub games: u64,
    /// Rows of its tables.
    pub rows: RowCounts,
    /// Agents of the run, with their options; empty if its games come from logs.
    pub agents: Vec<String>,
    /// Name of the rules as given.
    pub rules: String,
    /// Seed of the run.
    pub seed: u64,
}

/// Joins the shards of a run in a new folder, or inside an object store. The result has the same bytes
/// as a run without shards.
///
/// The shards may come in any order and stay unchanged. Files of parts are hard links to those of
/// the shards where the file system allows it, otherwise copies; an object store makes the copies
/// itself. Their sizes are compared with the manifests of the shards; their hashes are taken from
/// there. The manifest is written last. Shards of a match become a match, which is counted when it is
/// resumed.
///
/// # Errors
///
/// If the folders are not all the complete shards of one run, some are in another store than the
/// new run, or a file cannot be written. Then nothing is left of the new run. Files left by a
/// merge of the same shards that was killed or failed are no error: they are replaced.
pub fn merge(shards: &[PathBuf], out: &Path) -> Result<Merged, StartError> {
    let (number, (config, shards)) = (shards.len(), in_order(shards)?);
    let mut environment = Environment::default();
    let environments: Vec<_> = shards.par_iter().map(|(folder, _)| Environment::read(folder)).collect();
    environments.into_iter().for_each(|shard| environment.extend(shard));
    let (faults, plan) = (faults_of(&shards)?, plan_of(&shards)?);
    let run = located(out)?;
    let (mut manifest, mut files) = (Manifest::default(), Vec::new());
    for (folder, shard) in shards {
        let folder = folder_in_store_of(&folder, &run.path)?;
        for part in shard.parts {
            files.extend(part.files.iter().map(|file| (folder.join(&file.path), run.path.join(&file.path))));
            manifest.add(part);
        }
    }
    manifest.complete = true;
    let _lock =
        claim_target(&run, &config, &manifest, &files).map_err(|cause| StartError::not_new(out, cause))?;
    let written = run.store.adopt(&files).and_then(|()| {
        if !faults.is_empty() {
            write(&*run.store, &run.path.join(FAULTS), faults.as_bytes())?;
        }
        if let Some(plan) = &plan {
            write(&*run.store, &run.path.join(PLAN), plan.as_bytes())?;
        }
        environment.write(&run)?;
        write_config(&run, &config)?;
        write_manifest(&run, &manifest)
    });
    written.inspect_err(|_| {
        let adopted = files.into_iter().map(|(_, path)| path);
        let small = ["manifest.json", FAULTS, PLAN, ENVIRONMENT, "run.toml"].map(|name| run.path.join(name));
        // The manifest goes first: its upload may have ended without an answer. Without it, a file that
        // cannot be removed belongs to no run.
        run.store.remove(&small.into_iter().chain(adopted).collect::<Vec<_>>());
    })?;
    Ok(Merged {
        out: out.to_owned(),
        shards: number,
        parts: manifest.parts.len(),
        games: manifest.games,
        rows: manifest.rows,
        agents: config.agents,
        rules: config.rules_name,
        seed: config.seed,
    })
}

/// As [`claim_in`], but also takes a folder with files left by a killed or failed merge of the same shards.
fn claim_target(
    run: &Location,
    config: &RunConfig,
    manifest: &Manifest,
    files: &[(PathBuf, PathBuf)],
) -> Result<Option<Lock>, NotNew> {
    let claimed = claim_in(run);
    if let Err(NotNew::NotEmpty | NotNew::HoldsRun | NotNew::HoldsEmptyRun | NotNew::InUse(_)) = claimed
        && is_stopped_merge(run, config, manifest, files).map_err(NotNew::Unusable)?
    {
        return lock_run(run).map_err(NotNew::InUse);
    }
    claimed.map_err(NotNew::without_resuming)
}

/// Whether a folder holds some files of this merge and no others, but not all of them: it was killed, or it
/// failed and could not remove them.
fn is_stopped_merge(
    run: &Location,
    config: &RunConfig,
    manifest: &Manifest,
    files: &[(PathBuf, PathBuf)],
) -> io::Result<bool> {
    let tables: HashSet<&Path> = files.iter().filter_map(|(_, path)| path.parent()).collect();
    let mut missing: HashSet<PathBuf> = ["run.toml", "manifest.json"].map(|name| run.path.join(name)).into();
    missing.extend(files.iter().map(|(_, path)| path.clone()));
    let parts: HashSet<&Path> = files.iter().map(|(_, path)| path.as_path()).collect();
    for entry in run.store.entries(&run.path)? {
        let (path, partial) = (run.path.join(&entry.name), unfinished(&entry.name));
        let is_own = match partial.unwrap_or(&entry.name) {
            FAULTS | PLAN | ENVIRONMENT => true,
            "run.toml" | "manifest.json" if partial.is_some() => true,
            "run.toml" => run.store.read(&path)? == config_text(config).as_bytes(),
            "manifest.json" => serde_json::from_slice(&run.store.read(&path)?)
                .is_ok_and(|found: Manifest| found == *manifest),
            _ if tables.contains(path.as_path()) => run.store.entries(&path)?.iter().all(|entry| {
                missing.remove(&path.join(&entry.name));
                parts.contains(path.join(unfinished(&entry.name).unwrap_or(&entry.name)).as_path())
            }),
            _ => false,
        };
        missing.remove(&path);
        if !is_own {
            return Ok(false);
        }
    }
    Ok(!missing.is_empty())
}

/// The folder of a shard, which must be in the same kind of place as the merged run.
fn folder_in_store_of(shard: &Path, out: &Path) -> Result<PathBuf, ReadError> {
    let folder = located(shard)?.path;
    if store::is_url(&folder) == store::is_url(out) {
        return Ok(folder);
    }
    let what = format!("is not in the same store as {}: `merge` copies inside one store", out.display());
    Err(ReadError::new(shard, &what))
}

/// The lines of the files of faults of these shards, where there are such files.
fn faults_of(shards: &[(PathBuf, Manifest)]) -> Result<String, ReadError> {
    let texts = shards.par_iter().map(|(folder, _)| {
        let path = folder.join(FAULTS);
        let text = store::read_text(&path).map_err(|error| ReadError::new(&path, &error));
        text.map(Option::unwrap_or_default)
    });
    texts.collect::<Vec<_>>().into_iter().collect()
}

/// The text of `match.toml`, which all shards of a match share. None if the run is no match.
fn plan_of(shards: &[(PathBuf, Manifest)]) -> Result<Option<String>, ReadError> {
    let texts: Vec<_> = shards.par_iter().map(|(folder, _)| store::read_text(&folder.join(PLAN))).collect();
    let mut plan = None;
    for ((folder, _), text) in shards.iter().zip(texts) {
        let path = folder.join(PLAN);
        let text = text.map_err(|error| ReadError::new(&path, &error))?;
        if *plan.get_or_insert_with(|| text.clone()) != text {
            let what = format!("differs from that of {}", shards[0].0.display());
            return Err(ReadError::new(&path, &what));
        }
    }
    Ok(plan.flatten())
}

/// The configuration of the whole run, and its shards in order.
fn in_order(folders: &[PathBuf]) -> Result<(RunConfig, Vec<(PathBuf, Manifest)>), ReadError> {
    let mut whole: Option<(RunConfig, &Path)> = None;
    let mut found: BTreeMap<u64, (PathBuf, Manifest)> = BTreeMap::new();
    let mut total = 0;
    // A store answers many requests at once.
    let read: Vec<_> = folders.par_iter().map(|folder| read_unchecked(folder)).collect();
    for (folder, read) in folders.iter().zip(read) {
        let error = |what: &str| Err(ReadError::new(folder, &what));
        if read.is_err() && matches!(store::read_text(&folder.join("run.toml")), Ok(None)) {
            return error("expected the folder of a shard, found no run.toml there");
        }
        let (config, manifest) = read?;
        let Some(shard) = config.shard else { return error("is a whole run, expected a shard") };
        let config = RunConfig { shard: None, ..config };
        let (first, first_folder) = whole.get_or_insert_with(|| (config.clone(), folder));
        let other_share = total != 0 && total != shard.of();
        let share = other_share.then(|| format!("expected one of {total} shards, found shard {shard}"));
        if let Some(what) = first_difference(first, &config).or(share) {
            return error(&format!("is not a shard of the same run as {}: {what}", first_folder.display()));
        }
        if !manifest.complete {
            let resume = argument("resume", "");
            return error(&format!("is not complete: repeat its command with {resume} to complete it"));
        }
        total = shard.of();
        if let Some((other, _)) = found.insert(shard.number(), (folder.clone(), manifest)) {
            return error(&format!("is shard {shard}, but so is {}", other.display()));
        }
    }
    let none = || ReadError::new(Path::new("`shards`"), &"expected the folders of all shards, found none");
    let (config, folder) = whole.ok_or_else(none)?;
    let missing: Vec<u64> = (1..=total).filter(|number| !found.contains_key(number)).collect();
    match missing[..] {
        [] => {}
        [one] => return Err(ReadError::new(folder, &format!("shard {one}/{total} of this run is missing"))),
        _ => {
            let all = missing.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            return Err(ReadError::new(folder, &format!("shards {all} of {total} of this run are missing")));
        }
    }
    let shards: Vec<(PathBuf, Manifest)> = found.into_values().collect();
    let checks = shards.par_iter().map(|(folder, manifest)| check_shard(folder, &config, manifest));
    checks.collect::<Vec<_>>().into_iter().collect::<Result<(), ReadError>>()?;
    Ok((config, shards))
}

/// Checks the files of a shard. In an object store, nothing of a part is downloaded.
fn check_shard(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    if located(folder)?.store.is_local() {
        return check_files(folder, config, manifest);
    }
    check_tables(folder, config, manifest)?;
    check_sizes(folder, manifest)
}

/// The first entry of `run.toml` in which two runs differ, with both values.
fn first_difference(first: &RunConfig, other: &RunConfig) -> Option<String> {
    let entries = |config| toml::Table::try_from(config).expect("every field has a TOML form");
    let (mut expected, mut found, mut field) = (entries(first), entries(other), String::new());
    loop {
        let differs = |name: &&String| expected.get(*name) != found.get(*name);
        let name = expected.keys().chain(found.keys()).find(differs)?.clone();
        field += &name;
        match (expected.remove(&name), found.remove(&name)) {
            (Some(Value::Table(inner)), Some(Value::Table(other_inner))) => {
                (expected, found) = (inner, other_inner);
            }
            (expected, found) => {
                let [expected, found] = [expected, found]
                    .map(|value| value.map_or_else(|| "nothing".to_owned(), |value| value.to_string()));
                return Some(format!("`{field}`: expected {expected}, found {found}"));
            }
        }
        field += ".";
    }
}
