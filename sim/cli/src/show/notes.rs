//! Lines below the decisions of a game: what agents reported, and what other agents would do.

use jantaku_agents::SearchInfo;
use jantaku_engine::{Event, Observation};
use jantaku_measure::explain::{AskError, AskingAdvisor, reported};
use jantaku_show::transcript::Annotator;
use jantaku_show::view::Advisor as _;

use crate::ask::answer;
use crate::print;

/// Spaces before what agents reported and would do.
const INDENT: usize = 6;

/// Lines below the decisions of a game.
pub(super) struct Notes<'a> {
    /// What the agents of the run reported with the decisions.
    pub search_info: Vec<Option<SearchInfo>>,
    /// These ask other agents.
    pub advisors: Vec<AskingAdvisor<'a>>,
}

impl Notes<'_> {
    /// Why an agent did not explain a decision.
    pub(super) fn failure(self) -> Option<AskError> {
        self.advisors.into_iter().find_map(AskingAdvisor::into_failure)
    }
}

impl Annotator for &mut Notes<'_> {
    fn event(&mut self, event: &Event) {
        self.advisors.event(event);
    }

    fn lines(&mut self, o: &Observation<'_>, step: usize, hand: usize) -> Vec<String> {
        let search_info = self.search_info.get(step).and_then(Option::as_ref);
        let reported = search_info.map(|search_info| answer::estimates_line(&reported(search_info, o)));
        let opinions = self.advisors.iter_mut().filter_map(|advisor| advisor.ask(o, step, hand));
        let explained: String =
            opinions.map(|opinion| answer::text(&opinion, print::width() - INDENT)).collect();
        let reported = reported.iter().map(String::as_str).filter(|line| !line.is_empty());
        reported.chain(explained.lines()).map(|line| format!("{:INDENT$}{line}", "")).collect()
    }
}
