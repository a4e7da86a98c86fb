//! Replays a stored game from its seed or walls and its actions.

use std::slice::Iter;

use jantaku_engine::replay::{Answers, HandReplayer, Spectator, Stopped, replay_game_from};
use jantaku_engine::rules::options::Enforce;
use jantaku_engine::{Action, Game, Observation, Seat, StartError};

use crate::dataset::{StoredDecision, StoredGame};

/// Why a stored game cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum StoredGameError {
    /// The rules or the walls do not allow the game.
    #[error("hand {hand}: {error}")]
    Start {
        /// The number of the hand.
        hand: u16,
        /// What is wrong.
        error: StartError,
    },
    /// A decision belongs to another seat than the one that must decide.
    #[error("hand {} step {}: expected a decision of {expected:?}, found one of {:?}", found.hand, found.step, found.seat)]
    Seat {
        /// The seat that must decide.
        expected: Seat,
        /// The stored decision.
        found: StoredDecision,
    },
    /// An action is not legal.
    #[error("hand {} step {}: {:?} may not {action}", found.hand, found.step, found.seat)]
    Illegal {
        /// The stored decision.
        found: StoredDecision,
        /// Its action as text.
        action: String,
    },
    /// A hand has too few decisions.
    #[error("hand {hand}: the decisions end before the hand does")]
    MissingInHand {
        /// The number of the hand.
        hand: u16,
    },
    /// The game has too few decisions.
    #[error("the decisions end before the game does")]
    Missing,
    /// A decision is left after the end of its hand or of the game.
    #[error("hand {} step {}: a decision after the end", .0.hand, .0.step)]
    Extra(StoredDecision),
}

impl StoredGame {
    /// Replays the game.
    ///
    /// # Errors
    ///
    /// If its decisions are not those of a game under its rules.
    pub fn replay(&self, spectator: &mut dyn Spectator) -> Result<(), StoredGameError> {
        let mut decisions = self.decisions.iter();
        let stopped = |hand| {
            move |stopped| match stopped {
                Stopped::Start(error) => StoredGameError::Start { hand, error },
                Stopped::Script(error) => error,
            }
        };
        if self.hands.is_empty() {
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
                return Err(StoredGameError::Extra(*extra));
            }
        }
        decisions.next().map_or(Ok(()), |extra| Err(StoredGameError::Extra(*extra)))
    }
}

/// The action of the next decision, which must be one of this hand, if hands are replayed one by one.
fn next_action(
    decisions: &mut Iter<'_, StoredDecision>,
    hand: Option<u16>,
    o: &Observation<'_>,
) -> Result<Action, StoredGameError> {
    let found = *decisions.as_slice().first().ok_or(StoredGameError::Missing)?;
    if let Some(hand) = hand.filter(|hand| *hand != found.hand) {
        return Err(StoredGameError::MissingInHand { hand });
    }
    if found.seat != o.seat() {
        return Err(StoredGameError::Seat { expected: o.seat(), found });
    }
    let action = found.action.action();
    if !o.legal().contains(found.action) && o.rules().enforce != Enforce::Referee {
        return Err(StoredGameError::Illegal { found, action: o.describe(action) });
    }
    decisions.next();
    Ok(action)
}
