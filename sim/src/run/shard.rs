//! A run played in several places, and put together again.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::dataset::ReadError;
use crate::play::SinkError;
use crate::run::store::{Folder, Store as _};
use crate::run::{self, Manifest, RunConfig};

/// A share of a run: contiguous whole parts, under the numbers that they have in the whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// From 1.
    number: u64,
    of: u64,
}

impl Shard {
    /// Its parts of a run of so many.
    fn parts(self, parts: u64) -> Range<u64> {
        let before = |shards: u64| {
            let parts = u128::from(parts) * u128::from(shards) / u128::from(self.of);
            u64::try_from(parts).expect("no more than all parts")
        };
        before(self.number - 1)..before(self.number)
    }

    /// Its games of a run of so many, of which so many make a part; none if there is not a part for each shard.
    #[must_use]
    pub fn games(self, games: u64, per_part: u64) -> Option<Range<u64>> {
        let parts = games.div_ceil(per_part);
        let own = self.parts(parts);
        (self.of <= parts).then(|| own.start * per_part..games.min(own.end.saturating_mul(per_part)))
    }
}

/// As it is written on the command line and in `run.toml`: `2/4`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let shard = text.split_once('/').and_then(|(number, of)| {
            let (number, of) = (number.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&number).then_some(Shard { number, of })
        });
        shard.ok_or_else(|| format!("expected a shard such as 2/4, from 1/4 to 4/4, found `{text}`"))
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

/// Why shards could not be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// They are not all the shards of one run, or cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The run cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
}

/// Joins the shards of a run, in any order, to the run that one program would have written, in a new folder. The shards stay as they
/// are; where the system can, the files of parts get a second name instead of a copy.
///
/// # Errors
///
/// If they are not all complete shards of one run, or something cannot be written; then nothing of the new run is left.
pub fn merge(shards: &[PathBuf], out: &Path) -> Result<(RunConfig, Manifest), MergeError> {
    let (config, shards) = in_order(shards)?;
    let mut manifest = Manifest::default();
    let mut taken = Vec::new();
    let written = shards.into_iter().try_for_each(|(folder, shard)| {
        shard.parts.into_iter().try_for_each(|part| {
            for file in &part.files {
                let (from, to) = (folder.join(&file.path), out.join(&file.path));
                taken.push(to.clone());
                Folder.adopt(&from, &to).map_err(|cause| SinkError {
                    path: to,
                    what: "cannot write",
                    cause,
                })?;
            }
            manifest.add(part);
            Ok(())
        })
    });
    manifest.complete = true;
    let written = written.and_then(|()| run::write_config(&mut Folder, out, &config));
    let written = written.and_then(|()| run::write_manifest(&mut Folder, out, &manifest));
    match written {
        Ok(()) => Ok((config, manifest)),
        Err(error) => {
            taken.iter().for_each(|path| Folder.withdraw(path));
            Folder.withdraw(&out.join("run.toml"));
            Err(error.into())
        }
    }
}

/// The run of which these are all the shards, and the shards in order.
fn in_order(folders: &[PathBuf]) -> Result<(RunConfig, Vec<(PathBuf, Manifest)>), ReadError> {
    let mut whole: Option<(RunConfig, &Path)> = None;
    let mut found: BTreeMap<u64, (PathBuf, Manifest)> = BTreeMap::new();
    let mut of = 0;
    for folder in folders {
        let (mut config, manifest) = run::read(folder)?;
        let error = |what: &str| Err(ReadError::new(folder, &what));
        let Some(shard) = config.shard.take() else { return error("is a whole run, expected a shard") };
        let (first, first_folder) = whole.get_or_insert_with(|| (config.clone(), folder));
        let other_share = of != 0 && of != shard.of;
        let share = other_share.then(|| format!("expected one of {of} shards, found shard {shard}"));
        if let Some(what) = unlike(first, &config).or(share) {
            return error(&format!("is a shard of another run than {}: {what}", first_folder.display()));
        }
        if !manifest.complete {
            return error("is not complete: `jantaku selfplay --resume` goes on with it");
        }
        run::check_files(folder, &config, &manifest)?;
        of = shard.of;
        if let Some((other, _)) = found.insert(shard.number, (folder.clone(), manifest)) {
            return error(&format!("is shard {shard}, as is {}", other.display()));
        }
    }
    let (config, folder) = whole.ok_or_else(|| ReadError::new(Path::new(""), &"no shards"))?;
    match (1..=of).find(|number| !found.contains_key(number)) {
        Some(missing) => Err(ReadError::new(folder, &format!("shard {missing}/{of} of this run is missing"))),
        None => Ok((config, found.into_values().collect())),
    }
}

/// The first entry of `run.toml` in which two runs differ, with both values.
fn unlike(first: &RunConfig, other: &RunConfig) -> Option<String> {
    let entries = |config| toml::Table::try_from(config).expect("every field has a TOML form");
    let (mut expected, mut found, mut field) = (entries(first), entries(other), String::new());
    loop {
        let differs = |name: &&String| expected.get(*name) != found.get(*name);
        let name = expected.keys().chain(found.keys()).find(differs)?.clone();
        field += &name;
        match (expected.remove(&name), found.remove(&name)) {
            (Some(Value::Table(inner)), Some(Value::Table(other))) => (expected, found) = (inner, other),
            (expected, found) => {
                let [expected, found] = [expected, found]
                    .map(|value| value.map_or_else(|| "nothing".to_owned(), |value| value.to_string()));
                return Some(format!("`{field}`: expected {expected}, found {found}"));
            }
        }
        field += ".";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_hold_every_game_once() {
        for (games, per_part, of) in
            [(10, 1, 3), (10, 3, 4), (1000, 7, 5), (5, 10, 1), (i64::MAX as u64, 1, 2)]
        {
            let shards = (1..=of).map(|number| Shard { number, of });
            let ranges: Vec<Range<u64>> =
                shards.map(|shard| shard.games(games, per_part).expect("enough parts")).collect();
            assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, games));
            assert!(ranges.windows(2).all(|two| two[0].end == two[1].start));
            assert!(ranges.iter().all(|range| !range.is_empty() && range.start % per_part == 0));
        }
        assert_eq!(Shard { number: 1, of: 5 }.games(40, 10), None);
    }

    #[test]
    fn shards_are_written_as_they_are_read() {
        let shard: Shard = "2/4".parse().expect("a shard");
        assert_eq!((shard.number, shard.of, shard.to_string()), (2, 4, "2/4".to_owned()));
        for wrong in ["", "2", "0/4", "5/4", "2/0", "-1/2", "1/x"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
