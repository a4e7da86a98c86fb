//! The compiled part of `match`, and the shares of matches for `jantaku.ray`.

use std::path::PathBuf;

use jantaku_engine::Rules;
use jantaku_sim::arena::{MatchOutcome, MatchPlan, MatchReport, MatchSetup, PreparedMatch, Sprt};
use jantaku_sim::play::{By, Detail, Seatings};
use jantaku_sim::players::StartOptions;
use jantaku_sim::run::{Run, RunConfig, StoppedRun, Summary};
use jantaku_sim::stats::Section;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde_json::json;

use crate::agent::agent_error;
use crate::callable::Caller;
use crate::runs::{
    AgentReader, Agents, Options, Outcome, by_names, detail_named, named_rules, outcome, run_error,
    seatings_named, sections_named, shard_named,
};
use crate::values::json_to_python;

/// What a match plays; None for what is not given.
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
    seed: Option<u64>,
    log: Option<String>,
    shard: Option<String>,
    sections: Option<Vec<String>>,
}

impl<'py> AskedMatch<'py> {
    fn plan(&self, start: &StartOptions) -> PyResult<MatchPlan> {
        let (alpha, beta) = self.risk;
        let sprt = self.sprt.map(|(low, high)| Sprt { low, high, alpha, beta });
        if let Some(Err(what)) = sprt.map(|test| test.check()) {
            return Err(PyValueError::new_err(format!("`sprt`: {what}")));
        }
        Ok(MatchPlan { sets: self.sets, tables: start.tables, on_fault: start.on_fault, luck: false, sprt })
    }

    /// The agents, and who sits where.
    fn agents(&self, reader: &mut AgentReader<'_, 'py>, rules: &Rules) -> PyResult<(Agents, Seatings)> {
        let (agents, usual) = match (&self.challenger, &self.baseline, &self.agents) {
            (Some(challenger), Some(baseline), None) => {
                (vec![reader.one(challenger)?, reader.one(baseline)?], Seatings::OneVersusRest)
            }
            (None, None, Some(agents)) => {
                (reader.seats(agents, usize::from(rules.players.count()))?, Seatings::AllOrders)
            }
            _ => return Err(PyTypeError::new_err("expected a challenger and a baseline, or `agents`")),
        };
        let seatings = self.seatings.as_deref().map(seatings_named).transpose()?.unwrap_or(usual);
        if seatings.agents(rules.players) != agents.len() {
            let others = if agents.len() == 2 { "1-v-rest or 2-v-2" } else { "all-orders or rotations" };
            return Err(PyValueError::new_err(format!(
                "`seatings`: expected {others} for these agents, found {}",
                seatings.name()
            )));
        }
        Ok((agents, seatings))
    }

    /// The run of a new match, and its agents.
    fn config(&self, plan: &MatchPlan, detail: Detail, caller: &Caller) -> PyResult<(RunConfig, Agents)> {
        let (rules_name, rules) = match &self.rules {
            Some(rules) => named_rules(rules)?,
            None => ("tenhou".to_owned(), Rules::default()),
        };
        let (agents, seatings) = self.agents(&mut AgentReader::new(caller), &rules)?;
        if plan.sets.is_none() && plan.sprt.is_none() {
            return Err(PyTypeError::new_err("expected `sets`, or `sprt`"));
        }
        let seed = self.seed.unwrap_or(0);
        let setup =
            MatchSetup { rules_name: &rules_name, rules: &rules, agents: &agents, seatings, seed, detail };
        let config = setup.config(plan).map_err(run_error)?;
        let config = RunConfig { shard: shard_named(self.shard.as_deref())?, ..config };
        config.check().map_err(run_error)?;
        Ok((config, agents))
    }

    /// The agents of a match that is resumed: those of its run, with functions of these names.
    fn agents_of(&self, config: &RunConfig, caller: &Caller) -> PyResult<Agents> {
        if self.challenger.is_none() && self.agents.is_none() {
            return by_names(config);
        }
        let (agents, _) = self.agents(&mut AgentReader::new(caller), &config.rules)?;
        let found: Vec<String> = agents.iter().map(|(name, _)| name.clone()).collect();
        if found != config.agents {
            return Err(run_error(format!(
                "`agents`: the match has {}, found {}; leave them out to resume the match as it is",
                config.agents.join(", "),
                found.join(", ")
            )));
        }
        Ok(agents)
    }

