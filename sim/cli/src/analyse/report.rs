//! A review as text.

use jantaku_measure::reports::names::AgentNames;
use jantaku_measure::review::{Alternative, KindSum, Review, ReviewedDecision};
use jantaku_show::report::numbers::NO_INTERVAL;
use jantaku_show::text;

use crate::print::{self, many, signed};

/// What the text of a review has.
#[derive(Clone, Copy)]
pub(super) struct Detail {
    /// Whether it lists all decisions, or mistakes alone.
    pub all: bool,
    /// Whether it has the figures of searches and trials.
    pub verbose: bool,
}

pub(super) fn page(review: &Review, detail: Detail) -> String {
    let mut page = summary(review) + &undecided(review);
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
        if review.clear > 0 {
            let more = many(review.clear as u64, "more decision");
            let line = format!("{more} had one action, or one worth comparing.");
            page += &format!("\n{}", print::wrapped(&line, 0));
        }
    }
    if let Some(legend) = text::legend(&page) {
        page += &format!("\n{legend}.\n");
    }
    page
}

/// The first paragraph: agreement, mistakes and the points lost.
fn summary(review: &Review) -> String {
    let Review { seat, agent, all, notes, .. } = review;
    let KindSum { compared, agreed, .. } = *all;
    let name = review
        .player
        .as_ref()
        .map_or_else(String::new, |player| format!(", {}", jantaku_show::view::readable(player)));
    let note = |note: &String| format!("Note: {note}.\n");
    let notes: String = notes.iter().map(note).collect();
    let found = if compared == 0 {
        "No decision has several actions to compare.\n".to_owned()
    } else {
        let percent = 100.0 * agreed as f64 / compared as f64;
        format!(
            "It finds nothing better in {agreed} of {} ({} %).\n{}.\n{}.\n",
            many(compared as u64, "decision"),
            print::decimal(percent, 0),
            mistakes(review),
            total(all),
        )
    };
    let text = format!("Seat {seat}{name}, reviewed by {agent}.\n{notes}{found}");
    print::wrapped(&text, 0) + &legend(review)
}

/// A line with the text of the agent, if it has a name of its own.
fn legend(review: &Review) -> String {
    let Review { agent, agent_text, .. } = review;
    print::legend(&AgentNames::within([(agent.clone(), agent_text.clone())], usize::MAX))
}

/// The points that all decisions cost together.
fn total(sum: &KindSum) -> String {
    let Some([lost, lost_low, lost_high]) = sum.loss() else {
        let reason = if sum.untried > 0 {
            "No rollouts were left to try the actions that seem better"
        } else {
            "No search found an action that seems better"
        };
        return format!("{reason}, so no loss was measured");
    };
    format!(
        "All decisions together cost about {} points (95 %: {} to {}), small and uncertain losses included{}",
        points(lost),
        points(lost_low),
        points(lost_high),
        if lost < 0.0 { below_zero(lost_high) } else { "" },
    )
}

/// What a total below 0 means. `high` is the upper end of its interval.
const fn below_zero(high: f32) -> &'static str {
    if high < 0.0 {
        "; below 0, because the actions that were tried are worse than those played"
    } else {
        "; below 0, because the actions that were tried seem worse than those played, within the error"
    }
}

/// The mistakes and their costs, or the largest loss if there is none.
fn mistakes(review: &Review) -> String {
    let count = review.all.mistakes;
    let least = review.least;
    if count > 0 {
        let lost: f32 = review.decisions.iter().filter(|one| one.is_mistake).filter_map(|one| one.loss).sum();
        let found = many(count as u64, "mistake");
        return format!("{found} cost {} points: losses that are surely above {least}", points(lost));
    }
    let largest = review.decisions.iter().max_by(|a, b| lost(a).total_cmp(&lost(b)));
    let largest = largest.filter(|one| lost(one) > 0.0).map_or_else(String::new, |one| {
        format!("; the largest is {} points, #{} in {}", estimate(one), one.step, one.hand_name)
    });
    format!("No mistake: no loss is surely above {least}{largest}")
}

/// A loss with its standard error.
fn estimate(decision: &ReviewedDecision) -> String {
    format!("{} ± {}", points(lost(decision)), points(decision.loss_error.unwrap_or_default()))
}

/// The loss, or 0 if none was measured.
fn lost(decision: &ReviewedDecision) -> f32 {
    decision.loss.unwrap_or_default()
}

/// The most undecided decisions of the list.
const MAX_UNDECIDED: usize = 5;

