//! Which agent sits where at the tables of a cohort.

use jantaku_agents::Agent;
use jantaku_engine::{Rules, Seat};

use super::Cohort;
use crate::play::{AgentGroups, Fixture};

/// The agents of a cohort, as far as all threads may know them.
pub(super) struct Roles<'a> {
    pub(super) job: &'a Cohort<'a>,
    /// The group of each agent of the job.
    pub(super) groups: AgentGroups,
    /// The index in the list of agents of each agent of the job.
    named: Vec<usize>,
    /// What the tables know of each agent in the list.
    list: Vec<Listed>,
}

struct Listed {
    name: String,
    salt: u64,
    /// Whether it wants news.
    subscribes: bool,
}

impl<'a> Roles<'a> {
    /// The roles of the agents in a list.
    ///
    /// # Panics
    ///
    /// If the list has no agent of a name in the job.
    pub(super) fn new(
        job: &'a Cohort<'a>,
        list: &[(String, Box<dyn Agent>)],
        groups: AgentGroups,
    ) -> Roles<'a> {
        let index = |(at, name): (usize, &String)| {
            let earlier = job.agents[..at].iter().filter(|other| *other == name).count();
            let own = || list.iter().enumerate().filter(|(_, (own, _))| own == name).map(|(index, _)| index);
            let found = own().nth(earlier).or_else(|| own().next_back());
            found.unwrap_or_else(|| panic!("the agents of the job: no agent is named `{name}`"))
        };
        let known = |(name, agent): &(String, Box<dyn Agent>)| Listed {
            name: name.clone(),
            salt: agent.salt(),
            subscribes: agent.wants_updates(),
        };
        Roles {
            job,
            groups,
            named: job.agents.iter().enumerate().map(index).collect(),
            list: list.iter().map(known).collect(),
        }
    }

    /// The number of agents in the list.
    pub(super) const fn count(&self) -> usize {
        self.list.len()
    }

    /// The index of the agent in a seat of a game.
    #[inline]
    pub(super) fn of_seat(&self, fixture: Fixture, seat: Seat) -> usize {
        self.named[fixture.seating.agent(seat)]
    }

    pub(super) fn name(&self, agent: usize) -> &str {
        &self.list[agent].name
    }

    pub(super) fn salt(&self, agent: usize) -> u64 {
        self.list[agent].salt
    }

    /// Whether an agent wants news.
    pub(super) fn follows(&self, agent: usize) -> bool {
        self.list[agent].subscribes
    }

    /// Whether any agent of a game wants its news.
    pub(super) fn are_followed(&self, rules: &Rules, fixture: Fixture) -> bool {
        rules.players.seats().any(|seat| self.follows(self.of_seat(fixture, seat)))
    }
}
