//! Ukeire and spare tiles of a suit for each goal, and the critical goals of a suit in a hand.
//!
//! Ukeire lower the distance to the goal. Discarding a spare tile does not raise it.

use std::collections::HashMap;

use crate::classes::{Classes, honour_index, multisets, padded};
use crate::distance::{Distances, GOALS, goal};
use crate::{DRAGONS, HIGH, HONOURS, LOW, MAX_TILES, Output, POW5, WINDS, copies, size};

/// The most tiles of a suit with a record. Larger suits are rare: the engine tries each tile for them.
const MAX_RECORDED: usize = 9;

/// The goals with a field in the record of a suit, in order. The empty goal needs no field.
const FIELDS: [usize; 7] =
    [goal(0, 1), goal(0, 2), goal(0, 3), goal(1, 0), goal(1, 1), goal(1, 2), goal(1, 3)];

/// The goals of four sets. They rarely matter, and have records of their own.
const FOUR: [usize; 2] = [goal(0, 4), goal(1, 4)];

/// Writes all tables of records and of critical goals.
pub fn write(suits: &[Distances], honours: &[Distances], classes: &Classes, out: &Output) {
    write_suits(suits, out);
    write_honours(honours, out);
    write_critical(classes, out);
}

/// Writes `suit_index.bin` and `suit_base.bin`, and the records of suits.
///
/// - `suit_ukeire.bin`: nine bits for each of [`FIELDS`], the ranks that lower the distance to the
///   goal
/// - `suit_spare.bin`: the ranks with a spare tile
/// - `suit_ukeire_four.bin`, `suit_spare_four.bin`: the same for the goals of [`FOUR`]
///
/// Suits with few tiles come first, so that the records of ordinary hands lie close together. The
/// record of a suit is at `suit_base[tiles of the low half << 7 | high half]` plus the index of its
/// low half among low halves of the same size. `suit_index[low half]` has this index in the low
/// 11 bits, and the tiles of the low half above them.
fn write_suits(suits: &[Distances], out: &Output) {
    // By the number of tiles: a low half has at most 24.
    let mut lows: Vec<Vec<usize>> = vec![Vec::new(); MAX_TILES + 11];
    let mut indices = Vec::new();
    for low in 0..LOW {
        let tiles = size(low);
        indices.push((lows[tiles].len() | tiles << 11) as u16);
        lows[tiles].push(low);
    }
    out.write_numbers("suit_index.bin", padded(indices.into_iter(), 1 << 14).map(u16::to_le_bytes));
    let mut bases = vec![u32::MAX; 1 << 12];
    let mut recorded: Vec<usize> = Vec::new();
    for tiles in 0..=MAX_RECORDED {
        for low_tiles in (0..=tiles).rev() {
            for high in (0..HIGH).filter(|high| size(*high) + low_tiles == tiles) {
                bases[low_tiles << 7 | high] = recorded.len() as u32;
                recorded.extend(lows[low_tiles].iter().map(|low| high * LOW + low));
            }
        }
    }
    out.write_numbers("suit_base.bin", bases.into_iter().map(u32::to_le_bytes));
    let ukeire = |goals| recorded.iter().map(move |suit| suit_ukeire(suits, *suit, goals));
    out.write_numbers("suit_ukeire.bin", ukeire(&FIELDS[..]).map(u64::to_le_bytes));
    out.write_numbers("suit_ukeire_four.bin", ukeire(&FOUR).map(|record| (record as u32).to_le_bytes()));
    let spare = |goals| recorded.iter().map(move |suit| suit_spare(suits, *suit, goals));
    out.write_numbers("suit_spare.bin", spare(&FIELDS[..]).map(u64::to_le_bytes));
    out.write_numbers("suit_spare_four.bin", spare(&FOUR).map(|record| (record as u32).to_le_bytes()));
}

/// The ranks that lower the distance of a suit to each of these goals.
fn suit_ukeire(suits: &[Distances], number: usize, goals: &[usize]) -> u64 {
    let copies = copies(number, 9);
    suit_record(goals, |rank, goal| {
        copies[rank] < 4 && suits[number + POW5[rank]][goal] < suits[number][goal]
    })
}

/// The ranks with a spare tile, for each of these goals.
fn suit_spare(suits: &[Distances], number: usize, goals: &[usize]) -> u64 {
    let copies = copies(number, 9);
    suit_record(goals, |rank, goal| {
        copies[rank] > 0 && suits[number - POW5[rank]][goal] == suits[number][goal]
    })
}

/// Nine bits for each of these goals: the ranks for which `holds`.
fn suit_record(goals: &[usize], holds: impl Fn(usize, usize) -> bool) -> u64 {
    let ranks = |goal| (0..9).map(|rank| u64::from(holds(rank, goal)) << rank).sum::<u64>();
    goals.iter().enumerate().map(|(field, goal)| ranks(*goal) << (9 * field)).sum()
}

