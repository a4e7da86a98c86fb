//! A hand in play as the network reads it.

use jantaku_engine::{Concealed, DrawSource, Phase, Riichi, Round, Seat, Table, TileKind, TileSet, Unseen};

/// A hand in play as the network reads it, from the view of one seat: with all hands open, but without the order of
/// the wall. For games of four.
///
/// Seats come in the order of turns, the seat itself first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encoded {
    active: [u16; Encoded::MAX_ACTIVE],
    count: usize,
    /// The scalars.
    pub scalars: [f32; Encoded::SCALARS],
}

/// The features of a seat: the tiles that its hand needs by style, dora, melds, and flags.
const FEATURES_OF_SEAT: usize = STYLES * DISTANCES + DORA + MELDS + FLAGS;
/// Closed, in riichi, open.
const STYLES: usize = 3;
/// One to five tiles to a complete hand; the last for more.
const DISTANCES: usize = 6;
/// None to five dora in hand and melds, red fives included; the last for more.
const DORA: usize = 7;
const MELDS: usize = 5;
/// Is furiten, is the dealer, draws next: each set or not.
const FLAGS: usize = 6;
/// The active features of a seat before its tiles.
const ACTIVE_OF_SEAT: usize = 6;
/// The features of the tiles of a seat: one to four of each kind in the hand, and each kind in melds.
const TILES_OF_SEAT: usize = 5 * TileKind::COUNT;
/// The scalars of a seat.
const SCALARS_OF_SEAT: usize = 8;
/// The scalars of the table.
const SCALARS_OF_TABLE: usize = 4;

/// The first feature of the tiles.
const TILES: usize = Encoded::SEATS * FEATURES_OF_SEAT;
/// The first feature of the kinds of dora.
const DORA_KINDS: usize = TILES + Encoded::SEATS * TILES_OF_SEAT;

impl Encoded {
    /// The number of seats.
    pub(super) const SEATS: usize = 4;
    /// The number of features: of each seat, of its tiles, and the dora.
    pub const FEATURES: usize = DORA_KINDS + TileKind::COUNT;
    /// The most active features: at most 14 for the tiles of each seat, and five for the dora.
    pub const MAX_ACTIVE: usize = Encoded::SEATS * (ACTIVE_OF_SEAT + 14) + 5;
    /// The number of scalars.
    pub const SCALARS: usize = Encoded::SEATS * (SCALARS_OF_SEAT + Encoded::SEATS - 1) + SCALARS_OF_TABLE;

    /// Encodes a hand in play for a seat. The tile just drawn counts as still in the wall.
    pub fn new(round: &Round, seat: Seat) -> Encoded {
        let table = round.table();
        let players = table.rules().players;
        let mut hidden = *table.unseen();
        let seats: [Seat; Encoded::SEATS] = std::array::from_fn(|at| seat.after(at as u8, players));
        let hands = seats.map(|seat| *round.private(seat).hand());
        hands.iter().for_each(|hand| hidden.see_hand(hand));
        let dora = dora_kinds(table);
        let needs: [_; Encoded::SEATS] =
            std::array::from_fn(|at| hands[at].ukeire(table.side(seats[at]).melds().len()));
        let mut encoded =
            Encoded { active: [0; Encoded::MAX_ACTIVE], count: 0, scalars: [0.0; Encoded::SCALARS] };
        dora.iter().for_each(|kind| encoded.push(DORA_KINDS + kind.index()));
        for (at, of_seat) in seats.into_iter().enumerate() {
            let (shanten, needed) = needs[at];
            let hand =
                OpenHand { table, seat: of_seat, hand: &hands[at], distance: shanten.number() + 1, needed };
            hand.features(&dora)
                .into_iter()
                .for_each(|feature| encoded.push(at * FEATURES_OF_SEAT + feature));
            hand.tiles(|tile| encoded.push(TILES + at * TILES_OF_SEAT + tile));
            let others = (0..Encoded::SEATS).filter(|other| *other != at);
            let held = others.map(|other| tiles_of_kinds(&hands[other], needed) / 4.0);
            let places = encoded.scalars[at * (SCALARS_OF_SEAT + Encoded::SEATS - 1)..].iter_mut();
            places
                .zip(hand.scalars(&hidden).into_iter().chain(held))
                .for_each(|(place, scalar)| *place = scalar);
        }
        let live = f32::from(table.live()) + f32::from(u8::from(has_drawn(table)));
        encoded.scalars[Encoded::SCALARS - SCALARS_OF_TABLE..].copy_from_slice(&[
            live / 40.0,
            (live + 1.0).ln(),
            f32::from(table.honba().min(8)) / 4.0,
            f32::from(table.kans()) / 2.0,
        ]);
        encoded
    }