    /// Sections of the figures: by default those of the players.
    fn sections(&self) -> PyResult<Vec<Section>> {
        match &self.sections {
            None => Ok(vec![Section::Players]),
            sections => sections_named(sections.clone()),
        }
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
    let (plan, sections) = (asked.plan(&start)?, asked.sections()?);
    let (mut game, agents) = match &out {
        Some(folder) if resume => {
            let game = py.detach(|| PreparedMatch::resume(folder, &plan)).map_err(run_error)?;
            let agents = asked.agents_of(game.config(), session.caller())?;
            (game, agents)
        }
        None if resume => {
            return Err(PyValueError::new_err("`out`: expected the folder of a match, found None"));
        }
        out => {
            let detail = match (out, &asked.log) {
                (None, None) => Detail::None,
                (None, Some(_)) => return Err(PyValueError::new_err("`log`: expected `out`, too")),
                (Some(_), log) => detail_named(log.as_deref().unwrap_or("hands"))?,
            };
            if out.is_some() && detail < Detail::Hands {
                return Err(PyValueError::new_err("`log`: expected hands, decisions or oracle"));
            }
            let (config, agents) = asked.config(&plan, detail, session.caller())?;
            let game = py.detach(|| PreparedMatch::new(config, plan, out.as_deref())).map_err(run_error)?;
            (game, agents)
        }
    };
    let earlier = game.earlier_faults().map_err(run_error)?;
    let players = py.detach(|| game.start(&agents, start.verbose, session.stop()));
    let mut players = players.map_err(agent_error)?;
    session.expect(game.plan().sets.unwrap_or(0));
    let result = session.run(py, |watch| game.play(&mut players, earlier, watch))?;
    let MatchOutcome { played, times, faults, threads } = session.ended(result.map_err(run_error))?;
    let report = MatchReport {
        config: game.config(),
        folder: out.as_deref(),
        plan: game.plan(),
        played: &played,
        times: &times,
        faults: &faults,
        threads,
        sections: &sections,
        divisions: &[By::Agent],
    };
    if let Some(folder) = &out {
        report.write(folder).map_err(run_error)?;
    }
    outcome(py, &session, &report.json())
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
    let plan = asked.plan(&start)?;
    if plan.sprt.is_some() {
        return Err(PyValueError::new_err("`sprt`: a sequential test needs the sets in order, so no shards"));
    }
    let detail = detail_named(asked.log.as_deref().unwrap_or("hands"))?;
    let (config, agents) = asked.config(&plan, detail, session.caller())?;
    let stopped = if resume { StoppedRun::find(&out).map_err(run_error)? } else { None };
    let run = py.detach(|| match stopped {
        Some(stopped) => stopped.resume(Some(&config)),
        None => Run::create(&out, config),
    });
    let mut run = run.map_err(run_error)?;
    let folder = run.folder().to_owned();
    let players = py.detach(|| start.start(&agents, Some(&folder), session.stop()));
    let mut players = players.map_err(agent_error)?;
    let games = run.remaining();
    session.expect(games.end - games.start);
    let played = session.run(py, |watch| players.play(&mut run, watch))?;
    let played = session.ended(played.map_err(run_error))?;
    let (config, faults) = (run.config(), players.faults());
    let written = Some((run.folder(), run.manifest()));
    outcome(py, &session, &Summary { config, played: &played, written, faults: &faults }.json())
}

/// The number of games and parts of a match.
#[pyfunction(name = "_match_shape")]
pub(crate) fn match_shape<'py>(py: Python<'py>, asked: AskedMatch<'py>) -> PyResult<Bound<'py, PyAny>> {
    let plan = asked.plan(&StartOptions::default())?;
    let (config, _) = asked.config(&plan, Detail::Hands, &Caller::default())?;
    let games = config.games.unwrap_or(0);
    json_to_python(py, &json!({ "games": games, "parts": games.div_ceil(config.games_per_part) }))
}

/// Makes a match of the merged run of its shards: writes `match.toml`.
#[pyfunction(name = "_adopt_match")]
pub(crate) fn adopt_match(folder: PathBuf, sets: u64) -> PyResult<()> {
    let plan = MatchPlan::of_sets(sets);
    plan.write(&folder).map_err(run_error)
}
