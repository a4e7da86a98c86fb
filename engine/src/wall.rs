//! The wall: live tiles, replacement tiles and indicators.

use crate::random::{Rng, hash};
use crate::rules::Rules;
use crate::rules::knobs::{TileKinds, WallLayout};
use crate::{Suit, Tile, TileKind, TileSet};

/// The tiles of a hand in the order in which they are drawn, dead wall last.
///
/// Four players: 52 tiles are dealt, 70 are live, 14 dead. A replacement tile is taken from the dead wall, and the last live tile
/// joins it, so that fourteen stay. Where in the dead wall indicators and replacement tiles lie is the
/// [`WallLayout`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Wall {
    tiles: [Tile; 136],
    next: u8,
    live_end: u8,
    replacements: u8,
    layout: WallLayout,
}

/// Dealt tiles for a player.
pub(crate) const DEALT: usize = 13;
const DEAD: usize = 14;

/// The place of something in the dead wall, by the layout.
struct Places {
    indicator: fn(usize) -> usize,
    ura: fn(usize) -> usize,
    replacement: &'static [usize],
}

const fn places(layout: WallLayout) -> Places {
    match layout {
        WallLayout::Tenhou => {
            Places { indicator: |k| 130 - 2 * k, ura: |k| 131 - 2 * k, replacement: &[134, 135, 132, 133] }
        }
        WallLayout::MahjongSoul => {
            Places { indicator: |k| 131 - 2 * k, ura: |k| 130 - 2 * k, replacement: &[135, 134, 133, 132] }
        }
        // The program numbers the same tiles from the other end.
        WallLayout::MajiangCore => {
            Places { indicator: |k| 131 - k, ura: |k| 126 - k, replacement: &[135, 134, 133, 132] }
        }
        WallLayout::Tenhou3p => Places {
            indicator: |k| 98 - 2 * k,
            ura: |k| 99 - 2 * k,
            replacement: &[106, 107, 104, 105, 102, 103, 100, 101],
        },
        WallLayout::MahjongSoul3p => Places {
            indicator: |k| 99 - 2 * k,
            ura: |k| 98 - 2 * k,
            replacement: &[107, 106, 105, 104, 103, 102, 101, 100],
        },
    }
}

/// The tiles that are played with, in order; as many as the first number, the rest is filler.
const fn tile_set(kinds: TileSet, aka: [u8; 3]) -> (usize, [Tile; 136]) {
    let mut tiles = [Tile::plain(TileKind::EAST); 136];
    let (mut len, mut index) = (0, 0);
    while index < TileKind::COUNT {
        let kind = TileKind::from_index(index);
        let reds = if TileSet::FIVES.contains(kind) { aka[kind.suit() as usize] } else { 0 };
        let mut copy = 0;
        while copy < 4 && kinds.contains(kind) {
            tiles[len] = if copy < reds { Tile::red(kind.suit()) } else { Tile::plain(kind) };
            len += 1;
            copy += 1;
        }
        index += 1;
    }
    (len, tiles)
}

/// Where the `i`-th tile lies that is dealt to the player who is `place`-th from the dealer.
#[inline]
const fn dealt_place(i: usize, place: usize, players: usize) -> usize {
    match i {
        12 => 12 * players + place,
        _ => 4 * players * (i / 4) + 4 * place + i % 4,
    }
}

/// What a record shows of a wall.
pub(crate) struct Shown<'a> {
    /// The dealt hands, from the dealer on.
    pub(crate) dealt: &'a [[Tile; DEALT]],
    /// The tiles drawn from the live wall in order.
    pub(crate) drawn: &'a [Tile],
    /// The replacement tiles in order.
    pub(crate) replacements: &'a [Tile],
    /// The dora indicators in order.
    pub(crate) indicators: &'a [Tile],
    /// Those under them.
    pub(crate) ura_indicators: &'a [Tile],
}

