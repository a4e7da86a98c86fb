//! How precisely figures must be known: the options of `stats` and `sweep`, and what they print.

use std::time::Duration;

use anyhow::anyhow;
use indicatif::HumanDuration;
use jantaku_sim::reports::{GamesPlan, GamesPlanError};
use jantaku_sim::run::RequestError;
use jantaku_sim::stats::Precision;

use super::arguments;
use super::figures::FILES;
use super::output::{Ended, Output, note, say, say_json};
use super::print::{self, AgentNames};

/// Options that choose how exactly figures shall be known.
#[derive(clap::Args)]
pub(super) struct PrecisionOptions {
    /// Play until no end of the figure's interval is farther than this from its value, such as
    /// `draws.four-kans=0.001%` (percentage points), `draws.four-kans=10%rel` (a tenth of the value)
    /// or `points.mean=50`; `--games` is then the maximum
    #[arg(long, value_name = "FIGURE[@GROUP]=DISTANCE")]
    pub precision: Vec<String>,
    /// Only estimate how many games `--precision` needs, and how long they take
    #[arg(long, requires = "precision", conflicts_with_all = FILES)]
    pub plan: bool,
}

impl PrecisionOptions {
    /// Whether a precision is asked for.
    pub const fn is_given(&self) -> bool {
        !self.precision.is_empty()
    }
}

/// The error with the option of the command line instead of the field.
pub(super) fn in_words_of_options(error: RequestError) -> anyhow::Error {
    match error {
        RequestError::Value { field: "precision", value, what }
            if what.starts_with("expected one figure") =>
        {
            anyhow!("--precision {value}: expected one figure; give `--precision` once for each")
        }
        other => arguments::in_words_of_options(other),
    }
}

/// A line for each target: how exactly it is known, and how exactly it should be. `names` are those
/// of the agents.
pub(super) fn lines(known: &[Precision], names: &AgentNames) -> String {
    known.iter().flat_map(|known| [line(known, names), "\n".to_owned()]).collect()
}

fn line(known: &Precision, names: &AgentNames) -> String {
    let (name, asked) = (full_name(known, names), asked(known));
    let Some(distance) = known.distance else {
        return format!("{name} has no interval: it is the same in all games, or has no cases");
    };
    let found = amount(known, distance);
    let needed = match known.games.map(|games| print::many(games, "game")) {
        None if known.is_unknown() => "how many games that needs is unknown".to_owned(),
        None => "that needs more games than can be played".to_owned(),
        Some(games) if known.at_least => format!("that needs at least {games}"),
        Some(games) => format!("that needs about {games}"),
    };
    match (known.at_least, known.met) {
        (true, true) => {
            let hint = if known.relative { "" } else { "; for a share of the value ask for `10%rel`" };
            format!("{name} had no such event: it is 0 {found}, within {asked}, as asked{hint}")
        }
        (true, false) => format!("{name} had no such event: it is 0 {found}, not {asked}; {needed}"),
        (false, true) => format!("{name} is known to {found}, within {asked}, as asked"),
        (false, false) => format!("{name} is known to {found}, not to {asked}: {needed}"),
    }
}

fn full_name(known: &Precision, names: &AgentNames) -> String {
    if known.group == "all" {
        known.name.clone()
    } else {
        format!("{} of {}", known.name, names.group(&known.group))
    }
}

/// The distance that was asked for, with its sign and unit.
fn asked(known: &Precision) -> String {
    if known.relative {
        format!("±{} % of the value", rounded(100.0 * known.within))
    } else {
        amount(known, known.within)
    }
}

/// A distance with its sign and unit, and its share of the value if that is asked for.
fn amount(known: &Precision, distance: f64) -> String {
    let absolute = if known.is_rate {
        format!("±{} %", rounded(100.0 * distance))
    } else {
        format!("±{}", rounded(distance))
    };
    match known.value.filter(|value| known.relative && *value != 0.0) {
        Some(value) => format!("±{} % of the value ({absolute})", rounded(100.0 * distance / value.abs())),
        None => absolute,
    }
}

