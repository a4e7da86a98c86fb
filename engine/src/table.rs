//! What all players see.

use serde::{Deserialize, Serialize};

use crate::prefetch::prefetch;
use crate::rules::Rules;
use crate::score::Riichi;
use crate::unseen::Unseen;
use crate::{BySeat, Declare, Meld, Melds, Seat, Tile, TileKind, TileSet, Wind};

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The player in turn discards, declares a kan or kita, or wins.
    Turn,
    /// The others may claim a discard.
    Claim,
    /// The others may win on the tile of a kan or kita.
    KanClaim,
    /// Tenpai players may declare noten at an exhaustive draw.
    Draw,
    /// The dealer decides whether the game ends.
    End,
    /// Nothing: the hand is over.
    Over,
}

/// Where the tile of a turn came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawSource {
    /// The live wall.
    Live,
    /// The dead wall, after a kan.
    Kan,
    /// The dead wall, after a kita.
    Kita,
    /// A discard: a chi or pon opened the turn.
    Claim,
}

/// Why a tile is offered to the other players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum OfferKind {
    /// It was discarded.
    Discard,
    /// It is to be added to a pon.
    Kakan,
    /// It is one of the tiles of an ankan.
    Ankan,
    /// It is a North to be set aside.
    Kita,
}

/// An open tile that the other players may claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// The tile.
    pub tile: Tile,
    /// The player it comes from.
    pub from: Seat,
    /// Why it is offered.
    pub kind: OfferKind,
}

/// One discard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Discard {
    /// The player who discarded.
    pub seat: Seat,
    /// The tile.
    pub tile: Tile,
    /// Whether it was the tile just drawn.
    pub tsumogiri: bool,
    /// Whether riichi was declared with it.
    pub riichi: bool,
    /// The player who claimed it for a meld.
    pub claimed_by: Option<Seat>,
}

/// The discards of all players in order.
///
/// Each takes 16 bits: tile 0–5, seat 6–7, tsumogiri 8, riichi 9, claimed 10, claiming seat 11–12.
/// Entries past the last are 0.
#[derive(Clone, Copy)]
pub struct Discards {
    entries: [u16; Discards::CAPACITY],
    len: u8,
}

impl Discards {
    /// The most discards in a hand.
    ///
    /// Two players share 96 live tiles, and each of their eight calls allows one discard without a
    /// draw. Three players share 83 live tiles and 12 calls, four players 70 and 16.
    pub(crate) const CAPACITY: usize = 104;

    pub(crate) const EMPTY: Discards = Discards { entries: [0; Discards::CAPACITY], len: 0 };

    #[inline]
    pub(crate) fn push(&mut self, seat: Seat, tile: Tile, tsumogiri: bool, riichi: bool) {
        let flags = u16::from(tsumogiri) << 8 | u16::from(riichi) << 9;
        self.entries[usize::from(self.len)] =
            u16::from(tile.number()) | u16::from(seat.number()) << 6 | flags;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn claim_last(&mut self, by: Seat) {
        let last = usize::from(self.len) - 1;
        self.entries[last] |= 1 << 10 | u16::from(by.number()) << 11;
    }

    /// Fetches the rivers ([`Observation::prefetch`](crate::Observation::prefetch)).
    #[inline]
    pub(crate) fn prefetch(&self) {
        self.entries.iter().step_by(32).for_each(prefetch);
    }

    /// Fetches where the next discard will lie.
    #[inline]
    pub(crate) fn prefetch_next(&self) {
        self.entries.get(usize::from(self.len)).into_iter().for_each(prefetch);
    }

    /// Number of discards.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether there are no discards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The discards in order.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Discard> + ExactSizeIterator {
        self.entries[..usize::from(self.len)].iter().map(|entry| Discard {
            seat: seat_bits(entry >> 6),
            tile: Tile::from_number((entry & 63) as u8),
            tsumogiri: entry >> 8 & 1 != 0,
            riichi: entry >> 9 & 1 != 0,
            claimed_by: (entry >> 10 & 1 != 0).then(|| seat_bits(entry >> 11)),
        })
    }

    /// The red fives of each suit that lie in the rivers. Those that were claimed lie in melds.
    #[must_use]
    #[inline]
    pub fn reds(&self) -> [u8; 3] {
        const CLAIMED: u16 = 1 << 10;
        // Eight entries at a time: the compiler makes vectors of these loops. Entries past the last
        // hold no red five.
        let mut reds = [[0_u16; 8]; 3];
        for eight in self.entries.as_chunks::<8>().0.iter().take(self.len().div_ceil(8)) {
            for (red, reds) in (TileKind::COUNT as u16..).zip(&mut reds) {
                for (entry, count) in eight.iter().zip(reds) {
                    // A claimed tile has a number past those of all tiles.
                    *count += u16::from(entry & (63 | CLAIMED) == red);
                }
            }
        }
        reds.map(|counts| counts.iter().sum::<u16>() as u8)
    }

