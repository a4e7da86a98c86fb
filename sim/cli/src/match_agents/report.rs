//! The report of `jantaku match`.

use std::time::Duration;

use jantaku_agents::without_label;
use jantaku_show::report;
use jantaku_show::report::numbers::{self, ShownFigure};
use jantaku_sim::arena::{AgentResult, MatchPlan, MatchResult, Mean, Sprt, SprtOutcome, SprtState};
use jantaku_sim::play::{By, FaultReport, labels};
use jantaku_sim::reports::FairField;
use jantaku_sim::reports::page::figure_sections;
use jantaku_sim::stats::{self, FigureRow, Section};

use crate::players::fault_lines;
use crate::print;
use crate::print::AgentNames;

/// The minimum number of sets for which variance ratios are printed.
const SETS_FOR_RATIOS: u64 = 5;

/// The report of a match as text.
pub(super) struct Report<'a> {
    pub result: &'a MatchResult,
    /// The figures and their divisions, if the text shows them; JSON always has them.
    pub figures: Option<(&'a [FigureRow], &'a [By])>,
}

impl Report<'_> {
    pub(super) fn text(&self, quiet: bool) -> String {
        let mut text = if quiet { String::new() } else { self.head() };
        text += &print::legend(&self.names());
        let (agents, names) = (&self.shown_agents(), self.names());
        if agents.is_empty() {
            return text + "no set is kept\n";
        }
        text += &agents_table(agents);
        text += &variance_reduced_table(agents);
        text += &placements_table(agents);
        text += &self.rates_table();
        text += &print::wrapped(&self.conclusions(), 2);
        text += &print::wrapped(&fault_lines(&FaultReport::of(&self.result.faults), &names), 2);
        if !quiet && self.result.speed.sets > 0 {
            text += &self.latency_table();
        }
        match self.figures {
            Some((rows, divisions)) => {
                text + "\n" + &self.figures(rows, divisions).without_head().to_text(print::width())
            }
            None => text,
        }
    }

    /// These figures as tables.
    pub(super) fn figures(&self, rows: &[FigureRow], divisions: &[By]) -> report::Report {
        let sections = figure_sections(rows, divisions, &self.names());
        report::Report { sections, ..report::Report::new("Figures of a match") }
    }

    /// What tables call the agents.
    fn names(&self) -> AgentNames {
        let agents = &self.result.config.agents;
        let texts = agents.iter().map(|agent| without_label(agent).to_owned());
        AgentNames::new(labels(agents).into_iter().zip(texts))
    }

    /// The results under the names that tables show.
    fn shown_agents(&self) -> Vec<AgentResult> {
        let names = self.names();
        let shown = |result: &AgentResult| AgentResult {
            agent: names.shown(&result.agent).to_owned(),
            ..result.clone()
        };
        self.result.agents.iter().map(shown).collect()
    }

    /// The rates that distinguish styles of play.
    fn rates_table(&self) -> String {
        let rows = self.result.rows(&[Section::Players], &[]);
        let rates = ["win", "deal-in", "riichi", "call"];
        let mut lines = vec![["per hand"].iter().chain(&rates).map(|title| (*title).to_owned()).collect()];
        let names = self.names();
        lines.extend(self.result.agents.iter().map(|agent| {
            let group = format!("agent {}", agent.agent);
            let cell = |rate: &&str| {
                let row = rows.iter().find(|row| row.group == group && row.short_name() == *rate);
                row.map_or_else(|| "–".to_owned(), |row| ShownFigure::from(row).with_half())
            };
            let shown = names.shown(&agent.agent).to_owned();
            std::iter::once(shown).chain(rates.iter().map(cell)).collect::<Vec<String>>()
        }));
        format!("\n{}", print::table(&lines))
    }

    /// The lines above the tables.
    fn head(&self) -> String {
        let MatchResult { config, speed, plan, .. } = self.result;
        let sets = self.result.sets();
        let per_set = config.schedule().games_per_set();
        let (names, seatings) = (self.names().all(), config.seatings().name());
        let kept = if config.rules.keep_draws { ", all seats keep their draws after calls" } else { "" };
        let mut text = format!(
            "{names} ({seatings}) under {}, seed {}: {} of {} on the same walls{kept}\n",
            config.rules_name,
            config.seed,
            print::many(sets, "set"),
            print::many(per_set, "game"),
        );
        if !self.result.complete {
            text += &match plan.sprt {
                None => {
                    let asked = print::many(plan.most_sets(), "set");
                    format!("interrupted after {} of {asked}", print::thousands(sets))
                }
                Some(_) => format!("interrupted after {}", print::many(sets, "set")),
            };
            text += &self.result.folder.as_ref().map_or_else(String::new, |folder| {
                format!("; `jantaku match --resume --out {}` plays the rest", folder.display())
            });
            text += "\n";
        } else if speed.sets < sets {
            let before = sets - speed.sets;
            let were = if before == 1 { "was" } else { "were" };
            text += &format!("{} {were} played before\n", print::many(before, "set"));
        }
        if speed.sets > 0 {
            let games = print::speed(speed.sets * per_set, speed.seconds, "game");
            text += &format!("{:.1} s: {games}\n", speed.seconds);
        }
        text += match sets {
            0 => "",
            1 => "one set gives no intervals\n",
            _ => "± and ranges: 95 % intervals over sets\n",
        };
        print::wrapped(&text, 2)
    }

    /// What the match shows, in sentences.
    fn conclusions(&self) -> String {
        let agents = &self.shown_agents();
        let MatchResult { placement_difference, elo, sprt, plan, .. } = self.result;
        let mut text = String::from("\n");
        if let Some(difference) = placement_difference {
            let name = &agents[0].agent;
            let most = (agents[0].placements.len() as f64 - 1.0) / 2.0;
            let shown = FairField::of(difference.value, difference.low.zip(difference.high));
            text += &shown.sentence(name);
            if shown != FairField::Equal {
                text += &format!(": placement difference {}", bounded(difference, (-most, most)));
                text += &elo.as_ref().map_or_else(String::new, |elo| format!(", {}", elo_text(elo)));
            }
            text += "\n";
        }
        let ratio = |agent: &AgentResult| {
            agent.variance_ratio.map(|ratio| format!("{} {}", agent.agent, print::decimal(ratio, 3)))
        };
        let ratios: Vec<String> = agents.iter().filter_map(ratio).collect();
        if !ratios.is_empty() && self.result.sets() >= SETS_FOR_RATIOS {
            text += &format!(
                "variance of a set's mean placement, over that of games on walls of their own: {}\n",
                ratios.join(", ")
            );
        }
        if let Some(state) = sprt {
            text += &sprt_text(state, plan, self.result.sets());
        }
        if text == "\n" { String::new() } else { text }
    }

    /// How long decisions take.
    fn latency_table(&self) -> String {
        let time = |time: Option<Duration>| {
            time.map_or_else(|| "–".to_owned(), |time| print::seconds(time.as_secs_f64()))
        };
        let mut rows = vec![["time of a decision", "p50", "p99"].map(str::to_owned).to_vec()];
        for (label, times) in labels(&self.result.config.agents).into_iter().zip(&self.result.speed.times) {
            rows.push(vec![self.names().shown(&label).to_owned(), time(times.median), time(times.slow)]);
        }
        if rows.len() == 1 { String::new() } else { format!("\n{}", print::table(&rows)) }
    }
}

