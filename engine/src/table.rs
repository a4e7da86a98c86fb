//! What all players see.

use serde::{Deserialize, Serialize};

use crate::game_state::Standing;
use crate::getters::getters;
use crate::prefetch::prefetch;
use crate::rules::Rules;
use crate::score::Riichi;
use crate::unseen::Unseen;
use crate::{BySeat, Declare, Discards, Meld, Melds, Seat, Tile, TileKind, TileSet, Wind};

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

/// What all players see of one player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Side {
    pub(crate) melds: Melds,
    /// Kinds that the player has discarded, including claimed ones. They make the player furiten.
    pub(crate) discarded: TileSet,
    pub(crate) discards: u8,
    pub(crate) last_discard: Option<Tile>,
    /// Kinds that any player discarded since this player's hand last changed or they declared riichi.
    pub(crate) passed: TileSet,
    pub(crate) unchanged: u8,
    pub(crate) riichi: Riichi,
    pub(crate) ippatsu: bool,
    pub(crate) norths: u8,
    pub(crate) is_dead: bool,
    /// The liable players for daisangen, daisuushii and suukantsu.
    pub(crate) liable: [Option<Seat>; 3],
}

impl Side {
    /// Number of tiles that the player has discarded.
    pub const fn discard_count(&self) -> u8 {
        self.discards
    }

    #[inline]
    pub(crate) fn in_riichi(&self) -> bool {
        self.riichi != Riichi::None
    }
}

getters! {
    Side:
    /// The melds.
    &melds: Melds,

    /// Kinds that the player has discarded, claimed discards included. The tiles of kakans count too
    /// if the rules make them discards.
    discarded: TileSet,

    /// The tile that the player discarded last.
    last_discard: Option<Tile>,

    /// The kinds that any player discarded since this player's hand last changed: after their last
    /// discard from the hand, or after their riichi. All discards if it never did.
    passed: TileSet,

    /// Number of tsumogiri since the player last discarded from the hand.
    unchanged: u8,

    /// The riichi, once accepted.
    riichi: Riichi,

    /// Whether a win now would be ippatsu.
    ippatsu: bool,

    /// Number of Norths set aside.
    norths: u8,

    /// Whether the hand is dead after an invalid call: the player only draws and discards.
    is_dead: bool,
}

/// The open part of a hand in play: everything except the concealed tiles and the wall.
#[derive(Clone, Copy, PartialEq, Debug)]
#[must_use]
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
    /// Turned together with the next discard.
    pub(crate) at_discard: u8,
    /// Turned after the next discard, if nobody wins on it.
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
        let dealer = players.dealer(round);
        Table {
            rules,
            round,
            honba,
            sticks,
            dealer,
            dealer_wins: 0,
            scores,
            sides: BySeat::splat(players, Side::default()),
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
        self.discards.prefetch_len();
        prefetch(&self.unseen);
        prefetch(&self.live);
    }

    /// The rules.
    #[inline]
    pub const fn rules(&self) -> &Rules {
        self.rules
    }

    /// The round wind.
    #[inline]
    pub const fn round_wind(&self) -> Wind {
        Wind::of_round(self.round as u32 / self.rules.players.count() as u32)
    }

    /// Where the game stands, as far as all players see it: not how often the hand was replayed.
    pub const fn standing(&self) -> Standing {
        let Table { round, honba, sticks, dealer_wins, scores, .. } = *self;
        Standing { round, honba, sticks, attempt: 0, dealer_wins, scores }
    }

    /// What all players see of one player.
    #[inline]
    pub fn side(&self, seat: Seat) -> &Side {
        &self.sides[seat]
    }

    /// The waits of a player in open riichi; empty for others.
    #[inline]
    pub fn shown_waits(&self, seat: Seat) -> TileSet {
        self.shown_waits[seat]
    }

    /// The dora indicators that are turned.
    #[inline]
    pub fn indicators(&self) -> &[Tile] {
        &self.indicators[..usize::from(self.indicator_count)]
    }

    /// The seat wind.
    #[inline]
    pub const fn seat_wind(&self, seat: Seat) -> Wind {
        seat.wind(self.dealer, self.rules.players)
    }

    /// Adds a discard to the rivers, and updates the facts about the players.
    #[expect(clippy::inline_always, reason = "called for every discard, and not inlined otherwise")]
    #[inline(always)]
    pub(crate) fn add_discard(&mut self, seat: Seat, tile: Tile, tsumogiri: bool, riichi: bool) {
        self.sides.iter_mut().for_each(|side| side.passed.insert(tile.kind()));
        let side = &mut self.sides[seat];
        self.discards.push((side.discards, side.discarded), seat, tile, tsumogiri, riichi);
        side.discards += 1;
        side.discarded.insert(tile.kind());
        side.last_discard = Some(tile);
        side.unchanged = if tsumogiri { side.unchanged + 1 } else { 0 };
        if !tsumogiri | riichi {
            side.passed = TileSet::EMPTY;
        }
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

getters! {
    Table:
    /// The number of the hand, from 0. It goes up when the deal passes and does not wrap: with four
    /// players, 0 is East 1 and 4 is South 1.
    round: u16,

    /// Honba.
    honba: u16,

    /// Riichi sticks on the table.
    sticks: u16,

    /// The dealer.
    dealer: Seat,

    /// Hands that the dealer has won since the deal came to them. In a game that started in the
    /// middle, counted from there.
    dealer_wins: u8,

    /// Points of each player, with riichi sticks already paid.
    &scores: BySeat<i32>,

    /// All discards in order.
    &discards: Discards,

    /// Live tiles left to draw.
    live: u8,

    /// Number of kans declared.
    kans: u8,

    /// The player whose turn it is; while a tile is offered, the player it comes from.
    turn: Seat,

    /// Where the tile of this turn came from.
    source: DrawSource,

    /// Whether no player has made a call, kan or kita yet.
    uninterrupted: bool,

    /// What the game waits for.
    phase: Phase,

    /// The tile that others may claim.
    offer: Option<Offer>,

    /// Tiles that are not open: in the wall and in all hands.
    &unseen: Unseen,
}
