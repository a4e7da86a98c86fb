//! Illegal answers where the rules have a referee.
//!
//! # Why
//!
//! **What happens after a foul?** Without a referee, the default, an illegal action is an error and
//! changes nothing. With a referee it is taken as that seat's answer, so the order of answers does
//! not matter. When all seats have answered, a ron outranks the foul. Otherwise the hand ends like
//! a draw, the offender pays, and the hand is dealt again with the next attempt. Rejected:
//! simulating mistakes at a real table (a wrong number of tiles, exposed tiles, late calls), which
//! a program cannot make. A caller who sees such a foul reports it with `Game::foul`. Under rules
//! with dead hands an invalid call becomes a pass, and an event announces the dead hand. Some
//! fouls, such as riichi without tenpai, show only in the concealed tiles. They take effect like
//! legal actions and set a bit that no other player sees. They are judged at the end of the hand.

use super::{IllegalAction, Round, Step};
use crate::event::{Event, Observer};
use crate::outcome::Ending;
use crate::rules::options::{InvalidCall, RiichiFouls};
use crate::table::Phase;
use crate::{Action, ActionId, ActionSet, Declare, Seat, SeatSet, TileKind};

impl Round {
    /// Treats an illegal answer as a foul if there is a referee and the seat was asked, otherwise
    /// as an error. Returns what counts as the answer.
    #[cold]
    pub(super) fn judge_illegal(&mut self, seat: Seat, action: Action) -> Result<ActionId, IllegalAction> {
        let asked = self.pending.contains(seat);
        if !asked || self.is_over() || !self.table.rules.has_referee() {
            let legal = if asked { self.legal[seat] } else { ActionSet::EMPTY };
            return Err(IllegalAction { seat, action, legal });
        }
        if self.is_punished_later(seat, action) {
            self.privates[seat].riichi_foul = true;
            return Ok(action.id());
        }
        self.fouls.insert(seat);
        let is_call = matches!(
            action,
            Action::Chi { .. } | Action::Pon { .. } | Action::Daiminkan | Action::Kan { .. }
        );
        let kills = self.table.rules.invalid_call == InvalidCall::DeadHand && !self.table.sides[seat].is_dead;
        if is_call && kills {
            self.invalid_calls.insert(seat);
        }
        Ok(Action::Pass.id())
    }

    /// Ends the hand because of fouls.
    pub(crate) fn end_by_fouls(&mut self, offenders: SeatSet) {
        self.pending = SeatSet::EMPTY;
        self.end(Ending::Foul { offenders });
    }

    /// Whether an illegal action takes effect, because only the concealed tiles reveal the foul and
    /// the rules punish it later: riichi without tenpai, and an ankan in riichi.
    pub(crate) fn is_punished_later(&self, seat: Seat, action: Action) -> bool {
        let (rules, side) = (&self.table.rules, &self.table.sides[seat]);
        let in_turn = self.table.phase == Phase::Turn && self.pending.contains(seat);
        let later = rules.has_referee() && rules.riichi_fouls == RiichiFouls::AtEnd;
        if !in_turn || !later || side.is_dead || self.legal[seat].contains(action.id()) {
            return false;
        }
        match action {
            Action::Discard { tile, declare: Declare::Riichi } => {
                self.declares_noten(seat, Action::Discard { tile, declare: Declare::Nothing })
            }
            Action::Tsumogiri { declare: Declare::Riichi } => {
                self.declares_noten(seat, Action::Tsumogiri { declare: Declare::Nothing })
            }
            Action::Kan { kind } => side.in_riichi() && self.holds_ankan(seat, kind),
            _ => false,
        }
    }

    /// Whether only the missing tenpai forbids a riichi with this discard.
    fn declares_noten(&self, seat: Seat, discard: Action) -> bool {
        let may_discard = self.legal[seat].contains(discard.id()) && !self.table.sides[seat].in_riichi();
        may_discard && self.privates[seat].drawn.is_some() && self.can_declare_riichi(seat)
    }

    /// Whether the player holds four tiles of a kind and may still declare a kan.
    fn holds_ankan(&self, seat: Seat, kind: TileKind) -> bool {
        let holds_four = self.privates[seat].hand_with_draw().at_least(4).contains(kind);
        holds_four && self.table.live > 0 && self.table.kans < 4
    }

    /// Punishes the fouls of this decision. None if the hand continues with the other answers.
    #[cold]
    pub(super) fn punish(&mut self, seen: &mut impl Observer) -> Option<Step> {
        let fouls = std::mem::take(&mut self.fouls);
        let invalid_calls = std::mem::take(&mut self.invalid_calls);
        if self.table.rules.players.seats().any(|seat| self.answer_of(seat) == Some(Action::Ron)) {
            // The win cancels the fouls.
            return None;
        }
        if fouls != invalid_calls {
            return Some(self.end(Ending::Foul { offenders: fouls - invalid_calls }));
        }
        for seat in invalid_calls.iter() {
            self.table.sides[seat].is_dead = true;
            seen.event(&Event::DeadHand { seat });
        }
        // In their own turn, the player must still discard.
        (self.table.phase == Phase::Turn).then_some(Step::Turn)
    }

    /// The players with a foul in riichi that is punished when their hands are shown.
    pub(super) fn riichi_offenders(&self) -> SeatSet {
        self.table.rules.players.seats().filter(|seat| self.privates[*seat].riichi_foul).collect()
    }
}
