//! The view of one player.

use std::ops::Deref;

use crate::own_view::{Private, is_tenpai};
use crate::unseen::Unseen;
use crate::{Action, ActionSet, Concealed, Melds, Seat, Snapshot, Table, Tile, TileSet};

/// The view of one player: the table, their own tiles and their legal actions.
///
/// An observation has no access to hidden tiles, because it refers only to the table and to the
/// player's own tiles. It does not depend on whether other players must decide at the same time, or
/// on their answers. It dereferences to [`Table`], so the table's methods work on it.
#[derive(Clone, Copy, Debug)]
#[must_use]
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

    /// A copy that owns its data.
    #[inline]
    pub const fn snapshot(&self) -> Snapshot {
        Snapshot::new(self)
    }

    /// Makes the processor fetch the memory of the observation, without waiting for it.
    #[inline]
    pub fn prefetch(&self) {
        self.table.prefetch();
        self.table.discards.prefetch();
        self.own.prefetch();
    }

    /// The seat of the player.
    #[inline]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The table, which all players see.
    #[inline]
    pub const fn table(&self) -> &'a Table {
        self.table
    }

    /// The player's legal actions. Empty unless they must decide.
    #[inline]
    pub const fn legal(&self) -> ActionSet {
        self.legal
    }

    pub(crate) const fn private(&self) -> &'a Private {
        self.own
    }

    /// The player's concealed tiles without the one just drawn.
    #[inline]
    pub const fn hand(&self) -> &'a Concealed {
        self.own.hand()
    }

    /// The player's concealed tiles with the one just drawn.
    #[inline]
    pub fn hand_with_draw(&self) -> Concealed {
        self.own.hand_with_draw()
    }

    /// The tile that the player has just drawn. None outside their turn.
    #[inline]
    pub const fn drawn(&self) -> Option<Tile> {
        self.own.drawn()
    }

    /// The player's melds.
    #[inline]
    pub fn melds(&self) -> &'a Melds {
        self.table.side(self.seat).melds()
    }

    /// The waits of the player's hand without the tile just drawn: the kinds that complete its shape, with
    /// or without a yaku.
    #[inline]
    pub const fn waits(&self) -> TileSet {
        self.own.waits()
    }

    /// Whether the player's hand, without the tile just drawn, is tenpai under the rules.
    pub fn is_tenpai(&self) -> bool {
        is_tenpai(self.hand(), self.waits(), self.melds(), self.table.rules())
    }

    /// Whether the player is furiten: they discarded one of their waits or let a winning tile pass.
    #[inline]
    pub fn is_furiten(&self) -> bool {
        let own_discard = self.own.waits.intersects(self.table.sides[self.seat].discarded);
        own_discard || self.own.temporary_furiten || self.own.riichi_furiten
    }

    /// The number of decisions that the player has made in this hand.
    #[inline]
    pub const fn decision_count(&self) -> u16 {
        self.own.decisions
    }

    /// The tiles that the player has not seen: those in the wall and in other hands.
    #[inline]
    pub fn unseen(&self) -> Unseen {
        let mut unseen = *self.table.unseen();
        unseen.see_hand(self.hand());
        if let Some(tile) = self.drawn() {
            unseen.see(tile.kind().into());
        }
        unseen
    }

    /// The text of an action of this decision with its tiles, such as `chi 34s`.
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
