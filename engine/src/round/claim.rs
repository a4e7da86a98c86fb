//! An offered tile: who can claim it, and how the claims are resolved.

use super::{Round, Step};
use crate::draw::DrawReason;
use crate::event::{Event, Observer};
use crate::outcome::Ending;
use crate::rules::options::{
    AnkanRob, HeadBump, KanDoraTiming, TempFuritenEnd, TempFuritenTrigger, TripleRon,
};
use crate::score::{Circumstances, Moment, Shown, Win};
use crate::table::{DrawSource, Offer, OfferKind, Phase};
use crate::{
    Action, ActionSet, ChiPosition, Claimed, Declare, Meld, MeldKind, Seat, SeatSet, Shanten, Tile, TileKind,
    TileSet,
};

impl Round {
    /// Asks every player who can claim the offered tile. With a referee every other player is
    /// asked, because they could claim it wrongly.
    #[inline]
    pub(super) fn ask_others(&mut self) -> Step {
        let offer = self.offered();
        self.asked = SeatSet::EMPTY;
        self.table.phase = if offer.kind == OfferKind::Discard { Phase::Claim } else { Phase::KanClaim };
        if self.is_wanted(offer) || self.table.rules.has_referee() {
            self.ask_claimants(offer);
        }
        if self.pending.is_empty() { Step::Passed } else { Step::Stop }
    }

    /// Whether any player could use the offered tile, before rules and moment are considered.
    #[inline]
    fn is_wanted(&self, offer: Offer) -> bool {
        let players = self.table.rules.players;
        let mut wanted = self.privates[offer.from.next(players)].chi_kinds;
        for seat in players.others(offer.from) {
            wanted |= self.privates[seat].waits | self.privates[seat].hand.at_least(2);
        }
        wanted.contains(offer.tile.kind())
    }

    fn ask_claimants(&mut self, offer: Offer) {
        let players = self.table.rules.players;
        let everyone = self.table.rules.has_referee();
        let kind = offer.tile.kind();
        let calls_open =
            offer.kind == OfferKind::Discard && self.table.live > 0 && !self.four_kans_by_several();
        for seat in players.others(offer.from) {
            let private = &self.privates[seat];
            let may_chi = calls_open && self.table.rules.chi && offer.from.next(players) == seat;
            let mut wanted = private.waits;
            if calls_open {
                wanted |= private.hand.at_least(2);
            }
            if may_chi {
                wanted |= private.chi_kinds;
            }
            if wanted.contains(kind) || everyone {
                let mut legal = self.claim_actions(seat, offer, calls_open, may_chi);
                if !legal.is_empty() || everyone {
                    legal.insert(Action::Pass);
                    self.ask(seat, legal);
                }
            }
        }
    }

    fn claim_actions(&self, seat: Seat, offer: Offer, calls_open: bool, may_chi: bool) -> ActionSet {
        let mut legal = ActionSet::EMPTY;
        if self.table.sides[seat].is_dead {
            return legal;
        }
        let kind = offer.tile.kind();
        legal.insert_if(self.privates[seat].waits.contains(kind) && self.can_ron(seat, offer), Action::Ron);
        if calls_open && !self.table.sides[seat].in_riichi() {
            self.insert_pons_and_daiminkan(seat, kind, &mut legal);
            if may_chi {
                self.insert_chis(seat, kind, &mut legal);
            }
        }
        legal
    }

    fn can_ron(&self, seat: Seat, offer: Offer) -> bool {
        let can_be_robbed = match offer.kind {
            OfferKind::Ankan => self.robs_ankan(seat),
            OfferKind::Kita => self.table.rules.kita_rob,
            OfferKind::Discard | OfferKind::Kakan => true,
        };
        can_be_robbed
            && !self.observe(seat).is_furiten()
            && !self.privates[seat].riichi_foul
            && self.may_win(seat, offer.tile, false, self.ron_moment(offer))
    }

    /// Whether the hand wins on the tile of an ankan. Only thirteen orphans can.
    fn robs_ankan(&self, seat: Seat) -> bool {
        self.table.rules.ankan_rob == AnkanRob::KokushiOnly
            && self.table.sides[seat].melds.is_empty()
            && self.privates[seat].hand.thirteen_orphans_shanten() == Shanten::TENPAI
    }

