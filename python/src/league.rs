//! The compiled part of `league`, and the shares of its tables for `jantaku.ray`.

use std::path::PathBuf;

use jantaku_measure::arena::{League, LeagueConfig, LeagueError, LeagueReport, LeagueRequest, LeagueResult};
use jantaku_sim::run::Shard;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::arguments::{Call, read_call};
use crate::errors::value_error;
use crate::json::result_to_python;
use crate::runs::{Outcome, outcome, request_error, run_error};
use crate::session::Follow;

/// The request of a league.
fn league_request(call: &mut Call<'_>) -> PyResult<LeagueRequest> {
    Ok(LeagueRequest { start: call.start()?, ..call.take()? })
}

/// The index of the agent with a fixed rating.
fn anchor(request: &LeagueRequest, league: &LeagueConfig) -> PyResult<usize> {
    request.anchor(league).map_err(|error| request_error(&error, false))
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
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let (request, session) = read_call(arguments, progress, league_request)?;
    let (resume, verbose, out) = (request.resume, request.start.verbose, request.out.as_deref());
    let (league, agents) = py.detach(|| request.resolve()).map_err(|error| league_error(error, resume))?;
    let anchor = anchor(&request, league.config())?;
    session.expect(league.remaining().map_err(run_error)?);
    let stop = session.stop();
    let play = |watch: &mut Follow| league.play(&agents, verbose, stop, watch);
    let result = session.attempt(py, play, |error| league_error(error, resume))?;
    let report = LeagueReport::new(league.config(), out, result, anchor, request.anchor_rating);
    out.iter().try_for_each(|folder| report.write(folder)).map_err(run_error)?;
    outcome(py, &session, &report)
}

/// Creates or finds a league and plays nothing. Returns its `league.toml` and what each table has to
/// play. See `jantaku.ray`.
#[pyfunction(name = "_league_plan")]
pub(crate) fn plan_league<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let (request, _) = read_call(arguments, None, league_request)?;
    let resume = request.resume;
    let (league, agents) = py.detach(|| request.resolve()).map_err(|error| league_error(error, resume))?;
    anchor(&request, league.config())?;
    let tables = league.tables(&agents).map_err(run_error)?;
    let config = toml::to_string(league.config()).map_err(value_error)?;
    result_to_python(py, &json!({ "config": config, "tables": tables }))
}

/// Rates a league by its games in complete parts, and writes `result.json`. See `jantaku.ray`.
#[pyfunction(name = "_league_report")]
pub(crate) fn report_league<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    games_before: u64,
    seconds: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (request, _) = read_call(arguments, None, league_request)?;
    let out = request.out.clone().unwrap_or_default();
    let (config, result) = py.detach(|| League::read(&out)).map_err(run_error)?;
    let played = result.games.games() - games_before;
    let result = LeagueResult { played, seconds, threads, ..result };
    let anchor = anchor(&request, &config)?;
    let report = LeagueReport::new(&config, Some(&out), result, anchor, request.anchor_rating);
    report.write(&out).map_err(run_error)?;
    result_to_python(py, &report)
}

/// Plays a share of a league's table into a run of its own. See `jantaku.ray`.
#[pyfunction(name = "_league_share")]
pub(crate) fn play_league_share<'py>(
    py: Python<'py>,
    config: &str,
    arguments: &Bound<'py, PyDict>,
    table: usize,
    shard: Option<&str>,
    out: PathBuf,
) -> Outcome<'py> {
    let (request, session) = read_call(arguments, None, league_request)?;
    let verbose = request.start.verbose;
    let config: LeagueConfig = toml::from_str(config).map_err(value_error)?;
    let known = request.agents.map(|known| known.list("agents")).transpose();
    let known = known.map_err(|error| request_error(&error, false))?.unwrap_or_default();
    let agents = config.named_agents(&known).map_err(|error| request_error(&error, true))?;
    let shard = shard.map(str::parse::<Shard>).transpose().map_err(value_error)?;
    let league = League::in_memory(config).map_err(run_error)?;
    let stop = session.stop();
    let play = |watch: &mut Follow| league.play_share((table, shard), &out, &agents, verbose, stop, watch);
    let played = session.attempt(py, play, |error| league_error(error, true))?;
    outcome(py, &session, &json!({ "games": played.finished, "threads": played.threads }))
}
