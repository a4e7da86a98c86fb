//! Compares the candidates of a decision by rollouts.

use std::time::Instant;

use jantaku_engine::random::hash;
use jantaku_engine::{Action, Declare, Observation, Rng};
use rayon::prelude::*;

use super::propose::Proposal;
use super::rollout::play_out;
use super::value::Value;
use super::verdict::{Differences, Prior};
use super::{MOST_CANDIDATES, MonteCarlo};
use crate::Estimate;
use crate::belief::Belief;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The action to take.
    pub action: Action,
    /// The candidates, first the proposer's choice, or the played action of a review. A single one was
    /// not searched.
    pub arms: Vec<Arm>,
    /// The number of deals that were drawn.
    pub deals: usize,
}

/// What a search found of one candidate.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    /// The candidate.
    pub action: Action,
    /// How much less the proposer expects of it than of its choice, in points. None if the proposer
    /// does not say.
    pub gap: Option<f32>,
    /// The number of deals in which it was played.
    pub deals: usize,
    /// The mean difference to the proposer's choice in these deals, in points.
    pub difference: f32,
    /// The standard error of that mean.
    pub error: f32,
    /// The difference after the proposer's own view of it is weighed in, in points.
    pub believed: f32,
    /// The mean value of the proposer's choice in all deals, and its standard error.
    of_choice: (f32, f32),
}

impl Arm {
    /// The value of the candidate. None if it was not searched.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let (mean, error) = self.of_choice;
        let all = if self.difference == 0.0 && self.error == 0.0 { error } else { error.hypot(self.error) };
        (self.deals > 0).then_some(Estimate { mean: mean + self.difference, standard_error: Some(all) })
    }
}

/// Deals that are played before the next decision about candidates or time.
const BATCH: usize = 16;
/// A candidate is given up when it is believed to be worse by so many deviations.
const HOPELESS: f32 = 2.5;
/// The most rollouts in a given time.
const MOST_ROLLOUTS: usize = 1 << 20;

/// A search in progress.
struct Search<'a> {
    agent: &'a MonteCarlo,
    o: &'a Observation<'a>,
    value: Value<'a>,
    belief: Option<Belief<'a>>,
    seed: u64,
    candidates: Vec<Candidate>,
    /// The candidates that still get rollouts. The first is the proposer's choice.
    alive: Vec<usize>,
    /// Values of the proposer's choice.
    of_choice: Differences,
    start: Option<Instant>,
}

struct Candidate {
    action: Action,
    prior: Prior,
    seen: Differences,
}

/// The values of the candidates in one deal.
type Values = [f32; MOST_CANDIDATES];

impl MonteCarlo {
    /// Searches a decision.
    #[must_use]
    pub fn search(&self, o: &Observation<'_>, rng: &mut Rng) -> Searched {
        let proposals = self.proposer.propose(o, self.candidates, self.margin, rng);
        self.compare(o, &proposals, rng)
    }

    /// Compares the candidates of a decision with the action that was played there. That action is
    /// the first arm, all differences are to it, and it is the action of the result unless the
    /// rollouts speak for another one.
    #[must_use]
    pub fn review(&self, o: &Observation<'_>, played: Action, rng: &mut Rng) -> Searched {
        let mut proposals = self.proposer.propose(o, self.candidates, self.margin, rng);
        let own = match proposals.iter().position(|proposal| is_same(o, proposal.action, played)) {
            Some(at) => Proposal { action: played, ..proposals.remove(at) },
            None => Proposal { action: played, gap: self.proposer.gap(o, played, rng) },
        };
        for proposal in &mut proposals {
            proposal.gap = proposal.gap.zip(own.gap).map(|(gap, own)| gap - own);
        }
        proposals.truncate(MOST_CANDIDATES - 1);
        proposals.insert(0, Proposal { gap: Some(0.0), ..own });
        self.compare(o, &proposals, rng)
    }

    /// Compares actions by rollouts. The first is followed unless they speak for another one.
    fn compare(&self, o: &Observation<'_>, proposals: &[Proposal], rng: &mut Rng) -> Searched {
        let choice = proposals[0].action;
        if proposals.len() < 2 {
            let arm = Arm {
                action: choice,
                gap: Some(0.0),
                deals: 0,
                difference: 0.0,
                error: 0.0,
                believed: 0.0,
                of_choice: (0.0, 0.0),
            };
            return Searched { action: choice, arms: vec![arm], deals: 0 };
        }
        let players = o.rules().players;
        let candidates: Vec<Candidate> = proposals
            .iter()
            .map(|found| {
                let is_alike = is_plain(choice) && is_plain(found.action);
                let prior = Prior { gap: found.gap, is_alike, left: o.live() };
                Candidate { action: found.action, prior, seen: Differences::default() }
            })
            .collect();
        let mut search = Search {
            agent: self,
            o,
            value: Value::new(o, self.utility, self.placements(players)),
            belief: self.is_weighted.then(|| Belief::new(self.beliefs.of(players), o)),
            seed: rng.next_u64(),
            alive: (0..candidates.len()).collect(),
            candidates,
            of_choice: Differences::default(),
            start: self.time.map(|_| Instant::now()),
        };
        search.run();
        search.finish()
    }
}

