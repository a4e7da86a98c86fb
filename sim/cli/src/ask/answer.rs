//! An agent's choice and its reasons as text.

use jantaku_agents::{NamedAgent, without_label};
use jantaku_sim::explain::{
    ActionProbability, ActionValue, CandidateReasons, CorrectionReasons, Reasons, ReportedSearchInfo,
    VerdictReasons,
};
use jantaku_sim::reports::names::AgentNames;

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
pub(crate) fn text(reasons: &Reasons, columns: usize) -> String {
    let Reasons { agent, action, why, unit, search_info, candidates, corrections, verdicts, .. } = reasons;
    let mut text = format!("{agent}: {action}\n  Why: {why}.\n");
    text += &near_tie(reasons).map_or_else(String::new, |tie| format!("  {tie}.\n"));
    match corrections.as_ref().filter(|corrections| !corrections.is_empty()) {
        // The table has the action values, too.
        Some(corrections) => text += &corrections_table(corrections, columns),
        None => text += &search_info_text(search_info, *unit, columns),
    }
    if let Some(candidates) = candidates.as_ref().filter(|candidates| !candidates.is_empty()) {
        if action == "tsumo" || action == "ron" {
            text += "  It always wins. If it did not win:\n";
        }
        text += &table(candidates, columns);
        text += "  Values and risks are points of the result of the game, uma included; only differences of \
                 values mean something.\n";
    }
    for VerdictReasons { action, taken, why } in verdicts {
        let answer = if *taken { "yes" } else { "no" };
        text += &format!("  {action}: {answer}, {why}\n");
    }
    text
}

/// Estimates without a standard error that differ by less, in points, are a near tie: other rivers
/// move them by as much.
const NEAR_TIE: f32 = 100.0;

