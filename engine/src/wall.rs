//! The wall: live tiles, replacement tiles and indicators.
//!
//! # Why
//!
//! **Why are kept draws a field of the rules?** A replay must know whether draws are kept, just as
//! it must know the rules. So runs, `verify`, `--resume`, logs, positions, environments and Python
//! support it without extra code, and the hash distinguishes runs with and without it.
//! `match --keep-draws` only sets the field. Rejected: an option of games beside the rules, which
//! every start of a game, file and pickle would need. The wall is reordered at each call instead of
//! dealt to seats at the start. So its live tiles are always in the order of draws, as searches and
//! oracle encoders need them. A log has the tiles in the order of draws, too; its calls say where
//! each one lay in the wall.

use crate::prefetch::prefetch;
use crate::random::{Rng, hash};
use crate::rules::Rules;
use crate::rules::options::{TileKinds, WallLayout};
use crate::{Tile, TileKind, TileSet};

/// The tiles of a hand in the order in which they are drawn, dead wall last.
///
/// With four players, 52 tiles are dealt, 70 are live and 14 dead. A replacement tile comes from
/// the dead wall, and the last live tile then joins the dead wall, which keeps 14 tiles. The
/// [`WallLayout`] says which tiles of the dead wall are indicators and replacement tiles.
#[derive(Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Wall {
    tiles: [Tile; 136],
    next: u8,
    live_end: u8,
    replacements: u8,
    layout: WallLayout,
}

/// The number of tiles dealt to each player.
pub(crate) const DEALT: usize = 13;
/// The number of tiles in the dead wall.
pub(crate) const DEAD: usize = 14;

/// Where the tiles of the dead wall lie, as indices into the wall.
pub(crate) struct DeadWall {
    /// The index of dora indicator `k`, counted from 0.
    pub(crate) indicator: fn(usize) -> usize,
    /// The index of ura indicator `k`, counted from 0.
    pub(crate) ura: fn(usize) -> usize,
    /// The indices of the replacement tiles, in order.
    pub(crate) replacement: &'static [usize],
}

pub(crate) const fn dead_wall(layout: WallLayout) -> DeadWall {
    match layout {
        WallLayout::Tenhou => {
            DeadWall { indicator: |k| 130 - 2 * k, ura: |k| 131 - 2 * k, replacement: &[134, 135, 132, 133] }
        }
        WallLayout::MahjongSoul => {
            DeadWall { indicator: |k| 131 - 2 * k, ura: |k| 130 - 2 * k, replacement: &[135, 134, 133, 132] }
        }
        // majiang-core counts the same tiles from the other end.
        WallLayout::MajiangCore => {
            DeadWall { indicator: |k| 131 - k, ura: |k| 126 - k, replacement: &[135, 134, 133, 132] }
        }
        WallLayout::Tenhou3p => DeadWall {
            indicator: |k| 98 - 2 * k,
            ura: |k| 99 - 2 * k,
            replacement: &[106, 107, 104, 105, 102, 103, 100, 101],
        },
        WallLayout::MahjongSoul3p => DeadWall {
            indicator: |k| 99 - 2 * k,
            ura: |k| 98 - 2 * k,
            replacement: &[107, 106, 105, 104, 103, 102, 101, 100],
        },
    }
}

/// The number of tiles in the set, and the tiles in order of kind, padded with filler.
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

/// The index of the dealt tile `i` of the player `steps` turns after the dealer.
#[inline]
pub(crate) const fn dealt_index(i: usize, steps: usize, players: usize) -> usize {
    match i {
        12 => 12 * players + steps,
        _ => 4 * players * (i / 4) + 4 * steps + i % 4,
    }
}

/// A step of a hand that takes a tile from the wall, or may reorder the live tiles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WallStep {
    /// A draw of a live tile.
    Draw(Tile),
    /// A draw of a replacement tile.
    Replacement(Tile),
    /// A call after which this many players lose their next draw, the caller included.
    Call(u8),
}

/// The tiles of a wall that a recorded hand reveals.
pub(crate) struct Revealed<'a> {
    /// The dealt hands, dealer first.
    pub(crate) dealt: &'a [[Tile; DEALT]],
    /// The draws and calls, in order.
    pub(crate) play: &'a [WallStep],
    /// The dora indicators, in order.
    pub(crate) indicators: &'a [Tile],
    /// The ura indicators, in order.
    pub(crate) ura_indicators: &'a [Tile],
}

