//! A player's turn: the legal actions with a drawn or claimed tile, and their effects.

use super::{Round, Step};
use crate::draw::DrawReason;
use crate::event::{Event, Observer};
use crate::outcome::Ending;
use crate::own_view::is_tenpai;
use crate::rules::options::{
    Atozuke, FifthKan, KanDoraTiming, North, OpenRiichi, RiichiAnkan, TempFuritenEnd,
};
use crate::score::{Moment, Riichi, is_triplet_in_every_reading};
use crate::table::{DrawSource, Offer, OfferKind, Phase};
use crate::{
    Action, ActionSet, Concealed, Declare, Meld, MeldKind, Melds, Seat, SeatSet, Shanten, Tile, TileKind,
    TileMask, TileSet,
};

impl Round {
    /// Draws from the live wall.
    #[inline]
    pub(super) fn draw(&mut self, seat: Seat, seen: &mut impl Observer) -> Step {
        let tile = self.wall.draw();
        self.table.turn = seat;
        self.receive_draw(tile, DrawSource::Live, seen)
    }

    /// Draws from the dead wall.
    pub(super) fn replace(&mut self, source: DrawSource, seen: &mut impl Observer) -> Step {
        let tile = self.wall.replace();
        self.receive_draw(tile, source, seen)
    }

    /// Gives a drawn tile to the player whose turn it is.
    #[inline]
    fn receive_draw(&mut self, tile: Tile, source: DrawSource, seen: &mut impl Observer) -> Step {
        let seat = self.table.turn;
        self.table.live = self.wall.live();
        self.table.source = source;
        let private = &mut self.privates[seat];
        private.drawn = Some(tile);
        if self.table.rules.temp_furiten_end != TempFuritenEnd::OwnDiscard {
            private.temporary_furiten = false;
        }
        seen.event(&Event::Draw { seat, tile: Some(tile), replacement: source != DrawSource::Live });
        Step::Turn
    }

    /// Asks the player whose turn it is, or plays the only legal action.
    #[inline]
    pub(super) fn ask_turn(&mut self, seen: &mut impl Observer) -> Step {
        let seat = self.table.turn;
        let legal = self.turn_actions(seat);
        self.asked = SeatSet::EMPTY;
        self.table.phase = Phase::Turn;
        if legal.is_choice() || self.table.rules.has_referee() {
            self.ask(seat, legal);
            return Step::Stop;
        }
        let only = legal
            .first()
            .expect("every turn has a legal action, because calls that leave no discard are illegal");
        self.act(only.action(), seen)
    }

    #[expect(clippy::inline_always, reason = "called for every draw, and not inlined otherwise")]
    #[inline(always)]
    fn turn_actions(&self, seat: Seat) -> ActionSet {
        let (private, side) = (&self.privates[seat], &self.table.sides[seat]);
        let mut legal = ActionSet::EMPTY;
        let Some(drawn) = private.drawn else {
            // Right after a chi or pon, only a discard is possible.
            legal.insert_discards(
                private.hand.distinct_tiles() - TileMask::from(self.table.forbidden),
                Declare::Nothing,
            );
            return legal;
        };
        legal.insert(Action::Tsumogiri { declare: Declare::Nothing });
        if side.is_dead {
            if !side.in_riichi() {
                legal.insert_discards(private.hand.distinct_tiles(), Declare::Nothing);
            }
            return legal;
        }
        let completes = private.waits.contains(drawn.kind()) && self.can_tsumo(seat, drawn);
        legal.insert_if(completes || self.wins_unconnected(seat, drawn), Action::Tsumo);
        if side.in_riichi() {
            if self.table.live > 0 {
                legal.insert_kans(self.riichi_kans(seat, drawn));
                legal.insert_if(self.can_set_aside(drawn.kind() == TileKind::NORTH), Action::Kita);
            }
            return legal;
        }
        legal.insert_discards(private.hand.distinct_tiles(), Declare::Nothing);
        if self.table.live > 0 {
            legal.insert_kans(self.own_kans(seat, drawn));
            let has_north = drawn.kind() == TileKind::NORTH || private.hand.kinds().contains(TileKind::NORTH);
            legal.insert_if(self.can_set_aside(has_north), Action::Kita);
        }
        if private.may_be_one_away() && self.can_declare_riichi(seat) {
            self.insert_riichi(seat, drawn, &mut legal);
        }
        legal.insert_if(
            self.table.uninterrupted && self.is_kyuushu_kyuuhai(seat, drawn),
            Action::KyuushuKyuuhai,
        );
        legal
    }

    /// Whether a complete hand may win: it has the yaku that the rules require, and its riichi was
    /// no foul.
    fn can_tsumo(&self, seat: Seat, drawn: Tile) -> bool {
        let rules = &self.table.rules;
        if self.privates[seat].riichi_foul {
            return false;
        }
        let any_han_will_do = rules.han_needed(self.table.honba) <= 1 && rules.atozuke == Atozuke::Ari;
        let closed = !self.table.sides[seat].melds.are_open();
        closed && any_han_will_do || self.may_win(seat, drawn, true, self.tsumo_moment())
    }