/// A sentence about the best other action, if its value barely differs from that of the choice.
fn near_tie(reasons: &Reasons) -> Option<String> {
    let all = values_in_points(reasons);
    let (own, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(action, ..)| **action == reasons.action);
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

/// The values of actions in points, with their standard errors if they are known.
fn values_in_points(reasons: &Reasons) -> Vec<(&str, f32, Option<f32>)> {
    if let Some(candidates) = &reasons.candidates {
        candidates.iter().filter_map(|one| Some((&*one.action, one.value?, None))).collect()
    } else if let Some(corrections) = &reasons.corrections {
        corrections.iter().filter_map(|one| Some((&*one.action, one.value?, None))).collect()
    } else if reasons.unit.is_some() {
        let values = reasons.search_info.action_values.iter().flatten();
        values.filter_map(|one| Some((&*one.action, one.value?, one.standard_error))).collect()
    } else {
        Vec::new()
    }
}

fn table(candidates: &[CandidateReasons], columns: usize) -> String {
    let heads = ["action", "value", "risk", "win", "points", "plan needs", "ukeire", "mode"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for candidate in candidates {
        let CandidateReasons { action, value, risk, win, points, mode, plan_shanten, plan_ukeire } =
            candidate;
        rows.push(vec![
            action.clone(),
            value.map_or_else(|| "–".to_owned(), |value| print::signed(value.into(), 0)),
            print::decimal((*risk).into(), 0),
            format!("{} %", print::decimal(f64::from(*win) * 100.0, 1)),
            print::decimal((*points).into(), 0),
            plan_shanten.to_string(),
            print::decimal((*plan_ukeire).into(), 0),
            mode.clone(),
        ]);
    }
    print::table_within(&rows, columns)
}

/// The candidates of `residual`, with the estimates of `heuristic` and the corrections of the
/// network.
fn corrections_table(corrections: &[CorrectionReasons], columns: usize) -> String {
    let points =
        |points: Option<f32>| points.map_or_else(|| "–".to_owned(), |points| print::signed(points.into(), 0));
    let mut rows = vec![["action", "heuristic", "network", "value"].map(str::to_owned).to_vec()];
    for CorrectionReasons { action, base, correction, value } in corrections {
        rows.push(vec![action.clone(), points(*base), points(Some(*correction)), points(*value)]);
    }
    print::table_within(&rows, columns) + "  These are points of the result of the game, uma included.\n"
}

/// How many actions a list of probabilities or values shows.
const SHOWN: usize = 8;

/// The decimals of values: none of points, three of a smaller unit, such as placements.
///
/// Stored values do not state their unit, but those of points are rarely all near 0.
fn decimals(search_info: &ReportedSearchInfo, unit: Option<&str>) -> usize {
    let of_actions = || search_info.action_values.iter().flatten();
    let mut values = search_info.value.into_iter().chain(of_actions().filter_map(|row| row.value));
    let is_large = values.any(|value| value.abs() >= 100.0)
        || of_actions().any(|row| row.standard_error.is_some_and(|error| error >= 10.0));
    if unit == Some("points") || is_large { 0 } else { 3 }
}

/// A value with its standard error.
fn estimate_text(mean: f32, standard_error: Option<f32>, decimals: usize) -> String {
    let mean = print::signed(mean.into(), decimals);
    match standard_error {
        Some(error) => format!("{mean} ± {}", print::decimal(error.into(), decimals)),
        None => mean,
    }
}

/// The actions with the largest probabilities, largest first, with those as text.
fn probabilities(search_info: &ReportedSearchInfo) -> Vec<(&str, String)> {
    let mut rows: Vec<&ActionProbability> = search_info.policy.iter().flatten().collect();
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    let percent = |row: &ActionProbability| print::decimal(f64::from(row.value) * 100.0, 1);
    rows.into_iter().take(SHOWN).map(|row| (&*row.action, format!("{} %", percent(row)))).collect()
}

/// The actions with the largest values, largest first, with those as text.
fn values(search_info: &ReportedSearchInfo, decimals: usize) -> Vec<(&str, String)> {
    let known = |row: &ActionValue| Some((row.value?, row.standard_error));
    let rows = search_info.action_values.iter().flatten();
    let mut rows: Vec<_> = rows.filter_map(|row| Some((&*row.action, known(row)?))).collect();
    rows.sort_by(|(_, (a, _)), (_, (b, _))| b.total_cmp(a));
    let shown = rows.into_iter().take(SHOWN);
    shown.map(|(action, (mean, error))| (action, estimate_text(mean, error, decimals))).collect()
}

/// The value, then lines of probabilities and of values with their actions.
fn search_info_text(search_info: &ReportedSearchInfo, unit: Option<&str>, columns: usize) -> String {
    let mut text = String::new();
    let decimals = decimals(search_info, unit);
    if let Some(value) = search_info.value {
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        text += &format!("  value {}{unit}\n", estimate_text(value, None, decimals));
    }
    text + &list(&probabilities(search_info), 8, columns) + &list(&values(search_info, decimals), 16, columns)
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

/// Search info in one line: the value, the largest probabilities, the largest values of actions.
pub(crate) fn search_info_line(search_info: &ReportedSearchInfo) -> String {
    let decimals = decimals(search_info, None);
    let value = search_info.value.map(|value| format!("value {}", estimate_text(value, None, decimals)));
    let lists = [probabilities(search_info), values(search_info, decimals)].map(|rows| {
        let shown: Vec<String> = rows.into_iter().map(|(action, text)| format!("{action} {text}")).collect();
        shown.join(", ")
    });
    let parts: Vec<String> = value.into_iter().chain(lists).filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(action: &str, value: f32) -> ActionValue {
        ActionValue { action: action.to_owned(), value: Some(value), standard_error: Some(2.4) }
    }

    fn search_info(value: f32, action_values: Vec<ActionValue>) -> ReportedSearchInfo {
        let action_values = Some(action_values);
        ReportedSearchInfo { value: Some(value), action_values, ..ReportedSearchInfo::default() }
    }

    #[test]
    fn points_have_no_decimals() {
        let near_zero = search_info(1.743, vec![estimate("pass", 1.743)]);
        let in_points = search_info_text(&near_zero, Some("points"), 80);
        assert_eq!(in_points, format!("  value +2 points\n  {:>16}  pass\n", "+2 ± 2"));
        assert!(search_info_text(&near_zero, None, 80).starts_with("  value +1.743\n"));
        let narrow = search_info_text(&near_zero, Some("points"), 14);
        assert_eq!(narrow, "  value +2 points\n  +2 ± 2  pass\n");
        let stored = search_info(85.455, vec![estimate("pass", 85.455), estimate("pon", -640.2)]);
        assert_eq!(search_info_line(&stored), "value +85; pass +85 ± 2, pon -640 ± 2");
    }

    #[test]
    fn equal_values_differ_by_less_than_a_point() {
        let tie = |other: f32| {
            let values = vec![estimate("discard 7z", other), estimate("discard 1z", 300.0)];
            near_tie(&Reasons {
                agent: "mc".to_owned(),
                text: "mc".to_owned(),
                action: "discard 1z".to_owned(),
                why: String::new(),
                unit: Some("points"),
                search_info: search_info(300.0, values),
                candidates: None,
                corrections: None,
                verdicts: Vec::new(),
            })
        };
        let sentence =
            |size: &str| Some(format!("Not certain: discard 7z is {size}, less than the standard error"));
        assert_eq!(tie(299.8), sentence("less than a point behind"));
        assert_eq!(tie(298.8), sentence("1 point behind"));
        assert_eq!(tie(302.2), sentence("2 points ahead"));
        assert_eq!(tie(200.0), None);
    }
}
