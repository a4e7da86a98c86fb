//! Lines below the decisions of a game: what agents reported, and what other agents would do.

use jantaku_agents::{NamedAgent, SearchInfo};
use jantaku_engine::{Event, Observation};
use jantaku_show::transcript::Annotator;
use jantaku_sim::explain::{AskError, DecisionContext, ReportedSearchInfo, ask_all};

use crate::ask::answer;
use crate::print;

/// Spaces before what agents reported and would do.
const INDENT: usize = 6;

/// Lines below the decisions of a game.
pub(super) struct Notes {
    /// What the agents of the run reported with the decisions.
    pub search_info: Vec<Option<SearchInfo>>,
    /// Asks other agents.
    pub explainer: Option<Explainer>,
}

impl Notes {
    /// Why an agent did not explain a decision.
    pub(super) fn failure(self) -> Option<AskError> {
        self.explainer?.failure
    }
}

impl Annotator for &mut Notes {
    fn event(&mut self, event: &Event) {
        if let Some(explainer) = &mut self.explainer {
            explainer.events.push(event.clone());
        }
    }

    fn lines(&mut self, o: &Observation<'_>, step: usize, hand: usize) -> Vec<String> {
        let search_info = self.search_info.get(step).and_then(Option::as_ref);
        let reported =
            search_info.map(|search_info| answer::search_info_line(&ReportedSearchInfo::of(search_info, o)));
        let reported = reported.filter(|line| !line.is_empty()).into_iter();
        let explained = self.explainer.as_mut().map(|explainer| explainer.explain(o, step, hand as u32));
        reported.chain(explained.into_iter().flatten()).map(|line| format!("{:INDENT$}{line}", "")).collect()
    }
}

/// Asks agents about the decisions of a game.
pub(super) struct Explainer {
    agents: Vec<NamedAgent>,
    seed: u64,
    /// The events of the game so far.
    events: Vec<Event>,
    /// Why an agent did not answer.
    failure: Option<AskError>,
}

impl Explainer {
    pub(super) const fn new(agents: Vec<NamedAgent>, seed: u64) -> Explainer {
        Explainer { agents, seed, events: Vec::new(), failure: None }
    }

    /// The whole texts of agents with names of their own.
    pub(super) fn legend(&self) -> String {
        answer::legend(&self.agents)
    }

    /// What the agents would do in a decision. Asks no more after a failure.
    fn explain(&mut self, o: &Observation<'_>, step: usize, hand: u32) -> Vec<String> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let context = DecisionContext { observation: *o, events: &self.events, seed: self.seed, hand };
        match ask_all(&self.agents, &context) {
            Ok(answers) => {
                let room = print::width() - INDENT;
                let text: String = answers.iter().map(|reasons| answer::text(reasons, room)).collect();
                text.lines().map(str::to_owned).collect()
            }
            Err(error) => {
                self.failure = Some(error.at(step));
                Vec::new()
            }
        }
    }
}
