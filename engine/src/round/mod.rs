//! One hand, from the deal to the settlement.
//!
//! - [`Round`]: who must decide, what is legal, and the answers
//! - `turn`: what a player can do with 14 tiles
//! - `claim`: who can claim an offered tile, and how the claims are resolved
//! - `kan`: kan and kita
//! - `end`: wins, draws and payments
//! - `foul`: illegal answers where the rules have a referee
//!
//! The state machine runs in steps: each step is a function that returns the next step. The machine
//! stops when a player has a choice:
//!
//! ```text
//! Draw ─► Turn ─┬─ tsumo, kyuushu kyuuhai ───────────────────────────────► Over
//!               ├─ kan, kita ───► Offer ─┬─ ron ─────────────────────────► Over
//!               │                        └─ passed ─► Replace ─► Turn
//!               └─ discard ────► Offer ─┬─ ron ──────────────────────────► Over
//!                                       ├─ daiminkan ─► Replace ─► Turn
//!                                       ├─ pon, chi ──► Turn
//!                                       └─ passed ────► Draw, or Exhausted ─► Over
//! ```
//!
//! # Why
//!
//! **Why are forced moves not decisions?** An answer without an alternative carries no information:
//! it would fill datasets and slow networks. Forced moves are events like all others. The price:
//! the step numbers of a hand's decisions have gaps, and the gaps reveal who could have called. So
//! the step is stored, but is not part of an observation. With a referee there are no forced moves,
//! because every other action is a foul: each player is asked about each tile.
//!
//! **Why does `Round` have no methods to draw, discard and call?** There is one way in: `submit`.
//! It accepts exactly the legal actions; the tests check this law for all 165 actions at every
//! decision.

mod claim;
mod end;
mod foul;
mod kan;
mod turn;

use crate::event::{Event, Observer};
use crate::getters::getters;
use crate::outcome::{Ending, Outcome};
use crate::own_view::Private;
use crate::prefetch::prefetch;
use crate::random::Rng;
use crate::table::{DrawSource, Offer, Phase, Table};
use crate::wall::Wall;
use crate::{Action, ActionId, ActionSet, BySeat, Observation, Seat, SeatSet};

/// An action that is not legal now. The state is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{seat:?} may not {action}; {}", legal_text(*legal))]
pub struct IllegalAction {
    /// The seat that answered.
    pub seat: Seat,
    /// The answer.
    pub action: Action,
    /// The legal actions; empty if the seat has no decision to make.
    pub legal: ActionSet,
}

fn legal_text(legal: ActionSet) -> String {
    if legal.is_empty() {
        return "this seat has no decision to make".to_owned();
    }
    let names: Vec<String> = legal.iter().map(|id| id.action().to_string()).collect();
    format!("legal actions are {}", names.join(", "))
}

/// One hand in play.
///
/// Copies are cheap, because nothing is on the heap. A search continues in a copy.
#[derive(Clone, PartialEq, Debug)]
#[must_use]
pub struct Round {
    table: Table,
    privates: BySeat<Private>,
    wall: Wall,
    /// The seats that the current or latest decision asked.
    asked: SeatSet,
    /// The seats that have not answered yet.
    pending: SeatSet,
    /// The legal actions of each pending seat. For other seats, those of their latest decision.
    legal: BySeat<ActionSet>,
    /// The latest answer of each seat.
    answers: BySeat<ActionId>,
    /// The seats that answered this decision with a foul.
    fouls: SeatSet,
    /// The seats among `fouls` whose foul is an invalid call that makes their hands dead.
    invalid_calls: SeatSet,
    ending: Option<Ending>,
}

/// Searches copy hands, so a hand stays small.
const _: () = assert!(size_of::<Round>() <= 1168);

/// What the state machine does next.
enum Step {
    /// The seat draws, or the hand ends if no live tile is left.
    Draw(Seat),
    /// The player whose turn it is draws a replacement tile.
    Replace(DrawSource),
    /// The player whose turn it is acts.
    Turn,
    /// The other players are asked about the offered tile.
    Offer,
    /// Nobody won on the offered tile.
    Passed,
    /// A player must decide, or the hand is over.
    Stop,
}

