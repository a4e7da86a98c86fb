//! Replays a stored game from its seed or walls and its actions.

use std::slice::Iter;

use jantaku_engine::replay::{HandReplayer, Script, Spectator, Stopped, replay_game_from};
use jantaku_engine::rules::options::Enforce;
use jantaku_engine::{Action, Event, Game, Observation, Observer, Round, Seat, StartError};

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
    pub fn replay(&self, spectator: &mut impl Spectator) -> Result<(), StoredGameError> {
        let mut script = StoredScript { decisions: self.decisions.iter(), hand: None, spectator };
        let stopped = |hand| {
            move |stopped| match stopped {
                Stopped::Start(error) => StoredGameError::Start { hand, error },
                Stopped::Script(error) => error,
            }
        };
        if self.hands.is_empty() {
            replay_game_from(&self.rules, self.seed, &self.start(), &mut script).map_err(stopped(0))?;
        }
        let mut replayer = HandReplayer::new(&self.rules);
        for (number, hand) in (0..).zip(&self.hands) {
            script.hand = Some(number);
            let replayed = replayer.play(&hand.standing, Some(hand.wall), &mut script);
            replayed.map_err(stopped(number))?;
            if let Some(extra) = script.decisions.as_slice().first().filter(|next| next.hand == number) {
                return Err(StoredGameError::Extra(*extra));
            }
        }
        script.decisions.next().map_or(Ok(()), |extra| Err(StoredGameError::Extra(*extra)))
    }
}

/// Answers with the stored decisions.
struct StoredScript<'a, S> {
    decisions: Iter<'a, StoredDecision>,
    /// The hand in play, if hands are replayed one by one.
    hand: Option<u16>,
    spectator: &'a mut S,
}

impl<S: Spectator> Script for StoredScript<'_, S> {
    type Stop = StoredGameError;

    fn answer(&mut self, _: &Game, o: &Observation<'_>) -> Result<Action, StoredGameError> {
        let found = *self.decisions.as_slice().first().ok_or(StoredGameError::Missing)?;
        if let Some(hand) = self.hand.filter(|hand| *hand != found.hand) {
            return Err(StoredGameError::MissingInHand { hand });
        }
        if found.seat != o.seat() {
            return Err(StoredGameError::Seat { expected: o.seat(), found });
        }
        let action = found.action.action();
        if !o.legal().contains(found.action) && o.rules().enforce != Enforce::Referee {
            return Err(StoredGameError::Illegal { found, action: o.describe(action) });
        }
        self.decisions.next();
        Ok(action)
    }
}

impl<S: Spectator> Observer for StoredScript<'_, S> {
    fn event(&mut self, event: &Event) {
        self.spectator.event(event);
    }
}

impl<S: Spectator> Spectator for StoredScript<'_, S> {
    fn round(&mut self, round: &Round) {
        self.spectator.round(round);
    }

    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.spectator.decision(o, action);
    }
}
