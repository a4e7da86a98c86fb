//! The report of a review.

use super::origin::{Origin, rules_facts};
use super::{Reported, data};
use crate::review::{Alternative, Grade, KindSum, Review, ReviewedDecision};
use jantaku_pages::report::width::cut;
use jantaku_pages::report::{Cell, Column, Fact, Interval, Report, Table};
use jantaku_show::numbers::{decimal, many, signed};
use jantaku_show::text;
use jantaku_show::{HALF_WIDTH_95, OtherAnswer};
use jantaku_sim::play::By;

/// The most letters of a name in a title.
const MAX_LETTERS: usize = 60;
/// The heading of the columns of losses.
const LOST: &str = "points lost";

/// What the report of a review has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReviewDetail {
    /// Whether it lists all decisions, or only mistakes, those on which agents disagree, and undecided ones.
    pub all: bool,
    /// Whether it has the figures of searches and trials.
    pub verbose: bool,
}

impl Reported for Review {
    fn report(&self, _: &[By]) -> Report {
        self.report_with(ReviewDetail { all: true, verbose: false }, None)
    }

    fn page_report(&self, origin: &Origin) -> Report {
        let detail = ReviewDetail { all: true, verbose: false };
        let mut report = Report { data: data(self), ..self.report_with(detail, origin.game.as_deref()) };
        report.facts.splice(..0, origin.facts());
        report.fit("decisions", "the result as JSON has all.", |one| one["grade"] == "mistake");
        report
    }
}

impl Review {
    /// The report with this detail. `game` is the address of the page of its game.
    pub fn report_with(&self, detail: ReviewDetail, game: Option<&str>) -> Report {
        let player =
            self.player.as_ref().map_or_else(String::new, |name| format!(", {}", cut(name, MAX_LETTERS)));
        let table = |heading: &str, is_listed: fn(&ReviewedDecision) -> bool| {
            decisions(heading, self.decisions.iter().filter(|one| is_listed(one)), detail, game)
        };
        let mut tables = vec![
            kinds(self),
            table("Mistakes", is_mistake),
            table("Agents disagree", |one| one.grade == Grade::Disputed),
            table("Undecided decisions", ReviewedDecision::is_undecided),
        ];
        if detail.all {
            tables.push(table("Other decisions", |one| one.grade <= Grade::Inaccuracy));
        }
        tables.retain(|table| !table.is_empty());
        Report {
            title: format!("Review of seat {}{player}", self.seat),
            findings: findings(self),
            facts: facts(self),
            notes: notes(self, game),
            sections: tables.into_iter().map(Into::into).collect(),
            ..Report::default()
        }
    }
}

fn is_mistake(one: &ReviewedDecision) -> bool {
    one.grade == Grade::Mistake
}

fn notes(found: &Review, game: Option<&str>) -> Vec<String> {
    let losses = "A loss compares the action played with the best one found, in points of the result of the game, \
                  estimated by separate trials. A loss below 0 says that the other action is worse. Intervals have \
                  95 % confidence.";
    let mut mistakes = found.decisions.iter().filter(|one| is_mistake(one) && game.is_none());
    let tiles = mistakes.find_map(|one| text::legend(&one.position)).map(|legend| format!("{legend}."));
    std::iter::once(losses.to_owned()).chain(tiles).collect()
}

fn findings(found: &Review) -> Vec<String> {
    let KindSum { compared, agreed, undecided, unknown, .. } = found.all;
    let mut findings = Vec::new();
    if !found.complete {
        findings.push("The review was interrupted: later decisions are missing.".to_owned());
    }
    if compared == 0 {
        findings.push("No decision has several actions to compare.".to_owned());
        return findings;
    }
    let share = decimal(100.0 * agreed as f64 / compared as f64, 0);
    let agreed = format!("{agreed} of {} ({share} %)", many(compared as u64, "decision"));
    findings.extend([
        format!("The search finds nothing better in {agreed}."),
        format!("{}.", mistakes(found)),
        format!("{}.", total(&found.all)),
        format!("{}.", grades(&found.all)),
    ]);
    if undecided > 0 {
        let unknown =
            if unknown > 0 { format!(", {unknown} of them without a trial") } else { String::new() };
        let number = many(undecided as u64, "decision");
        findings.push(format!("{number} stayed undecided{unknown}: more rollouts may decide them."));
    }
    findings
}

