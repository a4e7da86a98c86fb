//! What only one player sees: his tiles, what they wait for, and whether he may win by ron.

use crate::rules::knobs::OwnFourWait;
use crate::{Concealed, Hand, Melds, Rules, Shanten, Tile, TileKind, TileSet};

/// The hidden part of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Private {
    /// The concealed tiles without the one just drawn.
    pub(crate) hand: Concealed,
    /// The tile just drawn, in the own turn.
    pub(crate) drawn: Option<Tile>,
    /// The tiles that complete the hand by shape.
    pub(crate) waits: TileSet,
    /// The tiles with which the hand can make a sequence.
    pub(crate) runs_with: TileSet,
    /// The hand is not tenpai for so many more exchanges of a tile.
    far: u8,
    /// Has let a winning tile pass, until the rules forget it.
    pub(crate) temporary_furiten: bool,
    /// Has let one pass in riichi.
    pub(crate) riichi_furiten: bool,
    /// Decisions taken in this hand.
    pub(crate) decisions: u16,
}

impl Private {
    /// With these tiles beside so many melds.
    pub(crate) fn new(tiles: impl Iterator<Item = Tile>, melds: usize) -> Private {
        let mut private = Private {
            hand: tiles.collect(),
            drawn: None,
            waits: TileSet::EMPTY,
            runs_with: TileSet::EMPTY,
            far: 0,
            temporary_furiten: false,
            riichi_furiten: false,
            decisions: 0,
        };
        private.settle(melds);
        private
    }

    /// The concealed tiles without the one just drawn.
    #[must_use]
    pub const fn hand(&self) -> &Concealed {
        &self.hand
    }

    /// The concealed tiles with the one just drawn.
    #[must_use]
    #[inline]
    pub fn hand_with_draw(&self) -> Concealed {
        let mut hand = self.hand;
        if let Some(tile) = self.drawn {
            hand.add(tile);
        }
        hand
    }

    /// The tile just drawn, in the own turn.
    #[must_use]
    pub const fn drawn(&self) -> Option<Tile> {
        self.drawn
    }

    /// The tiles that complete the hand by shape, without the tile just drawn.
    #[must_use]
    pub const fn waits(&self) -> TileSet {
        self.waits
    }

    /// Brings up to date what is derived from the hand after tiles have changed.
    ///
    /// A hand that is k away from tenpai needs k exchanges at least, so the shanten is read only when it may have been reached.
    #[inline]
    pub(crate) fn settle(&mut self, melds: usize) {
        self.runs_with = runs_with(self.hand.kinds());
        self.far = self.far.saturating_sub(1);
        if self.far > 0 {
            self.waits = TileSet::EMPTY;
            return;
        }
        let shanten = self.hand.shanten(melds);
        self.far = shanten.number().max(0) as u8;
        self.waits = if shanten == Shanten::TENPAI { self.hand.ukeire(melds).1 } else { TileSet::EMPTY };
    }

    /// Whether a tile more can make the hand tenpai or it is already.
    #[inline]
    pub(crate) fn may_be_one_away(&self) -> bool {
        self.far <= 1
    }

    /// The tile just drawn joins the others.
    #[inline]
    pub(crate) fn take_in_draw(&mut self) {
        if let Some(tile) = self.drawn.take() {
            self.hand.add(tile);
        }
    }

    /// Whether the hand, of 13 tiles less three a meld, is tenpai by the rules.
    pub(crate) fn is_tenpai(&self, melds: &Melds, rules: &Rules) -> bool {
        is_tenpai(&self.hand, self.waits, melds, rules)
    }
}

/// Whether a hand with these waits by shape is tenpai by the rules: what a wait for tiles is worth of which the player
/// holds all four is a rule.
pub(crate) fn is_tenpai(hand: &Concealed, waits: TileSet, melds: &Melds, rules: &Rules) -> bool {
    match rules.own_four_wait {
        // A fifth copy of a concealed tile is never among the waits.
        OwnFourWait::NotIfConcealedFour => !waits.is_empty(),
        OwnFourWait::NotIfOwnFour => waits.iter().any(|kind| hand.count(kind) + melds.count(kind) < 4),
        OwnFourWait::Tenpai => !waits.is_empty() || waits_for_fifth_copy(hand, melds.len()),
    }
}

impl Hand {
    /// Whether the concealed tiles and melds, of 13 tiles in all, are tenpai by the rules.
    #[must_use]
    pub fn is_tenpai(&self, rules: &Rules) -> bool {
        is_tenpai(self.concealed(), self.concealed().waits(self.melds().len()), self.melds(), rules)
    }
}

/// Whether a fifth copy of a tile would complete the hand.
#[cold]
fn waits_for_fifth_copy(hand: &Concealed, melds: usize) -> bool {
    hand.at_least(4).iter().any(|kind| {
        let mut copies: Vec<u8> = TileKind::all().map(|k| hand.count(k) as u8).collect();
        copies[kind.index()] += 1;
        falls_into_sets(&copies, 4 - melds, true)
    })
}

/// Whether the tiles fall into so many sets, with a pair if it is wanted.
fn falls_into_sets(copies: &[u8], sets: usize, pair: bool) -> bool {
    let Some(kind) = copies.iter().position(|n| *n > 0) else {
        return sets == 0 && !pair;
    };
    let without = |tiles: &[usize]| {
        let mut rest = copies.to_vec();
        tiles.iter().try_for_each(|kind| rest[*kind].checked_sub(1).map(|n| rest[*kind] = n)).map(|()| rest)
    };
    let falls =
        |tiles: &[usize], sets, pair| without(tiles).is_some_and(|rest| falls_into_sets(&rest, sets, pair));
    let run = TileKind::from_index(kind).offset(2).is_some();
    sets > 0 && falls(&[kind; 3], sets - 1, pair)
        || sets > 0 && run && falls(&[kind, kind + 1, kind + 2], sets - 1, pair)
        || pair && falls(&[kind; 2], sets, false)
}

/// The kinds that make a sequence with two of these.
#[inline]
fn runs_with(kinds: TileSet) -> TileSet {
    const SUITS: u64 = (1 << 27) - 1;
    /// Ranks 2–9 and 3–9 of each suit: a shift by one or two ranks must not leave the suit.
    const FROM_2: u64 = 0b1_1111_1110 * (1 | 1 << 9 | 1 << 18);
    const FROM_3: u64 = 0b1_1111_1100 * (1 | 1 << 9 | 1 << 18);
    let kinds = kinds.bits() & SUITS;
    let (up_1, up_2) = (kinds << 1 & FROM_2, kinds << 2 & FROM_3);
    let (down_1, down_2) = ((kinds & FROM_2) >> 1, (kinds & FROM_3) >> 2);
    TileSet::from_bits(up_1 & up_2 | up_1 & down_1 | down_1 & down_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChiPosition;

    #[test]
    fn runs_are_found_within_suits() {
        for text in ["12m", "89m12p", "1m3m", "79s", "13579m", "5m5p5s", "1234567z", "45p"] {
            let kinds: TileSet = text.parse().expect("notation");
            let expected: TileSet = TileKind::all()
                .filter(|claimed| {
                    let has = |position: &ChiPosition| {
                        position.partners(*claimed).is_some_and(|p| p.iter().all(|k| kinds.contains(*k)))
                    };
                    ChiPosition::ALL.iter().any(has)
                })
                .collect();
            assert_eq!(runs_with(kinds), expected, "{text}");
        }
    }
}
