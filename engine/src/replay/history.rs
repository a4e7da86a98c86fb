//! A game in play with its history.

use super::driver::GameStart;
use super::{RecordedGame, RecordedHand};
use crate::event::{Event, Observer, Signature};
use crate::game::{Earlier, Game, NoFouls, StartError};
use crate::game_state::Standing;
use crate::round::IllegalAction;
use crate::rules::Rules;
use crate::wall::Wall;
use crate::{Action, ActionId, Seat};

/// A game in play with its history: its start and each step since.
///
/// The history determines the game, so a game is stored in few bytes, and its events can be replayed.
///
/// ```
/// use jantaku_engine::replay::GameHistory;
/// use jantaku_engine::{Event, Rules, Standing};
///
/// let rules = Rules::default();
/// let mut history = GameHistory::new(&rules, 42, &Standing::start(&rules), None)?;
/// while !history.game().is_over() {
///     let (seat, legal) = history.game().decisions().next().expect("a seat decides");
///     history.submit(seat, legal.first().expect("an action is legal").action())?;
/// }
/// let mut events: Vec<Event> = Vec::new();
/// history.replay(&mut events);
/// assert!(matches!(events.last(), Some(Event::GameEnd { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GameHistory {
    rules: Rules,
    seed: u64,
    start: Standing,
    wall: Option<Wall>,
    earlier: Option<Earlier>,
    steps: Vec<Step>,
    game: Game,
}

/// An answer, a foul or a stop: an input that a game received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A seat answered a decision. With a referee, the answer may be a foul.
    Answer(Seat, ActionId),
    /// A seat committed a foul that is not an action ([`Game::foul`]).
    Foul(Seat),
    /// The game was stopped ([`Game::stop`]).
    Stop,
}

impl Step {
    const FOUL: u8 = 165;
    const STOP: u8 = 166;

    /// The step as two bytes: the seat, and the number of the action, or 165 for a foul and 166 for a
    /// stop.
    pub const fn to_bytes(self) -> [u8; 2] {
        match self {
            Step::Answer(seat, id) => [seat.number(), id.number()],
            Step::Foul(seat) => [seat.number(), Step::FOUL],
            Step::Stop => [0, Step::STOP],
        }
    }

    /// The step that [`to_bytes`](Step::to_bytes) writes as these bytes. None if no step has them.
    pub const fn from_bytes([seat, number]: [u8; 2]) -> Option<Step> {
        match (Seat::new(seat), ActionId::new(number)) {
            (Some(seat), Some(id)) => Some(Step::Answer(seat, id)),
            (Some(seat), None) if number == Step::FOUL => Some(Step::Foul(seat)),
            (Some(Seat::FIRST), None) if number == Step::STOP => Some(Step::Stop),
            _ => None,
        }
    }
}

/// The error for steps that are impossible in their game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// The game cannot begin.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A step is not possible: an illegal answer, a foul where the rules have none, or a seat that is not at
    /// the table.
    #[error("step {at}: {reason}")]
    Step {
        /// The number of the step, from 0.
        at: usize,
        /// Why it is not possible.
        reason: String,
    },
}

impl GameHistory {
    /// Starts a game as [`Game::at`] does.
    ///
    /// # Errors
    ///
    /// See [`Game::at`].
    pub fn new(
        rules: &Rules,
        seed: u64,
        start: &Standing,
        wall: Option<Wall>,
    ) -> Result<GameHistory, StartError> {
        GameHistory::new_seen(rules, seed, &GameStart { standing: *start, wall }, &mut ())
    }

    /// Starts a game as [`Game::at`] does, with an observer.
    ///
    /// # Errors
    ///
    /// See [`Game::at`].
    pub fn new_seen(
        rules: &Rules,
        seed: u64,
        start: &GameStart,
        seen: &mut impl Observer,
    ) -> Result<GameHistory, StartError> {
        let GameStart { standing, wall } = *start;
        let game = Game::at(rules, seed, &standing, wall, seen)?;
        let (steps, earlier) = (Vec::new(), None);
        Ok(GameHistory { rules: *rules, seed, start: standing, wall, earlier, steps, game })
    }

    /// Makes this the later part of a game with these facts about its earlier hands. Must be called before
    /// the first step.
    #[must_use]
    pub fn after(mut self, earlier: Earlier) -> GameHistory {
        self.game.continue_after(&earlier);
        GameHistory { earlier: Some(earlier), ..self }
    }

