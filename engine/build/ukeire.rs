//! Ukeire: the tiles that bring a suit closer to each goal, and the goals that matter in a hand.

use std::collections::HashMap;

use crate::classes::{Classes, honour_index, multisets, padded};
use crate::distance::{Distances, GOALS, goal};
use crate::{DRAGONS, HIGH, HONOURS, LOW, MAX_TILES, Output, POW5, WINDS, copies, size};

/// The most tiles of a suit with a record. Larger suits are rare, and the engine tries each tile.
const MAX_RECORDED: usize = 9;

/// The goals with a field in the record of a suit, in order.
///
/// The empty goal needs no field. For four sets in one suit the engine tries each tile.
const FIELDS: [usize; 7] =
    [goal(0, 1), goal(0, 2), goal(0, 3), goal(1, 0), goal(1, 1), goal(1, 2), goal(1, 3)];

/// Writes all tables of ukeire.
pub fn write(suits: &[Distances], honours: &[Distances], classes: &Classes, out: &Output) {
    write_suits(suits, out);
    write_honours(honours, out);
    write_critical(classes, out);
}

/// Writes `suit_index.bin`, `suit_base.bin` and `suit_ukeire.bin`.
///
/// A record in `suit_ukeire.bin` has nine bits for each of [`FIELDS`]: the ranks that lower the
/// distance to that goal. Suits with few tiles come first, so that the records of ordinary hands
/// lie close together.
///
/// The record of a suit is at `suit_base[tiles of the low half << 7 | high half]` plus the index of
/// its low half among low halves with as many tiles. This index is in the low 11 bits of
/// `suit_index`, and the number of tiles is above it.
fn write_suits(suits: &[Distances], out: &Output) {
    let mut lows: Vec<Vec<usize>> = vec![Vec::new(); MAX_TILES + 11];
    let mut indices = Vec::new();
    for low in 0..LOW {
        let tiles = size(low);
        indices.push((lows[tiles].len() | tiles << 11) as u16);
        lows[tiles].push(low);
    }
    out.numbers("suit_index.bin", padded(indices.into_iter(), 1 << 14).map(u16::to_le_bytes));
    let mut bases = vec![u32::MAX; 1 << 12];
    let mut records: Vec<u64> = Vec::new();
    for tiles in 0..=MAX_RECORDED {
        for low_tiles in (0..=tiles).rev() {
            for high in (0..HIGH).filter(|high| size(*high) + low_tiles == tiles) {
                bases[low_tiles << 7 | high] = records.len() as u32;
                records.extend(lows[low_tiles].iter().map(|low| suit_ukeire(suits, high * LOW + low)));
            }
        }
    }
    out.numbers("suit_base.bin", bases.into_iter().map(u32::to_le_bytes));
    out.numbers("suit_ukeire.bin", records.into_iter().map(u64::to_le_bytes));
}

/// The record of a suit.
fn suit_ukeire(suits: &[Distances], number: usize) -> u64 {
    let copies = copies(number, 9);
    let mut ukeire = 0;
    for rank in (0..9).filter(|rank| copies[*rank] < 4) {
        let more = &suits[number + POW5[rank]];
        for (field, goal) in FIELDS.iter().enumerate() {
            ukeire |= u64::from(more[*goal] < suits[number][*goal]) << (9 * field + rank);
        }
    }
    ukeire
}

/// Writes `honour_ukeire.bin`: four bits for each goal, one for each number of copies held, 0–3.
///
/// A bit is set if one more copy of a kind with that number of copies lowers the distance.
fn write_honours(honours: &[Distances], out: &Output) {
    let (wind_of, dragon_of) = (multisets(WINDS, 4), multisets(DRAGONS, 3));
    let mut records = vec![0u64; 1 << 13];
    for number in (0..HONOURS).filter(|n| size(*n) <= MAX_TILES) {
        let mut ukeire = 0;
        for (rank, held) in copies(number, 7).into_iter().enumerate().filter(|(_, held)| *held < 4) {
            let more = &honours[number + POW5[rank]];
            for goal in 0..GOALS {
                ukeire |= u64::from(more[goal] < honours[number][goal]) << (4 * goal + usize::from(held));
            }
        }
        let record = &mut records[honour_index(number, &wind_of, &dragon_of)];
        assert!(
            *record == 0 || *record == ukeire,
            "honours with the same multisets of copies have the same ukeire"
        );
        *record = ukeire;
    }
    out.numbers("honour_ukeire.bin", records.into_iter().map(u64::to_le_bytes));
}

/// Writes `critical.bin`, `critical_suit.bin` and `critical_honour.bin`.
///
/// A goal of a class is critical if lowering its distance by one lowers the distance of the whole
/// hand by one. Each combination of critical goals has a number, from 128 on if it contains a goal
/// of four sets. `critical.bin` has the number for a hand that needs 0–4 sets, a class and the
/// class of the rest of the hand, at `180 * (180 * melds + rest) + class`.
///
/// The other two files have each combination as a mask for the records of suits and of honours.
fn write_critical(classes: &Classes, out: &Output) {
    let mut numbers: HashMap<u16, u8> = HashMap::new();
    let (mut plain, mut with_four) = (0, 128);
    let mut table = Vec::new();
    for melds in 0..5 {
        for rest in &classes.distances {
            for class in &classes.distances {
                let critical = critical_goals(class, rest, melds);
                let number = *numbers.entry(critical).or_insert_with(|| {
                    let four = critical & (1 << goal(0, 4) | 1 << goal(1, 4)) != 0;
                    let next: &mut u8 = if four { &mut with_four } else { &mut plain };
                    *next += 1;
                    *next - 1
                });
                table.push(number);
            }
        }
    }
    assert!(plain <= 128, "combinations without a goal of four sets have numbers below 128");
    out.bytes("critical.bin", &table);
    let (mut suit, mut honour) = (vec![0u64; 256], vec![0u64; 256]);
    for (critical, number) in numbers {
        let is_critical = |goal: usize| u64::from(critical >> goal & 1);
        suit[usize::from(number)] =
            (0..7).map(|field| is_critical(FIELDS[field]) * (511 << (9 * field))).sum();
        honour[usize::from(number)] = (0..GOALS).map(|goal| is_critical(goal) * (15 << (4 * goal))).sum();
    }
    out.numbers("critical_suit.bin", suit.into_iter().map(u64::to_le_bytes));
    out.numbers("critical_honour.bin", honour.into_iter().map(u64::to_le_bytes));
}

/// The goals of `class` in the splits that attain the distance to `melds` sets and a pair.
fn critical_goals(class: &Distances, rest: &Distances, melds: usize) -> u16 {
    let splits =
        (0..=melds).flat_map(|here| [0, 1].map(|pairs| (goal(pairs, here), goal(1 - pairs, melds - here))));
    let distance =
        splits.clone().map(|(here, there)| class[here] + rest[there]).min().expect("every goal has a split");
    splits
        .filter(|(here, there)| class[*here] + rest[*there] == distance && *here != goal(0, 0))
        .fold(0, |set, (here, _)| set | 1 << here)
}
