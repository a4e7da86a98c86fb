//! Compares the candidates of a decision by rollouts.

use std::time::Instant;

use jantaku_engine::{Action, Declare, Observation, Rng};

use super::posterior::{CandidatePrior, Differences};
use super::prior::PriorCandidate;
use super::rollout::{Start, Worlds};
use super::value::RolloutValue;
use super::{MAX_CANDIDATES, MonteCarlo};
use crate::Estimate;
use crate::view::leave_same_hand;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The action to take.
    pub action: Action,
    /// The candidates. The first is the prior's choice, or in a review the action played. A single
    /// candidate is not searched.
    pub arms: Vec<Arm>,
    /// The number of worlds that were sampled.
    pub worlds: usize,
}

/// The result of a search for one candidate.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    /// The candidate.
    pub action: Action,
    /// The prior's expected value of the candidate minus that of the first one, in points. None if
    /// the prior gives none.
    pub gap: Option<f32>,
    /// The number of worlds in which it was played.
    pub worlds: usize,
    /// The mean difference to the first candidate in these worlds, in points.
    pub difference: f32,
    /// The standard error of this mean.
    pub error: f32,
    /// The posterior mean of the difference, in points: the mean in the rollouts combined with the
    /// prior.
    pub posterior: f32,
    /// The standard deviation of the posterior.
    pub deviation: f32,
    /// The mean value of the first candidate in all worlds, and its standard error.
    of_choice: (f32, f32),
}

impl Arm {
    /// The value of the candidate. None if it was not searched.
    pub fn estimate(&self) -> Option<Estimate> {
        let (mean, error) = self.of_choice;
        let all = if self.difference == 0.0 && self.error == 0.0 { error } else { error.hypot(self.error) };
        (self.worlds > 0).then_some(Estimate { mean: mean + self.difference, standard_error: Some(all) })
    }
}

/// The number of worlds that are played before the next check of candidates and time.
const BATCH: usize = 16;
/// A candidate is dropped when its posterior mean is this many deviations below
/// [`MonteCarlo::least`].
const HOPELESS: f32 = 2.5;
/// The maximum number of rollouts with a time budget.
const MAX_ROLLOUTS: usize = 1 << 20;

/// A search in progress.
struct Search<'a> {
    agent: &'a MonteCarlo,
    value: RolloutValue<'a>,
    worlds: Worlds<'a>,
    candidates: Vec<Candidate>,
    /// The candidates that still get rollouts. The first one always does.
    alive: Vec<usize>,
    /// The values of the first candidate, not differences.
    of_choice: Differences,
    /// When the search began. None without a time budget.
    began: Option<Instant>,
}

/// A candidate in a search.
struct Candidate {
    action: Action,
    prior: CandidatePrior,
    /// The differences to the first candidate.
    seen: Differences,
}

/// The values of the candidates in one world.
type Values = [f32; MAX_CANDIDATES];

impl MonteCarlo {
    /// Searches a decision.
    pub fn search(&self, o: &Observation<'_>, rng: &mut Rng) -> SearchResult {
        let candidates = self.prior.candidates(o, self.candidates, self.margin, rng);
        self.compare(o, &candidates, rng)
    }

    /// Compares the candidates of a decision with the action that was played. That action is the
    /// first arm and the base of all differences. It is also the action of the result, unless the
    /// rollouts favour another one.
    pub fn review(&self, o: &Observation<'_>, played: Action, rng: &mut Rng) -> SearchResult {
        let mut candidates = self.prior.candidates(o, self.candidates, self.margin, rng);
        let own = match candidates.iter().position(|candidate| leave_same_hand(o, candidate.action, played)) {
            Some(at) => PriorCandidate { action: played, ..candidates.remove(at) },
            None => PriorCandidate { action: played, gap: self.prior.gap(o, played, rng) },
        };
        for candidate in &mut candidates {
            candidate.gap = candidate.gap.zip(own.gap).map(|(gap, own)| gap - own);
        }
        candidates.truncate(MAX_CANDIDATES - 1);
        candidates.insert(0, PriorCandidate { gap: Some(0.0), ..own });
        self.compare(o, &candidates, rng)
    }

    /// Compares actions by rollouts. The result is the first one, unless the rollouts favour
    /// another one.
    fn compare(&self, o: &Observation<'_>, actions: &[PriorCandidate], rng: &mut Rng) -> SearchResult {
        let choice = actions[0].action;
        if actions.len() < 2 {
            let arm = Arm {
                action: choice,
                gap: Some(0.0),
                worlds: 0,
                difference: 0.0,
                error: 0.0,
                posterior: 0.0,
                deviation: 0.0,
                of_choice: (0.0, 0.0),
            };
            return SearchResult { action: choice, arms: vec![arm], worlds: 0 };
        }
        let candidates: Vec<Candidate> = actions
            .iter()
            .map(|found| {
                let is_alike = is_plain(choice) && is_plain(found.action);
                let slope = self.prior.gap_slope();
                let prior = CandidatePrior { gap: found.gap, slope, is_alike, live: o.live() };
                Candidate { action: found.action, prior, seen: Differences::default() }
            })
            .collect();
        let mut search = Search {
            agent: self,
            value: RolloutValue::new(o, self.utility, self.placements.of(o.rules().players)),
            worlds: Worlds::new(self, o, rng.next_u64()),
            alive: (0..candidates.len()).collect(),
            candidates,
            of_choice: Differences::default(),
            began: self.time.map(|_| Instant::now()),
        };
        search.run();
        search.finish()
    }
}

