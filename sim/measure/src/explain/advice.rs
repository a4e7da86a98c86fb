//! What an agent thinks of the decisions of a game, for its page.

use jantaku_agents::{NamedAgent, without_label};
use jantaku_engine::{Action, ActionId, Event, Observation};
use jantaku_show::view::{Advisor, AllAdvice, ShownAdvisor};
use jantaku_show::{Grade, Judgement, Opinion};

use super::ask::{AskError, ask};
use super::opinion::judge;
use super::references::References;
use jantaku_sim::play::labels;
use jantaku_sim::replay::source::DecisionContext;

/// Asks an agent about each decision.
#[derive(Debug)]
pub struct AskingAdvisor<'a> {
    agent: &'a NamedAgent,
    /// The seed of the game.
    seed: u64,
    /// The only seat about whose decisions the agent is asked. None for all seats.
    seat: Option<u8>,
    /// A mistake loses more points than this.
    threshold: f32,
    /// The agents that are asked about the mistakes that `agent` finds.
    references: References,
    /// The events of the game so far.
    events: Vec<Event>,
    /// The highest cost of refusing riichi in this hand, by seat.
    refused: [f32; 4],
    /// The first failure of the agent, which is not asked again.
    failure: Option<AskError>,
}

impl<'a> AskingAdvisor<'a> {
    /// Asks this agent in a game with this seed.
    pub fn new(agent: &'a NamedAgent, seed: u64, seat: Option<u8>, threshold: f32) -> AskingAdvisor<'a> {
        let references = References::new(agent);
        let (events, refused, failure) = (Vec::new(), [0.0; 4], None);
        AskingAdvisor { agent, seed, seat, threshold, references, events, refused, failure }
    }

    /// The context of a decision. `hand` is the number of its hand in the game, from 1.
    fn context<'b>(&'b self, o: &Observation<'b>, hand: usize) -> DecisionContext<'b> {
        DecisionContext { observation: *o, events: &self.events, seed: self.seed, hand: hand as u32 }
    }

    /// Asks the agent about a decision. `number` is that of the decision in the game, from 0, and `hand`
    /// that of its hand, from 1. None if the agent fails, now or at an earlier decision.
    pub fn ask(&mut self, o: &Observation<'_>, number: usize, hand: usize) -> Option<Opinion> {
        if self.failure.is_some() {
            return None;
        }
        let answer = ask(self.agent, &self.context(o, hand));
        answer.map_err(|error| self.failure = Some(error.at(number))).ok()
    }

    /// The judgement of a choice, with the answers of other agents about a mistake.
    fn judge(
        &mut self,
        opinion: &mut Opinion,
        o: &Observation<'_>,
        action: Action,
        hand: usize,
    ) -> Option<Judgement> {
        let mut judgement = judge(opinion, o, action, self.threshold);
        let better = o.legal().iter().map(ActionId::action).find(|one| o.describe(*one) == opinion.action)?;
        if better.declares_riichi() && !action.declares_riichi() {
            let refused = &mut self.refused[o.seat().index()];
            let before = std::mem::replace(refused, refused.max(judgement.cost.unwrap_or_default()));
            judgement.count_before(before, self.threshold);
        }
        if judgement.grade == Grade::Mistake {
            let context = self.context(o, hand);
            let others = self.references.answers(&context, action, self.threshold);
            judgement.compare(others, self.references.search(&context, [action, better], self.threshold));
        }
        Some(judgement)
    }

    /// Why the agent did not answer a decision. None if it answered all.
    pub fn into_failure(self) -> Option<AskError> {
        self.failure
    }
}

impl Advisor for AskingAdvisor<'_> {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Deal { .. }) {
            self.refused = [0.0; 4];
        }
        self.events.push(event.clone());
    }

    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> AllAdvice {
        let is_advised = self.seat.is_none_or(|seat| seat == o.seat().number());
        let mut opinion = if is_advised { self.ask(o, number, hand) } else { None };
        if let Some(opinion) = &mut opinion {
            opinion.judgement = self.judge(opinion, o, action, hand);
        }
        vec![opinion]
    }
}

/// What a page calls the agents that give its advice. Equal names are numbered.
pub fn shown_advisors<'a>(agents: impl IntoIterator<Item = &'a NamedAgent>) -> Vec<ShownAdvisor> {
    let texts: Vec<String> = agents.into_iter().map(|agent| agent.name().to_owned()).collect();
    let names = labels(&texts).into_iter().zip(&texts);
    names.map(|(name, text)| ShownAdvisor { name, text: without_label(text).to_owned() }).collect()
}
