//! The result of a match, as figures, JSON and files.

use std::path::Path;
use std::time::Duration;

use jantaku_agents::Faults;
use serde_json::{Map, Value, json};

use super::plan::MatchPlan;
use super::play::PlayedMatch;
use super::standing::AgentStanding;
use crate::play::{By, SinkError};
use crate::run::RunConfig;
use crate::run::store::{Folder, write};
use crate::stats::{FigureRow, FigureTable, Section, figure_table, parquet};

/// How long the decisions of an agent take. `None` if none was timed.
#[derive(Clone, PartialEq, Debug)]
pub struct DecisionTimes {
    /// The name of the agent.
    pub agent: String,
    /// The time that half of the decisions do not exceed.
    pub median: Option<Duration>,
    /// The time that 99 of 100 decisions do not exceed.
    pub slow: Option<Duration>,
}

/// A match and how it was played.
#[derive(Clone, Copy, Debug)]
pub struct MatchReport<'a> {
    /// The run of the match.
    pub config: &'a RunConfig,
    /// The folder of the run; none if no game is kept.
    pub folder: Option<&'a Path>,
    /// What the match shall play.
    pub plan: &'a MatchPlan,
    /// What was played.
    pub played: &'a PlayedMatch,
    /// How long the decisions of each agent take.
    pub times: &'a [DecisionTimes],
    /// The agents that had faults.
    pub faults: &'a [(String, Faults)],
    /// The threads that played.
    pub threads: usize,
    /// The sections of the figures.
    pub sections: &'a [Section],
    /// The divisions into groups. With [`By::Agent`] alone, figures of players are those of agents.
    pub divisions: &'a [By],
}

impl MatchReport<'_> {
    /// The figures of the chosen sections.
    #[must_use]
    pub fn rows(&self) -> Vec<FigureRow> {
        let counts = &self.played.counts;
        let mut rows = counts.statistics().rows(counts.groups(), self.sections);
        if self.divisions == [By::Agent] {
            rows.retain(|row| row.by == By::Agent || row.section != Section::Players);
        }
        rows
    }

    /// The figures as a table.
    #[must_use]
    pub fn figures(&self) -> FigureTable {
        figure_table(&self.rows().iter().collect::<Vec<_>>())
    }

    /// Writes `result.json` and `result.parquet` into the folder of the run.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), SinkError> {
        let result = self.json();
        let json = serde_json::to_string_pretty(&result).expect("JSON has a text") + "\n";
        write(&mut Folder, &folder.join("result.json"), json.as_bytes())?;
        let parquet = parquet(&self.figures(), flat(&result));
        write(&mut Folder, &folder.join("result.parquet"), &parquet)
    }

    /// The result as JSON: what `jantaku match --json` prints.
    #[must_use]
    pub fn json(&self) -> Value {
        let MatchReport { config, played, plan, .. } = self;
        let standing = played.counts.standing();
        let first = standing.as_ref().and_then(|standing| standing.agents.first());
        let is_pair = config.seatings.is_pair();
        let name = |agent: usize| is_pair.then(|| config.agents[agent].clone());
        let of_first = |value: &dyn Fn(&AgentStanding) -> Value| first.filter(|_| is_pair).map(value);
        let faults_of = |label: &String| {
            self.faults.iter().find(|(own, _)| own == label).map_or(0, |(_, faults)| faults.total())
        };
        let faults: Map<String, Value> = standing
            .iter()
            .flat_map(|standing| &standing.agents)
            .map(|agent| (agent.agent.clone(), faults_of(&agent.agent).into()))
            .collect();
        json!({
            "challenger": name(0),
            "baseline": name(1),
            "seatings": config.seatings.name(),
            "rules": config.rules_name,
            "rules_hash": config.rules_hash,
            "seed": config.seed,
            "sets": played.counts.sets(),
            "sets_asked": plan.sets.filter(|_| plan.sprt.is_none()),
            "games": played.counts.sets() * config.schedule().games_per_set(),
            "games_per_set": config.schedule().games_per_set(),
            "complete": played.complete,
            "fair": standing.as_ref().map(|standing| standing.fair),
            "placement": of_first(&|agent| json!(agent.placement)),
            "result": of_first(&|agent| json!(agent.result)),
            "points": of_first(&|agent| json!(agent.points)),
            "placements": of_first(&|agent| json!(agent.placements)),
            "variance_ratio": of_first(&|agent| json!(agent.variance_ratio)),
            "gain": standing.as_ref().and_then(|standing| standing.gain),
            "elo": standing.as_ref().and_then(|standing| standing.elo),
            "sprt": standing.as_ref().and_then(|standing| standing.sprt),
            "conditional": played.counts.is_decided(),
            "agents": standing.as_ref().map(|standing| &standing.agents),
            "faults": faults,
            "figures": self.rows(),
            "out": self.folder,
            "speed": self.speed(),
        })
    }

    /// What differs from one time to the next.
    fn speed(&self) -> Value {
        let microseconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64() * 1e6);
        let latencies = self.times.iter().map(|times| {
            let [median, slow] = [times.median, times.slow].map(microseconds);
            json!({ "p50_microseconds": median, "p99_microseconds": slow })
        });
        json!({
            "seconds": self.played.seconds,
            "sets": self.played.sets,
            "threads": self.threads,
            "latency": latencies.collect::<Vec<_>>(),
        })
    }
}

/// The values of a result by the paths of their keys, such as `sprt.llr` and `agents.0.agent`.
/// Without missing values, the figures, and what differs from one time to the next.
fn flat(result: &Value) -> Vec<(String, String)> {
    fn add(path: &str, value: &Value, out: &mut Vec<(String, String)>) {
        match value {
            Value::Null => {}
            Value::Object(fields) => {
                fields.iter().for_each(|(key, value)| add(&format!("{path}.{key}"), value, out));
            }
            Value::Array(values) => {
                (0..).zip(values).for_each(|(at, value): (u64, _)| add(&format!("{path}.{at}"), value, out));
            }
            Value::String(text) => out.push((path.to_owned(), text.clone())),
            plain => out.push((path.to_owned(), plain.to_string())),
        }
    }
    let mut out = Vec::new();
    let kept = |key: &str| !["figures", "out", "speed"].contains(&key);
    let fields = result.as_object().into_iter().flatten().filter(|(key, _)| kept(key));
    fields.for_each(|(key, value)| add(key, value, &mut out));
    out
}
