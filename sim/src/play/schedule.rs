//! Which games are played.
//!
//! # Why
//!
//! **Where are seatings stored?** In the schedule: a game has a set and a seating, and self-play is
//! the schedule with one seating. So runs, tables, `stats`, `verify` and `show` support matches
//! without extra code. `run.toml` names the kind of seatings, and the agents by their index.
//! Rejected: a seating stored with each game, which follows from its number.

use jantaku_engine::Players;
use jantaku_engine::random::hash;

use super::seatings::{Seating, Seatings};

/// A game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Number of the game in its run, from 0.
    pub game: u64,
    /// Seed of its walls and of its agents' random choices.
    pub seed: u64,
    /// Who sits where.
    pub seating: Seating,
}

/// Games of the same agents, in sets: the games of a set are on the same walls, one for each
/// seating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Seed of the run.
    pub seed: u64,
    /// How many games are played.
    pub games: u64,
    /// Who sits where in the games of a set.
    pub seatings: Seatings,
    /// The number of seats.
    pub players: Players,
}

impl Schedule {
    /// Games of self-play: an agent for each seat, each game on its own walls.
    pub const fn selfplay(seed: u64, games: u64) -> Schedule {
        Schedule { seed, games, seatings: Seatings::Fixed, players: Players::Four }
    }

    /// The game with this number. Its seed is a hash of the run's seed and the number of its set.
    pub fn fixture(&self, game: u64) -> Fixture {
        let per_set = self.games_per_set();
        let (set, seating) = (game / per_set, (game % per_set) as usize);
        Fixture { game, seed: hash(&[self.seed, set]), seating: self.seatings.seating(seating, self.players) }
    }

    /// The number of games in a set.
    pub const fn games_per_set(&self) -> u64 {
        self.seatings.games_per_set(self.players)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_a_set_have_the_walls_of_one_game_of_self_play() {
        let (seed, players) = (7, Players::Three);
        let sets = Schedule { seed, games: 12, seatings: Seatings::OneVersusRest, players };
        let alone = Schedule::selfplay(seed, 4);
        for game in 0..12 {
            assert_eq!(sets.fixture(game).seed, alone.fixture(game / 3).seed);
        }
    }
}
