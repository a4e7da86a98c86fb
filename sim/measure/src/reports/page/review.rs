//! The page of a review.

use super::origin::{Origin, rules_facts};
use super::{Reported, data};
use crate::review::{KindSum, Review, ReviewedDecision};
use jantaku_show::report::numbers::{decimal, many};
use jantaku_show::report::width::cut;
use jantaku_show::report::{Cell, Column, Fact, Interval, Report, Section, Table};
use jantaku_sim::play::By;

/// The most letters of a name in a title.
const MAX_LETTERS: usize = 60;

impl Reported for Review {
    fn report(&self, _: &[By]) -> Report {
        let player =
            self.player.as_ref().map_or_else(String::new, |name| format!(", {}", cut(name, MAX_LETTERS)));
        let is_tried = |one: &&ReviewedDecision| one.trial.is_some();
        let tried: Vec<&ReviewedDecision> = self.decisions.iter().filter(is_tried).collect();
        let mut sections = vec![kinds(self)];
        sections.extend(mistakes(&tried));
        sections.extend(decisions(&tried));
        Report {
            title: format!("Review of seat {}{player}", self.seat),
            findings: findings(self),
            facts: facts(self),
            notes: vec![
                "A loss is that of the action played against the best one found, in points of the result of the \
                 game, by trials of their own. A loss below 0 says that the other action is worse. Intervals have \
                 95 % confidence."
                    .to_owned(),
            ],
            sections,
            ..Report::default()
        }
    }

    fn page_report(&self, origin: &Origin) -> Report {
        let mut report = Report { data: data(self), ..self.report(&[]) };
        report.facts.splice(..0, origin.facts());
        report.fit("decisions", "use --json.", |one| one["is_mistake"] == true);
        report
    }
}

fn findings(found: &Review) -> Vec<String> {
    let KindSum { compared, agreed, mistakes, undecided, untried, .. } = &found.all;
    let untried = if *untried > 0 { format!(" ({untried} not tried)") } else { String::new() };
    vec![
        format!("The search finds nothing better in {agreed} of {}.", many(*compared as u64, "decision")),
        format!(
            "Decisions that surely lose more than {}: {mistakes}. Undecided: {undecided}{untried}. {}.",
            found.least,
            total(&found.all)
        ),
    ]
}

/// The points that all decisions cost together.
fn total(all: &KindSum) -> String {
    let Some(loss) = all.loss() else {
        let reason = if all.untried > 0 { "No rollouts were left" } else { "No action seemed better" };
        return format!("{reason}, so no loss was measured");
    };
    let [lost, low, high] = loss.map(|points| decimal(points.into(), 0));
    format!("All decisions together cost about {lost} points ({low} to {high})")
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

fn kinds(found: &Review) -> Section {
    let columns = ["decision".into(), Column::with_picture("points lost", Some(0.0))];
    let columns =
        columns.into_iter().chain(["compared", "agreed", "mistakes", "undecided"].map(Column::from));
    let row = |sum: &KindSum| {
        let counts =
            [sum.compared, sum.agreed, sum.mistakes, sum.undecided].map(|count| Cell::count(count as u64));
        let lost = interval([sum.lost, sum.lost_low, sum.lost_high]);
        [Cell::name(&sum.kind), lost.into()].into_iter().chain(counts)
    };
    let table = Table::new("Losses by kind of decision", columns);
    Section::Table(table.rows(found.kinds.iter().chain([&found.all]).map(row)))
}

/// The mistakes in words. None if there is none.
fn mistakes(tried: &[&ReviewedDecision]) -> Option<Section> {
    let mut mistakes: Vec<&&ReviewedDecision> = tried.iter().filter(|one| one.is_mistake).collect();
    mistakes.sort_by(|one, other| lost(other).total_cmp(&lost(one)));
    let row = |one: &&&ReviewedDecision| {
        let sentence = one.sentence.clone().unwrap_or_default();
        vec![place(one), Cell::Number(decimal(lost(one), 0), lost(one)), Cell::Words(sentence)]
    };
    let table = || Table::new("Mistakes", ["decision", "points lost", "why"]).rows(mistakes.iter().map(row));
    (!mistakes.is_empty()).then(|| Section::Table(table()))
}

/// The decisions with a trial. None if there is none.
fn decisions(tried: &[&ReviewedDecision]) -> Option<Section> {
    let columns = ["decision".into(), Column::with_picture("points lost", Some(0.0))];
    let columns = columns.into_iter().chain(["tiles", "played", "perhaps better"].map(Column::from));
    let row = |one: &&ReviewedDecision| {
        let better = one.better.as_deref().map_or_else(Cell::none, Cell::name);
        let end = |z: f32| Some(one.loss? + z * one.loss_error?);
        let lost = interval([one.loss, end(-1.96), end(1.96)]);
        let words = [Cell::name(&one.tiles), Cell::name(&one.played), better];
        [place(one), lost.into()].into_iter().chain(words)
    };
    let table =
        || Table::new("Decisions in which another action was tried", columns).rows(tried.iter().map(row));
    (!tried.is_empty()).then(|| Section::Table(table()))
}

/// The hand and the number of a decision.
fn place(one: &ReviewedDecision) -> Cell {
    Cell::Name(format!("{}, #{}", one.hand_name, one.step))
}

/// The points lost in a trial, or 0 if none measured them.
fn lost(one: &ReviewedDecision) -> f64 {
    one.loss.unwrap_or_default().into()
}

/// A value and the ends of its interval.
fn interval(numbers: [Option<f32>; 3]) -> Interval {
    let [value, low, high] = numbers.map(|number| number.map(f64::from));
    Interval::open(value, low, high)
}
