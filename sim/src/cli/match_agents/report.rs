//! The report of `jantaku match`.

use std::path::Path;
use std::time::Duration;

use jantaku_agents::Faults;
use jantaku_sim::arena::{
    AgentStanding, Decision, Latencies, MatchPlan, Mean, PlayedMatch, SprtState, Standing, labels,
};
use jantaku_sim::play::By;
use jantaku_sim::run::RunConfig;
use jantaku_sim::run::store::{Folder, write};
use jantaku_sim::stats::{FigureRow, FigureTable, Section, figure_table, parquet};
use serde_json::{Value, json};

use crate::cli::players::fault_lines;
use crate::cli::{figures, print};

/// A match and how it was played.
pub(super) struct Report<'a> {
    pub config: &'a RunConfig,
    /// The folder of the run; none if no game is kept.
    pub folder: Option<&'a Path>,
    pub plan: &'a MatchPlan,
    pub played: &'a PlayedMatch,
    /// How long the decisions of each agent take; empty for agents that play in lockstep.
    pub latencies: Vec<(&'a String, &'a Latencies)>,
    /// The agents that had faults.
    pub faults: &'a [(String, Faults)],
    /// The threads that played.
    pub threads: usize,
    pub sections: &'a [Section],
    /// Whether the text shows the figures; JSON always has them.
    pub shows_figures: bool,
    pub divisions: &'a [By],
}

