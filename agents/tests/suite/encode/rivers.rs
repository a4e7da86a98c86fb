//! The facts about rivers that the engine keeps for the encoders, computed again from the discards.

use std::collections::HashSet;

use jantaku_engine::{Discards, Observation, Riichi, Seat, TileSet};

use super::play;

/// The bits of the packed discards and the facts about each player are those of the rivers.
#[test]
fn facts_of_rivers_follow_from_the_discards() {
    play::decisions(|o, _| {
        check_packed(o.discards());
        for seat in o.rules().players.seats() {
            check_side(o, seat);
        }
        let mut reds = [0; 3];
        for discard in o.discards().iter().filter(|d| d.tile.is_red() && d.claimed_by.is_none()) {
            reds[discard.tile.kind().suit() as usize] += 1;
        }
        assert_eq!(o.discards().reds(), reds);
    });
}

fn check_packed(discards: &Discards) {
    let (mut counts, mut rows) = ([0; 4], HashSet::new());
    assert_eq!(discards.packed().len(), discards.len());
    let eights = discards.packed_eights().as_flattened();
    assert_eq!(&eights[..discards.len()], discards.packed());
    assert!(eights.len() < discards.len() + 8);
    assert!(eights[discards.len()..].iter().all(|entry| *entry == Discards::NONE));
    for (discard, packed) in discards.iter().zip(discards.packed()) {
        let count = &mut counts[discard.seat.index()];
        let row = (*count / 6).min(2);
        *count += 1;
        assert_eq!(packed >> 9 & 3, row);
        let is_new = rows.insert((discard.seat, discard.tile.kind(), row, discard.tsumogiri));
        assert_eq!(packed & Discards::AGAIN != 0, !is_new);
        assert_eq!(packed & 63, u16::from(discard.tile.number()));
        assert_eq!(packed >> 6 & 3, u16::from(discard.seat.number()));
        assert_eq!(packed >> 8 & 1 != 0, discard.tsumogiri);
        assert_eq!(packed & Discards::RIICHI != 0, discard.riichi);
        assert_eq!(packed & Discards::CLAIMED != 0, discard.claimed_by.is_some());
    }
}

fn check_side(o: &Observation<'_>, seat: Seat) {
    let side = o.side(seat);
    assert_eq!(side.last_discard(), o.discards().of(seat).last().map(|discard| discard.tile));
    let unchanged = o.discards().of(seat).rev().take_while(|discard| discard.tsumogiri).count();
    assert_eq!(usize::from(side.unchanged()), unchanged);
    let changes =
        |discard: &jantaku_engine::Discard| discard.seat == seat && (!discard.tsumogiri || discard.riichi);
    let passed = o.discards().iter().rev().take_while(|discard| !changes(discard));
    assert_eq!(side.passed(), passed.map(|discard| discard.tile.kind()).collect::<TileSet>());
    assert!(side.riichi() == Riichi::None || o.discards().of(seat).any(|discard| discard.riichi));
}
