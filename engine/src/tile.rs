//! A tile, and the kind that it shares with its three copies.

use std::fmt;
use std::str::FromStr;

use crate::TileSet;

/// One of the 34 kinds of tile.
///
/// Numbered 0–8 for 1–9 of characters (m), 9–17 dots (p), 18–26 bamboo (s), 27–30 for the winds
/// East, South, West, North and 31–33 for the dragons white, green, red. Written `1m` … `9s`, `1z` … `7z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileKind(u8);

impl TileKind {
    /// How many kinds there are.
    pub const COUNT: usize = 34;
    /// East wind, the first of the honours.
    pub const EAST: TileKind = TileKind(27);
    /// North wind: the tile that is set aside in three-player games.
    pub const NORTH: TileKind = TileKind(30);
    /// White dragon, the first of the dragons.
    pub const WHITE: TileKind = TileKind(31);
    /// Green dragon, the only honour of the all-green hand.
    pub const GREEN: TileKind = TileKind(32);
    /// Red dragon, the last of the honours.
    pub const RED: TileKind = TileKind(33);

    /// The kind with this number, if it is below 34.
    #[must_use]
    pub const fn new(index: u8) -> Option<TileKind> {
        if index < 34 { Some(TileKind(index)) } else { None }
    }

    /// The kind with this number.
    ///
    /// # Panics
    ///
    /// If `index` is 34 or more.
    #[must_use]
    pub const fn from_index(index: usize) -> TileKind {
        assert!(index < TileKind::COUNT, "there are 34 kinds of tile");
        TileKind(index as u8)
    }

    /// All kinds in order.
    pub fn all() -> impl DoubleEndedIterator<Item = TileKind> + ExactSizeIterator {
        (0..34).map(TileKind)
    }

    /// The number of the kind, 0–33.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the type already knows, which removes bounds checks.
        (self.0 & 63) as usize
    }

    /// The number of the kind as it is stored in files, 0–33.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The suit, or [`Suit::Honours`].
    #[must_use]
    #[inline]
    pub const fn suit(self) -> Suit {
        match self.0 {
            0..=8 => Suit::Characters,
            9..=17 => Suit::Dots,
            18..=26 => Suit::Bamboo,
            _ => Suit::Honours,
        }
    }

    /// 1–9 in a suit; 1–7 for the honours from East to the red dragon.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// Winds and dragons.
    #[must_use]
    #[inline]
    pub const fn is_honour(self) -> bool {
        self.0 >= 27
    }

    /// Terminals (1 and 9 of a suit) and honours: *yaochuuhai*.
    #[must_use]
    #[inline]
    pub const fn is_yaochuu(self) -> bool {
        TileSet::YAOCHUU.contains(self)
    }

    /// The tile that this one makes dora when it is the indicator: the next of its suit, of the winds
    /// or of the dragons, the last leading back to the first.
    ///
    /// Where a game has no 2m–8m (`three_player_tiles`), 1m leads to 9m.
    #[must_use]
    #[inline]
    pub const fn dora(self, three_player_tiles: bool) -> TileKind {
        TileKind(DORA[three_player_tiles as usize][self.index()])
    }

    /// The kind `steps` ranks further in the same suit, if there is one. Honours have no neighbours.
    #[must_use]
    pub const fn offset(self, steps: i8) -> Option<TileKind> {
        let rank = self.rank() as i8 + steps;
        if self.is_honour() || rank < 1 || rank > 9 {
            return None;
        }
        Some(TileKind((self.0 as i8 + steps) as u8))
    }
}

/// What each indicator makes dora, without and with the tiles of three players; the filler lets a masked index stay inside.
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

    /// The letter of hand notation: `m`, `p`, `s` or `z`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Suit::Characters => 'm',
            Suit::Dots => 'p',
            Suit::Bamboo => 's',
            Suit::Honours => 'z',
        }
    }

    /// The suit written with this letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Suit> {
        match letter {
            'm' => Some(Suit::Characters),
            'p' => Some(Suit::Dots),
            's' => Some(Suit::Bamboo),
            'z' => Some(Suit::Honours),
            _ => None,
        }
    }

    /// The tile of this suit with a rank of 1–9 (honours 1–7); rank 0 is the red five.
    #[must_use]
    pub const fn tile(self, rank: u8) -> Option<Tile> {
        match (self, rank) {
            (Suit::Honours, 1..=7) => Some(Tile(26 + rank)),
            (Suit::Honours, _) | (_, 10..) => None,
            (_, 0) => Some(Tile(34 + self as u8)),
            (_, 1..=9) => Some(Tile(9 * self as u8 + rank - 1)),
        }
    }
}

/// A tile as a player sees it: a kind, or one of the three red fives.
///
/// 37 values: the 34 kinds, then 34 = `0m`, 35 = `0p`, 36 = `0s`. A red five is the five of its suit in
/// every respect but the bonus han.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// How many different tiles there are.
    pub const COUNT: usize = 37;

    /// The tile with this number, if it is below 37.
    #[must_use]
    pub const fn new(index: u8) -> Option<Tile> {
        if index < 37 { Some(Tile(index)) } else { None }
    }

    /// The ordinary tile of a kind.
    #[must_use]
    #[inline]
    pub const fn plain(kind: TileKind) -> Tile {
        Tile(kind.0)
    }

    /// The red five of a suit.
    ///
    /// # Panics
    ///
    /// If the suit is [`Suit::Honours`].
    #[must_use]
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

    /// The number of the tile, 0–36.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The number of the tile as it is stored in files, 0–36.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The kind; a red five is the five of its suit.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> TileKind {
        KINDS[self.index()]
    }

    /// Whether this is a red five.
    #[must_use]
    #[inline]
    pub const fn is_red(self) -> bool {
        self.0 >= 34
    }
}

/// The kind of each tile; the filler lets a masked index stay inside.
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

/// The text is not one tile such as `5m`, `0p` or `7z`.
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
    fn notation_round_trips() {
        for tile in Tile::all() {
            assert_eq!(tile.to_string().parse(), Ok(tile));
        }
        for bad in ["", "5", "m5", "8z", "0z", "55m", "5m ", "5x"] {
            assert!(bad.parse::<Tile>().is_err(), "{bad}");
        }
    }

    #[test]
    fn dora_is_a_cycle_of_each_group() {
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
    fn values_stay_small() {
        assert_eq!(size_of::<Tile>(), 1);
        assert_eq!(size_of::<TileKind>(), 1);
    }
}
