//! Random winning hands.

use jantaku_engine::{
    Circumstances, Concealed, Meld, MeldKind, Melds, Moment, Players, Riichi, Rng, Rules, Seat, Suit, Tile,
    TileKind, Win, Wind,
};

/// A winning hand and the circumstances of the win.
pub struct WonHand {
    /// The concealed tiles with the winning tile.
    pub concealed: Concealed,
    /// The melds.
    pub melds: Melds,
    /// The winning tile.
    pub tile: Tile,
    /// Whether the win is a tsumo.
    pub tsumo: bool,
    /// Whether the winner is in riichi. Only then are there ura indicators.
    pub riichi: bool,
    /// The winner's seat wind. The first seat is the dealer.
    pub wind: Wind,
    /// The round wind.
    pub round_wind: Wind,
    /// The dora indicators.
    pub dora: Indicators,
    /// The ura indicators.
    pub ura: Indicators,
}

/// Up to five indicators, stored inline.
#[derive(Clone)]
pub struct Indicators {
    tiles: [Tile; 5],
    count: u8,
}

impl Indicators {
    /// The first `count` of the tiles.
    fn of(tiles: &[Tile], count: usize) -> Indicators {
        Indicators { tiles: std::array::from_fn(|i| tiles[i]), count: count as u8 }
    }
}

impl std::ops::Deref for Indicators {
    type Target = [Tile];

    fn deref(&self) -> &[Tile] {
        &self.tiles[..usize::from(self.count)]
    }
}

impl WonHand {
    /// The input of the engine.
    pub fn win<'a>(&'a self, rules: &'a Rules) -> Win<'a> {
        Win {
            rules,
            concealed: self.concealed,
            melds: &self.melds,
            tile: self.tile.kind(),
            tsumo: self.tsumo,
            seat_wind: self.wind,
            round_wind: self.round_wind,
            riichi: if self.riichi { Riichi::Single } else { Riichi::None },
            ippatsu: false,
            moment: Moment::Ordinary,
            first_turn: false,
            indicators: &self.dora,
            ura_indicators: &self.ura,
            norths: 0,
            circumstances: Circumstances::default(),
        }
    }

    /// The winner.
    pub fn seat(&self) -> Seat {
        Seat::FIRST.after(self.wind as u8, Players::Four)
    }

    /// The discarder of the winning tile: the next seat. None for a tsumo.
    pub fn from(&self) -> Option<Seat> {
        (!self.tsumo).then(|| self.seat().next(Players::Four))
    }
}

/// `count` hands with a yaku under these rules. The same seed gives the same hands.
pub fn wins(count: usize, rules: &Rules, seed: u64) -> Vec<WonHand> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        found.extend(built(&mut rng).filter(|won| won.win(rules).score().is_some()));
    }
    found
}

/// The remaining tiles in random order.
struct Tiles(Vec<Tile>);

impl Tiles {
    fn shuffled(rng: &mut Rng) -> Tiles {
        let copies = |kind: TileKind| {
            let red = kind.rank() == 5 && !kind.is_honour();
            (0..4).map(move |copy| if red && copy == 0 { Tile::red(kind.suit()) } else { Tile::plain(kind) })
        };
        let mut tiles: Vec<Tile> = TileKind::all().flat_map(copies).collect();
        rng.shuffle(&mut tiles);
        Tiles(tiles)
    }

    /// Takes a tile of each of these kinds. None if one is missing.
    fn take(&mut self, kinds: &[TileKind]) -> Option<Vec<Tile>> {
        let mut take = |kind: &TileKind| {
            let index = self.0.iter().position(|tile| tile.kind() == *kind)?;
            Some(self.0.swap_remove(index))
        };
        kinds.iter().map(&mut take).collect()
    }
}

/// A complete hand: seven pairs in one of thirty, otherwise four sets and a pair.
///
/// A third of the hands use one suit and honours only. None if the tiles do not suffice.
fn built(rng: &mut Rng) -> Option<WonHand> {
    let mut tiles = Tiles::shuffled(rng);
    let one_suit = (rng.below(3) == 0).then(|| Suit::NUMBERED[rng.below(3)]);
    let (concealed, melds) = if rng.below(30) == 0 {
        (pairs(&mut tiles, rng)?, Melds::EMPTY)
    } else {
        sets(&mut tiles, one_suit, rng)?
    };
    let kans = melds.iter().filter(|meld| meld.is_kan()).count();
    let riichi = !melds.are_open() && rng.below(2) == 0;
    let dora = Indicators::of(&tiles.0, 1 + kans);
    let ura = Indicators::of(&tiles.0[1 + kans..], if riichi { 1 + kans } else { 0 });
    Some(WonHand {
        tile: concealed[rng.below(concealed.len())],
        concealed: concealed.into_iter().collect(),
        melds,
        tsumo: rng.below(2) == 0,
        riichi,
        wind: Wind::ALL[rng.below(4)],
        round_wind: Wind::ALL[rng.below(2)],
        dora,
        ura,
    })
}

/// Seven different pairs.
fn pairs(tiles: &mut Tiles, rng: &mut Rng) -> Option<Vec<Tile>> {
    let mut kinds: Vec<TileKind> = TileKind::all().collect();
    rng.shuffle(&mut kinds);
    tiles.take(&kinds[..7].iter().flat_map(|kind| [*kind; 2]).collect::<Vec<_>>())
}

/// Four sets, a third of them called, and a pair.
fn sets(tiles: &mut Tiles, one_suit: Option<Suit>, rng: &mut Rng) -> Option<(Vec<Tile>, Melds)> {
    let (mut concealed, mut melds) = (Vec::new(), Melds::EMPTY);
    for _ in 0..4 {
        let is_called = rng.below(3) == 0;
        let low = any_kind(one_suit, rng);
        let sequence = low.offset(1).zip(low.offset(2)).filter(|_| rng.below(3) > 0);
        let (kind, kinds) = match sequence {
            Some((middle, high)) => (MeldKind::Chi, vec![low, middle, high]),
            None if rng.below(6) > 0 => (MeldKind::Pon, vec![low; 3]),
            None => ([MeldKind::Daiminkan, MeldKind::Ankan][rng.below(2)], vec![low; 4]),
        };
        let set = tiles.take(&kinds)?;
        if is_called || set.len() == 4 {
            let reds = set.iter().filter(|tile| tile.is_red()).count() as u8;
            melds.push(Meld::new(kind, low, reds, None));
        } else {
            concealed.extend(set);
        }
    }
    concealed.extend(tiles.take(&[any_kind(one_suit, rng); 2])?);
    Some((concealed, melds))
}

fn any_kind(one_suit: Option<Suit>, rng: &mut Rng) -> TileKind {
    loop {
        let kind = TileKind::from_index(rng.below(TileKind::COUNT));
        if one_suit.is_none_or(|suit| kind.is_honour() || kind.suit() == suit) {
            return kind;
        }
    }
}
