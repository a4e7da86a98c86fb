//! Actions, their numbers, and sets of actions.
//!
//! - `text`: actions as text, and their meanings

mod text;

use std::fmt;
use std::ops::BitOr;

use serde::{Deserialize, Serialize};

use crate::{Tile, TileKind, TileMask, TileSet};

pub use text::ActionText;

/// A player's choice at a decision.
///
/// The action names only what the player chooses. The drawn tile or the offered discard is part of
/// the decision's context. Every action has a number ([`ActionId`]), the same under all rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Discards a tile from the hand, other than the one just drawn.
    Discard {
        /// The tile.
        tile: Tile,
        /// The declaration with it.
        declare: Declare,
    },
    /// Discards the tile just drawn.
    Tsumogiri {
        /// The declaration with it.
        declare: Declare,
    },
    /// Claims the last discard for a sequence.
    Chi {
        /// The position of the claimed tile in the sequence.
        position: ChiPosition,
        /// Whether the player uses a red five from their hand.
        red: bool,
    },
    /// Claims the last discard for a triplet.
    Pon {
        /// The number of red fives that the player uses from their hand.
        reds: u8,
    },
    /// Claims the last discard for a kan.
    Daiminkan,
    /// Declares an ankan or a kakan. A kind never allows both.
    Kan {
        /// The kind.
        kind: TileKind,
    },
    /// Sets a North aside.
    Kita,
    /// Wins on the last discard, on the tile of a kan, or on a North that is set aside.
    Ron,
    /// Wins with the tile just drawn.
    Tsumo,
    /// Aborts the hand with nine kinds of yaochuu tiles.
    KyuushuKyuuhai,
    /// Lets a tile pass, shows a tenpai hand at a draw, or plays on after the last hand.
    Pass,
    /// Keeps a tenpai hand closed at an exhaustive draw. It then counts as noten.
    KeepClosed,
    /// Ends the game after the last hand.
    EndGame,
}

/// A declaration with a discard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Declare {
    /// Nothing.
    #[default]
    Nothing,
    /// Riichi.
    Riichi,
    /// Riichi with an open hand.
    OpenRiichi,
}

/// The position of the claimed tile in a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChiPosition {
    /// Lowest: a 1 claimed with 23 in hand.
    Low,
    /// Middle: a 2 claimed with 13 in hand.
    Middle,
    /// Highest: a 3 claimed with 12 in hand.
    High,
}

impl ChiPosition {
    /// The positions, lowest first.
    pub const ALL: [ChiPosition; 3] = [ChiPosition::Low, ChiPosition::Middle, ChiPosition::High];

    /// The other two kinds of the sequence. None if no sequence has this tile in this position.
    pub fn partners(self, claimed: TileKind) -> Option<[TileKind; 2]> {
        let (a, b) = match self {
            ChiPosition::Low => (1, 2),
            ChiPosition::Middle => (-1, 1),
            ChiPosition::High => (-2, -1),
        };
        Some([claimed.offset(a)?, claimed.offset(b)?])
    }
}

/// The number of an action, 0–164.
///
/// Numbers are dense and do not depend on the rules or on the number of players.
///
/// | number | action |
/// |---|---|
/// | 0–36, 37 | discard of this tile from the hand, tsumogiri |
/// | 38–74, 75 | the same with riichi |
/// | 76–112, 113 | the same with open riichi |
/// | 114–119 | chi with the claimed tile low, middle, high: each without and with a red five from the hand |
/// | 120–122 | pon with 0, 1, 2 red fives from the hand |
/// | 123 | daiminkan |
/// | 124–157 | ankan or kakan of this kind |
/// | 158 | North set aside |
/// | 159, 160 | ron, tsumo |
/// | 161 | kyuushu kyuuhai |
/// | 162 | pass |
/// | 163 | leave a tenpai hand face down at an exhaustive draw |
/// | 164 | end the game |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct ActionId(u8);

impl ActionId {
    /// The number of actions.
    pub const COUNT: usize = 165;

    const CHI: u8 = 114;
    const PON: u8 = 120;
    const DAIMINKAN: u8 = 123;
    const KAN: u8 = 124;
    const KITA: u8 = 158;
    const RON: u8 = 159;
    const TSUMO: u8 = 160;
    const KYUUSHU_KYUUHAI: u8 = 161;
    const PASS: u8 = 162;
    const KEEP_CLOSED: u8 = 163;
    const END_GAME: u8 = 164;

