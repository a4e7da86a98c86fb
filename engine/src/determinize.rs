//! Determinization: the hidden tiles of one player's view filled in, at random or as given.

use crate::own_view::Private;
use crate::random::Rng;
use crate::round::Round;
use crate::wall::Wall;
use crate::{BySeat, DrawSource, Observation, OfferKind, Phase, Seat, Suit, Tile, TileKind, TileSet};

/// The tiles that a player does not see, and how many of them each opponent holds.
#[derive(Clone, Debug)]
pub struct HiddenTiles {
    tiles: [Tile; 140],
    len: usize,
    in_hand: BySeat<u8>,
}

impl HiddenTiles {
    /// The tiles, in order of index.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.len]
    }

    /// The number of concealed tiles of an opponent, with the tile just drawn. 0 for the player.
    pub fn in_hand(&self, seat: Seat) -> usize {
        usize::from(self.in_hand[seat])
    }
}

impl Observation<'_> {
    /// Determinizes the hand in play: a copy in which the hidden tiles are dealt at random, uniformly
    /// over hands and wall.
    ///
    /// Hand sizes, melds, discards, dora indicators and the player's own tiles stay the same.
    /// Nothing is inferred from the opponents' play: an opponent in riichi need not be tenpai, and
    /// the copy then treats them as noten. Pending answers of other players are hidden too, so the
    /// copy asks every player of the current decision again.
    ///
    /// # Panics
    ///
    /// If the hand is over.
    pub fn determinize(&self, rng: &mut Rng) -> Round {
        let (len, mut tiles) = self.hidden_tiles();
        rng.shuffle_few(&mut tiles[..len]);
        self.complete(&tiles[..len])
    }

    /// The tiles that the player does not see.
    pub fn hidden(&self) -> HiddenTiles {
        let (len, tiles) = self.hidden_tiles();
        let in_hand = BySeat::from_fn(self.table().rules.players, |seat| {
            if self.is_opponent(seat) {
                self.concealed_of(seat) as u8 + u8::from(self.has_drawn(seat))
            } else {
                0
            }
        });
        HiddenTiles { tiles, len, in_hand }
    }

    /// Determinizes the hand in play with the hidden tiles in this order, which
    /// [`determinize`](Observation::determinize) draws at random. Hand inference is up to the caller.
    ///
    /// First come the concealed tiles of each opponent by seat, with a drawn tile last, then the
    /// live wall in the order of draws, then the dead wall. The tiles must be those of
    /// [`hidden`](Observation::hidden); any others make an impossible hand.
    ///
    /// # Panics
    ///
    /// If the hand is over, or if there are fewer tiles.
    pub fn complete(&self, order: &[Tile]) -> Round {
        assert!(self.phase() != Phase::Over, "cannot complete a hand that is over");
        let mut hidden = order;
        let mut take = |count| hidden.split_off(..count).expect("too few hidden tiles");
        let table = self.table();
        let privates = BySeat::from_fn(table.rules.players, |seat| {
            if !self.is_opponent(seat) {
                return *self.private();
            }
            let mut private = Private::new(take(self.concealed_of(seat)), table.sides[seat].melds.len());
            private.drawn = take(usize::from(self.has_drawn(seat))).first().copied();
            private
        });
        let replacements = table.kans + table.sides.iter().map(|side| side.norths).sum::<u8>();
        let wall = Wall::in_play(table.rules, table.live, replacements, table.indicators(), hidden);
        let mut round = Round::from_parts(table, &privates, wall);
        round.ask_again();
        round
    }

    /// Whether another player sits at this seat.
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
        let mut unseen = *self.table().unseen();
        unseen.see_hand(&self.hand_with_draw());
        let [ones, twos, fours] = unseen.digits().map(TileSet::bits);
        let mut left: [u8; Tile::COUNT] = std::array::from_fn(|kind| {
            (ones >> kind & 1 | (twos >> kind & 1) << 1 | (fours >> kind & 1) << 2) as u8
        });
        for (suit, reds) in Suit::NUMBERED.into_iter().zip(self.unseen_reds()) {
            let red = Tile::red(suit);
            left[red.index()] = reds;
            left[red.kind().index()] -= reds;
        }
        let (mut len, mut tiles) = (0, [Tile::plain(TileKind::EAST); 140]);
        for (tile, copies) in Tile::all().zip(left) {
            // Writes four copies and keeps the first `copies`: a fixed size is faster.
            tiles[len..len + 4].fill(tile);
            len += usize::from(copies);
        }
        (len, tiles)
    }

    /// The red fives of each suit that the player does not see.
    fn unseen_reds(&self) -> [u8; 3] {
        let (table, hand) = (self.table(), self.hand_with_draw());
        let mut left = table.rules.aka.by_suit();
        for (left, seen) in left.iter_mut().zip(table.discards.reds()) {
            *left -= seen;
        }
        for suit in Suit::NUMBERED {
            left[suit as usize] -= hand.reds(suit) as u8;
        }
        for meld in table.sides.iter().flat_map(|side| side.melds.iter()).filter(|meld| meld.reds() > 0) {
            left[meld.low().suit() as usize] -= meld.reds();
        }
        // The tile of a kakan joins its meld when nobody has won on it.
        let added = table.offer.filter(|offer| offer.kind == OfferKind::Kakan).map(|offer| offer.tile);
        for tile in table.indicators().iter().copied().chain(added).filter(|tile| tile.is_red()) {
            left[tile.kind().suit() as usize] -= 1;
        }
        left
    }
}
