//! What everyone sees of a player's hand.

use jantaku_engine::{Observation, Seat, TileSet};

/// The number of calls.
pub fn calls(o: &Observation<'_>, seat: Seat) -> usize {
    o.side(seat).melds().iter().filter(|meld| meld.is_open()).count()
}

/// The tsumogiri since the last discard from the hand.
pub fn unchanged(o: &Observation<'_>, seat: Seat) -> usize {
    let discards: Vec<_> = o.discards().of(seat).collect();
    discards.iter().rev().take_while(|discard| discard.tsumogiri).count()
}

/// The discards before which no suit counts as that of a flush.
const EARLY: usize = 6;

/// The suit of a hand that looks like a flush: all melds have it, and the player has discarded at
/// most one kind of it.
pub fn flush_suit(o: &Observation<'_>, seat: Seat) -> Option<usize> {
    let melds = o.side(seat).melds().iter().fold(TileSet::EMPTY, |kinds, meld| kinds | meld.kinds());
    let mut suits = (0..3).filter(|suit| melds.suit_bits(*suit) != 0);
    let (suit, None) = (suits.next()?, suits.next()) else { return None };
    let discards: Vec<_> = o.discards().of(seat).map(|discard| discard.tile.kind()).collect();
    let kinds: TileSet = discards.iter().copied().collect();
    (discards.len() >= EARLY && kinds.suit_bits(suit).count_ones() <= 1).then_some(suit)
}

/// The dora in the melds, red fives included.
pub fn dora(o: &Observation<'_>, seat: Seat) -> usize {
    let melds = o.side(seat).melds();
    let indicated = o.indicators().iter().map(|indicator| {
        let dora = indicator.kind().dora(false);
        melds.iter().map(|meld| meld.count(dora)).sum::<usize>()
    });
    indicated.sum::<usize>() + usize::from(melds.reds())
}

/// The triplets and kans among the melds.
pub fn triplets(o: &Observation<'_>, seat: Seat) -> TileSet {
    o.side(seat).melds().iter().filter(|meld| !meld.is_sequence()).map(|meld| meld.low()).collect()
}

/// The han of triplets of these kinds as valued honours.
pub fn valued(o: &Observation<'_>, seat: Seat, triplets: TileSet) -> u32 {
    let winds = [o.seat_wind(seat).tile(), o.round_wind().tile()];
    let of_winds = winds.into_iter().filter(|wind| triplets.contains(*wind)).count() as u32;
    (triplets & TileSet::DRAGONS).len() + of_winds
}