    /// Whether the first draw wins by a local yaku that does not need four sets and a pair.
    #[inline]
    fn wins_unconnected(&self, seat: Seat, drawn: Tile) -> bool {
        let (table, rules) = (&self.table, &self.table.rules);
        let completes = self.privates[seat].waits.contains(drawn.kind());
        let is_first = table.uninterrupted && table.sides[seat].discards == 0;
        let may_be = !rules.local_yaku.is_empty() && is_first && !completes;
        may_be && self.win(seat, drawn, true, self.tsumo_moment()).score().is_some()
    }

    /// The moment of a win with the drawn tile.
    pub(super) fn tsumo_moment(&self) -> Moment {
        match self.table.source {
            DrawSource::Live if self.table.live == 0 => Moment::LastTile,
            DrawSource::Live | DrawSource::Claim => Moment::Ordinary,
            DrawSource::Kan => Moment::Rinshan,
            DrawSource::Kita => Moment::KitaReplacement,
        }
    }

    /// The kinds with which a player who is not in riichi may declare an ankan or kakan.
    #[inline]
    fn own_kans(&self, seat: Seat, drawn: Tile) -> TileSet {
        let hand = &self.privates[seat].hand;
        let drawn = TileSet::of(drawn.kind());
        let four = hand.at_least(4) | hand.at_least(3) & drawn;
        let added = self.table.sides[seat].melds.pons() & (hand.kinds() | drawn);
        if (four | added).is_empty() || !self.another_kan_can_be_declared() {
            return TileSet::EMPTY;
        }
        four | added
    }

    /// Whether fewer than four kans are declared, or the rules allow a fifth, which ends the hand.
    #[inline]
    pub(super) fn another_kan_can_be_declared(&self) -> bool {
        self.table.kans < 4 || self.table.rules.fifth_kan == FifthKan::AbortsHand
    }

    #[inline]
    fn can_set_aside(&self, has_north: bool) -> bool {
        has_north && self.table.rules.north == North::Nukidora
    }

    /// The kinds with which a player in riichi may declare an ankan: the kind just drawn, or none.
    fn riichi_kans(&self, seat: Seat, drawn: Tile) -> TileSet {
        let private = &self.privates[seat];
        let kind = drawn.kind();
        let has_no_kan = !private.hand.at_least(3).contains(kind) || !self.another_kan_can_be_declared();
        if has_no_kan || !self.kan_keeps_riichi(seat, kind) {
            return TileSet::EMPTY;
        }
        kind.into()
    }

    /// Whether the rules allow a player in riichi an ankan of the drawn kind.
    #[cold]
    fn kan_keeps_riichi(&self, seat: Seat, kind: TileKind) -> bool {
        let (private, melds) = (&self.privates[seat], self.table.sides[seat].melds);
        let rules = &self.table.rules;
        let mut after = private.hand;
        for _ in 0..3 {
            after.remove_any(kind);
        }
        let mut more_melds = melds;
        more_melds.push(Meld::new(MeldKind::Ankan, kind, 0, None));
        let waits = after.waits(more_melds.len());
        let same_waits = !waits.is_empty() && waits == private.waits;
        let same_shape =
            || private.waits.iter().all(|wait| is_triplet_in_every_reading(&private.hand, wait, kind));
        match rules.riichi_ankan {
            RiichiAnkan::Forbidden => false,
            RiichiAnkan::Free => is_tenpai(&after, waits, &more_melds, rules),
            RiichiAnkan::WaitsUnchanged => same_waits,
            RiichiAnkan::ShapeUnchanged => same_waits && same_shape(),
            RiichiAnkan::YakuSafe => {
                same_waits && same_shape() && self.kan_keeps_yaku(seat, &after, &more_melds)
            }
        }
    }

    /// Whether a kan keeps all yaku of every possible win.
    fn kan_keeps_yaku(&self, seat: Seat, after: &Concealed, melds: &Melds) -> bool {
        self.privates[seat].waits.iter().all(|wait| {
            let before = self.win(seat, Tile::plain(wait), false, Moment::Ordinary);
            let mut concealed = *after;
            concealed.add(Tile::plain(wait));
            let with_kan = crate::score::Win { concealed, melds, ..before.clone() };
            let yaku_before = before.score().map(|score| score.yaku);
            let yaku_after = with_kan.score().map(|score| score.yaku);
            yaku_before.is_none_or(|before| yaku_after.is_some_and(|after| after & before == before))
        })
    }

    #[inline]
    pub(super) fn can_declare_riichi(&self, seat: Seat) -> bool {
        let table = &self.table;
        table.live >= table.rules.riichi_min_live
            && !table.sides[seat].melds.are_open()
            && table.rules.riichi_min_points.0.is_none_or(|points| table.scores[seat] >= points)
    }