/// The number of undecided decisions, and the ones with the largest estimated losses. Empty if all
/// are decided.
fn undecided(review: &Review) -> String {
    if review.all.undecided == 0 {
        return String::new();
    }
    let number = many(review.all.undecided as u64, "decision");
    let untried = match review.all.untried {
        0 => String::new(),
        untried => format!(", {untried} of them without a trial"),
    };
    let text = format!("{number} stayed undecided{untried}: raise `--rollouts`.");
    let found = review.decisions.iter().filter(|one| one.is_undecided());
    let mut found: Vec<_> = found.filter_map(|one| Some((one, one.better.as_ref()?))).collect();
    found.sort_by(|(a, _), (b, _)| lost(b).total_cmp(&lost(a)));
    let line = |(one, better): &(&ReviewedDecision, &String)| {
        let ReviewedDecision { hand_name, step, played, .. } = one;
        let loss = estimate(one);
        print::wrapped(&format!("  {hand_name}, #{step}: {played}, perhaps {better} by {loss} points"), 4)
    };
    let likely = if found.is_empty() { "" } else { " The likely largest losses:" };
    print::wrapped(&format!("{text}{likely}"), 0)
        + &found.iter().take(MAX_UNDECIDED).map(line).collect::<String>()
}

fn sum_rows(review: &Review) -> Vec<Vec<String>> {
    let heads = ["", "compared", "agreed", "mistakes", "points lost", "95 % interval"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(review.kinds.iter().chain([&review.all]).map(|sum| {
        let KindSum { compared, agreed, mistakes, .. } = *sum;
        let (lost, interval) = match sum.loss() {
            Some([lost, low, high]) => (points(lost), format!("{} to {}", points(low), points(high))),
            None => (NO_INTERVAL.to_owned(), NO_INTERVAL.to_owned()),
        };
        let [compared, agreed, mistakes] = [compared, agreed, mistakes].map(|count| count.to_string());
        vec![sum.kind.clone().into_owned(), compared, agreed, mistakes, lost, interval]
    }));
    rows
}

/// Points to the nearest ten.
fn points(number: f32) -> String {
    print::decimal(f64::from(10.0 * (number / 10.0).round()) + 0.0, 0)
}

fn decision_text(decision: &ReviewedDecision, detail: Detail) -> String {
    let ReviewedDecision { step, tiles, played, better, sentence, .. } = decision;
    let verdict = match (sentence, better) {
        (Some(_), _) => "mistake".to_owned(),
        (None, Some(better)) => {
            let doubt = if decision.is_undecided() { ", undecided" } else { "" };
            format!("perhaps {better}, by {} points{doubt}", points(lost(decision)))
        }
        (None, None) if decision.is_undecided() => "undecided".to_owned(),
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
    if let (Some(trial), Some(loss), Some(loss_error)) = (&decision.trial, loss, loss_error) {
        let [loss, loss_error] = [whole(*loss), error(*loss_error)];
        let places = format!("{:+.3} ± {:.3} places", trial.placement, trial.placement_error);
        let tried =
            format!("{} {loss} ± {loss_error}, {places}, in {}", trial.action, trial.determinizations);
        text += &print::wrapped(&format!("      trial: {tried}"), 8);
    }
    text
}

#[cfg(test)]
mod tests {
    use jantaku_measure::review::LeastLoss;

    use super::*;

    /// The text of a review of a decision with this loss, in one line.
    fn of_sum(loss: [Option<f32>; 3]) -> String {
        of_decisions(1, loss)
    }

    fn of_decisions(compared: usize, [lost_low, lost, lost_high]: [Option<f32>; 3]) -> String {
        let (kind, agreed, mistakes, undecided, untried) = ("all".into(), 0, 0, 0, 0);
        let review = Review {
            seat: 0,
            player: None,
            agent: "mc".to_owned(),
            agent_text: "mc".to_owned(),
            rules: "tenhou".to_owned(),
            rules_hash: String::new(),
            rules_toml: String::new(),
            least: LeastLoss::new(Some(500.0), Some(0.05)),
            notes: Vec::new(),
            decisions: Vec::new(),
            clear: 0,
            kinds: Vec::new(),
            all: KindSum { kind, compared, agreed, mistakes, undecided, untried, lost, lost_low, lost_high },
            difference: None,
            complete: true,
        };
        let page = page(&review, Detail { all: true, verbose: false });
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_total_below_0_is_explained() {
        let page = of_sum([-900.0, 600.0, 2100.0].map(Some));
        assert!(
            page.contains("No mistake: no loss is surely above 500 points and 0.05 places. All"),
            "{page}"
        );
        assert!(page.contains("about 600 points (95 %: -900 to 2,100), small"), "{page}");
        assert!(!page.contains("below 0") && !page.contains("more decision"), "{page}");
        assert!(
            of_sum([-2100.0, -600.0, 900.0].map(Some))
                .contains("below 0, because the actions that were tried seem")
        );
        assert!(of_sum([-2100.0, -900.0, -300.0].map(Some)).contains("are worse than those played"));
    }

    #[test]
    fn a_review_without_decisions_has_no_share() {
        let page = of_decisions(0, [None; 3]);
        assert!(page.contains("No decision has several actions to compare."), "{page}");
        assert!(!page.contains("0 of 0") && !page.contains("No mistake"), "{page}");
    }

    #[test]
    fn a_review_without_trials_measures_no_loss() {
        let page = of_sum([None; 3]);
        assert!(page.contains("seems better, so no loss was measured. compared"), "{page}");
        assert!(!page.contains("0 to 0") && page.ends_with("– –"), "{page}");
    }
}
