//! Called melds and quads.

use std::fmt;

use crate::{Seat, Suit, Tile, TileKind, TileSet};

/// How a meld came to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MeldKind {
    /// A sequence, claimed from the player on the left.
    Chi,
    /// A triplet, claimed.
    Pon,
    /// An open quad, claimed as the fourth tile.
    Daiminkan,
    /// An open quad, made by adding a tile to a pon.
    Kakan,
    /// A concealed quad, made of four own tiles.
    Ankan,
}

/// The tile of a meld that came from another player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claimed {
    /// The tile.
    pub tile: Tile,
    /// Who discarded it.
    pub from: Seat,
}

/// Tiles that make no meld of a kind.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct NotAMeld {
    /// The kind.
    pub kind: MeldKind,
    /// The tiles, the claimed one included.
    pub tiles: Vec<Tile>,
}

impl fmt::Display for NotAMeld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles: Vec<String> = self.tiles.iter().map(Tile::to_string).collect();
        let expected = match self.kind {
            MeldKind::Chi => "a run of three for a chi",
            MeldKind::Pon => "three equal tiles for a pon",
            MeldKind::Ankan => "four equal tiles for a concealed quad",
            MeldKind::Daiminkan | MeldKind::Kakan => "four equal tiles for an open quad",
        };
        write!(f, "{}: expected {expected}", tiles.join(" "))
    }
}

/// A set on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Meld {
    kind: MeldKind,
    low: TileKind,
    reds: u8,
    claimed: Option<Claimed>,
}

impl Meld {
    /// A meld of the kind `low` (of a sequence the lowest), with so many red fives.
    ///
    /// The claimed tile is unknown where a hand is written down without the table around it.
    #[must_use]
    pub const fn new(kind: MeldKind, low: TileKind, reds: u8, claimed: Option<Claimed>) -> Meld {
        Meld { kind, low, reds, claimed }
    }

    /// The meld that these tiles of its player make with the claimed one.
    ///
    /// # Errors
    ///
    /// If the tiles are none, or a tile is claimed for a concealed quad or none for another meld.
    ///
    /// ```
    /// use jantaku_engine::{Meld, MeldKind, notation};
    ///
    /// let own = notation::parse_tiles("0555m")?;
    /// assert_eq!(Meld::of(MeldKind::Ankan, &own, None)?.reds(), 1);
    /// let wrong = Meld::of(MeldKind::Ankan, &own[1..], None).unwrap_err();
    /// assert_eq!(wrong.to_string(), "5m 5m 5m: expected four equal tiles for a concealed quad");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(kind: MeldKind, own: &[Tile], claimed: Option<Claimed>) -> Result<Meld, NotAMeld> {
        let tiles: Vec<Tile> = own.iter().copied().chain(claimed.map(|claimed| claimed.tile)).collect();
        let count = if matches!(kind, MeldKind::Chi | MeldKind::Pon) { 3 } else { 4 };
        let low = match kind {
            MeldKind::Chi => sequence_of(&tiles),
            _ => tiles.first().map(|tile| tile.kind()).filter(|low| tiles.iter().all(|t| t.kind() == *low)),
        };
        let is_claimed = claimed.is_some() == (kind != MeldKind::Ankan);
        let low = low.filter(|_| tiles.len() == count && is_claimed);
        let reds = tiles.iter().filter(|tile| tile.is_red()).count() as u8;
        low.map(|low| Meld::new(kind, low, reds, claimed)).ok_or(NotAMeld { kind, tiles })
    }

    /// The same meld with one more tile: a pon becomes an open quad.
    #[must_use]
    pub(crate) const fn with_added(self, tile: Tile) -> Meld {
        Meld { kind: MeldKind::Kakan, reds: self.reds + tile.is_red() as u8, ..self }
    }

    /// How it came to be.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> MeldKind {
        self.kind
    }

    /// The kind of a triplet or quad; the lowest of a sequence.
    #[must_use]
    #[inline]
    pub const fn low(self) -> TileKind {
        self.low
    }

    /// How many red fives it holds.
    #[must_use]
    #[inline]
    pub const fn reds(self) -> u8 {
        self.reds
    }

    /// The tile that another player discarded. None for a concealed quad, and where the table is unknown.
    #[must_use]
    #[inline]
    pub const fn claimed(self) -> Option<Claimed> {
        self.claimed
    }

    /// Sequence.
    #[must_use]
    #[inline]
    pub const fn is_run(self) -> bool {
        matches!(self.kind, MeldKind::Chi)
    }

    /// Quad of any sort.
    #[must_use]
    #[inline]
    pub const fn is_kan(self) -> bool {
        matches!(self.kind, MeldKind::Daiminkan | MeldKind::Kakan | MeldKind::Ankan)
    }

    /// Whether it opens the hand: everything but a concealed quad does.
    #[must_use]
    #[inline]
    pub const fn is_open(self) -> bool {
        !matches!(self.kind, MeldKind::Ankan)
    }

    /// The kinds in it.
    #[must_use]
    #[inline]
    pub const fn kinds(self) -> TileSet {
        let low = TileSet::of(self.low).bits();
        TileSet::from_bits(if self.is_run() { low | low << 1 | low << 2 } else { low })
    }

    /// How many tiles of a kind are in it.
    #[must_use]
    #[inline]
    pub const fn count(self, kind: TileKind) -> usize {
        if !self.kinds().contains(kind) {
            0
        } else if self.is_run() {
            1
        } else if self.is_kan() {
            4
        } else {
            3
        }
    }

    /// Its tiles in order, red fives first among the fives.
    pub fn tiles(self) -> impl Iterator<Item = Tile> {
        let mut reds = self.reds;
        self.kinds().iter().flat_map(move |kind| (0..self.count(kind)).map(move |_| kind)).map(move |kind| {
            if TileSet::FIVES.contains(kind) && reds > 0 {
                reds -= 1;
                Tile::red(kind.suit())
            } else {
                Tile::plain(kind)
            }
        })
    }
}

