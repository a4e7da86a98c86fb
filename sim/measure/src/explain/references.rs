//! Agents that give a second opinion on a mistake.
//!
//! # Why
//!
//! **Why does a mark name other agents?** The costs of one decision by two agents can differ by
//! thousands of points, mostly where a leader may fold. A mark that a good agent would not make says
//! more about the agent than about the player. `heuristic` and `residual` answer in microseconds, and
//! only mistakes need them. Rejected: a search beside every mark, which takes seconds for each;
//! `analyse` is that search, and its marks have these answers, too.

use jantaku_agents::{Catalog, NamedAgent, without_label};
use jantaku_engine::Action;
use jantaku_show::OtherAnswer;
use jantaku_sim::replay::source::DecisionContext;

use super::ask::ask;
use super::opinion::judge;

/// The agents that give a second opinion on mistakes that another agent finds.
#[derive(Debug)]
pub(crate) struct References(Vec<NamedAgent>);

impl References {
    /// The reference agents without this one.
    pub(crate) fn new(agent: &NamedAgent) -> References {
        let names = ["heuristic", "residual"].into_iter();
        let others = names.filter(|name| *name != without_label(agent.name()));
        References(others.map(|name| Catalog::standard().agent(name).expect("a built-in agent")).collect())
    }

    /// What these agents think of an action. A mistake loses more than `threshold` points.
    pub(crate) fn answers(
        &self,
        context: &DecisionContext<'_>,
        chosen: Action,
        threshold: f32,
    ) -> Vec<OtherAnswer> {
        let answer = |agent: &NamedAgent| {
            let mut opinion = ask(agent, context).ok()?;
            judge(&mut opinion, &context.observation, chosen, threshold);
            let judgement = opinion.judgement?;
            let (agent, action) = (opinion.agent, opinion.action);
            Some(OtherAnswer { agent, action, cost: judgement.cost, grade: judgement.grade })
        };
        self.0.iter().filter_map(answer).collect()
    }
}