    /// The ID with this number, if it is below 165.
    pub const fn new(number: u8) -> Option<ActionId> {
        if number < 165 { Some(ActionId(number)) } else { None }
    }

    /// The number, 0–164.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All IDs in order.
    pub fn all() -> impl DoubleEndedIterator<Item = ActionId> + ExactSizeIterator {
        (0..165).map(ActionId)
    }

    /// The action with this number.
    #[inline]
    pub const fn action(self) -> Action {
        ACTIONS[self.0 as usize]
    }

    /// Decodes the number. [`ActionId::action`] looks the result up.
    const fn to_action(self) -> Action {
        match self.0 {
            id @ 0..Self::CHI => {
                let declare = [Declare::Nothing, Declare::Riichi, Declare::OpenRiichi][(id / 38) as usize];
                match Tile::new(id % 38) {
                    Some(tile) => Action::Discard { tile, declare },
                    None => Action::Tsumogiri { declare },
                }
            }
            id @ Self::CHI..Self::PON => {
                let position = ChiPosition::ALL[((id - Self::CHI) / 2) as usize];
                Action::Chi { position, red: (id - Self::CHI) % 2 == 1 }
            }
            id @ Self::PON..Self::DAIMINKAN => Action::Pon { reds: id - Self::PON },
            Self::DAIMINKAN => Action::Daiminkan,
            id @ Self::KAN..Self::KITA => {
                Action::Kan { kind: TileKind::from_index((id - Self::KAN) as usize) }
            }
            Self::KITA => Action::Kita,
            Self::RON => Action::Ron,
            Self::TSUMO => Action::Tsumo,
            Self::KYUUSHU_KYUUHAI => Action::KyuushuKyuuhai,
            Self::PASS => Action::Pass,
            Self::KEEP_CLOSED => Action::KeepClosed,
            _ => Action::EndGame,
        }
    }
}

/// The action of each number, padded to all values of a byte.
static ACTIONS: [Action; 256] = {
    let mut actions = [Action::EndGame; 256];
    let mut number = 0;
    while number < ActionId::COUNT {
        actions[number] = ActionId(number as u8).to_action();
        number += 1;
    }
    actions
};

impl Action {
    /// The tiles that a chi or pon takes from the hand when it claims a tile of this kind. Red fives of
    /// a pon come first. None for other actions, and if no sequence has the claimed tile in the position
    /// of the chi.
    #[inline]
    pub fn tiles_from_hand(self, claimed: TileKind) -> Option<[Tile; 2]> {
        let (kinds, mut reds) = match self {
            Action::Chi { position, red } => (position.partners(claimed)?, u8::from(red)),
            Action::Pon { reds } => ([claimed; 2], reds),
            _ => return None,
        };
        Some(kinds.map(|kind| {
            let is_red = reds > 0 && TileSet::FIVES.contains(kind);
            reds -= u8::from(is_red);
            if is_red { Tile::red(kind.suit()) } else { Tile::plain(kind) }
        }))
    }

    /// The declaration with a discard. None for other actions.
    #[inline]
    pub const fn declare(self) -> Option<Declare> {
        match self {
            Action::Discard { declare, .. } | Action::Tsumogiri { declare } => Some(declare),
            _ => None,
        }
    }

    /// Whether the action is a discard that declares riichi.
    #[inline]
    pub const fn declares_riichi(self) -> bool {
        matches!(self.declare(), Some(Declare::Riichi | Declare::OpenRiichi))
    }

    /// The number of the action.
    #[inline]
    pub const fn id(self) -> ActionId {
        ActionId(match self {
            Action::Discard { tile, declare } => 38 * declare as u8 + tile.number(),
            Action::Tsumogiri { declare } => 38 * declare as u8 + 37,
            Action::Chi { position, red } => ActionId::CHI + 2 * position as u8 + red as u8,
            Action::Pon { reds } => ActionId::PON + reds,
            Action::Daiminkan => ActionId::DAIMINKAN,
            Action::Kan { kind } => ActionId::KAN + kind.number(),
            Action::Kita => ActionId::KITA,
            Action::Ron => ActionId::RON,
            Action::Tsumo => ActionId::TSUMO,
            Action::KyuushuKyuuhai => ActionId::KYUUSHU_KYUUHAI,
            Action::Pass => ActionId::PASS,
            Action::KeepClosed => ActionId::KEEP_CLOSED,
            Action::EndGame => ActionId::END_GAME,
        })
    }
}

