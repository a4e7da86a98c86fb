//! Melds: chi, pon and kan.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Action, ChiPosition, Seat, Tile, TileKind, TileSet};

/// The kind of a meld.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MeldKind {
    /// A sequence claimed from the player on the left.
    Chi,
    /// A claimed triplet.
    Pon,
    /// A kan that claims another player's discard.
    Daiminkan,
    /// A kan made by adding a tile to a pon.
    Kakan,
    /// A concealed kan: four tiles from the hand.
    Ankan,
}

/// The tile of a meld that another player discarded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Claimed {
    /// The tile.
    pub tile: Tile,
    /// The seat that discarded it.
    pub from: Seat,
}

/// The error for tiles that do not make a meld of the given kind.
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
            MeldKind::Chi => "a sequence for a chi",
            MeldKind::Pon => "three equal tiles for a pon",
            MeldKind::Ankan => "four equal tiles for an ankan",
            MeldKind::Daiminkan => "four equal tiles for a daiminkan",
            MeldKind::Kakan => "four equal tiles for a kakan",
        };
        write!(f, "{}: expected {expected}", tiles.join(" "))
    }
}

/// A meld of one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[must_use]
pub struct Meld {
    kind: MeldKind,
    low: TileKind,
    reds: u8,
    claimed: Option<Claimed>,
}

impl Meld {
    /// A pon or kan of the kind `low`, or a chi whose lowest kind is `low`, with `reds` red fives.
    ///
    /// `claimed` is None for an ankan, and where only the hand is known, as in hand notation.
    pub const fn new(kind: MeldKind, low: TileKind, reds: u8, claimed: Option<Claimed>) -> Meld {
        Meld { kind, low, reds, claimed }
    }

    /// The meld of the tiles from the player's hand and the claimed one.
    ///
    /// # Errors
    ///
    /// If the tiles are not a meld of this kind, if a tile is claimed for an ankan, or if no tile
    /// is claimed for another kind.
    ///
    /// ```
    /// use jantaku_engine::{Meld, MeldKind, notation};
    ///
    /// let own = notation::parse_tiles("0555m")?;
    /// assert_eq!(Meld::of(MeldKind::Ankan, &own, None)?.reds(), 1);
    /// let wrong = Meld::of(MeldKind::Ankan, &own[1..], None).unwrap_err();
    /// assert_eq!(wrong.to_string(), "5m 5m 5m: expected four equal tiles for an ankan");
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

    /// The kakan of this pon and the added tile.
    pub(crate) const fn with_added(self, tile: Tile) -> Meld {
        Meld { kind: MeldKind::Kakan, reds: self.reds + tile.is_red() as u8, ..self }
    }

    /// The kind of the meld.
    #[inline]
    pub const fn kind(self) -> MeldKind {
        self.kind
    }

    /// The kind of the tiles in a pon or kan, the lowest in a chi.
    #[inline]
    pub const fn low(self) -> TileKind {
        self.low
    }

    /// The number of red fives.
    #[inline]
    pub const fn reds(self) -> u8 {
        self.reds
    }

    /// The claimed tile. None for an ankan, and where only the hand is known.
    #[inline]
    pub const fn claimed(self) -> Option<Claimed> {
        self.claimed
    }

    /// The call that made it: a chi, pon or daiminkan. None for an ankan and a kakan, and where only
    /// the hand is known.
    pub fn call(self) -> Option<Action> {
        let claimed = self.claimed?.tile;
        let own_reds = self.reds.saturating_sub(u8::from(claimed.is_red()));
        match self.kind {
            MeldKind::Chi => {
                let low =
                    |position: &ChiPosition| Some(position.partners(claimed.kind())?[0].min(claimed.kind()));
                let position = ChiPosition::ALL.into_iter().find(|of| low(of) == Some(self.low()))?;
                Some(Action::Chi { position, red: own_reds > 0 })
            }
            MeldKind::Pon => Some(Action::Pon { reds: own_reds }),
            MeldKind::Daiminkan => Some(Action::Daiminkan),
            MeldKind::Ankan | MeldKind::Kakan => None,
        }
    }

    /// Whether it is a chi.
    #[inline]
    pub const fn is_sequence(self) -> bool {
        matches!(self.kind, MeldKind::Chi)
    }

