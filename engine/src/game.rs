//! A game: its hands, and what happens between them.
//!
//! # Why
//!
//! **How is a game stopped by the clock?** `Game::stop` ends it after the hand in play. The rule
//! `hands_limit` does the same after a number of hands. So a game remains a function of rules, seed
//! and actions. Rejected: a setting of runs, which logs and replays of single hands would not know.

use crate::event::{Event, Observer};
use crate::game_state::Standing;
use crate::next_hand::{EndedHand, Next};
use crate::outcome::Ending;
use crate::prefetch::prefetch;
use crate::random::Rng;
use crate::ranking::{FinalResult, final_results};
use crate::round::{IllegalAction, Round};
use crate::rules::options::Chombo;
use crate::rules::{Contradiction, Rules};
use crate::table::{Phase, Table};
use crate::wall::Wall;
use crate::{Action, ActionSet, BySeat, Observation, Seat, SeatSet};

/// An error from [`Game::at`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The rules contradict each other.
    #[error(transparent)]
    Rules(#[from] Contradiction),
    /// The standing and the rules have different numbers of players.
    #[error("the standing and the rules have different numbers of players")]
    Seats,
    /// Points, round, attempt, honba or riichi sticks are beyond their limits.
    #[error(
        "the standing has points beyond {}, or a round, attempt, honba or riichi sticks beyond {}",
        Standing::MAX_POINTS,
        Standing::MAX_COUNT
    )]
    Extreme,
    /// The wall was made for other rules, or tiles have been drawn from it.
    #[error("the wall was made for other rules, or tiles have been drawn from it")]
    Wall,
}

/// A game in play.
///
/// ```
/// use jantaku_engine::{Game, Rules};
///
/// let mut game = Game::new(&Rules::default(), 1);
/// while !game.is_over() {
///     let (seat, legal) = game.decisions().next().expect("a game in play has a decision");
///     let action = legal.first().expect("a decision has legal actions").action();
///     game.submit(seat, action)?;
/// }
/// assert_eq!(game.scores().iter().sum::<i32>(), 100_000);
/// # Ok::<(), jantaku_engine::IllegalAction>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    seed: u64,
    /// Number of hands dealt.
    hands: u32,
    attempt: u16,
    round: Round,
    /// Points deducted from each result for fouls.
    penalties: BySeat<i32>,
    /// The game ends after the hand in play.
    stopped: bool,
    /// Why the game is over.
    over: Option<Over>,
}

/// Facts about the hands before the one in play that the standing does not hold. They matter for the end
/// of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// The number of these hands.
    pub hands: u32,
    /// Points deducted from each result for fouls in these hands.
    pub penalties: BySeat<i32>,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Over {
    /// By the rules.
    Finished,
    /// It was stopped and would have continued otherwise.
    CutShort,
    /// Its numbers reached the engine's limits.
    Endless,
}

/// The error for a foul in a game whose rules have no fouls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} commits a foul, but the rules have no fouls: set `chombo` to a penalty")]
pub struct NoFouls(pub Seat);

impl Game {
    /// Maximum number of hands. A game that would continue ends after this many
    /// ([`Game::is_endless`]).
    ///
    /// Under some rules a game continues until a player wins. The maximum keeps round, honba and
    /// riichi sticks from overflowing. No ordinary game comes near it.
    pub const MAX_HANDS: u32 = Standing::MAX_COUNT as u32;

    /// Starts a game. Its walls follow from the seed.
    ///
    /// # Panics
    ///
    /// If the rules contradict each other ([`Rules::check`]).
    pub fn new(rules: &Rules, seed: u64) -> Game {
        Game::new_seen(rules, seed, &mut ())
    }