/// The order of `len` live tiles after a call that skips the draws of `skipped` players, the caller
/// included, if all players keep their own draws: the old index of each tile.
///
/// At the end, some players draw once more than before. They take the last tiles of others.
fn kept_order(len: usize, skipped: u8, rules: &Rules) -> impl Iterator<Item = usize> + use<> {
    let players = usize::from(rules.players.count());
    // The index of each player's next tile, in the order of turns without the call.
    let mut next: [usize; 4] = std::array::from_fn(|player| player);
    (usize::from(skipped)..usize::from(skipped) + len).map(move |turn| {
        let mut candidates = (turn..turn + players).map(|player| player % players);
        let player = candidates.find(|player| next[*player] < len).expect("a tile for each turn");
        let place = next[player];
        next[player] += players;
        place
    })
}

/// Each drawn tile with its index in a new wall of `len` tiles. None if the wall has fewer tiles than are
/// drawn.
fn drawn_places(rules: &Rules, len: usize, play: &[WallStep]) -> Option<Vec<(usize, Tile)>> {
    let mut live: Vec<usize> = (DEALT * usize::from(rules.players.count())..len - DEAD).collect();
    let mut dead = dead_wall(rules.wall_layout).replacement.iter();
    let (mut places, mut next, mut live_end) = (Vec::new(), 0, live.len());
    for step in play {
        match step {
            WallStep::Draw(tile) => {
                places.push((*live.get(next)?, *tile));
                next += 1;
            }
            WallStep::Replacement(tile) => {
                places.push((*dead.next()?, *tile));
                live_end -= 1;
            }
            WallStep::Call(skipped) if rules.keep_draws && next < live_end => {
                let left = live[next..live_end].to_vec();
                let order = kept_order(left.len(), *skipped, rules);
                live[next..live_end].iter_mut().zip(order).for_each(|(index, place)| *index = left[place]);
            }
            WallStep::Call(_) => {}
        }
    }
    Some(places)
}

/// The error for tiles that do not make a wall.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WallError(String);

impl Wall {
    /// The wall of a hand: a random order that depends only on these numbers and on the tiles used.
    ///
    /// `round` counts from the start of the game and does not wrap. `attempt` counts the replays of
    /// the hand after fouls. Two games with the same seed have the same wall for the same round,
    /// honba and attempt, even if their play differs.
    #[inline]
    pub fn of_hand(game_seed: u64, round: u16, honba: u16, attempt: u16, rules: &Rules) -> Wall {
        let hand = u64::from(round) << 32 | u64::from(honba) << 16 | u64::from(attempt);
        let seed = hash(&[game_seed, hand]);
        let (len, mut tiles) = Wall::sorted(rules);
        Rng::new(seed).shuffle(&mut tiles[..len]);
        Wall::deal(tiles, len, rules)
    }

    /// A wall of these tiles, in the order in which they are drawn.
    ///
    /// # Errors
    ///
    /// If the tiles are not the set that the rules use.
    pub fn from_tiles(tiles: &[Tile], rules: &Rules) -> Result<Wall, WallError> {
        let (len, sorted) = Wall::sorted(rules);
        if tiles.len() != len {
            return Err(WallError(format!("{} tiles: a wall has {len}", tiles.len())));
        }
        let (expected, mut found) = (Wall::copies(rules), [0_usize; Tile::COUNT]);
        tiles.iter().for_each(|tile| found[tile.index()] += 1);
        for tile in Tile::all() {
            let (found, expected) = (found[tile.index()], usize::from(expected[tile.index()]));
            if found != expected {
                return Err(WallError(format!("{found} copies of {tile}, expected {expected}")));
            }
        }
        let mut all = sorted;
        all[..len].copy_from_slice(tiles);
        Ok(Wall::deal(all, len, rules))
    }

    /// Whether no tile has been drawn, and the wall is a wall of these rules.
    pub(crate) fn is_new_under(&self, rules: &Rules) -> bool {
        Wall::from_tiles(self.tiles(), rules).is_ok_and(|new| new == *self)
    }

    /// The number of tiles in the set of the rules, and the tiles in order, padded with filler.
    #[inline]
    fn sorted(rules: &Rules) -> (usize, [Tile; 136]) {
        const FULL_THREE_RED: (usize, [Tile; 136]) = tile_set(TileSet::ALL, [1, 1, 1]);
        match (rules.tiles, rules.aka.by_suit()) {
            (TileKinds::Full, [1, 1, 1]) => FULL_THREE_RED,
            (_, aka) => tile_set(rules.kinds(), aka),
        }
    }

