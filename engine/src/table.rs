//! What everybody at the table sees.

use crate::rules::Rules;
use crate::score::Riichi;
use crate::unseen::Unseen;
use crate::{BySeat, Declare, Meld, Melds, Seat, Tile, TileKind, TileSet, Wind};

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The player whose turn it is discards, makes a quad or wins.
    Turn,
    /// The others may claim a discard or win on it.
    Claim,
    /// The others may win on a tile that is to make a quad or to be set aside.
    KanClaim,
    /// Tenpai players show their hands at a draw or keep them closed.
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
    /// The dead wall, after a quad.
    Kan,
    /// The dead wall, after a North was set aside.
    Kita,
    /// Nowhere: a chi or pon opened the turn.
    Claim,
}

/// How a tile came to lie open for the others to take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OfferKind {
    /// Discarded.
    Discard,
    /// To be added to a pon.
    Kakan,
    /// Shown as a concealed quad.
    Ankan,
    /// A North to be set aside.
    Kita,
}

/// A tile that the others may take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Offer {
    /// The tile.
    pub tile: Tile,
    /// Whose it was.
    pub from: Seat,
    /// How it came to lie open.
    pub kind: OfferKind,
}

/// One discard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Discard {
    /// Who discarded.
    pub seat: Seat,
    /// The tile.
    pub tile: Tile,
    /// Whether it was the tile just drawn.
    pub tsumogiri: bool,
    /// Whether riichi was declared with it.
    pub riichi: bool,
    /// Who took it, by a call or by winning.
    pub claimed_by: Option<Seat>,
}

/// The discards of all players in order.
///
/// Each in 16 bits: tile 0–5, seat 6–7, tsumogiri 8, riichi 9, claimed 10, by whom 11–12.
#[derive(Clone, Copy)]
pub struct Discards {
    entries: [u16; Discards::CAPACITY],
    len: u8,
}

impl Discards {
    /// Two players share 96 live tiles, and each of their eight calls allows a discard without a draw. More players share fewer tiles:
    /// 83 and 12 calls, 70 and 16.
    const CAPACITY: usize = 104;

    const EMPTY: Discards = Discards { entries: [0; Discards::CAPACITY], len: 0 };

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

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether there is none.
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
            tile: Tile::new((entry & 63) as u8).expect("only tiles are pushed"),
            tsumogiri: entry >> 8 & 1 != 0,
            riichi: entry >> 9 & 1 != 0,
            claimed_by: (entry >> 10 & 1 != 0).then(|| seat_bits(entry >> 11)),
        })
    }

    /// The discards of one player in order: his river, with the tiles that others took.
    #[must_use]
    pub fn of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = Discard> {
        self.iter().filter(move |discard| discard.seat == seat)
    }
}

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

/// What everybody sees of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Side {
    pub(crate) melds: Melds,
    /// Kinds that make the player furiten: discarded, claimed ones included.
    pub(crate) discarded: TileSet,
    pub(crate) discards: u8,
    pub(crate) riichi: Riichi,
    pub(crate) ippatsu: bool,
    pub(crate) norths: u8,
    /// Who is liable for three dragons, four winds, four quads.
    pub(crate) liable: [Option<Seat>; 3],
}

impl Side {
    const EMPTY: Side = Side {
        melds: Melds::EMPTY,
        discarded: TileSet::EMPTY,
        discards: 0,
        riichi: Riichi::None,
        ippatsu: false,
        norths: 0,
        liable: [None; 3],
    };

    /// The melds.
    #[must_use]
    pub const fn melds(&self) -> &Melds {
        &self.melds
    }

    /// How many tiles the player has discarded.
    #[must_use]
    pub const fn discard_count(&self) -> u8 {
        self.discards
    }

    /// The riichi, once it is accepted.
    #[must_use]
    pub const fn riichi(&self) -> Riichi {
        self.riichi
    }

    /// Whether a win now would be ippatsu.
    #[must_use]
    pub const fn ippatsu(&self) -> bool {
        self.ippatsu
    }

    /// How many Norths are set aside.
    #[must_use]
    pub const fn norths(&self) -> u8 {
        self.norths
    }

