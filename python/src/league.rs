//! The compiled part of `league`, and the shares of its tables for `jantaku.ray`.

use std::path::PathBuf;

use jantaku_sim::arena::{League, LeagueConfig, LeagueError, LeagueReport, LeagueRequest, LeagueResult};
use jantaku_sim::play::StartOptions;
use pyo3::prelude::*;
use serde_json::json;

use crate::agent::agent_error;
use crate::callable::Caller;
use crate::errors::value_error;
use crate::json::json_to_python;
use crate::runs::{
    AgentReader, Options, Outcome, detail_named, outcome, request_error, rules_choice, run_error,
    seatings_named, shard_named,
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

    /// The index of the agent with a fixed rating.
    fn anchor(&self, league: &LeagueConfig, caller: &Caller) -> PyResult<usize> {
        let anchor = AgentReader::new(caller).choose(self.anchor.as_ref())?;
        let anchor = anchor.map(|anchor| anchor.one("anchor")).transpose().map_err(agent_error)?;
        league.anchor(anchor.as_ref()).map_err(value_error)
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
    let (league, agents) = py.detach(|| request.resolve()).map_err(|error| league_error(error, resume))?;
    let anchor = asked.anchor(league.config(), session.caller())?;
    session.expect(league.remaining().map_err(run_error)?);
    let stop = session.stop();
    let result = session.run(py, |watch| league.play(&agents, start.verbose, stop, watch))?;
    let result = session.ended(result.map_err(|error| league_error(error, resume)))?;
    let report = LeagueReport::new(league.config(), out.as_deref(), result, anchor, asked.anchor_rating);
    out.iter().try_for_each(|folder| report.write(folder)).map_err(run_error)?;
    outcome(py, &session, &report)
}

/// Creates or finds a league and plays nothing: its `league.toml` and what each table has to play.
/// See `jantaku.ray`.
#[pyfunction(name = "_league_plan")]
pub(crate) fn plan_league<'py>(
    py: Python<'py>,
    asked: AskedLeague<'py>,
    out: PathBuf,
    resume: bool,
    options: Options,
) -> PyResult<Bound<'py, PyAny>> {
    let request = asked.request(Some(out), resume, &options.start()?, &Caller::default())?;
    let (league, agents) = py.detach(|| request.resolve()).map_err(|error| league_error(error, resume))?;
    asked.anchor(league.config(), &Caller::default())?;
    let tables = league.tables(&agents).map_err(run_error)?;
    let config = toml::to_string(league.config()).map_err(value_error)?;
    json_to_python(py, &json!({ "config": config, "tables": tables }))
}

/// Rates a league by its games in complete parts, and writes `result.json`. See `jantaku.ray`.
#[pyfunction(name = "_league_report")]
pub(crate) fn report_league<'py>(
    py: Python<'py>,
    asked: AskedLeague<'py>,
    out: PathBuf,
    games_before: u64,
    seconds: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (config, result) = py.detach(|| League::read(&out)).map_err(run_error)?;
    let played = result.games.games() - games_before;
    let result = LeagueResult { played, seconds, threads, ..result };
    let anchor = asked.anchor(&config, &Caller::default())?;
    let report = LeagueReport::new(&config, Some(&out), result, anchor, asked.anchor_rating);
    report.write(&out).map_err(run_error)?;
    json_to_python(py, &serde_json::to_value(&report).map_err(value_error)?)
}

/// Plays a share of a league's table into a run of its own. See `jantaku.ray`.
#[pyfunction(name = "_league_share")]
pub(crate) fn play_league_share<'py>(
    py: Python<'py>,
    league: (String, Option<Bound<'py, PyAny>>),
    table: usize,
    shard: Option<String>,
    out: PathBuf,
    mut options: Options,
) -> Outcome<'py> {
    let (session, start) = (options.session()?, options.start()?);
    let config: LeagueConfig = toml::from_str(&league.0).map_err(value_error)?;
    let known = AgentReader::new(session.caller()).choose(league.1.as_ref())?;
    let known = known.map(|known| known.list("agents")).transpose();
    let known = known.map_err(|error| request_error(&error, false))?.unwrap_or_default();
    let agents = config.named_agents(&known).map_err(|error| request_error(&error, true))?;
    let shard = shard_named(shard.as_deref())?;
    let league = League::in_memory(config).map_err(run_error)?;
    let stop = session.stop();
    let played = session
        .run(py, |watch| league.play_share((table, shard), &out, &agents, start.verbose, stop, watch))?;
    let played = session.ended(played.map_err(|error| league_error(error, true)))?;
    outcome(py, &session, &json!({ "games": played.finished, "threads": played.threads }))
}
