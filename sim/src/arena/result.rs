//! The result of a match so far: its agents, figures, JSON and files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jantaku_agents::{Faults, label_of, without_label};
use jantaku_engine::Players;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::counts::MatchCounts;
use super::plan::MatchPlan;
use super::rating::ELO;
use super::sequential::SprtState;
use super::sums::Mean;
use crate::path_text;
use crate::play::{By, DecisionTimes, FaultReport, Seatings, SinkError};
use crate::run::RunConfig;
use crate::stats::{FigureRow, FigureTable, Section, Statistics, figure_table, parquet};
use crate::store;

/// The result in the folder of a match.
const RESULT: &str = "result.json";

/// The result of a match so far. Earlier sets of its run are included.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The run of the match.
    pub config: RunConfig,
    /// The folder of the run; none if no game is kept.
    pub folder: Option<PathBuf>,
    /// What the match plays.
    pub plan: MatchPlan,
    /// Whether the match is over: all sets are played, or the test has decided.
    pub complete: bool,
    /// The agents in the order of the match; none before the first set.
    pub agents: Vec<AgentResult>,
    /// The fair mean placement minus that of the first agent, if two agents play.
    pub placement_difference: Option<Mean>,
    /// How much stronger the first agent is than the second on an Elo scale, if it plays alone
    /// against the rest. None if it always has the same extreme placement.
    pub elo: Option<Mean>,
    /// The state of the sequential test; none without one.
    pub sprt: Option<SprtState>,
    /// The agents that had faults in the sets that count.
    pub faults: Vec<(String, Faults)>,
    /// Sets that this call played but did not keep: an interrupted run keeps whole parts only.
    pub sets_not_kept: u64,
    /// How fast this call played its sets.
    pub speed: MatchSpeed,
    counts: MatchCounts,
}

/// The speed at which sets of a match were played.
#[derive(Clone, Debug)]
pub struct MatchSpeed {
    /// The sets.
    pub sets: u64,
    /// The seconds that they took.
    pub seconds: f64,
    /// The threads that played.
    pub threads: usize,
    /// How long the decisions of each agent take.
    pub times: Vec<DecisionTimes>,
}

/// The result of one agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentResult {
    /// The name; agents with equal names are numbered.
    pub agent: String,
    /// The placement, from 1.
    pub placement: Mean,
    /// The result with uma and oka, in points: 55000 means +55.0.
    pub result: Mean,
    /// The points at the end.
    pub points: Mean,
    /// The share of games in each placement, the first one first.
    pub placements: Vec<f64>,
    /// The variance of the mean placement of a set, over that of the same number of games on
    /// separate walls. None if there are fewer than two sets or all placements are equal.
    pub variance_ratio: Option<f64>,
    /// The same with reduced variance; none if the match does not measure luck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variance_reduced: Option<VarianceReduced>,
}

/// The result of one agent with reduced variance: without its luck ([`super::aivat`]).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VarianceReduced {
    /// The placement.
    pub placement: Mean,
    /// The result.
    pub result: Mean,
    /// The points at the end.
    pub points: Mean,
    /// What is left of the variance.
    pub variance_ratio: VarianceRatios,
}

/// The reduced variance of a set's mean, over the plain one. None if there are fewer than two sets
/// or all sets have the same plain mean.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct VarianceRatios {
    /// Of placements.
    pub placement: Option<f64>,
    /// Of results.
    pub result: Option<f64>,
    /// Of points.
    pub points: Option<f64>,
}

