//! The decisions in which the agent expects most of another action than the person's.

use std::cmp::Reverse;
use std::collections::HashSet;

use jantaku_agents::Candidate;
use jantaku_engine::{Action, Observation};
use jantaku_sim::text;

use crate::judge::{Verdict, discarded};

/// The most candidates that are printed for a decision.
const MOST: usize = 8;

/// A group of decisions to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Different discards while nobody is in riichi.
    Calm,
    /// Different discards while somebody is in riichi.
    Threat,
    /// The same discard, with and without riichi.
    Riichi,
    /// The person calls and the agent does not.
    Call,
    /// The agent calls and the person does not.
    Pass,
}

impl Group {
    /// All groups.
    pub const ALL: [Group; 5] = [Group::Calm, Group::Threat, Group::Riichi, Group::Call, Group::Pass];

    /// The name in the command.
    pub fn name(self) -> &'static str {
        ["calm", "threat", "riichi", "call", "pass"][self as usize]
    }
}

/// A decision that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The worth of the agent's choice less that of the person's.
    regret: f32,
    text: String,
}

/// The worst decisions, worst first.
#[derive(Clone, Debug)]
pub struct Worst {
    group: Option<Group>,
    most: usize,
    found: Vec<Found>,
}

impl Worst {
    /// Keeps so many decisions of a group, or of all.
    pub const fn new(group: Option<Group>, most: usize) -> Worst {
        Worst { group, most, found: Vec::new() }
    }

    /// The text of a decision if it is among the worst so far.
    pub fn of(
        &self,
        game: &str,
        o: &Observation<'_>,
        action: Action,
        verdict: &Verdict,
        group: Group,
    ) -> Option<Found> {
        if self.most == 0 || self.group.is_some_and(|wanted| wanted != group) {
            return None;
        }
        let played = match group {
            Group::Riichi => verdict.best(|other| discarded(o, other) == discarded(o, action)),
            Group::Calm | Group::Threat => verdict.discard(o, discarded(o, action)?.0),
            Group::Call | Group::Pass => verdict.best(|other| other == action),
        };
        let regret = verdict.regret(played)?;
        let is_worse = self.found.len() < self.most || self.found.last()?.regret < regret;
        is_worse.then(|| Found { regret, text: print(game, o, action, verdict, regret) })
    }

    /// Adds a decision.
    pub fn add(&mut self, found: Found) {
        let at = self.found.partition_point(|other| other.regret >= found.regret);
        self.found.insert(at, found);
        self.found.truncate(self.most);
    }

    /// Adds the decisions of another game.
    pub fn merge(mut self, other: Worst) -> Worst {
        other.found.into_iter().for_each(|found| self.add(found));
        self
    }

    /// The texts, worst first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(|found| found.text.as_str())
    }
}

fn print(game: &str, o: &Observation<'_>, action: Action, verdict: &Verdict, regret: f32) -> String {
    let mut lines =
        vec![format!("== {regret:.0} points, {game}"), text::observation(o).trim_end().to_owned()];
    lines.push(format!("person: {}; agent: {}", o.describe(action), o.describe(verdict.action)));
    lines.push("   worth   risk   win  points  shanten ukeire  plan".to_owned());
    let mut candidates: Vec<&Candidate> = verdict.candidates.iter().collect();
    candidates.sort_by_key(|candidate| Reverse((candidate.value * 10.0) as i64));
    let mut seen = HashSet::new();
    // A call has a candidate for each discard: the best one is enough.
    candidates.retain(|candidate| seen.insert(candidate.action.id().number()));
    for (rank, candidate) in candidates.iter().enumerate() {
        let Candidate { worth, risk, win, points, mode, shanten, ukeire, .. } = **candidate;
        if rank < MOST || candidate.action == action {
            let what = o.describe(candidate.action);
            lines.push(format!(
                "{worth:8.0} {risk:6.0} {win:5.3} {points:7.0} {shanten:8} {ukeire:6.0}  {mode:?}: {what}"
            ));
        }
    }
    lines.join("\n") + "\n"
}