    /// Inserts the riichi discards: those that leave the hand tenpai.
    fn insert_riichi(&self, seat: Seat, drawn: Tile, legal: &mut ActionSet) {
        let (private, melds) = (&self.privates[seat], &self.table.sides[seat].melds);
        let (full, rules) = (private.hand_with_draw(), &self.table.rules);
        // The shanten does not count a wait for a fifth copy.
        if full.shanten(melds.len()) > Shanten::TENPAI && !self.fifth_copy_is_a_wait() {
            return;
        }
        let leaves_tenpai = |kind: &TileKind| {
            let mut rest = full;
            rest.remove_any(*kind);
            let near = rest.shanten(melds.len()) == Shanten::TENPAI || self.fifth_copy_is_a_wait();
            near && is_tenpai(&rest, rest.waits(melds.len()), melds, rules)
        };
        let kinds: TileSet = full.kinds().iter().filter(leaves_tenpai).collect();
        let open = (rules.open_riichi != OpenRiichi::Off).then_some(Declare::OpenRiichi);
        for declare in [Declare::Riichi].into_iter().chain(open) {
            legal.insert_discards(private.hand.distinct_tiles() & TileMask::from(kinds), declare);
            legal.insert_if(kinds.contains(drawn.kind()), Action::Tsumogiri { declare });
        }
    }

    fn fifth_copy_is_a_wait(&self) -> bool {
        self.table.rules.own_four_wait == crate::rules::options::OwnFourWait::Tenpai
    }

    #[inline]
    fn is_kyuushu_kyuuhai(&self, seat: Seat, drawn: Tile) -> bool {
        let kinds = self.privates[seat].hand.kinds() | TileSet::of(drawn.kind());
        self.table.rules.kyuushu
            && self.table.sides[seat].discards == 0
            && (kinds & TileSet::YAOCHUU).len() >= 9
    }

    /// Applies the action of the player whose turn it is.
    #[inline]
    pub(super) fn act(&mut self, action: Action, seen: &mut impl Observer) -> Step {
        let seat = self.table.turn;
        if action != Action::Tsumo {
            self.miss_own_draw(seat);
        }
        match action {
            Action::Discard { tile, declare } => self.discard(tile, false, declare, seen),
            Action::Tsumogiri { declare } => {
                let tile = self.privates[seat].drawn.expect("tsumogiri is legal only after a draw");
                self.discard(tile, true, declare, seen)
            }
            Action::Kan { kind } => self.declare_kan(kind, seen),
            Action::Kita => self.declare_kita(seen),
            Action::Tsumo => {
                let tile = self.privates[seat].drawn.expect("tsumo is legal only after a draw");
                let moment = self.tsumo_moment();
                self.end(Ending::Win { winners: [seat].into_iter().collect(), from: None, tile, moment })
            }
            Action::KyuushuKyuuhai => self.abort(DrawReason::KyuushuKyuuhai),
            other => unreachable!("{other} is not offered in a turn"),
        }
    }

    /// Marks a player in riichi as furiten if they do not win with a drawn tile that completes their hand.
    #[inline]
    fn miss_own_draw(&mut self, seat: Seat) {
        let private = &mut self.privates[seat];
        if self.table.sides[seat].in_riichi() {
            private.riichi_furiten |= private.drawn.is_some_and(|tile| private.waits.contains(tile.kind()));
        }
    }

    #[inline]
    fn discard(&mut self, tile: Tile, tsumogiri: bool, declare: Declare, seen: &mut impl Observer) -> Step {
        let seat = self.table.turn;
        let (private, side) = (&mut self.privates[seat], &mut self.table.sides[seat]);
        if tsumogiri {
            private.drawn = None;
        } else {
            private.hand.remove(tile);
            private.take_in_draw();
            private.update(side.melds.len());
        }
        if self.table.rules.temp_furiten_end == TempFuritenEnd::OwnDiscard {
            private.temporary_furiten = false;
        }
        side.ippatsu = false;
        self.table.unseen.see(tile.kind().into());
        self.table.add_discard(seat, tile, tsumogiri, declare != Declare::Nothing);
        self.table.forbidden = TileSet::EMPTY;
        self.table.kan_feeder = None;
        self.table.declared = declare;
        seen.event(&Event::Discard { seat, tile, tsumogiri, declare });
        if self.table.owed.at_discard > 0 {
            self.turn_owed(KanDoraTiming::AtDiscard, seen);
        }
        self.table.offer = Some(Offer { tile, from: seat, kind: OfferKind::Discard });
        Step::Offer
    }

    /// Accepts a riichi after nobody won on its discard: pays the stick.
    pub(super) fn accept_riichi(&mut self, seat: Seat, seen: &mut impl Observer) {
        let double = self.table.uninterrupted && self.table.sides[seat].discards == 1;
        self.table.scores[seat] -= self.table.rules.riichi_stick;
        self.table.sticks += 1;
        let side = &mut self.table.sides[seat];
        side.riichi = if double { Riichi::Double } else { Riichi::Single };
        side.ippatsu = true;
        if self.table.declared == Declare::OpenRiichi {
            self.table.shown_waits[seat] = self.privates[seat].waits;
        }
        self.table.declared = Declare::Nothing;
        seen.event(&Event::RiichiAccepted { seat });
    }
}