    /// Whether it is a kan: daiminkan, kakan or ankan.
    #[inline]
    pub const fn is_kan(self) -> bool {
        matches!(self.kind, MeldKind::Daiminkan | MeldKind::Kakan | MeldKind::Ankan)
    }

    /// Whether it opens the hand. Every meld does except an ankan.
    #[inline]
    pub const fn is_open(self) -> bool {
        !matches!(self.kind, MeldKind::Ankan)
    }

    /// The kinds of its tiles.
    #[inline]
    pub const fn kinds(self) -> TileSet {
        let low = TileSet::of(self.low).bits();
        TileSet::from_bits(if self.is_sequence() { low | low << 1 | low << 2 } else { low })
    }

    /// The number of its tiles of a kind.
    #[inline]
    pub const fn count(self, kind: TileKind) -> usize {
        /// Tiles of each kind in a chi, a pon and the kans.
        const COPIES: [usize; 5] = [1, 3, 4, 4, 4];
        COPIES[self.kind as usize] * self.kinds().contains(kind) as usize
    }

    /// Its tiles in order of kind, red fives before plain ones.
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

impl fmt::Debug for Meld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The melds of one player: at most four.
#[derive(Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Melds {
    slots: [Meld; 4],
    len: u8,
}

impl Melds {
    /// No melds.
    pub const EMPTY: Melds =
        Melds { slots: [Meld::new(MeldKind::Ankan, TileKind::EAST, 0, None); 4], len: 0 };

    /// Adds a meld.
    ///
    /// # Panics
    ///
    /// If there are already four.
    #[inline]
    pub fn push(&mut self, meld: Meld) {
        self.slots[usize::from(self.len)] = meld;
        self.len += 1;
    }

    /// The melds in the order in which the player made them.
    #[inline]
    pub fn as_slice(&self) -> &[Meld] {
        &self.slots[..usize::from(self.len & 7).min(4)]
    }

    /// Iterates over the melds in the order in which the player made them.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, Meld> {
        self.as_slice().iter()
    }

    /// All four slots, and whether each holds a meld. For loops of fixed length.
    #[inline]
    pub(crate) fn slots(&self) -> impl Iterator<Item = (&Meld, bool)> {
        (0..self.slots.len()).map(|index| (&self.slots[index], index < self.len()))
    }

    /// The number of red fives in the melds.
    #[inline]
    pub fn reds(&self) -> u8 {
        // Empty slots have none.
        self.slots.iter().map(|meld| meld.reds).sum()
    }

    /// The number of melds.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are no melds.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether they open the hand: at least one is not an ankan.
    #[inline]
    pub fn are_open(&self) -> bool {
        self.iter().any(|meld| meld.is_open())
    }

    /// The kinds of the pons. Adding the fourth tile to one makes a kakan.
    #[inline]
    pub fn pons(&self) -> TileSet {
        self.iter().filter(|meld| meld.kind == MeldKind::Pon).map(|meld| meld.low).collect()
    }

    /// The number of tiles of a kind in the melds.
    #[inline]
    pub fn count(&self, kind: TileKind) -> usize {
        self.iter().map(|meld| meld.count(kind)).sum()
    }

    /// Adds a tile to the pon of its kind, which becomes a kakan.
    ///
    /// # Panics
    ///
    /// If there is no pon of this kind.
    pub(crate) fn add_to_pon(&mut self, tile: Tile) {
        let is_pon = |meld: &&mut Meld| meld.kind == MeldKind::Pon && meld.low == tile.kind();
        let pon = self.slots[..usize::from(self.len)].iter_mut().find(is_pon);
        let pon = pon.expect("a kakan adds its tile to a pon");
        *pon = pon.with_added(tile);
    }
}

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
    #[inline]
    fn into_iter(self) -> std::slice::Iter<'a, Meld> {
        self.iter()
    }
}

impl fmt::Debug for Melds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// The lowest kind, if the tiles are a sequence.
pub(crate) fn sequence_of(tiles: &[Tile]) -> Option<TileKind> {
    let mut kinds: Vec<TileKind> = tiles.iter().map(|tile| tile.kind()).collect();
    kinds.sort_unstable();
    let low = *kinds.first()?;
    let is_sequence =
        kinds.len() == 3 && (0i8..3).zip(&kinds).all(|(step, kind)| low.offset(step) == Some(*kind));
    is_sequence.then_some(low)
}
