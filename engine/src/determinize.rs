//! A guess at what a player does not see.

use crate::private::Private;
use crate::random::Rng;
use crate::round::Round;
use crate::wall::Wall;
use crate::{BySeat, DrawSource, Observation, OfferKind, Phase, Tile, TileKind};

impl Observation<'_> {
    /// A copy of the hand in play in which everything that this player does not see is dealt anew, uniformly over hands and wall.
    ///
    /// Sizes of hands, melds, discards, turned indicators and the own tiles are as they are. Nothing is inferred from what
    /// the others did: an opponent in riichi need not be tenpai (the copy then treats him as not tenpai). What the others were asked and have
    /// answered is unknown too, so a decision under way is asked anew of everybody. The copy is marked
    /// ([`Round::is_determinized`]).
    ///
    /// # Panics
    ///
    /// If the hand is over.
    #[must_use]
    pub fn determinize(&self, rng: &mut Rng) -> Round {
        assert!(self.phase() != Phase::Over, "nothing is left to play");
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

    /// The tiles that this player does not see, in order of number; as many as the first number, the rest is filler.
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
        let in_limbo = table.offer.filter(|offer| matches!(offer.kind, OfferKind::Kakan | OfferKind::Kita));
        in_limbo.into_iter().for_each(|offer| see(offer.tile));
        let (mut len, mut tiles) = (0, [Tile::plain(TileKind::EAST); 140]);
        for (tile, copies) in Tile::all().zip(left) {
            // Four are written and as many kept as there are.
            tiles[len..len + 4].fill(tile);
            len += usize::from(copies);
        }
        (len, tiles)
    }
}
