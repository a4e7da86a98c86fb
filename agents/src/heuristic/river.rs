//! What a player's discards reveal about their hand.

use jantaku_engine::{Melds, Observation, Seat, TileSet};

/// The information about a player's waits in their discards and in those of the others.
#[derive(Clone, Copy, Default)]
pub(super) struct River {
    /// The kinds on which the player cannot win now: their own discards, and the kinds that have
    /// passed since their riichi or since their hand last changed.
    pub safe: TileSet,
    /// The kinds of their early discards.
    pub early: TileSet,
    /// Whether all their early discards are made.
    is_past_early: bool,
    /// The kinds of their own discards.
    own: TileSet,
}

impl River {
    /// The river of a player, whose first `early` discards count as early.
    pub(super) fn new(o: &Observation<'_>, seat: Seat, early: u8) -> River {
        let side = o.side(seat);
        let own = side.discarded();
        let first = o.discards().of(seat).take(usize::from(early));
        River {
            safe: own | o.side(seat).passed(),
            early: first.map(|discard| discard.tile.kind()).collect(),
            is_past_early: side.discard_count() >= early,
            own,
        }
    }
}

/// The suit of a hand that looks like a flush: its melds have no other suit, and the player has
/// discarded at most one kind of it.
pub(super) fn flush_suit(melds: &Melds, river: &River) -> Option<usize> {
    let kinds = melds.iter().fold(TileSet::EMPTY, |kinds, meld| kinds | meld.kinds());
    let mut suits = (0..3).filter(|suit| kinds.suit_bits(*suit) != 0);
    let (suit, None) = (suits.next()?, suits.next()) else { return None };
    let discarded = river.own.suit_bits(suit).count_ones();
    (river.is_past_early && discarded <= 1).then_some(suit)
}
