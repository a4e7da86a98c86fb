//! Conditional tables of games that are played or stored.

use std::time::Instant;

use jantaku_sim::play::{FaultReport, Groups, Players, RunError, Watch};
use serde::{Deserialize, Serialize};

use super::games::{CountedGames, ReportError};
use super::request::Simulation;
use crate::stats::{
    CaseChoice, CaseRow, CaseTable, Cases, Condition, FigureTable, StoredRuns, case_columns, read_cases,
    simulate_cases,
};

/// A conditional table, and where its games come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CaseReport {
    /// The games.
    #[serde(flatten)]
    pub counted: CountedGames,
    /// The cases that are counted.
    pub of: Cases,
    /// The conditions that divide them.
    pub by: Vec<Condition>,
    /// The measures of each combination of values that has cases.
    pub rows: Vec<CaseRow>,
}

impl CaseReport {
    /// Plays games and counts their cases. Ignores targets of precision.
    ///
    /// # Errors
    ///
    /// As [`GamesReport::play`](super::GamesReport::play).
    pub fn play(
        games: &Simulation,
        choice: &CaseChoice,
        players: &mut Players,
        watch: &mut dyn Watch,
    ) -> Result<CaseReport, RunError> {
        let start = Instant::now();
        let agents: Vec<String> = players.names().into_iter().map(str::to_owned).collect();
        let table = simulate_cases(&games.job(games.games), players, choice, watch)?;
        let (complete, seconds) = (table.games() == games.games, start.elapsed().as_secs_f64());
        let rows = table.rows(&Groups::new(&agents));
        let counted = games_of(&table).played(games, agents, complete, seconds);
        let counted = CountedGames { faults: FaultReport::of(&players.faults()), ..counted };
        Ok(CaseReport { counted, of: choice.of, by: choice.by.clone(), rows })
    }

    /// Counts the cases of stored runs.
    ///
    /// # Errors
    ///
    /// As [`GamesReport::read`](super::GamesReport::read), and if a run has no decisions.
    pub fn read(
        runs: &StoredRuns,
        choice: &CaseChoice,
        watch: &mut dyn Watch,
    ) -> Result<CaseReport, ReportError> {
        let mut rows = Vec::new();
        let counted = CountedGames::stored(runs, || {
            let table = read_cases(runs, choice, watch)?;
            rows = table.rows(runs.groups());
            Ok(games_of(&table))
        })?;
        Ok(CaseReport { counted, of: choice.of, by: choice.by.clone(), rows })
    }

    /// The rows as a table with a column for each condition.
    pub fn columns(&self) -> FigureTable {
        case_columns(&self.by, &self.rows)
    }
}

/// How many games a table has counted, without where they come from.
fn games_of(table: &CaseTable) -> CountedGames {
    CountedGames::of([table.games(), table.units(), table.hands()], table.games_by_players())
}
