//! A review as text and JSON.

use serde_json::{Value, json};

use super::review::{Kind, Review, Reviewed};
use crate::cli::print::{self, signed};

/// The decisions of one kind.
#[derive(Clone, Copy, Default)]
struct Sum {
    decisions: usize,
    mistakes: usize,
    /// Points lost by all of them.
    lost: f32,
}

impl Sum {
    fn of<'a>(decisions: impl Iterator<Item = &'a Reviewed>) -> Sum {
        decisions.fold(Sum::default(), |sum, decision| Sum {
            decisions: sum.decisions + 1,
            mistakes: sum.mistakes + usize::from(decision.better.is_some()),
            lost: sum.lost + decision.loss(),
        })
    }
}

impl Reviewed {
    /// What the player lost by the action, in points.
    fn loss(&self) -> f32 {
        self.better.as_ref().map_or(0.0, |(_, points)| *points)
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
            sum.mistakes.to_string(),
            print::decimal(sum.lost.into(), 0),
            print::decimal(each.into(), 1),
        ]
    };
    let heads = ["", "compared", "mistakes", "points lost", "each"].map(str::to_owned).to_vec();
    let mut rows = vec![heads];
    rows.extend(kinds.iter().map(|(kind, sum)| row(kind.name(), *sum)));
    rows.push(row("all", all));
    page += &format!("\n{}", print::table(&rows));
    page += &format!("\n{} more decisions had one action, or one that is clear.\n", review.clear);
    page
}

fn decision_text(decision: &Reviewed) -> String {
    let Reviewed { step, tiles, played, value, standard_error, alternatives, better, .. } = decision;
    let number = format!("#{step}");
    let others: Vec<String> = alternatives
        .iter()
        .map(|other| {
            let (mean, error) = (f64::from(other.difference), f64::from(other.standard_error));
            format!("{} {} ± {}", other.action, signed(mean, 0), print::decimal(error, 0))
        })
        .collect();
    let (value, error) = (signed(f64::from(*value), 0), print::decimal(f64::from(*standard_error), 0));
    let mut text = print::wrapped(&format!("{number:>5} {tiles}  {played} {value} ± {error}"), 6);
    text += &print::wrapped(&format!("      instead {}", others.join(", ")), 6);
    if let Some((action, points)) = better {
        text += &format!("      mistake: {action} is better by {}\n", print::decimal((*points).into(), 0));
    }
    text
}

pub(super) fn as_json(review: &Review, seat: u8, player: &str, agent: &str) -> Value {
    let (kinds, all) = review.sums();
    let sum = |name: &str, sum: Sum| json!({ "kind": name, "compared": sum.decisions, "mistakes": sum.mistakes, "lost": sum.lost });
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
        "alternatives": alternatives.collect::<Vec<_>>(),
        "better": decision.better.as_ref().map(|(action, _)| action),
        "loss": decision.loss(),
    })
}