/// Placement, result and points of each agent.
fn agents_table(agents: &[AgentResult]) -> String {
    let mut rows = vec![["", "placement", "result", "points"].map(str::to_owned).to_vec()];
    rows.extend(agents.iter().map(|agent| {
        vec![
            agent.agent.clone(),
            placement(&agent.placement, agent.placements.len()),
            number(&agent.result, true),
            number(&agent.points, false),
        ]
    }));
    format!("\n{}", print::table(&rows))
}

/// The variance-reduced placement, result and points of each agent, and how much narrower that makes
/// the placement's interval.
fn variance_reduced_table(agents: &[AgentResult]) -> String {
    let titles = ["variance-reduced", "placement", "result", "points", "variance"];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    rows.extend(agents.iter().filter_map(|agent| {
        let reduced = agent.variance_reduced.as_ref()?;
        Some(vec![
            agent.agent.clone(),
            placement(&reduced.placement, agent.placements.len()),
            number(&reduced.result, true),
            number(&reduced.points, false),
            reduced
                .variance_ratio
                .placement
                .map_or_else(|| "–".to_owned(), |ratio| format!("× {}", print::decimal(ratio, 2))),
        ])
    }));
    if rows.len() == 1 { String::new() } else { format!("\n{}", print::table(&rows)) }
}

