//! What is counted in a match.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::luck::GameLuck;
use super::plan::MatchPlan;
use super::sequential::{Sprt, SprtState};
use super::standing::{AgentStanding, LuckRatios, Standing, WithoutLuck, elo, gain};
use super::sums::{SetSums, SetTotal};
use crate::play::{
    AgentGroups, GameRecord, Groups, Schedule, Seating, Seatings, UnitCounts, player, player_index,
};
use crate::run::RunConfig;
use crate::stats::Statistics;

/// What an agent is measured by: the index of the count in a game.
const QUANTITIES: [usize; 3] = [player::PLACEMENT_SUM, player::RESULT, player::POINTS];

/// The values of a game: by agent and quantity.
pub(crate) type GameValues = [[i64; 3]; 4];

/// A set of games that is played or read.
#[derive(Clone, Debug)]
pub(crate) struct CountedSet {
    unit: UnitCounts,
    /// By agent and quantity.
    totals: Vec<[SetTotal; 3]>,
    /// The same without luck, in the units of [`GameLuck::UNITS`].
    without_luck: Vec<[SetTotal; 3]>,
    /// The games, if they are kept.
    pub(super) records: Vec<GameRecord>,
}

impl CountedSet {
    /// A set without games.
    pub(crate) fn new(groups: &Groups, agents: usize) -> CountedSet {
        CountedSet {
            unit: UnitCounts::new(groups),
            totals: vec![<[SetTotal; 3]>::default(); agents],
            without_luck: vec![<[SetTotal; 3]>::default(); agents],
            records: Vec::new(),
        }
    }

    /// Adds a game with the agents in these groups. Returns the values of its agents.
    pub(crate) fn add(&mut self, unit: &UnitCounts, agents: AgentGroups) -> GameValues {
        self.unit.add(unit);
        let mut values = GameValues::default();
        let of_agents = self.totals.iter_mut().zip(agents.into_iter().flatten()).zip(&mut values);
        for ((totals, group), values) in of_agents {
            for ((total, quantity), value) in totals.iter_mut().zip(QUANTITIES).zip(values) {
                *value = unit.counts.at(player_index(group, quantity));
                total.add_game(*value);
            }
        }
        values
    }

    /// Adds a game with these values without its luck.
    pub(crate) fn add_without_luck(&mut self, values: &GameValues, luck: &GameLuck, seating: Seating) {
        for (agent, (totals, values)) in self.without_luck.iter_mut().zip(values).enumerate() {
            for (at, (total, value)) in totals.iter_mut().zip(values).enumerate() {
                let luck = luck.of_seats(at, |seat| seating.agent(seat) == agent);
                total.add_game(GameLuck::UNITS[at] * value - luck);
            }
        }
    }
}

/// What is counted in a match: the figures of its agents, and the sums over its sets.
#[derive(Clone, Debug)]
pub struct MatchCounts {
    agents: Vec<String>,
    groups: Groups,
    of_agents: AgentGroups,
    schedule: Schedule,
    statistics: Statistics,
    /// Statistics of no games.
    empty: Statistics,
    /// By agent and quantity.
    sums: Vec<[SetSums; 3]>,
    /// The same without luck, if it is measured.
    without_luck: Option<Vec<[SetSums; 3]>>,
    test: Option<Sprt>,
    state: Option<SprtState>,
}

impl MatchCounts {
    /// A match of this run's agents without games. Its test needs seatings of two agents.
    #[must_use]
    pub fn new(config: &RunConfig, plan: &MatchPlan) -> MatchCounts {
        let labels = labels(&config.agents);
        let groups = Groups::new(&labels);
        let empty = Statistics::new(&groups, &config.rules);
        MatchCounts {
            of_agents: groups.of_agents(&labels),
            statistics: empty.clone(),
            empty,
            sums: vec![<[SetSums; 3]>::default(); config.agents.len()],
            without_luck: plan.luck.then(|| vec![<[SetSums; 3]>::default(); config.agents.len()]),
            agents: labels,
            schedule: config.schedule(),
            groups,
            test: plan.sprt,
            state: None,
        }
    }

    /// The groups of the figures. Agents with equal names are different groups.
    #[must_use]
    pub const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The figures of all games.
    #[must_use]
    pub const fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The number of sets.
    #[must_use]
    pub fn sets(&self) -> u64 {
        self.sums[0][0].sets()
    }

