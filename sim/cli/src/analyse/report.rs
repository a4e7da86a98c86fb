//! A review as text.

use jantaku_sim::review::{Alternative, KindSum, Review, ReviewedDecision};

use crate::print::{self, many, signed};

/// What the text of a review has.
#[derive(Clone, Copy)]
pub(super) struct Detail {
    /// Whether it lists all decisions, or mistakes alone.
    pub all: bool,
    /// Whether it has the figures of searches and trials.
    pub verbose: bool,
}

pub(super) fn text(review: &Review, detail: Detail) -> String {
    let mut page = summary(review);
    let mut hand = None;
    for decision in review.decisions.iter().filter(|decision| detail.all || decision.is_mistake) {
        if hand != Some(decision.hand) {
            page += &format!("\n{}\n", decision.hand_name);
            hand = Some(decision.hand);
        }
        page += &decision_text(decision, detail);
    }
    if detail.all {
        page += &format!("\n{}", print::table(&sum_rows(review)));
        let more = many(review.clear as u64, "more decision");
        page += &format!("\n{more} had one action, or one worth comparing.\n");
    }
    page
}

/// The first paragraph: agreement, mistakes and the points lost.
fn summary(review: &Review) -> String {
    let Review { seat, agent, all, .. } = review;
    let KindSum { compared, agreed, mistakes, lost, lost_low, lost_high, .. } = *all;
    let name = review.player.as_ref().map_or_else(String::new, |player| format!(", {player}"));
    let of_mistakes: f32 = review.decisions.iter().filter(|one| one.is_mistake).map(|one| one.loss).sum();
    let percent = 100.0 * agreed as f64 / compared.max(1) as f64;
    let text = format!(
        "Seat {seat}{name}, reviewed by {agent}.\n\
         It finds nothing better in {agreed} of {} ({} %).\n\
         {} cost {} points; all decisions cost about {} ({} to {}).\n",
        many(compared as u64, "decision"),
        print::decimal(percent, 0),
        many(mistakes as u64, "mistake"),
        points(of_mistakes),
        points(lost),
        points(lost_low),
        points(lost_high),
    );
    print::wrapped(&text, 0)
}

fn sum_rows(review: &Review) -> Vec<Vec<String>> {
    let heads = ["", "compared", "agreed", "mistakes", "points lost", "95 % interval"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(review.kinds.iter().chain([&review.all]).map(|sum| {
        let KindSum { kind, compared, agreed, mistakes, lost, lost_low, lost_high } = *sum;
        let interval = format!("{} to {}", points(lost_low), points(lost_high));
        let [compared, agreed, mistakes] = [compared, agreed, mistakes].map(|count| count.to_string());
        vec![kind.to_owned(), compared, agreed, mistakes, points(lost), interval]
    }));
    rows
}

/// Points to the nearest ten.
fn points(number: f32) -> String {
    print::decimal(f64::from(10.0 * (number / 10.0).round()) + 0.0, 0)
}

fn decision_text(decision: &ReviewedDecision, detail: Detail) -> String {
    let ReviewedDecision { step, tiles, played, better, loss, sentence, .. } = decision;
    let verdict = match (sentence, better) {
        (Some(_), _) => "mistake".to_owned(),
        (None, Some(better)) => format!("perhaps {better}, by {} points", points(*loss)),
        (None, None) => String::new(),
    };
    let number = format!("#{step}");
    let mut text = print::wrapped(&format!("{number:>5} {tiles}  {played}  {verdict}"), 6);
    if let Some(sentence) = sentence {
        text += &print::wrapped(&format!("      {sentence}"), 6);
        text += &decision
            .position
            .lines()
            .map(|line| print::wrapped(&format!("        {line}"), 10))
            .collect::<String>();
    }
    if detail.verbose {
        text += &figures(decision);
    }
    text
}

/// The figures of the last search and of the trial, for researchers.
fn figures(decision: &ReviewedDecision) -> String {
    let ReviewedDecision { value, standard_error, determinizations, alternatives, loss, loss_error, .. } =
        decision;
    let whole = |number: f32| signed(f64::from(number), 0);
    let error = |number: f32| print::decimal(f64::from(number), 0);
    let others: Vec<String> = alternatives
        .iter()
        .map(|other| {
            let Alternative { action, posterior, difference, standard_error, determinizations } = other;
            let rollouts =
                format!("{} ± {} in {determinizations}", whole(*difference), error(*standard_error));
            format!("{action} {} ({rollouts})", whole(*posterior))
        })
        .collect();
    let search = format!(
        "      search: {} ± {} in {determinizations}; {}",
        whole(*value),
        error(*standard_error),
        others.join(", ")
    );
    let mut text = print::wrapped(&search, 8);
    if let Some(trial) = &decision.trial {
        let [loss, loss_error] = [whole(*loss), error(*loss_error)];
        let places = format!("{:+.3} ± {:.3} places", trial.placement, trial.placement_error);
        let tried =
            format!("{} {loss} ± {loss_error}, {places}, in {}", trial.action, trial.determinizations);
        text += &print::wrapped(&format!("      trial: {tried}"), 8);
    }
    text
}
