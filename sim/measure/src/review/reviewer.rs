//! Reviews decisions: a search of each, and trials of possible mistakes.

use jantaku_agents::{Arm, MonteCarlo, Policy as _, SearchResult};
use jantaku_engine::random::hash;
use jantaku_engine::{Action, Rng};

use super::confirm::{FIRST, Judge, Trial};
use super::decisions::PlayedDecision;
use super::threshold::Threshold;
use jantaku_sim::play::Watch;

/// A decision with its last search and its trial.
pub(super) struct Examined {
    pub decision: PlayedDecision,
    pub found: SearchResult,
    pub trial: Option<Trial>,
}

/// Reviews decisions in three steps, each in worlds of its own:
///
/// 1. A search of each decision.
/// 2. A closer search of possible mistakes. It chooses the action to try.
/// 3. Trials. They alone estimate losses, because an action looks better than it is in the worlds
///    that selected it.
pub(super) struct Reviewer<'a> {
    search: &'a MonteCarlo,
    threshold: Threshold,
    seed: u64,
    /// The maximum number of rollouts of all trials.
    rollouts: u64,
    watch: &'a mut dyn Watch,
    /// Searches and interim checks of trials so far.
    done: u64,
    /// The expected number of searches and checks.
    expected: u64,
    /// Decisions with one action worth comparing.
    pub clear: usize,
    /// Whether the watch ended the review.
    pub is_stopped: bool,
}

/// The closer search has this many times the rollouts of the first.
const CLOSER: usize = 4;

impl<'a> Reviewer<'a> {
    pub(super) fn new(
        search: &'a MonteCarlo,
        threshold: Threshold,
        seed: u64,
        rollouts: u64,
        watch: &'a mut dyn Watch,
    ) -> Self {
        let (done, expected, clear, is_stopped) = (0, 0, 0, false);
        Reviewer { search, threshold, seed, rollouts, watch, done, expected, clear, is_stopped }
    }

    /// Reviews the decisions. Those with one candidate are left out.
    pub(super) fn review(&mut self, decisions: Vec<PlayedDecision>) -> Vec<Examined> {
        let mut examined = self.search_all(decisions);
        self.search_closer(&mut examined);
        self.try_best(&mut examined);
        examined
    }

    fn search_all(&mut self, decisions: Vec<PlayedDecision>) -> Vec<Examined> {
        self.expect(decisions.len());
        let mut examined = Vec::new();
        for decision in decisions {
            if self.stops() {
                break;
            }
            let found = self.search(self.search, &decision, 0);
            if found.arms.len() > 1 {
                examined.push(Examined { decision, found, trial: None });
            } else {
                self.clear += 1;
            }
            self.progress();
        }
        examined
    }

    /// Searches again what may be a mistake. Each search drops an alternative as soon as it gains too
    /// little for a mistake.
    fn search_closer(&mut self, examined: &mut [Examined]) {
        let mut search = self.search.clone();
        search.rollouts *= CLOSER;
        search.least = self.threshold.in_points();
        search.time = search.time.map(|time| time * CLOSER as u32);
        let is_doubtful = |one: &&mut Examined| self.may_gain(&one.found).next().is_some();
        let doubtful: Vec<&mut Examined> = examined.iter_mut().filter(is_doubtful).collect();
        self.expect(doubtful.len());
        for one in doubtful {
            if self.stops() {
                return;
            }
            one.found = self.search(&search, &one.decision, 1);
            self.progress();
        }
    }

    /// A search of a decision. `stage` is 0 for the first search and 1 for the closer one: each has worlds
    /// of its own.
    fn search(&self, search: &MonteCarlo, decision: &PlayedDecision, stage: u64) -> SearchResult {
        let o = decision.snapshot.observe();
        let seed = hash(&[self.seed, stage]);
        let hand = decision.hand as u32;
        let mut rng = Rng::of_decision(seed, hand, o.seat(), o.decision_count(), search.salt());
        search.review(&o, decision.played, &mut rng)
    }

    /// The alternatives that may gain more than the threshold: if the rollouts alone say so, or the
    /// posterior does not rule it out.
    fn may_gain<'b>(&self, found: &'b SearchResult) -> impl Iterator<Item = &'b Arm> {
        let threshold = self.threshold.in_points();
        found.arms[1..].iter().filter(move |arm| {
            let seems = arm.difference > threshold.max(arm.error);
            seems || arm.posterior + arm.deviation > threshold
        })
    }

    /// The alternative to try. None if the last search found nothing better.
    fn best(&self, found: &SearchResult) -> Option<Action> {
        let by_posterior = |a: &&Arm, b: &&Arm| a.posterior.total_cmp(&b.posterior);
        let best = self.may_gain(found).max_by(by_posterior).map(|arm| arm.action);
        let better = (found.action != found.arms[0].action).then_some(found.action);
        best.or(better)
    }

    /// Tries the best alternatives until each loss is judged or needs more rollouts than are left.
    fn try_best(&mut self, examined: &mut [Examined]) {
        for one in examined.iter_mut() {
            let seed = hash(&[self.seed, 2, one.decision.step as u64]);
            one.trial = self.best(&one.found).map(|action| Trial::new(action, seed));
        }
        let trials = examined.iter().filter(|one| one.trial.is_some()).count();
        let judge = Judge::new(self.threshold, trials, self.rollouts);
        // The worlds left for all trials, each of two rollouts, and the worlds so far of each open trial.
        let (mut left, mut worlds) = (self.rollouts / 2, 0);
        loop {
            let open = examined.iter_mut().filter(|one| one.needs_at_most(left, judge));
            let open: Vec<&mut Examined> = open.collect();
            // The first check has `FIRST` worlds, and each further check doubles them.
            let more = worlds.max(FIRST).min(left / open.len().max(1) as u64);
            if open.is_empty() || more == 0 {
                return;
            }
            self.expect(open.len());
            for one in open {
                if self.stops() {
                    return;
                }
                let (o, played) = (one.decision.snapshot.observe(), one.decision.played);
                if let Some(trial) = &mut one.trial {
                    trial.play(self.search, &o, played, more);
                    judge.judge(trial);
                }
                left -= more;
                self.progress();
            }
            worlds += more;
        }
    }

    /// Expects this many more searches and checks.
    fn expect(&mut self, more: usize) {
        self.expected += more as u64;
        self.watch.expect(self.expected);
    }

    /// One more search or check is done.
    fn progress(&mut self) {
        self.done += 1;
        self.watch.progress(self.done);
    }

    /// Whether the watch ends the review.
    fn stops(&mut self) -> bool {
        self.is_stopped |= self.watch.should_stop();
        self.is_stopped
    }
}

impl Examined {
    /// Whether its trial is not decided yet, and may be with this many more worlds.
    fn needs_at_most(&self, worlds: u64, judge: Judge) -> bool {
        let is_open = |trial: &Trial| trial.is_mistake.is_none() && judge.need(trial) <= worlds;
        self.trial.as_ref().is_some_and(is_open)
    }
}