impl Round {
    /// Deals a hand and runs to the first decision.
    pub(crate) fn start(table: &Table, wall: Wall, seen: &mut impl Observer) -> Round {
        let players = table.rules.players;
        let dealer = table.dealer;
        let count = usize::from(players.count());
        let dealt = |seat: Seat| wall.dealt(usize::from(dealer.steps_to(seat, players)), count);
        let privates = BySeat::from_fn(players, |seat| Private::new(&dealt(seat), 0));
        let mut round = Round::from_parts(table, &privates, wall);
        round.table.live = wall.live();
        let indicator = round.table.rules.dora.then(|| wall.indicator(0));
        seen.event(&Event::Deal {
            round: round.table.round,
            honba: round.table.honba,
            sticks: round.table.sticks,
            dealer,
            scores: round.table.scores,
            indicator,
            hands: BySeat::from_fn(players, |seat| dealt(seat).map(Some)),
        });
        if indicator.is_some() {
            round.show_indicator();
            (1..round.table.rules.start_indicators).for_each(|_| round.turn_indicator(0, seen));
        }
        round.run(Step::Draw(dealer), seen);
        round
    }

    /// A hand in which no seat has been asked yet.
    #[inline]
    pub(crate) fn from_parts(table: &Table, privates: &BySeat<Private>, wall: Wall) -> Round {
        let players = table.rules.players;
        Round {
            table: *table,
            privates: *privates,
            wall,
            asked: SeatSet::EMPTY,
            pending: SeatSet::EMPTY,
            legal: BySeat::splat(players, ActionSet::EMPTY),
            answers: BySeat::splat(players, Action::Pass.id()),
            fouls: SeatSet::EMPTY,
            invalid_calls: SeatSet::EMPTY,
            ending: None,
        }
    }

    /// Asks every seat of the current decision again.
    pub(crate) fn ask_again(&mut self) {
        let step = match self.table.phase {
            Phase::Turn => Step::Turn,
            Phase::Claim | Phase::KanClaim => Step::Offer,
            Phase::Draw => self.exhausted(),
            Phase::End => {
                self.ask_for_end();
                Step::Stop
            }
            Phase::Over => Step::Stop,
        };
        self.run(step, &mut ());
    }

    /// Lets each player draw what they would have drawn without the chi or pon that was just made. Does
    /// nothing at other times, or if the rules do it after every call ([`Rules::keep_draws`]).
    ///
    /// For rollouts that compare actions in the same deal: without this, a call in one of them
    /// gives all players different draws. It reorders live tiles without looking at them, so a
    /// random wall stays random.
    ///
    /// [`Rules::keep_draws`]: crate::Rules::keep_draws
    pub fn keep_draws(&mut self) {
        let is_after_call = self.table.source == DrawSource::Claim && self.table.phase() == Phase::Turn;
        if self.table.rules.keep_draws || !is_after_call {
            return;
        }
        let melds = &self.table.sides[self.table.turn].melds;
        if let Some(claimed) = melds.iter().last().and_then(|meld| meld.claimed()) {
            self.keep_draws_after_call_from(claimed.from);
        }
    }

    /// Lets all players keep their draws although the turn passes from this seat to the caller.
    fn keep_draws_after_call_from(&mut self, from: Seat) {
        let rules = self.table.rules;
        self.wall.keep_draws(from.steps_to(self.table.turn, rules.players), rules);
    }

    /// Shuffles the tiles that are neither drawn nor turned. All hands stay as they are.
    ///
    /// For rollouts from the true hands.
    pub fn reshuffle(&mut self, rng: &mut Rng) {
        self.wall.shuffle_hidden(self.table.indicators().len(), rng);
    }

    /// What one player sees besides the table.
    pub fn private(&self, seat: Seat) -> &Private {
        &self.privates[seat]
    }

    /// Fetches the table, and the index of the next draw ([`Game::prefetch`]).
    ///
    /// [`Game::prefetch`]: crate::Game::prefetch
    #[inline]
    pub(crate) fn prefetch(&self) {
        self.table.prefetch();
        self.wall.prefetch();
        prefetch(&self.pending);
    }

    /// Fetches the players' hands and legal actions, the next draw and the place of the next discard
    /// ([`Game::prefetch_rest`]).
    ///
    /// [`Game::prefetch_rest`]: crate::Game::prefetch_rest
    #[inline]
    pub(crate) fn prefetch_rest(&self) {
        self.table.discards.prefetch_next();
        self.wall.prefetch_next();
        self.privates.iter().for_each(Private::prefetch);
        // Two sets take 48 of the 64 bytes of a cache line.
        self.legal.iter().step_by(2).for_each(prefetch);
        prefetch(&self.answers);
    }

    /// The seats that must decide now, each with its legal actions.
    ///
    /// One seat in a turn, up to all others when a tile is offered, up to all at an exhaustive
    /// draw. None when the hand is over, except the dealer if they may end the game.
    ///
    /// With a referee, a seat can have a single legal action: every other one is a foul.
    #[inline]
    pub fn decisions(&self) -> impl Iterator<Item = (Seat, ActionSet)> {
        let (pending, legal) = (self.pending, self.legal);
        pending.iter().map(move |seat| (seat, legal[seat]))
    }

