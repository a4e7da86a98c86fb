//! Why an action is better than another: how the hand ends after each in the same worlds.

use jantaku_agents::{HandEnds, PairedRollouts};
use jantaku_engine::{Action, Observation};
use jantaku_show::{HALF_WIDTH_95, Sentence};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How the hand ended for the player in rollouts.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ends {
    /// The share of wins, from 0 to 1.
    pub win: f32,
    /// Mean points of these wins, without honba and riichi sticks.
    pub points: f32,
    /// The share of deal-ins, from 0 to 1.
    pub deal_in: f32,
    /// The share of draws in which the player shows tenpai, from 0 to 1.
    pub tenpai: f32,
}

impl Ends {
    /// The ends after each of the two actions.
    pub(crate) fn of(pairs: &PairedRollouts) -> [Ends; 2] {
        let worlds = pairs.worlds.max(1) as f32;
        pairs.ends.map(|ends| {
            let HandEnds { wins, win_points, deal_ins, tenpai } = ends;
            Ends {
                win: wins as f32 / worlds,
                points: win_points as f32 / wins.max(1) as f32,
                deal_in: deal_ins as f32 / worlds,
                tenpai: tenpai as f32 / worlds,
            }
        })
    }
}

/// That the second action is better than the one played: its cost with the 95 % interval, and why.
pub(crate) fn explain_loss(o: &Observation<'_>, actions: [Action; 2], pairs: &PairedRollouts) -> Sentence {
    let loss = pairs.value.estimate();
    let half = HALF_WIDTH_95 * loss.standard_error.unwrap_or_default();
    let [low, mean, high] = [loss.mean - half, loss.mean, loss.mean + half].map(rounded);
    let placement = pairs.placement.estimate().mean;
    let places = Sentence::new("compared-places", json!({ "places": format!("{placement:.2}") }));
    let places = if placement.abs() < 0.005 { Sentence::from("") } else { places };
    let [played, better] = actions.map(|action| o.describe(action));
    let why = explain_difference(o, actions[1], pairs).map_or_else(
        || Sentence::from(""),
        |why| {
            let is_against = why.key() == Some("compared-against");
            Sentence::new(if is_against { "compared-but" } else { "compared-as" }, json!({ "why": why }))
        },
    );
    let mut values = json!({ "played": played, "better": better, "places": places, "why": why });
    (values["mean"], values["low"], values["high"]) = (mean.into(), low.into(), high.into());
    Sentence::new("compared", values)
}

/// What differs in the ends of the hand after `better`, the second action: for it first, then against it. None
/// if nothing does.
pub(crate) fn explain_difference(
    o: &Observation<'_>,
    better: Action,
    pairs: &PairedRollouts,
) -> Option<Sentence> {
    let [played, tried] = Ends::of(pairs);
    let mut facts = Vec::new();
    let mut add_share = |key, tried: f32, played: f32, is_good: bool| {
        if (tried - played).abs() >= MIN_SHARE {
            let share = Sentence::new(key, json!({ "share": percent(tried), "other": percent(played) }));
            facts.push(((tried > played) == is_good, share));
        }
    };
    add_share("compared-win", tried.win, played.win, true);
    add_share("compared-deal-in", tried.deal_in, played.deal_in, false);
    add_share("compared-tenpai", tried.tenpai, played.tenpai, true);
    let is_rare = played.win.min(tried.win) < MIN_WIN;
    if !is_rare && (tried.points / played.points).ln().abs() >= MIN_RATIO {
        let is_win = matches!(better, Action::Tsumo | Action::Ron);
        let key = if is_win { "compared-win-now" } else { "compared-points" };
        let [points, other] = [tried.points, played.points].map(rounded);
        let fact = Sentence::new(key, json!({ "points": points, "other": other }));
        facts.insert(1.min(facts.len()), (tried.points > played.points, fact));
    }
    let of = |wanted: bool| {
        let those = facts.iter().filter(|(is_for, _)| *is_for == wanted).map(|(_, fact)| fact.clone());
        those.rev().reduce(|rest, first| {
            let key = if rest.key() == Some("compared-and") { "compared-comma" } else { "compared-and" };
            Sentence::new(key, json!({ "first": first, "rest": rest }))
        })
    };
    let better = o.describe(better);
    match (of(true), of(false)) {
        (None, None) => None,
        (Some(pro), None) => Some(Sentence::new("compared-for", json!({ "better": better, "facts": pro }))),
        (None, Some(con)) => {
            Some(Sentence::new("compared-against", json!({ "better": better, "facts": con })))
        }
        (Some(pro), Some(con)) => {
            let values = json!({ "better": better, "facts": pro, "against": con });
            Some(Sentence::new("compared-both", values))
        }
    }
}