/// Hand notation: `[123m]`, `[7777z]`, `<5555z>` for a concealed quad.
impl fmt::Display for Meld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.is_open() { ('[', ']') } else { ('<', '>') };
        write!(f, "{open}")?;
        crate::notation::write_tiles(f, self.tiles())?;
        write!(f, "{close}")
    }
}

/// Hand notation, one meld after the other.
impl fmt::Display for Melds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|meld| meld.fmt(f))
    }
}

impl fmt::Debug for Meld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The melds of one player: at most four.
#[derive(Clone, Copy)]
pub struct Melds {
    places: [Meld; 4],
    len: u8,
}

impl Melds {
    /// No meld.
    pub const EMPTY: Melds =
        Melds { places: [Meld::new(MeldKind::Ankan, TileKind::EAST, 0, None); 4], len: 0 };

    /// Adds a meld.
    ///
    /// # Panics
    ///
    /// If there are four already.
    #[inline]
    pub fn push(&mut self, meld: Meld) {
        self.places[usize::from(self.len)] = meld;
        self.len += 1;
    }

    /// The melds in the order in which they were made.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Meld] {
        &self.places[..usize::from(self.len & 7).min(4)]
    }

    /// The melds in the order in which they were made.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, Meld> {
        self.as_slice().iter()
    }

    /// All four places, and whether there is a meld in them.
    #[inline]
    pub(crate) fn places(&self) -> impl Iterator<Item = (&Meld, bool)> {
        (0..self.places.len()).map(|place| (&self.places[place], place < self.len()))
    }

    /// How many red fives are in them.
    #[must_use]
    #[inline]
    pub fn reds(&self) -> u8 {
        // Empty places have none.
        self.places.iter().map(|meld| meld.reds).sum()
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the hand is open: one of them was claimed.
    #[must_use]
    #[inline]
    pub fn are_open(&self) -> bool {
        self.iter().any(|meld| meld.is_open())
    }

    /// The kinds of the pons, which a fourth tile makes a quad.
    #[must_use]
    #[inline]
    pub fn pons(&self) -> TileSet {
        self.iter().filter(|meld| meld.kind == MeldKind::Pon).map(|meld| meld.low).collect()
    }

    /// How many tiles of a kind are in them.
    #[must_use]
    pub fn count(&self, kind: TileKind) -> usize {
        self.iter().map(|meld| meld.count(kind)).sum()
    }

    /// Makes the pon of this tile's kind a quad.
    ///
    /// # Panics
    ///
    /// If there is no such pon.
    pub(crate) fn add_to_pon(&mut self, tile: Tile) {
        let is_pon = |meld: &&mut Meld| meld.kind == MeldKind::Pon && meld.low == tile.kind();
        let pon = self.places[..usize::from(self.len)].iter_mut().find(is_pon);
        let pon = pon.expect("a tile is added only to a pon");
        *pon = pon.with_added(tile);
    }
}

impl PartialEq for Melds {
    fn eq(&self, other: &Melds) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Melds {}

impl Default for Melds {
    fn default() -> Melds {
        Melds::EMPTY
    }
}

impl FromIterator<Meld> for Melds {
    fn from_iter<I: IntoIterator<Item = Meld>>(melds: I) -> Melds {
        let mut all = Melds::EMPTY;
        melds.into_iter().for_each(|meld| all.push(meld));
        all
    }
}

impl<'a> IntoIterator for &'a Melds {
    type Item = &'a Meld;
    type IntoIter = std::slice::Iter<'a, Meld>;
    fn into_iter(self) -> std::slice::Iter<'a, Meld> {
        self.iter()
    }
}

impl fmt::Debug for Melds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// The suit of a run cannot be the honours.
pub(crate) fn sequence_of(tiles: &[Tile]) -> Option<TileKind> {
    let mut kinds: Vec<TileKind> = tiles.iter().map(|tile| tile.kind()).collect();
    kinds.sort_unstable();
    let low = *kinds.first()?;
    let is_run = low.suit() != Suit::Honours
        && kinds.len() == 3
        && (0i8..3).zip(&kinds).all(|(step, kind)| low.offset(step) == Some(*kind));
    is_run.then_some(low)
}