    /// The river of one player in order, including the tiles that others claimed.
    #[must_use]
    #[inline]
    pub fn of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = Discard> {
        self.iter().filter(move |discard| discard.seat == seat)
    }
}

#[inline]
fn seat_bits(bits: u16) -> Seat {
    Seat::new((bits & 3) as u8).expect("two bits are a seat")
}

impl PartialEq for Discards {
    fn eq(&self, other: &Discards) -> bool {
        self.entries[..self.len()] == other.entries[..other.len()]
    }
}

impl std::fmt::Debug for Discards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// What all players see of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Side {
    pub(crate) melds: Melds,
    /// Kinds that the player has discarded, including claimed ones. They make the player furiten.
    pub(crate) discarded: TileSet,
    pub(crate) discards: u8,
    pub(crate) riichi: Riichi,
    pub(crate) ippatsu: bool,
    pub(crate) norths: u8,
    pub(crate) is_dead: bool,
    /// The liable players for daisangen, daisuushii and suukantsu.
    pub(crate) liable: [Option<Seat>; 3],
}

impl Side {
    pub(crate) const EMPTY: Side = Side {
        melds: Melds::EMPTY,
        discarded: TileSet::EMPTY,
        discards: 0,
        riichi: Riichi::None,
        ippatsu: false,
        norths: 0,
        is_dead: false,
        liable: [None; 3],
    };

    /// The melds.
    #[must_use]
    pub const fn melds(&self) -> &Melds {
        &self.melds
    }

    /// Kinds that the player has discarded, including those that others claimed, and where the rules
    /// make them discards, the tiles that they added to their pons.
    #[must_use]
    pub const fn discarded(&self) -> TileSet {
        self.discarded
    }

    /// Number of tiles that the player has discarded.
    #[must_use]
    pub const fn discard_count(&self) -> u8 {
        self.discards
    }

    /// The riichi, once accepted.
    #[must_use]
    pub const fn riichi(&self) -> Riichi {
        self.riichi
    }

    /// Whether a win now would be ippatsu.
    #[must_use]
    pub const fn ippatsu(&self) -> bool {
        self.ippatsu
    }

    /// Number of Norths set aside.
    #[must_use]
    pub const fn norths(&self) -> u8 {
        self.norths
    }

    /// Whether the hand is dead after an invalid call: the player only draws and discards.
    #[must_use]
    pub const fn is_dead(&self) -> bool {
        self.is_dead
    }

    #[inline]
    pub(crate) fn in_riichi(&self) -> bool {
        self.riichi != Riichi::None
    }
}

/// The open part of a hand in play: everything except the concealed tiles and the wall.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Table {
    pub(crate) rules: &'static Rules,
    pub(crate) round: u16,
    pub(crate) honba: u16,
    pub(crate) sticks: u16,
    pub(crate) dealer: Seat,
    pub(crate) dealer_wins: u8,
    pub(crate) scores: BySeat<i32>,
    pub(crate) sides: BySeat<Side>,
    /// The waits of each open riichi.
    pub(crate) shown_waits: BySeat<TileSet>,
    pub(crate) discards: Discards,
    pub(crate) indicators: [Tile; 5],
    pub(crate) indicator_count: u8,
    pub(crate) live: u8,
    pub(crate) kans: u8,
    pub(crate) turn: Seat,
    pub(crate) source: DrawSource,
    pub(crate) uninterrupted: bool,
    pub(crate) phase: Phase,
    pub(crate) offer: Option<Offer>,
    /// What is declared with the offered discard.
    pub(crate) declared: Declare,
    /// Kinds that may not be discarded right after a call.
    pub(crate) forbidden: TileSet,
    pub(crate) owed: Owed,
    /// The player whose discard became the daiminkan whose replacement tile is in play.
    pub(crate) kan_feeder: Option<Seat>,
    /// Tiles that are not open.
    pub(crate) unseen: Unseen,
}

/// Kan dora indicators that have not been turned yet.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Owed {
    pub(crate) at_discard: u8,
    pub(crate) after_pass: u8,
}

impl Table {
    pub(crate) fn new(
        rules: &'static Rules,
        round: u16,
        honba: u16,
        sticks: u16,
        scores: BySeat<i32>,
    ) -> Table {
        let players = rules.players;
        let dealer = Seat::FIRST.after((round % u16::from(players.count())) as u8, players);
        Table {
            rules,
            round,
            honba,
            sticks,
            dealer,
            dealer_wins: 0,
            scores,
            sides: BySeat::splat(players, Side::EMPTY),
            shown_waits: BySeat::splat(players, TileSet::EMPTY),
            discards: Discards::EMPTY,
            indicators: [Tile::plain(TileKind::EAST); 5],
            indicator_count: 0,
            live: 0,
            kans: 0,
            turn: dealer,
            source: DrawSource::Live,
            uninterrupted: true,
            phase: Phase::Turn,
            offer: None,
            declared: Declare::Nothing,
            forbidden: TileSet::EMPTY,
            owed: Owed::default(),
            kan_feeder: None,
            unseen: Unseen::all_of(rules.kinds()),
        }
    }