    /// The number of copies of each tile under the rules.
    pub fn copies(rules: &Rules) -> [u8; Tile::COUNT] {
        let (len, tiles) = Wall::sorted(rules);
        let mut copies = [0; Tile::COUNT];
        tiles[..len].iter().for_each(|tile| copies[tile.index()] += 1);
        copies
    }

    /// A wall of which only the hands have been dealt.
    fn deal(tiles: [Tile; 136], len: usize, rules: &Rules) -> Wall {
        let dealt = DEALT * usize::from(rules.players.count());
        let (next, live_end) = (dealt as u8, (len - DEAD) as u8);
        Wall { tiles, next, live_end, replacements: 0, layout: rules.wall_layout }
    }

    /// A wall with these tiles revealed: they lie where they were drawn or turned. The other tiles of the
    /// set fill the rest, in the order into which `arrange` puts them. It gets them in order of kind.
    ///
    /// # Errors
    ///
    /// If more copies of a tile are revealed than the rules have, or more tiles than a wall has.
    pub(crate) fn revealed(
        rules: &Rules,
        shown: &Revealed<'_>,
        arrange: impl FnOnce(&mut [Tile]),
    ) -> Result<Wall, WallError> {
        let (len, sorted) = Wall::sorted(rules);
        let players = usize::from(rules.players.count());
        let dead_wall = dead_wall(rules.wall_layout);
        let too_many = || WallError("more draws, replacement tiles or indicators than a wall has".to_owned());
        let drawn = drawn_places(rules, len, shown.play).ok_or_else(too_many)?;
        let indicators =
            shown.indicators.iter().enumerate().map(|(k, tile)| ((dead_wall.indicator)(k), *tile));
        let ura = shown.ura_indicators.iter().enumerate().map(|(k, tile)| ((dead_wall.ura)(k), *tile));
        if shown.indicators.len().max(shown.ura_indicators.len()) > 5 {
            return Err(too_many());
        }
        let hands = shown.dealt.iter().enumerate().flat_map(|(steps, hand)| {
            hand.iter().enumerate().map(move |(i, tile)| (dealt_index(i, steps, players), *tile))
        });
        let mut tiles = [None; 136];
        let mut left = Wall::copies(rules);
        for (index, tile) in hands.chain(drawn).chain(indicators).chain(ura) {
            let copies = &mut left[tile.index()];
            let too_many_copies = || WallError(format!("more copies of {tile} than the rules have"));
            *copies = copies.checked_sub(1).ok_or_else(too_many_copies)?;
            tiles[index] = Some(tile);
        }
        let is_left = |tile: &Tile| {
            let is_left = left[tile.index()] > 0;
            left[tile.index()] -= u8::from(is_left);
            is_left
        };
        let mut rest: Vec<Tile> = sorted[..len].iter().copied().filter(is_left).collect();
        arrange(&mut rest);
        let mut rest = rest.into_iter();
        let tiles = tiles.map(|tile| tile.or_else(|| rest.next()).unwrap_or(Tile::plain(TileKind::EAST)));
        Ok(Wall::deal(tiles, len, rules))
    }

