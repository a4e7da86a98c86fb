//! The compiled part of `selfplay`, `stats`, `sweep` and `merge`.
//!
//! The functions of this file return what the program prints as JSON, and the exception that stopped
//! the games early. `jantaku/runs.py` makes objects of it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use jantaku_agents::{Catalog, NamedAgent, NamedPolicy, OnFault};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Known, Rules};
use jantaku_sim::play::{Detail, Groups, Seatings};
use jantaku_sim::players::{StartOptions, policies};
use jantaku_sim::reports::{GamesReport, Simulation, SweepReport, Variant, Variants};
use jantaku_sim::run::{self, Run, RunConfig, Shard, StoppedRun, Summary};
use jantaku_sim::stats::{FIRST_BATCH, Section, StoredRuns, Target};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use serde_json::{Value, json};

use crate::agent::{agent_error, agent_of};
use crate::callable::{Caller, function_of};
use crate::errors::RunError;
use crate::rules::{PyRules, rules_of};
use crate::session::Session;
use crate::values::{json_to_python, to_toml_of};

/// What the program prints, and the exception that stopped the games early.
pub(crate) type Outcome<'py> = PyResult<(Bound<'py, PyAny>, Option<Py<PyAny>>)>;

pub(crate) fn run_error(error: impl Display) -> PyErr {
    RunError::new_err(error.to_string())
}

/// The result of a session, with the exception that stopped it.
pub(crate) fn outcome<'py>(py: Python<'py>, session: &Session, result: &Value) -> Outcome<'py> {
    let error = session.error().map(|error| error.into_value(py).into_any());
    Ok((json_to_python(py, result)?, error))
}

/// The rules that an argument stands for, with their name.
pub(crate) fn named_rules(argument: &Bound<'_, PyAny>) -> PyResult<(String, Rules)> {
    let rules = rules_of(argument)?;
    if argument.is_instance_of::<PyRules>() {
        let preset = PRESETS.iter().find(|preset| Rules::preset(preset.name) == Some(rules));
        return Ok((preset.map_or("custom", |preset| preset.name).to_owned(), rules));
    }
    Ok((argument.str()?.to_string(), rules))
}

/// Agents by name.
pub(crate) type Agents = Vec<(String, NamedAgent)>;

/// Reads agents. Functions of equal names must be the same.
pub(crate) struct AgentReader<'a, 'py> {
    caller: &'a Caller,
    functions: Vec<(String, Bound<'py, PyAny>)>,
}

impl<'a, 'py> AgentReader<'a, 'py> {
    pub(crate) const fn new(caller: &'a Caller) -> AgentReader<'a, 'py> {
        AgentReader { caller, functions: Vec::new() }
    }

    pub(crate) fn one(&mut self, argument: &Bound<'py, PyAny>) -> PyResult<(String, NamedAgent)> {
        let Some((agent, function)) = function_of(argument, self.caller)? else {
            let agent = agent_of(argument)?;
            return Ok((agent.to_string(), agent));
        };
        let (name, function) =
            (agent.to_string(), function.get().function(argument.py()).into_bound(argument.py()));
        match self.functions.iter().find(|(other, _)| *other == name) {
            Some((_, other)) if !other.is(&function) => Err(PyValueError::new_err(format!(
                "two functions are named `{name}`: give one of them another name with \
                 `FunctionAgent(function, name=…)`"
            ))),
            _ => {
                self.functions.push((name.clone(), function));
                Ok((name, agent))
            }
        }
    }

    /// The agents of these many seats: one for all, or a list with one for each.
    pub(crate) fn seats(&mut self, argument: &Bound<'py, PyAny>, seats: usize) -> PyResult<Agents> {
        let items: Vec<Bound<'py, PyAny>> = if let Ok(list) = argument.cast::<PyList>() {
            list.iter().collect()
        } else if let Ok(tuple) = argument.cast::<PyTuple>() {
            tuple.iter().collect()
        } else if let Ok(text) = argument.extract::<String>() {
            let agents = Catalog::standard().agents(&text, seats).map_err(agent_error)?;
            return Ok(agents.into_iter().map(|agent| (agent.to_string(), agent)).collect());
        } else {
            return Ok(vec![self.one(argument)?; seats]);
        };
        if items.len() != seats {
            let found = items.len();
            return Err(agent_error(format!("{found} agents: expected one for each of {seats} seats")));
        }
        items.iter().map(|item| self.one(item)).collect()
    }
}

