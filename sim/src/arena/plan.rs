//! The file `match.toml`: what a match in a run shall play.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::sequential::Sprt;
use crate::dataset::ReadError;
use crate::play::SinkError;
use crate::run::store::{Folder, write};

/// What a match shall play, beside its run: the contents of `match.toml`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchPlan {
    /// The number of sets, or the most of them with a test.
    pub sets: u64,
    /// The test that can end the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl MatchPlan {
    /// Writes the plan of the run in a folder.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), SinkError> {
        let text = toml::to_string(self).expect("a plan has a form in TOML");
        write(&mut Folder, &run.join("match.toml"), text.as_bytes())
    }

    /// Reads the plan of the run in a folder.
    ///
    /// # Errors
    ///
    /// If the file is missing or not valid.
    pub fn read(run: &Path) -> Result<MatchPlan, ReadError> {
        let path = run.join("match.toml");
        let text = std::fs::read_to_string(&path).map_err(|error| ReadError::new(&path, &error))?;
        let plan: MatchPlan = toml::from_str(&text).map_err(|error| ReadError::new(&path, &error))?;
        plan.sprt.map_or(Ok(()), |sprt| sprt.check()).map_err(|what| ReadError::new(&path, &what))?;
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_read_as_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let sprt = Sprt { low: 0.0, high: 0.05, alpha: 0.05, beta: 0.1 };
        for plan in [MatchPlan { sets: 3, sprt: None }, MatchPlan { sets: 3, sprt: Some(sprt) }] {
            plan.write(folder.path()).expect("the folder is writable");
            assert_eq!(MatchPlan::read(folder.path()).expect("the plan is valid"), plan);
        }
        let wrong = MatchPlan { sets: 3, sprt: Some(Sprt { high: -1.0, ..sprt }) };
        wrong.write(folder.path()).expect("the folder is writable");
        let error = MatchPlan::read(folder.path()).expect_err("the gains are in the wrong order");
        assert!(error.to_string().contains("the second gain"), "{error}");
    }
}