    /// A mid-hand wall with `live` tiles left and `replacements` drawn.
    ///
    /// The hidden tiles fill every position that is neither drawn nor a turned indicator. Drawn
    /// positions hold filler.
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
        for (k, indicator) in indicators.iter().enumerate() {
            wall.tiles[(dead_wall(wall.layout).indicator)(k)] = *indicator;
        }
        let (in_live, in_dead) = hidden.split_at(usize::from(live));
        wall.live_mut().copy_from_slice(in_live);
        for (index, tile) in wall.hidden_in_dead(indicators.len()).zip(in_dead) {
            wall.tiles[index] = *tile;
        }
        wall
    }

    /// Shuffles the tiles that are neither drawn nor turned, with this number of turned indicators.
    pub(crate) fn shuffle_hidden(&mut self, indicators: usize, rng: &mut Rng) {
        let live = self.live_mut().len();
        let mut hidden = [Tile::plain(TileKind::EAST); 136];
        hidden[..live].copy_from_slice(self.live_mut());
        let mut len = live;
        for index in self.hidden_in_dead(indicators) {
            hidden[len] = self.tiles[index];
            len += 1;
        }
        rng.shuffle_few(&mut hidden[..len]);
        self.live_mut().copy_from_slice(&hidden[..live]);
        for (index, tile) in self.hidden_in_dead(indicators).zip(&hidden[live..]) {
            self.tiles[index] = *tile;
        }
    }

    fn live_mut(&mut self) -> &mut [Tile] {
        &mut self.tiles[usize::from(self.next)..usize::from(self.live_end)]
    }

    /// The positions in the dead wall of the tiles that are neither drawn nor turned.
    fn hidden_in_dead(&self, indicators: usize) -> impl Iterator<Item = usize> + use<> {
        let (live_end, replacements) = (usize::from(self.live_end), usize::from(self.replacements));
        let dead_wall = dead_wall(self.layout);
        let mut is_shown = [false; 136];
        (0..indicators).for_each(|k| is_shown[(dead_wall.indicator)(k)] = true);
        dead_wall.replacement[..replacements].iter().for_each(|index| is_shown[*index] = true);
        // Each replacement draw moves the last live tile to the dead wall.
        let len = live_end + replacements + DEAD;
        (live_end..len).filter(move |index| !is_shown[*index])
    }

    /// The tiles dealt to the player `steps` turns after the dealer: three blocks of four and one.
    #[inline]
    pub(crate) fn dealt(&self, steps: usize, players: usize) -> [Tile; DEALT] {
        let mut dealt = [self.tiles[dealt_index(12, steps, players)]; DEALT];
        for (block, four) in dealt.chunks_exact_mut(4).enumerate() {
            let start = dealt_index(4 * block, steps, players);
            four.copy_from_slice(&self.tiles[start..start + 4]);
        }
        dealt
    }

    /// Fetches the index of the next draw.
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(&self.next);
    }

    /// Fetches the tile that will be drawn next.
    #[inline]
    pub(crate) fn prefetch_next(&self) {
        self.tiles.get(usize::from(self.next)).into_iter().for_each(prefetch);
    }

    /// The number of live tiles left.
    #[inline]
    pub const fn live(&self) -> u8 {
        self.live_end - self.next
    }

    /// Lets each player keep the live tiles that they would have drawn, although a call skips the draws
    /// of `skipped` players ([`kept_order`]).
    pub(crate) fn keep_draws(&mut self, skipped: u8, rules: &Rules) {
        let (old, start) = (self.tiles, usize::from(self.next));
        let live = self.live_mut();
        let order = kept_order(live.len(), skipped, rules);
        live.iter_mut().zip(order).for_each(|(tile, place)| *tile = old[start + place]);
    }

    /// The live tiles left, in the order of draws.
    ///
    /// Each replacement draw takes the last of them away.
    pub fn live_tiles(&self) -> &[Tile] {
        &self.tiles[usize::from(self.next)..usize::from(self.live_end)]
    }

    /// The replacement tiles left, in the order of draws.
    pub fn replacement_tiles(&self) -> impl Iterator<Item = Tile> {
        let left = &dead_wall(self.layout).replacement[usize::from(self.replacements)..];
        left.iter().map(|index| self.tiles[*index])
    }

    /// All tiles in the order in which they are drawn, the drawn ones included.
    pub fn tiles(&self) -> &[Tile] {
        // `Rules::check` pairs these layouts with the 108 tiles of three players.
        let len = match self.layout {
            WallLayout::Tenhou3p | WallLayout::MahjongSoul3p => 108,
            _ => 136,
        };
        &self.tiles[..len]
    }

    /// Draws the next live tile. There must be one.
    #[inline]
    pub(crate) fn draw(&mut self) -> Tile {
        debug_assert!(self.live() > 0, "a draw from an empty wall");
        let tile = self.tiles[usize::from(self.next)];
        self.next += 1;
        tile
    }

    /// Draws the next replacement tile. The last live tile joins the dead wall, so one must be
    /// left.
    #[inline]
    pub(crate) fn replace(&mut self) -> Tile {
        debug_assert!(self.live() > 0, "a replacement draw without a live tile");
        let tile = self.tiles[dead_wall(self.layout).replacement[usize::from(self.replacements)]];
        self.replacements += 1;
        self.live_end -= 1;
        tile
    }

    /// The dora indicator `k`, counted from 0, whether or not it is turned.
    #[inline]
    pub fn indicator(&self, k: usize) -> Tile {
        self.tiles[(dead_wall(self.layout).indicator)(k)]
    }

    /// Whether the dora indicator `k` and its ura lie in the dead wall after `due` more replacement draws.
    /// With three players, later indicators lie in the live wall until replacement draws have moved its
    /// last tiles into the dead wall.
    pub(crate) fn is_in_dead_wall(&self, k: usize, due: usize) -> bool {
        let DeadWall { indicator, ura, .. } = dead_wall(self.layout);
        indicator(k).min(ura(k)) + due >= usize::from(self.live_end)
    }

    /// The ura indicator `k`: the tile under the dora indicator `k`.
    #[inline]
    pub fn ura_indicator(&self, k: usize) -> Tile {
        self.tiles[(dead_wall(self.layout).ura)(k)]
    }
}