/// Writes `honour_ukeire.bin` and `honour_spare.bin`: four bits for each goal.
///
/// The first has a bit for each number of copies held, 0–3: set if one more copy lowers the distance.
/// The second has a bit for 1–4 copies: set if one of them is a spare tile.
fn write_honours(honours: &[Distances], out: &Output) {
    let (wind_of, dragon_of) = (multisets(WINDS, 4), multisets(DRAGONS, 3));
    let (mut ukeire, mut spare) = (vec![0u64; 1 << 13], vec![0u64; 1 << 13]);
    let mut is_written = vec![false; 1 << 13];
    for number in (0..HONOURS).filter(|n| size(*n) <= MAX_TILES) {
        let index = honour_index(number, &wind_of, &dragon_of);
        let (mut gaining, mut spared) = (0, 0);
        for (rank, held) in copies(number, 7).into_iter().map(usize::from).enumerate() {
            for (goal, distance) in honours[number].iter().enumerate() {
                if held < 4 {
                    let lowers = honours[number + POW5[rank]][goal] < *distance;
                    gaining |= u64::from(lowers) << (4 * goal + held);
                }
                if held > 0 {
                    let stays = honours[number - POW5[rank]][goal] == *distance;
                    spared |= u64::from(stays) << (4 * goal + held - 1);
                }
            }
        }
        assert!(
            !is_written[index] || (ukeire[index], spare[index]) == (gaining, spared),
            "honours with the same multisets of copies have the same records"
        );
        (ukeire[index], spare[index], is_written[index]) = (gaining, spared, true);
    }
    out.write_numbers("honour_ukeire.bin", ukeire.into_iter().map(u64::to_le_bytes));
    out.write_numbers("honour_spare.bin", spare.into_iter().map(u64::to_le_bytes));
}

/// Writes `critical.bin`, `critical_suit.bin`, `critical_four.bin` and `critical_honour.bin`.
///
/// A goal of a class is critical if lowering its distance by one lowers the distance of the whole
/// hand by one. Each combination of critical goals has a number, from 128 on if it contains a goal
/// of four sets. `critical.bin` is indexed by the number of sets that the hand needs, the class of the
/// rest of the hand and the class of the suit: `180 * (180 * sets + rest) + class`.
///
/// The other files have each combination as a mask for the records of suits and of honours.
fn write_critical(classes: &Classes, out: &Output) {
    let mut numbers: HashMap<u16, u8> = HashMap::new();
    let (mut plain, mut with_four) = (0, 128);
    let mut table = Vec::new();
    for sets in 0..5 {
        for rest in &classes.distances {
            for class in &classes.distances {
                let critical = critical_goals(class, rest, sets);
                let number = *numbers.entry(critical).or_insert_with(|| {
                    let four = FOUR.iter().any(|goal| critical >> goal & 1 != 0);
                    let next: &mut u8 = if four { &mut with_four } else { &mut plain };
                    *next += 1;
                    *next - 1
                });
                table.push(number);
            }
        }
    }
    assert!(plain <= 128, "combinations without a goal of four sets have numbers below 128");
    out.write_bytes("critical.bin", &table);
    let (mut suit, mut suit_four, mut honour) = (vec![0u64; 256], vec![0u32; 256], vec![0u64; 256]);
    for (critical, number) in numbers {
        let is_critical = |goal: usize| u64::from(critical >> goal & 1);
        suit[usize::from(number)] =
            (0..7).map(|field| is_critical(FIELDS[field]) * (511 << (9 * field))).sum();
        suit_four[usize::from(number)] =
            (0..2).map(|field| is_critical(FOUR[field]) as u32 * (511 << (9 * field))).sum();
        honour[usize::from(number)] = (0..GOALS).map(|goal| is_critical(goal) * (15 << (4 * goal))).sum();
    }
    out.write_numbers("critical_suit.bin", suit.into_iter().map(u64::to_le_bytes));
    out.write_numbers("critical_four.bin", suit_four.into_iter().map(u32::to_le_bytes));
    out.write_numbers("critical_honour.bin", honour.into_iter().map(u64::to_le_bytes));
}

/// The goals of `class` in the splits that attain the distance to `sets` sets and a pair.
fn critical_goals(class: &Distances, rest: &Distances, sets: usize) -> u16 {
    let splits =
        (0..=sets).flat_map(|here| [0, 1].map(|pairs| (goal(pairs, here), goal(1 - pairs, sets - here))));
    let distance =
        splits.clone().map(|(here, there)| class[here] + rest[there]).min().expect("every goal has a split");
    splits
        .filter(|(here, there)| class[*here] + rest[*there] == distance && *here != goal(0, 0))
        .fold(0, |set, (here, _)| set | 1 << here)
}
