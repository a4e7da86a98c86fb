//! Shanten, ukeire and discards.

use jantaku_engine::{Concealed, Shanten, TileCounts, TileSet, Tracker, Unseen};
use riichienv_core::shanten::calc_shanten_from_counts;
use xiangting::{
    PlayerCount, calculate_necessary_tiles, calculate_replacement_number, calculate_unnecessary_tiles,
};

use crate::hands::Turn;
use crate::measure::{Row, Work};

fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::wrapping_add)
}

/// The replacement number is shanten + 1.
fn replacement_number(counts: &[u8; 34]) -> u8 {
    calculate_replacement_number(counts, PlayerCount::Four).expect("a hand")
}

fn necessary_tiles(counts: &[u8; 34]) -> (u8, u64) {
    calculate_necessary_tiles(counts, PlayerCount::Four).expect("a hand")
}

fn packed(counts: &TileCounts) -> (Concealed, Unseen) {
    let (hand, mut unseen) = (Concealed::from(counts), Unseen::all_of(TileSet::ALL));
    unseen.see_hand(&hand);
    (hand, unseen)
}

/// Shanten of 14 tiles over all forms of a hand.
pub fn shanten(mix: &str, turns: &[Turn]) -> Row {
    let hands: Vec<TileCounts> = turns.iter().map(Turn::with_draw).collect();
    let packed: Vec<Concealed> = hands.iter().map(Concealed::from).collect();
    let ours = |hand: &TileCounts| Tracker::from(hand).shanten(0).number();
    let theirs = |hand: &TileCounts| calc_shanten_from_counts(hand.as_array(), 4);
    let differ =
        hands.iter().filter(|hand| ours(hand) + 1 != replacement_number(hand.as_array()) as i8).count();
    let differ_too = hands.iter().filter(|hand| ours(hand) != theirs(hand)).count();
    let contestants: Vec<Work<'_>> = vec![
        ("jantaku, from counts", Box::new(|| sum(hands.iter().map(|hand| ours(hand) as u64)))),
        ("jantaku, from keys", Box::new(|| sum(packed.iter().map(|hand| hand.shanten(0).number() as u64)))),
        (
            "xiangting",
            Box::new(|| sum(hands.iter().map(|hand| u64::from(replacement_number(hand.as_array()))))),
        ),
        ("riichienv-core", Box::new(|| sum(hands.iter().map(|hand| theirs(hand) as u64)))),
    ];
    Row::of(format!("shanten of 14 tiles, {mix}"), hands.len(), contestants)
        .compared("xiangting", differ, hands.len())
        .compared("riichienv-core", differ_too, hands.len())
}

/// Ukeire of 13 tiles, as kinds and as the number of tiles.
pub fn ukeire(mix: &str, turns: &[Turn]) -> Row {
    let hands: Vec<(Concealed, Unseen)> = turns.iter().map(|turn| packed(&turn.before)).collect();
    let ours = |(hand, unseen): &(Concealed, Unseen)| {
        let (shanten, ukeire) = hand.ukeire(0);
        ukeire.bits() ^ u64::from(unseen.count(ukeire)) << 40 ^ (shanten.number() as u64) << 56
    };
    let same = |turn: &&Turn| {
        let (shanten, ukeire) = Concealed::from(&turn.before).ukeire(0);
        necessary_tiles(turn.before.as_array()) == ((shanten.number() + 1) as u8, ukeire.bits())
    };
    let same = turns.iter().filter(same).count();
    let necessary = |turn: &Turn| {
        let (number, tiles) = necessary_tiles(turn.before.as_array());
        u64::from(number) << 56 ^ tiles
    };
    let contestants: Vec<Work<'_>> = vec![
        ("jantaku, packed", Box::new(|| sum(hands.iter().map(ours)))),
        ("jantaku, from counts", Box::new(|| sum(turns.iter().map(|turn| ours(&packed(&turn.before)))))),
        ("xiangting", Box::new(|| sum(turns.iter().map(necessary)))),
    ];
    Row::of(format!("ukeire of 13 tiles, {mix}"), turns.len(), contestants).compared(
        "xiangting",
        turns.len() - same,
        turns.len(),
    )
}

/// Ukeire after each discard from 14 tiles.
pub fn discards(mix: &str, turns: &[Turn]) -> Row {
    let counts: Vec<TileCounts> = turns.iter().map(Turn::with_draw).collect();
    let hands: Vec<(Concealed, Unseen)> = counts.iter().map(packed).collect();
    let ours = |(hand, unseen): &(Concealed, Unseen)| {
        let options = hand.discard_options(0);
        sum(options.as_slice().iter().map(|option| {
            let shanten = (option.shanten.number() as u64) << 56;
            option.ukeire.bits() ^ u64::from(unseen.count(option.ukeire)) << 40 ^ shanten
        }))
    };
    let theirs = |counts: &TileCounts| {
        let mut rest = *counts.as_array();
        let after = |kind: usize| {
            if rest[kind] == 0 {
                return 0;
            }
            rest[kind] -= 1;
            let (number, tiles) = necessary_tiles(&rest);
            rest[kind] += 1;
            u64::from(number) << 56 ^ tiles
        };
        sum((0..34).map(after))
    };
    let contestants: Vec<Work<'_>> = vec![
        ("jantaku", Box::new(|| sum(hands.iter().map(ours)))),
        ("xiangting, a call a discard", Box::new(|| sum(counts.iter().map(theirs)))),
    ];
    Row::of(format!("every discard from 14 tiles with ukeire, {mix}"), turns.len(), contestants)
}

/// The discards from 14 tiles that keep the shanten.
pub fn best_discards(mix: &str, turns: &[Turn]) -> Row {
    let counts: Vec<TileCounts> = turns.iter().map(Turn::with_draw).collect();
    let hands: Vec<Concealed> = counts.iter().map(Concealed::from).collect();
    let ours = |hand: &Concealed| {
        let (shanten, kinds) = hand.least_discards(0);
        (shanten.number(), kinds)
    };
    let theirs = |counts: &TileCounts| {
        calculate_unnecessary_tiles(counts.as_array(), PlayerCount::Four).expect("a hand")
    };
    let same = |(hand, counts): &(&Concealed, &TileCounts)| {
        let (shanten, kinds) = ours(hand);
        // For a complete hand xiangting lists no discard; we list all discards.
        match theirs(counts) {
            (0, 0) => hand.shanten(0) == Shanten::COMPLETE && kinds == hand.kinds(),
            theirs => theirs == ((shanten + 1) as u8, kinds.bits()),
        }
    };
    let same = hands.iter().zip(&counts).filter(same).count();
    let contestants: Vec<Work<'_>> = vec![
        (
            "jantaku",
            Box::new(|| {
                sum(hands.iter().map(|hand| {
                    let (shanten, kinds) = ours(hand);
                    kinds.bits() ^ (shanten as u64) << 56
                }))
            }),
        ),
        (
            "xiangting, its own call",
            Box::new(|| {
                sum(counts.iter().map(|counts| {
                    let (number, tiles) = theirs(counts);
                    tiles ^ u64::from(number) << 56
                }))
            }),
        ),
    ];
    Row::of(format!("discards that keep the shanten of 14 tiles, {mix}"), turns.len(), contestants).compared(
        "xiangting",
        turns.len() - same,
        turns.len(),
    )
}
