//! Which agent sits where.

use jantaku_agents::Agent;
use jantaku_engine::{Rules, Seat};

use crate::play::{AgentGroups, Fixture, Job};

/// The facts about the agents of a job that all threads share.
pub(super) struct Roles<'a> {
    pub(super) job: &'a Job<'a>,
    /// The group of each agent that the schedule seats.
    pub(super) groups: AgentGroups,
    /// The index in `agents` of the one that plays for each agent that the schedule seats.
    played_by: Vec<usize>,
    /// The started agents.
    agents: Vec<AgentFacts>,
}

/// What the tables know of a started agent.
struct AgentFacts {
    name: String,
    salt: u64,
    /// Whether it wants news.
    subscribes: bool,
}

impl<'a> Roles<'a> {
    /// The roles of started agents. `played_by` has the index in `agents` of the one that plays for each
    /// agent that the schedule seats.
    pub(super) fn new<'s>(
        job: &'a Job<'a>,
        agents: impl Iterator<Item = (&'s str, &'s dyn Agent)>,
        played_by: Vec<usize>,
        groups: AgentGroups,
    ) -> Roles<'a> {
        let facts = |(name, agent): (&str, &dyn Agent)| AgentFacts {
            name: name.to_owned(),
            salt: agent.salt(),
            subscribes: agent.wants_updates(),
        };
        Roles { job, groups, played_by, agents: agents.map(facts).collect() }
    }

    /// The number of started agents.
    pub(super) const fn count(&self) -> usize {
        self.agents.len()
    }

    /// The index of the started agent in a seat of a game.
    #[inline]
    pub(super) fn agent_at(&self, fixture: Fixture, seat: Seat) -> usize {
        self.played_by[fixture.seating.agent(seat)]
    }

    pub(super) fn name(&self, agent: usize) -> &str {
        &self.agents[agent].name
    }

    pub(super) fn salt(&self, agent: usize) -> u64 {
        self.agents[agent].salt
    }

    /// Whether an agent wants news.
    pub(super) fn follows(&self, agent: usize) -> bool {
        self.agents[agent].subscribes
    }

    /// Whether any agent of a game wants its news.
    pub(super) fn are_followed(&self, rules: &Rules, fixture: Fixture) -> bool {
        rules.players.seats().any(|seat| self.follows(self.agent_at(fixture, seat)))
    }
}
