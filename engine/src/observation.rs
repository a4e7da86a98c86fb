//! What one player sees.

use std::ops::Deref;

use crate::private::{Private, is_tenpai};
use crate::unseen::Unseen;
use crate::{Action, ActionSet, ChiPlace, Concealed, Declare, Melds, Seat, Table, Tile, TileKind, TileSet};

/// What one player sees: the table, his own tiles, and what he may do.
///
/// It holds the table and the own tiles and nothing else, so no question asked of it can be answered from a hidden tile; and it is
/// the same whether or not other players are asked, and whatever they have answered. The table's questions can be
/// asked of it directly ([`Table`]).
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    seat: Seat,
    table: &'a Table,
    own: &'a Private,
    legal: ActionSet,
}

impl<'a> Observation<'a> {
    #[inline]
    pub(crate) const fn new(seat: Seat, table: &'a Table, own: &'a Private, legal: ActionSet) -> Observation<'a> {
        Observation { seat, table, own, legal }
    }

    /// Whose view this is.
    #[must_use]
    #[inline]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// What everybody sees.
    #[must_use]
    #[inline]
    pub const fn table(&self) -> &'a Table {
        self.table
    }

    /// What the player may do now; nothing if he is not asked.
    #[must_use]
    #[inline]
    pub const fn legal(&self) -> ActionSet {
        self.legal
    }

    pub(crate) const fn private(&self) -> &'a Private {
        self.own
    }

    /// The own concealed tiles without the one just drawn.
    #[must_use]
    #[inline]
    pub const fn hand(&self) -> &'a Concealed {
        self.own.hand()
    }

    /// The own concealed tiles with the one just drawn.
    #[must_use]
    #[inline]
    pub fn hand_with_draw(&self) -> Concealed {
        self.own.hand_with_draw()
    }

    /// The tile just drawn, in the own turn.
    #[must_use]
    #[inline]
    pub const fn drawn(&self) -> Option<Tile> {
        self.own.drawn()
    }

    /// The own melds.
    #[must_use]
    #[inline]
    pub fn melds(&self) -> &'a Melds {
        self.table.side(self.seat).melds()
    }

    /// The tiles that complete the own hand by shape, the tile just drawn aside.
    #[must_use]
    #[inline]
    pub const fn waits(&self) -> TileSet {
        self.own.waits()
    }

    /// Whether the own hand, the tile just drawn aside, is tenpai by the rules.
    #[must_use]
    pub fn is_tenpai(&self) -> bool {
        is_tenpai(self.hand(), self.waits(), self.melds(), self.table.rules())
    }

    /// Whether the player may not win by ron: he has discarded one of his waits, or let a winning tile pass.
    #[must_use]
    #[inline]
    pub fn is_furiten(&self) -> bool {
        let own_discard = self.own.waits.intersects(self.table.sides[self.seat].discarded);
        own_discard || self.own.temporary_furiten || self.own.riichi_furiten
    }

    /// How many decisions the player has taken in this hand.
    #[must_use]
    #[inline]
    pub const fn decision_count(&self) -> u16 {
        self.own.decisions
    }

    /// The tiles that this player has not seen: in the wall and in the other hands.
    #[must_use]
    #[inline]
    pub fn unseen(&self) -> Unseen {
        let mut unseen = *self.table.unseen();
        unseen.see_hand(self.hand());
        if let Some(tile) = self.drawn() {
            unseen.see(tile.kind().into());
        }
        unseen
    }

    /// The tile that an action of this decision is about, with the own tiles that a call uses: `chi 34s`, `discard 0p`,
    /// `riichi tsumogiri 9m`.
    #[must_use]
    pub fn describe(&self, action: Action) -> String {
        let declared = |declare| match declare {
            Declare::Nothing => "",
            Declare::Riichi => "riichi ",
            Declare::OpenRiichi => "open riichi ",
        };
        match action {
            Action::Tsumogiri { declare } => {
                let tile = self.drawn().map_or_else(String::new, |tile| format!(" {tile}"));
                format!("{}tsumogiri{tile}", declared(declare))
            }
            Action::Chi { place, red } => format!("chi {}", self.chi_tiles(place, red)),
            Action::Pon { reds } => match self.table.offer() {
                Some(offer) => format!("pon {}", own_tiles(&[offer.tile.kind(); 2], usize::from(reds))),
                None => action.to_string(),
            },
            other => other.to_string(),
        }
    }

    fn chi_tiles(&self, place: ChiPlace, red: bool) -> String {
        let partners = self.table.offer().and_then(|offer| place.partners(offer.tile.kind()));
        partners.map_or_else(String::new, |kinds| own_tiles(&kinds, usize::from(red)))
    }
}

/// The tiles of these kinds, so many of the fives red.
fn own_tiles(kinds: &[TileKind], reds: usize) -> String {
    let mut reds = reds;
    let tiles = kinds.iter().map(|kind| {
        let red = reds > 0 && TileSet::FIVES.contains(*kind);
        reds -= usize::from(red);
        if red { Tile::red(kind.suit()) } else { Tile::plain(*kind) }
    });
    let mut text = String::new();
    crate::notation::write_tiles(&mut text, tiles).expect("a String takes everything");
    text
}

impl Deref for Observation<'_> {
    type Target = Table;
    fn deref(&self) -> &Table {
        self.table
    }
}