    /// Starts a game with an observer.
    ///
    /// # Panics
    ///
    /// See [`Game::new`].
    pub fn new_seen(rules: &Rules, seed: u64, seen: &mut impl Observer) -> Game {
        let game = Game::at(rules, seed, &Standing::start(rules), None, seen);
        game.unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    /// Starts a game in the middle. The first hand uses `wall`, or the wall of the seed if it is `None`.
    ///
    /// # Errors
    ///
    /// If the rules contradict each other, or if the standing or the wall does not fit the rules.
    pub fn at(
        rules: &Rules,
        seed: u64,
        standing: &Standing,
        wall: Option<Wall>,
        seen: &mut impl Observer,
    ) -> Result<Game, StartError> {
        let rules = rules.shared()?;
        if standing.scores.players() != rules.players {
            return Err(StartError::Seats);
        }
        if standing.is_extreme() {
            return Err(StartError::Extreme);
        }
        if wall.is_some_and(|wall| !wall.is_new_under(rules)) {
            return Err(StartError::Wall);
        }
        let wall = wall.unwrap_or_else(|| wall_of(rules, seed, standing));
        let round = Round::start(&table_of(rules, standing), wall, seen);
        let penalties = BySeat::splat(rules.players, 0);
        let attempt = standing.attempt;
        let mut game = Game { seed, hands: 1, attempt, round, penalties, stopped: false, over: None };
        game.advance(seen);
        Ok(game)
    }

    /// The hand in play; the last hand when the game is over.
    #[inline]
    pub const fn round(&self) -> &Round {
        &self.round
    }

    /// The open part of the hand in play.
    #[inline]
    pub const fn table(&self) -> &Table {
        self.round.table()
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        self.table().rules()
    }

    /// Facts about the hands before the one in play.
    pub const fn earlier(&self) -> Earlier {
        Earlier { hands: self.hands - 1, penalties: self.penalties }
    }

    /// Makes a game that starts in the middle count the hands and penalties before its start.
    pub(crate) const fn continue_after(&mut self, earlier: &Earlier) {
        self.hands = earlier.hands.saturating_add(1);
        self.penalties = earlier.penalties;
    }

    /// How often the hand in play was replayed after fouls.
    pub(crate) const fn attempt(&self) -> u16 {
        self.attempt
    }

    /// The seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Number of hands dealt, including the one in play.
    pub const fn hand_count(&self) -> u32 {
        self.hands
    }

    /// Points of each player, with the riichi sticks of the hand in play already paid. After the
    /// game, the leftover sticks are included.
    pub const fn scores(&self) -> &BySeat<i32> {
        self.table().scores()
    }

    /// Whether the game is over.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Whether the game was cut off: by [`Game::MAX_HANDS`], or by points, honba, riichi sticks or
    /// attempts beyond the engine's limits.
    pub const fn is_endless(&self) -> bool {
        matches!(self.over, Some(Over::Endless))
    }

    /// Ends the game after the hand in play, as when the time of a tournament is over.
    ///
    /// After a foul, the hand is replayed first. If the game would have continued, the rule
    /// `stopped_uma` decides whether uma counts. The rule `hands_limit` stops a game by itself.
    pub const fn stop(&mut self) {
        self.stopped = true;
    }

    /// Whether the game was stopped and would have continued otherwise.
    pub const fn was_cut_short(&self) -> bool {
        matches!(self.over, Some(Over::CutShort))
    }

    /// Whether the hand in play is the last one, because the game is stopped.
    fn is_stopped(&self) -> bool {
        self.stopped || self.rules().hands_limit.0.is_some_and(|limit| self.hands >= u32::from(limit))
    }

    /// The seats that must decide now, each with its legal actions ([`Round::decisions`]).
    #[inline]
    pub fn decisions(&self) -> impl Iterator<Item = (Seat, ActionSet)> {
        self.round.decisions()
    }

    /// Prefetches the first half of the memory that the game's next step reads.
    ///
    /// A runner of thousands of games calls this for a game that it will soon advance, and
    /// [`prefetch_rest`](Game::prefetch_rest) one game later. Games do not fit into the processor's
    /// caches, and most reads of a step depend on earlier ones. A processor fetches some twenty
    /// cache lines at once, so both halves together would keep it waiting.
    #[inline]
    pub fn prefetch(&self) {
        self.round.prefetch();
    }

    /// Prefetches the other half, which needs a part of the first one.
    #[inline]
    pub fn prefetch_rest(&self) {
        prefetch(&self.hands);
        self.round.prefetch_rest();
    }

    /// The seats that must decide now.
    #[inline]
    pub const fn pending(&self) -> SeatSet {
        self.round.pending()
    }

    /// What a player sees ([`Round::observe`]).
    #[inline]
    pub fn observe(&self, seat: Seat) -> Observation<'_> {
        self.round.observe(seat)
    }

    /// Random numbers for the next decision of a seat.
    ///
    /// They are a function of the game seed, the hand, the seat, the number of decisions of the
    /// seat in this hand, and the agent's salt.
    #[inline]
    pub fn random_stream(&self, seat: Seat, salt: u64) -> Rng {
        Rng::of_decision(self.seed, self.hands, seat, self.round.private(seat).decisions, salt)
    }

    /// Placements and results; `None` before the game is over.
    pub fn results(&self) -> Option<BySeat<FinalResult>> {
        let no_uma = self.was_cut_short() && !self.rules().stopped_uma;
        let rules = if no_uma { self.rules().without_uma() } else { *self.rules() };
        let mut results = self.is_over().then(|| final_results(self.scores(), &rules))?;
        for (seat, penalty) in self.penalties.enumerate() {
            results[seat].result -= penalty;
        }
        Some(results)
    }

    /// Answers a decision. After the last pending answer, runs to the next decision, which may be
    /// in the next hand.
    ///
    /// With a referee (`enforce` in the rules), an illegal action of a seat that was asked is a
    /// foul. It counts as the answer of that seat. When the others have answered, the hand ends
    /// with [`DrawReason::Chombo`](crate::DrawReason::Chombo), unless one of them wins. The rules may
    /// punish some fouls with a dead hand (`invalid_call`) or later (`riichi_fouls`).
    ///
    /// # Errors
    ///
    /// If the seat is not asked or the action is not legal. The state is unchanged.
    #[inline]
    pub fn submit(&mut self, seat: Seat, action: Action) -> Result<(), IllegalAction> {
        self.submit_seen(seat, action, &mut ())
    }