impl MatchResult {
    /// The result of these counts.
    pub(super) fn new(
        config: &RunConfig,
        folder: Option<&Path>,
        plan: MatchPlan,
        counts: MatchCounts,
        (complete, speed): (bool, MatchSpeed),
    ) -> MatchResult {
        let (agents, fair) = (counts.agents(), counts.fair());
        let (seatings, players) = (config.seatings(), config.rules.players);
        let first = agents.first().map(|agent| &agent.placement);
        MatchResult {
            config: config.clone(),
            folder: folder.map(Path::to_owned),
            plan,
            complete,
            placement_difference: first
                .filter(|_| seatings.is_pair())
                .map(|placement| placement_difference(fair, placement)),
            elo: first
                .filter(|_| seatings == Seatings::OneVersusRest)
                .and_then(|placement| elo(players, placement)),
            sprt: counts.test(),
            agents,
            faults: Vec::new(),
            sets_not_kept: 0,
            speed,
            counts,
        }
    }

    /// The number of sets.
    #[must_use]
    pub fn sets(&self) -> u64 {
        self.counts.sets()
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.sets() * self.config.schedule().games_per_set()
    }

    /// The mean placement of all players.
    #[must_use]
    pub fn fair(&self) -> f64 {
        self.counts.fair()
    }

    /// Whether the test has decided, so that intervals are conditional on that.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.counts.is_decided()
    }

    /// The variance of the first agent's mean placement in a set. None for fewer than two sets.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        self.counts.variance()
    }

    /// The figures of all games. Agents with equal names are different groups.
    #[must_use]
    pub const fn statistics(&self) -> &Statistics {
        self.counts.statistics()
    }

    /// The figures of some sections. With [`By::Agent`] as the only division, figures of players
    /// are those of agents.
    #[must_use]
    pub fn rows(&self, sections: &[Section], divisions: &[By]) -> Vec<FigureRow> {
        let mut rows = self.statistics().rows(self.counts.groups(), sections);
        if divisions == [By::Agent] {
            rows.retain(|row| row.by() == By::Agent || row.section() != Some(Section::Players));
        }
        rows
    }

    /// Writes `result.json` and `result.parquet`, with these figures, into the folder of the run.
    /// If nothing was played now, the file keeps its speed.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path, rows: &[FigureRow]) -> Result<(), SinkError> {
        let result = self.json_with_speed(folder, rows);
        let json = serde_json::to_string_pretty(&result).expect("JSON has a text") + "\n";
        store::save(&folder.join(RESULT), json.as_bytes())?;
        let parquet = parquet(&figures(rows), flat(&result));
        store::save(&folder.join("result.parquet"), &parquet)
    }

    /// The result as JSON with these figures. If nothing was played now, it has the speed of the
    /// result in the folder of the run.
    pub(crate) fn json_with_speed(&self, folder: &Path, rows: &[FigureRow]) -> Value {
        let mut result = self.json(rows);
        if self.speed.sets == 0
            && let Some(speed) = stored_speed(&folder.join(RESULT))
        {
            result["speed"] = speed;
        }
        result
    }

    /// The result as JSON with these figures: what `jantaku match --json` prints.
    #[must_use]
    pub fn json(&self, rows: &[FigureRow]) -> Value {
        let MatchResult { config, plan, agents, .. } = self;
        let is_pair = config.seatings().is_pair();
        let name = |agent: usize| is_pair.then(|| label_of(&config.agents[agent]));
        let texts: Vec<&str> = config.agents.iter().map(|agent| without_label(agent)).collect();
        let of_first = |value: &dyn Fn(&AgentResult) -> Value| agents.first().filter(|_| is_pair).map(value);
        let faults_of = |label: &String| {
            self.faults.iter().find(|(own, _)| own == label).map_or(0, |(_, faults)| faults.total())
        };
        let faults: Map<String, Value> =
            agents.iter().map(|agent| (agent.agent.clone(), faults_of(&agent.agent).into())).collect();
        json!({
            "challenger": name(0),
            "baseline": name(1),
            "seatings": config.seatings().name(),
            "rules": config.rules_name,
            "rules_hash": config.rules_hash,
            "rules_toml": config.rules.to_toml(),
            "keep_draws": config.rules.keep_draws,
            "seed": config.seed,
            "sets": self.sets(),
            "sets_asked": plan.sets.filter(|_| plan.sprt.is_none()),
            "games": self.games(),
            "games_per_set": config.schedule().games_per_set(),
            "complete": self.complete,
            "fair": agents.first().map(|_| self.fair()),
            "placement": of_first(&|agent| json!(agent.placement)),
            "result": of_first(&|agent| json!(agent.result)),
            "points": of_first(&|agent| json!(agent.points)),
            "placements": of_first(&|agent| json!(agent.placements)),
            "variance_ratio": of_first(&|agent| json!(agent.variance_ratio)),
            "placement_difference": self.placement_difference,
            "elo": self.elo,
            "sprt": self.sprt,
            "conditional": self.is_decided(),
            "agents": agents.first().map(|_| agents),
            "texts": texts,
            "faults": faults,
            "fault_shares": FaultReport::of(&self.faults).fault_shares,
            "figures": rows,
            "out": self.folder.as_deref().map(path_text),
            "speed": self.speed.json(),
        })
    }
}