impl Report<'_> {
    /// The chosen figures. Without a choice, those of the players by agent.
    fn rows(&self) -> Vec<FigureRow> {
        let counts = &self.played.counts;
        let mut rows = counts.statistics().rows(counts.groups(), self.sections);
        if self.divisions == [By::Agent] {
            rows.retain(|row| row.by == By::Agent || row.section != Section::Players);
        }
        rows
    }

    /// The chosen figures as a table.
    pub(super) fn figures(&self) -> FigureTable {
        figure_table(&self.rows().iter().collect::<Vec<_>>())
    }

    /// Writes `result.json` and `result.parquet` into the folder of the run.
    pub(super) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let result = self.json();
        let json = serde_json::to_string_pretty(&result)? + "\n";
        write(&mut Folder, &folder.join("result.json"), json.as_bytes())?;
        let parquet = parquet(&self.figures(), flat(&result));
        write(&mut Folder, &folder.join("result.parquet"), &parquet)?;
        Ok(())
    }

    pub(super) fn text(&self, quiet: bool) -> String {
        let mut text = if quiet { String::new() } else { self.head() };
        let Some(standing) = self.played.counts.standing() else {
            return text + "no set is complete\n";
        };
        text += &agents_table(&standing);
        text += &placements_table(&standing);
        text += &self.rates_table(&standing);
        text += &print::wrapped(&self.conclusions(&standing), 2);
        text += &print::wrapped(&fault_lines(self.faults), 2);
        if !quiet {
            text += &self.latency_table();
        }
        if self.shows_figures { text + &figures::text(&self.rows(), self.divisions) } else { text }
    }

    /// The rates that tell styles of play apart.
    fn rates_table(&self, standing: &Standing) -> String {
        let counts = &self.played.counts;
        let rows = counts.statistics().rows(counts.groups(), &[Section::Players]);
        let rates = ["win", "deal-in", "riichi", "call"];
        let mut lines = vec![["per hand"].iter().chain(&rates).map(|title| (*title).to_owned()).collect()];
        lines.extend(standing.agents.iter().map(|agent| {
            let group = format!("agent {}", agent.agent);
            let cell = |rate: &&str| {
                let row = rows.iter().find(|row| row.group == group && row.short_name() == *rate);
                row.map_or_else(|| "–".to_owned(), figures::with_half)
            };
            std::iter::once(agent.agent.clone()).chain(rates.iter().map(cell)).collect::<Vec<String>>()
        }));
        format!("\n{}", print::table(&lines))
    }

    /// The lines above the tables.
    fn head(&self) -> String {
        let Report { config, played, plan, .. } = self;
        let sets = played.counts.sets();
        let per_set = config.schedule().games_per_set();
        let (names, seatings) = (config.agents.join(", "), config.seatings.name());
        let mut text = format!(
            "{names} ({seatings}) under {}, seed {}: {} of {} on the same walls\n",
            config.rules_name,
            config.seed,
            print::many(sets, "set"),
            print::many(per_set, "game"),
        );
        if !played.complete {
            let asked = if plan.sprt.is_none() {
                format!(" of {}", print::thousands(plan.most_sets()))
            } else {
                String::new()
            };
            text += &format!("interrupted after {}{asked} sets", print::thousands(sets));
            text += &self.folder.map_or_else(String::new, |folder| {
                format!("; `jantaku match --resume --out {}` plays the rest", folder.display())
            });
            text += "\n";
        } else if played.sets < sets {
            text += &format!("{} were played before\n", print::many(sets - played.sets, "set"));
        }
        if played.sets > 0 {
            let games = (played.sets * per_set) as f64 / played.seconds;
            text += &format!("{:.1} s: {} games/s\n", played.seconds, print::thousands(games as u64));
        }
        text += "± and ranges: 95 % intervals over sets\n";
        print::wrapped(&text, 2)
    }

    /// What the match shows, in sentences.
    fn conclusions(&self, standing: &Standing) -> String {
        let mut text = String::from("\n");
        if let Some(gain) = &standing.gain {
            let name = &standing.agents[0].agent;
            text += &format!("{name} gains {} placements on a fair field", number(gain, 1.0, true));
            if let Some(elo) = &standing.elo {
                text += &format!(", {}", elo_text(elo));
            }
            text += "\n";
        }
        let ratio = |agent: &AgentStanding| {
            agent.variance_ratio.map(|ratio| format!("{} {}", agent.agent, print::decimal(ratio, 3)))
        };
        let ratios: Vec<String> = standing.agents.iter().filter_map(ratio).collect();
        if !ratios.is_empty() {
            text += &format!(
                "variance of a set's mean placement, over that of games on walls of their own: {}\n",
                ratios.join(", ")
            );
        }
        if let Some(state) = &standing.sprt {
            text += &sprt_text(state, self.plan);
        }
        if text == "\n" { String::new() } else { text }
    }

    /// How long decisions take.
    fn latency_table(&self) -> String {
        let time = |time: Option<Duration>| {
            time.map_or_else(|| "–".to_owned(), |time| print::seconds(time.as_secs_f64()))
        };
        let mut rows = vec![["time of a decision", "p50", "p99"].map(str::to_owned).to_vec()];
        for (label, (_, latencies)) in labels(&self.config.agents).into_iter().zip(&self.latencies) {
            rows.push(vec![label, time(latencies.quantile(0.5)), time(latencies.quantile(0.99))]);
        }
        if rows.len() == 1 { String::new() } else { format!("\n{}", print::table(&rows)) }
    }

    pub(super) fn json(&self) -> Value {
        let Report { config, played, plan, .. } = self;
        let standing = played.counts.standing();
        let first = standing.as_ref().and_then(|standing| standing.agents.first());
        let is_pair = config.seatings.is_pair();
        let name = |agent: usize| is_pair.then(|| config.agents[agent].clone());
        let of_first = |value: &dyn Fn(&AgentStanding) -> Value| first.filter(|_| is_pair).map(value);
        let faults_of = |label: &String| {
            self.faults.iter().find(|(own, _)| own == label).map_or(0, |(_, faults)| faults.total())
        };
        let faults: serde_json::Map<String, Value> = standing
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
        let latencies = self.latencies.iter().map(|(_, latencies)| {
            let of = |share| microseconds(latencies.quantile(share));
            json!({ "p50_microseconds": of(0.5), "p99_microseconds": of(0.99) })
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

/// Placement, result and points of each agent.
fn agents_table(standing: &Standing) -> String {
    let mut rows = vec![["", "placement", "result", "points"].map(str::to_owned).to_vec()];
    rows.extend(standing.agents.iter().map(|agent| {
        vec![
            agent.agent.clone(),
            number(&agent.placement, 1.0, false),
            number(&agent.result, 1e-3, true),
            number(&agent.points, 1.0, false),
        ]
    }));
    format!("\n{}", print::table(&rows))
}

/// The share of each placement.
fn placements_table(standing: &Standing) -> String {
    let titles = ["1st", "2nd", "3rd", "4th"].map(str::to_owned);
    let places = standing.agents[0].placements.len();
    let mut rows: Vec<Vec<String>> =
        vec![std::iter::once(String::new()).chain(titles.into_iter().take(places)).collect()];
    rows.extend(standing.agents.iter().map(|agent| {
        let shares = agent.placements.iter().map(|share| format!("{} %", print::decimal(100.0 * share, 1)));
        std::iter::once(agent.agent.clone()).chain(shares).collect()
    }));
    format!("\n{}", print::table(&rows))
}

/// What the sequential test says.
fn sprt_text(state: &SprtState, plan: &MatchPlan) -> String {
    let Some(test) = plan.sprt else { return String::new() };
    let llr = state.llr.map_or_else(|| "unknown".to_owned(), |llr| print::signed(llr, 2));
    let (lower, upper) = (print::signed(state.lower, 2), print::signed(state.upper, 2));
    let said = match state.decision {
        Some(Decision::Accept) => format!("the gain is {} rather than {}", test.high, test.low),
        Some(Decision::Reject) => format!("the gain is {} rather than {}", test.low, test.high),
        None => "open".to_owned(),
    };
    let mut text =
        format!("sequential test: {said}; log-likelihood ratio {llr}, bounds {lower} and {upper}\n");
    if state.decision.is_some() {
        text += "the match stopped when the test decided: the intervals are conditional on that and a little \
                 too far from a fair field\n";
    }
    text
}

/// An Elo difference with its interval, which is not symmetric and may have an infinite end.
fn elo_text(elo: &Mean) -> String {
    let from = |end: f64| (end - elo.value).abs();
    let half = match (elo.low, elo.high) {
        (Some(low), Some(high)) => Some((high - low) / 2.0),
        (low, high) => low.or(high).map(from),
    };
    let decimals = half.filter(|half| *half > 0.0).map_or(0, figures::decimals);
    let points = |value: f64| print::signed(value, decimals);
    let range = match (elo.low, elo.high) {
        (Some(low), Some(high)) => format!(" ({} to {})", points(low), points(high)),
        (Some(low), None) => format!(" (at least {})", points(low)),
        (None, Some(high)) => format!(" (at most {})", points(high)),
        (None, None) => String::new(),
    };
    format!("{} Elo{range}", points(elo.value))
}

/// A mean and half its interval, with the decimals that the interval justifies. Printed values are
/// `scale` times the mean.
fn number(mean: &Mean, scale: f64, is_signed: bool) -> String {
    let half = mean.low.zip(mean.high).map(|(low, high)| scale * (high - low) / 2.0);
    let value = scale * mean.value;
    let decimals = match half {
        Some(half) if half > 0.0 => figures::decimals(half),
        _ if value.fract() == 0.0 => 0,
        _ => 3,
    };
    let value = if is_signed { print::signed(value, decimals) } else { print::decimal(value, decimals) };
    match half {
        Some(half) => format!("{value} ± {}", print::decimal(half, decimals)),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_has_a_range() {
        let of = |low, high| elo_text(&Mean { value: 123.4, low, high, standard_error: None });
        for (low, high, expected) in [
            (Some(21.04), Some(265.4), "+123 Elo (+21 to +265)"),
            (Some(121.04), Some(126.38), "+123.4 Elo (+121.0 to +126.4)"),
            (Some(21.04), None, "+123 Elo (at least +21)"),
            (None, Some(265.4), "+123 Elo (at most +265)"),
            (None, None, "+123 Elo"),
        ] {
            assert_eq!(of(low, high), expected);
        }
    }
}
