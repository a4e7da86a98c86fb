//! Agents that give a second opinion on a mistake.
//!
//! # Why
//!
//! **Why does a mark name other agents?** The costs of one decision by two agents can differ by
//! thousands of points, mostly where a leader may fold or a hand may stay damaten. A mark that a good agent
//! would not make says more about the agent than about the player. `heuristic` and `residual` answer in
//! microseconds. The search plays both actions in up to 2,048 worlds, which takes a tenth of a second, and
//! only mistakes need it. Rejected: the full search of `analyse` in its place, which takes ten seconds for a
//! player of a game. Its marks have the answers of the agents, too.

use jantaku_agents::{Catalog, Estimate, MonteCarlo, NamedAgent, PairedRollouts, without_label};
use jantaku_engine::Action;
use jantaku_engine::random::hash;
use jantaku_show::{Grade, HALF_WIDTH_95, Judgement, OtherAnswer, SearchAnswer};
use jantaku_sim::replay::source::DecisionContext;

use super::ask::ask;
use super::comparison::explain_difference;
use super::opinion::judge;

/// The agents that give a second opinion on mistakes that another agent finds.
#[derive(Debug)]
pub(crate) struct References {
    agents: Vec<NamedAgent>,
    /// A search that plays the two actions. None if the other agent is one.
    search: Option<NamedAgent>,
}

/// The search plays this many worlds, and as many again until it is certain.
const FIRST: u64 = 256;
/// The search ends after this many worlds.
const MOST: u64 = 2048;

impl References {
    /// The reference agents without this one.
    pub(crate) fn new(agent: &NamedAgent) -> References {
        let of = |name| Catalog::standard().agent(name).expect("a built-in agent");
        let names = ["heuristic", "residual"].into_iter();
        let agents = names.filter(|name| *name != without_label(agent.name())).map(of).collect();
        let search = agent.downcast::<MonteCarlo>().is_none().then(|| of("mc"));
        References { agents, search }
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
            let Judgement { cost, grade, .. } = judge(&mut opinion, &context.observation, chosen, threshold);
            Some(OtherAnswer { agent: opinion.agent, action: opinion.action, cost, grade })
        };
        self.agents.iter().filter_map(answer).collect()
    }

    /// What the search thinks of an action, where another agent finds the second one better. None without a
    /// search.
    pub(crate) fn search(
        &self,
        context: &DecisionContext<'_>,
        [chosen, better]: [Action; 2],
        threshold: f32,
    ) -> Option<SearchAnswer> {
        let agent = self.search.as_ref()?;
        let search = agent.downcast::<MonteCarlo>()?;
        let DecisionContext { observation: o, seed, hand, .. } = context;
        let seed = hash(&[*seed, u64::from(*hand), u64::from(o.decision_count())]);
        let mut pairs = PairedRollouts::default();
        let Estimate { mean, standard_error } = loop {
            let worlds = pairs.worlds;
            pairs += search.paired(o, [chosen, better], seed, worlds..worlds + FIRST);
            let loss = pairs.value.estimate();
            let error = HALF_WIDTH_95 * loss.standard_error.unwrap_or_default();
            if pairs.worlds >= MOST || (loss.mean - threshold).abs() > error {
                break loss;
            }
        };
        let (is_better, cost) = (mean > 0.0, mean.max(0.0));
        let (agent, action) = (agent.label().to_owned(), o.describe(if is_better { better } else { chosen }));
        let grade = Grade::of(Some(cost), threshold);
        Some(SearchAnswer {
            answer: OtherAnswer { agent, action, cost: Some(cost), grade },
            cost_error: standard_error,
            reason: explain_difference(o, better, &pairs).filter(|_| is_better),
        })
    }
}
