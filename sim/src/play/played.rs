//! The games that a runner played into the parts of a run.

use std::ops::Range;

use super::counts::Counts;
use super::groups::Groups;
use super::tally::Tally;

/// The games that a runner played into parts.
pub struct PlayedParts {
    /// Games that the sink took.
    pub games: u64,
    /// Counts over the games in complete parts.
    pub tally: Tally,
    /// Threads that played.
    pub threads: usize,
}

/// Whether the counts of a new part begin with this game. With one game per part they never do: no game
/// is in an incomplete part, so nothing has to be counted apart.
pub(super) const fn begins_part(game: u64, per_part: u64) -> bool {
    per_part > 1 && game.is_multiple_of(per_part)
}

/// Counts games in order: all of them, and those in complete parts.
pub(super) struct PartCounts {
    per_part: u64,
    total: Counts,
    complete: Counts,
}

impl PartCounts {
    /// Counts of no games.
    pub fn new(per_part: u64) -> PartCounts {
        let empty = Counts::new(&Groups::default());
        PartCounts { per_part, total: empty.clone(), complete: empty }
    }

    /// Adds the counts of the next games, all of one part. `first` is the number of the first of them.
    pub fn add(&mut self, first: u64, counts: &Counts) {
        if begins_part(first, self.per_part) {
            self.complete.clone_from(&self.total);
        }
        self.total.add(counts);
    }

    /// What was played of these games: those before `next`, by this many threads.
    pub(super) fn finish(&self, games: &Range<u64>, next: u64, threads: usize) -> PlayedParts {
        let is_complete = next == games.end || next.is_multiple_of(self.per_part);
        let counts = if is_complete { &self.total } else { &self.complete };
        PlayedParts { games: next - games.start, tally: Tally::from(counts), threads }
    }
}
