//! Kinds of tile, suits, and tiles with red fives.

use std::fmt;
use std::str::FromStr;

use crate::TileSet;

/// One of the 34 kinds of tile.
///
/// | index | kinds | notation |
/// |---|---|---|
/// | 0–8 | characters 1–9 | `1m`–`9m` |
/// | 9–17 | dots 1–9 | `1p`–`9p` |
/// | 18–26 | bamboo 1–9 | `1s`–`9s` |
/// | 27–30 | winds: East, South, West, North | `1z`–`4z` |
/// | 31–33 | dragons: white, green, red | `5z`–`7z` |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileKind(u8);

impl TileKind {
    /// The number of kinds.
    pub const COUNT: usize = 34;
    /// East wind, the first of the honours.
    pub const EAST: TileKind = TileKind(27);
    /// North wind. Three-player rules allow setting it aside.
    pub const NORTH: TileKind = TileKind(30);
    /// White dragon, the first of the dragons.
    pub const WHITE: TileKind = TileKind(31);
    /// Green dragon, the only honour in ryuuiisou.
    pub const GREEN: TileKind = TileKind(32);
    /// Red dragon, the last of the honours.
    pub const RED: TileKind = TileKind(33);

    /// The kind with this index, if it is below 34.
    pub const fn new(index: u8) -> Option<TileKind> {
        if index < 34 { Some(TileKind(index)) } else { None }
    }

    /// The kind with this number, which must be below 34.
    #[inline]
    pub(crate) const fn from_number(number: u8) -> TileKind {
        debug_assert!(number < 34, "there are 34 kinds of tile");
        TileKind(number)
    }

    /// The kind with this index.
    ///
    /// # Panics
    ///
    /// If `index` is 34 or more.
    #[inline]
    pub const fn from_index(index: usize) -> TileKind {
        assert!(index < TileKind::COUNT, "there are 34 kinds of tile");
        TileKind(index as u8)
    }

    /// All kinds in order.
    pub fn all() -> impl DoubleEndedIterator<Item = TileKind> + ExactSizeIterator {
        (0..34).map(TileKind)
    }

    /// The index of the kind, 0–33.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask bounds the index for the compiler, which then drops bounds checks.
        (self.0 & 63) as usize
    }

    /// The index as a byte, as files store it.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The suit, or [`Suit::Honours`].
    #[inline]
    pub const fn suit(self) -> Suit {
        // A look-up, because a branch would be hard to predict.
        const SUITS: [Suit; 4] = [Suit::Characters, Suit::Dots, Suit::Bamboo, Suit::Honours];
        SUITS[((self.0 / 9) & 3) as usize]
    }

    /// The rank: 1–9 in a suit, 1–7 for the honours from East to the red dragon.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// Whether this is a wind or a dragon.
    #[inline]
    pub const fn is_honour(self) -> bool {
        self.0 >= 27
    }

    /// Whether this is yaochuu: a terminal (1 or 9 of a suit) or an honour.
    #[inline]
    pub const fn is_yaochuu(self) -> bool {
        TileSet::YAOCHUU.contains(self)
    }

    /// The dora for an indicator of this kind.
    ///
    /// It is the next kind in the suit, the winds or the dragons; the first follows the last. With
    /// `three_player_tiles`, which lack 2m–8m, the indicator 1m makes 9m dora.
    #[must_use]
    #[inline]
    pub const fn dora(self, three_player_tiles: bool) -> TileKind {
        TileKind(DORA[three_player_tiles as usize][self.index()])
    }

    /// The kind `steps` ranks higher in the same suit, if it exists. Honours have no neighbours.
    pub const fn offset(self, steps: i8) -> Option<TileKind> {
        let rank = self.rank() as i8 + steps;
        if self.is_honour() || rank < 1 || rank > 9 {
            return None;
        }
        Some(TileKind((self.0 as i8 + steps) as u8))
    }
}

/// The dora by indicator: first for all 34 kinds, then for three-player tiles.
///
/// The table is padded to 64 entries so that a masked index needs no bounds check.
const DORA: [[u8; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut kind = 0;
    while kind < TileKind::COUNT {
        let next = match kind {
            8 | 17 | 26 => kind - 8,
            30 => 27,
            33 => 31,
            other => other + 1,
        } as u8;
        table[0][kind] = next;
        table[1][kind] = if kind == 0 { 8 } else { next };
        kind += 1;
    }
    table
};

impl fmt::Display for TileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank(), self.suit().letter())
    }
}

impl fmt::Debug for TileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A suit, or the honours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// Characters, *manzu*, written `m`.
    Characters,
    /// Dots, *pinzu*, written `p`.
    Dots,
    /// Bamboo, *souzu*, written `s`.
    Bamboo,
    /// Winds and dragons, written `z`.
    Honours,
}

impl Suit {
    /// The three suits with ranks 1–9.
    pub const NUMBERED: [Suit; 3] = [Suit::Characters, Suit::Dots, Suit::Bamboo];

