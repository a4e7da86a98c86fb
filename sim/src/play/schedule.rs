//! Which games are played.

use std::ops::Range;

use jantaku_engine::random::hash;

/// A game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Number of the game in its run, from 0.
    pub game: u64,
    /// Seed of its walls and of its agents' random choices.
    pub seed: u64,
}

/// Games of the same agents in the same seats, each on its own walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// Seed of the run.
    pub seed: u64,
    /// How many games are played.
    pub games: u64,
}

impl SelfPlay {
    /// The game with this number. Its seed is a hash of the run's seed and the number.
    #[must_use]
    pub fn fixture(&self, game: u64) -> Fixture {
        Fixture { game, seed: hash(&[self.seed, game]) }
    }
}

/// Splits games into waves of `size`, in order. The last wave may be smaller.
pub fn waves(games: Range<u64>, size: u64) -> impl Iterator<Item = Range<u64>> {
    let Range { start, end } = games;
    let first_of = move |wave: u64| start + wave * size;
    (0..(end - start).div_ceil(size)).map(move |wave| first_of(wave)..end.min(first_of(wave + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_cover_every_game_once() {
        for games in [0..1, 0..4, 0..10, 0..0, 3..10, 8..16] {
            assert_eq!(waves(games.clone(), 4).flatten().collect::<Vec<_>>(), games.collect::<Vec<_>>());
        }
    }
}
