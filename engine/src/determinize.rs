//! Completion of what one player sees, at random or with given hidden tiles.

use crate::private::Private;
use crate::random::Rng;
use crate::round::Round;
use crate::wall::Wall;
use crate::{BySeat, DrawSource, Observation, OfferKind, Phase, Seat, Tile, TileKind};

/// The tiles that a player does not see, and how many of them each opponent holds.
#[derive(Clone, Debug)]
pub struct Hidden {
    tiles: [Tile; 140],
    len: usize,
    in_hand: BySeat<u8>,
}

impl Hidden {
    /// The tiles, in order of index.
    #[must_use]
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.len]
    }

    /// The number of concealed tiles of an opponent, with the tile just drawn. 0 for the player.
    #[must_use]
    pub fn in_hand(&self, seat: Seat) -> usize {
        usize::from(self.in_hand[seat])
    }
}

impl Observation<'_> {
    /// Copies the hand in play and deals the hidden tiles at random, uniformly over hands and wall.
    ///
    /// Hand sizes, melds, discards, dora indicators and the player's own tiles stay the same.
    /// Nothing is inferred from the opponents' play: an opponent in riichi need not be tenpai, and
    /// the copy then treats them as noten. Pending answers of other players are hidden too, so the
    /// copy asks every player of the current decision again. [`Round::is_determinized`] marks
    /// the copy.
    ///
    /// # Panics
    ///
    /// If the hand is over.
    #[must_use]
    pub fn determinize(&self, rng: &mut Rng) -> Round {
        let (len, mut tiles) = self.hidden_tiles();
        rng.shuffle(&mut tiles[..len]);
        self.complete(&tiles[..len])
    }

    /// The tiles that the player does not see.
    #[must_use]
    pub fn hidden(&self) -> Hidden {
        let (len, tiles) = self.hidden_tiles();
        let in_hand = BySeat::from_fn(self.table().rules.players, |seat| {
            if self.is_opponent(seat) {
                self.concealed_of(seat) as u8 + u8::from(self.has_drawn(seat))
            } else {
                0
            }
        });
        Hidden { tiles, len, in_hand }
    }

    /// Copies the hand in play with the hidden tiles in this order, as
    /// [`determinize`](Observation::determinize) does with a random one.
    ///
    /// First come the concealed tiles of each opponent, in the order of seats and with a drawn tile
    /// last, then the live wall in the order of draws, then the dead wall. The caller infers from
    /// the opponents' play what it likes. The tiles must be those of
    /// [`hidden`](Observation::hidden); others make a hand that cannot be.
    ///
    /// # Panics
    ///
    /// If the hand is over, or if there are fewer tiles.
    #[must_use]
    pub fn complete(&self, order: &[Tile]) -> Round {
        assert!(self.phase() != Phase::Over, "cannot complete a hand that is over");
        let mut hidden = order.iter();
        let table = self.table();
        let privates = BySeat::from_fn(table.rules.players, |seat| {
            if !self.is_opponent(seat) {
                return *self.private();
            }
            let melds = table.sides[seat].melds.len();
            let mut private = Private::new(hidden.by_ref().copied().take(self.concealed_of(seat)), melds);
            private.drawn = if self.has_drawn(seat) { hidden.next().copied() } else { None };
            private
        });
        let replacements = table.kans + table.sides.iter().map(|side| side.norths).sum::<u8>();
        let wall =
            Wall::in_play(table.rules, table.live, replacements, table.indicators(), hidden.as_slice());
        let mut round = Round::from_parts(table, &privates, wall, true);
        round.ask_again();
        round
    }

    /// Whether another player sits there.
    fn is_opponent(&self, seat: Seat) -> bool {
        seat != self.seat() && seat.number() < self.table().rules.players.count()
    }

    /// The number of a seat's concealed tiles, without the one just drawn.
    fn concealed_of(&self, seat: Seat) -> usize {
        let table = self.table();
        let in_turn = seat == table.turn && table.phase == Phase::Turn;
        let after_claim = in_turn && table.source == DrawSource::Claim;
        13 - 3 * table.sides[seat].melds.len() + usize::from(after_claim)
    }

    /// Whether a seat holds a tile that it has just drawn.
    fn has_drawn(&self, seat: Seat) -> bool {
        let table = self.table();
        seat == table.turn && table.phase == Phase::Turn && table.source != DrawSource::Claim
    }

    /// The number of hidden tiles, and the tiles in order of index, padded with filler.
    fn hidden_tiles(&self) -> (usize, [Tile; 140]) {
        let table = self.table();
        let mut left = Wall::copies(table.rules);
        let mut see = |tile: Tile| left[tile.index()] -= 1;
        self.hand().tiles().chain(self.drawn()).for_each(&mut see);
        table
            .sides
            .iter()
            .flat_map(|side| side.melds.iter())
            .flat_map(|meld| meld.tiles())
            .for_each(&mut see);
        table.discards.iter().filter(|discard| discard.claimed_by.is_none()).for_each(|d| see(d.tile));
        table.indicators().iter().for_each(|tile| see(*tile));
        let norths: u8 = table.sides.iter().map(|side| side.norths).sum();
        (0..norths).for_each(|_| see(Tile::plain(TileKind::NORTH)));
        let declared = table.offer.filter(|offer| matches!(offer.kind, OfferKind::Kakan | OfferKind::Kita));
        declared.into_iter().for_each(|offer| see(offer.tile));
        let (mut len, mut tiles) = (0, [Tile::plain(TileKind::EAST); 140]);
        for (tile, copies) in Tile::all().zip(left) {
            // Writes four copies and keeps the first `copies`: a fixed size is faster.
            tiles[len..len + 4].fill(tile);
            len += usize::from(copies);
        }
        (len, tiles)
    }
}