/// The agents of a run by their names. Functions are not found by name.
pub(crate) fn by_names(config: &RunConfig) -> PyResult<Agents> {
    config.named_agents().map_err(|error| {
        agent_error(format!("{error}; if a function played the run, give it again as an agent"))
    })
}

pub(crate) fn detail_named(name: &str) -> PyResult<Detail> {
    Detail::named(name).ok_or_else(|| {
        let known = Known::new(name, Detail::ALL.map(Detail::name));
        PyValueError::new_err(format!("`log`: unknown level `{name}`: {known}"))
    })
}

/// The shard with this name, such as `0/4`.
pub(crate) fn shard_named(name: Option<&str>) -> PyResult<Option<Shard>> {
    let shard = name.map(str::parse::<Shard>).transpose();
    shard.map_err(|what| PyValueError::new_err(format!("`shard`: {what}")))
}

fn fault_named(name: Option<&str>) -> PyResult<Option<OnFault>> {
    let named = |name| {
        OnFault::named(name).ok_or_else(|| {
            let known = Known::new(name, OnFault::ALL.map(OnFault::name));
            PyValueError::new_err(format!("`on_fault`: unknown action `{name}`: {known}"))
        })
    };
    name.map(named).transpose()
}

pub(crate) fn seatings_named(name: &str) -> PyResult<Seatings> {
    let known = Seatings::ALL.into_iter().filter(|seatings| !seatings.is_fixed());
    known.clone().find(|seatings| seatings.name() == name).ok_or_else(|| {
        let known = Known::new(name, known.map(Seatings::name));
        PyValueError::new_err(format!("`seatings`: unknown seatings `{name}`: {known}"))
    })
}

/// The sections with these names in order; all without names.
pub(crate) fn sections_named(names: Option<Vec<String>>) -> PyResult<Vec<Section>> {
    let Some(names) = names else { return Ok(Section::ALL.to_vec()) };
    if let Some(name) = names.iter().find(|name| Section::named(name).is_none()) {
        let known = Known::new(name, Section::ALL.map(Section::name));
        return Err(PyValueError::new_err(format!("`sections`: unknown section `{name}`: {known}")));
    }
    Ok(Section::ALL.into_iter().filter(|section| names.iter().any(|name| name == section.name())).collect())
}

/// Options of a session and of its agents.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    threads: Option<usize>,
    tables: Option<usize>,
    on_fault: Option<String>,
    verbose: bool,
    progress: Option<Py<PyAny>>,
}

impl Options {
    pub(crate) fn session(&mut self) -> PyResult<Session> {
        Session::new(self.threads, self.progress.take())
    }

    pub(crate) fn start(&self) -> PyResult<StartOptions> {
        let Options { tables, verbose, .. } = *self;
        if let Some(tables) = tables.filter(|tables| !(1..=65_536).contains(tables)) {
            return Err(PyValueError::new_err(format!(
                "`tables`: expected a number from 1 to 65536, found {tables}"
            )));
        }
        Ok(StartOptions { tables, on_fault: fault_named(self.on_fault.as_deref())?, verbose })
    }
}

/// What a run plays; None for what is not given.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked<'py> {
    games: Option<u64>,
    agents: Option<Bound<'py, PyAny>>,
    rules: Option<Bound<'py, PyAny>>,
    seed: Option<u64>,
    log: Option<String>,
    games_per_part: Option<u64>,
    shard: Option<String>,
}

