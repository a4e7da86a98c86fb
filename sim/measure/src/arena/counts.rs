//! What is counted in a match: the figures of its agents, and sums over its duplicate sets.

use std::ops::ControlFlow;

use jantaku_agents::without_label;
use rayon::prelude::*;

use super::agent_result::{AgentResult, VarianceRatios, VarianceReduced};
use super::aivat::GameVariate;
use super::plan::MatchPlan;
use super::power::PILOT_SETS;
use super::sequential::{Sprt, SprtState, Undecidable};
use super::sums::{SetSums, SetTotal};
use crate::stats::Statistics;
use jantaku_sim::play::{
    AgentGroups, GameRecord, Groups, PLACE_PARTS, PLACEMENT_PARTS, Schedule, Seating, Seatings, SharedCount,
    UnitCounts, labels, player, player_index,
};
use jantaku_sim::run::RunConfig;

/// The quantities by which an agent is measured: the index of each in the counts of a game, and the
/// number of parts in which a unit of it is counted.
const QUANTITIES: [(usize, i64); 3] =
    [(player::PLACEMENT_SUM, PLACEMENT_PARTS), (player::RESULT, 1), (player::POINTS, 1)];

/// The values of a game: by agent and quantity.
type GameValues = [[i64; 3]; 4];

/// A duplicate set that is played or read.
#[derive(Clone, Debug)]
pub(super) struct CountedSet {
    /// The counts of the figures, over all games of the set.
    unit: UnitCounts,
    /// The values of each game.
    games: Vec<GameValues>,
    /// The totals over the games, by agent and quantity.
    totals: Vec<[SetTotal; 3]>,
    /// These totals with reduced variance, in the units of [`GameVariate::UNITS`].
    variance_reduced: Vec<[SetTotal; 3]>,
    /// The records of the games, if they are kept.
    pub(super) records: Vec<GameRecord>,
}

impl CountedSet {
    /// The number of games so far.
    pub(super) const fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Adds the counts of a game with the agents in these groups.
    pub(super) fn add(&mut self, game: &UnitCounts, agents: AgentGroups) {
        self.unit.add(game);
        let mut values = GameValues::default();
        let of_agents = self.totals.iter_mut().zip(agents.into_iter().flatten()).zip(&mut values);
        for ((totals, group), values) in of_agents {
            for ((total, (quantity, _)), value) in totals.iter_mut().zip(QUANTITIES).zip(values) {
                *value = game.counts.at(player_index(group, quantity));
                total.add_game(*value);
            }
        }
        self.games.push(values);
    }

    /// Adds the values of the games without their luck. `variates` has the luck of each game of the set.
    /// `seating` gives the seating of a game by its number in the set, from 0.
    pub(super) fn add_variance_reduced(
        &mut self,
        variates: &[GameVariate],
        seating: impl Fn(u64) -> Seating,
    ) {
        for (game, (values, variate)) in (0..).zip(self.games.iter().zip(variates)) {
            let seating = seating(game);
            for (agent, (totals, values)) in self.variance_reduced.iter_mut().zip(values).enumerate() {
                for (at, (total, value)) in totals.iter_mut().zip(values).enumerate() {
                    let variate = variate.total(at, |seat| seating.agent(seat) == agent);
                    total.add_game(GameVariate::UNITS[at] / QUANTITIES[at].1 * value - variate);
                }
            }
        }
    }
}

/// What is counted in a match.
#[derive(Clone, Debug)]
pub(super) struct MatchCounts {
    agents: Vec<String>,
    /// Whether all agents are the same one, under any names.
    are_equal: bool,
    /// The groups of the figures. Agents with equal names are different groups.
    pub(super) groups: Groups,
    /// The group of each agent.
    pub(super) of_agents: AgentGroups,
    schedule: Schedule,
    /// The figures of all games.
    pub(super) statistics: Statistics,
    /// Statistics of no games.
    empty: Statistics,
    /// The sums over sets, by agent and quantity.
    sums: Vec<[SetSums; 3]>,
    /// These sums with reduced variance, if that is asked for.
    variance_reduced: Option<Vec<[SetSums; 3]>>,
    test: Option<Sprt>,
    /// Whether the test alone ends the match.
    is_open_ended: bool,
    /// The sequential test so far; none without one.
    pub(super) state: Option<SprtState>,
}

