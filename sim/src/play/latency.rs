//! How long agents take for a decision.
//!
//! # Why
//!
//! **How are decisions timed?** Every 61st, on the asking thread, into a histogram that all threads
//! share. Reading the clock twice for every decision would slow fast agents down. 61 is prime: a
//! multiple of the number of seats would time only one of them. The process of an external engine
//! has a thread of its own, which notes when each answer arrives. In a batch that a policy answers,
//! every 32nd decision is timed. Rejected: the time of a batch, because the slowest bot determines
//! it.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jantaku_agents::{Reply, label_of};

/// One decision in this many is timed. It is prime, so that no rhythm of the game, such as the
/// number of seats, hides decisions.
const EVERY: u32 = 61;

/// Buckets of an octave. A quantile is at most one bucket, 3 %, too long.
const PER_OCTAVE: usize = 32;

/// A histogram of times that many threads add to.
#[derive(Debug)]
pub(super) struct Latencies {
    buckets: Vec<AtomicU64>,
    /// The longest time in nanoseconds.
    longest: AtomicU64,
}

thread_local! {
    /// The decisions of all agents on this thread, modulo [`EVERY`].
    static DECISIONS: Cell<u32> = const { Cell::new(0) };
}

/// How long the decisions of an agent take. `None` if none was timed.
#[derive(Clone, PartialEq, Debug)]
pub struct DecisionTimes {
    /// The label of the agent ([`label_of`]).
    pub agent: String,
    /// The time that half of the decisions do not exceed.
    pub median: Option<Duration>,
    /// The time that 99 of 100 decisions do not exceed.
    pub slow: Option<Duration>,
}

impl DecisionTimes {
    /// The times of an agent.
    pub(super) fn of(agent: &str, latencies: &Latencies) -> DecisionTimes {
        let [median, slow] = [0.5, 0.99].map(|share| latencies.quantile(share));
        DecisionTimes { agent: label_of(agent).to_owned(), median, slow }
    }
}

impl Default for Latencies {
    fn default() -> Latencies {
        let buckets = (0..64 * PER_OCTAVE).map(|_| AtomicU64::new(0)).collect();
        Latencies { buckets, longest: AtomicU64::new(0) }
    }
}

impl Latencies {
    /// Adds a time.
    fn add(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1);
        let octave = nanoseconds.ilog2();
        // The five bits after the highest one.
        let rest = ((u128::from(nanoseconds) * PER_OCTAVE as u128) >> octave) as usize - PER_OCTAVE;
        self.buckets[octave as usize * PER_OCTAVE + rest].fetch_add(1, Ordering::Relaxed);
        self.longest.fetch_max(nanoseconds, Ordering::Relaxed);
    }

    /// Decides, and adds the time of one decision in `EVERY`.
    #[inline]
    pub(super) fn sample<T>(&self, decide: impl FnOnce() -> T) -> T {
        let number = DECISIONS.get();
        DECISIONS.set(if number + 1 == EVERY { 0 } else { number + 1 });
        if number != 0 {
            return decide();
        }
        let start = Instant::now();
        let decided = decide();
        self.add(start.elapsed());
        decided
    }

    /// Adds the times that the replies of a batch state. If none does, adds `took`, the time of the
    /// whole batch, for each decision. Without `took`, only stated times count.
    pub(super) fn add_batch(&self, replies: &[Reply], took: Option<Duration>) {
        let stated = || replies.iter().filter_map(|reply| reply.took);
        stated().for_each(|took| self.add(took));
        if let Some(took) = took.filter(|_| stated().next().is_none()) {
            replies.iter().for_each(|_| self.add(took));
        }
    }

    /// The time that this share of the decisions does not exceed. None without decisions.
    fn quantile(&self, share: f64) -> Option<Duration> {
        let counts: Vec<u64> = self.buckets.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        let total: u64 = counts.iter().sum();
        let rank = ((total as f64 * share).ceil() as u64).clamp(1, total.max(1));
        let mut below = 0;
        let bucket = counts.iter().position(|count| {
            below += count;
            below >= rank
        })?;
        let (octave, rest) = (bucket / PER_OCTAVE, bucket % PER_OCTAVE);
        let end = 1.0 + (rest as f64 + 1.0) / PER_OCTAVE as f64;
        let end = (end * 2_f64.powi(octave as i32)) as u64;
        Some(Duration::from_nanos(end.min(self.longest.load(Ordering::Relaxed))))
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::Action;

    use super::*;

    #[test]
    fn quantiles_are_those_of_the_times() {
        let latencies = Latencies::default();
        assert_eq!(latencies.quantile(0.5), None);
        (1..=1000).for_each(|time| latencies.add(Duration::from_micros(time)));
        for (share, expected) in [(0.5, 500.0), (0.99, 990.0), (0.001, 1.0), (1.0, 1000.0)] {
            let found = latencies.quantile(share).expect("times").as_secs_f64() * 1e6;
            assert!((0.999..1.04).contains(&(found / expected)), "{share}: {found}, expected {expected}");
        }
        latencies.add(Duration::ZERO);
        latencies.add(Duration::MAX);
    }

    /// No quantile exceeds the longest time, such as the limit of a bot that never answers.
    #[test]
    fn quantiles_of_equal_times_are_exact() {
        let latencies = Latencies::default();
        let limit = Duration::from_millis(500);
        (0..3).for_each(|_| latencies.add(limit));
        assert_eq!(latencies.quantile(0.99), Some(limit));
    }

    /// A substitute that answers at once does not make an agent fast.
    #[test]
    fn only_answers_are_timed() {
        let reply = |took| Reply { took, ..Action::Pass.into() };
        let second = Duration::from_secs(1);
        for (stated, batch, expected) in [
            (vec![None, Some(second)], Some(2 * second), Some(1.0)),
            (vec![None, None], Some(2 * second), Some(2.0)),
            (vec![None, None], None, None),
            (vec![None, None, Some(second)], None, Some(1.0)),
        ] {
            let latencies = Latencies::default();
            let replies: Vec<Reply> = stated.into_iter().map(reply).collect();
            latencies.add_batch(&replies, batch);
            let found = latencies.quantile(0.01).map(|time| time.as_secs_f64().round());
            assert_eq!(found, expected);
        }
    }
}