/// Why tiles are not a wall.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WallError {
    /// The number of tiles is wrong.
    #[error("{found} tiles: a wall has {expected}")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// The number of copies of a tile is wrong.
    #[error("{found} tiles {tile}: the set has {expected}")]
    Copies {
        /// The tile.
        tile: Tile,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// More tiles are shown than the set has.
    #[error("more tiles {tile} than the set has")]
    TooMany {
        /// The tile.
        tile: Tile,
    },
    /// More draws, replacement tiles or indicators are shown than a wall has.
    #[error("more draws, replacement tiles or indicators than a wall has")]
    Places,
}

impl Wall {
    /// The wall of a hand: a random order that depends on nothing but these numbers.
    ///
    /// `round` counts hands with another dealer from the start of the game without wrapping, `attempt` replays of the same hand.
    /// Two games of one seed in which play goes another way still meet the same walls where these numbers agree.
    #[must_use]
    #[inline]
    pub fn of_hand(game_seed: u64, round: u16, honba: u16, attempt: u16, rules: &Rules) -> Wall {
        let hand = u64::from(round) << 32 | u64::from(honba) << 16 | u64::from(attempt);
        let seed = hash(&[game_seed, hand]);
        let (len, mut tiles) = Wall::sorted(rules);
        Rng::new(seed).shuffle(&mut tiles[..len]);
        Wall::deal(tiles, len, rules)
    }

    /// A given wall, first tile drawn first.
    ///
    /// # Errors
    ///
    /// If the tiles are not the set that the rules play with.
    pub fn from_tiles(tiles: &[Tile], rules: &Rules) -> Result<Wall, WallError> {
        let (len, sorted) = Wall::sorted(rules);
        if tiles.len() != len {
            return Err(WallError::Length { found: tiles.len(), expected: len });
        }
        let (expected, mut found) = (Wall::copies(rules), [0_usize; Tile::COUNT]);
        tiles.iter().for_each(|tile| found[tile.index()] += 1);
        for tile in Tile::all() {
            let (found, expected) = (found[tile.index()], usize::from(expected[tile.index()]));
            if found != expected {
                return Err(WallError::Copies { tile, found, expected });
            }
        }
        let mut all = sorted;
        all[..len].copy_from_slice(tiles);
        Ok(Wall::deal(all, len, rules))
    }

    /// Whether nothing has been drawn from the wall, and these rules could have made it.
    pub(crate) fn is_new_under(&self, rules: &Rules) -> bool {
        Wall::from_tiles(self.tiles(), rules).is_ok_and(|new| new == *self)
    }

    /// The tiles that the rules play with, in order of kind; as many as the first number, the rest is filler.
    #[inline]
    fn sorted(rules: &Rules) -> (usize, [Tile; 136]) {
        const FULL_THREE_RED: (usize, [Tile; 136]) = tile_set(TileSet::ALL, [1, 1, 1]);
        match (rules.tiles, rules.aka.by_suit()) {
            (TileKinds::Full, [1, 1, 1]) => FULL_THREE_RED,
            (_, aka) => tile_set(rules.kinds(), aka),
        }
    }

    /// How many tiles of each number the rules play with.
    pub(crate) fn copies(rules: &Rules) -> [u8; Tile::COUNT] {
        let (kinds, aka) = (rules.kinds(), rules.aka.by_suit());
        let mut copies = std::array::from_fn(|tile| match TileKind::new(tile as u8) {
            Some(kind) if kinds.contains(kind) => 4,
            _ => 0,
        });
        for (suit, reds) in Suit::NUMBERED.into_iter().zip(aka) {
            let red = Tile::red(suit);
            if kinds.contains(red.kind()) {
                copies[red.index()] = reds;
                copies[red.kind().index()] -= reds;
            }
        }
        copies
    }

    fn deal(tiles: [Tile; 136], len: usize, rules: &Rules) -> Wall {
        let dealt = DEALT * usize::from(rules.players.count());
        let (next, live_end) = (dealt as u8, (len - DEAD) as u8);
        Wall { tiles, next, live_end, replacements: 0, layout: rules.wall_layout }
    }

