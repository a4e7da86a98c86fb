//! The compiled part of `analyse` and `ask`.

use std::io;

use jantaku_agents::{Catalog, NamedAgent};
use jantaku_engine::Rules;
use jantaku_measure::explain::{AskError, DecisionReport, ask_all};
use jantaku_measure::review::{ReviewError, ReviewRequest};
use jantaku_sim::replay::decision_ref::DecisionRef;
use jantaku_sim::replay::error::SourceError;
use jantaku_sim::run::RequestError;
use jantaku_sim::store;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde_json::Value;

use crate::agent::{agent_of, items_of};
use crate::arguments::{Call, read_call};
use crate::errors::{LogError, agent_error, value_error};
use crate::json::result_to_python;
use crate::rules::rules_of;
use crate::runs::{Outcome, outcome, request_error, run_error};
use crate::threads;

fn source_error(error: &SourceError) -> PyErr {
    use SourceError::{Find, Log, NoDecision, Position, Text, WholeLog};
    match error {
        Log(error) => LogError::new_err(error.to_string()),
        Find(error) => io::Error::new(error.kind(), error.to_string()).into(),
        NoDecision { .. } | Position(_) | Text { .. } | WholeLog { .. } => value_error(error),
        other => run_error(other),
    }
}

fn review_error(error: ReviewError) -> PyErr {
    match error {
        ReviewError::Source(error) => source_error(&error),
        ReviewError::Request(RequestError::Value { field: "agent", .. }) => agent_error(error),
        ReviewError::Request(error) => request_error(&error, false),
    }
}

/// Reviews the decisions of a player. See `jantaku.analyse`.
#[pyfunction(name = "_analyse")]
pub(crate) fn analyse<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let (request, session) = read_call(arguments, progress, Call::take::<ReviewRequest>)?;
    if request.game.is_none() && store::is_folder(&request.source) {
        return Err(value_error("`game`: expected the number of a game of the run, found None"));
    }
    let review = session.attempt(py, |watch| request.review(watch), review_error)?;
    outcome(py, &session, &review)
}

/// The agents in an argument: names separated by commas, an agent, or a sequence of agents.
pub(crate) fn agent_list(argument: &Bound<'_, PyAny>) -> PyResult<Vec<NamedAgent>> {
    if let Ok(text) = argument.extract::<String>() {
        return Catalog::standard().list(&text).map_err(agent_error);
    }
    items_of(argument)?.iter().map(agent_of).collect()
}

/// The rules that a position names.
fn rules_by_name(name: &str) -> Result<Rules, String> {
    Python::attach(|py| {
        rules_of(PyString::new(py, name).as_any()).map_err(|error| error.value(py).to_string())
    })
}

/// Asks agents for one decision. See `jantaku.ask`.
#[pyfunction(name = "_ask")]
pub(crate) fn ask<'py>(
    py: Python<'py>,
    place: &str,
    agents: Bound<'py, PyAny>,
    seed: u64,
    rules: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let decision = DecisionRef::parse(place).map_err(|error| source_error(&error))?;
    let (agents, rules) = (agent_list(&agents)?, rules.as_ref().map(rules_of).transpose()?);
    let report = py.detach(|| threads::run(|| report(&decision, &agents, seed, rules.as_ref())))?;
    result_to_python(py, &report)
}

/// The decision with the answers of agents.
fn report(
    decision: &DecisionRef,
    agents: &[NamedAgent],
    seed: u64,
    rules: Option<&Rules>,
) -> PyResult<Value> {
    let source = decision.open(seed, rules, rules_by_name).map_err(|error| source_error(&error))?;
    let report = decision.visit(&source, |context, chosen| {
        let answers = ask_all(agents, context)?;
        Ok::<_, AskError>(DecisionReport::new((decision, &source), context, chosen, answers))
    });
    let report = report.map_err(|error| source_error(&error))?.map_err(agent_error)?;
    serde_json::to_value(report).map_err(value_error)
}