/// The mistakes and their costs, or the largest loss if there is none.
fn mistakes(found: &Review) -> String {
    let threshold = found.threshold;
    let mistakes = found.decisions.iter().filter(|one| is_mistake(one));
    if found.all.mistakes > 0 {
        let cost = points(mistakes.filter_map(|one| one.loss).sum());
        let mistakes = many(found.all.mistakes as u64, "mistake");
        return format!("{mistakes} cost {cost} points: losses that are surely above {threshold}");
    }
    if found.all.disputed > 0 {
        let disputed = many(found.all.disputed as u64, "decision");
        return format!("No mistake: agents disagree on {disputed} with a loss above {threshold}");
    }
    let largest = found.decisions.iter().max_by(|a, b| lost(a).total_cmp(&lost(b)));
    let largest = largest.filter(|one| lost(one) > 0.0).map_or_else(String::new, |one| {
        let half = HALF_WIDTH_95 * one.loss_error.unwrap_or_default();
        format!("; the largest is {} ± {} points, {}", points(lost(one)), points(half), place(one))
    });
    format!("No mistake: no loss is surely above {threshold}{largest}")
}

/// The number of decisions of each grade, and one number for the game.
fn grades(all: &KindSum) -> String {
    let counts = [
        (all.agreed, Grade::Best),
        (all.fine, Grade::Fine),
        (all.inaccuracies, Grade::Inaccuracy),
        (all.mistakes, Grade::Mistake),
        (all.disputed, Grade::Disputed),
        (all.undecided, Grade::Undecided),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, grade)| format!("{count} {grade}")).collect();
    let each = all.lost_each.map_or_else(String::new, |lost| {
        format!("; on average a decision costs {} points", decimal(lost.into(), 0))
    });
    format!("Grades: {}{each}", counts.join(", "))
}

/// The points that all decisions cost together.
fn total(all: &KindSum) -> String {
    let Some([lost, low, high]) = all.loss() else {
        let reason = if all.unknown > 0 {
            "No rollouts were left to try the actions that seem better"
        } else {
            "No search found an action that seems better"
        };
        return format!("{reason}, so no loss was measured");
    };
    // What a total below 0 means.
    let below = match (lost, high) {
        (0.0.., _) => "",
        (_, ..0.0) => "; below 0, because the actions that were tried are worse than those played",
        _ => "; below 0, because the actions that were tried seem worse than those played, within the error",
    };
    let [lost, low, high] = [lost, low, high].map(points);
    format!(
        "All decisions together cost about {lost} points (95 %: {low} to {high}), small and uncertain losses \
         included{below}"
    )
}

fn facts(found: &Review) -> Vec<Fact> {
    let mut facts: Vec<Fact> = found.player.iter().map(|player| Fact::new("player", player)).collect();
    let Review { agent, agent_text, .. } = found;
    let by = if agent == agent_text { agent.clone() } else { format!("{agent}, which is {agent_text}") };
    facts.push(Fact::new("reviewed by", by));
    facts.extend(rules_facts(&found.rules, Some(&found.rules_hash), Some(&found.rules_toml)));
    facts.extend(found.notes.iter().map(|note| Fact::new("note", note)));
    let clear = many(found.clear as u64, "decision");
    facts.push(Fact::new("not compared", format!("{clear} with one action, or one worth comparing")));
    facts
}

fn kinds(found: &Review) -> Table {
    let columns = ["decision".into(), Column::with_picture(LOST, Some(0.0))];
    let columns =
        columns.into_iter().chain(["compared", "agreed", "mistakes", "undecided"].map(Column::from));
    let row = |sum: &KindSum| {
        let counts =
            [sum.compared, sum.agreed, sum.mistakes, sum.undecided].map(|count| Cell::count(count as u64));
        let lost = interval([sum.lost, sum.lost_low, sum.lost_high]);
        [Cell::name(&sum.kind), lost].into_iter().chain(counts)
    };
    Table::new("Losses by kind of decision", columns).rows(found.kinds.iter().chain([&found.all]).map(row))
}

/// Decisions, each with what there is to say about it.
fn decisions<'a>(
    heading: &str,
    decisions: impl Iterator<Item = &'a ReviewedDecision>,
    detail: ReviewDetail,
    game: Option<&str>,
) -> Table {
    let figures_column = detail.verbose.then_some("figures");
    let columns = ["decision".into(), Column::with_picture(LOST, Some(0.0))];
    let words = ["played", "tiles", "verdict"].into_iter().chain(figures_column).map(Column::from);
    let row = |one: &ReviewedDecision| {
        let end = |z: f32| Some(one.loss? + z * one.loss_error?);
        let lost = one.trial.as_ref().map(|_| interval([one.loss, end(-HALF_WIDTH_95), end(HALF_WIDTH_95)]));
        let names = [&one.played, &one.tiles].map(|text| Cell::Tiles(text.clone()));
        let names = names.into_iter().chain([Cell::Words(verdict(one, game))]);
        let figures = figures_column.map(|_| Cell::Words(figures(one)));
        let place = Cell::Decision(place(one), one.step, game.map(str::to_owned));
        [place, lost.unwrap_or(Cell::Empty)].into_iter().chain(names).chain(figures)
    };
    Table::new(heading, columns.into_iter().chain(words)).rows(decisions.map(row))
}