    /// What a player sees: the table, their own tiles and their legal actions.
    #[inline]
    pub fn observe(&self, seat: Seat) -> Observation<'_> {
        let legal = if self.pending.contains(seat) { self.legal[seat] } else { ActionSet::EMPTY };
        Observation::new(seat, &self.table, &self.privates[seat], legal)
    }

    /// Whether the hand is over.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// What ended the hand; `None` before it is over.
    pub(crate) const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// How the hand ended and what was paid; `None` before it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| self.settle(ending))
    }

    /// Answers a decision. After the last pending answer, runs to the next decision.
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
    /// See [`Round::submit`].
    #[inline]
    pub fn submit_seen(
        &mut self,
        seat: Seat,
        action: Action,
        seen: &mut impl Observer,
    ) -> Result<(), IllegalAction> {
        let mut id = action.id();
        if !self.pending.contains(seat) || !self.legal[seat].contains(id) {
            id = self.judge_illegal(seat, action)?;
        }
        self.answers[seat] = id;
        self.privates[seat].decisions += 1;
        self.pending.remove(seat);
        if self.pending.is_empty() {
            let step = self.resolve(seen);
            self.run(step, seen);
        }
        Ok(())
    }

    /// Applies the answers.
    #[inline]
    fn resolve(&mut self, seen: &mut impl Observer) -> Step {
        if !self.fouls.is_empty()
            && let Some(step) = self.punish(seen)
        {
            return step;
        }
        match self.table.phase {
            Phase::Turn => self.act(self.answers[self.table.turn].action(), seen),
            Phase::Claim | Phase::KanClaim => self.resolve_claims(seen),
            Phase::Draw => self.end_exhausted(),
            // `Game` reads the dealer's answer.
            Phase::End | Phase::Over => Step::Stop,
        }
    }

    /// Runs until a player must decide.
    #[inline]
    fn run(&mut self, first: Step, seen: &mut impl Observer) {
        let mut step = first;
        loop {
            step = match step {
                Step::Draw(seat) if self.table.live > 0 => self.draw(seat, seen),
                Step::Draw(_) => self.exhausted(),
                Step::Replace(source) => self.replace(source, seen),
                Step::Turn => self.ask_turn(seen),
                Step::Offer => self.ask_others(),
                Step::Passed => self.passed(seen),
                Step::Stop => break,
            }
        }
    }

    /// Adds a seat to the decision.
    #[inline]
    fn ask(&mut self, seat: Seat, legal: ActionSet) {
        self.legal[seat] = legal;
        self.asked.insert(seat);
        self.pending.insert(seat);
    }

    /// Asks the dealer whether the game ends.
    pub(crate) fn ask_for_end(&mut self) {
        self.table.phase = Phase::End;
        self.ask(self.table.dealer, [Action::Pass, Action::EndGame].into_iter().collect());
    }

    /// Sets the riichi sticks that stay on the table after the hand.
    pub(crate) const fn keep_sticks(&mut self, sticks: u16) {
        self.table.sticks = sticks;
    }

    /// Adds the points won and lost.
    pub(crate) fn pay(&mut self, deltas: &BySeat<i32>) {
        self.table.scores = self.table.scores.saturating_add(deltas);
    }

    /// The latest answer of a seat.
    pub(crate) fn answer(&self, seat: Seat) -> Action {
        self.answers[seat].action()
    }

    /// The offered tile.
    #[inline]
    fn offered(&self) -> Offer {
        self.table.offer.expect("a tile is offered while others are asked about it")
    }

    /// Turns the next dora indicator, if the rules have further ones and it is in the dead wall after the
    /// replacement draws that are due.
    fn turn_indicator(&mut self, due: usize, seen: &mut impl Observer) {
        let count = self.table.indicator_count;
        if count < self.table.rules.max_indicators() && self.wall.is_in_dead_wall(count.into(), due) {
            let tile = self.show_indicator();
            seen.event(&Event::Indicator { tile });
        }
    }

    /// Turns the next dora indicator, without asking the rules and without an event.
    fn show_indicator(&mut self) -> crate::Tile {
        let table = &mut self.table;
        let tile = self.wall.indicator(usize::from(table.indicator_count));
        table.indicators[usize::from(table.indicator_count)] = tile;
        table.indicator_count += 1;
        table.unseen.see(tile.kind().into());
        tile
    }
}

getters! {
    Round:
    /// What all players see: everything but the concealed tiles and the wall.
    &table: Table,

    /// The wall, which no player sees.
    &wall: Wall,

    /// The seats that must decide now.
    pending: SeatSet,
}
