//! Follows a game and reviews the decisions of a seat.

use jantaku_agents::{Arm, MonteCarlo, Policy as _, SearchResult};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, Event, Observation, Observer, Phase, Rng, Seat};
use jantaku_hands::text;

use super::kind::DecisionKind;
use super::result::{Alternative, ReviewedDecision};
use crate::play::Watch;

/// An action is a mistake if the rollouts of a better one differ by more than this many standard
/// errors.
const CLEAR: f32 = 2.0;

/// The decisions of a game that are reviewed.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub seat: Seat,
    /// The only hand.
    pub hand: Option<usize>,
}

impl Scope {
    /// Whether a decision of this player belongs to the review, if `hands` were dealt so far.
    fn has(&self, o: &Observation<'_>, hands: usize) -> bool {
        o.seat() == self.seat && self.hand.is_none_or(|hand| hands == hand + 1)
    }
}

/// Whether a search can compare the actions of a decision.
fn is_compared(o: &Observation<'_>) -> bool {
    o.legal().is_choice() && o.phase() != Phase::End
}

/// Counts the hands of a game, and the decisions that a review searches.
pub(super) struct Counter {
    pub scope: Scope,
    pub hands: usize,
    pub searched: u64,
}

impl Observer for Counter {
    fn event(&mut self, event: &Event) {
        self.hands += usize::from(matches!(event, Event::Deal { .. }));
    }
}

impl Spectator for Counter {
    fn decision(&mut self, o: &Observation<'_>, _: Action) {
        self.searched += u64::from(self.scope.has(o, self.hands) && is_compared(o));
    }
}

/// Follows a game and reviews the decisions of a seat.
pub(super) struct Reviewer<'a, W> {
    search: &'a MonteCarlo,
    scope: Scope,
    seed: u64,
    watch: &'a mut W,
    /// Hands dealt so far.
    hands: usize,
    /// Decisions so far, of all players.
    steps: usize,
    /// Decisions that were searched.
    searched: u64,
    pub decisions: Vec<ReviewedDecision>,
    /// Decisions with one legal action, or one worth comparing.
    pub clear: usize,
    /// Whether the watch ended the review.
    pub is_stopped: bool,
}

impl<'a, W: Watch> Reviewer<'a, W> {
    pub(super) const fn new(
        search: &'a MonteCarlo,
        scope: Scope,
        seed: u64,
        watch: &'a mut W,
    ) -> Reviewer<'a, W> {
        Reviewer {
            search,
            scope,
            seed,
            watch,
            hands: 0,
            steps: 0,
            searched: 0,
            decisions: Vec::new(),
            clear: 0,
            is_stopped: false,
        }
    }

    fn review(&mut self, o: &Observation<'_>, played: Action) {
        let hand = self.hands - 1;
        let mut rng =
            Rng::of_decision(self.seed, hand as u32, o.seat(), o.decision_count(), self.search.salt());
        let searched = self.search.review(o, played, &mut rng);
        match reviewed(o, played, hand, self.steps, &searched) {
            Some(decision) => self.decisions.push(decision),
            None => self.clear += 1,
        }
        self.searched += 1;
        self.watch.progress(self.searched);
    }
}

/// The review of a decision. None if the search compared no actions.
fn reviewed(
    o: &Observation<'_>,
    played: Action,
    hand: usize,
    step: usize,
    searched: &SearchResult,
) -> Option<ReviewedDecision> {
    let [own, others @ ..] = searched.arms.as_slice() else { return None };
    let value = own.estimate().filter(|_| !others.is_empty())?;
    let better = others.iter().find(|arm| arm.action == searched.action);
    let mut alternatives: Vec<Alternative> = others.iter().map(|arm| alternative(o, arm)).collect();
    alternatives.sort_by(|a, b| b.posterior.total_cmp(&a.posterior));
    let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
    let offered = o.offer().map_or_else(String::new, |offer| format!(" on {}", offer.tile));
    Some(ReviewedDecision {
        hand_name: text::hand_name(o.round(), o.honba(), o.rules()),
        hand,
        step,
        kind: DecisionKind::of(o, searched.arms.iter().map(|arm| arm.action)),
        tiles: format!("{}{drawn}{}{offered}", o.hand(), o.melds()),
        played: o.describe(played),
        value: value.mean,
        standard_error: value.standard_error.unwrap_or_default(),
        determinizations: own.worlds,
        alternatives,
        better: better.map(|arm| o.describe(arm.action)),
        loss: better.map_or(0.0, |arm| arm.posterior),
        is_mistake: better.is_some_and(|arm| arm.difference > CLEAR * arm.error),
    })
}

fn alternative(o: &Observation<'_>, arm: &Arm) -> Alternative {
    Alternative {
        action: o.describe(arm.action),
        posterior: arm.posterior,
        difference: arm.difference,
        standard_error: arm.error,
        determinizations: arm.worlds,
    }
}

impl<W> Observer for Reviewer<'_, W> {
    fn event(&mut self, event: &Event) {
        self.hands += usize::from(matches!(event, Event::Deal { .. }));
    }
}

impl<W: Watch> Spectator for Reviewer<'_, W> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.is_stopped |= self.watch.should_stop();
        if !self.is_stopped && self.scope.has(o, self.hands) {
            if is_compared(o) {
                self.review(o, action);
            } else {
                self.clear += 1;
            }
        }
        self.steps += 1;
    }
}
