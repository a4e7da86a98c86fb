//! Which games are played.

use std::ops::Range;

use jantaku_engine::random::hash;

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number of the game in its run, from 0.
    pub game: u64,
    /// The seed of its walls and of its agents' random choices.
    pub seed: u64,
}

/// Games of the same agents in the same seats, each with other walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// The seed of the run.
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

    /// All games in order, in waves of so many.
    pub fn waves(&self, size: u64) -> impl Iterator<Item = Range<u64>> {
        let games = self.games;
        (0..games.div_ceil(size)).map(move |wave| wave * size..games.min((wave + 1) * size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_cover_every_game_once() {
        for (games, size) in [(1, 4), (4, 4), (10, 4), (0, 4)] {
            let played: Vec<u64> = SelfPlay { seed: 1, games }.waves(size).flatten().collect();
            assert_eq!(played, (0..games).collect::<Vec<_>>());
        }
    }
}
