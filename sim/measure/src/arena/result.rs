//! The result of a match so far.

use std::path::Path;

use jantaku_agents::{label_of, without_label};
use jantaku_engine::Players;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::agent_result::AgentResult;
use super::counts::MatchCounts;
use super::plan::MatchPlan;
use super::rating::ELO;
use super::sequential::SprtState;
use super::sums::Mean;
use crate::stats::{FigureRow, Section, figure_table, parquet};
use jantaku_sim::path_text;
use jantaku_sim::play::{By, DecisionTimes, FaultReport, Seatings, SinkError};
use jantaku_sim::run::RunConfig;
use jantaku_sim::store;

/// The result in the folder of a match or a league.
const RESULT: &str = "result.json";

/// Writes the result of a match or a league into its folder.
pub(super) fn write_result(folder: &Path, result: &impl Serialize) -> Result<(), SinkError> {
    let json = serde_json::to_string_pretty(result).expect("a result is JSON") + "\n";
    store::save(&folder.join(RESULT), json.as_bytes())
}

/// The result in the folder of a match or a league; null if there is none or it is not JSON.
pub(super) fn stored_result(folder: &Path) -> Value {
    let text = store::read_text(&folder.join(RESULT)).ok().flatten().unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// The result of a match so far, as `jantaku match --json` prints it. Earlier sets of its run are
/// included.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The name of the challenger. None if more than two agents play.
    pub challenger: Option<String>,
    /// The name of the baseline. None if more than two agents play.
    pub baseline: Option<String>,
    /// `1-v-rest`, `2-v-2`, `all-orders` or `rotations`.
    pub seatings: Seatings,
    /// The name of the rules as given.
    pub rules: String,
    /// The hash of the rules, 16 hexadecimal digits.
    pub rules_hash: String,
    /// The rules as a file: the closest preset as `base`, and the fields that differ.
    pub rules_toml: String,
    /// Whether all seats keep their own draws after calls.
    pub keep_draws: bool,
    /// The seed.
    pub seed: u64,
    /// Sets that were played, earlier ones of a resumed match included.
    pub sets: u64,
    /// Sets that the match plays. None with a test.
    pub sets_asked: Option<u64>,
    /// Games of the sets that were played.
    pub games: u64,
    /// The number of games of a set.
    pub games_per_set: u64,
    /// Whether the match is over: all sets are played, or the test has decided.
    pub complete: bool,
    /// Sets that this call played but did not keep: an interrupted run keeps whole parts only.
    pub sets_not_kept: u64,
    /// The mean placement of a fair field.
    pub fair: f64,
    /// The fair mean placement minus that of the first agent, if two agents play.
    pub placement_difference: Option<Mean>,
    /// How much stronger the first agent is than the second on an Elo scale, if it plays alone
    /// against the rest. None if it always has the same extreme placement.
    pub elo: Option<Mean>,
    /// The state of the sequential test. None without one.
    pub sprt: Option<SprtState>,
    /// Whether the test has decided, so that intervals are conditional on that.
    pub conditional: bool,
    /// The agents in the order of the match; none before the first set.
    pub agents: Vec<AgentResult>,
    /// The agents with their options, without the names that the user gives them.
    pub texts: Vec<String>,
    /// The faults in the sets that count.
    #[serde(flatten)]
    pub faults: FaultReport,
    /// The figures of the games. Agents with equal names are different groups.
    pub figures: Vec<FigureRow>,
    /// The folder of the run. None if no game is kept.
    pub out: Option<String>,
    /// How fast this call played its sets.
    pub speed: MatchSpeed,
}

/// The speed at which sets of a match were played.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct MatchSpeed {
    /// Wall-clock time in seconds; the values of `speed` differ from one execution to the next.
    pub seconds: f64,
    /// Sets that were played now. `result.json` keeps the speed of the last call that played some.
    pub sets: u64,
    /// The threads that played.
    pub threads: usize,
    /// How long the decisions of each agent take.
    pub latency: Vec<DecisionTime>,
}

