//! How precisely figures must be known: the options of `stats` and `sweep`, and what they print.

use std::time::Duration;

use anyhow::anyhow;
use indicatif::HumanDuration;
use jantaku_sim::reports::{GamesPlan, GamesPlanError};
use jantaku_sim::run::RequestError;
use jantaku_sim::stats::Precision;

use super::arguments;
use super::output::{Ended, Output, say, say_json};
use super::print;

/// Options that choose how exactly figures shall be known.
#[derive(clap::Args)]
pub(super) struct PrecisionOptions {
    /// Play until no end of the figure's interval is farther than this from its value, such as
    /// `draws.four-kans=0.001%` or `points.mean=50`; `--games` is then the most that is played
    #[arg(long, value_name = "FIGURE[@GROUP]=DISTANCE")]
    pub precision: Vec<String>,
    /// Only estimate how many games `--precision` needs, and how long they take
    #[arg(long, requires = "precision")]
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

/// A line for each target: how exactly it is known, and how exactly it should be.
pub(super) fn lines(known: &[Precision]) -> String {
    let line = |known: &Precision| {
        let (name, asked) = (full_name(known), amount(known, known.within));
        match known.distance {
            None => format!("{name} has no interval: it is the same in all games, or has no cases\n"),
            Some(_) if known.met => format!("{name} is known to {asked}, as asked\n"),
            Some(distance) => {
                let needed = match known.games.map(|games| print::many(games, "game")) {
                    None => "more games than can be played".to_owned(),
                    Some(games) if known.at_least => format!("at least {games}: there was no such event"),
                    Some(games) => format!("about {games}"),
                };
                format!(
                    "{name} is known to {}, not to {asked}: that needs {needed}\n",
                    amount(known, distance)
                )
            }
        }
    };
    known.iter().map(line).collect()
}

fn full_name(known: &Precision) -> String {
    if known.group == "all" { known.name.clone() } else { format!("{} of {}", known.name, known.group) }
}

/// A distance with its sign and unit.
fn amount(known: &Precision, distance: f64) -> String {
    // Three digits that count, without zeros at the end.
    let rounded = |number: f64| format!("{number:.2e}").parse().unwrap_or(number);
    if known.is_rate {
        format!("±{} %", rounded(100.0 * distance))
    } else {
        format!("±{}", rounded(distance))
    }
}

/// Prints how many games the targets need, how long they take, and whether `most` games are enough.
pub(super) fn print_plan(
    plan: Result<GamesPlan, GamesPlanError>,
    most: Option<u64>,
    output: Output,
) -> anyhow::Result<Ended> {
    let plan = match plan {
        Ok(plan) => plan,
        Err(interrupted @ GamesPlanError::Interrupted { .. }) => {
            eprintln!("{interrupted}");
            return Ok(Ended::Interrupted);
        }
        Err(other) => return Err(other.into()),
    };
    if output.json {
        say_json(&plan)?;
    } else if !output.quiet {
        let mut text = plan_text(&plan);
        if let (Some(most), Some(false)) = (most, plan.enough) {
            text += &format!("--games {most} is not enough\n");
        }
        say(&text)?;
    }
    Ok(Ended::Done)
}

fn plan_text(plan: &GamesPlan) -> String {
    let known = &plan.precision;
    let row = |known: &Precision| {
        let games = match (known.distance, known.games) {
            (None, _) => "no interval: it is the same in all games, or has no cases".to_owned(),
            (Some(_), None) => "more games than can be played".to_owned(),
            (Some(_), Some(games)) => {
                let games = print::many(games, "game");
                if known.at_least { format!("at least {games}: the pilot had no such event") } else { games }
            }
        };
        vec![full_name(known), amount(known, known.within), games]
    };
    let table = print::table(&known.iter().map(row).collect::<Vec<_>>());
    let sum = plan.games.zip(plan.seconds).map_or_else(
        || "no number of games is enough\n".to_owned(),
        |(games, seconds)| {
            let time = HumanDuration(Duration::from_secs_f64(seconds));
            let threads = print::many(plan.threads as u64, "thread");
            let about = if known.iter().any(|known| known.at_least) { "at least" } else { "about" };
            format!("{about} {} in {time} on {threads}\n", print::many(games, "game"))
        },
    );
    format!("estimate from a pilot of {}\n\n{table}\n{sum}", print::many(plan.pilot, "game"))
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
}
