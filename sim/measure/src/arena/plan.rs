//! The file `match.toml`: what a match in a run plays.

use std::io;
use std::path::Path;

use jantaku_agents::OnFault;
use serde::{Deserialize, Serialize};

use super::sequential::Sprt;
use jantaku_sim::dataset::ReadError;
use jantaku_sim::play::SinkError;
use jantaku_sim::run;
use jantaku_sim::store;

/// What a match plays, besides its run: the contents of `match.toml`.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchPlan {
    /// The number of sets, or with a test the maximum. Without a number the test has no limit.
    pub sets: Option<u64>,
    /// The maximum number of games in play at once, if the user chose it.
    pub tables: Option<usize>,
    /// What happens after a fault of an external engine, if the user chose it.
    pub on_fault: Option<OnFault>,
    /// Whether the match also reports its results with reduced variance.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub variance_reduction: bool,
    /// The test that can end the match.
    pub sprt: Option<Sprt>,
}

/// The largest number of sets: with up to 24 games a set, no run can have more.
pub const MAX_SETS: u64 = i64::MAX as u64 / 24;

impl MatchPlan {
    /// The maximum number of sets of the match.
    pub fn most_sets(&self) -> u64 {
        self.sets.unwrap_or(MAX_SETS)
    }

    /// What is wrong with the plan of a match that has played this many sets.
    fn check(&self, played: u64) -> Result<(), String> {
        let expected = format!("expected a number from {} to {MAX_SETS}", played.max(1));
        match self.sets {
            Some(sets) if sets < played => {
                Err(format!("`sets`: {expected}, because {played} are played, found {sets}"))
            }
            Some(sets) if !(1..=MAX_SETS).contains(&sets) => Err(format!("`sets`: {expected}, found {sets}")),
            None if self.sprt.is_none() => Err(format!("`sets` is missing, {expected}, or `sprt`")),
            _ => self.sprt.map_or(Ok(()), |sprt| sprt.check()),
        }
    }

    /// Writes the plan of the run in a folder.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), SinkError> {
        let text = toml::to_string(self).expect("a plan has a form in TOML");
        store::save(&run.join("match.toml"), text.as_bytes())
    }

    /// Reads the plan of the run in a folder, which has played this many sets.
    ///
    /// # Errors
    ///
    /// If the file is missing or not valid.
    pub fn read(run: &Path, played: u64) -> Result<MatchPlan, ReadError> {
        let path = run.join("match.toml");
        let text = store::read(&path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let text = text.map_err(|error| ReadError::new(&path, &error))?;
        let plan: MatchPlan = toml::from_str(&text).map_err(|error| ReadError::new(&path, &error))?;
        plan.check(played).map_err(|what| ReadError::new(&path, &what))?;
        Ok(plan)
    }
}

/// Whether the run in a folder is a match that its test has stopped, so that intervals from its
/// games are conditional on that.
///
/// # Errors
///
/// If a file of the run or the match is not valid.
pub fn was_stopped_by_test(folder: &Path) -> Result<bool, ReadError> {
    if !store::exists(&folder.join("match.toml")) {
        return Ok(false);
    }
    let (config, manifest) = run::read(folder)?;
    let sets = manifest.games / config.schedule().games_per_set();
    let plan = MatchPlan::read(folder, sets)?;
    Ok(plan.sprt.is_some() && manifest.complete && sets < plan.most_sets())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_read_as_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let sprt = Sprt { low: 0.0, high: 0.05, alpha: 0.05, beta: 0.1 };
        let three = MatchPlan { sets: Some(3), ..MatchPlan::default() };
        let chosen = MatchPlan {
            tables: Some(2),
            on_fault: Some(OnFault::Forfeit),
            variance_reduction: true,
            ..three
        };
        for plan in [three, chosen, MatchPlan { sets: None, sprt: Some(sprt), ..three }] {
            plan.write(folder.path()).expect("the folder is writable");
            assert_eq!(MatchPlan::read(folder.path(), 3).expect("the plan is valid"), plan);
        }
        let high = Sprt { high: -1.0, ..sprt };
        for (wrong, message) in [
            (MatchPlan { sprt: Some(high), ..three }, "the second difference"),
            (MatchPlan { sets: Some(2), ..three }, "`sets`: expected a number from 3 to "),
            (MatchPlan { sets: Some(0), ..three }, "because 3 are played, found 0"),
            (MatchPlan { sets: Some(u64::MAX >> 1), ..three }, ", found 9223372036854775807"),
            (MatchPlan { sets: None, ..three }, "`sets` is missing"),
        ] {
            wrong.write(folder.path()).expect("the folder is writable");
            let error = MatchPlan::read(folder.path(), 3).expect_err("the plan is wrong").to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