    /// The letter in hand notation: `m`, `p`, `s` or `z`.
    pub const fn letter(self) -> char {
        ['m', 'p', 's', 'z'][self as usize]
    }

    /// The suit for a letter of hand notation.
    pub const fn from_letter(letter: char) -> Option<Suit> {
        match letter {
            'm' => Some(Suit::Characters),
            'p' => Some(Suit::Dots),
            's' => Some(Suit::Bamboo),
            'z' => Some(Suit::Honours),
            _ => None,
        }
    }

    /// The tile of this suit with a rank of 1–9 (honours 1–7). Rank 0 is the red five.
    pub const fn tile(self, rank: u8) -> Option<Tile> {
        match (self, rank) {
            (Suit::Honours, 1..=7) => Some(Tile(26 + rank)),
            (Suit::Honours, _) | (_, 10..) => None,
            (_, 0) => Some(Tile(34 + self as u8)),
            (_, 1..=9) => Some(Tile(9 * self as u8 + rank - 1)),
        }
    }
}

/// A tile as a player sees it: an ordinary tile of a kind, or one of the three red fives.
///
/// There are 37 values. Indices 0–33 are those of the kinds; 34 is `0m`, 35 `0p` and 36 `0s`. A red
/// five differs from the plain five of its suit only by the bonus han.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The number of different tiles.
    pub const COUNT: usize = 37;

    /// The tile with this index, if it is below 37.
    #[inline]
    pub const fn new(index: u8) -> Option<Tile> {
        if index < 37 { Some(Tile(index)) } else { None }
    }

    /// The tile with this number, which must be below 37.
    #[inline]
    pub(crate) const fn from_number(number: u8) -> Tile {
        debug_assert!(number < 37, "there are 37 tiles");
        Tile(number)
    }

    /// The ordinary tile of a kind, not a red five.
    #[inline]
    pub const fn plain(kind: TileKind) -> Tile {
        Tile(kind.0)
    }

    /// The red five of a suit.
    ///
    /// # Panics
    ///
    /// If the suit is [`Suit::Honours`].
    #[inline]
    pub const fn red(suit: Suit) -> Tile {
        match suit.tile(0) {
            Some(tile) => tile,
            None => panic!("honours have no red five"),
        }
    }

    /// All tiles in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Tile> + ExactSizeIterator {
        (0..37).map(Tile)
    }

    /// The index of the tile, 0–36.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The index as a byte, as files store it.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The kind. A red five has the kind of its suit's five.
    #[inline]
    pub const fn kind(self) -> TileKind {
        KINDS[self.index()]
    }

    /// Whether this is a red five.
    #[inline]
    pub const fn is_red(self) -> bool {
        self.0 >= 34
    }
}

/// The kind of each tile, padded so that a masked index needs no bounds check.
const KINDS: [TileKind; 64] = {
    let mut kinds = [TileKind::EAST; 64];
    let mut tile = 0;
    while tile < Tile::COUNT {
        kinds[tile] = TileKind(if tile < 34 { tile } else { 4 + 9 * (tile - 34) } as u8);
        tile += 1;
    }
    kinds
};

impl From<TileKind> for Tile {
    fn from(kind: TileKind) -> Tile {
        Tile::plain(kind)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_red() { write!(f, "0{}", self.kind().suit().letter()) } else { self.kind().fmt(f) }
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not one tile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a tile: expected a rank and a suit, such as 5m, 0p (red five) or 7z")]
pub struct ParseTileError(String);

impl FromStr for Tile {
    type Err = ParseTileError;

    fn from_str(text: &str) -> Result<Tile, ParseTileError> {
        let mut chars = text.chars();
        let (rank, suit) =
            (chars.next().and_then(|c| c.to_digit(10)), chars.next().and_then(Suit::from_letter));
        match (rank, suit, chars.next()) {
            (Some(rank), Some(suit), None) => suit.tile(rank as u8),
            _ => None,
        }
        .ok_or_else(|| ParseTileError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_print_as_they_are_read() {
        for tile in Tile::all() {
            assert_eq!(tile.to_string().parse(), Ok(tile));
        }
        for bad in ["", "5", "m5", "8z", "0z", "55m", "5m ", "5x"] {
            assert!(bad.parse::<Tile>().is_err(), "{bad}");
        }
    }

    #[test]
    fn dora_cycles_through_each_group() {
        let cycle = |start: TileKind, sanma: bool| {
            std::iter::successors(Some(start.dora(sanma)), |k| (*k != start).then(|| k.dora(sanma))).count()
        };
        for kind in TileKind::all() {
            let expected = match kind.number() {
                0..27 => 9,
                27..31 => 4,
                _ => 3,
            };
            assert_eq!(cycle(kind, false), expected, "{kind}");
        }
        assert_eq!(cycle(TileKind(0), true), 2);
    }

    #[test]
    fn a_tile_fits_in_one_byte() {
        assert_eq!(size_of::<Tile>(), 1);
        assert_eq!(size_of::<TileKind>(), 1);
    }
}