    /// The wall of a recorded hand: the tiles that the record shows in the places where they lay, the others of the set, in order of
    /// kind, where nobody saw them.
    ///
    /// # Errors
    ///
    /// If the tiles shown are not all from one set, or more than a wall has.
    pub(crate) fn revealed(rules: &Rules, shown: &Shown<'_>) -> Result<Wall, WallError> {
        let (len, sorted) = Wall::sorted(rules);
        let players = usize::from(rules.players.count());
        let places = places(rules.wall_layout);
        let dealt = DEALT * players;
        let live = shown.drawn.iter().enumerate().map(|(i, tile)| (dealt + i, *tile));
        let replaced = places.replacement.iter().copied().zip(shown.replacements.iter().copied());
        let indicators = shown.indicators.iter().enumerate().map(|(k, tile)| ((places.indicator)(k), *tile));
        let ura = shown.ura_indicators.iter().enumerate().map(|(k, tile)| ((places.ura)(k), *tile));
        let too_many = shown.drawn.len() + dealt > len - DEAD
            || shown.replacements.len() > places.replacement.len()
            || shown.indicators.len().max(shown.ura_indicators.len()) > 5;
        if too_many {
            return Err(WallError::Places);
        }
        let hands = shown.dealt.iter().enumerate().flat_map(|(place, hand)| {
            hand.iter().enumerate().map(move |(i, tile)| (dealt_place(i, place, players), *tile))
        });
        let mut tiles = [None; 136];
        let mut left = Wall::copies(rules);
        for (place, tile) in hands.chain(live).chain(replaced).chain(indicators).chain(ura) {
            let copies = &mut left[tile.index()];
            *copies = copies.checked_sub(1).ok_or(WallError::TooMany { tile })?;
            tiles[place] = Some(tile);
        }
        let mut rest = sorted[..len].iter().copied().filter(|tile| {
            let is_left = left[tile.index()] > 0;
            left[tile.index()] -= u8::from(is_left);
            is_left
        });
        let tiles = tiles.map(|tile| tile.or_else(|| rest.next()).unwrap_or(Tile::plain(TileKind::EAST)));
        Ok(Wall::deal(tiles, len, rules))
    }

    /// A wall of which so many live tiles are left and so many replacement tiles are drawn, with these indicators turned;
    /// the other places are filled with the hidden tiles. Places that have been drawn from hold filler.
    pub(crate) fn in_play(
        rules: &Rules,
        live: u8,
        replacements: u8,
        indicators: &[Tile],
        hidden: &[Tile],
    ) -> Wall {
        let (len, tiles) = Wall::sorted(rules);
        let mut wall = Wall::deal(tiles, len, rules);
        wall.replacements = replacements;
        wall.live_end -= replacements;
        wall.next = wall.live_end - live;
        let places = places(wall.layout);
        let mut is_set = [false; 136];
        for (k, indicator) in indicators.iter().enumerate() {
            wall.tiles[(places.indicator)(k)] = *indicator;
            is_set[(places.indicator)(k)] = true;
        }
        places.replacement[..usize::from(replacements)].iter().for_each(|place| is_set[*place] = true);
        let (in_live, in_dead) = hidden.split_at(usize::from(live));
        wall.tiles[usize::from(wall.next)..usize::from(wall.live_end)].copy_from_slice(in_live);
        let free = (usize::from(wall.live_end)..len).filter(|place| !is_set[*place]);
        for (place, tile) in free.zip(in_dead) {
            wall.tiles[place] = *tile;
        }
        wall
    }

    /// The tiles dealt to the player who is `place`-th from the dealer: three times four, then one.
    #[inline]
    pub(crate) fn dealt(&self, place: usize, players: usize) -> [Tile; DEALT] {
        let mut dealt = [self.tiles[dealt_place(12, place, players)]; DEALT];
        for (block, four) in dealt.chunks_exact_mut(4).enumerate() {
            let start = dealt_place(4 * block, place, players);
            four.copy_from_slice(&self.tiles[start..start + 4]);
        }
        dealt
    }

    /// Live tiles that are left.
    #[must_use]
    #[inline]
    pub const fn live(&self) -> u8 {
        self.live_end - self.next
    }

    /// All tiles, first drawn first.
    #[must_use]
    pub fn tiles(&self) -> &[Tile] {
        let len = match self.layout {
            WallLayout::Tenhou3p | WallLayout::MahjongSoul3p => 108,
            _ => 136,
        };
        &self.tiles[..len]
    }