    /// The variance of the first agent's mean placement in a set. None for fewer than two sets.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        self.sums[0][0].variance(self.per_set(0))
    }

    /// Whether the test has decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.state.is_some_and(|state| state.decision.is_some())
    }

    /// The logarithm of the likelihood ratio of the test; none without a test.
    pub(super) fn llr(&self) -> Option<f64> {
        self.state.and_then(|state| state.llr)
    }

    /// Whether luck is measured.
    pub(super) const fn measure_luck(&self) -> bool {
        self.without_luck.is_some()
    }

    /// An empty set of this match.
    pub(super) fn empty_set(&self) -> CountedSet {
        CountedSet::new(&self.groups, self.agents.len())
    }

    /// The group of each agent.
    pub(super) const fn of_agents(&self) -> AgentGroups {
        self.of_agents
    }

    /// Adds sets in order, up to the one at which the test decides. Returns how many it has added,
    /// and whether the match goes on.
    pub(super) fn add(&mut self, sets: &[CountedSet]) -> (usize, ControlFlow<()>) {
        let mut added = 0;
        while added < sets.len() && !self.is_decided() {
            let totals = &sets[added].totals;
            for (sums, totals) in self.sums.iter_mut().flatten().zip(totals.iter().flatten()) {
                sums.add(*totals);
            }
            let without_luck = sets[added].without_luck.iter().flatten();
            for (sums, totals) in self.without_luck.iter_mut().flatten().flatten().zip(without_luck) {
                sums.add(*totals);
            }
            self.state = self.test.map(|test| test.state(&self.sums[0][0], self.per_set(0), self.fair()));
            added += 1;
        }
        self.add_figures(&sets[..added]);
        (added, if self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Adds the figures of sets. A single set, as stored matches and lockstep give them, is added
    /// without copies of the statistics.
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

    /// Where the match stands. None without sets.
    #[must_use]
    pub fn standing(&self) -> Option<Standing> {
        if self.sets() == 0 {
            return None;
        }
        let agents: Vec<AgentStanding> = (0..self.agents.len()).map(|agent| self.agent(agent)).collect();
        Some(Standing {
            sets: self.sets(),
            games: self.sets() * self.schedule.games_per_set(),
            fair: self.fair(),
            gain: self.schedule.seatings.is_pair().then(|| gain(self.fair(), &agents[0].placement)),
            elo: (self.schedule.seatings == Seatings::OneVersusRest)
                .then(|| elo(self.schedule.players, &agents[0].placement))
                .flatten(),
            sprt: self.state,
            agents,
        })
    }

    fn agent(&self, agent: usize) -> AgentStanding {
        let per_set = self.per_set(agent);
        let group = self.of_agents[agent].expect("every agent has a group");
        // Equal agents that decide equally share the places of every set, whatever the tiles are.
        let is_certain = self.have_equal_names();
        let [placement, result, points] = self.sums[agent].map(|sums| sums.interval(per_set, is_certain));
        let values = (self.sets() * per_set) as f64;
        let count =
            |place: u8| self.statistics.count(player_index(group, player::PLACEMENTS + usize::from(place)));
        AgentStanding {
            agent: self.agents[agent].clone(),
            placement,
            result,
            points,
            placements: (0..self.schedule.players.count())
                .map(|place| count(place) as f64 / values)
                .collect(),
            variance_ratio: self.sums[agent][0].variance_ratio(self.schedule.games_per_set()),
            without_luck: self.without_luck(agent),
        }
    }

    /// What the match shows of an agent without luck.
    fn without_luck(&self, agent: usize) -> Option<WithoutLuck> {
        let (per_set, is_certain) = (self.per_set(agent), self.have_equal_names());
        let sums = &self.without_luck.as_ref()?[agent];
        let mean = |at: usize| sums[at].interval(per_set, is_certain).per_unit(GameLuck::UNITS[at]);
        let ratio = |at: usize| {
            let with_luck = self.sums[agent][at].variance(per_set).filter(|variance| *variance > 0.0)?;
            let unit = GameLuck::UNITS[at] as f64;
            Some(sums[at].variance(per_set)? / unit.powi(2) / with_luck)
        };
        Some(WithoutLuck {
            placement: mean(0),
            result: mean(1),
            points: mean(2),
            variance_ratio: LuckRatios { placement: ratio(0), result: ratio(1), points: ratio(2) },
        })
    }

    /// Whether all agents have the same name but for the number that tells them apart.
    fn have_equal_names(&self) -> bool {
        let numbered = |(index, agent): (usize, &String)| *agent == label(&self.agents[0], index);
        self.agents.iter().enumerate().all(numbered)
    }

    /// The number of games in a set, once for each seat of the agent.
    fn per_set(&self, agent: usize) -> u64 {
        let Schedule { seatings, players, .. } = self.schedule;
        let games = self.schedule.games_per_set();
        match (seatings, agent) {
            (Seatings::OneVersusRest, 1) => games * u64::from(players.count() - 1),
            (Seatings::TwoVersusTwo, _) => 2 * games,
            _ => games,
        }
    }

    /// The mean placement of all players.
    fn fair(&self) -> f64 {
        f64::from(self.schedule.players.count() + 1) / 2.0
    }
}

/// The names of a match's agents, with a number after each but the first of equal ones.
#[must_use]
pub fn labels(names: &[String]) -> Vec<String> {
    let label = |(index, name): (usize, &String)| {
        label(name, names[..index].iter().filter(|earlier| *earlier == name).count())
    };
    names.iter().enumerate().map(label).collect()
}

/// The label of an agent, after this many with the same name.
fn label(name: &str, earlier: usize) -> String {
    if earlier == 0 { name.to_owned() } else { format!("{name} #{}", earlier + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_numbered() {
        let names = ["a", "b", "a", "a"].map(str::to_owned);
        assert_eq!(labels(&names), ["a", "b", "a #2", "a #3"]);
    }
}
