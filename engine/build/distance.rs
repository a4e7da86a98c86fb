//! Distances: the number of tiles that a suit needs for sets and a pair.

use crate::{HONOURS, MAX_TILES, POW5, SUITS, copies, size};

/// The number of tiles needed for each goal, indexed by [`goal`].
pub type Distances = [u8; GOALS];

/// The number of goals: zero to four sets, without and with a pair.
pub const GOALS: usize = 10;

/// The index of a goal in [`Distances`].
pub const fn goal(pairs: usize, sets: usize) -> usize {
    5 * pairs + sets
}

/// The distances of every suit of `ranks` ranks, indexed by the suit's number.
///
/// A suit that contains a goal has distance 0. The distance of any other suit is one more than the
/// lowest distance of the suits with one tile added. Suits have at most four copies of a rank, so a
/// fifth copy is never assumed.
pub fn distances(ranks: usize, sequences: bool) -> Vec<Distances> {
    let held = held_goals(ranks, sequences);
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

/// The goals that each suit contains, one bit each.
///
/// A suit contains a goal if, without one set or the pair, it contains the rest of the goal.
fn held_goals(ranks: usize, sequences: bool) -> Vec<u16> {
    const UP_TO_3_SETS: u16 = 0b01111_01111;
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
                goals |= (held[suit - 3 * POW5[rank]] & UP_TO_3_SETS) << 1;
            }
            if sequences && rank + 2 < ranks && (rank..rank + 3).all(|r| has(r, 1)) {
                goals |= (held[suit - POW5[rank] - POW5[rank + 1] - POW5[rank + 2]] & UP_TO_3_SETS) << 1;
            }
        }
        held[suit] = goals;
    }
    held
}

/// Checks the distances by an independent search: it tries every combination of sets and a pair
/// and counts the missing tiles.
///
/// The search covers all honours and every 199th suit. The numbers of suits and honours with at
/// most 14 tiles must be the known ones.
pub fn check(suits: &[Distances], honours: &[Distances]) {
    let fits = |number: &usize| size(*number) <= MAX_TILES;
    assert_eq!((0..SUITS).filter(fits).count(), 405_350, "suits of at most 14 tiles");
    assert_eq!((0..HONOURS).filter(fits).count(), 43_130, "honours of at most 14 tiles");
    let searched_suits = (0..SUITS).filter(fits).step_by(199);
    check_by_search(suits, searched_suits, 9, &targets(9, true));
    check_by_search(honours, (0..HONOURS).filter(fits), 7, &targets(7, false));
}

fn check_by_search(
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

/// The tiles of a combination of sets and a pair.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Target {
    goal: usize,
    copies: Vec<u8>,
}

/// All combinations of up to four sets and at most one pair, with at most four copies of each rank.
fn targets(ranks: usize, sequences: bool) -> Vec<Target> {
    let triplets = (0..ranks).map(|r| vec![r; 3]);
    let starts = (0..ranks - 2).filter(|_| sequences);
    let sets: Vec<Vec<usize>> = triplets.chain(starts.map(|r| vec![r, r + 1, r + 2])).collect();
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
        last = extend(&last, &sets, 1);
        targets.extend(last.clone());
    }
    let pairs: Vec<Vec<usize>> = (0..ranks).map(|r| vec![r; 2]).collect();
    let with_pair = extend(&targets, &pairs, goal(1, 0));
    targets.extend(with_pair);
    targets
}
