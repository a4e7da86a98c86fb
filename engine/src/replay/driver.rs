//! The driver of every replay: a whole game from its seed, or one hand after another.

use super::Spectator;
use crate::event::{Event, Observer};
use crate::game::{Game, StartError};
use crate::game_state::Standing;
use crate::outcome::Outcome;
use crate::rules::Rules;
use crate::table::Phase;
use crate::wall::Wall;
use crate::{Action, Observation, Round, Seat};

/// Answers the decisions of a replay and sees everything that happens in it.
///
/// [`replay_game_from`] and [`HandReplayer::play`] show the hand to [`Spectator::round`], ask for an answer,
/// pass it to [`Spectator::decision`] and then submit it to the game.
pub trait Script: Spectator {
    /// Why a replay stops before its end.
    type Stop;

    /// Answers the decision of `o.seat()`, the first seat of [`Game::pending`].
    ///
    /// Called once per decision, in order of play. The action must be legal, or a foul where the
    /// rules have a referee.
    ///
    /// # Errors
    ///
    /// The reason to stop. The replay ends at once.
    fn answer(&mut self, game: &Game, o: &Observation<'_>) -> Result<Action, Self::Stop>;

    /// Whether the script answers decisions after the end of a hand, when a player may end the
    /// game.
    ///
    /// If not, [`HandReplayer::play`] returns before the first of them.
    fn answers_after_hand(&self) -> bool {
        true
    }
}

/// A script that answers with a function, and shows everything to a spectator.
pub struct Answers<'a, F>(pub F, pub &'a mut dyn Spectator);

impl<F> Observer for Answers<'_, F> {
    fn event(&mut self, event: &Event) {
        self.1.event(event);
    }
}

impl<F> Spectator for Answers<'_, F> {
    fn round(&mut self, round: &Round) {
        self.1.round(round);
    }

    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.1.decision(o, action);
    }
}

impl<F: FnMut(&Game, &Observation<'_>) -> Result<Action, T>, T> Script for Answers<'_, F> {
    type Stop = T;

    fn answer(&mut self, game: &Game, o: &Observation<'_>) -> Result<Action, T> {
        (self.0)(game, o)
    }
}

/// Why a replay stopped before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped<T> {
    /// The game cannot begin.
    Start(StartError),
    /// The script stopped it.
    Script(T),
}

/// Where a game starts.
#[derive(Clone, Copy, PartialEq, Debug)]
#[must_use]
pub struct GameStart {
    /// The standing at its first deal.
    pub standing: Standing,
    /// The wall of its first hand; None if it follows from the seed.
    pub wall: Option<Wall>,
}

impl GameStart {
    /// The start of a whole game.
    pub const fn of_game(rules: &Rules) -> GameStart {
        GameStart { standing: Standing::start(rules), wall: None }
    }
}

/// Replays a game from this start to its end.
///
/// # Errors
///
/// If the rules contradict each other, the standing or the wall does not fit them, or the script stops the
/// replay.
///
/// # Panics
///
/// If the script answers with an illegal action and the rules have no referee.
pub fn replay_game_from<S: Script>(
    rules: &Rules,
    seed: u64,
    start: &GameStart,
    script: &mut S,
) -> Result<Game, Stopped<S::Stop>> {
    let GameStart { standing, wall } = start;
    let mut game = Game::at(rules, seed, standing, *wall, script).map_err(Stopped::Start)?;
    while !game.is_over() {
        let (seat, action) = next_answer(&game, script).map_err(Stopped::Script)?;
        game.submit_seen(seat, action, script).expect(LEGAL);
    }
    Ok(game)
}

/// Replays the hands of a game one after another, each from a given standing and wall.
///
/// It also carries the dealer's wins and the number of hands from hand to hand, which logs and
/// tables do not state.
#[derive(Clone, Debug)]
pub struct HandReplayer<'a> {
    rules: &'a Rules,
    /// The number of hands before the next one.
    hands: u32,
    /// The round of the next hand if the dealer repeats, and the dealer's wins so far.
    repeat: Option<(u16, u8)>,
}

/// A hand that was replayed to its end.
#[derive(Clone, Debug)]
pub struct ReplayedHand {
    /// The game after the hand: over, at the deal of the next hand, or at an unanswered decision.
    pub game: Game,
    /// How the hand ended.
    pub outcome: Outcome,
    /// Whether the game ended with the hand.
    pub is_last: bool,
}