impl<'py> Asked<'py> {
    /// The run, and its agents. What is not given is that of `given`.
    fn config(
        &self,
        py: Python<'py>,
        given: Option<&RunConfig>,
        no_log: Detail,
        caller: &Caller,
    ) -> PyResult<(RunConfig, Agents)> {
        let (rules_name, rules) = match (given, &self.rules) {
            (Some(run), None) => (run.rules_name.clone(), run.rules),
            (None, None) => ("tenhou".to_owned(), Rules::default()),
            (_, Some(rules)) => named_rules(rules)?,
        };
        let seats = usize::from(rules.players.count());
        let agents = match (given, &self.agents) {
            (Some(run), None) => by_names(run)?,
            (None, None) => AgentReader::new(caller).seats(pyo3::intern!(py, "greedy"), seats)?,
            (_, Some(agents)) => AgentReader::new(caller).seats(agents, seats)?,
        };
        let detail = self.log.as_deref().map(detail_named).transpose()?;
        let detail = detail.or(given.map(|run| run.detail)).unwrap_or(no_log);
        let shard = shard_named(self.shard.as_deref())?;
        let seed = self.seed.or(given.map(|run| run.seed)).unwrap_or(0);
        for (name, number) in [("seed", Some(seed)), ("games", self.games)] {
            if let Some(number) = number.filter(|number| i64::try_from(*number).is_err()) {
                return Err(PyValueError::new_err(format!(
                    "`{name}`: expected a number up to 9223372036854775807, found {number}"
                )));
            }
        }
        if self.games == Some(0) || self.games_per_part == Some(0) {
            return Err(PyValueError::new_err("`games` and `games_per_part`: expected at least 1, found 0"));
        }
        let names = agents.iter().map(|(name, _)| name.clone()).collect();
        let new = RunConfig::new(&rules_name, &rules, names, self.games.unwrap_or(0), seed, detail);
        let per_part = self.games_per_part.or(given.map(|run| run.games_per_part));
        let new = new.played_by(&agents).map_err(run_error)?;
        let config = RunConfig {
            games: self.games.or(given.and_then(|run| run.games)),
            games_per_part: per_part.unwrap_or(new.games_per_part),
            shard: shard.or_else(|| given.and_then(|run| run.shard)),
            ..new
        };
        Ok((config, agents))
    }
}

/// Plays games. See `jantaku.selfplay`.
#[pyfunction(name = "_selfplay")]
pub(crate) fn selfplay<'py>(
    py: Python<'py>,
    asked: Asked<'py>,
    out: Option<PathBuf>,
    resume: bool,
    mut options: Options,
) -> Outcome<'py> {
    let (session, start) = (options.session()?, options.start()?);
    let Some(out) = out else {
        let (config, agents) = asked.config(py, None, Detail::None, session.caller())?;
        if config.detail != Detail::None || resume {
            return Err(PyValueError::new_err("`out`: expected a folder for the run, found None"));
        }
        return count(py, &session, &config, &agents, &start);
    };
    let stopped = if resume { StoppedRun::find(&out).map_err(run_error)? } else { None };
    let (mut run, agents) = match stopped {
        Some(stopped) => resumed(py, &asked, stopped, &session)?,
        None => {
            if asked.games.is_none() && resume {
                return Err(run_error(format!("{}: there is no run to resume", out.display())));
            }
            let (config, agents) = asked.config(py, None, Detail::Decisions, session.caller())?;
            check_games(&config)?;
            (py.detach(|| Run::create(&out, config)).map_err(run_error)?, agents)
        }
    };
    let folder = run.folder().to_owned();
    let mut players =
        py.detach(|| start.start(&agents, Some(&folder), session.stop())).map_err(agent_error)?;
    let games = run.remaining();
    session.expect(games.end - games.start);
    let played = session.run(py, |watch| players.play(&mut run, watch))?;
    let played = session.ended(played.map_err(run_error))?;
    let (config, faults) = (run.config(), players.faults());
    let written = Some((run.folder(), run.manifest()));
    outcome(py, &session, &Summary { config, played: &played, written, faults: &faults }.json())
}

fn check_games(config: &RunConfig) -> PyResult<()> {
    match config.games {
        None => Err(PyValueError::new_err("`games`: expected a number, found None")),
        Some(_) => config.check().map_err(run_error),
    }
}

