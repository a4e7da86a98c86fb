//! What an agent thinks of the decisions of a game, for its page.

use jantaku_agents::{NamedAgent, without_label};
use jantaku_engine::{Action, ActionId, Event, Observation};
use jantaku_show::view::{Advice, Advisor, AllAdvice, OptionAdvice, ShownAdvisor};

use super::ask::{AskError, DecisionContext, ask};
use super::reasons::Reasons;
use crate::play::labels;
use crate::review::DecisionKind;

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

    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> AllAdvice {
        if self.failure.is_some() || self.seat.is_some_and(|seat| seat != o.seat().number()) {
            return vec![None];
        }
        let context =
            DecisionContext { observation: *o, events: &self.events, seed: self.seed, hand: hand as u32 };
        match ask(self.agent, &context) {
            Ok(reasons) => vec![Some(advice_of(&reasons, o, action, self.least))],
            Err(error) => {
                self.failure = Some(error.at(number));
                vec![None]
            }
        }
    }
}

/// What a page calls the agents that give its advice. Equal names are numbered.
#[must_use]
pub fn shown_advisors<'a>(agents: impl IntoIterator<Item = &'a NamedAgent>) -> Vec<ShownAdvisor> {
    let texts: Vec<String> = agents.into_iter().map(|agent| agent.name().to_owned()).collect();
    let names = labels(&texts).into_iter().zip(&texts);
    names.map(|(name, text)| ShownAdvisor { name, text: without_label(text).to_owned() }).collect()
}

/// The reasons of an agent as advice on this choice.
pub(crate) fn advice_of(reasons: &Reasons, o: &Observation<'_>, chosen: Action, least: f32) -> Advice {
    let actions = o.legal().iter().map(ActionId::action);
    let mut compared: Vec<(Action, OptionAdvice)> =
        actions.map(|action| (action, option_of(reasons, o.describe(action)))).collect();
    compared.retain(|(_, option)| option.value.is_some() || option.probability.is_some());
    let kind = DecisionKind::of(o, compared.iter().map(|(action, _)| *action));
    compared.sort_by(|(_, one), (_, other)| one.best_first(other));
    let own = compared.iter().find(|(action, _)| *action == chosen).map(|(_, option)| option);
    let best = compared.first().map(|(_, option)| option);
    let (cost, cost_error) = own.zip(best).map_or((None, None), |(own, best)| loss(reasons, own, best));
    Advice {
        best: reasons.action.clone(),
        kind: kind.name(),
        why: reasons.why.clone(),
        options: compared.into_iter().map(|(_, option)| option).collect(),
        cost,
        cost_error,
        is_mistake: cost.is_some_and(|cost| cost > least),
    }
}

/// The points that an option loses against the best one, and their standard error. The agent does
/// not report how its estimates correlate, so they count as independent.
fn loss(reasons: &Reasons, own: &OptionAdvice, best: &OptionAdvice) -> (Option<f32>, Option<f32>) {
    let loss = best.value.zip(own.value).map(|(best, own)| best - own);
    let values = || reasons.search_info.action_values.iter().flatten();
    let error = |option: &OptionAdvice| {
        // Only where the value is this estimate.
        let of_value = values().find(|one| one.action == option.action && one.value == option.value);
        of_value?.standard_error
    };
    let is_other = own.action != best.action;
    (loss, error(own).zip(error(best)).filter(|_| is_other).map(|(own, best)| own.hypot(best)))
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
        risk: candidate.map(|candidate| candidate.risk),
        action,
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::{Game, Rules};

    use super::super::reasons::{ActionValue, ReportedSearchInfo};
    use super::*;

    /// The reasons of an agent that estimates two discards with these standard errors.
    fn estimated(actions: [&str; 2], errors: [Option<f32>; 2]) -> Reasons {
        let values = actions.into_iter().zip([(700.0, errors[0]), (300.0, errors[1])]);
        let values = values.map(|(action, (value, standard_error))| ActionValue {
            action: action.to_owned(),
            value: Some(value),
            standard_error,
        });
        let action_values = Some(values.collect());
        Reasons {
            agent: "search".to_owned(),
            text: "search".to_owned(),
            action: actions[0].to_owned(),
            why: String::new(),
            unit: None,
            search_info: ReportedSearchInfo { action_values, ..ReportedSearchInfo::default() },
            candidates: None,
            corrections: None,
            verdicts: Vec::new(),
        }
    }

    #[test]
    fn costs_have_the_errors_of_both_estimates() {
        let game = Game::new(&Rules::default(), 1);
        let (seat, _) = game.decisions().next().expect("the dealer must discard");
        let o = game.observe(seat);
        let actions: Vec<Action> = o.legal().iter().map(ActionId::action).take(2).collect();
        let names = [o.describe(actions[0]), o.describe(actions[1])];
        let advice = |errors, chosen: usize| {
            let reasons = estimated([&names[0], &names[1]], errors);
            let advice = advice_of(&reasons, &o, actions[chosen], 300.0);
            (advice.cost, advice.cost_error, advice.is_mistake)
        };
        assert_eq!(advice([Some(30.0), Some(40.0)], 1), (Some(400.0), Some(50.0), true));
        assert_eq!(advice([Some(30.0), None], 1), (Some(400.0), None, true));
        assert_eq!(advice([Some(30.0), Some(40.0)], 0), (Some(0.0), None, false));
    }
}
