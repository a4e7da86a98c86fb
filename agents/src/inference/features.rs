//! The numbering of the features of a hand.

use jantaku_engine::named_enum;

named_enum! {
    /// The visible state of an opponent's hand. Each state has its own weights.
    HandState {
        /// No open melds and no riichi.
        Closed = "closed",
        /// Chi, pon or an open kan.
        Open = "open",
        /// In riichi.
        Riichi = "riichi",
    }
}

/// Consecutive features with the same meaning.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The name in files.
    pub name: &'static str,
    /// The number of the first feature.
    pub first: usize,
    /// The number of features.
    pub len: usize,
}

/// Shanten 0–4, and more.
pub(super) const SHANTEN: usize = 6;
/// The turn in steps of three discards.
pub(super) const TURNS: usize = 6;
/// Shanten 0, 1, and more.
pub(super) const NEAR: usize = 3;
/// Types of kinds: valued honours, other winds, terminals, 2 and 8, 3 and 7, 4–6.
pub(super) const TYPES: usize = 6;
/// The number of relations of a kind to the player's discards ([`Relation`]).
pub(super) const RELATIONS: usize = 8;
/// Copies 1, 2, and more.
pub(super) const COPIES: usize = 3;
/// The turn in steps of six discards.
pub(super) const TIMES: usize = 3;
/// Open melds 1, 2, and more.
pub(super) const CALLS: usize = 3;

macro_rules! blocks {
    ($($name:ident = $text:literal, $len:expr;)*) => {
        /// The index of each block in [`BLOCKS`].
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "names of constants")]
        #[derive(Clone, Copy)]
        enum Place { $($name),* }

        const LENGTHS: [usize; [$($text),*].len()] = [$($len),*];

        const fn first(place: usize) -> usize {
            let (mut at, mut sum) = (0, 0);
            while at < place {
                sum += LENGTHS[at];
                at += 1;
            }
            sum
        }

        /// All blocks in order.
        pub const BLOCKS: [Block; LENGTHS.len()] = [$(Block {
            name: $text,
            first: first(Place::$name as usize),
            len: $len,
        }),*];

        $(pub(super) const $name: usize = first(Place::$name as usize);)*
    };
}

blocks! {
    // The shanten, by open melds 0–2 and more, and the turn.
    SHANTEN_AT = "shanten", 4 * TURNS * SHANTEN;
    // Tsumogiri since the hand last changed, 0–2 and more, by near shanten.
    UNCHANGED = "unchanged", NEAR * 4;
    // The last discard from the hand raised the shanten by one, or by more.
    STEP_BACK = "step_back", 2;
    // The hand holds the kind last discarded from it, one a rank away, and one two ranks away, by
    // near shanten.
    TEDASHI = "tedashi", NEAR * 3;
    // Tsumogiri of tiles that would have lowered the shanten, by near shanten.
    IMPROVING = "improving", NEAR;
    // Tenpai: furiten by a discard, and waiting on a kind that has passed since the hand last
    // changed.
    FURITEN = "furiten", 2;
    // Tenpai: one, two, or more kinds of waits.
    WAIT_KINDS = "wait_kinds", 3;
    // Tenpai: unseen tiles of the waits 0, 1–2, 3–4, 5–6, and more.
    WAIT_TILES = "wait_tiles", 5;
    // Copies of a kind, by its type, its relation to the discards, and the turn.
    KIND = "kind", TYPES * RELATIONS * TIMES * COPIES;
    // Copies of a dora.
    DORA = "dora", COPIES;
    // Red fives.
    RED = "red", 1;
    // All melds have one suit: tiles of that suit, honours, and others, by open melds.
    FLUSH = "flush", CALLS * 3;
    // No meld has a terminal or honour: terminals and honours in the hand, by open melds.
    TANYAO = "tanyao", CALLS;
    // No meld is a sequence: kinds held twice or more, by open melds.
    PAIRS = "pairs", CALLS;
    // A pair or triplet of a kind that another player discarded and the player did not call: valued
    // honours, and others.
    NOT_CALLED = "not_called", 2;
}

/// The number of features of a hand.
pub const FEATURES: usize = BLOCKS[BLOCKS.len() - 1].first + BLOCKS[BLOCKS.len() - 1].len;

/// The relation of a kind to the player's own discards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Relation {
    /// Nothing.
    None,
    /// It was discarded in the first six turns.
    Early,
    /// It was discarded later.
    Late,
    /// An early discard one rank away lies between it and the five of its suit, or is that five.
    OutsideNext,
    /// An early discard more than one rank away lies between it and the five, or is that five.
    Outside,
    /// It is one rank away from an early discard, on the side of the five.
    InsideNext,
    /// It is two ranks away from an early discard, on the side of the five.
    InsideGap,
    /// It is one or two ranks away from a later discard.
    LateNear,
}