/// Plays the games of a run that is not written.
fn count<'py>(
    py: Python<'py>,
    session: &Session,
    config: &RunConfig,
    agents: &Agents,
    start: &StartOptions,
) -> Outcome<'py> {
    check_games(config)?;
    let mut players = py.detach(|| start.start(agents, None, session.stop())).map_err(agent_error)?;
    let games = config.range();
    session.expect(games.end - games.start);
    let played = session.run(py, |watch| players.count(config, watch))?;
    let played = session.ended(played.map_err(run_error))?;
    let faults = players.faults();
    outcome(py, session, &Summary { config, played: &played, written: None, faults: &faults }.json())
}

/// The run in a folder, to be continued.
fn resumed<'py>(
    py: Python<'py>,
    asked: &Asked<'py>,
    stopped: StoppedRun,
    session: &Session,
) -> PyResult<(Run, Agents)> {
    if !stopped.config().seatings.is_fixed() {
        return Err(run_error("the folder has the games of a match: `jantaku.match` resumes it"));
    }
    let (config, agents) = asked.config(py, Some(stopped.config()), Detail::Decisions, session.caller())?;
    let run = py.detach(|| stopped.resume(Some(&config))).map_err(run_error)?;
    Ok((run, agents))
}

/// Joins shards. See `jantaku.merge`.
#[pyfunction(name = "_merge")]
pub(crate) fn merge(py: Python<'_>, shards: Vec<PathBuf>, out: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let (config, manifest) = py.detach(|| run::merge(&shards, &out)).map_err(run_error)?;
    let merged = json!({
        "out": out,
        "games": manifest.games,
        "parts": manifest.parts.len(),
        "rows": manifest.rows,
        "agents": config.agents,
        "rules": config.rules_name,
        "seed": config.seed,
    });
    json_to_python(py, &merged)
}

/// The run in a folder, as `jantaku info` sees it: what is complete.
#[pyfunction(name = "_run_state")]
pub(crate) fn run_state(py: Python<'_>, folder: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let (config, manifest) = run::read_started(Path::new(&folder)).map_err(run_error)?;
    let manifest = manifest.unwrap_or_default();
    let games = config.range();
    let state = json!({
        "games": manifest.games,
        "asked": games.end - games.start,
        "complete": manifest.complete,
        "shard": config.shard,
    });
    json_to_python(py, &state)
}

/// Figures that are to be known exactly enough.
fn targets(texts: &[String], groups: &Groups, variants: &[&Rules]) -> PyResult<Vec<Target>> {
    let target = |text: &String| {
        let parsed = Target::parse(text, groups, variants);
        parsed.map_err(|error| PyValueError::new_err(format!("`precision`: `{text}`: {error}")))
    };
    texts.iter().map(target).collect()
}

/// The number of games, or the most of them with targets.
fn most_games(games: Option<u64>, precision: &[String], session: &Session) -> PyResult<u64> {
    let most = i64::MAX as u64;
    let expected = if precision.is_empty() { games.unwrap_or(0) } else { FIRST_BATCH };
    session.expect(expected);
    let games = games.or((!precision.is_empty()).then_some(most));
    games.filter(|games| (1..=most).contains(games)).ok_or_else(|| {
        PyValueError::new_err("`games`: expected a number from 1 on, or `precision`".to_owned())
    })
}