    /// Starts a game and repeats these steps.
    ///
    /// # Errors
    ///
    /// If the game cannot begin, or a step is not possible in it.
    pub fn resume(
        rules: &Rules,
        seed: u64,
        start: &Standing,
        wall: Option<Wall>,
        steps: &[Step],
    ) -> Result<GameHistory, HistoryError> {
        GameHistory::new(rules, seed, start, wall)?.repeated(steps)
    }

    /// The game after these further steps.
    ///
    /// # Errors
    ///
    /// If a step is not possible.
    pub fn repeated(self, steps: &[Step]) -> Result<GameHistory, HistoryError> {
        let mut history = self;
        for (at, step) in steps.iter().enumerate() {
            history.repeat(*step).map_err(|reason| HistoryError::Step { at, reason })?;
        }
        Ok(history)
    }

    fn repeat(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Answer(seat, _) | Step::Foul(seat) if seat.number() >= self.rules.players.count() => {
                Err(format!("{seat:?} is not at the table"))
            }
            Step::Answer(seat, id) => self.submit(seat, id.action()).map_err(|illegal| illegal.to_string()),
            Step::Foul(seat) => self.foul(seat).map_err(|no_fouls| no_fouls.to_string()),
            Step::Stop => {
                self.stop();
                Ok(())
            }
        }
    }

    /// The game as it stands.
    #[inline]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The game as it stands, without its history.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// The standing at the start.
    pub const fn start(&self) -> &Standing {
        &self.start
    }

    /// The wall of the first hand. None if it follows from the seed.
    pub const fn wall(&self) -> Option<&Wall> {
        self.wall.as_ref()
    }

    /// Facts about the hands before the start, if this is the later part of a game.
    pub const fn earlier(&self) -> Option<&Earlier> {
        self.earlier.as_ref()
    }

    /// The steps since the start.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Answers a decision ([`Game::submit`]).
    ///
    /// # Errors
    ///
    /// If the seat is not asked or the action is not legal. The game is unchanged.
    #[inline]
    pub fn submit(&mut self, seat: Seat, action: Action) -> Result<(), IllegalAction> {
        self.submit_seen(seat, action, &mut ())
    }

    /// Answers a decision. The observer receives the events that follow ([`Game::submit_seen`]).
    ///
    /// # Errors
    ///
    /// If the seat is not asked or the action is not legal. The game is unchanged.
    #[inline]
    pub fn submit_seen(
        &mut self,
        seat: Seat,
        action: Action,
        seen: &mut impl Observer,
    ) -> Result<(), IllegalAction> {
        self.game.submit_seen(seat, action, seen)?;
        self.steps.push(Step::Answer(seat, action.id()));
        Ok(())
    }

    /// Ends the hand because of a foul that is not an action ([`Game::foul`]).
    ///
    /// # Errors
    ///
    /// If the rules have no fouls.
    pub fn foul(&mut self, seat: Seat) -> Result<(), NoFouls> {
        self.game.foul(seat, &mut ())?;
        self.steps.push(Step::Foul(seat));
        Ok(())
    }

    /// Ends the game after the hand in play ([`Game::stop`]).
    pub fn stop(&mut self) {
        self.game.stop();
        self.steps.push(Step::Stop);
    }

    /// Plays the game again up to this point, for an observer.
    ///
    /// # Panics
    ///
    /// Never: the same steps lead to the same game.
    pub fn replay(&self, seen: &mut impl Observer) {
        const SAME: &str = "the same steps lead to the same game";
        let mut game = Game::at(&self.rules, self.seed, &self.start, self.wall, seen).expect(SAME);
        self.earlier.iter().for_each(|earlier| game.continue_after(earlier));
        for step in &self.steps {
            match *step {
                Step::Answer(seat, id) => game.submit_seen(seat, id.action(), seen).expect(SAME),
                Step::Foul(seat) => game.foul(seat, seen).expect(SAME),
                Step::Stop => game.stop(),
            }
        }
    }

    /// The hand in play up to now, without the tiles that this seat does not see. Their places hold
    /// East, or None if they were drawn.
    ///
    /// # Panics
    ///
    /// Never: a game has a hand.
    pub fn hand_seen_by(&self, seat: Seat) -> RecordedHand {
        let mut seen = RecordedGame::new(self.rules);
        self.replay(&mut |event: &Event| seen.event(&event.seen_by(seat)));
        let mut hand = seen.hands.pop().expect("a game has a hand");
        hand.standing.attempt = self.game.attempt();
        hand.standing.dealer_wins = self.game.table().dealer_wins();
        hand
    }

    /// The game from the deal of the hand in play, with this wall and the events of `hand` up to now.
    /// Later walls follow from the seed.
    ///
    /// None if the rules do not allow the events with these tiles.
    pub fn with_hand(&self, hand: &RecordedHand, wall: Wall, seed: u64) -> Option<GameHistory> {
        let start = GameStart { standing: hand.standing, wall: Some(wall) };
        let stop = self.steps.contains(&Step::Stop).then_some(Step::Stop);
        let steps: Vec<Step> = hand.steps(&self.rules, &start)?.into_iter().chain(stop).collect();
        let other = GameHistory::new(&self.rules, seed, &start.standing, start.wall).ok()?;
        other.after(self.game.earlier()).repeated(&steps).ok()
    }

    /// The signature of the events so far.
    pub fn signature(&self) -> Signature {
        let mut signature = Signature::default();
        self.replay(&mut signature);
        signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::rules::options::{Chombo, Enforce};

    /// Random answers, with an action of any kind now and then where a referee punishes it.
    fn play(rules: &Rules, seed: u64, steps: usize) -> (GameHistory, Signature) {
        let mut rng = Rng::new(seed);
        let start = Standing::start(rules);
        let mut history = GameHistory::new(rules, seed, &start, None).expect("valid rules");
        let mut signature = Signature::default();
        let mut game = Game::at(rules, seed, &start, None, &mut signature).expect("valid rules");
        for step in 0..steps {
            let Some((seat, legal)) = game.decisions().next() else { break };
            if rules.has_referee() && step % 97 == 96 {
                history.foul(seat).expect("the rules have fouls");
                game.foul(seat, &mut signature).expect("the rules have fouls");
                continue;
            }
            let any = ActionId::new(rng.below(ActionId::COUNT) as u8).expect("below 165");
            let id = if rules.has_referee() && rng.below(50) == 0 {
                any
            } else {
                legal.nth(rng.below(legal.len() as usize) as u32).expect("a legal action")
            };
            let submitted = history.submit(seat, id.action());
            assert_eq!(submitted, game.submit_seen(seat, id.action(), &mut signature));
        }
        (history, signature)
    }

    #[test]
    fn the_history_leads_to_the_same_game() {
        let referee = Rules { enforce: Enforce::Referee, chombo: Chombo::ReverseMangan, ..Rules::default() };
        let sanma = Rules::preset("tenhou-sanma").expect("a preset");
        for rules in [Rules::default(), referee, sanma] {
            for seed in 0..20 {
                let (mut history, signature) = play(&rules, seed, 40 * seed as usize);
                assert_eq!(history.signature(), signature, "seed {seed}");
                history.stop();
                let bytes: Vec<[u8; 2]> = history.steps().iter().map(|step| step.to_bytes()).collect();
                let steps: Option<Vec<Step>> = bytes.into_iter().map(Step::from_bytes).collect();
                let again = GameHistory::resume(&rules, seed, history.start(), None, &steps.expect("steps"));
                assert_eq!(again, Ok(history), "seed {seed}");
            }
        }
    }

    #[test]
    fn steps_that_are_not_possible_are_errors() {
        let rules = Rules::default();
        let resume = |step| GameHistory::resume(&rules, 1, &Standing::start(&rules), None, &[step]);
        let seat = |number| Seat::new(number).expect("below four");
        let pass = Action::Pass.id();
        let error = |step| resume(step).expect_err("an impossible step").to_string();
        assert!(error(Step::Answer(seat(0), pass)).starts_with("step 0: seat 0 may not pass"));
        assert!(error(Step::Foul(seat(0))).starts_with("step 0: seat 0 commits a foul"));
        assert_eq!(Step::from_bytes([4, 0]), None);
        assert_eq!(Step::from_bytes([1, Step::STOP]), None);
        let sanma = Rules::preset("tenhou-sanma").expect("a preset");
        let step = Step::Answer(seat(3), pass);
        let wrong = GameHistory::resume(&sanma, 1, &Standing::start(&sanma), None, &[step]);
        let wrong = wrong.expect_err("three players").to_string();
        assert_eq!(wrong, "step 0: seat 3 is not at the table");
    }
}