/// The speed in a file that [`MatchResult::write`] wrote.
fn stored_speed(path: &Path) -> Option<Value> {
    let result: Value = serde_json::from_str(&store::read_text(path).ok()??).ok()?;
    result.get("speed").filter(|speed| speed.is_object()).cloned()
}

/// Figures as a table.
fn figures(rows: &[FigureRow]) -> FigureTable {
    figure_table(&rows.iter().collect::<Vec<_>>())
}

impl MatchSpeed {
    fn json(&self) -> Value {
        let microseconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64() * 1e6);
        let latencies = self.times.iter().map(|times| {
            let [median, slow] = [times.median, times.slow].map(microseconds);
            json!({ "p50_microseconds": median, "p99_microseconds": slow })
        });
        json!({
            "seconds": self.seconds,
            "sets": self.sets,
            "threads": self.threads,
            "latency": latencies.collect::<Vec<_>>(),
        })
    }
}

/// The values of a result by the paths of their keys, such as `sprt.llr` and `agents.0.agent`.
/// Leaves out missing values, the figures, and values that change between calls.
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

/// How much better than fair a placement is.
fn placement_difference(fair: f64, placement: &Mean) -> Mean {
    Mean {
        value: fair - placement.value,
        low: placement.high.map(|high| fair - high),
        high: placement.low.map(|low| fair - low),
        standard_error: placement.standard_error,
    }
}

/// The Elo difference that explains the mean placement of one agent among equal others.
///
/// In the Plackett–Luce model a player of strength θ above the others has the mean placement
/// 1 + (n − 1)(1 − σ(θ)), because each of them is ahead with the chance 1 − σ(θ). Elo is
/// 400 / ln 10 · θ. The standard error is that of the placement times the slope.
fn elo(players: Players, placement: &Mean) -> Option<Mean> {
    let others = f64::from(players.count() - 1);
    let elo = |placement: f64| {
        let wins = 1.0 - (placement - 1.0) / others;
        (wins > 0.0 && wins < 1.0).then(|| ELO * (wins / (1.0 - wins)).ln())
    };
    let wins = 1.0 - (placement.value - 1.0) / others;
    Some(Mean {
        value: elo(placement.value)?,
        low: placement.high.and_then(elo),
        high: placement.low.and_then(elo),
        standard_error: placement.standard_error.map(|error| error * ELO / (others * wins * (1.0 - wins))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_is_that_of_expected_placements() {
        let mean = |value: f64| Mean { value, low: Some(value), high: None, standard_error: Some(0.01) };
        let of = |players, placement| elo(players, &mean(placement)).map(|elo| elo.value);
        assert_eq!(of(Players::Four, 2.5), Some(0.0));
        assert_eq!(of(Players::Two, 1.5), Some(0.0));
        assert_eq!(of(Players::Four, 1.0), None);
        // Ahead of each other player with the chance 10/11: 400 Elo.
        let found = of(Players::Three, 1.0 + 2.0 / 11.0).expect("finite");
        assert!((found - 400.0).abs() < 1e-9, "{found}");
    }
}