/// Whether the action is a discard without riichi.
pub(crate) fn is_plain(action: Action) -> bool {
    action.declare() == Some(Declare::Nothing)
}

impl Search<'_> {
    /// Distributes the rollouts by sequential halving: each stage gets the same share of the
    /// budget, and half of the candidates reach the next stage.
    fn run(&mut self) {
        let stages = self.candidates.len().next_power_of_two().ilog2() as usize;
        let mut left = if self.began.is_some() { MAX_ROLLOUTS } else { self.agent.rollouts };
        for stage in 0..stages {
            let share = left / (stages - stage);
            let mut worlds = (share / self.alive.len()).max(1);
            while worlds > 0
                && self.alive.len() > 1
                && left >= self.alive.len()
                && self.has_time(stage, stages)
            {
                let batch = worlds.min(BATCH);
                self.play(batch);
                worlds -= batch;
                left -= batch * self.alive.len();
                self.drop_hopeless();
            }
            let keep = self.alive.len().div_ceil(2).max(2);
            self.keep_best(keep);
            if self.alive.len() < 2 {
                break;
            }
        }
    }

    /// Whether time is left in this stage.
    fn has_time(&self, stage: usize, stages: usize) -> bool {
        match (self.began, self.agent.time) {
            (Some(began), Some(time)) => began.elapsed() < time * (stage as u32 + 1) / stages as u32,
            _ => true,
        }
    }

    /// Plays the remaining candidates in this number of new worlds.
    fn play(&mut self, worlds: usize) {
        let first = self.of_choice.count as u64;
        let found = self.worlds.map(first..first + worlds as u64, |start| self.values(start));
        for values in found {
            self.of_choice.add(values[0]);
            for candidate in &self.alive[1..] {
                self.candidates[*candidate].seen.add(values[*candidate] - values[0]);
            }
        }
    }

    /// The values of the remaining candidates in a world.
    fn values(&self, start: &Start) -> Values {
        let mut values = [0.0; MAX_CANDIDATES];
        for candidate in &self.alive {
            let end = self.worlds.end(start, self.candidates[*candidate].action);
            values[*candidate] = self.value.of(&end);
        }
        values
    }

    /// Drops candidates that are very unlikely to be best, or to gain more than `least`. A candidate also
    /// stays if the rollouts alone allow such a gain.
    fn drop_hopeless(&mut self) {
        let MonteCarlo { rule, least, .. } = *self.agent;
        let candidates = &self.candidates;
        self.alive.retain(|at| {
            let candidate = &candidates[*at];
            let posterior = rule.posterior(&candidate.prior, &candidate.seen);
            let seen = candidate.seen.mean() + HOPELESS * candidate.seen.standard_error();
            let may_gain = posterior.mean + HOPELESS * posterior.deviation > least;
            *at == 0 || may_gain || least > 0.0 && seen > least
        });
    }

    /// Keeps `keep` candidates: the first one and the best others.
    fn keep_best(&mut self, keep: usize) {
        let rule = self.agent.rule;
        let of = |at: &usize| rule.posterior(&self.candidates[*at].prior, &self.candidates[*at].seen).mean;
        let mut others: Vec<usize> = self.alive[1..].to_vec();
        others.sort_by(|a, b| of(b).total_cmp(&of(a)));
        others.truncate(keep - 1);
        self.alive.truncate(1);
        self.alive.extend(others);
    }

    fn finish(self) -> SearchResult {
        let rule = self.agent.rule;
        let posterior = |candidate: &Candidate| rule.posterior(&candidate.prior, &candidate.seen);
        let of_choice = (self.of_choice.mean(), self.of_choice.standard_error());
        let arms: Vec<Arm> = self
            .candidates
            .iter()
            .enumerate()
            .map(|(at, candidate)| Arm {
                action: candidate.action,
                gap: candidate.prior.gap,
                worlds: if at == 0 { self.of_choice.count } else { candidate.seen.count },
                difference: candidate.seen.mean(),
                error: if at == 0 { 0.0 } else { candidate.seen.standard_error() },
                posterior: if at == 0 { 0.0 } else { posterior(candidate).mean },
                deviation: if at == 0 { 0.0 } else { posterior(candidate).deviation },
                of_choice,
            })
            .collect();
        let others = self.candidates[1..].iter().filter(|other| rule.prefers(&other.prior, &other.seen));
        let best = others.max_by(|a, b| posterior(a).mean.total_cmp(&posterior(b).mean));
        let action = best.unwrap_or(&self.candidates[0]).action;
        SearchResult { action, arms, worlds: self.of_choice.count }
    }
}
