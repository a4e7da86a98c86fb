//! How precisely figures must be known: the options of `stats` and `sweep`, and what they print.

use jantaku_measure::reports::precision::{asked, full_name};
use jantaku_measure::reports::{GamesPlan, GamesPlanError};
use jantaku_measure::stats::Precision;

use super::figures::FILES;
use super::output::{Ended, Output, note};
use super::print::{self, AgentNames};

/// The option to plan games instead of playing them.
#[derive(clap::Args)]
pub(super) struct PlanOption {
    /// Only estimate how many games `--precision` needs, and how long they take
    #[arg(long, requires = "precision", conflicts_with_all = FILES)]
    pub plan: bool,
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
    output.sum_up(&plan, || {
        let mut text = plan_text(&plan, names);
        if let (Some(most), Some(false)) = (most, plan.enough) {
            text += &format!("--games {most} is not enough\n");
        }
        text
    })?;
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
        || plan.reason.clone().unwrap_or_default() + "\n",
        |(games, seconds)| {
            let time = print::duration(seconds);
            let threads = print::many(plan.threads as u64, "thread");
            let about = if known.iter().any(|known| known.at_least) { "at least" } else { "about" };
            format!("{about} {} in {time} on {threads}\n", print::many(games, "game"))
        },
    );
    format!("estimate from a pilot of {}\n\n{table}\n{sum}", print::many(plan.pilot, "game"))
}
