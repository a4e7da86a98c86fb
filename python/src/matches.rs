//! The compiled part of `match`, and the shares of matches for `jantaku.ray`.

use std::path::PathBuf;

use jantaku_sim::arena::{MatchRequest, PrepareError, Sprt};
use jantaku_sim::play::{By, StartOptions};
use jantaku_sim::run::{Run, Summary};
use jantaku_sim::stats::Section;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde_json::json;

use crate::agent::agent_error;
use crate::callable::Caller;
use crate::json::json_to_python;
use crate::runs::{
    AgentReader, Options, Outcome, detail_named, outcome, request_error, rules_choice, run_error,
    seatings_named, sections_named, shard_named,
};

/// The arguments of a match; None for those not given.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct AskedMatch<'py> {
    challenger: Option<Bound<'py, PyAny>>,
    baseline: Option<Bound<'py, PyAny>>,
    agents: Option<Bound<'py, PyAny>>,
    sets: Option<u64>,
    sprt: Option<(f64, f64)>,
    risk: (f64, f64),
    seatings: Option<String>,
    rules: Option<Bound<'py, PyAny>>,
    keep_draws: bool,
    seed: Option<u64>,
    log: Option<String>,
    shard: Option<String>,
    sections: Option<Vec<String>>,
}

impl AskedMatch<'_> {
    pub(crate) fn request(
        &self,
        out: Option<PathBuf>,
        resume: bool,
        start: &StartOptions,
        caller: &Caller,
    ) -> PyResult<MatchRequest> {
        let mut reader = AgentReader::new(caller);
        let (alpha, beta) = self.risk;
        Ok(MatchRequest {
            challenger: reader.choose(self.challenger.as_ref())?,
            baseline: reader.choose(self.baseline.as_ref())?,
            agents: reader.choose(self.agents.as_ref())?,
            seatings: self.seatings.as_deref().map(seatings_named).transpose()?,
            sets: self.sets,
            sprt: self.sprt.map(|(low, high)| Sprt { low, high, alpha, beta }),
            variance_reduction: false,
            rules: rules_choice(self.rules.as_ref())?,
            keep_draws: self.keep_draws,
            seed: self.seed,
            log: self.log.as_deref().map(detail_named).transpose()?,
            shard: shard_named(self.shard.as_deref())?,
            out,
            resume,
            tables: start.tables,
            on_fault: start.on_fault,
        })
    }

    /// Sections of the figures: by default those of the players.
    fn sections(&self) -> PyResult<Vec<Section>> {
        match &self.sections {
            None => Ok(vec![Section::Players]),
            sections => sections_named(sections.clone()),
        }
    }

    /// Checks the arguments of a new match.
    fn check_new(&self) -> PyResult<()> {
        let given = (self.challenger.is_some(), self.baseline.is_some(), self.agents.is_some());
        if !matches!(given, (true, true, false) | (false, false, true)) {
            return Err(PyTypeError::new_err("expected a challenger and a baseline, or `agents`"));
        }
        if self.sets.is_none() && self.sprt.is_none() {
            return Err(PyTypeError::new_err("expected `sets` or `sprt`, found neither"));
        }
        Ok(())
    }
}

/// The exception for a match that cannot be created or resumed.
fn prepare_error(error: PrepareError, resume: bool) -> PyErr {
    match error {
        PrepareError::Request(error) => request_error(&error, resume),
        PrepareError::Agent(error) => agent_error(error),
        other => run_error(other),
    }
}

/// Plays a match. See `jantaku.match`.
#[pyfunction(name = "_match")]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    asked: AskedMatch<'py>,
    out: Option<PathBuf>,
    resume: bool,
    mut options: Options,
) -> Outcome<'py> {
    let (session, start) = (options.session()?, options.start()?);
    let sections = asked.sections()?;
    if !resume {
        asked.check_new()?;
    }
    let request = asked.request(out.clone(), resume, &start, session.caller())?;
    let mut game = py.detach(|| request.resolve()).map_err(|error| prepare_error(error, resume))?;
    let players = py.detach(|| game.start(start.verbose, session.stop()));
    let mut players = players.map_err(|error| prepare_error(error, resume))?;
    session.expect(game.plan().sets.unwrap_or(0));
    let result = session.run(py, |watch| game.play(&mut players, watch))?;
    let mut result = session.ended(result.map_err(run_error))?;
    result.keep_figures(&sections, &[By::Agent]);
    if let Some(folder) = &out {
        py.detach(|| result.write(folder)).map_err(run_error)?;
    }
    outcome(py, &session, &result)
}

/// Plays a share of the games of a match into a run of its own. See `jantaku.ray`.
#[pyfunction(name = "_match_shard")]
pub(crate) fn match_shard<'py>(
    py: Python<'py>,
    asked: AskedMatch<'py>,
    out: PathBuf,
    resume: bool,
    mut options: Options,
) -> Outcome<'py> {
    let (session, start) = (options.session()?, options.start()?);
    asked.check_new()?;
    let request = asked.request(Some(out), resume, &start, session.caller())?;
    let mut game = py.detach(|| request.resolve_shard()).map_err(|error| prepare_error(error, resume))?;
    let players = py.detach(|| game.start(start.verbose, session.stop()));
    let mut players = players.map_err(|error| prepare_error(error, resume))?;
    let games = game.run().map_or(0..0, Run::remaining);
    session.expect(games.end - games.start);
    let played = session.run(py, |watch| game.play_shard(&mut players, watch))?;
    let played = session.ended(played.map_err(run_error))?;
    let (config, faults) = (game.config(), players.faults());
    let written = game.run().map(|run| (run.folder(), run.manifest()));
    outcome(py, &session, &Summary::new(config, &played, written, &faults))
}

/// The number of games and parts of a match.
#[pyfunction(name = "_match_shape")]
pub(crate) fn match_shape<'py>(
    py: Python<'py>,
    asked: AskedMatch<'py>,
    options: Options,
) -> PyResult<Bound<'py, PyAny>> {
    asked.check_new()?;
    // The folder only decides how much is written.
    let request = asked.request(Some(PathBuf::new()), false, &options.start()?, &Caller::default())?;
    let (config, _) = request.config().map_err(|error| request_error(&error, false))?;
    let games = config.games().unwrap_or(0);
    json_to_python(py, &json!({ "games": games, "parts": games.div_ceil(config.games_per_part) }))
}