impl MatchCounts {
    /// A match of this run's agents, before its first game. A test needs seatings of two agents.
    pub(super) fn new(config: &RunConfig, plan: &MatchPlan) -> MatchCounts {
        let labels = labels(&config.agents);
        let mut texts = config.agents.iter().map(|agent| without_label(agent));
        let first = texts.next();
        let groups = Groups::new(&labels);
        let empty = Statistics::new(&groups, &config.rules);
        let sums = vec![<[SetSums; 3]>::default(); labels.len()];
        MatchCounts {
            of_agents: groups.agent_groups(&labels),
            statistics: empty.clone(),
            empty,
            variance_reduced: plan.variance_reduction.then(|| sums.clone()),
            sums,
            agents: labels,
            are_equal: texts.all(|text| Some(text) == first),
            schedule: config.schedule(),
            groups,
            test: plan.sprt,
            is_open_ended: plan.sprt.is_some() && plan.sets.is_none(),
            state: None,
        }
    }

    /// The number of sets.
    pub(super) fn sets(&self) -> u64 {
        self.sums[0][0].sets()
    }

    /// The variance of the first agent's mean placement in a set. None for fewer than two sets.
    pub(super) fn variance(&self) -> Option<f64> {
        self.sums[0][0].variance(self.parts_per_set(0, 0))
    }

    /// Whether the test has decided.
    pub(super) fn is_decided(&self) -> bool {
        self.state.is_some_and(|state| state.decision.is_some())
    }

    /// Whether no more sets are to be played, no matter how many are planned.
    fn is_over(&self) -> bool {
        self.is_decided() || self.check_can_decide().is_err()
    }

    /// Fails if only the test can end the match and, after [`PILOT_SETS`] sets, all of them have the mean
    /// placement of a fair field. In matches of agents with equal decisions, all sets have it.
    pub(super) fn check_can_decide(&self) -> Result<(), Undecidable> {
        let sets = self.sets();
        let is_too_long = self.is_open_ended && sets >= PILOT_SETS;
        let is_fair = || (self.sums[0][0].mean(self.parts_per_set(0, 0)) - self.fair()).abs() < f64::EPSILON;
        if is_too_long && self.variance() == Some(0.0) && is_fair() {
            Err(Undecidable { sets })
        } else {
            Ok(())
        }
    }

    /// Whether luck is measured.
    pub(super) const fn reduces_variance(&self) -> bool {
        self.variance_reduced.is_some()
    }

    /// An empty set of this match.
    pub(super) fn empty_set(&self) -> CountedSet {
        let totals = vec![<[SetTotal; 3]>::default(); self.agents.len()];
        CountedSet {
            unit: UnitCounts::new(&self.groups),
            games: Vec::new(),
            variance_reduced: totals.clone(),
            totals,
            records: Vec::new(),
        }
    }

