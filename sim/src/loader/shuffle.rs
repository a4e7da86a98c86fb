//! The shuffle buffer.
//!
//! # Why
//!
//! **Why does a loader shuffle decisions before it encodes them?** A decision takes about 1 KB as a
//! `Snapshot` and 7 KB as planes. So the buffer holds seven times as many, and each row is written
//! once, into the batch.

use jantaku_engine::Rng;

/// A shuffle buffer of bounded size. Once it is full, each new entry replaces a random one.
#[derive(Debug)]
pub(super) struct Shuffle<T> {
    entries: Vec<T>,
    capacity: usize,
    rng: Rng,
}

impl<T> Shuffle<T> {
    /// An empty buffer. With a capacity of 0, entries keep their order.
    pub(super) fn new(capacity: usize, seed: u64) -> Shuffle<T> {
        Shuffle { entries: Vec::new(), capacity, rng: Rng::new(seed) }
    }

    /// Adds an entry, and returns the one that it replaces.
    #[inline]
    pub(super) fn push(&mut self, entry: T) -> Option<T> {
        if self.capacity == 0 {
            return Some(entry);
        }
        if self.entries.len() < self.capacity {
            self.entries.push(entry);
            return None;
        }
        let at = self.rng.below(self.capacity);
        Some(std::mem::replace(&mut self.entries[at], entry))
    }

    /// Empties the buffer in random order.
    pub(super) fn drain(&mut self) -> std::vec::Drain<'_, T> {
        self.rng.shuffle(&mut self.entries);
        self.entries.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_leaves_once_and_far_from_where_it_entered() {
        let (count, capacity) = (50_000, 1_000);
        let mut shuffle = Shuffle::new(capacity, 7);
        let mut left: Vec<usize> = (0..count).filter_map(|entry| shuffle.push(entry)).collect();
        left.extend(shuffle.drain());
        // The stay of an entry has a geometric distribution, whose mean is the capacity.
        let stays = left.iter().enumerate().map(|(at, entry)| (at + capacity).abs_diff(*entry));
        let mean = stays.take(count - capacity).sum::<usize>() as f64 / (count - capacity) as f64;
        assert!((900.0..1100.0).contains(&mean), "mean stay {mean}");
        left.sort_unstable();
        assert!(left.into_iter().eq(0..count));
    }

    #[test]
    fn a_buffer_without_capacity_keeps_the_order() {
        let mut shuffle = Shuffle::new(0, 1);
        assert!((0..100).all(|entry| shuffle.push(entry) == Some(entry)));
        assert_eq!(shuffle.drain().len(), 0);
    }
}
