//! A review as text and JSON.

use serde_json::{Value, json};

use super::review::{Alternative, Kind, Review, Reviewed};
use crate::print::{self, signed};

/// The decisions of one kind.
#[derive(Clone, Copy, Default)]
struct Sum {
    decisions: usize,
    /// Those in which the search would take another action, and those in which that is clear.
    better: usize,
    mistakes: usize,
    /// Points lost by all of them.
    lost: f32,
}

impl Sum {
    fn of<'a>(decisions: impl Iterator<Item = &'a Reviewed>) -> Sum {
        decisions.fold(Sum::default(), |sum, decision| Sum {
            decisions: sum.decisions + 1,
            better: sum.better + usize::from(decision.better.is_some()),
            mistakes: sum.mistakes + usize::from(decision.is_mistake()),
            lost: sum.lost + decision.loss(),
        })
    }
}

impl Reviewed {
    /// What the player lost by the action, in points.
    fn loss(&self) -> f32 {
        self.better.as_ref().map_or(0.0, |better| better.points)
    }

    fn is_mistake(&self) -> bool {
        self.better.as_ref().is_some_and(|better| better.is_clear)
    }
}

impl Review {
    /// The kinds that occurred, and all decisions together.
    fn sums(&self) -> (Vec<(Kind, Sum)>, Sum) {
        let of = |kind| (kind, Sum::of(self.decisions.iter().filter(|decision| decision.kind == kind)));
        let kinds = Kind::ALL.into_iter().map(of).filter(|(_, sum)| sum.decisions > 0).collect();
        (kinds, Sum::of(self.decisions.iter()))
    }
}

pub(super) fn text(review: &Review, seat: u8, player: &str, agent: &str) -> String {
    let name = if player.is_empty() { String::new() } else { format!(", {player}") };
    let mut page = format!("seat {seat}{name}, reviewed by {agent}; ± standard errors, in points\n");
    let mut hand = None;
    for decision in &review.decisions {
        if hand != Some(decision.hand) {
            page += &format!("\n{}\n", decision.hand_name);
            hand = Some(decision.hand);
        }
        page += &decision_text(decision);
    }
    let (kinds, all) = review.sums();
    let row = |name: &str, sum: Sum| {
        let each = if sum.decisions > 0 { sum.lost / sum.decisions as f32 } else { 0.0 };
        vec![
            name.to_owned(),
            sum.decisions.to_string(),
            sum.better.to_string(),
            sum.mistakes.to_string(),
            print::decimal(sum.lost.into(), 0),
            print::decimal(each.into(), 1),
        ]
    };
    let heads =
        ["", "compared", "better found", "mistakes", "points lost", "each"].map(str::to_owned).to_vec();
    let mut rows = vec![heads];
    rows.extend(kinds.iter().map(|(kind, sum)| row(kind.name(), *sum)));
    rows.push(row("all", all));
    page += &format!("\n{}", print::table(&rows));
    let decisions = if review.clear == 1 { "decision" } else { "decisions" };
    page += &format!("\n{} more {decisions} had one action, or one worth comparing.\n", review.clear);
    page
}

fn decision_text(decision: &Reviewed) -> String {
    let Reviewed { step, tiles, played, value, standard_error, deals, alternatives, better, .. } = decision;
    let points = |number: f32| signed(f64::from(number), 0);
    let error = |number: f32| print::decimal(f64::from(number), 0);
    let others: Vec<String> = alternatives
        .iter()
        .map(|other| {
            let Alternative { action, believed, difference, standard_error, .. } = other;
            let rollouts = format!("{} ± {}", points(*difference), error(*standard_error));
            format!("{action} {} (rollouts {rollouts})", points(*believed))
        })
        .collect();
    let number = format!("#{step}");
    let value = format!("{} ± {} in {deals} deals", points(*value), error(*standard_error));
    let mut text = print::wrapped(&format!("{number:>5} {tiles}  {played} {value}"), 6);
    text += &print::wrapped(&format!("      instead {}", others.join(", ")), 6);
    if let Some(better) = better {
        let verdict = if better.is_clear { "mistake" } else { "perhaps" };
        text += &format!("      {verdict}: {} is better by {}\n", better.action, error(better.points));
    }
    text
}

pub(super) fn as_json(review: &Review, seat: u8, player: &str, agent: &str) -> Value {
    let (kinds, all) = review.sums();
    let sum = |name: &str, sum: Sum| {
        json!({
            "kind": name,
            "compared": sum.decisions,
            "better": sum.better,
            "mistakes": sum.mistakes,
            "lost": sum.lost,
        })
    };
    json!({
        "seat": seat,
        "player": (!player.is_empty()).then_some(player),
        "agent": agent,
        "decisions": review.decisions.iter().map(decision_json).collect::<Vec<_>>(),
        "clear": review.clear,
        "kinds": kinds.iter().map(|(kind, of_kind)| sum(kind.name(), *of_kind)).collect::<Vec<_>>(),
        "all": sum("all", all),
    })
}

fn decision_json(decision: &Reviewed) -> Value {
    let alternatives = decision.alternatives.iter().map(|other| {
        json!({
            "action": other.action,
            "believed": other.believed,
            "difference": other.difference,
            "standard_error": other.standard_error,
            "deals": other.deals,
        })
    });
    json!({
        "hand": decision.hand,
        "step": decision.step,
        "kind": decision.kind.name(),
        "tiles": decision.tiles,
        "played": decision.played,
        "value": decision.value,
        "standard_error": decision.standard_error,
        "deals": decision.deals,
        "alternatives": alternatives.collect::<Vec<_>>(),
        "better": decision.better.as_ref().map(|better| &better.action),
        "loss": decision.loss(),
        "is_mistake": decision.is_mistake(),
    })
}
