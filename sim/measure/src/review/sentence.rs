//! Explains a mistake.

use jantaku_engine::{Action, Observation};
use jantaku_show::HALF_WIDTH_95;
use jantaku_show::text::points;

use super::confirm::Trial;
use super::outcomes::Ends;

/// The action played, the better one, the cost, and why.
pub(super) fn explain(o: &Observation<'_>, played: Action, trial: &Trial) -> String {
    let [played, better] = [played, trial.better].map(|action| o.describe(action));
    let reasons = reasons(&better, trial);
    format!("You chose {played}; {better} is better. That costs {}{reasons}.", cost(trial))
}

/// The loss with its 95 % interval, and the places that it costs.
fn cost(trial: &Trial) -> String {
    let loss = trial.pairs.value.estimate();
    let half = HALF_WIDTH_95 * loss.standard_error.unwrap_or_default();
    let [low, mean, high] = [loss.mean - half, loss.mean, loss.mean + half].map(rounded);
    let placement = trial.pairs.placement.estimate().mean;
    let places = if placement.abs() < 0.005 { String::new() } else { format!(" and {placement:.2} places") };
    format!("about {mean} points of the result ({low} to {high}){places}")
}

/// A share with one decimal.
fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Points without digits that mean nothing.
fn rounded(value: f32) -> String {
    let step = if value.abs() < 1000.0 { 10.0 } else { 100.0 };
    points((step * (value / step).round()) as i32)
}

/// What differs in the ends of the hand: for the better action first, then against it.
fn reasons(better: &str, trial: &Trial) -> String {
    let [played, tried] = Ends::of_trial(trial);
    let mut found = Vec::new();
    if (tried.win - played.win).abs() >= MIN_SHARE {
        let text = format!("wins {} of hands instead of {}", percent(tried.win), percent(played.win));
        found.push((tried.win > played.win, text));
    }
    if played.win > 0.0 && tried.win > 0.0 && (tried.points / played.points).ln().abs() >= MIN_RATIO {
        let [points, other] = [tried.points, played.points].map(rounded);
        let text = if matches!(trial.better, Action::Tsumo | Action::Ron) {
            format!("is worth {points} points instead of {other} on average in a later win")
        } else {
            format!("wins {points} points instead of {other} on average")
        };
        found.push((tried.points > played.points, text));
    }
    if (tried.deal_in - played.deal_in).abs() >= MIN_SHARE {
        let text =
            format!("deals in on {} of hands instead of {}", percent(tried.deal_in), percent(played.deal_in));
        found.push((tried.deal_in < played.deal_in, text));
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
const MIN_SHARE: f32 = 0.005;
/// Points that differ by a smaller ratio, as a logarithm, are not a reason.
const MIN_RATIO: f32 = 0.03;

#[cfg(test)]
mod tests {
    use jantaku_agents::HandEnds;

    use super::*;

    /// A declined win is compared with later wins.
    #[test]
    fn a_win_now_may_be_worth_less_than_a_later_one() {
        let mut trial = Trial::new(Action::Tsumo, 0);
        let ends = |wins: u64, points: i64| HandEnds { wins, win_points: wins as i64 * points, deal_ins: 0 };
        trial.pairs.worlds = 100;
        trial.pairs.ends = [ends(54, 10_400), ends(100, 5900)];
        let expected = ": tsumo wins 100.0 % of hands instead of 54.0 %, although it is worth 5,900 points \
                        instead of 10,400 on average in a later win";
        assert_eq!(reasons("tsumo", &trial), expected);
        trial.better = Action::Pass;
        assert!(reasons("pass", &trial).ends_with("wins 5,900 points instead of 10,400 on average"));
    }
}
