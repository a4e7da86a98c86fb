//! The compiled part of `league`.

use std::path::PathBuf;

use jantaku_sim::arena::{LeagueError, LeagueReport, LeagueRequest};
use jantaku_sim::play::StartOptions;
use pyo3::prelude::*;

use crate::agent::agent_error;
use crate::callable::Caller;
use crate::errors::value_error;
use crate::runs::{
    AgentReader, Options, Outcome, detail_named, outcome, request_error, rules_choice, run_error,
    seatings_named,
};

/// The arguments of a league; None for those not given.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct AskedLeague<'py> {
    agents: Option<Bound<'py, PyAny>>,
    sets: Option<u64>,
    rules: Option<Bound<'py, PyAny>>,
    seed: Option<u64>,
    seatings: Option<String>,
    log: Option<String>,
    anchor: Option<Bound<'py, PyAny>>,
    anchor_rating: f64,
}

impl AskedLeague<'_> {
    fn request(
        &self,
        out: Option<PathBuf>,
        resume: bool,
        start: &StartOptions,
        caller: &Caller,
    ) -> PyResult<LeagueRequest> {
        Ok(LeagueRequest {
            agents: AgentReader::new(caller).choose(self.agents.as_ref())?,
            sets: self.sets,
            rules: rules_choice(self.rules.as_ref())?,
            seed: self.seed,
            seatings: self.seatings.as_deref().map(seatings_named).transpose()?,
            log: self.log.as_deref().map(detail_named).transpose()?,
            out,
            resume,
            tables: start.tables,
            on_fault: start.on_fault,
        })
    }
}

fn league_error(error: LeagueError, resume: bool) -> PyErr {
    match error {
        LeagueError::Request(error) => request_error(&error, resume),
        other => run_error(other),
    }
}

/// Plays a league. See `jantaku.league`.
#[pyfunction(name = "_league")]
pub(crate) fn play_league<'py>(
    py: Python<'py>,
    asked: AskedLeague<'py>,
    out: Option<PathBuf>,
    resume: bool,
    mut options: Options,
) -> Outcome<'py> {
    let (session, start) = (options.session()?, options.start()?);
    let request = asked.request(out.clone(), resume, &start, session.caller())?;
    let anchor = AgentReader::new(session.caller()).choose(asked.anchor.as_ref())?;
    let (league, agents) = py.detach(|| request.resolve()).map_err(|error| league_error(error, resume))?;
    let anchor = anchor.map(|anchor| anchor.one("anchor")).transpose();
    let anchor = anchor.map_err(agent_error)?;
    let anchor = league.config().anchor(anchor.as_ref()).map_err(value_error)?;
    session.expect(league.remaining().map_err(run_error)?);
    let stop = session.stop();
    let result = session.run(py, |watch| league.play(&agents, start.verbose, stop, watch))?;
    let result = session.ended(result.map_err(|error| league_error(error, resume)))?;
    let report = LeagueReport::new(league.config(), out.as_deref(), result, anchor, asked.anchor_rating);
    out.iter().try_for_each(|folder| report.write(folder)).map_err(run_error)?;
    outcome(py, &session, &serde_json::to_value(&report).map_err(value_error)?)
}