    #[inline]
    pub(crate) fn in_riichi(&self) -> bool {
        self.riichi != Riichi::None
    }
}

/// The open part of a hand in play: everything but the players' tiles and the wall.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Table {
    pub(crate) rules: Rules,
    pub(crate) round: u16,
    pub(crate) honba: u16,
    pub(crate) sticks: u16,
    pub(crate) dealer: Seat,
    pub(crate) dealer_wins: u8,
    pub(crate) scores: BySeat<i32>,
    pub(crate) sides: BySeat<Side>,
    /// What each open riichi waits for.
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
    /// What is declared with the discard that lies open.
    pub(crate) declared: Declare,
    /// Kinds that may not be discarded right after a call.
    pub(crate) forbidden: TileSet,
    pub(crate) owed: Owed,
    /// Who fed the open quad whose replacement tile is in play.
    pub(crate) kan_feeder: Option<Seat>,
    /// Tiles that are not open.
    pub(crate) unseen: Unseen,
}

/// Indicators of quads that have not been turned yet.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Owed {
    pub(crate) at_discard: u8,
    pub(crate) after_pass: u8,
}

impl Table {
    pub(crate) fn new(rules: &Rules, round: u16, honba: u16, sticks: u16, scores: BySeat<i32>) -> Table {
        let players = rules.players;
        let dealer = Seat::FIRST.after((round % u16::from(players.count())) as u8, players);
        Table {
            rules: *rules,
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

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of the hand by dealers from the first one of the game, without wrapping: 0 is East 1, with four players 4 is South 1.
    #[must_use]
    pub const fn round(&self) -> u16 {
        self.round
    }

    /// The wind of the round.
    #[must_use]
    pub const fn round_wind(&self) -> Wind {
        Wind::of_round(self.round as u32 / self.rules.players.count() as u32)
    }

    /// Counters on the table.
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

    /// How many hands the dealer has won since he deals; in a game that began in the middle, since then.
    #[must_use]
    pub const fn dealer_wins(&self) -> u8 {
        self.dealer_wins
    }

    /// Points, riichi sticks already paid.
    #[must_use]
    pub const fn scores(&self) -> &BySeat<i32> {
        &self.scores
    }

    /// What everybody sees of a player.
    #[must_use]
    pub fn side(&self, seat: Seat) -> &Side {
        &self.sides[seat]
    }

    /// What a player waits for who has declared open riichi; nothing without one.
    #[must_use]
    pub fn shown_waits(&self, seat: Seat) -> TileSet {
        self.shown_waits[seat]
    }

    /// All discards in order.
    #[must_use]
    pub const fn discards(&self) -> &Discards {
        &self.discards
    }

    /// The dora indicators that are turned.
    #[must_use]
    pub fn indicators(&self) -> &[Tile] {
        &self.indicators[..usize::from(self.indicator_count)]
    }

    /// Live tiles that can still be drawn in ordinary turns.
    #[must_use]
    pub const fn live(&self) -> u8 {
        self.live
    }

    /// Quads on the table.
    #[must_use]
    pub const fn kans(&self) -> u8 {
        self.kans
    }

    /// Whose turn it is; at a claim, who discarded.
    #[must_use]
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// Where the tile of this turn came from.
    #[must_use]
    pub const fn source(&self) -> DrawSource {
        self.source
    }

    /// Whether nobody has called, made a quad or set a North aside yet.
    #[must_use]
    pub const fn uninterrupted(&self) -> bool {
        self.uninterrupted
    }

    /// What the game waits for.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The tile that can be claimed or won on.
    #[must_use]
    pub const fn offer(&self) -> Option<Offer> {
        self.offer
    }

    /// The wind of a seat.
    #[must_use]
    pub const fn seat_wind(&self, seat: Seat) -> Wind {
        seat.wind(self.dealer, self.rules.players)
    }

    /// Tiles that are not open: in the wall and in all hands.
    #[must_use]
    pub const fn unseen(&self) -> &Unseen {
        &self.unseen
    }

    /// A meld lies open: the tiles that were not open before are seen.
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
