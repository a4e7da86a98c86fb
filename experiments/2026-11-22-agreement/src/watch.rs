//! Asks the agent at each decision of a recorded game.

use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, DrawReason, Event, HandEnd, MeldKind, Observation, Observer, Phase};

use crate::judge::{Judge, Verdict, discarded};
use crate::worst::{Found, Group, Worst};
use crate::{calls, discards, facts, others, riichi};

/// The lines of each table.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Of [`discards`].
    pub discards: String,
    /// Of [`riichi`].
    pub riichi: String,
    /// Of [`calls`].
    pub calls: String,
    /// Of [`others`].
    pub others: String,
}

/// Watches one game.
pub struct Watcher<'a> {
    judge: &'a Judge,
    game: usize,
    name: &'a str,
    last_round: u16,
    /// What was found so far.
    pub lines: Lines,
    /// The worst decisions so far.
    pub worst: Worst,
    /// Claims that a call of another player may have outranked.
    claims: Vec<Claim>,
}

/// A decision about an offered tile, before it is clear whether its answer is known.
struct Claim {
    calls: bool,
    line: String,
    found: Option<Found>,
}

impl<'a> Watcher<'a> {
    /// Watches the game with this number and name.
    pub const fn new(
        judge: &'a Judge,
        game: usize,
        name: &'a str,
        last_round: u16,
        worst: Worst,
    ) -> Watcher<'a> {
        let lines = Lines {
            discards: String::new(),
            riichi: String::new(),
            calls: String::new(),
            others: String::new(),
        };
        Watcher { judge, game, name, last_round, lines, worst, claims: Vec::new() }
    }

    fn turn(&mut self, o: &Observation<'_>, action: Action, verdict: &Verdict, facts: &str) {
        if discards::applies(o, action) {
            self.lines.discards += &format!("{facts},{}\n", discards::line(o, action, verdict));
            let [h, a] = [action, verdict.action].map(|action| discarded(o, action));
            let is_calm = o.rules().players.others(o.seat()).all(|seat| !facts::in_riichi(o, seat));
            let group = match (h, a) {
                (Some((h, _)), Some((a, _))) if h != a => {
                    Some(if is_calm { Group::Calm } else { Group::Threat })
                }
                (Some((_, h)), Some((_, a))) if h != a => Some(Group::Riichi),
                _ => None,
            };
            let found = group.and_then(|group| self.worst.of(self.name, o, action, verdict, group));
            found.into_iter().for_each(|found| self.worst.add(found));
        }
        if riichi::applies(o, action) {
            self.lines.riichi += &format!("{facts},{}\n", riichi::line(o, action, verdict));
        }
    }

    fn claim(&mut self, o: &Observation<'_>, action: Action, verdict: &Verdict, facts: &str) {
        if !calls::applies(o) {
            return;
        }
        let group = match (calls::is_call(action), calls::is_call(verdict.action)) {
            (true, false) => Some(Group::Call),
            (false, true) => Some(Group::Pass),
            _ => None,
        };
        self.claims.push(Claim {
            calls: calls::is_call(action),
            line: format!("{facts},{}\n", calls::line(o, action, verdict)),
            found: group.and_then(|group| self.worst.of(self.name, o, action, verdict, group)),
        });
    }

    /// Keeps the claims whose answers are known.
    ///
    /// A pon or ron of another player hides what the others would have called.
    fn settle(&mut self, event: &Event) {
        let hides = match event {
            Event::RiichiAccepted { .. } | Event::Indicator { .. } => return,
            Event::Call { meld, .. } => meld.kind() != MeldKind::Chi,
            Event::HandEnd(outcome) => match &outcome.end {
                HandEnd::Win(_) => true,
                HandEnd::Draw { reason, .. } => *reason == DrawReason::TripleRon,
            },
            _ => false,
        };
        for claim in self.claims.drain(..) {
            if claim.calls || !hides {
                self.lines.calls += &claim.line;
                claim.found.into_iter().for_each(|found| self.worst.add(found));
            }
        }
    }
}

impl Observer for Watcher<'_> {
    fn event(&mut self, event: &Event) {
        self.settle(event);
    }
}

impl Spectator for Watcher<'_> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        if !matches!(o.phase(), Phase::Turn | Phase::Claim) {
            return;
        }
        let verdict = self.judge.of(o);
        let facts = facts::columns(o, self.game, self.last_round);
        match o.phase() {
            Phase::Turn => self.turn(o, action, &verdict, &facts),
            _ => self.claim(o, action, &verdict, &facts),
        }
        for line in others::lines(o, action, &verdict) {
            self.lines.others += &format!("{facts},{line}\n");
        }
    }
}
