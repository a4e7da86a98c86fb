//! Classes of suits: suits with the same distances are interchangeable, alone and merged.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use crate::distance::{Distances, GOALS, goal};
use crate::{DRAGONS, HIGH, HONOURS, LOW, MAX_TILES, Output, WINDS, copies, size};

/// The distinct distances of suits, of honours and of all merges of them.
pub struct Classes {
    /// The distances of each class, most common class first.
    pub distances: Vec<Distances>,
    ids: HashMap<Distances, u8>,
}

impl Classes {
    /// Merges classes until no new ones appear.
    pub fn new(suits: &[Distances], honours: &[Distances]) -> Classes {
        let weights = weights(suits, honours);
        let mut closed: BTreeSet<Distances> = suits.iter().chain(honours).copied().collect();
        loop {
            let merged: BTreeSet<Distances> =
                closed.iter().flat_map(|a| closed.iter().map(move |b| merge(a, b))).collect();
            let before = closed.len();
            closed.extend(merged);
            if closed.len() == before {
                break;
            }
        }
        assert_eq!(closed.len(), 180, "classes");
        let mut distances: Vec<Distances> = closed.into_iter().collect();
        distances.sort_by_key(|d| (Reverse(weights.get(d).copied().unwrap_or(0)), *d));
        let ids = distances.iter().enumerate().map(|(id, d)| (*d, id as u8)).collect();
        Classes { distances, ids }
    }

    /// The class with these distances.
    pub fn id(&self, distances: &Distances) -> u8 {
        self.ids[distances]
    }

    /// Writes all tables of classes and of the special forms.
    pub fn write(&self, suits: &[Distances], honours: &[Distances], out: &Output) {
        self.write_merges(out);
        self.write_suits(suits, out);
        self.write_honours(honours, out);
        write_special_forms(out);
    }

    /// Writes `merge.bin` and `distance.bin`.
    ///
    /// - `merge.bin`: the class of two merged classes, at `256 * a + b`
    /// - `distance.bin`: the tiles needed for `sets` sets (0–4) and a pair, at `256 * sets + class`
    fn write_merges(&self, out: &Output) {
        let mut table = vec![0; 1 << 16];
        for (a, x) in self.distances.iter().enumerate() {
            for (b, y) in self.distances.iter().enumerate() {
                table[a << 8 | b] = self.id(&merge(x, y));
            }
        }
        out.write_bytes("merge.bin", &table);
        let mut table = vec![0; 5 << 8];
        for sets in 0..5 {
            for (class, distances) in self.distances.iter().enumerate() {
                table[sets << 8 | class] = distances[goal(1, sets)];
            }
        }
        out.write_bytes("distance.bin", &table);
    }

    /// Writes `suit_low.bin`, `suit_high.bin` and `suit_class.bin`.
    ///
    /// The first two hold a word for each low and each high half of a suit. The low 18 bits of the sum of
    /// both words are an index into `suit_class.bin`, the high bits are counts for the special forms.
    ///
    /// Low halves that give the same class with every high half share a row of `suit_class.bin`. High
    /// halves share columns in the same way.
    fn write_suits(&self, suits: &[Distances], out: &Output) {
        let class = |low: usize, high: usize| self.id(&suits[high * LOW + low]);
        let rows: Vec<Vec<u8>> =
            (0..LOW).map(|low| (0..HIGH).map(|high| class(low, high)).collect()).collect();
        let (row_of, rows) = distinct(rows);
        let columns: Vec<Vec<u8>> =
            (0..HIGH).map(|high| rows.iter().map(|row| row[high]).collect()).collect();
        let (column_of, columns) = distinct(columns);
        assert!(rows.len() == 1113 && columns.len() == 110, "{} rows, {} columns", rows.len(), columns.len());
        let mut table = vec![0; rows.len() << 7];
        for row in 0..rows.len() {
            for (column, classes) in columns.iter().enumerate() {
                table[row << 7 | column] = classes[row];
            }
        }
        out.write_bytes("suit_class.bin", &table);
        let low = (0..LOW).map(|low| (row_of[low] << 7) as u32 | special_counts(&copies(low, 6), &[0]));
        out.write_numbers("suit_low.bin", padded(low, 1 << 14).map(u32::to_le_bytes));
        let high = (0..HIGH).map(|high| column_of[high] as u32 | special_counts(&copies(high, 3), &[2]));
        out.write_numbers("suit_high.bin", padded(high, 1 << 7).map(u32::to_le_bytes));
    }

    /// Writes `wind.bin`, `dragon.bin` and `honour_class.bin`: the tables of [`Classes::write_suits`] for
    /// honours, with the winds as low half and the dragons as high half.
    ///
    /// The class of honours depends only on the multisets of copies of winds and of dragons. The
    /// low 13 bits of the sum of both words are the index in the tables of honours.
    fn write_honours(&self, honours: &[Distances], out: &Output) {
        let (wind_of, dragon_of) = (multisets(WINDS, 4), multisets(DRAGONS, 3));
        let word = |multiset: usize, copies: &[u8], shift: u32| {
            (multiset as u32) << shift | special_counts(copies, &(0..copies.len()).collect::<Vec<_>>())
        };
        let winds = (0..WINDS).map(|low| word(wind_of[low], &copies(low, 4), 6));
        out.write_numbers("wind.bin", padded(winds, 1 << 10).map(u32::to_le_bytes));
        let dragons = (0..DRAGONS).map(|high| word(dragon_of[high], &copies(high, 3), 0));
        out.write_numbers("dragon.bin", padded(dragons, 1 << 7).map(u32::to_le_bytes));
        let mut table = vec![0; 1 << 13];
        for number in (0..HONOURS).filter(|n| size(*n) <= MAX_TILES) {
            table[honour_index(number, &wind_of, &dragon_of)] = self.id(&honours[number]);
        }
        out.write_bytes("honour_class.bin", &table);
    }
}

