//! Tiles that a player sees more often than the rules have them.

use jantaku_engine::replay::RecordedHand;
use jantaku_engine::{Event, Rules, Seat, Tile, Wall};

use crate::mjai::pai::Pai;
use crate::mjai::parts::shown;

/// What is wrong with the first tile of a hand that this player sees more often than the rules have it.
/// None if there is none.
pub(super) fn too_many(hand: &RecordedHand, own: Seat, rules: &Rules) -> Option<String> {
    let seen: Vec<Tile> = hand.dealt[own]
        .into_iter()
        .chain(hand.indicators())
        .chain(hand.events.iter().flat_map(|event| shown_by(event, own)))
        .collect();
    let copies = Wall::copies(rules);
    let found = |tile: Tile| seen.iter().filter(|other| **other == tile).count();
    let tile = *seen.iter().find(|tile| found(**tile) > usize::from(copies[tile.index()]))?;
    let pai = Pai::from(tile);
    Some(match (copies[tile.index()], found(tile)) {
        (0, _) => format!("{pai} is visible, but these rules play without it"),
        (most, found) => {
            format!("{pai} is visible {found} times, expected at most {most} under these rules")
        }
    })
}

/// The tiles that this player first sees with an event. Their own discards and melds come from tiles
/// that they have been dealt or drawn.
fn shown_by(event: &Event, own: Seat) -> Vec<Tile> {
    match event {
        Event::Draw { seat, tile, .. } if *seat == own => tile.iter().copied().collect(),
        _ => shown(event).filter(|(seat, _)| *seat != own).map_or_else(Vec::new, |(_, tiles)| tiles),
    }
}
