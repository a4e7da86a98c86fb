//! How long agents take for a decision.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jantaku_agents::{Agent, AgentError, Faults, Policy, Reply, Request, Update};
use jantaku_engine::{Action, Observation, Rng};

/// Every decision of this number is timed. It is prime, so that no rhythm of the game, such as the
/// number of seats, hides decisions.
const EVERY: u32 = 61;

/// Buckets of an octave. A quantile is exact up to half a bucket, 5 %.
const PER_OCTAVE: usize = 8;

/// A histogram of times that many threads add to.
#[derive(Debug)]
pub struct Latencies(Vec<AtomicU64>);

impl Default for Latencies {
    fn default() -> Latencies {
        Latencies((0..64 * PER_OCTAVE).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Latencies {
    /// Adds a time.
    pub fn add(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1);
        let octave = nanoseconds.ilog2();
        // The three bits after the highest one.
        let rest = ((u128::from(nanoseconds) * PER_OCTAVE as u128) >> octave) as usize - PER_OCTAVE;
        self.0[octave as usize * PER_OCTAVE + rest].fetch_add(1, Ordering::Relaxed);
    }

    /// The time that this share of the decisions does not exceed. None without decisions.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let counts: Vec<u64> = self.0.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        let total: u64 = counts.iter().sum();
        let rank = ((total as f64 * share).ceil() as u64).clamp(1, total.max(1));
        let mut below = 0;
        let bucket = counts.iter().position(|count| {
            below += count;
            below >= rank
        })?;
        let (octave, rest) = (bucket / PER_OCTAVE, bucket % PER_OCTAVE);
        let middle = 1.0 + (rest as f64 + 0.5) / PER_OCTAVE as f64;
        Some(Duration::from_nanos((middle * 2_f64.powi(octave as i32)) as u64))
    }
}

/// A policy whose decisions are timed, one of some sixty.
#[derive(Debug)]
pub struct Timed<P> {
    policy: P,
    latencies: Latencies,
}

thread_local! {
    /// The decisions of this thread.
    static DECISIONS: Cell<u32> = const { Cell::new(0) };
}

impl<P> Timed<P> {
    /// The policy, without times so far.
    pub fn new(policy: P) -> Timed<P> {
        Timed { policy, latencies: Latencies::default() }
    }

    /// The times so far.
    #[must_use]
    pub const fn latencies(&self) -> &Latencies {
        &self.latencies
    }

    #[inline]
    fn time<T>(&self, decide: impl FnOnce(&P) -> T) -> T {
        let number = DECISIONS.get();
        DECISIONS.set(if number + 1 == EVERY { 0 } else { number + 1 });
        if number != 0 {
            return decide(&self.policy);
        }
        let start = Instant::now();
        let decided = decide(&self.policy);
        self.latencies.add(start.elapsed());
        decided
    }
}

impl<P: Policy> Policy for Timed<P> {
    #[inline]
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        self.time(|policy| policy.choose(o, rng))
    }

    #[inline]
    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        self.time(|policy| policy.reply(o, rng))
    }

    #[inline]
    fn salt(&self) -> u64 {
        self.policy.salt()
    }
}

/// An agent whose decisions are timed. If replies of a batch state times, these are taken. If none
/// does, each decision has the time until the whole batch was answered.
pub struct TimedAgent {
    agent: Box<dyn Agent>,
    latencies: Arc<Latencies>,
}

impl TimedAgent {
    /// The agent; its times are added to these.
    #[must_use]
    pub const fn new(agent: Box<dyn Agent>, latencies: Arc<Latencies>) -> TimedAgent {
        TimedAgent { agent, latencies }
    }
}

impl Agent for TimedAgent {
    fn begin(&mut self, requests: &[Request<'_>]) -> Result<(), AgentError> {
        self.agent.begin(requests)
    }

    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        let start = Instant::now();
        self.agent.decide(requests, replies)?;
        let took = start.elapsed();
        let stated = || replies.iter().filter_map(|reply| reply.took);
        stated().for_each(|took| self.latencies.add(took));
        if stated().next().is_none() {
            replies.iter().for_each(|_| self.latencies.add(took));
        }
        Ok(())
    }

    fn wants_updates(&self) -> bool {
        self.agent.wants_updates()
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        self.agent.update(update)
    }

    fn salt(&self) -> u64 {
        self.agent.salt()
    }

    fn faults(&self) -> Faults {
        self.agent.faults()
    }

    fn is_repeatable(&self) -> bool {
        self.agent.is_repeatable()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_times() {
        let latencies = Latencies::default();
        assert_eq!(latencies.quantile(0.5), None);
        (1..=1000).for_each(|time| latencies.add(Duration::from_micros(time)));
        for (share, expected) in [(0.5, 500.0), (0.99, 990.0), (0.001, 1.0), (1.0, 1000.0)] {
            let found = latencies.quantile(share).expect("times").as_secs_f64() * 1e6;
            assert!((found / expected - 1.0).abs() < 0.07, "{share}: {found}, expected {expected}");
        }
        latencies.add(Duration::ZERO);
        latencies.add(Duration::MAX);
    }
}
