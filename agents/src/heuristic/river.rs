//! What a player's discards reveal about their hand.

use jantaku_engine::{Melds, Observation, Seat, TileSet};

/// The information about a player's waits in their discards and in those of the others.
#[derive(Clone, Copy, Default)]
pub(super) struct River {
    /// The kinds on which the player cannot win now: their own discards, and the kinds that have
    /// passed since their riichi or since their hand last changed.
    pub safe: TileSet,
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
        River { safe: own | o.side(seat).passed(), is_past_early: side.discard_count() >= early, own }
    }
}

/// The kinds of the first `early` discards of each player, by the index of the seat.
pub(super) fn early_discards(o: &Observation<'_>, early: u8) -> [TileSet; 4] {
    let (mut kinds, mut made) = ([TileSet::EMPTY; 4], [0; 4]);
    let mut left: u8 = o.rules().players.seats().map(|seat| o.side(seat).discard_count().min(early)).sum();
    for discard in o.discards().iter() {
        let seat = discard.seat.index();
        if made[seat] < early {
            kinds[seat].insert(discard.tile.kind());
            made[seat] += 1;
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    kinds
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
