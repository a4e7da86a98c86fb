//! An agent's choice and its reasons as text.

use jantaku_agents::{NamedAgent, without_label};
use jantaku_measure::reports::names::AgentNames;
use jantaku_show::{Opinion, OptionOpinion, Places, Plan, RuleVerdict, WaitCount};

use crate::print;

/// The whole text of each agent that has a name of its own.
pub(crate) fn legend<'a>(agents: impl IntoIterator<Item = &'a NamedAgent>) -> String {
    let mut texts: Vec<(String, String)> = Vec::new();
    for agent in agents {
        let text = (agent.label().to_owned(), without_label(agent.name()).to_owned());
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    print::legend(&AgentNames::within(texts, usize::MAX))
}

/// The choice and its reasons. Lines of tables have at most `columns` columns.
pub(crate) fn text(opinion: &Opinion, columns: usize) -> String {
    let Opinion { agent, action, why, options, .. } = opinion;
    let mut text = format!("{agent}: {action}\n  Why: {why}.\n");
    text += &waits(opinion).map_or_else(String::new, |waits| format!("  {waits}.\n"));
    text += &places(opinion).map_or_else(String::new, |places| format!("  {places}.\n"));
    text += &near_tie(opinion).map_or_else(String::new, |tie| format!("  {tie}.\n"));
    let [plans, corrections] = [plans(options), corrections(options)];
    if !corrections.is_empty() {
        text += &table(&["action", "heuristic", "network", "value"], corrections, columns);
        text += "  These are points of the result of the game, uma included.\n";
    } else if plans.is_empty() {
        text += &estimates_text(opinion, columns);
    } else {
        if action == "tsumo" || action == "ron" {
            text += "  It always wins. If it did not win:\n";
        }
        let heads = ["action", "value", "risk", "win", "points", "plan needs", "ukeire", "mode"];
        text += &table(&heads, plans, columns);
        text += "  Values and risks are points of the result of the game, uma included; only differences of \
                 values mean something.\n";
    }
    for OptionOpinion { action, verdict, .. } in options {
        let Some(RuleVerdict { taken, why, .. }) = verdict else { continue };
        let answer = if *taken { "yes" } else { "no" };
        text += &format!("  {action}: {answer}, {why}\n");
    }
    text
}

/// What the hand waits for after the choice, and after the best action with other waits.
fn waits(opinion: &Opinion) -> Option<String> {
    let own = &opinion.option(&opinion.action)?.waits;
    let list = |waits: &[WaitCount]| {
        let tiles: Vec<String> = waits.iter().map(|wait| wait.tile.to_string()).collect();
        (tiles.join(" "), waits.iter().map(|wait| u64::from(wait.left)).sum())
    };
    let (tiles, left) = Some(list(own)).filter(|_| !own.is_empty())?;
    let other = opinion.options.iter().find(|other| !other.waits.is_empty() && other.waits != *own);
    let instead = other.map_or_else(String::new, |other| {
        let (tiles, left) = list(&other.waits);
        format!("; instead {tiles}, {left}, after {}", other.action)
    });
    Some(format!("Waits {tiles}, {}{instead}", print::many(left, "tile")))
}

/// The chances of each place after the hand.
fn places(opinion: &Opinion) -> Option<String> {
    let Places { win, draw } = opinion.places.as_ref()?;
    let percent = |chances: &[f32]| {
        let chances: Vec<String> = chances.iter().map(|chance| format!("{:.0}", 100.0 * chance)).collect();
        format!("{} %", chances.join(", "))
    };
    Some(format!("Places after a win: {}; after a draw: {}", percent(win), percent(draw)))
}

/// The difference in points below which two estimates without a standard error are a near tie. Other
/// rivers change estimates by as much.
const NEAR_TIE: f32 = 100.0;

/// A sentence about the best other action, if its value barely differs from that of the choice.
fn near_tie(opinion: &Opinion) -> Option<String> {
    let all = values_in_points(opinion);
    let (own, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(action, ..)| **action == opinion.action);
    let (_, value, error) = *own.first()?;
    let (other, best, other_error) = others.into_iter().max_by(|(_, a, _), (_, b, _)| a.total_cmp(b))?;
    let behind = value - best;
    let side = if behind < 0.0 { "ahead" } else { "behind" };
    let size = match behind.abs() {
        size if size < 1.0 => "less than a point".to_owned(),
        size => print::many(size.round() as u64, "point"),
    };
    let by = format!("{other} is {size} {side}");
    match error.zip(other_error).map(|(error, other)| error.max(other)) {
        None => (behind.abs() < NEAR_TIE).then(|| format!("A near tie: {by}")),
        Some(error) => {
            (behind.abs() < error).then(|| format!("Not certain: {by}, less than the standard error"))
        }
    }
}

/// The actions that have values in points, with the values and, if known, their standard errors.
fn values_in_points(opinion: &Opinion) -> Vec<(&str, f32, Option<f32>)> {
    let options = opinion.options.iter().filter(|_| opinion.unit == Some("points"));
    options.filter_map(|one| Some((&*one.action, one.value?, one.standard_error))).collect()
}

/// A table with these heads and rows as text.
fn table(heads: &[&str], rows: Vec<Vec<String>>, columns: usize) -> String {
    let heads = heads.iter().map(|head| (*head).to_owned()).collect();
    print::table_within(&[vec![heads], rows].concat(), columns)
}

/// Points with their sign, or a dash.
fn signed(points: Option<f32>) -> String {
    points.map_or_else(|| "–".to_owned(), |points| print::signed(points.into(), 0))
}

/// The rows of the candidates of `heuristic`.
fn plans(options: &[OptionOpinion]) -> Vec<Vec<String>> {
    let row = |option: &OptionOpinion| {
        let Plan { win, points, mode, plan_shanten, plan_ukeire } = option.plan.as_ref()?;
        Some(vec![
            option.action.clone(),
            signed(option.value),
            print::decimal(option.risk.unwrap_or_default().into(), 0),
            format!("{} %", print::decimal(f64::from(*win) * 100.0, 1)),
            print::decimal((*points).into(), 0),
            plan_shanten.to_string(),
            print::decimal((*plan_ukeire).into(), 0),
            mode.clone(),
        ])
    };
    options.iter().filter_map(row).collect()
}

/// The rows of the options of `residual`, with the estimates of `heuristic` and the corrections of the
/// network, where it has some. Empty if the network compares nothing.
fn corrections(options: &[OptionOpinion]) -> Vec<Vec<String>> {
    if options.iter().all(|option| option.correction.is_none()) {
        return Vec::new();
    }
    let row = |option: &OptionOpinion| {
        let corrected = option.correction.as_ref();
        let base = corrected.map_or(option.value, |one| one.base);
        let correction = corrected.map(|one| one.correction);
        vec![option.action.clone(), signed(base), signed(correction), signed(option.value)]
    };
    let is_known = |option: &&OptionOpinion| option.value.is_some() || option.correction.is_some();
    options.iter().filter(is_known).map(row).collect()
}

/// How many actions a list of probabilities or values shows.
const SHOWN: usize = 8;

/// The number of decimals of values: 0 for points, 3 for units with smaller values, such as placements.
///
/// Stored values do not state their unit, but those of points are rarely all near 0.
fn decimals(opinion: &Opinion) -> usize {
    let options = &opinion.options;
    let mut values = opinion.value.into_iter().chain(options.iter().filter_map(|row| row.value));
    let is_large = values.any(|value| value.abs() >= 100.0)
        || options.iter().any(|row| row.standard_error.is_some_and(|error| error >= 10.0));
    if opinion.unit == Some("points") || is_large { 0 } else { 3 }
}

/// A value with its standard error.
fn estimate_text(mean: f32, standard_error: Option<f32>, decimals: usize) -> String {
    let mean = print::signed(mean.into(), decimals);
    match standard_error {
        Some(error) => format!("{mean} ± {}", print::decimal(error.into(), decimals)),
        None => mean,
    }
}

/// The most probable actions, each with its probability as text, the largest first.
fn probabilities(opinion: &Opinion) -> Vec<(&str, String)> {
    let options = opinion.options.iter();
    let mut rows: Vec<(&str, f32)> =
        options.filter_map(|row| Some((&*row.action, row.probability?))).collect();
    rows.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let percent = |share: f32| format!("{} %", print::decimal(f64::from(share) * 100.0, 1));
    rows.into_iter().take(SHOWN).map(|(action, share)| (action, percent(share))).collect()
}

/// The first actions with values, each with its value as text. Options come in order, the best first.
fn values(opinion: &Opinion) -> Vec<(&str, String)> {
    let decimals = decimals(opinion);
    let known = opinion.options.iter().filter_map(|row| Some((row, row.value?)));
    let text = |value, row: &OptionOpinion| estimate_text(value, row.standard_error, decimals);
    known.take(SHOWN).map(|(row, value)| (&*row.action, text(value, row))).collect()
}

/// The value, then lines of probabilities and of values with their actions.
fn estimates_text(opinion: &Opinion, columns: usize) -> String {
    let mut text = String::new();
    if let Some(value) = opinion.value {
        let unit = opinion.unit.map_or_else(String::new, |unit| format!(" {unit}"));
        text += &format!("  value {}{unit}\n", estimate_text(value, None, decimals(opinion)));
    }
    text + &list(&probabilities(opinion), 8, columns) + &list(&values(opinion), 16, columns)
}

/// A line for each number and its action. The numbers have `width` columns where the lines have room.
fn list(rows: &[(&str, String)], width: usize, columns: usize) -> String {
    let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(print::columns).max().unwrap_or(0);
    let actions = widest(&mut rows.iter().map(|(action, _)| *action));
    let numbers = widest(&mut rows.iter().map(|(_, number)| number.as_str()));
    let width = width.min(columns.saturating_sub(4 + actions)).max(numbers);
    let mut text = String::new();
    for (action, number) in rows {
        text += &format!("  {}  {action}\n", print::right(number, width));
    }
    text
}

/// Estimates in one line: the value, the largest probabilities, the largest values of actions.
pub(crate) fn estimates_line(opinion: &Opinion) -> String {
    let value = opinion.value.map(|value| format!("value {}", estimate_text(value, None, decimals(opinion))));
    let lists = [probabilities(opinion), values(opinion)].map(|rows| {
        let shown: Vec<String> = rows.into_iter().map(|(action, text)| format!("{action} {text}")).collect();
        shown.join(", ")
    });
    let parts: Vec<String> = value.into_iter().chain(lists).filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Estimates of two actions in this unit, best first.
    fn opinion(unit: Option<&'static str>, value: f32, options: &[(&str, f32)]) -> Opinion {
        let option = |(action, value): &(&str, f32)| OptionOpinion {
            action: (*action).to_owned(),
            value: Some(*value),
            standard_error: Some(2.4),
            ..OptionOpinion::default()
        };
        let options = options.iter().map(option).collect();
        Opinion { unit, value: Some(value), options, ..Opinion::default() }
    }

    #[test]
    fn points_have_no_decimals() {
        let near_zero = |unit| opinion(unit, 1.743, &[("pass", 1.743)]);
        let in_points = estimates_text(&near_zero(Some("points")), 80);
        assert_eq!(in_points, format!("  value +2 points\n  {:>16}  pass\n", "+2 ± 2"));
        assert!(estimates_text(&near_zero(None), 80).starts_with("  value +1.743\n"));
        let narrow = estimates_text(&near_zero(Some("points")), 14);
        assert_eq!(narrow, "  value +2 points\n  +2 ± 2  pass\n");
        let stored = opinion(None, 85.455, &[("pass", 85.455), ("pon", -640.2)]);
        assert_eq!(estimates_line(&stored), "value +85; pass +85 ± 2, pon -640 ± 2");
    }

    #[test]
    fn equal_values_differ_by_less_than_a_point() {
        let tie = |other: f32| {
            let own = opinion(Some("points"), 300.0, &[("discard 7z", other), ("discard 1z", 300.0)]);
            near_tie(&Opinion { action: "discard 1z".to_owned(), ..own })
        };
        let sentence =
            |size: &str| Some(format!("Not certain: discard 7z is {size}, less than the standard error"));
        assert_eq!(tie(299.8), sentence("less than a point behind"));
        assert_eq!(tie(298.8), sentence("1 point behind"));
        assert_eq!(tie(302.2), sentence("2 points ahead"));
        assert_eq!(tie(200.0), None);
    }
}
