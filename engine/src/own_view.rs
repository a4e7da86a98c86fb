//! What only one player sees: their tiles, waits and furiten.
//!
//! # Why
//!
//! **Why are `Table` and `Private` separate types?** An `Observation` refers to the table and to
//! one player's private part. It cannot reach a hidden tile because it holds none. The same split
//! makes a guess of the hidden tiles (`determinize`) a copy of the table with new private parts.
//!
//! **When is a hand tested for tenpai?** A hand at shanten k needs at least k exchanges. Each
//! player has a countdown, and their shanten is looked up only when the countdown reaches zero.

use crate::getters::getters;
use crate::prefetch::prefetch;
use crate::rules::options::OwnFourWait;
use crate::{Concealed, Hand, Melds, Rules, Shanten, Tile, TileKind, TileSet};

/// What only one player sees of their own hand: the tiles, the waits and furiten.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Private {
    /// The concealed tiles without the drawn tile.
    pub(crate) hand: Concealed,
    /// The drawn tile, in the player's turn.
    pub(crate) drawn: Option<Tile>,
    /// The kinds that complete the shape of the hand.
    pub(crate) waits: TileSet,
    /// The kinds that make a sequence with two tiles of the hand.
    pub(crate) chi_kinds: TileSet,
    /// A lower bound of the tiles to exchange before the hand is tenpai.
    pub(crate) exchanges_to_tenpai: u8,
    /// A winning tile has passed, and temporary furiten has not ended.
    pub(crate) temporary_furiten: bool,
    /// A winning tile has passed in riichi.
    pub(crate) riichi_furiten: bool,
    /// A foul in riichi that is punished when the hand is shown.
    pub(crate) riichi_foul: bool,
    /// Decisions of the player in this hand.
    pub(crate) decisions: u16,
}

impl Private {
    /// A player with these tiles and this number of melds.
    pub(crate) fn new(tiles: &[Tile], melds: usize) -> Private {
        let mut private = Private { hand: tiles.iter().copied().collect(), ..Private::default() };
        private.update(melds);
        private
    }

    /// Fetches all parts ([`Game::prefetch`](crate::Game::prefetch)).
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(self);
        prefetch(&self.decisions);
    }

    /// The concealed tiles with the drawn tile.
    #[inline]
    pub fn hand_with_draw(&self) -> Concealed {
        let mut hand = self.hand;
        if let Some(tile) = self.drawn {
            hand.add(tile);
        }
        hand
    }

    /// Updates the values derived from the tiles after they have changed.
    ///
    /// A hand with shanten k needs at least k exchanges to be tenpai, so the shanten is computed
    /// only when that many have happened.
    #[expect(clippy::inline_always, reason = "called for every discard, and not inlined otherwise")]
    #[inline(always)]
    pub(crate) fn update(&mut self, melds: usize) {
        self.chi_kinds = chi_kinds(self.hand.kinds());
        self.exchanges_to_tenpai = self.exchanges_to_tenpai.saturating_sub(1);
        if self.exchanges_to_tenpai > 0 {
            self.waits = TileSet::EMPTY;
            return;
        }
        let shanten = self.hand.shanten(melds);
        self.exchanges_to_tenpai = shanten.number().max(0) as u8;
        self.waits = if shanten == Shanten::TENPAI { self.hand.ukeire(melds).1 } else { TileSet::EMPTY };
    }

    /// Whether the hand may be tenpai now or after one exchange.
    #[inline]
    pub(crate) fn may_be_one_away(&self) -> bool {
        self.exchanges_to_tenpai <= 1
    }

    /// Adds the drawn tile to the concealed tiles.
    #[inline]
    pub(crate) fn take_in_draw(&mut self) {
        if let Some(tile) = self.drawn.take() {
            self.hand.add(tile);
        }
    }

    /// Whether the hand is tenpai by the rules. It has 13 tiles, less three per meld.
    pub(crate) fn is_tenpai(&self, melds: &Melds, rules: &Rules) -> bool {
        is_tenpai(&self.hand, self.waits, melds, rules)
    }
}

getters! {
    Private:
    /// The concealed tiles without the drawn tile.
    &hand: Concealed,

    /// The drawn tile, in the player's turn.
    drawn: Option<Tile>,

    /// The kinds that complete the shape of the hand, without the drawn tile.
    waits: TileSet,
}

/// Whether a hand is tenpai. `waits` are the kinds that complete its shape. The rules decide how a wait
/// counts if the player holds all four of its tiles.
pub(crate) fn is_tenpai(hand: &Concealed, waits: TileSet, melds: &Melds, rules: &Rules) -> bool {
    match rules.own_four_wait {
        // The waits never include a fifth copy of a concealed tile.
        OwnFourWait::NotIfConcealedFour => !waits.is_empty(),
        OwnFourWait::NotIfOwnFour => waits.iter().any(|kind| hand.count(kind) + melds.count(kind) < 4),
        OwnFourWait::Tenpai => !waits.is_empty() || waits_for_fifth_copy(hand),
    }
}

impl Hand {
    /// Whether the concealed tiles and melds, 13 tiles in all, are tenpai by the rules.
    pub fn is_tenpai(&self, rules: &Rules) -> bool {
        is_tenpai(self.concealed(), self.concealed().waits(self.melds().len()), self.melds(), rules)
    }
}

/// Whether a fifth copy of a tile would complete the hand.
#[cold]
fn waits_for_fifth_copy(hand: &Concealed) -> bool {
    hand.at_least(4).iter().any(|kind| {
        let mut copies: Vec<u8> = TileKind::all().map(|k| hand.count(k) as u8).collect();
        copies[kind.index()] += 1;
        splits_into_sets(&copies, true)
    })
}

/// Whether the tiles split into sets, and a pair if `pair` is set. Their number must be right for this.
fn splits_into_sets(copies: &[u8], pair: bool) -> bool {
    let Some(kind) = copies.iter().position(|n| *n > 0) else { return true };
    let without = |tiles: &[usize]| {
        let mut rest = copies.to_vec();
        tiles.iter().try_for_each(|kind| rest[*kind].checked_sub(1).map(|n| rest[*kind] = n)).map(|()| rest)
    };
    let splits = |tiles: &[usize], pair| without(tiles).is_some_and(|rest| splits_into_sets(&rest, pair));
    let starts_sequence = TileKind::from_index(kind).offset(2).is_some();
    splits(&[kind; 3], pair)
        || starts_sequence && splits(&[kind, kind + 1, kind + 2], pair)
        || pair && splits(&[kind; 2], false)
}

/// The kinds that make a sequence with two of these kinds.
#[inline]
fn chi_kinds(kinds: TileSet) -> TileSet {
    const SUITS: u64 = (1 << 27) - 1;
    /// Ranks 2–9 and 3–9 of each suit. They keep a shift by one or two ranks inside the suit.
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
    fn sequences_stay_within_suits() {
        for text in [
            "12m", "89m12p", "1m3m", "79s", "13579m", "134m", "124m689p", "1245m", "5m5p5s", "1234567z",
            "45p",
        ] {
            let kinds: TileSet = text.parse().expect("notation");
            let expected: TileSet = TileKind::all()
                .filter(|claimed| {
                    let has = |position: &ChiPosition| {
                        position.partners(*claimed).is_some_and(|p| p.iter().all(|k| kinds.contains(*k)))
                    };
                    ChiPosition::ALL.iter().any(has)
                })
                .collect();
            assert_eq!(chi_kinds(kinds), expected, "{text}");
        }
    }
}
