//! The compiled part of `match`, and the shares of matches for `jantaku.ray`.

use std::path::PathBuf;

use jantaku_measure::arena::{MatchRequest, MatchShard, PrepareError};
use jantaku_measure::stats::Section;
use jantaku_sim::play::By;
use jantaku_sim::run::Run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::arguments::{Call, read_call};
use crate::errors::{agent_error, value_error};
use crate::json::result_to_python;
use crate::runs::{Outcome, outcome, request_error, run_error, sections_named};

/// The request of a match.
pub(crate) fn match_request(call: &mut Call<'_>) -> PyResult<MatchRequest> {
    Ok(MatchRequest { start: call.start()?, ..call.take()? })
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
    arguments: &Bound<'py, PyDict>,
    sections: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    // By default the figures of the players.
    let sections =
        sections.map_or_else(|| Ok(vec![Section::Players]), |names| sections_named(Some(names)))?;
    let (request, session) = read_call(arguments, progress, match_request)?;
    if request.shard.is_some() {
        return Err(value_error(
            "`shard`: a share of a match has no result; `jantaku.ray.match` plays all shares, and the program \
             plays one",
        ));
    }
    let (resume, verbose) = (request.resume, request.start.verbose);
    let wrong = |error| prepare_error(error, resume);
    let mut game = py.detach(|| request.resolve()).map_err(wrong)?;
    let mut players = py.detach(|| game.start(verbose, session.stop())).map_err(wrong)?;
    session.expect(game.plan().sets.unwrap_or(0));
    let mut result = session.attempt(py, |watch| game.play(&mut players, watch), run_error)?;
    result.keep_figures(&sections, &[By::Agent]);
    if let Some(folder) = &request.out {
        py.detach(|| result.write(folder)).map_err(run_error)?;
    }
    outcome(py, &session, &result)
}

/// Plays a share of the games of a match into a run of its own. See `jantaku.ray`.
#[pyfunction(name = "_match_shard")]
pub(crate) fn match_shard<'py>(py: Python<'py>, arguments: &Bound<'py, PyDict>) -> Outcome<'py> {
    let (request, session) = read_call(arguments, None, match_request)?;
    let (resume, verbose) = (request.resume, request.start.verbose);
    let wrong = |error| prepare_error(error, resume);
    let mut game = py.detach(|| request.resolve_shard()).map_err(wrong)?;
    let mut players = py.detach(|| game.start(verbose, session.stop())).map_err(wrong)?;
    let games = game.run().map_or(0..0, Run::remaining);
    session.expect(games.end - games.start);
    let played = session.attempt(py, |watch| game.play_shard(&mut players, watch), run_error)?;
    outcome(py, &session, &MatchShard::new(&game, &played, &players.faults()))
}

/// The number of games and parts of a match.
#[pyfunction(name = "_match_shape")]
pub(crate) fn match_shape<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let (request, _) = read_call(arguments, None, match_request)?;
    // Options such as `log` need a folder. Nothing is written.
    let request = MatchRequest { out: Some(PathBuf::new()), ..request };
    let (config, _) = request.config().map_err(|error| request_error(&error, false))?;
    // Only a match with `sprt` has no number of games, and `jantaku.ray` refuses that.
    let games = config.games.unwrap_or(0);
    result_to_python(py, &json!({ "games": games, "parts": games.div_ceil(config.games_per_part) }))
}
