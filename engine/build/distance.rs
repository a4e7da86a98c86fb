//! Distances: how many tiles a suit misses until it holds so many sets and a pair.

use crate::{HONOURS, MAX_TILES, POW5, SUITS, copies, size};

/// The tiles missing for each goal; `goal(pairs, melds)` tells which is which.
pub type Distances = [u8; GOALS];

/// Zero or one pair with zero to four melds.
pub const GOALS: usize = 10;

/// The place of a goal in [`Distances`].
pub const fn goal(pairs: usize, melds: usize) -> usize {
    5 * pairs + melds
}

/// The distances of every suit of `ranks` ranks, by its number in base 5 (lowest rank first).
///
/// A suit that holds a goal has distance 0; any other is one tile further than its best neighbour with one
/// tile more. As no neighbour has five copies of a rank, a fifth copy is never counted on.
pub fn distances(ranks: usize, runs: bool) -> Vec<Distances> {
    let held = held_goals(ranks, runs);
    let mut distances = vec![[u8::MAX; GOALS]; held.len()];
    for suit in (0..held.len()).rev() {
        let mut missing = [u8::MAX; GOALS];
        for (goal, missing) in missing.iter_mut().enumerate() {
            if held[suit] >> goal & 1 == 1 {
                *missing = 0;
            }
        }
        for rank in (0..ranks).filter(|rank| suit / POW5[*rank] % 5 < 4) {
            for (missing, more) in missing.iter_mut().zip(distances[suit + POW5[rank]]) {
                *missing = (*missing).min(more.saturating_add(1));
            }
        }
        distances[suit] = missing;
    }
    distances
}

/// A bit for each goal that a suit holds, found from the suits that remain when a set or the pair is taken away.
fn held_goals(ranks: usize, runs: bool) -> Vec<u16> {
    const UP_TO_3_MELDS: u16 = 0b01111_01111;
    const NO_PAIR: u16 = 0b00000_11111;
    let mut held = vec![0u16; POW5[ranks - 1] * 5];
    for suit in 0..held.len() {
        let has = |rank: usize, n: usize| suit / POW5[rank] % 5 >= n;
        let mut goals = 1;
        for rank in 0..ranks {
            if has(rank, 2) {
                goals |= (held[suit - 2 * POW5[rank]] & NO_PAIR) << goal(1, 0);
            }
            if has(rank, 3) {
                goals |= (held[suit - 3 * POW5[rank]] & UP_TO_3_MELDS) << 1;
            }
            if runs && rank + 2 < ranks && (rank..rank + 3).all(|r| has(r, 1)) {
                goals |= (held[suit - POW5[rank] - POW5[rank + 1] - POW5[rank + 2]] & UP_TO_3_MELDS) << 1;
            }
        }
        held[suit] = goals;
    }
    held
}

/// Checks the distances against a search that shares no step with them: it goes through every way to
/// place sets and a pair and counts the tiles that are missing.
///
/// All honours and every 199th suit are searched, and the number of suits of a hand's size must be the known one.
pub fn prove(suits: &[Distances], honours: &[Distances]) {
    let fits = |number: &usize| size(*number) <= MAX_TILES;
    assert_eq!((0..SUITS).filter(fits).count(), 405_350, "suits of at most 14 tiles");
    assert_eq!((0..HONOURS).filter(fits).count(), 43_130, "honours of at most 14 tiles");
    let searched_suits = (0..SUITS).filter(fits).step_by(199);
    prove_by_search(suits, searched_suits, 9, &targets(9, true));
    prove_by_search(honours, (0..HONOURS).filter(fits), 7, &targets(7, false));
}

fn prove_by_search(
    found: &[Distances],
    numbers: impl Iterator<Item = usize>,
    ranks: usize,
    targets: &[Target],
) {
    for number in numbers {
        let held = copies(number, ranks);
        let mut best = [u8::MAX; GOALS];
        for target in targets {
            let missing =
                target.copies.iter().zip(&held).map(|(want, have)| want.saturating_sub(*have)).sum();
            best[target.goal] = best[target.goal].min(missing);
        }
        assert_eq!(best, found[number], "distances of {held:?}");
    }
}

/// The tiles of some sets and perhaps a pair.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Target {
    goal: usize,
    copies: Vec<u8>,
}

/// Every combination of sets and a pair that four copies of each rank allow.
fn targets(ranks: usize, runs: bool) -> Vec<Target> {
    let triplets = (0..ranks).map(|r| vec![r; 3]);
    let sequences = (0..ranks - 2).filter(|_| runs).map(|r| vec![r, r + 1, r + 2]);
    let melds: Vec<Vec<usize>> = triplets.chain(sequences).collect();
    let mut targets = vec![Target { goal: goal(0, 0), copies: vec![0; ranks] }];
    let extend = |from: &[Target], parts: &[Vec<usize>], step: usize| -> Vec<Target> {
        let mut more: Vec<Target> = from
            .iter()
            .flat_map(|target| parts.iter().map(move |part| (target, part)))
            .map(|(target, part)| {
                let mut copies = target.copies.clone();
                part.iter().for_each(|rank| copies[*rank] += 1);
                Target { goal: target.goal + step, copies }
            })
            .filter(|target| target.copies.iter().all(|n| *n <= 4))
            .collect();
        more.sort();
        more.dedup();
        more
    };
    let mut last = targets.clone();
    for _ in 0..4 {
        last = extend(&last, &melds, 1);
        targets.extend(last.clone());
    }
    let pairs: Vec<Vec<usize>> = (0..ranks).map(|r| vec![r; 2]).collect();
    let with_pair = extend(&targets, &pairs, goal(1, 0));
    targets.extend(with_pair);
    targets
}