/// Shares that differ by less are not a reason.
const MIN_SHARE: f32 = 0.005;
/// Points of rarer wins are not a reason.
const MIN_WIN: f32 = 0.02;
/// Points that differ by a smaller ratio, as a logarithm, are not a reason.
const MIN_RATIO: f32 = 0.03;

/// A share with one decimal.
fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Points without digits that mean nothing.
fn rounded(value: f32) -> i32 {
    let step = if value.abs() < 1000.0 { 10.0 } else { 100.0 };
    (step * (value / step).round()) as i32
}

#[cfg(test)]
mod tests {
    use jantaku_engine::{Game, Rules};

    use super::*;

    /// The difference between two actions after which hands end like this, without the better action.
    fn difference(better: Action, ends: [HandEnds; 2]) -> String {
        let game = Game::new(&Rules::default(), 1);
        let (seat, _) = game.decisions().next().expect("the dealer must discard");
        let o = game.observe(seat);
        let pairs = PairedRollouts { worlds: 100, ends, ..PairedRollouts::default() };
        let text = explain_difference(&o, better, &pairs).map_or_else(String::new, |why| why.to_string());
        text.replace(&o.describe(better), "it")
    }

    /// A declined win is compared with later wins.
    #[test]
    fn a_win_now_may_be_worth_less_than_a_later_one() {
        let ends = |wins: u64, points: i64| HandEnds {
            wins,
            win_points: wins as i64 * points,
            ..HandEnds::default()
        };
        let found = difference(Action::Tsumo, [ends(54, 10_400), ends(100, 5900)]);
        let expected = "it wins 100.0 % of hands instead of 54.0 %, although it is worth 5,900 points instead of \
                        10,400 on average in a later win";
        assert_eq!(found, expected);
        let found = difference(Action::Pass, [ends(54, 10_400), ends(100, 5900)]);
        assert!(found.ends_with("wins 5,900 points instead of 10,400 on average"), "{found}");
    }

    /// Of several reasons, the last one follows "and". Points of rare wins are no reason.
    #[test]
    fn reasons_are_listed() {
        let played = HandEnds { wins: 1, win_points: 12_000, deal_ins: 20, tenpai: 10 };
        let tried = HandEnds { wins: 0, win_points: 0, deal_ins: 2, tenpai: 10 };
        let expected = "it deals in on 2.0 % of hands instead of 20.0 %, although it wins 0.0 % of hands instead of \
                        1.0 %";
        assert_eq!(difference(Action::Pass, [played, tried]), expected);
        let tried = HandEnds { wins: 10, win_points: 20_000, deal_ins: 2, tenpai: 30 };
        let expected = "it wins 10.0 % of hands instead of 1.0 %, deals in on 2.0 % of hands instead of 20.0 % and \
                        shows tenpai in 30.0 % of hands instead of 10.0 %";
        assert_eq!(difference(Action::Pass, [played, tried]), expected);
        assert_eq!(difference(Action::Pass, [played, played]), "");
        assert!(difference(Action::Pass, [tried, played]).starts_with("although it wins 1.0 %"));
    }
}