    /// Adds sets in order, up to the one at which the test decides. Returns how many it has added,
    /// and whether the match continues.
    pub(super) fn add(&mut self, sets: &[CountedSet]) -> (usize, ControlFlow<()>) {
        let mut added = 0;
        while added < sets.len() && !self.is_over() {
            let totals = &sets[added].totals;
            for (sums, totals) in self.sums.iter_mut().flatten().zip(totals.iter().flatten()) {
                sums.add(*totals);
            }
            let variance_reduced = sets[added].variance_reduced.iter().flatten();
            for (sums, totals) in self.variance_reduced.iter_mut().flatten().flatten().zip(variance_reduced) {
                sums.add(*totals);
            }
            let per_set = self.parts_per_set(0, 0);
            self.state = self.test.map(|test| test.state(&self.sums[0][0], per_set, self.fair()));
            added += 1;
        }
        self.add_figures(&sets[..added]);
        (added, if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Adds the figures of sets. Stored matches and agents that answer batches give one set at a time: it
    /// is added without copies of the statistics.
    fn add_figures(&mut self, sets: &[CountedSet]) {
        if let [set] = sets {
            return self.statistics.add(&set.unit);
        }
        let empty = || self.empty.clone();
        let counted = sets.par_iter().fold(empty, |mut statistics, set| {
            statistics.add(&set.unit);
            statistics
        });
        let counted = counted.reduce(empty, |mut own, more| {
            own.merge(&more);
            own
        });
        self.statistics.merge(&counted);
    }

    /// The results of the agents so far; empty without sets.
    pub(super) fn agents(&self) -> Vec<AgentResult> {
        let agents = if self.sets() == 0 { 0 } else { self.agents.len() };
        (0..agents).map(|agent| self.agent(agent)).collect()
    }

    fn agent(&self, agent: usize) -> AgentResult {
        let group = self.of_agents[agent].expect("every agent has a group");
        // Equal agents that make the same decisions have the same mean in every set, on any walls: then
        // the interval has length 0.
        let is_certain = self.are_equal;
        let [placement, result, points] =
            [0, 1, 2].map(|at| self.sums[agent][at].interval(self.parts_per_set(agent, at), is_certain));
        let values = (self.sets() * self.per_set(agent)) as f64;
        let count = |place: u8| {
            let parts = self.statistics.count(player_index(group, player::PLACEMENTS + usize::from(place)));
            SharedCount::of(parts, PLACE_PARTS).0
        };
        AgentResult {
            agent: self.agents[agent].clone(),
            placement,
            result,
            points,
            placements: (0..self.schedule.players.count()).map(|place| count(place) / values).collect(),
            variance_ratio: self.sums[agent][0].variance_ratio(self.schedule.games_per_set()),
            variance_reduced: self.variance_reduced(agent),
        }
    }

    /// The result of an agent with reduced variance.
    fn variance_reduced(&self, agent: usize) -> Option<VarianceReduced> {
        let (per_set, is_certain) = (self.per_set(agent), self.are_equal);
        let sums = &self.variance_reduced.as_ref()?[agent];
        let mean = |at: usize| sums[at].interval(per_set, is_certain).per_unit(GameVariate::UNITS[at]);
        let ratio = |at: usize| {
            let plain = self.sums[agent][at]
                .variance(self.parts_per_set(agent, at))
                .filter(|variance| *variance > 0.0)?;
            let unit = GameVariate::UNITS[at] as f64;
            Some(sums[at].variance(per_set)? / unit.powi(2) / plain)
        };
        Some(VarianceReduced {
            placement: mean(0),
            result: mean(1),
            points: mean(2),
            variance_ratio: VarianceRatios { placement: ratio(0), result: ratio(1), points: ratio(2) },
        })
    }

    /// How many results an agent has in a set: one for each game and each of its seats.
    fn per_set(&self, agent: usize) -> u64 {
        let Schedule { seatings, players, .. } = self.schedule;
        let games = self.schedule.games_per_set();
        match (seatings, agent) {
            (Seatings::OneVersusRest, 1) => games * u64::from(players.count() - 1),
            (Seatings::TwoVersusTwo, _) => 2 * games,
            _ => games,
        }
    }

    /// A quantity's sum over a set, divided by this, is its mean: results times the parts of a unit.
    fn parts_per_set(&self, agent: usize, quantity: usize) -> u64 {
        self.per_set(agent) * QUANTITIES[quantity].1 as u64
    }

    /// The mean placement of all players.
    pub(super) fn fair(&self) -> f64 {
        f64::from(self.schedule.players.count() + 1) / 2.0
    }
}
