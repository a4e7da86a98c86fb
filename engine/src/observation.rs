//! What one player sees.

use std::ops::Deref;

use crate::private::{Private, is_tenpai};
use crate::unseen::Unseen;
use crate::{Action, ActionSet, Concealed, Melds, Seat, Table, Tile, TileSet};

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
    pub(crate) const fn new(
        seat: Seat,
        table: &'a Table,
        own: &'a Private,
        legal: ActionSet,
    ) -> Observation<'a> {
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

    /// An action of this decision with the tiles that it is about.
    #[must_use]
    pub fn describe(&self, action: Action) -> String {
        action.in_context(self.drawn(), self.table.offer().map(|offer| offer.tile)).to_string()
    }
}

impl Deref for Observation<'_> {
    type Target = Table;
    fn deref(&self) -> &Table {
        self.table
    }
}