/// Whether two actions leave the same hand: the drawn tile may be discarded, or another one like it.
fn is_same(o: &Observation<'_>, a: Action, b: Action) -> bool {
    let discarded = |action: Action| match action {
        Action::Discard { tile, declare } => Some((tile, declare)),
        Action::Tsumogiri { declare } => o.drawn().map(|tile| (tile, declare)),
        _ => None,
    };
    a == b || discarded(a).is_some_and(|discard| discarded(b) == Some(discard))
}

/// Whether the action is a discard without riichi.
const fn is_plain(action: Action) -> bool {
    matches!(
        action,
        Action::Discard { declare: Declare::Nothing, .. } | Action::Tsumogiri { declare: Declare::Nothing }
    )
}

impl Search<'_> {
    /// Gives rollouts to the candidates. Each stage has the same share of the budget, and half of
    /// the candidates go on to the next.
    fn run(&mut self) {
        let stages = self.candidates.len().next_power_of_two().ilog2() as usize;
        let mut left = if self.start.is_some() { MOST_ROLLOUTS } else { self.agent.rollouts };
        for stage in 0..stages {
            let share = left / (stages - stage);
            let mut deals = (share / self.alive.len()).max(1);
            while deals > 0
                && self.alive.len() > 1
                && left >= self.alive.len()
                && self.has_time(stage, stages)
            {
                let batch = deals.min(BATCH);
                self.play(batch);
                deals -= batch;
                left -= batch * self.alive.len();
                self.give_up();
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
        match (self.start, self.agent.time) {
            (Some(start), Some(time)) => start.elapsed() < time * (stage as u32 + 1) / stages as u32,
            _ => true,
        }
    }

    /// Plays the candidates in question in so many new deals.
    fn play(&mut self, deals: usize) {
        let first = self.of_choice.count as u64;
        let numbers = first..first + deals as u64;
        // Games that are played in parallel need no help. A single decision has all threads.
        let is_alone = rayon::current_thread_index().is_none() && rayon::current_num_threads() > 1;
        let found: Vec<Values> = if is_alone {
            numbers.into_par_iter().map(|number| self.values(number)).collect()
        } else {
            numbers.map(|number| self.values(number)).collect()
        };
        for values in found {
            self.of_choice.add(values[0]);
            for candidate in &self.alive[1..] {
                self.candidates[*candidate].seen.add(values[*candidate] - values[0]);
            }
        }
    }

    /// The values of the candidates in question in the deal with this number.
    fn values(&self, number: u64) -> Values {
        let mut rng = Rng::new(hash(&[self.seed, number]));
        let start = match &self.belief {
            Some(belief) => belief.draw(&mut rng).complete(self.o),
            None => self.o.determinize(&mut rng),
        };
        let mut values = [0.0; MOST_CANDIDATES];
        for candidate in &self.alive {
            let mut round = start.clone();
            let action = self.candidates[*candidate].action;
            round.submit(self.o.seat(), action).unwrap_or_else(|illegal| panic!("a candidate: {illegal}"));
            play_out(&mut round, &self.agent.players, &mut rng.clone());
            values[*candidate] = self.value.of(&round);
        }
        values
    }

    /// Drops candidates that have hardly a chance left.
    fn give_up(&mut self) {
        let (candidates, verdict) = (&self.candidates, self.agent.verdict);
        self.alive.retain(|at| {
            let candidate = &candidates[*at];
            let belief = verdict.weigh(&candidate.prior, &candidate.seen);
            *at == 0 || belief.mean + HOPELESS * belief.deviation > 0.0
        });
    }

    /// Keeps the proposer's choice and the best others, so many in all.
    fn keep_best(&mut self, keep: usize) {
        let verdict = self.agent.verdict;
        let of = |at: &usize| verdict.weigh(&self.candidates[*at].prior, &self.candidates[*at].seen).mean;
        let mut others: Vec<usize> = self.alive[1..].to_vec();
        others.sort_by(|a, b| of(b).total_cmp(&of(a)));
        others.truncate(keep - 1);
        self.alive.truncate(1);
        self.alive.extend(others);
    }

    fn finish(self) -> Searched {
        let verdict = self.agent.verdict;
        let believed = |candidate: &&Candidate| verdict.weigh(&candidate.prior, &candidate.seen).mean;
        let of_choice = (self.of_choice.mean(), self.of_choice.standard_error());
        let arms: Vec<Arm> = self
            .candidates
            .iter()
            .enumerate()
            .map(|(at, candidate)| Arm {
                action: candidate.action,
                gap: candidate.prior.gap,
                deals: if at == 0 { self.of_choice.count } else { candidate.seen.count },
                difference: candidate.seen.mean(),
                error: if at == 0 { 0.0 } else { candidate.seen.standard_error() },
                believed: if at == 0 { 0.0 } else { believed(&candidate) },
                of_choice,
            })
            .collect();
        let others = self.candidates[1..].iter().filter(|other| verdict.prefers(&other.prior, &other.seen));
        let best = others.max_by(|a, b| believed(a).total_cmp(&believed(b)));
        let action = best.unwrap_or(&self.candidates[0]).action;
        Searched { action, arms, deals: self.of_choice.count }
    }
}
