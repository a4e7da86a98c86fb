//! Tiles that a player sees more often than the rules have them.

use std::fmt;

use jantaku_engine::replay::RecordedHand;
use jantaku_engine::{Event, Rules, Seat, Tile, Wall};

use crate::mjai::pai::Pai;
use crate::mjai::parts::shown;

/// A tile that is visible more often than the tiles of the rules have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Surplus {
    pub tile: Tile,
    /// How often it is visible.
    pub found: usize,
    /// How often the tiles of the rules have it: 0–4.
    pub most: usize,
}

impl fmt::Display for Surplus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tile, found) = (Pai::from(self.tile), self.found);
        match self.most {
            0 => write!(f, "{tile} is visible, but these rules play without it"),
            most => write!(f, "{tile} is visible {found} times, expected at most {most} under these rules"),
        }
    }
}

/// The first tile of a hand that this player sees too often. None if there is none.
pub(super) fn surplus(hand: &RecordedHand, own: Seat, rules: &Rules) -> Option<Surplus> {
    let seen: Vec<Tile> = hand.dealt[own]
        .into_iter()
        .chain(hand.indicators())
        .chain(hand.events.iter().flat_map(|event| shown_by(event, own)))
        .collect();
    let copies = Wall::copies(rules);
    let of_tile = |tile: &Tile| {
        let found = seen.iter().filter(|other| *other == tile).count();
        Surplus { tile: *tile, found, most: copies[tile.index()].into() }
    };
    seen.iter().map(of_tile).find(|surplus| surplus.found > surplus.most)
}

/// The tiles that this player first sees with an event. Their own discards and melds come from tiles
/// that they have been dealt or drawn.
fn shown_by(event: &Event, own: Seat) -> Vec<Tile> {
    match event {
        Event::Draw { seat, tile, .. } if *seat == own => tile.iter().copied().collect(),
        _ => shown(event).filter(|(seat, _)| *seat != own).map_or_else(Vec::new, |(_, tiles)| tiles),
    }
}
