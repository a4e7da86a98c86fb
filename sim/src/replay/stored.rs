//! Replays a stored game from its seed or walls and its actions.

use std::slice::Iter;

use jantaku_engine::replay::{Answers, HandReplayer, Spectator, Stopped, replay_game_from};
use jantaku_engine::rules::options::Enforce;
use jantaku_engine::{Action, Game, Observation};

use crate::dataset::{StoredDecision, StoredGame};

impl StoredGame {
    /// Replays the game.
    ///
    /// # Errors
    ///
    /// If its decisions are not those of a game under its rules.
    pub fn replay(&self, spectator: &mut dyn Spectator) -> Result<(), String> {
        let mut decisions = self.decisions.iter();
        let stopped = |hand| {
            move |stopped| match stopped {
                Stopped::Start(error) => format!("hand {hand}: {error}"),
                Stopped::Script(error) => error,
            }
        };
        if self.hands.is_empty() {
            // A self-play game: its walls follow from the seed.
            let answer = |_: &Game, o: &Observation<'_>| next_action(&mut decisions, None, o);
            let mut script = Answers(answer, &mut *spectator);
            replay_game_from(&self.rules, self.seed, &self.start(), &mut script).map_err(stopped(0))?;
        }
        let mut replayer = HandReplayer::new(&self.rules);
        for (number, hand) in (0..).zip(&self.hands) {
            let answer = |_: &Game, o: &Observation<'_>| next_action(&mut decisions, Some(number), o);
            let mut script = Answers(answer, &mut *spectator);
            let replayed = replayer.play(&hand.standing, Some(hand.wall), &mut script);
            replayed.map_err(stopped(number))?;
            if let Some(extra) = decisions.as_slice().first().filter(|next| next.hand == number) {
                return Err(left_over(*extra));
            }
        }
        decisions.next().map_or(Ok(()), |extra| Err(left_over(*extra)))
    }
}

/// The error for a stored decision after the end of its hand or of the game.
fn left_over(StoredDecision { hand, step, .. }: StoredDecision) -> String {
    format!("hand {hand} step {step}: a decision after the end")
}

/// Takes the next stored decision and returns its action. The decision must be one of the seat that decides,
/// and of `hand` if hands are replayed one by one; the action must be legal unless a referee judges it.
fn next_action(
    decisions: &mut Iter<'_, StoredDecision>,
    hand: Option<u16>,
    o: &Observation<'_>,
) -> Result<Action, String> {
    let found = *decisions.as_slice().first().ok_or("the decisions end before the game does")?;
    if let Some(hand) = hand.filter(|hand| *hand != found.hand) {
        return Err(format!("hand {hand}: the decisions end before the hand does"));
    }
    let StoredDecision { hand, step, seat, .. } = found;
    if seat != o.seat() {
        let expected = o.seat();
        return Err(format!(
            "hand {hand} step {step}: expected a decision of {expected:?}, found one of {seat:?}"
        ));
    }
    let action = found.action.action();
    if !o.legal().contains(found.action) && o.rules().enforce != Enforce::Referee {
        return Err(format!("hand {hand} step {step}: {seat:?} may not {}", o.describe(action)));
    }
    decisions.next();
    Ok(action)
}
