//! Random numbers that depend on seeds alone.
//!
//! Every draw comes from a seed that says what it is for: no thread-local state, no time. The generator is xoshiro256++, its
//! seeding and everything made from its output are written down here, so that no update of a dependency changes a game.

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng([u64; 4]);

impl Rng {
    /// The stream of a seed.
    #[must_use]
    #[inline]
    pub fn new(seed: u64) -> Rng {
        // Four different words under a bijection: they are never all zero, which the generator could not leave.
        let word = |step: u64| mix(seed.wrapping_add(step.wrapping_mul(GOLDEN)));
        Rng([word(1), word(2), word(3), word(4)])
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.0;
        let (to_c, to_d) = (c ^ a, d ^ b);
        self.0 = [a ^ to_d, b ^ to_c, to_c ^ b << 17, to_d.rotate_left(45)];
        a.wrapping_add(d).rotate_left(23).wrapping_add(a)
    }

    /// A number below `n`, each as likely as the others but for one part in 2⁶⁴ / n.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Puts items in a random order, each order as likely as the others (Fisher–Yates).
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// 2⁶⁴ divided by the golden ratio: the step of `SplitMix64`.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of `SplitMix64` (Steele, Lea, Flood 2014; constants by David Stafford): a bijection in which every bit
/// of the input changes half the bits of the output.
#[inline]
const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

/// One number from several: a seed for each purpose.
///
/// Different lists give unrelated numbers, also when they differ in one bit or in order only.
///
/// ```
/// use jantaku_engine::random::hash;
///
/// assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
/// assert_ne!(hash(&[1]), hash(&[1, 0]));
/// ```
#[must_use]
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
    fn walls_will_be_the_same_in_every_version() {
        let mut rng = Rng::new(1);
        assert_eq!([rng.next_u64(), rng.next_u64()], [0xCFC5_D07F_6F03_C29B, 0xBF42_4132_963F_E08D]);
        let mut order: Vec<u8> = (0..10).collect();
        rng.shuffle(&mut order);
        assert_eq!(order, [8, 7, 3, 0, 2, 5, 4, 9, 6, 1]);
    }

    #[test]
    fn below_reaches_every_number_about_equally() {
        let mut rng = Rng::new(7);
        let mut counts = [0; 10];
        (0..100_000).for_each(|_| counts[rng.below(10)] += 1);
        assert!(counts.iter().all(|n| (9_600..10_400).contains(n)), "{counts:?}");
    }
}
