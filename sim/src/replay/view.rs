//! One game of a run or of a log, or a position, as a view for the browser.

use std::path::Path;

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Action, Event, Observation, Rules};
use jantaku_show::transcript::StoryScope;
use jantaku_show::view::{Advisor, AllAdvice, GameView, Opening, Viewer};

use super::open::GameOfRun;
use super::transcript::StoryError;
use crate::explain::{Place, PlaceError, rules_name};
use crate::logs::files::shown;

/// A view, and where its page opens.
pub type Viewed = (GameView, Opening);

/// The view of a game of a run. It opens at the hand or the decision of the scope.
///
/// # Errors
///
/// If the game cannot be replayed, or has no such hand or decision.
pub fn view_of_run(game: &GameOfRun, scope: StoryScope, advisor: impl Advisor) -> Result<Viewed, StoryError> {
    let (stored, folder) = (&game.stored, &game.folder);
    let advisor = AdvisorFrom { first: stored.first_decision(), advisor };
    let mut viewer = Viewer::new(&stored.rules, scope.hand, advisor);
    game.replay(&mut viewer)?;
    let source = format!("game {} of {}", stored.game, folder.display());
    let of_run = game.config.rules_name.as_str();
    let rules = if stored.source.is_none() { of_run.to_owned() } else { rules_name(&stored.rules, "") };
    let (mut view, opening) = finished(viewer, scope, (folder, stored.game), |viewer| {
        viewer.into_view(&source, &rules, &stored.agents)
    })?;
    view.note(stored.copied.as_ref().map(ToString::to_string));
    Ok((view, opening))
}

/// Advises from this decision on: others than the players of the game made those before.
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

/// The view of the game of a log with this number. It opens at the hand or the decision of the scope.
/// A hand with a difference from the rules ends there, and the view notes the difference.
///
/// # Errors
///
/// If the game has no such hand or decision.
pub fn view_of_log(
    (log, number): (&Path, u64),
    game: &RecordedGame,
    scope: StoryScope,
    advisor: impl Advisor,
) -> Result<Viewed, StoryError> {
    let source = if number == 0 { shown(log) } else { format!("game {number} of {}", shown(log)) };
    let (viewer, notes) = follow(game, scope, advisor);
    let (mut view, opening) = finished(viewer, scope, (log, number), |viewer| {
        viewer.into_view(&source, &rules_name(&game.rules, ""), &game.names)
    })?;
    view.note(notes);
    Ok((view, opening))
}

/// The view of a recorded game from this source.
#[must_use]
pub fn view_of_game(source: &str, game: &RecordedGame, advisor: impl Advisor) -> GameView {
    let (viewer, notes) = follow(game, StoryScope::default(), advisor);
    let mut view = viewer.into_view(source, &rules_name(&game.rules, ""), &game.names);
    view.note(notes);
    view
}

/// Follows a recorded game. Also returns its differences from the rules, and what its reader noted.
fn follow<A: Advisor>(game: &RecordedGame, scope: StoryScope, advisor: A) -> (Viewer<A>, Vec<String>) {
    let mut viewer = Viewer::new(&game.rules, scope.hand, advisor);
    let report = game.replay(&mut viewer);
    let differences = report.differences.iter().map(ToString::to_string);
    (viewer, differences.chain(game.notes.iter().cloned()).collect())
}

/// The view of a position in a file; `-` is stdin. `load` reads the rules that it names.
///
/// # Errors
///
/// If the file cannot be read or is not a position.
pub fn view_of_position(
    file: &str,
    load: impl FnOnce(&str) -> Result<Rules, String>,
) -> Result<Viewed, PlaceError> {
    let mut viewed = None;
    Place::Position(file.to_owned()).visit(0, None, load, |source, context, _| {
        let o = &context.observation;
        let mut view = GameView::of_position(o, &source.name, &source.rules);
        view.note(source.assumed.iter().chain(&source.notes));
        viewed = Some((view, Opening { seat: o.seat().number(), closed: true, ..Opening::default() }));
    })?;
    Ok(viewed.expect("a position has a decision"))
}

/// The view of a viewer that has seen the whole game, if the game has the hand and the decision.
fn finished<A: Advisor>(
    viewer: Viewer<A>,
    scope: StoryScope,
    (path, game): (&Path, u64),
    view: impl FnOnce(Viewer<A>) -> GameView,
) -> Result<Viewed, StoryError> {
    let (found, decisions) = (viewer.hands().found(), viewer.decisions());
    if let Some(hand) = viewer.hands().missing() {
        let last = viewer.hands().latest().unwrap_or(0);
        return Err(StoryError::NoHand { path: path.to_owned(), game, hand, last });
    }
    if let Some(step) = scope.step.filter(|step| *step >= decisions) {
        return Err(StoryError::NoDecision {
            path: path.to_owned(),
            game,
            step,
            last: decisions.saturating_sub(1),
        });
    }
    let view = view(viewer);
    let hand = found.or_else(|| view.hand_of(scope.step?)).unwrap_or(0);
    Ok((view, Opening { hand, decision: scope.step, ..Opening::default() }))
}
