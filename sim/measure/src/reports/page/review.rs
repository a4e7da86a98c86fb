//! The page of a review.

use super::data;
use super::origin::{Origin, rules_facts};
use crate::review::{KindSum, LeastLoss, Review, ReviewedDecision};
use jantaku_show::report::numbers::{decimal, many};
use jantaku_show::report::width::cut;
use jantaku_show::report::{Cell, Column, Fact, Interval, Report, Section, Table};

/// The most letters of a name in a title.
const MAX_LETTERS: usize = 60;

/// The page of a review.
pub(super) fn report(found: &Review, origin: &Origin) -> Report {
    let player =
        found.player.as_ref().map_or_else(String::new, |name| format!(", {}", cut(name, MAX_LETTERS)));
    let is_tried = |one: &&ReviewedDecision| one.trial.is_some();
    let tried: Vec<&ReviewedDecision> = found.decisions.iter().filter(is_tried).collect();
    let mut sections = vec![kinds(found)];
    sections.extend(mistakes(&tried));
    sections.extend(decisions(&tried));
    let mut report = Report {
        title: format!("Review of seat {}{player}", found.seat),
        findings: findings(found),
        facts: facts(found, origin),
        notes: vec![
            "A loss is that of the action played against the best one found, in points of the result of the game, \
             by trials of their own. A loss below 0 says that the other action is worse. Intervals have 95 % \
             confidence."
                .to_owned(),
        ],
        sections,
        data: data(found),
    };
    report.fit("decisions", "use --json.", |one| one["is_mistake"] == true);
    report
}

fn findings(found: &Review) -> Vec<String> {
    let KindSum { compared, agreed, mistakes, undecided, untried, .. } = &found.all;
    let untried = if *untried > 0 { format!(" ({untried} not tried)") } else { String::new() };
    vec![
        format!("The search finds nothing better in {agreed} of {}.", many(*compared as u64, "decision")),
        format!(
            "Decisions that surely lose more than {}: {mistakes}. Undecided: {undecided}{untried}. {}.",
            least(found.least),
            total(&found.all)
        ),
    ]
}

/// The points that all decisions cost together.
fn total(all: &KindSum) -> String {
    let (Some(lost), Some(low), Some(high)) = (all.lost, all.lost_low, all.lost_high) else {
        let reason = if all.untried > 0 { "No rollouts were left" } else { "No action seemed better" };
        return format!("{reason}, so no loss was measured");
    };
    let [lost, low, high] = [lost, low, high].map(|points| decimal(points.into(), 0));
    format!("All decisions together cost about {lost} points ({low} to {high})")
}

/// The least loss that is a mistake in words.
fn least(least: LeastLoss) -> String {
    let points = least.points.map(|points| format!("{} points", decimal(points.into(), 0)));
    let places = least.placements.map(|places| format!("{places} places"));
    points.into_iter().chain(places).collect::<Vec<_>>().join(" and ")
}

fn facts(found: &Review, origin: &Origin) -> Vec<Fact> {
    let mut facts = origin.facts();
    facts.extend(found.player.as_ref().map(|player| Fact::new("player", player)));
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