    /// Answers a decision. The observer receives the events that follow.
    ///
    /// # Errors
    ///
    /// See [`Game::submit`].
    #[inline]
    pub fn submit_seen(
        &mut self,
        seat: Seat,
        action: Action,
        seen: &mut impl Observer,
    ) -> Result<(), IllegalAction> {
        self.round.submit_seen(seat, action, seen)?;
        if self.round.is_over() {
            self.advance(seen);
        }
        Ok(())
    }

    /// Ends the hand because of a foul that is not an action, such as a missing answer.
    ///
    /// The offender pays, and the hand is replayed unless the foul ends the game. Does nothing between
    /// hands and after the game.
    ///
    /// # Errors
    ///
    /// If the rules have no fouls.
    pub fn foul(&mut self, seat: Seat, seen: &mut impl Observer) -> Result<(), NoFouls> {
        if self.rules().chombo == Chombo::Off {
            return Err(NoFouls(seat));
        }
        if !self.round.is_over() {
            self.round.end_by_fouls([seat].into_iter().collect());
            self.advance(seen);
        }
        Ok(())
    }

    /// Runs from the end of a hand to the next decision, if none is open.
    fn advance(&mut self, seen: &mut impl Observer) {
        while self.round.is_over() && self.pending().is_empty() && !self.is_over() {
            let outcome = self.round.outcome().expect("the hand is over");
            let sticks = outcome.sticks;
            let next = match self.table().phase() {
                // The dealer has answered whether the game ends. The hand was paid before the question.
                Phase::End => self.after_answer(sticks),
                _ => {
                    self.round.check_conserved(&outcome);
                    self.round.pay(&outcome.deltas);
                    self.penalise();
                    self.ended_hand(sticks).next()
                }
            };
            let would_continue = matches!(next, Next::Hand(_) | Next::Ask);
            let is_foul = matches!(self.ending(), Ending::Foul { .. });
            let cut_short = would_continue && self.is_stopped() && !is_foul;
            if self.table().phase() != Phase::End {
                seen.event(&Event::HandEnd(outcome));
            }
            match next {
                _ if cut_short => self.finish(Over::CutShort, sticks, seen),
                Next::Hand(standing) if self.hands >= Game::MAX_HANDS || standing.is_extreme() => {
                    self.finish(Over::Endless, sticks, seen);
                }
                Next::Hand(standing) => self.deal(&standing, seen),
                Next::Ask => {
                    self.round.keep_sticks(sticks);
                    self.round.ask_for_end();
                }
                Next::End => self.finish(Over::Finished, sticks, seen),
            }
        }
    }

    /// Deals the next hand.
    fn deal(&mut self, standing: &Standing, seen: &mut impl Observer) {
        let rules = self.table().rules;
        self.hands += 1;
        self.attempt = standing.attempt;
        let wall = wall_of(rules, self.seed, standing);
        self.round = Round::start(&table_of(rules, standing), wall, seen);
    }

    /// Records the points that fouls deduct from results.
    fn penalise(&mut self) {
        if let (Chombo::FinalPenalty(points), Ending::Foul { offenders }) =
            (self.rules().chombo, self.ending())
        {
            offenders.iter().for_each(|seat| self.penalties[seat] += points);
        }
    }

    /// Ends the game: pays the leftover riichi sticks and announces the results.
    fn finish(&mut self, over: Over, sticks: u16, seen: &mut impl Observer) {
        let leftover = crate::ranking::leftover_sticks(self.scores(), sticks, self.rules());
        self.round.pay(&leftover);
        self.over = Some(over);
        let results = self.results().expect("the game is over");
        seen.event(&Event::GameEnd { scores: *self.scores(), results });
    }

    /// The hand in play after its end, with its payments made.
    fn ended_hand(&self, sticks: u16) -> EndedHand<'_> {
        let (end, attempt, scores) = (self.ending(), self.attempt, *self.scores());
        EndedHand { table: self.table(), end, sticks, attempt, scores }
    }

    /// What ended the hand in play.
    fn ending(&self) -> Ending {
        self.round.ending().expect("the hand is over")
    }

    /// What follows the dealer's answer.
    fn after_answer(&self, sticks: u16) -> Next {
        match self.round.answer(self.table().dealer()) {
            Action::EndGame => Next::End,
            _ => Next::Hand(self.ended_hand(sticks).next_standing()),
        }
    }
}

fn wall_of(rules: &Rules, seed: u64, standing: &Standing) -> Wall {
    Wall::of_hand(seed, standing.round, standing.honba, standing.attempt, rules)
}

fn table_of(rules: &'static Rules, standing: &Standing) -> Table {
    let table = Table::new(rules, standing.round, standing.honba, standing.sticks, standing.scores);
    Table { dealer_wins: standing.dealer_wins, ..table }
}
