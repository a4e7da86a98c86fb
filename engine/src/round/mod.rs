//! One hand, from the deal to the settlement.
//!
//! - [`Round`]: who must decide, what is legal, what an answer does
//! - `turn`: what a player may do with 14 tiles
//! - `claim`: what the others may do with a tile that lies open, and what comes of their answers
//! - `kan`: quads and Norths set aside
//! - `end`: wins and draws
//!
//! The machine runs in steps; a step is a function that ends by naming the next. It stops when somebody has a choice:
//!
//! ```text
//! Draw ─► Turn ─┬─ win, nine terminals ──────────────────────────────────► Over
//!               ├─ quad, North ─► Offer ─┬─ ron ─────────────────────────► Over
//!               │                        └─ passed ─► Replace ─► Turn
//!               └─ discard ────► Offer ─┬─ ron ──────────────────────────► Over
//!                                       ├─ open quad ─► Replace ─► Turn
//!                                       ├─ pon, chi ──► Turn
//!                                       └─ passed ────► Draw, or at the end of the wall Exhausted ─► Over
//! ```

mod claim;
mod end;
mod kan;
mod turn;

use crate::event::{Event, Observer};
use crate::outcome::{Ending, Outcome};
use crate::private::Private;
use crate::rules::knobs::Enforce;
use crate::table::{DrawSource, Offer, Phase, Table};
use crate::wall::Wall;
use crate::{Action, ActionId, ActionSet, BySeat, Observation, Seat, SeatSet};

/// An action that is not legal now. The state is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{seat:?} may not {action}: {}", legal_text(*legal))]
pub struct IllegalAction {
    /// Who answered.
    pub seat: Seat,
    /// What he answered.
    pub action: Action,
    /// What he could have answered; nothing if he is not asked.
    pub legal: ActionSet,
}

fn legal_text(legal: ActionSet) -> String {
    if legal.is_empty() {
        return "no decision is asked of this seat".to_owned();
    }
    let names: Vec<String> = legal.iter().map(|id| id.action().to_string()).collect();
    format!("legal are {}", names.join(", "))
}

/// One hand in play.
///
/// Copies are cheap: there is nothing on the heap. A search plays on in a copy.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    table: Table,
    privates: BySeat<Private>,
    wall: Wall,
    /// Who is or was asked at this decision.
    asked: SeatSet,
    /// Who of them has not answered yet.
    pending: SeatSet,
    /// What they may answer; of the others what they could last.
    legal: BySeat<ActionSet>,
    answers: BySeat<ActionId>,
    /// Who has answered this decision with what is not legal, where that is a foul.
    fouls: SeatSet,
    ending: Option<Ending>,
    determinized: bool,
}

/// What the machine does next.
enum Step {
    /// The next player draws, or the wall is empty.
    Draw(Seat),
    /// The player whose turn it is draws a replacement tile.
    Replace(DrawSource),
    /// The player whose turn it is acts.
    Turn,
    /// The others are asked about the tile that lies open.
    Offer,
    /// Nobody took it.
    Passed,
    /// Somebody must decide, or the hand is over.
    Stop,
}