impl<'a> HandReplayer<'a> {
    /// A replay under these rules, before its first hand.
    pub const fn new(rules: &'a Rules) -> HandReplayer<'a> {
        HandReplayer { rules, hands: 0, repeat: None }
    }

    /// Replays one hand. Without a wall, the hand is dealt from seed 0.
    ///
    /// The dealer's wins in `start` are ignored.
    ///
    /// # Errors
    ///
    /// If the rules do not allow this start or the script stops the replay.
    ///
    /// # Panics
    ///
    /// As [`replay_game_from`].
    pub fn play<S: Script>(
        &mut self,
        start: &Standing,
        wall: Option<Wall>,
        script: &mut S,
    ) -> Result<ReplayedHand, Stopped<S::Stop>> {
        let standing = Standing { dealer_wins: self.dealer_wins(start.round), ..*start };
        let mut hand = OneHand { script, outcome: None, is_last: false };
        let game = Game::at(self.rules, 0, &standing, wall, &mut hand);
        let mut game = game.map_err(Stopped::Start)?;
        self.hands += 1;
        if self.rules.hands_limit.0.is_some_and(|limit| self.hands >= u32::from(limit)) {
            game.stop();
        }
        let outcome = loop {
            let may_answer = game.table().phase() == Phase::End && hand.script.answers_after_hand();
            if let Some(outcome) = hand.outcome.take_if(|_| hand.is_last || !may_answer) {
                break outcome;
            }
            let (seat, action) = next_answer(&game, hand.script).map_err(Stopped::Script)?;
            game.submit_seen(seat, action, &mut hand).expect(LEGAL);
        };
        let replayed = ReplayedHand { outcome, is_last: hand.is_last, game };
        self.repeat = replayed.next().map(|next| (next.round, next.dealer_wins));
        Ok(replayed)
    }

    /// Continues with the hand of this number in the game, counted from 0.
    pub(super) const fn go_to(&mut self, hand: u32) {
        self.hands = hand;
    }

    /// Counts the dealer's win in a hand that is not replayed, or not to its end. The number of hands
    /// stays the same.
    pub fn skip(&mut self, start: &Standing, dealer_won: bool) {
        let dealer_wins = self.dealer_wins(start.round).saturating_add(u8::from(dealer_won));
        self.repeat = Some((start.round, dealer_wins));
    }

    /// The hands that the dealer of this round has won in a row.
    fn dealer_wins(&self, round: u16) -> u8 {
        self.repeat.filter(|(repeated, _)| *repeated == round).map_or(0, |(_, wins)| wins)
    }
}

impl ReplayedHand {
    /// Where the game stands at the deal of the next hand. None if the game is over or the hand
    /// was left at a decision after its end.
    pub fn next(&self) -> Option<Standing> {
        let table = self.game.table();
        // The attempt only selects among the walls of a seed.
        (!self.is_last && table.phase() != Phase::End).then(|| table.standing())
    }
}

/// Why an answer of a script is accepted.
const LEGAL: &str = "a script answers with legal actions or fouls";

/// Asks the script to answer the next decision, and shows it the hand before and the decision after.
fn next_answer<S: Script>(game: &Game, script: &mut S) -> Result<(Seat, Action), S::Stop> {
    let seat = game.pending().iter().next().expect("a game in play waits for a decision");
    script.round(game.round());
    let observation = game.observe(seat);
    let action = script.answer(game, &observation)?;
    script.decision(&observation, action);
    Ok((seat, action))
}

/// Forwards the events of one hand and of the end of the game.
///
/// The game also deals the next hand; its events are dropped.
struct OneHand<'a, S> {
    script: &'a mut S,
    outcome: Option<Outcome>,
    is_last: bool,
}

impl<S: Script> Observer for OneHand<'_, S> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::GameEnd { .. } => self.is_last = true,
            _ if self.outcome.is_some() => return,
            Event::HandEnd(outcome) => self.outcome = Some(outcome.clone()),
            _ => {}
        }
        self.script.event(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ActionId, Rng};

    /// Wins when it can and plays at random otherwise. Keeps everything that it sees.
    struct AtRandom {
        rng: Rng,
        events: Vec<Event>,
        dealer_wins: Vec<u8>,
    }

    impl AtRandom {
        fn new(seed: u64) -> AtRandom {
            AtRandom { rng: Rng::new(seed), events: Vec::new(), dealer_wins: Vec::new() }
        }
    }

    impl Observer for AtRandom {
        fn event(&mut self, event: &Event) {
            self.events.push(event.clone());
        }
    }

    impl Spectator for AtRandom {
        fn decision(&mut self, o: &Observation<'_>, _: Action) {
            self.dealer_wins.push(o.table().dealer_wins());
        }
    }

    impl Script for AtRandom {
        type Stop = ();

        fn answer(&mut self, _: &Game, o: &Observation<'_>) -> Result<Action, ()> {
            let legal: Vec<Action> = o.legal().iter().map(ActionId::action).collect();
            let win = legal.iter().find(|action| matches!(action, Action::Tsumo | Action::Ron));
            Ok(win.copied().unwrap_or_else(|| legal[self.rng.below(legal.len())]))
        }
    }

    #[test]
    fn hands_replay_like_their_whole_game() {
        let rules = Rules::default();
        let mut most_dealer_wins = 0;
        for seed in 0..100 {
            let mut whole = AtRandom::new(seed);
            replay_game_from(&rules, seed, &GameStart::of_game(&rules), &mut whole).expect("valid rules");
            let (mut by_hand, mut replayer) = (AtRandom::new(seed), HandReplayer::new(&rules));
            let mut next = Some(Standing::start(&rules));
            while let Some(standing) = next {
                let Standing { round, honba, attempt, .. } = standing;
                let wall = Wall::of_hand(seed, round, honba, attempt, &rules);
                let start = Standing { dealer_wins: 0, ..standing };
                next = replayer.play(&start, Some(wall), &mut by_hand).expect("a valid start").next();
            }
            assert_eq!(whole.events, by_hand.events, "seed {seed}");
            assert_eq!(whole.dealer_wins, by_hand.dealer_wins, "seed {seed}");
            most_dealer_wins = most_dealer_wins.max(whole.dealer_wins.into_iter().max().unwrap_or(0));
        }
        assert!(most_dealer_wins > 0, "some dealers win and repeat");
    }
}
