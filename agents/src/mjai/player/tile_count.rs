//! Tiles that a player sees more often than the rules have them.

use jantaku_engine::replay::RecordedHand;
use jantaku_engine::{Event, Meld, Rules, Seat, Tile, TileKind, Wall};

/// A tile that is visible more often than the tiles of the rules have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Surplus {
    pub tile: Tile,
    /// How often it is visible.
    pub found: usize,
    /// How often the tiles of the rules have it: 0–4.
    pub most: usize,
}

/// The first tile of a hand that this player sees too often. None if the tiles seen fit into one
/// set.
pub(super) fn surplus(hand: &RecordedHand, own: Seat, rules: &Rules) -> Option<Surplus> {
    let seen: Vec<Tile> = hand.dealt[own]
        .into_iter()
        .chain(hand.indicators())
        .chain(hand.events.iter().flat_map(|event| shown_by(event, own)))
        .collect();
    let copies = |tiles: &[Tile], tile: Tile| tiles.iter().filter(|other| **other == tile).count();
    let set = Wall::of_hand(0, 0, 0, 0, rules);
    let of_tile =
        |tile: &Tile| Surplus { tile: *tile, found: copies(&seen, *tile), most: copies(set.tiles(), *tile) };
    seen.iter().map(of_tile).find(|surplus| surplus.found > surplus.most)
}

/// The tiles that this player first sees with an event. Their own discards and melds come from tiles
/// that they have been dealt or drawn.
fn shown_by(event: &Event, own: Seat) -> Vec<Tile> {
    match event {
        Event::Draw { seat, tile, .. } if *seat == own => tile.iter().copied().collect(),
        Event::Discard { seat, tile, .. } | Event::Kakan { seat, tile } if *seat != own => vec![*tile],
        Event::Call { seat, meld } | Event::Ankan { seat, meld } if *seat != own => of_hand(*meld),
        Event::Kita { seat } if *seat != own => vec![Tile::plain(TileKind::NORTH)],
        _ => Vec::new(),
    }
}

/// The tiles of a meld that come from the hand of its player.
fn of_hand(meld: Meld) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = meld.tiles().collect();
    let claimed = meld.claimed().and_then(|claimed| tiles.iter().position(|tile| *tile == claimed.tile));
    claimed.map(|at| tiles.swap_remove(at));
    tiles
}