    /// Fetches all parts but the rivers ([`Game::prefetch`](crate::Game::prefetch)).
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(&self.rules);
        self.sides.iter().for_each(prefetch);
        prefetch(&self.shown_waits);
        prefetch(&self.discards.len);
        prefetch(&self.unseen);
        prefetch(&self.live);
    }

    /// The rules.
    #[must_use]
    #[inline]
    pub const fn rules(&self) -> &Rules {
        self.rules
    }

    /// The number of the hand, from 0. It goes up when the deal passes and does not wrap: with four
    /// players, 0 is East 1 and 4 is South 1.
    #[must_use]
    pub const fn round(&self) -> u16 {
        self.round
    }

    /// The round wind.
    #[must_use]
    #[inline]
    pub const fn round_wind(&self) -> Wind {
        Wind::of_round(self.round as u32 / self.rules.players.count() as u32)
    }

    /// Honba.
    #[must_use]
    pub const fn honba(&self) -> u16 {
        self.honba
    }

    /// Riichi sticks on the table.
    #[must_use]
    pub const fn sticks(&self) -> u16 {
        self.sticks
    }

    /// The dealer.
    #[must_use]
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Hands that the dealer has won since the deal came to them. In a game that started in the
    /// middle, counted from there.
    #[must_use]
    pub const fn dealer_wins(&self) -> u8 {
        self.dealer_wins
    }

    /// Points of each player, with riichi sticks already paid.
    #[must_use]
    #[inline]
    pub const fn scores(&self) -> &BySeat<i32> {
        &self.scores
    }

    /// What all players see of one player.
    #[must_use]
    #[inline]
    pub fn side(&self, seat: Seat) -> &Side {
        &self.sides[seat]
    }

    /// The waits of a player in open riichi; empty for others.
    #[must_use]
    #[inline]
    pub fn shown_waits(&self, seat: Seat) -> TileSet {
        self.shown_waits[seat]
    }

    /// All discards in order.
    #[must_use]
    #[inline]
    pub const fn discards(&self) -> &Discards {
        &self.discards
    }

    /// The dora indicators that are turned.
    #[must_use]
    #[inline]
    pub fn indicators(&self) -> &[Tile] {
        &self.indicators[..usize::from(self.indicator_count)]
    }

    /// Live tiles left to draw.
    #[must_use]
    pub const fn live(&self) -> u8 {
        self.live
    }

    /// Number of kans declared.
    #[must_use]
    pub const fn kans(&self) -> u8 {
        self.kans
    }

    /// The player in turn; while a tile is offered, the player it comes from.
    #[must_use]
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// Where the tile of this turn came from.
    #[must_use]
    pub const fn source(&self) -> DrawSource {
        self.source
    }

    /// Whether no player has made a call, kan or kita yet.
    #[must_use]
    pub const fn uninterrupted(&self) -> bool {
        self.uninterrupted
    }

    /// What the game waits for.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The tile that others may claim.
    #[must_use]
    pub const fn offer(&self) -> Option<Offer> {
        self.offer
    }

    /// The seat wind.
    #[must_use]
    #[inline]
    pub const fn seat_wind(&self, seat: Seat) -> Wind {
        seat.wind(self.dealer, self.rules.players)
    }

    /// Tiles that are not open: in the wall and in all hands.
    #[must_use]
    pub const fn unseen(&self) -> &Unseen {
        &self.unseen
    }

    /// Marks the tiles of a new meld as seen, except those that were open before.
    #[inline]
    pub(crate) fn show_meld(&mut self, meld: Meld) {
        match meld.claimed() {
            Some(claimed) if meld.is_sequence() => {
                self.unseen.see(meld.kinds() - TileSet::of(claimed.tile.kind()));
            }
            claimed => {
                let new = meld.count(meld.low()) - usize::from(claimed.is_some());
                (0..new).for_each(|_| self.unseen.see(meld.kinds()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discards_are_read_as_they_were_pushed() {
        let mut discards = Discards::EMPTY;
        let mut expected = Vec::new();
        for (index, tile) in Tile::all().enumerate() {
            let seat = seat_bits(index as u16);
            let (tsumogiri, riichi) = (index % 3 == 0, index % 5 == 0);
            discards.push(seat, tile, tsumogiri, riichi);
            let claimed_by = (index % 7 == 0).then(|| seat_bits(index as u16 / 7));
            claimed_by.into_iter().for_each(|by| discards.claim_last(by));
            expected.push(Discard { seat, tile, tsumogiri, riichi, claimed_by });
        }
        assert!(discards.iter().eq(expected.iter().copied()), "{discards:?}");
        let copy = discards;
        assert!(discards == copy && discards != Discards::EMPTY);
        let of_second: Vec<Discard> = discards.of(seat_bits(1)).collect();
        assert_eq!(of_second, expected.into_iter().skip(1).step_by(4).collect::<Vec<_>>());
    }
}