    /// The next live tile; there must be one.
    #[inline]
    pub(crate) fn draw(&mut self) -> Tile {
        debug_assert!(self.live() > 0, "a draw from an empty wall");
        let tile = self.tiles[usize::from(self.next)];
        self.next += 1;
        tile
    }

    /// The next replacement tile. The last live tile, of which there must be one, joins the dead wall.
    #[inline]
    pub(crate) fn replace(&mut self) -> Tile {
        debug_assert!(self.live() > 0, "a replacement without a live tile");
        let tile = self.tiles[places(self.layout).replacement[usize::from(self.replacements)]];
        self.replacements += 1;
        self.live_end -= 1;
        tile
    }

    /// The dora indicator `k`, 0 the first.
    #[must_use]
    #[inline]
    pub fn indicator(&self, k: usize) -> Tile {
        self.tiles[(places(self.layout).indicator)(k)]
    }

    /// The indicator under the dora indicator `k`.
    #[must_use]
    #[inline]
    pub fn ura_indicator(&self, k: usize) -> Tile {
        self.tiles[(places(self.layout).ura)(k)]
    }
}

impl std::fmt::Debug for Wall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} live of ", self.live())?;
        f.debug_list().entries(self.tiles()).finish()
    }
}

/// The suits of red fives are the numbered ones.
const _: () = assert!(Suit::NUMBERED.len() == 3);

#[cfg(test)]
mod tests {
    use super::*;

    /// A wall whose tiles can be told by their places.
    fn numbered(layout: WallLayout) -> (Rules, Vec<usize>) {
        let rules = Rules { wall_layout: layout, ..Rules::default() };
        (rules, (0..136).collect())
    }

    #[test]
    fn replacement_tiles_and_indicators_lie_where_the_layouts_say() {
        let cases = [
            (WallLayout::Tenhou, [134, 135], [130, 128, 126], [131, 129, 127]),
            (WallLayout::MahjongSoul, [135, 134], [131, 129, 127], [130, 128, 126]),
            (WallLayout::MajiangCore, [135, 134], [131, 130, 129], [126, 125, 124]),
        ];
        for (layout, replacement, indicators, ura) in cases {
            let (rules, _) = numbered(layout);
            let wall = Wall::of_hand(1, 0, 0, 0, &rules);
            let mut drawn = wall;
            for place in replacement {
                assert_eq!(drawn.replace(), wall.tiles[place]);
            }
            assert_eq!(drawn.live(), 68);
            for k in 0..3 {
                assert_eq!(wall.indicator(k), wall.tiles[indicators[k]]);
                assert_eq!(wall.ura_indicator(k), wall.tiles[ura[k]]);
            }
        }
    }

    #[test]
    fn every_place_of_the_dead_wall_has_one_use() {
        for layout in [
            WallLayout::Tenhou,
            WallLayout::MahjongSoul,
            WallLayout::MajiangCore,
            WallLayout::Tenhou3p,
            WallLayout::MahjongSoul3p,
        ] {
            let places = places(layout);
            let uses = (0..5).flat_map(|k| [(places.indicator)(k), (places.ura)(k)]);
            let mut uses: Vec<usize> = uses.chain(places.replacement.iter().copied()).collect();
            uses.sort_unstable();
            uses.dedup();
            assert_eq!(uses.len(), 10 + places.replacement.len(), "{layout:?}");
        }
    }

    #[test]
    fn a_given_wall_must_be_the_set() {
        let rules = Rules::default();
        let mut tiles = Wall::of_hand(1, 0, 0, 0, &rules).tiles().to_vec();
        assert!(Wall::from_tiles(&tiles, &rules).is_ok());
        assert_eq!(
            Wall::from_tiles(&tiles[1..], &rules).unwrap_err().to_string(),
            "135 tiles: a wall has 136"
        );
        let red = tiles.iter().position(|t| *t == Tile::red(Suit::Dots)).expect("there is a red five");
        tiles[red] = Tile::plain(tiles[red].kind());
        assert_eq!(Wall::from_tiles(&tiles, &rules).unwrap_err().to_string(), "4 tiles 5p: the set has 3");
    }
}
