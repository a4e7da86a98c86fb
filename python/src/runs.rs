//! The compiled part of `selfplay`, `info`, `merge` and `label`, and functions that other modules use.
//!
//! The functions of this file return the JSON output of the program, and the exception that stopped
//! the games early. `jantaku/runs.py` makes objects of it.

use std::fmt::Display;
use std::path::PathBuf;

use jantaku_agents::{NamedAgent, ParseAgentError};
use jantaku_engine::Known;
use jantaku_measure::reports::RunInfo;
use jantaku_measure::stats::Section;
use jantaku_sim::replay::label::{LabelError, LabelRequest};
use jantaku_sim::run::{
    self, AgentChoice, ConfigError, Manifest, OpenRulesError, RequestError, RunConfig, SelfplayError,
    SelfplayRequest,
};
use jantaku_sim::store::{self, Location};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use serde_json::json;

use crate::agent::{agent_of, items_of};
use crate::arguments::{Call, read_call};
use crate::callable::{Caller, function_of};
use crate::errors::{RulesError, RunError, agent_error, value_error};
use crate::json::result_to_python;
use crate::session::Session;

/// The output of the program, and the exception that stopped the games early.
pub(crate) type Outcome<'py> = PyResult<(Bound<'py, PyAny>, Option<Py<PyAny>>)>;

pub(crate) fn run_error(error: impl Display) -> PyErr {
    RunError::new_err(error.to_string())
}

/// The result of a session, with the exception that stopped it.
pub(crate) fn outcome<'py>(py: Python<'py>, session: &Session, result: &impl Serialize) -> Outcome<'py> {
    let error = session.take_error().map(|error| error.into_value(py).into_any());
    Ok((result_to_python(py, result)?, error))
}

/// The exception for a field of a request. `resume` says whether the request resumes a run.
pub(crate) fn request_error(error: &RequestError, resume: bool) -> PyErr {
    match error {
        // The name of a function is in no catalog.
        RequestError::Agents { cause, .. }
            if resume && matches!(**cause, ParseAgentError::UnknownAgent { .. }) =>
        {
            agent_error(format!("{cause}; if a function played the run, give it again as an agent"))
        }
        RequestError::Agents { cause, .. } => agent_error(cause),
        RequestError::Field(ConfigError { field: "agents", .. }) => run_error(error),
        RequestError::Rules(OpenRulesError::Read(error)) => PyOSError::new_err(error.to_string()),
        RequestError::Rules(error) => RulesError::new_err(error.to_string()),
        other => value_error(other.to_string()),
    }
}

/// Reads agents. Functions of equal names must be the same.
#[derive(Default)]
pub(crate) struct AgentReader<'py> {
    caller: Caller,
    functions: Vec<(String, Bound<'py, PyAny>)>,
}

impl<'py> AgentReader<'py> {
    pub(crate) fn new(caller: &Caller) -> AgentReader<'py> {
        AgentReader { caller: caller.clone(), functions: Vec::new() }
    }

    /// Reads one agent. Fails if an earlier function has its name.
    fn read(&mut self, argument: &Bound<'py, PyAny>) -> PyResult<NamedAgent> {
        let Some((agent, function)) = function_of(argument, &self.caller)? else {
            return agent_of(argument);
        };
        let function = function.get().function.bind(argument.py()).clone();
        match self.functions.iter().find(|(other, _)| other == agent.name()) {
            Some((name, other)) if !other.is(&function) => Err(value_error(format!(
                "two functions are named `{name}`: give one of them another name with \
                 `FunctionAgent(function, name=…)`"
            ))),
            _ => {
                self.functions.push((agent.to_string(), function));
                Ok(agent)
            }
        }
    }

    /// The agents of a request: a text, one agent, or a list of agents.
    pub(crate) fn choice(&mut self, argument: &Bound<'py, PyAny>) -> PyResult<AgentChoice> {
        if let Ok(text) = argument.extract::<String>() {
            return Ok(AgentChoice::Text(text));
        }
        let agents = items_of(argument)?.iter().map(|item| self.read(item)).collect::<PyResult<_>>()?;
        Ok(AgentChoice::Ready(agents))
    }
}

/// The sections with these names, in the order of [`Section::ALL`]. All sections for None.
pub(crate) fn sections_named(names: Option<Vec<String>>) -> PyResult<Vec<Section>> {
    let Some(names) = names else { return Ok(Section::ALL.to_vec()) };
    if let Some(name) = names.iter().find(|name| Section::named(name).is_none()) {
        let known = Known::new(name, Section::ALL.map(Section::name));
        return Err(value_error(format!("`sections`: unknown section `{name}`: {known}")));
    }
    Ok(Section::ALL.into_iter().filter(|section| names.iter().any(|name| name == section.name())).collect())
}