/// Three digits that count, without zeros at the end.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// Prints how many games the targets need, how long they take, and whether `most` games are enough.
pub(super) fn print_plan(
    plan: Result<GamesPlan, GamesPlanError>,
    most: Option<u64>,
    names: &AgentNames,
    output: Output,
) -> anyhow::Result<Ended> {
    let plan = match plan {
        Ok(plan) => plan,
        Err(interrupted @ GamesPlanError::Interrupted { .. }) => {
            note(&interrupted.to_string());
            return Ok(Ended::Interrupted);
        }
        Err(other) => return Err(other.into()),
    };
    if output.json {
        say_json(&plan)?;
    } else if !output.quiet {
        let mut text = plan_text(&plan, names);
        if let (Some(most), Some(false)) = (most, plan.enough) {
            text += &format!("--games {most} is not enough\n");
        }
        say(&text)?;
    }
    Ok(Ended::Done)
}

fn plan_text(plan: &GamesPlan, names: &AgentNames) -> String {
    let known = &plan.precision;
    let row = |known: &Precision| {
        let games = match (known.distance, known.games) {
            (None, _) => "unknown: no interval".to_owned(),
            _ if known.is_unknown() => "unknown: no event so far".to_owned(),
            (Some(_), None) => "more than can be played".to_owned(),
            (Some(_), Some(games)) => {
                let games = print::many(games, "game");
                if known.at_least { format!("at least {games}: no event so far") } else { games }
            }
        };
        vec![full_name(known, names), asked(known), games]
    };
    let table = print::table(&known.iter().map(row).collect::<Vec<_>>()) + &print::legend(names);
    let sum = plan.games.zip(plan.seconds).map_or_else(
        || without_number(plan),
        |(games, seconds)| {
            let time = HumanDuration(Duration::from_secs_f64(seconds));
            let threads = print::many(plan.threads as u64, "thread");
            let about = if known.iter().any(|known| known.at_least) { "at least" } else { "about" };
            format!("{about} {} in {time} on {threads}\n", print::many(games, "game"))
        },
    );
    format!("estimate from a pilot of {}\n\n{table}\n{sum}", print::many(plan.pilot, "game"))
}

/// Why a plan has no number of games.
fn without_number(plan: &GamesPlan) -> String {
    let pilot = print::many(plan.pilot, "game");
    match plan.precision.iter().find(|known| known.is_unknown()) {
        None => "more games than can be played\n".to_owned(),
        Some(known) if known.distance.is_none() => {
            format!("unknown: in the pilot of {pilot}, a figure has no interval\n")
        }
        Some(known) if known.is_rate => format!("unknown: the pilot of {pilot} had no such event\n"),
        Some(_) => format!("unknown: the figure is 0 in the pilot of {pilot}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_three_digits_that_count() {
        let of = |is_rate, distance| {
            let known = Precision {
                name: String::new(),
                group: "all".to_owned(),
                within: 0.0,
                relative: false,
                value: None,
                distance: None,
                met: false,
                games: None,
                at_least: false,
                is_rate,
            };
            amount(&known, distance)
        };
        for (is_rate, distance, text) in [
            (true, 0.00001, "±0.001 %"),
            (true, 0.123_456, "±12.3 %"),
            (true, 0.000_012_345, "±0.00123 %"),
            (false, 50.0, "±50"),
            (false, 1234.5, "±1230"),
        ] {
            assert_eq!(of(is_rate, distance), text);
        }
    }

    /// A figure without an event is not called known, and a share of the value is named as such.
    #[test]
    fn lines_say_what_is_known() {
        let names = AgentNames::new([]);
        let rate = |within, relative: bool, value, met, at_least: bool| Precision {
            name: "draws.four-kans".to_owned(),
            group: "all".to_owned(),
            within,
            relative,
            value: Some(value),
            distance: Some(0.0005),
            met,
            games: (!relative || !at_least).then_some(9000),
            at_least,
            is_rate: true,
        };
        for (known, text) in [
            (rate(0.001, false, 0.004, true, false), "is known to ±0.05 %, within ±0.1 %, as asked"),
            (
                rate(0.001, false, 0.0, true, true),
                "had no such event: it is 0 ±0.05 %, within ±0.1 %, as asked; for a share of the value ask for \
                 `10%rel`",
            ),
            (
                rate(0.0001, false, 0.0, false, true),
                "had no such event: it is 0 ±0.05 %, not ±0.01 %; that needs at least 9,000 games",
            ),
            (
                rate(0.1, true, 0.004, false, false),
                "is known to ±12.5 % of the value (±0.05 %), not to ±10 % of the value: that needs about 9,000 games",
            ),
            (
                rate(0.1, true, 0.0, false, true),
                "had no such event: it is 0 ±0.05 %, not ±10 % of the value; how many games that needs is unknown",
            ),
        ] {
            assert_eq!(line(&known, &names), format!("draws.four-kans {text}"));
        }
    }
}
