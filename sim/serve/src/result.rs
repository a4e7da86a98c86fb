//! The result so far of a run, a match or a league.

use std::path::Path;

use serde_json::Value;

use super::error::ServeError;
use jantaku_measure::arena::{LeagueReport, MatchResult};
use jantaku_measure::reports::GamesReport;
use jantaku_measure::reports::page::PageKind;
use jantaku_measure::stats::{Section, StoredRuns};
use jantaku_sim::play::By;
use jantaku_sim::store;

/// What a source plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Played {
    /// Games of self-play or logs, or a table of a league.
    Run,
    Match,
    League,
}

/// The result of the games in complete parts, as `--json` prints it: by `match` or `league`, and for a run by
/// `stats`.
#[derive(Debug)]
pub(super) struct ResultSoFar {
    pub(super) kind: PageKind,
    pub(super) json: Value,
}

impl Played {
    /// What is played in a folder, which may be in an object store.
    pub(super) fn of(folder: &Path) -> Played {
        let has = |name| store::exists(&folder.join(name));
        match (has("league.toml"), has("match.toml")) {
            (true, _) => Played::League,
            (_, true) => Played::Match,
            _ => Played::Run,
        }
    }

    /// The result of the games in a folder. There must be some, with hands.
    pub(super) fn result(self, folder: &Path) -> Result<ResultSoFar, ServeError> {
        let (kind, json) = match self {
            Played::Run => {
                let report = GamesReport::read(&StoredRuns::open(&[folder.to_owned()])?, &mut ())?;
                (PageKind::Statistics, serde_json::to_value(report).expect("a report is JSON"))
            }
            Played::Match => {
                let mut result = MatchResult::read(folder)?;
                result.keep_figures(&[Section::Players], &[By::Agent]);
                (PageKind::Match, serde_json::to_value(result).expect("a result is JSON"))
            }
            Played::League => {
                let report = LeagueReport::read(folder)?;
                (PageKind::League, serde_json::to_value(report).expect("a report is JSON"))
            }
        };
        Ok(ResultSoFar { kind, json })
    }
}
