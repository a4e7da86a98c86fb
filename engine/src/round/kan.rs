//! Kan and kita.

use super::{Round, Step};
use crate::draw::DrawReason;
use crate::event::{Event, Observer};
use crate::rules::options::{DeferredFlush, KanDoraTiming, SuukaikanAt};
use crate::table::{DrawSource, Offer, OfferKind, Owed};
use crate::yaku::Yaku;
use crate::{Meld, MeldKind, Seat, Tile, TileKind, settle};

impl Round {
    /// Declares an ankan or kakan.
    pub(super) fn declare_kan(&mut self, kind: TileKind, seen: &mut impl Observer) -> Step {
        if self.table.kans == 4 {
            return self.abort(DrawReason::FourKans);
        }
        let seat = self.table.turn;
        self.privates[seat].take_in_draw();
        if self.privates[seat].hand.at_least(4).contains(kind) {
            self.declare_ankan(seat, kind, seen)
        } else {
            self.declare_kakan(seat, kind, seen)
        }
    }

    fn declare_ankan(&mut self, seat: Seat, kind: TileKind, seen: &mut impl Observer) -> Step {
        let reds = self.privates[seat].hand.reds_of(kind);
        let reds = self.take_out(seat, &[kind; 4], reds);
        let meld = Meld::new(MeldKind::Ankan, kind, reds, None);
        let side = &mut self.table.sides[seat];
        side.melds.push(meld);
        self.privates[seat].update(side.melds.len());
        self.table.show_meld(meld);
        seen.event(&Event::Ankan { seat, meld });
        self.turn_all_owed(seen);
        self.offer(Tile::plain(kind), OfferKind::Ankan)
    }

    fn declare_kakan(&mut self, seat: Seat, kind: TileKind, seen: &mut impl Observer) -> Step {
        let private = &mut self.privates[seat];
        let tile = private.hand.remove_any(kind);
        let side = &mut self.table.sides[seat];
        private.update(side.melds.len());
        if self.table.rules.kakan_tile_is_discard {
            side.discarded.insert(kind);
        }
        self.table.unseen.see(kind.into());
        seen.event(&Event::Kakan { seat, tile });
        if self.table.rules.deferred_flush == DeferredFlush::AtDeclaration {
            self.turn_all_owed(seen);
        }
        self.offer(tile, OfferKind::Kakan)
    }

    /// Declares a kita: sets a North aside.
    pub(super) fn declare_kita(&mut self, seen: &mut impl Observer) -> Step {
        let seat = self.table.turn;
        let private = &mut self.privates[seat];
        private.take_in_draw();
        private.hand.remove(Tile::plain(TileKind::NORTH));
        private.update(self.table.sides[seat].melds.len());
        self.table.unseen.see(TileKind::NORTH.into());
        seen.event(&Event::Kita { seat });
        self.turn_all_owed(seen);
        self.offer(Tile::plain(TileKind::NORTH), OfferKind::Kita)
    }

    /// Offers the tile of a kan or kita to the other players, who may rob it.
    fn offer(&mut self, tile: Tile, kind: OfferKind) -> Step {
        self.table.kan_feeder = None;
        self.table.offer = Some(Offer { tile, from: self.table.turn, kind });
        Step::Offer
    }

    /// Completes a kan or kita after nobody robbed the tile.
    pub(super) fn complete_unrobbed(&mut self, offer: Offer, seen: &mut impl Observer) -> Step {
        self.table.offer = None;
        let seat = offer.from;
        match offer.kind {
            OfferKind::Ankan => self.complete_kan(MeldKind::Ankan, seen),
            OfferKind::Kita => {
                self.table.sides[seat].norths += 1;
                self.interrupt(seat);
                Step::Replace(DrawSource::Kita)
            }
            OfferKind::Kakan | OfferKind::Discard => {
                // A kakan: `passed` handles discards.
                self.table.sides[seat].melds.add_to_pon(offer.tile);
                // Nothing is left if `deferred_flush` turned the indicators at the declaration.
                self.turn_all_owed(seen);
                self.complete_kan(MeldKind::Kakan, seen)
            }
        }
    }

    /// Completes a kan: turns its indicator or keeps it pending, and draws a replacement tile.
    pub(super) fn complete_kan(&mut self, kind: MeldKind, seen: &mut impl Observer) -> Step {
        self.table.kans += 1;
        self.interrupt(self.table.turn);
        let timing = self.table.rules.kan_dora;
        match if kind == MeldKind::Ankan { timing.ankan } else { timing.minkan } {
            KanDoraTiming::Immediate => self.turn_indicator(1, seen),
            KanDoraTiming::AtDiscard => self.table.owed.at_discard += 1,
            KanDoraTiming::AfterDiscardPassed => self.table.owed.after_pass += 1,
            KanDoraTiming::Off => {}
        }
        if self.table.rules.suukaikan_at == SuukaikanAt::AtKan && self.four_kans_by_several() {
            return self.abort(DrawReason::FourKans);
        }
        Step::Replace(DrawSource::Kan)
    }

    /// Whether the hand ends because of four kans by two or more players.
    #[inline]
    pub(super) fn four_kans_by_several(&self) -> bool {
        let owns_all = |side: &crate::Side| side.melds.iter().filter(|meld| meld.is_kan()).count() == 4;
        self.table.kans == 4 && self.table.rules.suukaikan && !self.table.sides.iter().any(owns_all)
    }

    /// Turns the pending kan indicators whose time has come.
    pub(super) fn turn_owed(&mut self, timing: KanDoraTiming, seen: &mut impl Observer) {
        let owed = match timing {
            KanDoraTiming::AtDiscard => std::mem::take(&mut self.table.owed.at_discard),
            _ => std::mem::take(&mut self.table.owed.after_pass),
        };
        (0..owed).for_each(|_| self.turn_indicator(0, seen));
    }

    /// Turns all pending indicators, because the same player declares another kan or a kita.
    fn turn_all_owed(&mut self, seen: &mut impl Observer) {
        let Owed { at_discard, after_pass } = std::mem::take(&mut self.table.owed);
        (0..at_discard + after_pass).for_each(|_| self.turn_indicator(0, seen));
    }

    /// Records who is liable: the player who fed the last visible set of a yakuman, or a daiminkan.
    pub(super) fn note_liability(&mut self, seat: Seat, meld: Meld) {
        let Some(claimed) = meld.claimed().filter(|_| !meld.is_sequence()) else { return };
        let rules = &self.table.rules;
        if meld.is_kan() && rules.daiminkan_pao {
            self.table.kan_feeder = Some(claimed.from);
        }
        let side = &mut self.table.sides[seat];
        let fed = settle::yakuman_fed(meld, &side.melds, rules);
        for (yaku, liable) in PAO.into_iter().zip(&mut side.liable) {
            if fed.contains(yaku) {
                *liable = Some(claimed.from);
            }
        }
    }
}

/// The yakuman with liability, in the order of [`Side::liable`](crate::Side).
pub(super) const PAO: [Yaku; 3] = [Yaku::Daisangen, Yaku::Daisuushii, Yaku::Suukantsu];
