//! Complete suits and their readings as sets and at most one pair.

use std::collections::HashMap;

use crate::classes::distinct;
use crate::{HIGH, LOW, MAX_TILES, Output, copies, size};

/// The number of complete suits of at most 14 tiles, and the number of their readings.
const COMPLETE: (usize, usize) = (21_743, 23_533);

/// Writes the readings and a perfect hash to find them.
///
/// `reading.bin` has a word for each reading. The readings of a suit are adjacent, and suits with
/// the same list share it. The bits of a word:
///
/// - 0–6: a sequence starts on this rank
/// - 8–16: a triplet of this rank
/// - 20–28: a pair of this rank
/// - 30–31: the number of pairs of identical sequences
///
/// `reading_place.bin` has an entry for each slot of the hash: the number of readings in the low 3
/// bits, above them the index of the first. The slot of a suit is `hash(key) ^ shift[bucket(key)]`.
/// `reading_shift.bin` has the shifts.
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
    assert_eq!((found.len(), total), COMPLETE, "complete suits and their readings");
    let (keys, readings): (Vec<u32>, Vec<Vec<u32>>) = found.into_iter().unzip();
    let (which, lists) = distinct(readings);
    let mut places = Vec::new();
    let mut words: Vec<u32> = Vec::new();
    for list in &lists {
        assert!(list.len() < 8, "the number of readings fits in three bits");
        places.push((words.len() << 3 | list.len()) as u32);
        words.extend(list);
    }
    let (shifts, slots) = perfect_hash(&keys);
    let mut table = vec![0u32; SLOTS];
    for (suit, slot) in slots.into_iter().enumerate() {
        table[slot] = places[which[suit]];
    }
    out.write_numbers("reading.bin", words.into_iter().map(u32::to_le_bytes));
    out.write_numbers("reading_place.bin", table.into_iter().map(u32::to_le_bytes));
    out.write_numbers("reading_shift.bin", shifts.into_iter().map(u16::to_le_bytes));
}

/// All readings of a suit. Empty if it is not complete.
fn readings(suit: &mut [u8]) -> Vec<u32> {
    fn search(suit: &mut [u8], rank: usize, sequences: &mut [u32; 7], sets: u32, found: &mut Vec<u32>) {
        let Some(rank) = (rank..9).find(|r| suit[*r] > 0) else {
            found.push(sets | sequence_bits(sequences));
            return;
        };
        let pair_taken = sets >> 20 != 0;
        let mut take = |n: u8, sets: u32, sequences: &mut [u32; 7]| {
            if suit[rank] >= n {
                suit[rank] -= n;
                search(suit, rank, sequences, sets, found);
                suit[rank] += n;
            }
        };
        take(3, sets | 1 << (8 + rank), sequences);
        if !pair_taken {
            take(2, sets | 1 << (20 + rank), sequences);
        }
        if rank < 7 && suit[rank..rank + 3].iter().all(|n| *n > 0) {
            suit[rank..rank + 3].iter_mut().for_each(|n| *n -= 1);
            sequences[rank] += 1;
            search(suit, rank, sequences, sets, found);
            sequences[rank] -= 1;
            suit[rank..rank + 3].iter_mut().for_each(|n| *n += 1);
        }
    }
    let mut found = Vec::new();
    search(suit, 0, &mut [0; 7], 0, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// The bits of a word for its sequences: their starts, and the number of pairs of identical ones.
fn sequence_bits(sequences: &[u32; 7]) -> u32 {
    let starts: u32 = sequences.iter().enumerate().map(|(rank, n)| u32::from(*n > 0) << rank).sum();
    let identical: u32 = sequences.iter().map(|n| n / 2).sum();
    starts | identical << 30
}

/// The key of a suit, as in the engine: the high half above 14 bits of the low half.
fn key(low: usize, high: usize) -> u32 {
    (low | high << 14) as u32
}

/// The number of slots of the hash.
const SLOTS: usize = 1 << 15;
/// The number of buckets. All keys of a bucket share a shift.
const BUCKETS: usize = 1 << 12;

/// The slot before the shift, and the bucket. `src/score/suits.rs` computes the same.
fn hash(key: u32) -> (usize, usize) {
    let product = key.wrapping_mul(0x9E37_79B9);
    ((product >> 17) as usize, (product.wrapping_mul(0x85EB_CA6B) >> 20) as usize)
}

/// Finds a shift for each bucket such that no two keys share a slot.
///
/// Large buckets go first, and each takes the first shift that fits. Returns the shifts, and the
/// slot of each key.
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
        let shift = (0..SLOTS).find(fits).expect("every bucket has a shift that fits");
        shifts[bucket] = shift as u16;
        for member in members {
            slots[member] = hash(keys[member]).0 ^ shift;
            taken[slots[member]] = true;
        }
    }
    (shifts, slots)
}