impl Round {
    /// Deals a hand and plays up to the first decision.
    pub(crate) fn start(table: &Table, wall: Wall, seen: &mut impl Observer) -> Round {
        let players = table.rules.players;
        let dealer = table.dealer;
        let count = usize::from(players.count());
        let dealt = |seat: Seat| wall.dealt(usize::from(dealer.steps_to(seat, players)), count);
        let privates = BySeat::from_fn(players, |seat| Private::new(dealt(seat).into_iter(), 0));
        let mut round = Round::from_parts(table, &privates, wall, false);
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
        }
        round.run(Step::Draw(dealer), seen);
        round
    }

    /// A hand in which nobody has been asked yet.
    pub(crate) fn from_parts(
        table: &Table,
        privates: &BySeat<Private>,
        wall: Wall,
        determinized: bool,
    ) -> Round {
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
            ending: None,
            determinized,
        }
    }

    /// Asks the decision under way of everybody whom it concerns.
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

    /// The open part of the hand.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The wall, which no player sees.
    #[must_use]
    pub const fn wall(&self) -> &Wall {
        &self.wall
    }

    /// What one player sees besides the table.
    #[must_use]
    pub fn private(&self, seat: Seat) -> &Private {
        &self.privates[seat]
    }

    /// Who must decide now.
    #[must_use]
    #[inline]
    pub const fn pending(&self) -> SeatSet {
        self.pending
    }

    /// The seats that must decide now, each with what is legal.
    ///
    /// One seat in a turn, up to all others when a tile lies open, up to all at a draw. Nobody when the hand is over.
    #[inline]
    pub fn decisions(&self) -> impl Iterator<Item = (Seat, ActionSet)> {
        let (pending, legal) = (self.pending, self.legal);
        pending.iter().map(move |seat| (seat, legal[seat]))
    }

    /// What a player sees: the table, his own tiles and what he may do.
    #[must_use]
    #[inline]
    pub fn observe(&self, seat: Seat) -> Observation<'_> {
        let legal = if self.pending.contains(seat) { self.legal[seat] } else { ActionSet::EMPTY };
        Observation::new(seat, &self.table, &self.privates[seat], legal)
    }

    /// Whether the hand is over.
    #[must_use]
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether the hidden tiles are a guess ([`Observation::determinize`]).
    #[must_use]
    pub const fn is_determinized(&self) -> bool {
        self.determinized
    }

    /// How the hand ended and what was paid; none before it is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| self.settle(ending))
    }

    /// Answers a decision. The last answer that is due lets the hand go on to the next decision.
    ///
    /// # Errors
    ///
    /// If the seat is not asked or the action is not legal; the state is as it was.
    #[inline]
    pub fn submit(&mut self, seat: Seat, action: Action) -> Result<(), IllegalAction> {
        self.submit_seen(seat, action, &mut ())
    }

    /// Answers a decision; the observer is told of what follows.
    ///
    /// # Errors
    ///
    /// As [`Round::submit`].
    #[inline]
    pub fn submit_seen(
        &mut self,
        seat: Seat,
        action: Action,
        seen: &mut impl Observer,
    ) -> Result<(), IllegalAction> {
        let mut id = action.id();
        if !self.pending.contains(seat) || !self.legal[seat].contains(id) {
            self.take_for_foul(seat, action)?;
            id = Action::Pass.id();
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

    /// An answer that is not legal: with a referee a foul of whoever was asked, else an error.
    #[cold]
    fn take_for_foul(&mut self, seat: Seat, action: Action) -> Result<(), IllegalAction> {
        let asked = self.pending.contains(seat);
        if asked && !self.is_over() && self.table.rules.enforce == Enforce::Referee {
            self.fouls.insert(seat);
            return Ok(());
        }
        let legal = if asked { self.legal[seat] } else { ActionSet::EMPTY };
        Err(IllegalAction { seat, action, legal })
    }

    /// Ends the hand for the fouls of players.
    pub(crate) fn end_by_fouls(&mut self, offenders: SeatSet) {
        self.pending = SeatSet::EMPTY;
        self.end(Ending::Foul { offenders });
    }

    /// Does what was answered.
    #[inline]
    fn resolve(&mut self, seen: &mut impl Observer) -> Step {
        if !self.fouls.is_empty() && !self.win_outranks_fouls() {
            return self.end(Ending::Foul { offenders: self.fouls });
        }
        match self.table.phase {
            Phase::Turn => self.act(self.answers[self.table.turn].action(), seen),
            Phase::Claim | Phase::KanClaim => self.resolve_claims(seen),
            Phase::Draw => self.end_exhausted(),
            // The game reads the answer itself.
            Phase::End | Phase::Over => Step::Stop,
        }
    }

    /// Whether somebody wins on the tile on which others have made a foul: the fouls are forgiven then.
    #[cold]
    fn win_outranks_fouls(&mut self) -> bool {
        let won = self.table.rules.players.seats().any(|seat| self.answer_of(seat) == Some(Action::Ron));
        if won {
            self.fouls = SeatSet::EMPTY;
        }
        won
    }

    /// Goes on until somebody has a choice.
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

    /// Asks one seat.
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

    /// The riichi sticks that stay on the table after the hand.
    pub(crate) const fn keep_sticks(&mut self, sticks: u16) {
        self.table.sticks = sticks;
    }

    /// Points change hands after the hand. Only hands without limits can win more than can be counted.
    pub(crate) fn pay(&mut self, deltas: &BySeat<i32>) {
        for (seat, points) in deltas.enumerate() {
            self.table.scores[seat] = self.table.scores[seat].saturating_add(*points);
        }
    }

    /// What a seat answered last.
    pub(crate) fn answer(&self, seat: Seat) -> Action {
        self.answers[seat].action()
    }

    /// The lot of a tile that lies open.
    #[inline]
    fn offered(&self) -> Offer {
        self.table.offer.expect("a tile lies open while others are asked about it")
    }

    /// Turns the next indicator that the rules have.
    fn turn_indicator(&mut self, seen: &mut impl Observer) {
        if self.table.rules.kan_dora_on && self.table.rules.dora && self.table.indicator_count < 5 {
            let tile = self.show_indicator();
            seen.event(&Event::Indicator { tile });
        }
    }

    fn show_indicator(&mut self) -> crate::Tile {
        let table = &mut self.table;
        let tile = self.wall.indicator(usize::from(table.indicator_count));
        table.indicators[usize::from(table.indicator_count)] = tile;
        table.indicator_count += 1;
        table.unseen.see(tile.kind().into());
        tile
    }
}
