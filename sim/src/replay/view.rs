//! One game of a run or of a log, or a position, as a view for the browser.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Action, Event, Observation};
use jantaku_show::transcript::TranscriptScope;
use jantaku_show::view::{Advisor, AllAdvice, GameView, Opening, Viewer};
use jantaku_show::{HandFilter, Sentence};

use super::error::SourceError;
use super::source::{DealtPosition, GameSource, preset_name};
use crate::logs::files::shown;

/// A view, and where its page opens.
pub type Viewed = (GameView, Opening);

impl GameSource {
    /// The view of the game or position. It opens at the hand or the decision of the scope. A hand of a log
    /// with a difference from the rules ends there, and the view notes the difference.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed, or has no such hand or decision.
    pub fn view(&self, scope: TranscriptScope, advisor: impl Advisor) -> Result<Viewed, SourceError> {
        let notes = self.assumed().into_iter().map(Sentence::from).chain(self.notes());
        if let GameSource::Position(position) = self {
            let DealtPosition { position, game, .. } = &**position;
            let o = game.observe(position.seat());
            let mut view = GameView::from_position(&o, &self.name(), self.rules_name());
            view.note(notes);
            return Ok((view, Opening { seat: o.seat().number(), closed: true, ..Opening::default() }));
        }
        let advisor = AdvisorFrom { first: self.first_decision(), advisor };
        let mut viewer = Viewer::new(self.rules(), scope.hand, advisor);
        let differences = self.replay(&mut viewer)?;
        self.check_scope(scope, viewer.hands(), viewer.decisions())?;
        let found = viewer.hands().found();
        let mut view = viewer.into_view(&self.name(), self.rules_name(), self.names());
        view.note(differences.into_iter().map(Sentence::from).chain(notes));
        let hand = found.or_else(|| view.hand_of(scope.step?)).unwrap_or(0);
        Ok((view, Opening { hand, decision: scope.step, ..Opening::default() }))
    }

    /// Checks that the game, which was replayed, has the hand and the decision of the scope.
    pub(super) fn check_scope(
        &self,
        scope: TranscriptScope,
        hands: &HandFilter,
        decisions: usize,
    ) -> Result<(), SourceError> {
        self.check_hand(hands)?;
        let missing = scope.step.filter(|step| *step >= decisions);
        missing.map_or(Ok(()), |step| Err(self.no_decision(step, decisions.saturating_sub(1))))
    }

    /// Checks that the game, which was replayed, has the hand that `hands` looked for.
    ///
    /// # Errors
    ///
    /// If it has no such hand.
    pub fn check_hand(&self, hands: &HandFilter) -> Result<(), SourceError> {
        let Some(hand) = hands.missing() else { return Ok(()) };
        let what = format!("no hand {hand}; game {} has hands 0 to {}", self.number(), hands.last());
        Err(SourceError::NoDecision { place: shown(self.path()), what })
    }
}

/// Advises from decision `first` on. Earlier decisions were copied from another game.
struct AdvisorFrom<A> {
    first: usize,
    advisor: A,
}

impl<A: Advisor> Advisor for AdvisorFrom<A> {
    fn event(&mut self, event: &Event) {
        self.advisor.event(event);
    }

    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> AllAdvice {
        if number < self.first { Vec::new() } else { self.advisor.advice(o, action, number, hand) }
    }
}

/// The view of a recorded game from this source.
pub fn view_of_game(source: &str, game: &RecordedGame, advisor: impl Advisor) -> GameView {
    let mut viewer = Viewer::new(&game.rules, None, advisor);
    let report = game.replay(&mut viewer);
    let mut view = viewer.into_view(source, preset_name(&game.rules).unwrap_or_default(), &game.names);
    view.note(report.differences.iter().map(ToString::to_string));
    view.note(&game.notes);
    view
}