/// The distances of two merged suits: for each goal, the best split between them.
pub fn merge(a: &Distances, b: &Distances) -> Distances {
    let mut merged = [u8::MAX; GOALS];
    for sets in 0..5 {
        for left in 0..=sets {
            let right = sets - left;
            let plain = a[goal(0, left)] + b[goal(0, right)];
            let paired = (a[goal(1, left)] + b[goal(0, right)]).min(a[goal(0, left)] + b[goal(1, right)]);
            merged[goal(0, sets)] = merged[goal(0, sets)].min(plain);
            merged[goal(1, sets)] = merged[goal(1, sets)].min(paired);
        }
    }
    merged
}

/// The index of honours in their tables: the dragons in the low 6 bits, the winds in the next 7.
pub fn honour_index(number: usize, wind_of: &[usize], dragon_of: &[usize]) -> usize {
    wind_of[number % WINDS] << 6 | dragon_of[number / WINDS]
}

/// For each of the `numbers` halves with `ranks` kinds, the index of its multiset of copies.
pub fn multisets(numbers: usize, ranks: usize) -> Vec<usize> {
    let sorted = (0..numbers)
        .map(|number| {
            let mut copies = copies(number, ranks);
            copies.sort_unstable();
            copies
        })
        .collect();
    distinct(sorted).0
}

/// Writes `special.bin`: the tiles needed for seven pairs or thirteen orphans, whichever is less.
///
/// The index is the sum of [`special_counts`] over a hand, without its low 18 bits: 4 bits kinds, 3 bits
/// pairs, 4 bits yaochuu kinds, 3 bits yaochuu pairs.
fn write_special_forms(out: &Output) {
    let table = (0..1usize << 14).map(|counts| {
        let (kinds, pairs, orphans, orphan_pairs) =
            (counts & 15, counts >> 4 & 7, counts >> 7 & 15, counts >> 11 & 7);
        let seven_pairs = 7 - pairs + 7usize.saturating_sub(kinds);
        let thirteen_orphans = 14usize.saturating_sub(orphans + usize::from(orphan_pairs > 0));
        seven_pairs.min(thirteen_orphans) as u8
    });
    out.write_bytes("special.bin", &table.collect::<Vec<u8>>());
}

/// The counts of a half for the special forms, from bit 18 on. `orphans` are its yaochuu ranks.
fn special_counts(copies: &[u8], orphans: &[usize]) -> u32 {
    let count = |at_least: u8| copies.iter().filter(|n| **n >= at_least).count() as u32;
    let orphan_count = |at_least: u8| orphans.iter().filter(|rank| copies[**rank] >= at_least).count() as u32;
    (count(1) | count(2) << 4 | orphan_count(1) << 7 | orphan_count(2) << 11) << 18
}

/// The number of 14-tile hands in which each class of a single suit occurs.
///
/// Common classes get low numbers, so that their table entries lie close together.
fn weights(suits: &[Distances], honours: &[Distances]) -> HashMap<Distances, u128> {
    const WAYS: [u128; 5] = [1, 4, 6, 4, 1];
    let mut weights = HashMap::new();
    for (distances, ranks) in [(suits, 9), (honours, 7)] {
        let elsewhere = 136 - 4 * ranks as u128;
        for (number, d) in distances.iter().enumerate().filter(|(number, _)| size(*number) <= MAX_TILES) {
            let here: u128 = copies(number, ranks).iter().map(|n| WAYS[*n as usize]).product();
            *weights.entry(*d).or_insert(0) += here * choose(elsewhere, (MAX_TILES - size(number)) as u128);
        }
    }
    weights
}

/// The binomial coefficient.
fn choose(n: u128, k: u128) -> u128 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// Numbers the distinct values in order of appearance.
///
/// Returns the number of each value, and the distinct values.
pub fn distinct<T: Clone + Eq + std::hash::Hash>(values: Vec<T>) -> (Vec<usize>, Vec<T>) {
    let mut numbers = HashMap::new();
    let mut firsts = Vec::new();
    let of = values
        .into_iter()
        .map(|value| {
            *numbers.entry(value.clone()).or_insert_with(|| {
                firsts.push(value);
                firsts.len() - 1
            })
        })
        .collect();
    (of, firsts)
}

/// Pads a table with zeros to a power of two, so that a masked index stays in bounds.
pub fn padded<T: Default>(values: impl Iterator<Item = T>, len: usize) -> impl Iterator<Item = T> {
    values.chain(std::iter::repeat_with(T::default)).take(len)
}