impl std::fmt::Debug for Wall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} live tiles left of ", self.live())?;
        f.debug_list().entries(self.tiles()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::options::Aka;
    use crate::{Players, Suit};

    #[test]
    fn replacement_tiles_and_indicators_follow_the_layout() {
        let cases = [
            (WallLayout::Tenhou, [134, 135], [130, 128, 126], [131, 129, 127]),
            (WallLayout::MahjongSoul, [135, 134], [131, 129, 127], [130, 128, 126]),
            (WallLayout::MajiangCore, [135, 134], [131, 130, 129], [126, 125, 124]),
        ];
        for (layout, replacement, indicators, ura) in cases {
            let rules = Rules { wall_layout: layout, ..Rules::default() };
            let wall = Wall::of_hand(1, 0, 0, 0, &rules);
            let mut drawn = wall;
            assert_eq!(wall.live_tiles(), &wall.tiles[52..122]);
            for index in replacement {
                assert_eq!(drawn.replacement_tiles().next(), Some(wall.tiles[index]));
                assert_eq!(drawn.replace(), wall.tiles[index]);
            }
            assert_eq!(drawn.replacement_tiles().count(), 2);
            assert_eq!(drawn.live(), 68);
            assert_eq!(drawn.live_tiles(), &wall.tiles[52..120]);
            for k in 0..3 {
                assert_eq!(wall.indicator(k), wall.tiles[indicators[k]]);
                assert_eq!(wall.ura_indicator(k), wall.tiles[ura[k]]);
            }
        }
    }

    /// After a call, all players draw the tiles that they would have drawn, as far as there are any,
    /// and the wall has the same tiles.
    #[test]
    fn players_keep_their_draws_when_turns_are_skipped() {
        let wall = Wall::of_hand(1, 0, 0, 0, &Rules::default());
        for (players, skipped, drawn) in [
            (Players::Four, 1, 0),
            (Players::Four, 2, 13),
            (Players::Four, 3, 50),
            (Players::Three, 1, 7),
            (Players::Three, 2, 66),
            (Players::Two, 1, 69),
        ] {
            let rules = Rules { players, ..Rules::default() };
            let players = usize::from(players.count());
            let mut before = wall;
            (0..drawn).for_each(|_| _ = before.draw());
            let mut after = before;
            after.keep_draws(skipped, &rules);
            let draws = |wall: &Wall, first: usize, player: usize| -> Vec<Tile> {
                let turns = wall.live_tiles().iter().enumerate();
                let own = turns.filter(|(turn, _)| (first + turn) % players == player);
                own.map(|(_, tile)| *tile).collect()
            };
            for player in 0..players {
                let first = usize::from(skipped);
                let (old, new) = (draws(&before, 0, player), draws(&after, first, player));
                let common = old.len().min(new.len());
                assert_eq!(old[..common], new[..common], "{players} players, {skipped} skipped");
            }
            let sorted = |wall: &Wall| {
                let mut tiles = wall.tiles().to_vec();
                tiles.sort_unstable();
                tiles
            };
            assert_eq!(sorted(&before), sorted(&after));
        }
    }

    #[test]
    fn every_tile_of_the_dead_wall_has_one_use() {
        for layout in [
            WallLayout::Tenhou,
            WallLayout::MahjongSoul,
            WallLayout::MajiangCore,
            WallLayout::Tenhou3p,
            WallLayout::MahjongSoul3p,
        ] {
            let dead_wall = dead_wall(layout);
            let uses = (0..5).flat_map(|k| [(dead_wall.indicator)(k), (dead_wall.ura)(k)]);
            let mut uses: Vec<usize> = uses.chain(dead_wall.replacement.iter().copied()).collect();
            uses.sort_unstable();
            uses.dedup();
            assert_eq!(uses.len(), 10 + dead_wall.replacement.len(), "{layout:?}");
        }
    }

    #[test]
    fn revealed_tiles_lie_where_they_were_drawn() {
        for (layout, players, tiles) in [
            (WallLayout::Tenhou, Players::Four, TileKinds::Full),
            (WallLayout::MajiangCore, Players::Four, TileKinds::Full),
            (WallLayout::MahjongSoul3p, Players::Three, TileKinds::ThreePlayer),
        ] {
            let rules = Rules { wall_layout: layout, players, tiles, ..Rules::default() };
            let wall = Wall::of_hand(1, 0, 0, 0, &rules);
            let count = usize::from(players.count());
            let dealt: Vec<[Tile; DEALT]> = (0..count).map(|steps| wall.dealt(steps, count)).collect();
            let replacements: Vec<Tile> =
                dead_wall(layout).replacement.iter().map(|index| wall.tiles[*index]).collect();
            let indicators: Vec<Tile> = (0..5).map(|k| wall.indicator(k)).collect();
            let ura: Vec<Tile> = (0..5).map(|k| wall.ura_indicator(k)).collect();
            // The other tiles of the wall: with three players, the dead wall takes live tiles.
            let live = wall.tiles().len() - 10 - replacements.len();
            let drawn = wall.tiles()[DEALT * count..live].iter().copied().map(WallStep::Draw);
            let play: Vec<WallStep> =
                drawn.chain(replacements.into_iter().map(WallStep::Replacement)).collect();
            let shown =
                Revealed { dealt: &dealt, play: &play, indicators: &indicators, ura_indicators: &ura };
            assert_eq!(Wall::revealed(&rules, &shown, |_| {}), Ok(wall), "{layout:?}");
        }
    }

    #[test]
    fn a_wall_has_a_limited_number_of_tiles_of_each_use() {
        let rules = Rules { aka: Aka { m: 0, p: 0, s: 0 }, ..Rules::default() };
        let sorted = Wall::sorted(&rules).1;
        let with = |drawn, replacements, indicators, ura_indicators| {
            let (drawn, replacements): (usize, usize) = (drawn, replacements);
            let (indicators, ura_indicators): (usize, usize) = (indicators, ura_indicators);
            let mut rest = sorted.as_slice();
            let mut take = |count: usize| rest.split_off(..count).expect("tiles are left");
            let drawn = take(drawn).iter().copied().map(WallStep::Draw);
            let play: Vec<WallStep> =
                drawn.chain(take(replacements).iter().copied().map(WallStep::Replacement)).collect();
            let shown = Revealed {
                dealt: &[],
                play: &play,
                indicators: take(indicators),
                ura_indicators: take(ura_indicators),
            };
            Wall::revealed(&rules, &shown, |_| {}).map(|wall| wall.live())
        };
        assert_eq!(with(70, 4, 5, 5), Ok(70));
        for (drawn, replacements, indicators, ura) in
            [(71, 0, 0, 0), (0, 5, 0, 0), (0, 0, 6, 0), (0, 0, 0, 6)]
        {
            let error = with(drawn, replacements, indicators, ura).unwrap_err().to_string();
            assert_eq!(error, "more draws, replacement tiles or indicators than a wall has");
        }
    }

    #[test]
    fn a_tile_is_revealed_as_often_as_the_set_has_it() {
        let rules = Rules::default();
        let tile = Tile::plain(TileKind::WHITE);
        let with = |copies| {
            let play = &[WallStep::Draw(tile); 5][..copies];
            let shown = Revealed { dealt: &[], play, indicators: &[], ura_indicators: &[] };
            Wall::revealed(&rules, &shown, |_| {})
        };
        assert_eq!(with(4).map(|wall| wall.is_new_under(&rules)), Ok(true));
        assert_eq!(with(5).unwrap_err().to_string(), "more copies of 5z than the rules have");
    }

    #[test]
    fn a_given_wall_must_be_the_set_of_the_rules() {
        let rules = Rules::default();
        let mut tiles = Wall::of_hand(1, 0, 0, 0, &rules).tiles().to_vec();
        assert!(Wall::from_tiles(&tiles, &rules).is_ok());
        assert_eq!(
            Wall::from_tiles(&tiles[1..], &rules).unwrap_err().to_string(),
            "135 tiles: a wall has 136"
        );
        let red = tiles.iter().position(|t| *t == Tile::red(Suit::Dots)).expect("the wall has a red five");
        tiles[red] = Tile::plain(tiles[red].kind());
        assert_eq!(Wall::from_tiles(&tiles, &rules).unwrap_err().to_string(), "4 copies of 5p, expected 3");
    }
}