/// Plays games for their statistics. See `jantaku.stats`.
#[pyfunction(name = "_simulate")]
#[allow(clippy::too_many_arguments, reason = "glue")]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    games: Option<u64>,
    agents: Bound<'py, PyAny>,
    rules: Bound<'py, PyAny>,
    seed: u64,
    precision: Vec<String>,
    sections: Option<Vec<String>>,
    mut options: Options,
) -> Outcome<'py> {
    let (session, start) = (options.session()?, options.start()?);
    let (rules_name, rules) = named_rules(&rules)?;
    let seats = usize::from(rules.players.count());
    let agents = AgentReader::new(session.caller()).seats(&agents, seats)?;
    let names: Vec<String> = agents.iter().map(|(name, _)| name.clone()).collect();
    let (games, sections) = (most_games(games, &precision, &session)?, sections_named(sections)?);
    let targets = targets(&precision, &Groups::new(&names), &[&rules])?;
    let mut players = py.detach(|| start.start(&agents, None, session.stop())).map_err(agent_error)?;
    let (rules_name, rules, agents, targets) = (&rules_name[..], &rules, &names[..], &targets[..]);
    let games = Simulation { rules_name, rules, seed, games, agents, targets };
    let report = session.run(py, |watch| GamesReport::play(&games, &mut players, watch))?;
    let report = session.ended(report.map_err(run_error))?;
    outcome(py, &session, &report.json(&report.rows(&sections)))
}

/// Counts the games of runs. See `jantaku.stats`.
#[pyfunction(name = "_read_stats")]
pub(crate) fn read_stats(
    py: Python<'_>,
    runs: Vec<PathBuf>,
    sections: Option<Vec<String>>,
    mut options: Options,
) -> Outcome<'_> {
    let (session, sections) = (options.session()?, sections_named(sections)?);
    let runs = py.detach(|| StoredRuns::open(&runs)).map_err(run_error)?;
    session.expect(runs.games());
    let report = session.run(py, |watch| GamesReport::read(&runs, watch))?;
    let report = session.ended(report.map_err(run_error))?;
    outcome(py, &session, &report.json(&report.rows(&sections)))
}

/// Compares rules. See `jantaku.sweep`.
#[pyfunction(name = "_sweep")]
#[allow(clippy::too_many_arguments, reason = "glue")]
pub(crate) fn sweep<'py>(
    py: Python<'py>,
    rules: Vec<(Option<String>, Bound<'py, PyAny>)>,
    vary: Bound<'py, PyDict>,
    games: Option<u64>,
    agents: Bound<'py, PyAny>,
    seed: u64,
    precision: Vec<String>,
    sections: Option<Vec<String>>,
    mut options: Options,
) -> Outcome<'py> {
    let (session, sections) = (options.session()?, sections_named(sections)?);
    let variant = |(name, rules): &(Option<String>, Bound<'py, PyAny>)| {
        let (own, rules) = named_rules(rules)?;
        Ok(Variant { name: name.clone().unwrap_or(own), rules })
    };
    let variants = rules.iter().map(variant).collect::<PyResult<Vec<_>>>()?;
    let variants =
        Variants::new(variants, &varied(&vary)?).map_err(|e| PyValueError::new_err(e.to_string()))?;
    let seats = usize::from(variants.all()[0].rules.players.count());
    let agents = AgentReader::new(session.caller()).seats(&agents, seats)?;
    let players = all_policies(&agents)?;
    let games = most_games(games, &precision, &session)?;
    let groups = Groups::new(agents.iter().map(|(name, _)| name));
    let targets = targets(&precision, &groups, &variants.rules())?;
    let swept = session
        .run(py, |watch| SweepReport::play(variants, &players, (seed, games), &targets, &sections, watch))?;
    let swept = session.ended(swept.map_err(run_error))?;
    outcome(py, &session, &swept.json())
}

fn all_policies(agents: &Agents) -> PyResult<Vec<(String, NamedPolicy)>> {
    policies(agents).ok_or_else(|| {
        agent_error(
            "a sweep plays agents that decide one action at a time, such as `greedy`: no functions, networks \
             or programs",
        )
    })
}

/// A field, and its values with their texts.
type Varied = (String, Vec<(String, toml::Value)>);

fn varied(vary: &Bound<'_, PyDict>) -> PyResult<Vec<Varied>> {
    let field = |(field, values): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let value = |value: PyResult<Bound<'_, PyAny>>| {
            let value = to_toml_of(&format!("vary['{field}']"), &value?)?;
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Ok((text, value))
        };
        let values = values.try_iter()?.map(value).collect::<PyResult<Vec<_>>>()?;
        Ok((field.extract()?, values))
    };
    vary.iter().map(field).collect()
}
