//! A mistake in words.

use jantaku_engine::{Action, Observation};
use jantaku_hands::text::points;

use super::result::Ends;
use super::trial::{Trial, USUAL};

/// What was played, what is better, what that costs, and why.
pub(super) fn of_mistake(o: &Observation<'_>, played: Action, trial: &Trial) -> String {
    let [played, better] = [played, trial.better].map(|action| o.describe(action));
    format!("You chose {played}; {better} is better. That costs {}{}.", cost(trial), reasons(&better, trial))
}

/// The loss with its 95 % interval, and the places that it costs.
fn cost(trial: &Trial) -> String {
    let loss = trial.pairs.value.estimate();
    let half = USUAL * loss.standard_error.unwrap_or_default();
    let [low, mean, high] = [loss.mean - half, loss.mean, loss.mean + half].map(rounded);
    let placement = trial.pairs.placement.estimate().mean;
    let places = if placement.abs() < 0.005 { String::new() } else { format!(" and {placement:.2} places") };
    format!("about {mean} points of the result ({low} to {high}){places}")
}

/// Points without digits that mean nothing.
fn rounded(value: f32) -> String {
    let step = if value.abs() < 1000.0 { 10.0 } else { 100.0 };
    points((step * (value / step).round()) as i32)
}

/// What differs in the ends of the hand: for the better action first, then against it.
fn reasons(better: &str, trial: &Trial) -> String {
    let [before, after] = Ends::of_trial(trial);
    let mut found = Vec::new();
    if (after.win - before.win).abs() >= LEAST_SHARE {
        let text = format!("wins {} of hands instead of {}", percent(after.win), percent(before.win));
        found.push((after.win > before.win, text));
    }
    if before.win > 0.0 && after.win > 0.0 && (after.points / before.points).ln().abs() >= LEAST_RATIO {
        let [now, then] = [after.points, before.points].map(rounded);
        found.push((after.points > before.points, format!("wins {now} points instead of {then}")));
    }
    if (after.deal_in - before.deal_in).abs() >= LEAST_SHARE {
        let text =
            format!("deals in on {} of hands instead of {}", percent(after.deal_in), percent(before.deal_in));
        found.push((after.deal_in < before.deal_in, text));
    }
    let of = |wanted: bool| {
        let texts = found.iter().filter(|(is_for, _)| *is_for == wanted).map(|(_, text)| text.as_str());
        listed(&texts.collect::<Vec<_>>())
    };
    match (of(true), of(false)) {
        (pro, con) if pro.is_empty() && con.is_empty() => String::new(),
        (pro, con) if con.is_empty() => format!(": {better} {pro}"),
        (pro, con) if pro.is_empty() => format!(", although {better} {con}"),
        (pro, con) => format!(": {better} {pro}, although it {con}"),
    }
}

/// Texts with commas, and "and" before the last.
fn listed(texts: &[&str]) -> String {
    match texts {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => texts.concat(),
    }
}

/// Shares that differ by less are not a reason.
const LEAST_SHARE: f32 = 0.005;
/// Points that differ by a smaller ratio, as a logarithm, are not a reason.
const LEAST_RATIO: f32 = 0.03;

fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}
