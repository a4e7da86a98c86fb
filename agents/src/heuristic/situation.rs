//! The situation of a decision: facts that follow from the observation.

use std::cell::OnceCell;

use jantaku_engine::{Concealed, Meld, Observation, Riichi, TileKind, TileSet, Unseen};

use crate::view;

/// An observation with the facts that estimates need again and again.
pub(super) struct Situation<'a> {
    pub o: &'a Observation<'a>,
    /// The tiles that the player has not seen.
    pub unseen: Unseen,
    /// The number of the player's remaining draws if nobody calls.
    pub draws: usize,
    /// The kinds that the player has discarded.
    pub discarded: TileSet,
    /// The kinds that each opponent has discarded.
    rivers: [TileSet; 3],
    pub is_dealer: bool,
    /// Honours whose triplet is a yaku for the player.
    pub valued: TileSet,
    /// Honours whose triplet is a yaku for every player.
    pub shared: TileSet,
    /// The kind that is both the round wind and the player's seat wind.
    pub double_wind: TileSet,
    /// The kinds that are dora.
    pub dora_kinds: TileSet,
    /// The number of indicators that make each kind a dora.
    dora: [u8; TileKind::COUNT],
    /// See [`Situation::is_complete`].
    is_complete: OnceCell<bool>,
}

impl<'a> Situation<'a> {
    pub(super) fn new(o: &'a Observation<'a>) -> Situation<'a> {
        let rules = o.rules();
        let seat = o.seat_wind(o.seat()).tile();
        let shared = view::shared_yakuhai(o);
        let valued = shared | TileSet::of(seat);
        let (mut dora, mut dora_kinds) = ([0; TileKind::COUNT], TileSet::EMPTY);
        for kind in view::dora(o) {
            dora[kind.index()] += 1;
            dora_kinds.insert(kind);
        }
        let mut rivers = [TileSet::EMPTY; 3];
        for (river, seat) in rivers.iter_mut().zip(rules.players.others(o.seat())) {
            *river = o.side(seat).discarded();
        }
        Situation {
            o,
            rivers,
            unseen: o.unseen(),
            draws: usize::from(o.live()) / usize::from(rules.players.count()),
            discarded: o.side(o.seat()).discarded(),
            is_dealer: o.dealer() == o.seat(),
            valued,
            shared,
            double_wind: rules.round_winds(o.round_wind()) & TileSet::of(seat),
            dora_kinds,
            dora,
            is_complete: OnceCell::new(),
        }
    }

    /// The number of opponents against whom this kind is nearly safe: those who discarded it, and all
    /// opponents for an honour with at most one unseen tile.
    #[inline]
    pub(super) fn safe_from(&self, kind: TileKind) -> usize {
        if kind.is_honour() && self.unseen.of(kind) <= 1 {
            return usize::from(self.o.rules().players.count()) - 1;
        }
        self.rivers.iter().filter(|river| river.contains(kind)).count()
    }

    /// The number of indicators that make this kind a dora.
    #[inline]
    pub(super) fn dora_of(&self, kind: TileKind) -> u8 {
        self.dora[kind.index()]
    }

    /// The number of dora and red fives among these tiles.
    pub(super) fn dora_in(&self, hand: &Concealed) -> u8 {
        let held = (self.dora_kinds & hand.kinds()).iter();
        held.map(|kind| self.dora_of(kind) * hand.count(kind) as u8).sum::<u8>() + hand.red_count()
    }

    /// The number of dora and red fives in a meld.
    pub(super) fn dora_in_meld(&self, meld: Meld) -> u8 {
        let dora = (meld.kinds() & self.dora_kinds).iter();
        let indicated = dora.map(|kind| self.dora_of(kind) * meld.count(kind) as u8);
        indicated.sum::<u8>() + meld.reds()
    }

    /// The han of triplets of these kinds as valued honours.
    pub(super) fn valued_han(&self, triplets: TileSet) -> u8 {
        ((triplets & self.valued).len() + (triplets & self.double_wind).len()) as u8
    }

    /// Whether the hand is complete with the drawn tile. It then waits for each tile that it discards.
    pub(super) fn is_complete(&self) -> bool {
        *self.is_complete.get_or_init(|| {
            let o = self.o;
            o.drawn().is_some() && o.hand_with_draw().shanten(o.melds().len()).number() < 0
        })
    }

    /// The riichi of a hand that has declared it, or declares it now.
    pub(super) fn riichi(&self) -> Riichi {
        let declared = self.o.side(self.o.seat()).riichi();
        if declared == Riichi::Double { declared } else { Riichi::Single }
    }

    /// Whether the rules let a tenpai closed hand declare riichi.
    pub(super) fn may_riichi(&self) -> bool {
        let (o, rules) = (self.o, self.o.rules());
        let least = rules.riichi_min_points.0;
        least.is_none_or(|least| o.scores()[o.seat()] >= least) && o.live() >= rules.riichi_min_live
    }
}

/// The stage of the game as [`PlacementModel`](crate::PlacementModel) numbers stages: the scheduled
/// hands left, this one included, and 0 in an extension.
pub(super) fn stage(o: &Observation<'_>) -> usize {
    let scheduled = usize::from(o.rules().wind_rounds) * usize::from(o.rules().players.count());
    scheduled.saturating_sub(usize::from(o.round()))
}
