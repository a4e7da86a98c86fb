//! Random numbers that depend on seeds alone.
//!
//! Every stream comes from a seed that names its purpose. There is no thread-local state and no
//! time. The generator is xoshiro256++ from `rand_xoshiro`. Seeding, shuffling and hashing are
//! written here, and a test pins their output: no update of a dependency changes a wall unnoticed.
//!
//! # Why
//!
//! **Why does the engine have no `rand`, no clock and no logger?** A game must be a function of its
//! seed. `rand_xoshiro` supplies the generator, xoshiro256++. Its published definition fixes the
//! stream. An update of a dependency must never change a wall, so the seeding, the shuffle, the
//! bounded draw and the hash of seeds are a few lines of our own. A test pins their output.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

use crate::Seat;

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates the stream of a seed.
    #[inline]
    pub fn new(seed: u64) -> Rng {
        // `seed_from_u64` gives the same stream but is not inlined. Every decision has a stream, so
        // an agent that draws no numbers would pay for the call.
        let mut state = [0; 32];
        for (step, word) in (1..).zip(state.chunks_exact_mut(8)) {
            word.copy_from_slice(&mix(seed.wrapping_add(GOLDEN.wrapping_mul(step))).to_le_bytes());
        }
        Rng(Xoshiro256PlusPlus::from_seed(state))
    }

    /// The stream of one decision of a seat.
    ///
    /// `hand` counts the hands of the game from 1, `decision` the decisions of the seat in the hand from 0.
    /// The agent's salt gives the agent numbers of its own.
    #[inline]
    pub fn of_decision(game_seed: u64, hand: u32, seat: Seat, decision: u16, salt: u64) -> Rng {
        let index = u64::from(hand) << 32 | u64::from(seat.number()) << 16 | u64::from(decision);
        Rng::new(hash(&[game_seed, index, salt]))
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below `n`. The bias is at most one part in 2⁶⁴ / n.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Returns a number of [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number of [0, 1), a multiple of 2⁻²⁴.
    #[inline]
    pub fn uniform_f32(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 * (1.0 / (1_u64 << 24) as f32)
    }

    /// Shuffles the items: every order is equally likely (Fisher–Yates).
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Shuffles at most 256 items as [`shuffle`](Rng::shuffle) does, with other random numbers and in
    /// less time: 64 random bits serve four items.
    ///
    /// The bias of each four is at most one part in 2³² (Brackett-Rozinsky and Lemire 2024,
    /// doi:10.1002/spe.3369).
    #[inline]
    pub fn shuffle_few<T>(&mut self, items: &mut [T]) {
        debug_assert!(items.len() <= 256, "{} items", items.len());
        let swaps = items.len().saturating_sub(1);
        let mut left = items;
        let mut put_last = |bits: u64| {
            let product = u128::from(bits) * left.len() as u128;
            left.swap(left.len() - 1, (product >> 64) as usize);
            left.split_off_last_mut();
            // The low half of the product is random, too.
            product as u64
        };
        for _ in 0..swaps / 4 {
            (0..4).fold(self.next_u64(), |bits, _| put_last(bits));
        }
        let rest = swaps % 4;
        if rest > 0 {
            (0..rest).fold(self.next_u64(), |bits, _| put_last(bits));
        }
    }
}

/// 2⁶⁴ divided by the golden ratio: the step of `SplitMix64`.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of `SplitMix64` (Steele, Lea, Flood 2014; constants by David Stafford).
///
/// It is a bijection. Each input bit changes half of the output bits on average.
#[inline]
const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

/// Hashes several numbers to one, which seeds a stream for one purpose.
///
/// Different lists give unrelated numbers, even if they differ only in one bit or in their order.
///
/// ```
/// use jantaku_engine::random::hash;
///
/// assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
/// assert_ne!(hash(&[1]), hash(&[1, 0]));
/// ```
#[inline]
pub const fn hash(words: &[u64]) -> u64 {
    let mut state = words.len() as u64;
    let mut i = 0;
    while i < words.len() {
        state = mix(state.wrapping_add(GOLDEN) ^ words[i]);
        i += 1;
    }
    mix(state.wrapping_add(GOLDEN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_the_same_in_every_version() {
        let mut rng = Rng::new(1);
        assert_eq!([rng.next_u64(), rng.next_u64()], [0xCFC5_D07F_6F03_C29B, 0xBF42_4132_963F_E08D]);
        let mut order: Vec<u8> = (0..10).collect();
        rng.shuffle(&mut order);
        assert_eq!(order, [8, 7, 3, 0, 2, 5, 4, 9, 6, 1]);
        let uniform = (0xCFC5_D07F_6F03_C29B_u64 >> 11) as f64 / 2_f64.powi(53);
        assert_eq!(Rng::new(1).uniform().to_bits(), uniform.to_bits());
    }

    #[test]
    fn seeding_equals_that_of_the_crate() {
        for seed in [0, 1, u64::MAX, GOLDEN, GOLDEN.wrapping_neg()] {
            assert_eq!(Rng::new(seed).0, Xoshiro256PlusPlus::seed_from_u64(seed));
        }
    }

    #[test]
    fn each_order_of_a_few_items_is_equally_likely() {
        let mut rng = Rng::new(5);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..120_000 {
            let mut items = [0, 1, 2, 3, 4];
            rng.shuffle_few(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        // 1,000 of each on average, with a standard deviation of 32.
        assert_eq!(counts.len(), 120);
        assert!(counts.values().all(|n| (840..1160).contains(n)), "{counts:?}");
        let mut places = [[0; 140]; 2];
        for _ in 0..14_000 {
            let mut items: [usize; 140] = std::array::from_fn(|at| at);
            rng.shuffle_few(&mut items);
            items.iter().enumerate().for_each(|(at, item)| {
                places[0][(at + item) % 140] += 1;
                places[1][(at + 140 - item) % 140] += 1;
            });
        }
        let means = places.as_flattened().iter().map(|n| f64::from(*n) / 14_000.0);
        assert!(means.clone().all(|mean| (mean - 1.0).abs() < 0.05), "{places:?}");
    }

    #[test]
    fn below_is_close_to_uniform() {
        let mut rng = Rng::new(7);
        let mut counts = [0; 10];
        (0..100_000).for_each(|_| counts[rng.below(10)] += 1);
        assert!(counts.iter().all(|n| (9_600..10_400).contains(n)), "{counts:?}");
    }
}
