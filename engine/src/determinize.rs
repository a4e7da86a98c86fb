//! Random completion of what one player sees.

use crate::private::Private;
use crate::random::Rng;
use crate::round::Round;
use crate::wall::Wall;
use crate::{BySeat, DrawSource, Observation, OfferKind, Phase, Tile, TileKind};

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
        assert!(self.phase() != Phase::Over, "cannot determinize a hand that is over");
        let (count, mut hidden) = self.hidden_tiles();
        rng.shuffle(&mut hidden[..count]);
        let mut hidden = hidden[..count].iter();
        let table = self.table();
        let privates = BySeat::from_fn(table.rules.players, |seat| {
            if seat == self.seat() || seat.number() >= table.rules.players.count() {
                return *self.private();
            }
            let melds = table.sides[seat].melds.len();
            let in_turn = seat == table.turn && table.phase == Phase::Turn;
            let after_claim = in_turn && table.source == DrawSource::Claim;
            let tiles = 13 - 3 * melds + usize::from(after_claim);
            let mut private = Private::new(hidden.by_ref().copied().take(tiles), melds);
            private.drawn = if in_turn && !after_claim { hidden.next().copied() } else { None };
            private
        });
        let replacements = table.kans + table.sides.iter().map(|side| side.norths).sum::<u8>();
        let wall =
            Wall::in_play(&table.rules, table.live, replacements, table.indicators(), hidden.as_slice());
        let mut round = Round::from_parts(table, &privates, wall, true);
        round.ask_again();
        round
    }

    /// The number of hidden tiles, and the tiles in order of index, padded with filler.
    fn hidden_tiles(&self) -> (usize, [Tile; 140]) {
        let table = self.table();
        let mut left = Wall::copies(&table.rules);
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
