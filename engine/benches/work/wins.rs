//! Won hands of all sorts.

use jantaku_engine::{
    Circumstances, Concealed, Meld, MeldKind, Melds, Moment, Players, Riichi, Rng, Rules, Seat, Suit, Tile,
    TileKind, Win, Wind,
};

/// A won hand and how it was won.
pub struct WonHand {
    /// The concealed tiles with the winning one.
    pub concealed: Concealed,
    /// The melds.
    pub melds: Melds,
    /// The winning tile.
    pub tile: Tile,
    /// Self-draw.
    pub tsumo: bool,
    /// In riichi; then there are as many `ura` as `dora`.
    pub riichi: bool,
    /// The winner's wind; the first seat deals.
    pub wind: Wind,
    /// The round's wind.
    pub round_wind: Wind,
    /// The dora indicators.
    pub dora: Indicators,
    /// The indicators under them.
    pub ura: Indicators,
}

/// Up to five indicators, which lie with the hand as in a game.
#[derive(Clone)]
pub struct Indicators {
    tiles: [Tile; 5],
    count: u8,
}

impl Indicators {
    /// The first of some tiles.
    fn of(tiles: &[Tile], count: usize) -> Indicators {
        Indicators { tiles: std::array::from_fn(|place| tiles[place]), count: count as u8 }
    }
}

impl std::ops::Deref for Indicators {
    type Target = [Tile];

    fn deref(&self) -> &[Tile] {
        &self.tiles[..usize::from(self.count)]
    }
}

impl WonHand {
    /// The hand as the engine is asked about it.
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

    /// Who discarded the winning tile: the next player.
    pub fn from(&self) -> Option<Seat> {
        (!self.tsumo).then(|| self.seat().next(Players::Four))
    }
}

/// So many won hands that have a yaku under these rules, the same for the same seed.
pub fn wins(count: usize, rules: &Rules, seed: u64) -> Vec<WonHand> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        found.extend(built(&mut rng).filter(|won| won.win(rules).score().is_some()));
    }
    found
}

/// The physical tiles that are left, in random order.
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

    /// Takes some tiles of these kinds, if they are there.
    fn take(&mut self, kinds: &[TileKind]) -> Option<Vec<Tile>> {
        let mut take = |kind: &TileKind| {
            let place = self.0.iter().position(|tile| tile.kind() == *kind)?;
            Some(self.0.swap_remove(place))
        };
        kinds.iter().map(&mut take).collect()
    }
}

/// A complete hand, if the tiles for it are there: one in thirty of seven pairs, the others of four sets and a pair.
///
/// A third of the hands keep to one suit and the honours.
fn built(rng: &mut Rng) -> Option<WonHand> {
    let mut tiles = Tiles::shuffled(rng);
    let one_suit = (rng.below(3) == 0).then(|| Suit::NUMBERED[rng.below(3)]);
    let (concealed, melds) = if rng.below(30) == 0 {
        (pairs(&mut tiles, rng)?, Melds::EMPTY)
    } else {
        sets(&mut tiles, one_suit, rng)?
    };
    let quads = melds.iter().filter(|meld| meld.is_kan()).count();
    let riichi = !melds.are_open() && rng.below(2) == 0;
    let dora = Indicators::of(&tiles.0, 1 + quads);
    let ura = Indicators::of(&tiles.0[1 + quads..], if riichi { 1 + quads } else { 0 });
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
        let run = low.offset(1).zip(low.offset(2)).filter(|_| rng.below(3) > 0);
        let (kind, kinds) = match run {
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
