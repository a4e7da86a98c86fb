//! Statistics and sweeps whose games several processes play, for `jantaku.ray`.
//!
//! One process has a `Gathering`: it says which games are next, and adds their tallies. The others
//! play ranges of games and return the tallies as bytes.

use jantaku_agents::NamedAgent;
use jantaku_measure::reports::{GamesReport, Simulation, SweepPlan, SweepReport};
use jantaku_measure::stats::{self, Batches, Statistics, Sweep, Tallied as _, empty_sweep};
use jantaku_sim::play::{Groups, Job};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::json::result_to_python;
use crate::runs::{run_error, sections_named};
use crate::session::Session;
use crate::statistics::{simulation, start, sweep_plan};

/// A tally, and the exception that stopped its games early.
type Tally<'py> = (Bound<'py, PyBytes>, Option<Py<PyAny>>);

/// The games of statistics or of a sweep, and their figures so far.
enum Games {
    Stats { plan: Box<Simulation>, agents: Vec<String>, total: Statistics },
    Sweep { plan: Box<SweepPlan>, total: Sweep },
}

/// Statistics or a sweep whose games other processes play.
#[pyclass(name = "_Gathering", module = "jantaku._jantaku")]
pub(crate) struct Gathering {
    games: Games,
    batches: Batches,
}

#[pymethods]
impl Gathering {
    /// Statistics without games.
    #[staticmethod]
    fn of_stats(arguments: &Bound<'_, PyDict>) -> PyResult<Gathering> {
        let plan = Box::new(simulation(arguments)?);
        let agents: Vec<String> = plan.agents.iter().map(NamedAgent::to_string).collect();
        let total = Statistics::new(&Groups::new(&agents), &plan.rules.rules);
        let batches = Batches::new(plan.games, &plan.targets);
        Ok(Gathering { games: Games::Stats { plan, agents, total }, batches })
    }

    /// A sweep without games.
    #[staticmethod]
    fn of_sweep(arguments: &Bound<'_, PyDict>) -> PyResult<Gathering> {
        let plan = Box::new(sweep_plan(arguments, None)?.0);
        let (_, total) = empty_sweep(&plan.jobs(plan.games), &plan.policies);
        let batches = Batches::new(plan.games, &plan.targets);
        Ok(Gathering { games: Games::Sweep { plan, total }, batches })
    }

    /// The first game of the next batch, and the end of the batch. None after the last batch.
    ///
    /// Its games may be played in any order. All of them must be added before the next call.
    fn next_batch(&mut self) -> Option<(u64, u64)> {
        let batch = match &self.games {
            Games::Stats { plan, total, .. } => self.batches.after(total, &plan.targets),
            Games::Sweep { plan, total } => self.batches.after(total, &plan.targets),
        };
        batch.map(|batch| (batch.start, batch.end))
    }

    /// How many games are expected in all.
    #[getter]
    const fn expected(&self) -> u64 {
        self.batches.expected()
    }

    /// Adds the games of a tally.
    fn add(&mut self, tally: &[u8]) -> PyResult<()> {
        let added = match &mut self.games {
            Games::Stats { total, .. } => total.add_tally(tally),
            Games::Sweep { total, .. } => total.add_tally(tally),
        };
        added.map_err(run_error)
    }

    /// What `_stats` or `_sweep` returns of these games.
    fn report<'py>(
        &self,
        py: Python<'py>,
        sections: Option<Vec<String>>,
        complete: bool,
        seconds: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sections = sections_named(sections)?;
        match &self.games {
            Games::Stats { plan, agents, total } => {
                let mut report = GamesReport::of(plan, agents.clone(), total, complete, seconds);
                report.figures.retain(|row| row.is_in(&sections));
                result_to_python(py, &report)
            }
            Games::Sweep { plan, total } => {
                let mut swept = SweepReport::of(plan, total, complete, seconds);
                swept.figures.retain(|found| found.row.is_in(&sections));
                result_to_python(py, &swept)
            }
        }
    }
}

/// The tally of games, and the exception that stopped them early.
fn tally<'py>(py: Python<'py>, session: &Session, total: &impl stats::Tallied) -> Tally<'py> {
    let error = session.take_error().map(|error| error.into_value(py).into_any());
    (PyBytes::new(py, &total.to_tally()), error)
}

/// Plays these games of statistics.
#[pyfunction(name = "_simulate_share")]
pub(crate) fn simulate_share<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    games: (u64, u64),
) -> PyResult<Tally<'py>> {
    let (plan, _, mut players, session) = start(py, arguments, None)?;
    let job = Job { games: games.0..games.1, ..plan.job(plan.games) };
    let total = session.attempt(py, |watch| stats::simulate(&job, &mut players, watch), run_error)?;
    Ok(tally(py, &session, &total))
}

/// Plays these games of a sweep under every variant.
#[pyfunction(name = "_sweep_share")]
pub(crate) fn sweep_share<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    games: (u64, u64),
) -> PyResult<Tally<'py>> {
    let (plan, session) = sweep_plan(arguments, None)?;
    let share = |job| Job { games: games.0..games.1, ..job };
    let jobs: Vec<Job<'_>> = plan.jobs(plan.games).into_iter().map(share).collect();
    let total = session.attempt(py, |watch| stats::sweep(&jobs, &plan.policies, watch), run_error)?;
    Ok(tally(py, &session, &total))
}