/// How long the decisions of an agent take, in microseconds. None if it made none.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct DecisionTime {
    /// The median time of an agent's decision, measured for every 61st decision; for an external engine,
    /// for every decision, from sending the question to the arrival of the answer; for a network, how long
    /// the games waited for its batch.
    pub p50_microseconds: Option<f64>,
    /// The 99 % quantile.
    pub p99_microseconds: Option<f64>,
}

impl From<&DecisionTimes> for DecisionTime {
    fn from(times: &DecisionTimes) -> DecisionTime {
        let [p50_microseconds, p99_microseconds] =
            [times.median, times.slow].map(|time| time.map(|time| time.as_secs_f64() * 1e6));
        DecisionTime { p50_microseconds, p99_microseconds }
    }
}

impl MatchResult {
    /// The result of these counts, with all figures, and without faults.
    pub(super) fn new(
        config: &RunConfig,
        folder: Option<&Path>,
        plan: MatchPlan,
        counts: &MatchCounts,
        (complete, speed): (bool, MatchSpeed),
    ) -> MatchResult {
        let (agents, fair, seatings) = (counts.agents(), counts.fair(), config.seatings);
        let first = agents.first().map(|agent| &agent.placement);
        let name = |agent: usize| seatings.is_pair().then(|| label_of(&config.agents[agent]).to_owned());
        let (sets, games_per_set) = (counts.sets(), config.schedule().games_per_set());
        MatchResult {
            challenger: name(0),
            baseline: name(1),
            seatings,
            rules: config.rules_name.clone(),
            rules_hash: config.rules_hash.clone(),
            rules_toml: config.rules.to_toml(),
            keep_draws: config.rules.keep_draws,
            seed: config.seed,
            sets,
            sets_asked: plan.sets.filter(|_| plan.sprt.is_none()),
            games: sets * games_per_set,
            games_per_set,
            complete,
            sets_not_kept: 0,
            fair,
            placement_difference: first
                .filter(|_| seatings.is_pair())
                .map(|placement| placement_difference(fair, placement)),
            elo: first
                .filter(|_| seatings == Seatings::OneVersusRest)
                .and_then(|placement| elo(config.rules.players, placement)),
            sprt: counts.state,
            conditional: counts.is_decided(),
            agents,
            texts: config.agents.iter().map(|agent| without_label(agent).to_owned()).collect(),
            faults: FaultReport::default(),
            figures: counts.statistics.rows(&counts.groups),
            out: folder.map(|path| path_text(path).into_owned()),
            speed,
        }
    }

    /// Keeps only the figures of some sections. If [`By::Agent`] is the only division, leaves out the
    /// figures of players that are not of an agent.
    pub fn keep_figures(&mut self, sections: &[Section], divisions: &[By]) {
        let is_of_agents = |row: &FigureRow| {
            divisions != [By::Agent] || row.by() == By::Agent || !row.is_in(&[Section::Players])
        };
        self.figures.retain(|row| row.is_in(sections) && is_of_agents(row));
    }

    /// Writes `result.json` and `result.parquet` into the folder of the run. If this call played
    /// nothing, `result.json` keeps the speed that it has.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), SinkError> {
        let result = self.clone().with_stored_speed(folder);
        let json = serde_json::to_value(&result).expect("a result is JSON");
        write_result(folder, &json)?;
        store::save(&folder.join("result.parquet"), &parquet(&figure_table(&self.figures), flat(&json)))
    }

    /// The result with the speed of the one in the folder of its run, if nothing was played now.
    pub(super) fn with_stored_speed(mut self, folder: &Path) -> MatchResult {
        if self.speed.sets == 0 {
            self.speed = MatchSpeed::deserialize(&stored_result(folder)["speed"]).unwrap_or(self.speed);
        }
        self
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
