//! The parts of events that several events share: tiles, seats and points.

use jantaku_engine::replay::{Problem, RecordedHand};
use jantaku_engine::{BySeat, Event, Meld, Players, Rules, Seat, Tile, TileKind};

use super::pai::Pai;

pub(super) const NORTH: Tile = Tile::plain(TileKind::NORTH);

/// The error for a hidden tile.
pub(super) fn hidden_tile() -> Problem {
    Problem::new("a tile is hidden: only a log that shows all tiles can be replayed")
}

/// A tile that must not be hidden.
pub(super) fn tile(pai: Pai) -> Result<Tile, Problem> {
    pai.0.ok_or_else(hidden_tile)
}

/// Tiles that must not be hidden.
pub(super) fn tiles(pais: &[Pai]) -> Result<Vec<Tile>, Problem> {
    pais.iter().map(|pai| tile(*pai)).collect()
}

pub(super) fn pais(tiles: impl IntoIterator<Item = Tile>) -> Vec<Pai> {
    tiles.into_iter().map(Pai::from).collect()
}

/// The tiles of a meld that come from the hand of its player.
pub(super) fn from_hand(meld: Meld) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = meld.tiles().collect();
    let claimed = meld.claimed().and_then(|claimed| tiles.iter().position(|tile| *tile == claimed.tile));
    claimed.map(|at| tiles.remove(at));
    tiles
}

/// The player who shows tiles of their hand with an event, and these tiles. The tile just drawn counts as
/// part of the hand.
pub(crate) fn shown(event: &Event) -> Option<(Seat, Vec<Tile>)> {
    match event {
        Event::Discard { seat, tile, .. } | Event::Kakan { seat, tile } => Some((*seat, vec![*tile])),
        Event::Call { seat, meld } | Event::Ankan { seat, meld } => Some((*seat, from_hand(*meld))),
        Event::Kita { seat } => Some((*seat, vec![NORTH])),
        _ => None,
    }
}

/// Points by seat. Numbers after those of the players are ignored, such as a fourth in a game of three.
pub(super) fn points(key: &str, list: &[i32], players: Players) -> Result<BySeat<i32>, Problem> {
    let expected = || format!("one for each of {} players", players.count());
    BySeat::from_slice(players, list)
        .ok_or_else(|| Problem::value(key, format!("{} numbers", list.len()), expected()))
}

/// The dealt tiles by seat: 13 for each player, none for others.
pub(super) fn dealt(tehais: &[Vec<Pai>], players: Players) -> Result<BySeat<[Tile; 13]>, Problem> {
    let count = players.count();
    let others = tehais.iter().zip(0_u8..).skip(count.into());
    if let Some((_, number)) = others.into_iter().find(|(tiles, _)| !tiles.is_empty()) {
        return Err(Problem::player(number));
    }
    let mut dealt = BySeat::splat(players, [Tile::plain(TileKind::EAST); 13]);
    for seat in players.seats() {
        let tiles = tiles(tehais.get(seat.index()).map_or(&[], Vec::as_slice))?;
        dealt[seat] = tiles.try_into().map_err(|tiles: Vec<Tile>| {
            Problem::value("tehais", format!("{} tiles for seat {seat}", tiles.len()), "13")
        })?;
    }
    Ok(dealt)
}

/// The points that an accepted riichi costs, by seat.
pub(super) fn riichi_cost(seat: Seat, rules: &Rules) -> BySeat<i32> {
    BySeat::from_fn(rules.players, |other| if other == seat { -rules.riichi_stick } else { 0 })
}

/// Compares the concealed tiles under this key with those that the player holds. `winning` is the tile of a
/// win, which the log may count or not.
pub(super) fn check_tiles(
    key: &str,
    stated: &[Pai],
    hand: &RecordedHand,
    seat: Seat,
    winning: Option<Tile>,
) -> Result<(), Problem> {
    hand.check_held(seat, tiles(stated)?, winning)
        .map_err(|both| both.map(|tiles| spaced(&pais(tiles))))
        .map_err(|[stated, held]| Problem::value(key, stated, held))
}

/// Tiles with spaces between them.
pub(super) fn spaced(pais: &[Pai]) -> String {
    pais.iter().map(Pai::to_string).collect::<Vec<_>>().join(" ")
}
