//! A review as text.

use jantaku_sim::review::{Alternative, KindSum, Review, ReviewedDecision};

use crate::print::{self, signed};

pub(super) fn text(review: &Review) -> String {
    let Review { seat, agent, .. } = review;
    let name = review.player.as_ref().map_or_else(String::new, |player| format!(", {player}"));
    let mut page = format!("seat {seat}{name}, reviewed by {agent}; ± standard errors, in points\n");
    let mut hand = None;
    for decision in &review.decisions {
        if hand != Some(decision.hand) {
            page += &format!("\n{}\n", decision.hand_name);
            hand = Some(decision.hand);
        }
        page += &decision_text(decision);
    }
    let heads =
        ["", "compared", "better found", "mistakes", "points lost", "each"].map(str::to_owned).to_vec();
    let mut rows = vec![heads];
    rows.extend(review.kinds.iter().chain([&review.all]).map(sum_row));
    page += &format!("\n{}", print::table(&rows));
    let decisions = if review.clear == 1 { "decision" } else { "decisions" };
    page += &format!("\n{} more {decisions} had one action, or one worth comparing.\n", review.clear);
    page
}

fn sum_row(sum: &KindSum) -> Vec<String> {
    let KindSum { kind, compared, better, mistakes, lost } = *sum;
    let each = if compared > 0 { lost / compared as f32 } else { 0.0 };
    vec![
        kind.to_owned(),
        compared.to_string(),
        better.to_string(),
        mistakes.to_string(),
        print::decimal(lost.into(), 0),
        print::decimal(each.into(), 1),
    ]
}

fn decision_text(decision: &ReviewedDecision) -> String {
    let ReviewedDecision {
        step,
        tiles,
        played,
        value,
        standard_error,
        determinizations,
        alternatives,
        better,
        ..
    } = decision;
    let points = |number: f32| signed(f64::from(number), 0);
    let error = |number: f32| print::decimal(f64::from(number), 0);
    let others: Vec<String> = alternatives
        .iter()
        .map(|other| {
            let Alternative { action, posterior, difference, standard_error, .. } = other;
            let rollouts = format!("{} ± {}", points(*difference), error(*standard_error));
            format!("{action} {} (rollouts {rollouts})", points(*posterior))
        })
        .collect();
    let number = format!("#{step}");
    let value =
        format!("{} ± {} in {determinizations} determinizations", points(*value), error(*standard_error));
    let mut text = print::wrapped(&format!("{number:>5} {tiles}  {played} {value}"), 6);
    text += &print::wrapped(&format!("      instead {}", others.join(", ")), 6);
    if let Some(better) = better {
        let verdict = if decision.is_mistake { "mistake" } else { "perhaps" };
        text += &format!("      {verdict}: {better} is better by {}\n", error(decision.loss));
    }
    text
}