impl fmt::Debug for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0, self.action())
    }
}

/// A set of actions.
///
/// Its three words serve as the legal actions of a decision, as the action mask of a network and as
/// columns of a dataset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[must_use]
pub struct ActionSet([u64; 3]);

impl ActionSet {
    /// The empty set.
    pub const EMPTY: ActionSet = ActionSet([0; 3]);

    /// The set with these bits: bit k of word w is action 64 w + k. Higher bits are dropped.
    pub const fn from_words(words: [u64; 3]) -> ActionSet {
        ActionSet([words[0], words[1], words[2] & ((1 << 37) - 1)])
    }

    /// The set as bits: bit k of word w is action 64 w + k.
    #[inline]
    pub const fn words(self) -> [u64; 3] {
        self.0
    }

    /// Whether the action is in the set.
    #[inline]
    pub const fn contains(self, id: ActionId) -> bool {
        let ActionSet([a, b, c]) = self;
        [a, b, c, 0][(id.0 >> 6) as usize] >> (id.0 & 63) & 1 != 0
    }

    /// Adds an action.
    #[inline]
    pub const fn insert(&mut self, action: Action) {
        let id = action.id();
        self.0[(id.0 >> 6) as usize % 3] |= 1 << (id.0 & 63);
    }

    /// Adds an action if a condition holds.
    #[inline]
    pub(crate) const fn insert_if(&mut self, holds: bool, action: Action) {
        let id = action.id();
        self.0[(id.0 >> 6) as usize % 3] |= (holds as u64) << (id.0 & 63);
    }

    /// Adds the discards of these tiles from the hand.
    #[inline]
    pub(crate) const fn insert_discards(&mut self, tiles: TileMask, declare: Declare) {
        let (tiles, shift) = (tiles.bits(), 38 * declare as u32);
        match declare {
            Declare::Nothing => self.0[0] |= tiles,
            Declare::Riichi => {
                self.0[0] |= tiles << shift;
                self.0[1] |= tiles >> (64 - shift);
            }
            Declare::OpenRiichi => self.0[1] |= tiles << (shift - 64),
        }
    }

    /// Adds the ankan or kakan of these kinds.
    #[inline]
    pub(crate) const fn insert_kans(&mut self, kinds: TileSet) {
        self.0[1] |= kinds.bits() << (ActionId::KAN - 64);
        self.0[2] |= kinds.bits() >> (128 - ActionId::KAN);
    }

    /// The number of actions.
    #[inline]
    pub const fn len(self) -> u32 {
        let ActionSet([a, b, c]) = self;
        // Most turns allow only discards, which are in the first word.
        if b | c == 0 { a.count_ones() } else { a.count_ones() + b.count_ones() + c.count_ones() }
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Whether there are at least two actions, so that the player has a decision to make.
    #[inline]
    pub const fn is_choice(self) -> bool {
        let ActionSet([a, b, c]) = self;
        let words = (a != 0) as u8 + (b != 0) as u8 + (c != 0) as u8;
        words > 1 || a & a.wrapping_sub(1) | b & b.wrapping_sub(1) | c & c.wrapping_sub(1) != 0
    }

    /// The action with the lowest number.
    #[inline]
    pub fn first(self) -> Option<ActionId> {
        self.iter().next()
    }

    /// The action at index `n`, from 0, in order of numbers.
    #[inline]
    pub fn nth(self, n: u32) -> Option<ActionId> {
        let mut n = n;
        for (word, bits) in (0u8..).zip(self.0) {
            let here = bits.count_ones();
            if n < here {
                return Some(ActionId(64 * word + nth_bit(bits, n)));
            }
            n -= here;
        }
        None
    }

    /// The actions in order of numbers.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = ActionId> {
        let mut words = self.0;
        std::iter::from_fn(move || {
            let word = words.iter().position(|bits| *bits != 0)?;
            let bit = words[word].trailing_zeros();
            words[word] &= words[word] - 1;
            Some(ActionId(64 * word as u8 + bit as u8))
        })
    }

    /// The kinds whose ankan or kakan is in the set.
    pub const fn kan_kinds(self) -> TileSet {
        TileSet::from_bits(self.0[1] >> (ActionId::KAN - 64) | self.0[2] << (128 - ActionId::KAN))
    }