    /// The moment of a win on the offered tile.
    pub(super) fn ron_moment(&self, offer: Offer) -> Moment {
        match offer.kind {
            OfferKind::Kakan | OfferKind::Ankan => Moment::Chankan,
            OfferKind::Discard if self.table.live == 0 => Moment::LastTile,
            OfferKind::Discard | OfferKind::Kita => Moment::Ordinary,
        }
    }

    /// Whether a complete hand has the yaku that the rules require.
    pub(super) fn may_win(&self, seat: Seat, tile: Tile, tsumo: bool, moment: Moment) -> bool {
        let rules = &self.table.rules;
        if self.table.sides[seat].in_riichi() && rules.han_needed(self.table.honba) <= 1 {
            return true;
        }
        self.win(seat, tile, tsumo, moment).allowed(self.privates[seat].waits).is_ok()
    }

    /// The player's win with this tile.
    pub(super) fn win(&self, seat: Seat, tile: Tile, tsumo: bool, moment: Moment) -> Win<'_> {
        let (table, side) = (&self.table, &self.table.sides[seat]);
        let mut concealed = self.privates[seat].hand;
        concealed.add(tile);
        let is_discard = !tsumo && table.offer.is_some_and(|offer| offer.kind == OfferKind::Discard);
        Win {
            rules: table.rules,
            concealed,
            melds: &side.melds,
            tile: tile.kind(),
            tsumo,
            seat_wind: table.seat_wind(seat),
            round_wind: table.round_wind(),
            riichi: side.riichi,
            ippatsu: side.ippatsu,
            moment,
            first_turn: table.uninterrupted && side.discards == 0,
            indicators: table.indicators(),
            ura_indicators: &[],
            norths: side.norths,
            circumstances: Circumstances {
                honba: table.honba,
                dealer_wins: table.dealer_wins,
                riichi_tile: is_discard && table.declared != Declare::Nothing,
                after_kan: is_discard && table.source == DrawSource::Kan,
                shown: match table.shown_waits[seat].is_empty() {
                    true => Shown::Nothing,
                    false if tsumo || table.sides[table.turn].in_riichi() => Shown::Waits,
                    false => Shown::WaitsToFeeder,
                },
            },
        }
    }

    fn insert_pons_and_daiminkan(&self, seat: Seat, kind: TileKind, legal: &mut ActionSet) {
        let hand = &self.privates[seat].hand;
        if !hand.at_least(2).contains(kind) {
            return;
        }
        legal.insert_if(
            hand.at_least(3).contains(kind) && self.another_kan_can_be_declared(),
            Action::Daiminkan,
        );
        // Kuikae never rules out a pon: the hand has four tiles or more, and they cannot all be of
        // the claimed kind, so a tile of another kind is left to discard.
        let (reds, plain) = (hand.reds_of(kind), hand.count(kind) - hand.reds_of(kind));
        let uses = 2usize.saturating_sub(plain)..=reds.min(2);
        uses.for_each(|reds| legal.insert(Action::Pon { reds: reds as u8 }));
    }

    /// Adds each chi after which the rules allow a discard.
    fn insert_chis(&self, seat: Seat, claimed: TileKind, legal: &mut ActionSet) {
        let hand = &self.privates[seat].hand;
        for position in ChiPosition::ALL {
            let Some(partners) = position.partners(claimed) else { continue };
            if !partners.iter().all(|kind| hand.kinds().contains(*kind)) {
                continue;
            }
            let mut rest = *hand;
            for kind in partners {
                rest.remove_any(kind);
            }
            if (rest.kinds() - self.table.rules.kuikae.after_chi(claimed, position)).is_empty() {
                continue;
            }
            let reds: usize = partners.iter().map(|kind| hand.reds_of(*kind)).sum();
            let all_red = partners.iter().any(|kind| hand.reds_of(*kind) == hand.count(*kind));
            legal.insert_if(!all_red, Action::Chi { position, red: false });
            legal.insert_if(reds > 0, Action::Chi { position, red: true });
        }
    }

    /// Ends the hand if a player declared ron. Otherwise `passed` applies the calls.
    pub(super) fn resolve_claims(&mut self, _: &mut impl Observer) -> Step {
        let offer = self.offered();
        let is_ron = |seat: &Seat| self.answer_of(*seat) == Some(Action::Ron);
        let rons: SeatSet = self.table.rules.players.others(offer.from).filter(is_ron).collect();
        if rons.is_empty() { Step::Passed } else { self.win_by_ron(rons, offer) }
    }

    /// The answer of a seat to the latest decision. None if the seat was not asked.
    pub(super) fn answer_of(&self, seat: Seat) -> Option<Action> {
        self.asked.contains(seat).then(|| self.answers[seat].action())
    }

    fn win_by_ron(&mut self, rons: SeatSet, offer: Offer) -> Step {
        let rules = &self.table.rules;
        let mut order = rules.players.others(offer.from).filter(|seat| rons.contains(*seat));
        let nearest = order.next();
        let one = match rules.head_bump {
            HeadBump::Nearest => nearest,
            HeadBump::Farthest => order.next_back().or(nearest),
        };
        let winners = match (rons.len(), rules.triple_ron) {
            (3, TripleRon::Abort) => return self.abort(DrawReason::TripleRon),
            (3, TripleRon::HeadBump) => one.into_iter().collect(),
            (2.., _) if rules.max_ron == 1 => one.into_iter().collect(),
            _ => rons,
        };
        let moment = self.ron_moment(offer);
        self.end(Ending::Win { winners, from: Some(offer.from), tile: offer.tile, moment })
    }

    /// Continues after nobody won on the offered tile: applies a call or passes the turn. Players whose
    /// hands the tile would complete become furiten.
    #[inline]
    pub(super) fn passed(&mut self, seen: &mut impl Observer) -> Step {
        let offer = self.offered();
        if offer.kind == OfferKind::Discard {
            self.mark_furiten(offer);
            return self.discard_passed(offer, seen);
        }
        // A kan may end temporary furiten, but not the furiten that its own tile causes.
        let step = self.complete_unrobbed(offer, seen);
        self.mark_furiten(offer);
        step
    }

    /// Makes the players furiten whose hands the offered tile would complete. First tests all waits
    /// together, because most tiles complete no hand.
    #[inline]
    fn mark_furiten(&mut self, offer: Offer) {
        let kind = offer.tile.kind();
        let waits = self.privates.iter().fold(TileSet::EMPTY, |waits, private| waits | private.waits);
        if waits.contains(kind) {
            self.mark_furiten_by_seat(offer);
        }
    }

    fn mark_furiten_by_seat(&mut self, offer: Offer) {
        for seat in self.table.rules.players.others(offer.from) {
            if self.privates[seat].waits.contains(offer.tile.kind()) && self.passing_counts(seat, offer) {
                let in_riichi = self.table.sides[seat].in_riichi();
                let private = &mut self.privates[seat];
                private.temporary_furiten = true;
                private.riichi_furiten |= in_riichi;
            }
        }
    }

    /// Whether an offered tile that would complete the hand, and that nobody won on, makes the player
    /// furiten.
    fn passing_counts(&self, seat: Seat, offer: Offer) -> bool {
        let rules = &self.table.rules;
        let could_be_robbed = match offer.kind {
            OfferKind::Ankan => self.robs_ankan(seat),
            OfferKind::Kita => rules.kita_rob,
            OfferKind::Discard | OfferKind::Kakan => true,
        };
        let could_have_won = self.asked.contains(seat) && self.legal[seat].contains(Action::Ron.id());
        could_be_robbed && (rules.temp_furiten_trigger == TempFuritenTrigger::Shape || could_have_won)
    }

    /// Continues after nobody won on a discard: turns indicators, accepts a riichi, checks for an abortive
    /// draw, and applies a call or passes the turn.
    #[inline]
    fn discard_passed(&mut self, offer: Offer, seen: &mut impl Observer) -> Step {
        if self.table.owed.after_pass > 0 {
            self.turn_owed(KanDoraTiming::AfterDiscardPassed, seen);
        }
        if self.table.declared != Declare::Nothing && !self.riichi_is_void() {
            self.accept_riichi(offer.from, seen);
        }
        if let Some(reason) = self.abortive_draw() {
            return self.abort(reason);
        }
        let players = self.table.rules.players;
        if self.asked.is_empty() {
            self.table.offer = None;
            return Step::Draw(offer.from.next(players));
        }
        let calls = players.others(offer.from).filter_map(|seat| Some((seat, self.answer_of(seat)?)));
        // A pon or daiminkan goes before a chi. At most one seat can make a pon or daiminkan, and at most
        // one a chi.
        let best = calls
            .filter(|(_, action)| *action != Action::Pass)
            .max_by_key(|(_, action)| !matches!(action, Action::Chi { .. }));
        match best {
            Some((_, Action::Daiminkan)) if self.table.kans == 4 => self.abort(DrawReason::FourKans),
            Some((seat, action)) => self.call(seat, action, offer, seen),
            None => {
                self.table.offer = None;
                Step::Draw(offer.from.next(players))
            }
        }
    }

    /// Whether the riichi is not accepted because its discard causes an abortive draw.
    fn riichi_is_void(&self) -> bool {
        !self.table.rules.aborting_riichi_pays && self.abortive_draw().is_some()
    }

    /// Claims the discard for a meld.
    fn call(&mut self, seat: Seat, action: Action, offer: Offer, seen: &mut impl Observer) -> Step {
        let kind = offer.tile.kind();
        let (meld_kind, low, own) = match action {
            Action::Chi { position, red } => {
                let partners = position.partners(kind).expect("a legal chi has partners");
                let low = partners[0].min(kind);
                (MeldKind::Chi, low, self.take_out(seat, &partners, usize::from(red)))
            }
            Action::Pon { reds } => (MeldKind::Pon, kind, self.take_out(seat, &[kind; 2], usize::from(reds))),
            Action::Daiminkan => {
                let reds = self.privates[seat].hand.reds_of(kind);
                (MeldKind::Daiminkan, kind, self.take_out(seat, &[kind; 3], reds))
            }
            other => unreachable!("{other} is not a call"),
        };
        let reds = own + u8::from(offer.tile.is_red());
        let meld = Meld::new(meld_kind, low, reds, Some(Claimed { tile: offer.tile, from: offer.from }));
        self.table.sides[seat].melds.push(meld);
        self.table.show_meld(meld);
        self.table.discards.claim_last(seat);
        self.table.offer = None;
        self.table.turn = seat;
        if self.table.rules.keep_draws {
            self.keep_draws_after_call_from(offer.from);
        }
        self.note_liability(seat, meld);
        seen.event(&Event::Call { seat, meld });
        // The discard after the chi or pon computes the waits.
        self.privates[seat].waits = TileSet::EMPTY;
        if meld_kind == MeldKind::Daiminkan {
            self.privates[seat].update(self.table.sides[seat].melds.len());
            return self.complete_kan(meld_kind, seen);
        }
        self.table.source = DrawSource::Claim;
        self.interrupt(seat);
        self.table.forbidden = match action {
            Action::Chi { position, .. } => self.table.rules.kuikae.after_chi(kind, position),
            _ => self.table.rules.kuikae.after_pon(kind),
        };
        Step::Turn
    }

    /// Takes the tiles of a meld out of a hand, up to `reds` of them red fives. Returns the number
    /// of red fives taken.
    pub(super) fn take_out(&mut self, seat: Seat, kinds: &[TileKind], reds: usize) -> u8 {
        let hand = &mut self.privates[seat].hand;
        let mut left = reds;
        for kind in kinds {
            if left > 0 && TileSet::FIVES.contains(*kind) {
                hand.remove(Tile::red(kind.suit()));
                left -= 1;
            } else {
                hand.remove(Tile::plain(*kind));
            }
        }
        (reds - left) as u8
    }

    /// Ends the first go-around, all ippatsu and, depending on the rules, temporary furiten.
    /// Happens at a call, kan or kita.
    pub(super) fn interrupt(&mut self, seat: Seat) {
        self.table.uninterrupted = false;
        self.table.sides.iter_mut().for_each(|side| side.ippatsu = false);
        match self.table.rules.temp_furiten_end {
            TempFuritenEnd::OwnDrawOrOwnCall => self.privates[seat].temporary_furiten = false,
            TempFuritenEnd::OwnDrawOrAnyCall => {
                self.privates.iter_mut().for_each(|private| private.temporary_furiten = false);
            }
            TempFuritenEnd::OwnDiscard | TempFuritenEnd::OwnDraw => {}
        }
    }
}