/// The share of each placement.
fn placements_table(agents: &[AgentResult]) -> String {
    let titles = ["1st", "2nd", "3rd", "4th"].map(str::to_owned);
    let places = agents[0].placements.len();
    let mut rows: Vec<Vec<String>> =
        vec![std::iter::once(String::new()).chain(titles.into_iter().take(places)).collect()];
    rows.extend(agents.iter().map(|agent| {
        let shares = agent.placements.iter().map(|share| format!("{} %", print::decimal(100.0 * share, 1)));
        std::iter::once(agent.agent.clone()).chain(shares).collect()
    }));
    format!("\n{}", print::table(&rows))
}

/// What the sequential test says.
fn sprt_text(state: &SprtState, plan: &MatchPlan, sets: u64) -> String {
    let Some(test) = plan.sprt else { return String::new() };
    let llr = state.llr.map_or_else(|| "unknown".to_owned(), |llr| print::signed(llr, 2));
    let (lower, upper) = (print::signed(state.lower, 2), print::signed(state.upper, 2));
    let said = match state.decision {
        Some(SprtOutcome::Accept) => {
            format!("accepted: placement difference {} over {}", test.high, test.low)
        }
        Some(SprtOutcome::Reject) => {
            format!("accepted: placement difference {} over {}", test.low, test.high)
        }
        None if sets >= Sprt::FIRST_LOOK => "open, it has reached neither bound".to_owned(),
        None => format!("open, it looks from set {} on", Sprt::FIRST_LOOK),
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
    let decimals = half.filter(|half| *half > 0.0).map_or(0, numbers::decimals);
    let points = |value: f64| print::signed(value, decimals);
    let range = match (elo.low, elo.high) {
        (Some(low), Some(high)) => format!(" ({} to {})", points(low), points(high)),
        (Some(low), None) => format!(" (at least {})", points(low)),
        (None, Some(high)) => format!(" (at most {})", points(high)),
        (None, None) => String::new(),
    };
    format!("{} Elo{range}", points(elo.value))
}

/// A mean placement and its interval, which ends at the first and the last place.
fn placement(mean: &Mean, players: usize) -> String {
    bounded(mean, stats::placement_limits(players as u8))
}

/// [`number`] of a quantity between two limits. An interval that goes beyond them is cut, and then
/// shown by its ends, because the value is not in its middle.
fn bounded(mean: &Mean, (lowest, highest): (f64, f64)) -> String {
    let Mean { value, low: Some(low), high: Some(high), .. } = *mean else { return number(mean, false) };
    if low >= lowest && high <= highest {
        return number(mean, false);
    }
    let decimals = numbers::decimals((high - low) / 2.0);
    let (low, high) = stats::cut_interval(value, (low, high), (lowest, highest));
    let [value, low, high] = [value, low, high].map(|number| print::decimal(number, decimals));
    format!("{value} ({low} to {high})")
}

/// A mean and half its interval, with the decimals that the interval justifies.
fn number(mean: &Mean, is_signed: bool) -> String {
    let half = mean.low.zip(mean.high).map(|(low, high)| (high - low) / 2.0);
    let value = mean.value;
    let decimals = match half {
        Some(half) if half > 0.0 => numbers::decimals(half),
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
    fn intervals_end_at_possible_placements() {
        let of = |value, low, high| {
            placement(&Mean { value, low: Some(low), high: Some(high), standard_error: None }, 4)
        };
        assert_eq!(of(2.5, 2.0, 3.0), "2.50 ± 0.50");
        assert_eq!(of(1.5, 0.0, 3.0), "1.5 (1.0 to 3.0)");
        assert_eq!(of(2.5, -1.0, 6.0), "2.5 (1.0 to 4.0)");
        assert_eq!(of(0.98, 0.9, 1.06), "0.980 (0.980 to 1.060)", "a variance-reduced mean");
        let worse = Mean { value: -1.0, low: Some(-2.0), high: Some(0.0), standard_error: None };
        assert_eq!(bounded(&worse, (-1.5, 1.5)), "-1.0 (-1.5 to 0.0)");
    }

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
