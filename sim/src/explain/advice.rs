//! What an agent thinks of the decisions of a game, for its page.

use jantaku_agents::NamedAgent;
use jantaku_engine::{Action, Event, Observation};
use jantaku_hands::view::{Advice, Advisor, OptionAdvice};

use super::ask::{AskError, DecisionContext, ask};
use super::reasons::Reasons;

/// Asks an agent about each decision.
#[derive(Debug)]
pub struct AskingAdvisor<'a> {
    agent: &'a NamedAgent,
    /// The seed of the game.
    seed: u64,
    /// The only seat that is advised, if there is one.
    seat: Option<u8>,
    /// A mistake loses more points than this.
    least: f32,
    /// The events of the game so far.
    events: Vec<Event>,
    /// Why the agent did not answer. It is not asked again.
    failure: Option<AskError>,
}

impl<'a> AskingAdvisor<'a> {
    /// Asks this agent in a game with this seed.
    #[must_use]
    pub const fn new(agent: &'a NamedAgent, seed: u64, seat: Option<u8>, least: f32) -> AskingAdvisor<'a> {
        AskingAdvisor { agent, seed, seat, least, events: Vec::new(), failure: None }
    }

    /// Why the agent did not answer a decision.
    #[must_use]
    pub fn into_failure(self) -> Option<AskError> {
        self.failure
    }
}

impl Advisor for AskingAdvisor<'_> {
    fn event(&mut self, event: &Event) {
        self.events.push(event.clone());
    }

    fn advice(&mut self, o: &Observation<'_>, action: Action, _: usize, hand: usize) -> Option<Advice> {
        if self.failure.is_some() || self.seat.is_some_and(|seat| seat != o.seat().number()) {
            return None;
        }
        let context =
            DecisionContext { observation: *o, events: &self.events, seed: self.seed, hand: hand as u32 };
        match ask(self.agent, &context) {
            Ok(reasons) => Some(advice_of(&reasons, o, action, self.least)),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }
}

/// The reasons of an agent as advice on this choice.
pub(crate) fn advice_of(reasons: &Reasons, o: &Observation<'_>, chosen: Action, least: f32) -> Advice {
    let mut options: Vec<OptionAdvice> =
        o.legal().iter().map(|id| option_of(reasons, o.describe(id.action()))).collect();
    options.retain(|option| option.value.is_some() || option.probability.is_some());
    options.sort_by(OptionAdvice::best_first);
    let value = |action: &str| options.iter().find(|option| option.action == action)?.value;
    let best = options.iter().filter_map(|option| option.value).reduce(f32::max);
    let cost = value(&o.describe(chosen)).zip(best).map(|(chosen, best)| best - chosen);
    Advice {
        best: reasons.action.clone(),
        why: reasons.why.clone(),
        options,
        cost,
        cost_error: None,
        is_mistake: cost.is_some_and(|cost| cost > least),
    }
}

/// What the reasons say about an action.
fn option_of(reasons: &Reasons, action: String) -> OptionAdvice {
    let info = &reasons.search_info;
    let candidate = reasons.candidates.iter().flatten().find(|candidate| candidate.action == action);
    let value = info.action_values.iter().flatten().find(|value| value.action == action);
    let probability = info.policy.iter().flatten().find(|probability| probability.action == action);
    OptionAdvice {
        value: candidate.and_then(|candidate| candidate.value).or_else(|| value?.value),
        probability: probability.map(|probability| probability.value),
        action,
        tile: None,
    }
}