/// Plays games. See `jantaku.selfplay`.
#[pyfunction(name = "_selfplay")]
#[pyo3(signature = (arguments, progress = None))]
pub(crate) fn selfplay<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let request = |call: &mut Call<'_>| Ok(SelfplayRequest { start: call.start()?, ..call.take()? });
    let (request, session) = read_call(arguments, progress, request)?;
    let mut games = py.detach(|| request.resolve()).map_err(|error| match error {
        SelfplayError::Request(error) => request_error(&error, request.resume),
        SelfplayError::NoFolder | SelfplayError::NothingToWrite => value_error(error),
        error => run_error(error),
    })?;
    let mut players = py.detach(|| games.start(&request.start, session.stop())).map_err(agent_error)?;
    let range = games.games();
    session.expect(range.end - range.start);
    let played = session.attempt(py, |watch| games.play(&mut players, watch), run_error)?;
    outcome(py, &session, &games.summary(&played, &players.faults()))
}

/// What a run has in its folder. See `jantaku.info`.
#[pyfunction(name = "_info")]
pub(crate) fn info(py: Python<'_>, run: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let found = py.detach(|| RunInfo::read(&run)).map_err(run_error)?;
    result_to_python(py, &found)
}

/// Joins shards. See `jantaku.merge`.
#[pyfunction(name = "_merge")]
pub(crate) fn merge(py: Python<'_>, shards: Vec<PathBuf>, out: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let merged = py.detach(|| run::merge(&shards, &out)).map_err(run_error)?;
    result_to_python(py, &merged)
}

/// Labels the decisions of a run. See `jantaku.label`.
#[pyfunction(name = "_label")]
#[pyo3(signature = (arguments, progress = None))]
pub(crate) fn label<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let (request, session) = read_call(arguments, progress, Call::take::<LabelRequest>)?;
    let mut labelling = py.detach(|| request.resolve()).map_err(|error| match error {
        LabelError::Config(_) => value_error(error),
        error => run_error(error),
    })?;
    let games = labelling.games();
    session.expect(games.end - games.start);
    let labelled = session.attempt(py, |watch| labelling.label(watch), run_error)?;
    outcome(py, &session, &labelled)
}

/// The complete parts of the run in a folder, as `jantaku info` sees them.
#[pyfunction(name = "_run_state")]
pub(crate) fn run_state(py: Python<'_>, folder: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let (config, manifest) = py.detach(|| run::read_started(&folder)).map_err(run_error)?;
    state(py, &config, manifest)
}

/// [`run_state`] of a share; None if it has not begun.
#[pyfunction(name = "_share_state")]
pub(crate) fn share_state(py: Python<'_>, folder: PathBuf) -> PyResult<Option<Bound<'_, PyAny>>> {
    let found = py.detach(|| run::find_started(&folder)).map_err(run_error)?;
    found.map(|(config, manifest)| state(py, &config, manifest)).transpose()
}

fn state<'py>(
    py: Python<'py>,
    config: &RunConfig,
    manifest: Option<Manifest>,
) -> PyResult<Bound<'py, PyAny>> {
    let manifest = manifest.unwrap_or_default();
    let state = json!({
        "games": manifest.games,
        "asked": config.games_of_folder(),
        "games_per_part": config.games_per_part,
        "parts": manifest.parts.len(),
        "rows": manifest.rows,
        "hashes": manifest.files().map(|file| &file.sha256).collect::<Vec<_>>(),
        "complete": manifest.complete,
        "shard": config.shard,
    });
    result_to_python(py, &state)
}

/// The names of the files and folders in a folder, which may be one of an object store. Empty if the
/// folder does not exist.
#[pyfunction(name = "_entries")]
pub(crate) fn entries(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<String>> {
    let found = py.detach(|| {
        let Location { store, path } = Location::open(&folder)?;
        store.entries(&path)
    });
    let found = found.map_err(|error| run_error(format!("{}: {error}", folder.display())))?;
    Ok(found.into_iter().map(|entry| entry.name).collect())
}

/// Removes a folder with all files in it, which may be one of an object store.
#[pyfunction(name = "_remove_folder")]
pub(crate) fn remove_folder(py: Python<'_>, folder: PathBuf) -> PyResult<()> {
    let removed = py.detach(|| {
        let Location { store, path } = Location::open(&folder)?;
        store.remove_folder(&path)
    });
    removed.map_err(|error| run_error(format!("{}: cannot remove: {error}", folder.display())))
}

/// The text of `run.toml` of a run. None if there is no such file.
#[pyfunction(name = "_run_toml")]
pub(crate) fn run_toml(py: Python<'_>, folder: PathBuf) -> PyResult<Option<String>> {
    let path = folder.join("run.toml");
    let text = py.detach(|| store::read_text(&path));
    text.map_err(|error| run_error(format!("{}: cannot read: {error}", path.display())))
}

/// Whether a program holds the lock of the run in a folder, so it is still playing the run.
#[pyfunction(name = "_is_locked")]
pub(crate) fn is_locked(folder: PathBuf) -> bool {
    Location::open(&folder).is_ok_and(|place| store::is_locked(&place.path))
}
