//! The released versions of the parameters, and files that override some of them.

use std::path::{Path, PathBuf};

use jantaku_engine::Players;
use toml::{Table, Value};

use super::params::ParamSet;
use crate::by_players::ByPlayers;
use crate::{ParameterFile, PlacementModel};

/// The versions of the released parameters. A released version never changes, so that runs played
/// with it stay reproducible.
pub(super) const VERSIONS: &[&str] = &["1", "2", "3"];
/// The version that agents have by default.
pub(super) const DEFAULT: &str = "3";
/// The parameters of version 1, and those that later versions change.
const TEXTS: [&str; 3] =
    [include_str!("params.toml"), include_str!("params-2.toml"), include_str!("params-3.toml")];
/// The table of parameters for games of three.
const THREE_PLAYERS: &str = "three_players";

/// The parameters of [`Heuristic`](super::Heuristic), read from TOML.
///
/// The file `params.toml` beside the source has all of them. The tables under `three_players`
/// override parameters for games of three. A file that overrides some parameters has the same
/// tables and names.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    pub(super) sets: ByPlayers<ParamSet>,
}

/// The error for parameters that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct ParamsError {
    path: PathBuf,
    reason: String,
}

impl Params {
    /// The parameters of the default version.
    ///
    /// # Panics
    ///
    /// Never: the file is part of the program.
    pub fn released() -> Params {
        Params::from_table(released(DEFAULT)).expect("the released parameters are complete")
    }

    /// Reads parameters from a file. Parameters that it leaves out have the values of the default version.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not TOML, or has an unknown name or an invalid value.
    pub fn read(path: &Path) -> Result<Params, ParamsError> {
        Params::with_files(DEFAULT, Some(path.to_owned()), None).map(|(params, _)| params)
    }

    /// The placement model for games with this number of players.
    pub fn placements(&self, players: Players) -> PlacementModel {
        PlacementModel::new(&self.sets.of(players).placements)
    }

    /// The placement models for games with any number of players.
    pub(crate) fn placement_models(self) -> ByPlayers<PlacementModel> {
        self.sets.map(|params| PlacementModel::new(&params.placements))
    }

    /// The parameters of a released version, overridden by a file for any of them and by a file for the
    /// placement model, and all files that they come from.
    pub(super) fn with_files(
        version: &str,
        params: Option<PathBuf>,
        standing: Option<PathBuf>,
    ) -> Result<(Params, Vec<ParameterFile>), ParamsError> {
        let used = texts_of(version);
        let mut files: Vec<ParameterFile> = used
            .map(|(version, text)| ParameterFile::new(&format!("version={version}"), text.as_bytes()))
            .collect();
        let mut all = released(version);
        for (option, path) in [("params", params), ("standing", standing)] {
            let Some(path) = path else { continue };
            let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
            let added = text.and_then(|text| {
                files.push(ParameterFile::new(&format!("{option}={}", path.display()), text.as_bytes()));
                let changes: Table = text.parse().map_err(|error| text_of(&error))?;
                if option == "standing" {
                    check_only_standing(&changes)?;
                }
                check_numbers("", &Value::Table(changes.clone()))?;
                merge(&mut all, changes);
                Params::from_table(all.clone())
            });
            added.map_err(|reason| ParamsError { path, reason })?;
        }
        Ok((Params::from_table(all).expect("each file was accepted"), files))
    }

    fn from_table(mut all: Table) -> Result<Params, String> {
        let three_players = all.remove(THREE_PLAYERS);
        let usual: ParamSet = all.clone().try_into().map_err(|error| text_of(&error))?;
        match three_players {
            Some(Value::Table(changes)) => merge(&mut all, changes),
            Some(other) => {
                return Err(format!("`{THREE_PLAYERS}` is {}, expected a table", other.type_str()));
            }
            None => {}
        }
        let three_players: ParamSet = all.try_into().map_err(|error| text_of(&error))?;
        usual.check()?;
        three_players.check().map_err(|reason| format!("in games of three, {reason}"))?;
        Ok(Params { sets: ByPlayers { usual, three_players } })
    }
}

/// The texts of a released version with their versions. Each text changes parameters of the earlier
/// ones.
fn texts_of(version: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let last = VERSIONS.iter().position(|other| *other == version).expect("a released version");
    VERSIONS.iter().copied().zip(TEXTS).take(last + 1)
}

fn released(version: &str) -> Table {
    let mut all = Table::new();
    for (_, text) in texts_of(version) {
        merge(&mut all, text.parse().expect("the released parameters are TOML"));
    }
    all
}

/// Checks that a file has only tables of the placement model.
fn check_only_standing(changes: &Table) -> Result<(), String> {
    let three_players = changes.get(THREE_PLAYERS).and_then(Value::as_table);
    let names = changes.keys().filter(|name| *name != THREE_PLAYERS);
    match names.chain(three_players.into_iter().flat_map(Table::keys)).find(|name| *name != "standing") {
        Some(name) => {
            Err(format!("unknown table `{name}`, expected `standing` or `{THREE_PLAYERS}.standing`"))
        }
        None => Ok(()),
    }
}

/// The largest number allowed. Products of larger ones could overflow.
const MAX: f64 = 1e12;

/// Checks that all numbers in the value with this name are finite and not too large.
fn check_numbers(name: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::Float(number) if !(-MAX..=MAX).contains(number) => {
            Err(format!("`{name}` is {number}, expected a number from -{MAX:e} to {MAX:e}"))
        }
        Value::Integer(number) if number.unsigned_abs() > MAX as u64 => {
            Err(format!("`{name}` is {number}, expected a number from -{MAX:e} to {MAX:e}"))
        }
        Value::Array(values) => {
            let place = |at: usize| format!("{name}[{at}]");
            values.iter().enumerate().try_for_each(|(at, value)| check_numbers(&place(at), value))
        }
        Value::Table(values) => {
            let place = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
            values.iter().try_for_each(|(key, value)| check_numbers(&place(key), value))
        }
        _ => Ok(()),
    }
}

/// Overrides values, table by table.
fn merge(all: &mut Table, changes: Table) {
    for (name, change) in changes {
        match (all.get_mut(&name), change) {
            (Some(Value::Table(table)), Value::Table(change)) => merge(table, change),
            // Unknown names and values of a different type fail on deserialization.
            (_, change) => {
                all.insert(name, change);
            }
        }
    }
}

fn text_of(error: &toml::de::Error) -> String {
    error.to_string().trim_end().to_owned()
}
