//! Facts of an observation that several encoders use.

use jantaku_engine::{
    Concealed, DiscardOption, DiscardOptions, Observation, OfferKind, Phase, Riichi, Seat, Shanten, Side,
    Suit, TileKind, TileSet, Unseen,
};

use super::channel::Seats;
use super::danger;
use crate::view::dora;

/// A decision, with facts that follow from the observation.
pub(super) struct Facts<'a> {
    pub o: &'a Observation<'a>,
    pub seats: Seats,
    /// The player's concealed tiles with the one just drawn.
    pub hand: &'a Concealed,
    /// The tiles that the player has not seen.
    pub unseen: Unseen,
    /// Red fives of each suit that the player has not seen.
    pub unseen_reds: [u8; 3],
    pub outlook: Outlook<'a>,
    /// The players with melds or Norths set aside: a bit for each place of `seats`.
    with_melds: u32,
    /// Dora, red fives and Norths set aside that each player holds openly, in the order of `seats`;
    /// for the player, also those in the hand.
    dora: [u8; 4],
    /// Number tiles whose two-sided waits are impossible because a needed kind is gone.
    pub no_chance: TileSet,
    /// Number tiles whose two-sided waits all need a kind of which at most one tile is unseen.
    pub one_chance: TileSet,
}

/// What the player can reach with their hand.
pub(super) struct Outlook<'a> {
    /// The shanten; with a tile to discard, that of the best discard.
    pub shanten: Shanten,
    /// The kinds that lower this shanten: after one of the best discards, if a tile is to be
    /// discarded.
    pub ukeire: TileSet,
    /// The discards that were analysed. Empty if no tile is to be discarded.
    discards: &'a [DiscardOption],
    /// The most unseen tiles that lower the shanten after one of the best discards. Without a discard,
    /// the number for the hand as it is.
    pub most_tiles: u8,
}

/// What a player's discards suggest about their waits.
pub(super) struct River {
    /// The kinds that any player discarded since this player's hand last changed: after their last
    /// discard from the hand, or after their riichi.
    pub passed: TileSet,
    /// The number of their tsumogiri since their last discard from the hand.
    pub unchanged: u8,
    /// The kinds on which the player cannot win by ron: their own discards, in riichi also `passed`.
    pub genbutsu: TileSet,
}

impl<'a> Facts<'a> {
    /// Passes the facts of a decision to `read`. Of the discards, only the best are analysed.
    #[inline]
    pub(super) fn with_best_discards<T>(o: &Observation<'_>, read: impl FnOnce(&Facts<'_>) -> T) -> T {
        let hand = o.hand_with_draw();
        let mut discards = DiscardOptions::NONE;
        if must_discard(&hand) {
            hand.find_best_discards(o.melds().len(), &mut discards);
        }
        read(&Facts::new(o, &hand, &discards))
    }

    /// The facts of a decision. `hand` is that of [`Observation::hand_with_draw`], and `discards`
    /// has the discards to analyse.
    #[inline]
    pub(super) fn new(
        o: &'a Observation<'a>,
        hand: &'a Concealed,
        discards: &'a DiscardOptions,
    ) -> Facts<'a> {
        let seats = Seats::of(o);
        let mut unseen = *o.table().unseen();
        unseen.see_hand(hand);
        let [ones, twos, fours] = unseen.digits();
        let with_melds = have_melds(o, &seats);
        let (dora, unseen_reds) = open_tiles(o, sides_of(o, &seats, with_melds), hand);
        Facts {
            o,
            seats,
            with_melds,
            unseen,
            unseen_reds,
            outlook: Outlook::of(o, hand, discards.as_slice(), &unseen),
            hand,
            dora,
            no_chance: danger::walls(!(ones | twos | fours)),
            one_chance: danger::walls(!(twos | fours)),
        }
    }

    /// The discards that were analysed, each with the number of unseen tiles that lower the shanten
    /// after it.
    #[inline]
    pub(super) fn discards(&self) -> impl Iterator<Item = (&'a DiscardOption, u8)> {
        let with_tiles = |option: &'a DiscardOption| (option, self.unseen.count(option.ukeire) as u8);
        self.outlook.discards.iter().map(with_tiles)
    }

    /// The kinds that the indicators make dora, in the order of the indicators.
    #[inline]
    pub(super) fn dora(&self) -> impl Iterator<Item = TileKind> {
        dora(self.o)
    }

    /// What the discards say about a player.
    #[inline]
    pub(super) fn river(&self, seat: Seat) -> River {
        let side = self.o.side(seat);
        let passed = side.passed();
        let in_riichi = side.riichi() != Riichi::None;
        let genbutsu = if in_riichi { side.discarded() | passed } else { side.discarded() };
        River { passed, unchanged: side.unchanged(), genbutsu }
    }

    /// Dora, red fives and Norths set aside that a player holds openly; the player's own also in the
    /// hand.
    #[inline]
    pub(super) const fn dora_of(&self, seat: Seat) -> u8 {
        self.dora[self.seats.index_of(seat)]
    }

    /// The number of players with more points.
    pub(super) fn players_ahead(&self) -> u8 {
        let scores = self.o.scores();
        let own = scores[self.o.seat()];
        scores.iter().filter(|points| **points > own).count() as u8
    }

    /// The players with melds or Norths set aside, each with the place of the seat in `seats`.
    #[inline]
    pub(super) fn with_melds(&self) -> impl Iterator<Item = (usize, &'a Side)> {
        sides_of(self.o, &self.seats, self.with_melds)
    }

    /// How often the deal still passes until the last hand of the schedule; 0 from that hand on.
    pub(super) fn hands_left(&self) -> u16 {
        let rules = self.o.rules();
        let scheduled = u16::from(rules.wind_rounds) * u16::from(rules.players.count());
        scheduled.saturating_sub(self.o.round() + 1)
    }

    /// The phase as an index: turn, claim, claim of a kan's or kita's tile, exhaustive draw, end.
    pub(super) fn phase(&self) -> usize {
        match self.o.phase() {
            Phase::Turn => 0,
            Phase::Claim => 1,
            Phase::KanClaim => 2,
            Phase::Draw => 3,
            Phase::End | Phase::Over => 4,
        }
    }
}