    /// The tiles whose discard from the hand, with this declaration, is in the set.
    #[inline]
    pub const fn discard_tiles(self, declare: Declare) -> TileMask {
        let ActionSet([a, b, _]) = self;
        let bits = match declare {
            Declare::Nothing => a,
            Declare::Riichi => a >> 38 | b << 26,
            Declare::OpenRiichi => b >> 12,
        };
        TileMask::from_bits(bits)
    }
}

/// The position of the set bit at index `n`, counted from 0 at the lowest.
///
/// Sums over the bytes find the byte, and a table finds the bit in it. A loop that clears `n` bits
/// would be slower because its length is unpredictable.
#[inline]
const fn nth_bit(bits: u64, n: u32) -> u8 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let pairs = bits - (bits >> 1 & (0x55 * EACH));
    let fours = (pairs & (0x33 * EACH)) + (pairs >> 2 & (0x33 * EACH));
    let bytes = (fours + (fours >> 4)) & (0x0F * EACH);
    // In each byte: the number of bits set in it and in the bytes below.
    let up_to = bytes.wrapping_mul(EACH);
    let passed = ((((n as u64 * EACH) | (0x80 * EACH)) - up_to) & (0x80 * EACH)) >> 7;
    let byte = (passed.wrapping_mul(EACH) >> 56) as u8 * 8;
    let before = (up_to << 8 >> byte) as u8;
    byte + NTH_OF_BYTE[(bits >> byte & 0xFF) as usize][((n as u8 - before) & 7) as usize]
}

/// The positions of the set bits of a byte, lowest first.
static NTH_OF_BYTE: [[u8; 8]; 256] = {
    let mut positions = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut position, mut n) = (0, 0);
        while position < 8 {
            if byte >> position & 1 != 0 {
                positions[byte][n] = position;
                n += 1;
            }
            position += 1;
        }
        byte += 1;
    }
    positions
};

impl BitOr for ActionSet {
    type Output = ActionSet;
    fn bitor(self, other: ActionSet) -> ActionSet {
        ActionSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl FromIterator<Action> for ActionSet {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> ActionSet {
        let mut set = ActionSet::EMPTY;
        actions.into_iter().for_each(|action| set.insert(action));
        set
    }
}

impl fmt::Debug for ActionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        self.iter().for_each(|id| {
            list.entry(&format_args!("{}", id.action()));
        });
        list.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_one_action() {
        for id in ActionId::all() {
            assert_eq!(id.action().id(), id);
        }
        assert_eq!(ActionId::all().len(), ActionId::COUNT);
    }

    #[test]
    fn inserting_many_equals_inserting_each() {
        for declare in [Declare::Nothing, Declare::Riichi, Declare::OpenRiichi] {
            for tile in Tile::all() {
                let mut set = ActionSet::EMPTY;
                set.insert_discards(TileMask::of(tile), declare);
                assert_eq!(set, [Action::Discard { tile, declare }].into_iter().collect());
                assert_eq!(set.discard_tiles(declare), TileMask::of(tile));
            }
        }
        for kind in TileKind::all() {
            let mut set = ActionSet::EMPTY;
            set.insert_kans(kind.into());
            assert_eq!(set, [Action::Kan { kind }].into_iter().collect());
            assert_eq!(set.kan_kinds(), kind.into());
        }
    }

    #[test]
    fn nth_bit_agrees_with_a_scan() {
        let mut rng = crate::Rng::new(1);
        for _ in 0..10_000 {
            let bits =
                [rng.next_u64(), rng.next_u64() & rng.next_u64() & rng.next_u64(), u64::MAX][rng.below(3)];
            let positions = (0..64).filter(|position| bits >> position & 1 != 0);
            for (n, position) in (0..).zip(positions) {
                assert_eq!(nth_bit(bits, n), position, "bit {n} of {bits:b}");
            }
        }
    }

    #[test]
    fn sets_hold_exactly_their_actions() {
        let all: ActionSet = ActionId::all().map(ActionId::action).collect();
        assert_eq!(all.len() as usize, ActionId::COUNT);
        assert_eq!(all.iter().collect::<Vec<_>>(), ActionId::all().collect::<Vec<_>>());
        for id in ActionId::all() {
            assert_eq!(all.nth(u32::from(id.number())), Some(id));
            let one: ActionSet = [id.action()].into_iter().collect();
            assert!(one.contains(id) && !one.is_choice() && one.len() == 1);
            assert_eq!((one | ActionSet::from_words([1, 0, 0])).is_choice(), id.number() != 0);
        }
        assert!(!ActionSet::EMPTY.is_choice() && ActionSet::EMPTY.nth(0).is_none());
    }
}
