//! The distribution of starts.

use jantaku_engine::random::hash;
use jantaku_engine::{Game, Rng, Rules, Standing, StartError};

/// The stream of random numbers that draws a start.
const STREAM: u64 = 0x7374_6172_7473;

/// A distribution of standings. Each game draws its start from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Starts {
    standings: Vec<Standing>,
    /// The cumulative weights.
    sums: Vec<f64>,
}

/// Why standings cannot be starts.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WrongStarts {
    /// There is no standing.
    #[error("expected at least one standing")]
    None,
    /// A weight is not a positive number.
    #[error("the weight of standing {index}: expected a positive number, found {weight}")]
    Weight {
        /// The standing.
        index: usize,
        /// The weight.
        weight: f64,
    },
    /// The rules do not allow a standing.
    #[error("standing {index}: {error}")]
    Standing {
        /// The standing.
        index: usize,
        /// What is wrong.
        error: StartError,
    },
}

impl Starts {
    /// Always the start of a game.
    #[must_use]
    pub fn of_games(rules: &Rules) -> Starts {
        Starts { standings: vec![Standing::start(rules)], sums: vec![1.0] }
    }

    /// Standings, drawn in proportion to their weights.
    ///
    /// # Errors
    ///
    /// If there is none, a weight is not positive, or the rules do not allow a standing.
    pub fn weighted(
        rules: &Rules,
        weighted: impl IntoIterator<Item = (Standing, f64)>,
    ) -> Result<Starts, WrongStarts> {
        let (mut standings, mut sums, mut sum) = (Vec::new(), Vec::new(), 0.0);
        for (index, (standing, weight)) in weighted.into_iter().enumerate() {
            if !(weight.is_finite() && weight > 0.0) {
                return Err(WrongStarts::Weight { index, weight });
            }
            Game::at(rules, 0, &standing, None, &mut ())
                .map_err(|error| WrongStarts::Standing { index, error })?;
            sum += weight;
            standings.push(standing);
            sums.push(sum);
        }
        if standings.is_empty() { Err(WrongStarts::None) } else { Ok(Starts { standings, sums }) }
    }

    /// The start of the game with this seed.
    #[must_use]
    pub fn draw(&self, game_seed: u64) -> &Standing {
        let [only] = &self.standings[..] else {
            let at = Rng::new(hash(&[game_seed, STREAM])).uniform() * self.sums[self.sums.len() - 1];
            let index = self.sums.partition_point(|sum| *sum <= at);
            return &self.standings[index.min(self.standings.len() - 1)];
        };
        only
    }

    /// The number of players of every standing.
    pub(super) fn players(&self) -> jantaku_engine::Players {
        self.standings[0].scores.players()
    }
}
