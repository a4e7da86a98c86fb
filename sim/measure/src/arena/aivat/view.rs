//! A hand in play with all hands open, but not the order of the wall.

use jantaku_engine::{
    BySeat, Concealed, Declare, Event, Observer, Players, Rules, Seat, SeatSet, Tile, TileKind, TileSet,
    Unseen, Wall,
};

/// What one seat has on the table and in its hand.
#[derive(Clone, Debug)]
pub struct Place {
    /// The concealed tiles, with the tile just drawn.
    pub hand: Concealed,
    /// The number of melds.
    pub melds: usize,
    /// Whether a meld is open.
    pub is_open: bool,
    /// Whether a riichi is declared.
    pub in_riichi: bool,
    /// The kinds that the seat has discarded.
    pub discarded: TileSet,
    /// The tiles of each kind in melds and set aside.
    table: [u8; TileKind::COUNT],
    /// The red fives in melds, and the Norths set aside: each is a dora.
    table_dora: u8,
}

impl Place {
    fn new(hand: Concealed) -> Place {
        Place {
            hand,
            melds: 0,
            is_open: false,
            in_riichi: false,
            discarded: TileSet::EMPTY,
            table: [0; TileKind::COUNT],
            table_dora: 0,
        }
    }

    /// The number of tiles of a kind in the hand and on the table.
    fn count(&self, kind: TileKind) -> usize {
        self.hand.count(kind) + usize::from(self.table[kind.index()])
    }

    /// Adds a tile of a meld, or one set aside.
    fn lay(&mut self, tile: Tile) {
        self.table[tile.kind().index()] += 1;
        self.table_dora += u8::from(tile.is_red());
    }
}

/// A hand in play with all hands open. The hidden tiles are known, but not their order.
#[derive(Clone, Debug)]
pub struct View {
    /// The players of the game.
    pub players: Players,
    /// The number of each tile in the set.
    set: [u8; Tile::COUNT],
    kinds: TileSet,
    /// The live tiles right after the deal.
    live_at_deal: u8,
    /// What each seat has.
    pub places: BySeat<Place>,
    /// The number of each hidden tile, by [`Tile::index`]: in no hand, and never open. Each of them is
    /// equally likely to be drawn or turned next.
    pub hidden: [u8; Tile::COUNT],
    /// The hidden tiles by kind.
    pub hidden_kinds: Unseen,
    indicators: Vec<TileKind>,
    /// Live tiles left to draw.
    pub live: u8,
    /// The seats that have declared riichi.
    pub riichi: SeatSet,
}

impl View {
    /// A view of a table under these rules, before a deal.
    pub fn new(rules: &Rules) -> View {
        let wall = Wall::of_hand(0, 0, 0, 0, rules);
        let mut set = [0; Tile::COUNT];
        wall.tiles().iter().for_each(|tile| set[tile.index()] += 1);
        View {
            players: rules.players,
            set,
            kinds: rules.kinds(),
            live_at_deal: wall.live(),
            places: BySeat::from_fn(rules.players, |_| Place::new(Concealed::EMPTY)),
            hidden: set,
            hidden_kinds: Unseen::all_of(rules.kinds()),
            indicators: Vec::with_capacity(5),
            live: 0,
            riichi: SeatSet::EMPTY,
        }
    }

    /// All tiles of the set.
    pub fn set(&self) -> Vec<Tile> {
        Tile::all().flat_map(|tile| std::iter::repeat_n(tile, usize::from(self.set[tile.index()]))).collect()
    }

    /// The number of tiles of these kinds in the hands of the other seats.
    pub fn held_by_others(&self, seat: Seat, kinds: TileSet) -> u32 {
        let of = |hand: &Concealed| (1..=4).map(|copies| (hand.at_least(copies) & kinds).len()).sum::<u32>();
        self.players.others(seat).map(|other| of(&self.places[other].hand)).sum()
    }

    /// The number of dora that a seat holds, without ura dora.
    pub fn dora(&self, seat: Seat) -> usize {
        let place = &self.places[seat];
        let by_indicator = self.indicators.iter().map(|indicator| place.count(self.dora_of(*indicator)));
        usize::from(place.table_dora + place.hand.red_count()) + by_indicator.sum::<usize>()
    }

    /// The number of dora that one more tile adds to a seat.
    pub fn dora_in(&self, tile: Tile) -> usize {
        let is_dora = |indicator: &&TileKind| self.dora_of(**indicator) == tile.kind();
        usize::from(tile.is_red()) + self.indicators.iter().filter(is_dora).count()
    }

    /// The number of dora that an indicator adds to a seat.
    pub fn dora_by(&self, seat: Seat, indicator: TileKind) -> usize {
        self.places[seat].count(self.dora_of(indicator))
    }

    /// The dora that an indicator makes.
    pub fn dora_of(&self, indicator: TileKind) -> TileKind {
        indicator.dora(self.kinds == TileSet::THREE_PLAYER)
    }

    /// Deals these hands and turns this indicator.
    pub fn deal(&mut self, hands: &BySeat<[Option<Tile>; 13]>, indicator: Option<Tile>) {
        self.riichi = SeatSet::EMPTY;
        self.live = self.live_at_deal;
        self.indicators.clear();
        (self.hidden, self.hidden_kinds) = (self.set, Unseen::all_of(self.kinds));
        for seat in self.players.seats() {
            let tiles = hands[seat].iter().flatten();
            self.places[seat] = Place::new(tiles.clone().copied().collect());
            tiles.for_each(|tile| self.reveal(*tile));
        }
        indicator.into_iter().for_each(|tile| self.turn(tile));
    }

    /// Takes a tile out of the hidden ones.
    fn reveal(&mut self, tile: Tile) {
        self.hidden[tile.index()] -= 1;
        self.hidden_kinds.see(TileSet::of(tile.kind()));
    }

    fn turn(&mut self, indicator: Tile) {
        self.reveal(indicator);
        self.indicators.push(indicator.kind());
    }
}

impl Observer for View {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { hands, indicator, .. } => self.deal(hands, *indicator),
            Event::Draw { seat, tile, .. } => {
                self.live = self.live.saturating_sub(1);
                if let Some(tile) = tile {
                    self.reveal(*tile);
                    self.places[*seat].hand.add(*tile);
                }
            }
            Event::Discard { seat, tile, declare, .. } => {
                let place = &mut self.places[*seat];
                place.hand.remove(*tile);
                place.discarded.insert(tile.kind());
                if *declare != Declare::Nothing {
                    place.in_riichi = true;
                    self.riichi.insert(*seat);
                }
            }
            Event::Call { seat, meld } | Event::Ankan { seat, meld } => {
                let place = &mut self.places[*seat];
                meld.claimed().iter().for_each(|claimed| place.hand.add(claimed.tile));
                for tile in meld.tiles() {
                    place.hand.remove(tile);
                    place.lay(tile);
                }
                place.melds += 1;
                place.is_open |= meld.is_open();
            }
            Event::Kakan { seat, tile } => {
                self.places[*seat].hand.remove(*tile);
                self.places[*seat].lay(*tile);
            }
            Event::Kita { seat } => {
                let place = &mut self.places[*seat];
                place.hand.remove(Tile::plain(TileKind::NORTH));
                place.lay(Tile::plain(TileKind::NORTH));
                place.table_dora += 1;
            }
            Event::Indicator { tile } => self.turn(*tile),
            Event::RiichiAccepted { .. }
            | Event::DeadHand { .. }
            | Event::HandEnd(_)
            | Event::GameEnd { .. } => {}
        }
    }
}
