//! The clock of a person at a table.

use std::time::{Duration, Instant};

use super::table_config::TimeLimit;

/// The clock of a person. It runs while they decide, from the moment at which a page has shown them
/// the decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    limit: TimeLimit,
    /// What is left of the spare time of the hand.
    spare: Duration,
    /// The number of the hand, from 1.
    hand: u32,
    /// When the clock started for this decision. None while it does not run.
    since: Option<Instant>,
}

impl Clock {
    /// A clock in this hand, from 1, that does not run yet.
    pub(super) fn new(limit: TimeLimit, hand: u32) -> Clock {
        Clock { limit, spare: Duration::from_secs(limit.spare.into()), hand, since: None }
    }

    /// Starts the clock, unless it runs.
    pub(super) fn start(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Stops the clock after a decision, and takes what exceeds the decision's own time from the spare time.
    pub(super) fn stop(&mut self, now: Instant) {
        let used = self.since.take().map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        let beyond = used.saturating_sub(self.per_decision());
        self.spare = self.spare.saturating_sub(beyond);
    }

    /// Notes the number of the hand in play. A new hand restores the spare time.
    pub(super) fn enter(&mut self, hand: u32) {
        if hand != self.hand {
            *self = Clock::new(self.limit, hand);
        }
    }

    /// Whether the clock runs.
    pub(super) const fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// The time that is left for this decision.
    pub(super) fn left(&self, now: Instant) -> Duration {
        let used = self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        (self.per_decision() + self.spare).saturating_sub(used)
    }

    fn per_decision(&self) -> Duration {
        Duration::from_secs(self.limit.seconds.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_use_their_own_time_first() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut clock = Clock::new(TimeLimit { seconds: 5, spare: 10 }, 1);
        assert_eq!(clock.left(start + 100 * second), 15 * second, "it does not run yet");
        clock.start(start);
        clock.start(start + 2 * second);
        assert_eq!(clock.left(start + 4 * second), 11 * second);
        clock.stop(start + 4 * second);
        assert_eq!(clock.left(start), 15 * second);
        clock.start(start);
        clock.stop(start + 8 * second);
        clock.enter(1);
        assert_eq!(clock.left(start), 12 * second, "three of the spare seconds are used");
        clock.start(start);
        assert_eq!(clock.left(start + 20 * second), Duration::ZERO);
        clock.stop(start + 20 * second);
        clock.enter(2);
        assert_eq!((clock.left(start), clock.is_running()), (15 * second, false));
    }
}
