//! Complete suits: every way in which a suit falls into sets and at most one pair.

use std::collections::HashMap;

use crate::classes::distinct;
use crate::{HIGH, LOW, MAX_TILES, Output, copies, size};

/// The number of complete suits of at most 14 tiles, and of their decompositions.
const COMPLETE: (usize, usize) = (21_743, 23_533);

/// Writes the decompositions and a perfect hash that finds them.
///
/// `reading.bin`: a word for each decomposition, the decompositions of a suit side by side, suits with the same ones sharing them.
/// - bits 0–6: a sequence starts on this rank, bits 8–16: triplet of this rank, bits 20–28: pair of this rank
/// - bits 30–31: how many pairs of identical sequences
///
/// `reading_place.bin`: for each slot of the hash, where the decompositions of its suit start, with their number in
/// the low 3 bits. The slot of a suit is `hash(key) ^ shift[bucket(key)]`, `reading_shift.bin` holding the shifts.
pub fn write(out: &Output) {
    let mut found = Vec::new();
    let numbers = (0..HIGH).flat_map(|high| (0..LOW).map(move |low| (low, high)));
    for (low, high) in numbers.filter(|(low, high)| size(*low) + size(*high) <= MAX_TILES) {
        let mut suit = copies(low, 6);
        suit.extend(copies(high, 3));
        let readings = readings(&mut suit);
        if !readings.is_empty() {
            found.push((key(low, high), readings));
        }
    }
    let total: usize = found.iter().map(|(_, readings)| readings.len()).sum();
    assert_eq!((found.len(), total), COMPLETE, "complete suits and their decompositions");
    let (keys, readings): (Vec<u32>, Vec<Vec<u32>>) = found.into_iter().unzip();
    let (which, lists) = distinct(readings);
    let mut places = Vec::new();
    let mut words: Vec<u32> = Vec::new();
    for list in &lists {
        assert!(list.len() < 8, "the number of decompositions fits in three bits");
        places.push((words.len() << 3 | list.len()) as u32);
        words.extend(list);
    }
    let (shifts, slots) = perfect_hash(&keys);
    let mut table = vec![0u32; SLOTS];
    for (suit, slot) in slots.into_iter().enumerate() {
        table[slot] = places[which[suit]];
    }
    out.numbers("reading.bin", words.into_iter().map(u32::to_le_bytes));
    out.numbers("reading_place.bin", table.into_iter().map(u32::to_le_bytes));
    out.numbers("reading_shift.bin", shifts.into_iter().map(u16::to_le_bytes));
}

/// All decompositions of a suit; none if it is not complete.
fn readings(suit: &mut [u8]) -> Vec<u32> {
    fn search(suit: &mut [u8], rank: usize, runs: &mut [u32; 7], sets: u32, found: &mut Vec<u32>) {
        let Some(rank) = (rank..9).find(|r| suit[*r] > 0) else {
            found.push(sets | sequences(runs));
            return;
        };
        let pair_taken = sets >> 20 != 0;
        let mut take = |n: u8, sets: u32, runs: &mut [u32; 7]| {
            if suit[rank] >= n {
                suit[rank] -= n;
                search(suit, rank, runs, sets, found);
                suit[rank] += n;
            }
        };
        take(3, sets | 1 << (8 + rank), runs);
        if !pair_taken {
            take(2, sets | 1 << (20 + rank), runs);
        }
        if rank < 7 && suit[rank..rank + 3].iter().all(|n| *n > 0) {
            suit[rank..rank + 3].iter_mut().for_each(|n| *n -= 1);
            runs[rank] += 1;
            search(suit, rank, runs, sets, found);
            runs[rank] -= 1;
            suit[rank..rank + 3].iter_mut().for_each(|n| *n += 1);
        }
    }
    let mut found = Vec::new();
    search(suit, 0, &mut [0; 7], 0, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// The fields of a word that tell its sequences.
fn sequences(runs: &[u32; 7]) -> u32 {
    let starts: u32 = runs.iter().enumerate().map(|(rank, n)| u32::from(*n > 0) << rank).sum();
    let identical: u32 = runs.iter().map(|n| n / 2).sum();
    starts | identical << 30
}

/// The halves of a suit as the engine's keys hold them.
fn key(low: usize, high: usize) -> u32 {
    (low | high << 14) as u32
}

const SLOTS: usize = 1 << 15;
const BUCKETS: usize = 1 << 12;

/// The slot before the shift, and the bucket. The engine computes the same.
fn hash(key: u32) -> (usize, usize) {
    let product = key.wrapping_mul(0x9E37_79B9);
    ((product >> 17) as usize, (product.wrapping_mul(0x85EB_CA6B) >> 20) as usize)
}

/// A shift for each bucket such that no two keys share a slot: large buckets first, each takes the first shift that fits.
fn perfect_hash(keys: &[u32]) -> (Vec<u16>, Vec<usize>) {
    let mut buckets: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, key) in keys.iter().enumerate() {
        buckets.entry(hash(*key).1).or_default().push(index);
    }
    let mut order: Vec<(usize, Vec<usize>)> = buckets.into_iter().collect();
    order.sort_by_key(|(bucket, members)| (std::cmp::Reverse(members.len()), *bucket));
    let (mut shifts, mut slots, mut taken) = (vec![0u16; BUCKETS], vec![0; keys.len()], vec![false; SLOTS]);
    for (bucket, members) in order {
        let fits = |shift: &usize| {
            let mut wanted: Vec<usize> = members.iter().map(|m| hash(keys[*m]).0 ^ shift).collect();
            wanted.sort_unstable();
            wanted.windows(2).all(|w| w[0] != w[1]) && wanted.iter().all(|slot| !taken[*slot])
        };
        let shift = (0..SLOTS).find(fits).expect("some shift fits every bucket");
        shifts[bucket] = shift as u16;
        for member in members {
            slots[member] = hash(keys[member]).0 ^ shift;
            taken[slots[member]] = true;
        }
    }
    (shifts, slots)
}