/// Whether a hand has a tile to discard.
#[inline]
pub(super) fn must_discard(hand: &Concealed) -> bool {
    hand.len() % 3 == 2
}

impl<'a> Outlook<'a> {
    #[inline]
    fn of(
        o: &Observation<'_>,
        hand: &Concealed,
        discards: &'a [DiscardOption],
        unseen: &Unseen,
    ) -> Outlook<'a> {
        let mut most_tiles = 0;
        let Some(first) = discards.first() else {
            let (shanten, ukeire) = hand.ukeire(o.melds().len());
            return Outlook { shanten, ukeire, discards, most_tiles: unseen.count(ukeire) as u8 };
        };
        let (mut shanten, mut ukeire) = (first.shanten, TileSet::EMPTY);
        for option in discards {
            if option.shanten < shanten {
                (shanten, ukeire, most_tiles) = (option.shanten, TileSet::EMPTY, 0);
            }
            if option.shanten == shanten {
                ukeire |= option.ukeire;
                most_tiles = most_tiles.max(unseen.count(option.ukeire) as u8);
            }
        }
        Outlook { shanten, ukeire, discards, most_tiles }
    }
}

/// The players with melds or Norths set aside, as a bit for each place of `seats`.
///
/// There are usually few: one loop without branches finds them, so that other loops visit only
/// these.
#[inline]
fn have_melds(o: &Observation<'_>, seats: &Seats) -> u32 {
    let has_any = |side: &Side| !side.melds().is_empty() | (side.norths() > 0);
    let bit =
        |(at, seat): (u32, Option<Seat>)| u32::from(seat.is_some_and(|seat| has_any(o.side(seat)))) << at;
    (0..).zip(seats.by_view).map(bit).sum()
}

/// The sides of the seats with these places in `seats`, each with its place.
#[inline]
fn sides_of<'a>(
    o: &Observation<'a>,
    seats: &Seats,
    mut places: u32,
) -> impl Iterator<Item = (usize, &'a Side)> + use<'a> {
    let (table, by_view) = (o.table(), seats.by_view);
    std::iter::from_fn(move || {
        let at = places.trailing_zeros() as usize;
        places &= places.wrapping_sub(1);
        let seat = (*by_view.get(at)?)?;
        Some((at, table.side(seat)))
    })
}

/// The visible dora, red fives and Norths set aside of each player, in the order of [`Seats::by_view`], and
/// the unseen red fives of each suit. The player also sees those of their own hand. `with_melds`
/// are the players with melds or Norths set aside, each with their place in that order.
#[inline]
fn open_tiles<'a>(
    o: &Observation<'a>,
    with_melds: impl Iterator<Item = (usize, &'a Side)>,
    hand: &Concealed,
) -> ([u8; 4], [u8; 3]) {
    let (mut held, mut seen) = ([0; 4], o.discards().reds());
    for (at, side) in with_melds {
        let held = &mut held[at];
        for meld in side.melds() {
            let reds = meld.reds();
            if reds > 0 {
                seen[meld.low().suit() as usize] += reds;
            }
            *held += reds + dora(o).map(|kind| meld.count(kind) as u8).sum::<u8>();
        }
        if side.norths() > 0 {
            let each = 1 + dora(o).filter(|kind| *kind == TileKind::NORTH).count() as u8;
            *held += side.norths() * each;
        }
    }
    held[0] += hand.red_count() + dora(o).map(|kind| hand.count(kind) as u8).sum::<u8>();
    for suit in Suit::NUMBERED {
        seen[suit as usize] += hand.reds(suit) as u8;
    }
    // The tile of a kakan joins its meld when nobody has won on it.
    let added = o.offer().filter(|offer| offer.kind == OfferKind::Kakan).map(|offer| offer.tile);
    for tile in o.indicators().iter().copied().chain(added).filter(|tile| tile.is_red()) {
        seen[tile.kind().suit() as usize] += 1;
    }
    let all = o.rules().aka.by_suit();
    (held, std::array::from_fn(|suit| all[suit] - seen[suit]))
}