    /// The numbers of the active features.
    pub fn active(&self) -> &[u16] {
        &self.active[..self.count]
    }

    fn push(&mut self, feature: usize) {
        self.active[self.count] = feature as u16;
        self.count += 1;
    }
}

/// Whether a seat has just drawn from the live wall, so that all others wait: rollouts stop there.
pub fn has_drawn(table: &Table) -> bool {
    table.phase() == Phase::Turn && table.source() == DrawSource::Live
}

/// The number of tiles of these kinds in a hand.
fn tiles_of_kinds(hand: &Concealed, kinds: TileSet) -> f32 {
    (1..=4).map(|copies| (hand.at_least(copies) & kinds).len()).sum::<u32>() as f32
}

/// The kinds of the dora, one for each indicator.
fn dora_kinds(table: &Table) -> Vec<TileKind> {
    let three = table.rules().kinds() == TileSet::THREE_PLAYER;
    table.indicators().iter().map(|indicator| indicator.kind().dora(three)).collect()
}

/// The hand of a seat, open.
struct OpenHand<'a> {
    table: &'a Table,
    seat: Seat,
    hand: &'a Concealed,
    /// The tiles that the hand needs to be complete, at least 1.
    distance: i8,
    /// The kinds that lower this number.
    needed: TileSet,
}

impl OpenHand<'_> {
    fn features(&self, dora: &[TileKind]) -> [usize; ACTIVE_OF_SEAT] {
        let side = self.table.side(self.seat);
        let distance = (self.distance.max(1) as usize).min(DISTANCES) - 1;
        let style = if side.riichi() != Riichi::None {
            1
        } else if side.melds().are_open() {
            2
        } else {
            0
        };
        let of_kind = |kind: &TileKind| self.hand.count(*kind) + side.melds().count(*kind);
        let dora: usize = dora.iter().map(of_kind).sum();
        let dora = dora + usize::from(self.hand.red_count() + side.melds().reds());
        let is_furiten = self.distance <= 1 && self.needed.intersects(side.discarded());
        let flags = [is_furiten, self.table.dealer() == self.seat, self.table.turn() == self.seat];
        let mut features = [0; ACTIVE_OF_SEAT];
        features[0] = style * DISTANCES + distance;
        features[1] = STYLES * DISTANCES + dora.min(DORA - 1);
        features[2] = STYLES * DISTANCES + DORA + side.melds().len().min(MELDS - 1);
        for (at, flag) in flags.into_iter().enumerate() {
            features[3 + at] = STYLES * DISTANCES + DORA + MELDS + 2 * at + usize::from(flag);
        }
        features
    }

    /// The features of the tiles: one for each tile of a kind in the hand, and the kinds in melds.
    fn tiles(&self, mut push: impl FnMut(usize)) {
        for copies in 0..4 {
            self.hand
                .at_least(copies + 1)
                .iter()
                .for_each(|kind| push(copies * TileKind::COUNT + kind.index()));
        }
        self.melded().iter().for_each(|kind| push(4 * TileKind::COUNT + kind.index()));
    }

    /// The kinds in melds.
    fn melded(&self) -> TileSet {
        let melds = self.table.side(self.seat).melds();
        melds.iter().fold(TileSet::EMPTY, |all, meld| all | meld.kinds())
    }

    fn scalars(&self, hidden: &Unseen) -> [f32; SCALARS_OF_SEAT] {
        let side = self.table.side(self.seat);
        let players = self.table.rules().players;
        let needed = hidden.count(self.needed) as f32;
        let tiles = |kinds: TileSet| tiles_of_kinds(self.hand, kinds);
        let in_melds = self.melded();
        let wind = self.seat.wind(self.table.dealer(), players).tile();
        let valued = TileSet::DRAGONS | TileSet::of(wind) | TileSet::of(self.table.round_wind().tile());
        let sets = (self.hand.at_least(3) | side.melds().pons()) & valued;
        let pairs = (self.hand.at_least(2) - self.hand.at_least(3)) & valued;
        let suits = [0, 9, 18].map(|first| TileSet::from_bits(0x1FF << first));
        let melded = |set: TileSet| 3.0 * (in_melds & set).len().min(1) as f32;
        let flush =
            suits.map(|suit| tiles(suit | TileSet::HONOURS) + melded(suit)).into_iter().fold(0.0, f32::max);
        [
            (needed + 0.5).ln(),
            needed / 10.0,
            self.needed.len() as f32 / 8.0,
            tiles(TileSet::YAOCHUU) / 8.0,
            (in_melds & TileSet::YAOCHUU).len() as f32 / 2.0,
            sets.len() as f32,
            pairs.len() as f32,
            flush / 14.0,
        ]
    }
}