/// The hand, as `--hand` accepts it, and the number of a decision, such as `E1-0 #76`.
fn place(one: &ReviewedDecision) -> String {
    let (wind, number) = one.hand_name.split_once(' ').unwrap_or((&one.hand_name, ""));
    let wind: String = wind.chars().take(1).collect();
    format!("{wind}{number} #{}", one.step)
}

/// A mistake and what the player saw, or the action that may be better. The page of the game shows what they saw.
fn verdict(one: &ReviewedDecision, game: Option<&str>) -> String {
    let seen = if game.is_none() { &one.position } else { "" };
    match (&one.sentence, &one.better) {
        (Some(sentence), _) => format!("{sentence}\n{}{seen}", others(one)),
        (None, Some(better)) => format!("perhaps {better}"),
        (None, None) => String::new(),
    }
}

/// What other agents think of a mistake, a line for each.
fn others(one: &ReviewedDecision) -> String {
    let line = |OtherAnswer { agent, action, cost, .. }: &OtherAnswer| {
        let cost = cost.map_or_else(|| "an unknown number of".to_owned(), points);
        format!("{agent} would choose {action}; it says {} costs {cost} points\n", one.played)
    };
    one.others.iter().map(line).collect()
}

/// The figures of the last search and of the trial, for researchers.
fn figures(decision: &ReviewedDecision) -> String {
    let ReviewedDecision { value, standard_error, determinizations, alternatives, loss, loss_error, .. } =
        decision;
    let estimate =
        |mean: f32, error: f32| format!("{} ± {}", signed(mean.into(), 0), decimal(error.into(), 0));
    let alternative = |other: &Alternative| {
        let Alternative { action, posterior, difference, standard_error, determinizations } = other;
        let rollouts = format!("{} in {determinizations}", estimate(*difference, *standard_error));
        format!("{action} {} ({rollouts})", signed((*posterior).into(), 0))
    };
    let others = alternatives.iter().map(alternative).collect::<Vec<_>>().join(", ");
    let mut text = format!("search: {} in {determinizations}; {others}", estimate(*value, *standard_error));
    if let (Some(trial), Some(loss), Some(loss_error)) = (&decision.trial, loss, loss_error) {
        let places = format!("{:+.3} ± {:.3} places", trial.placement, trial.placement_error);
        let loss = estimate(*loss, *loss_error);
        text += &format!("\ntrial: {} {loss}, {places}, in {}", trial.action, trial.determinizations);
    }
    text
}

/// The points lost in a trial, or 0 if none measured them.
fn lost(one: &ReviewedDecision) -> f32 {
    one.loss.unwrap_or_default()
}

/// Points to the nearest ten.
fn points(number: f32) -> String {
    decimal(f64::from(10.0 * (number / 10.0).round()), 0)
}

/// A value and the ends of its interval.
fn interval(numbers: [Option<f32>; 3]) -> Cell {
    let [value, low, high] = numbers.map(|number| number.map(f64::from));
    Interval::open(value, low, high).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Threshold;

    /// The text of a review of a decision with this loss, in one line.
    fn of_sum(loss: [Option<f32>; 3]) -> String {
        of_decisions(1, loss)
    }

    fn of_decisions(compared: usize, [lost_low, lost, lost_high]: [Option<f32>; 3]) -> String {
        let all = KindSum { compared, lost, lost_low, lost_high, ..KindSum::of("all", [].into_iter()) };
        let review = Review {
            seat: 0,
            player: None,
            agent: "mc".to_owned(),
            agent_text: "mc".to_owned(),
            rules: "tenhou".to_owned(),
            rules_hash: String::new(),
            rules_toml: String::new(),
            threshold: Threshold::new(Some(500.0), Some(0.05)),
            notes: Vec::new(),
            decisions: Vec::new(),
            clear: 0,
            kinds: Vec::new(),
            all,
            differences: Vec::new(),
            complete: true,
        };
        let text = review.report(&[]).to_text(80);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_total_below_0_is_explained() {
        let page = of_sum([-900.0, 600.0, 2100.0].map(Some));
        assert!(
            page.contains("No mistake: no loss is surely above 500 points and 0.05 places. All"),
            "{page}"
        );
        assert!(page.contains("about 600 points (95 %: -900 to 2,100), small"), "{page}");
        assert!(!page.contains("below 0,"), "{page}");
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
        assert!(page.contains("seems better, so no loss was measured."), "{page}");
        assert!(!page.contains("0 to 0") && page.contains("all – 1 0 0 0"), "{page}");
    }
}
