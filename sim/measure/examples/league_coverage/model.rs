//! Simulated leagues of agents with known ratings.

use jantaku_engine::Rng;
use jantaku_measure::arena::{ELO, RankedGames, Rating, rate};
use statrs::distribution::{ContinuousCDF as _, Normal};

/// A league on shared walls.
///
/// At every table, each agent plays once in each seat. The luck of an agent in a game is a normal
/// number with three parts. One is the same in all games of the agent in the set: the walls suit
/// the agent. One is the same for all agents in the seat: the walls favour the seat. The rest
/// belongs to the game. The quantile of the luck in Gumbel's distribution is added to the strength,
/// and the agents are ranked by the sums. So every single game follows the Plackett–Luce model with
/// exactly these strengths (Yellott, *Journal of Mathematical Psychology* 15, 1977, 109–144). But
/// the games of a set depend on each other.
pub(crate) struct Model {
    /// By agent, in points of Elo; the anchor's is the first.
    pub ratings: &'static [f64],
    pub players: usize,
    pub sets: u64,
    /// The share of the variance of the luck that is the agent's in the set.
    pub agent_luck: f64,
    /// The share of the variance that is the seat's in the set.
    pub seat_luck: f64,
}

/// What a number of simulated leagues showed.
pub(crate) struct Coverage {
    /// By agent without the anchor: the share of leagues whose interval covers its rating.
    pub by_agent: Vec<f64>,
    /// The same share over all agents, if all games were taken as independent.
    pub naive: f64,
    /// The share of leagues with a p-value of the explanation below 5 %.
    pub rejected: f64,
}

impl Model {
    /// Plays a league. The second value has the same games, each with a set of its own.
    fn league(&self, rng: &mut Rng) -> (RankedGames, RankedGames) {
        let agents = self.ratings.len();
        let own = (1.0 - self.agent_luck - self.seat_luck).sqrt();
        let (mut games, mut independent) = (RankedGames::new(agents), RankedGames::new(agents));
        for set in 0..self.sets {
            let of_agent: Vec<f64> = (0..agents).map(|_| self.agent_luck.sqrt() * normal(rng)).collect();
            let of_seat: Vec<f64> = (0..self.players).map(|_| self.seat_luck.sqrt() * normal(rng)).collect();
            for table in combinations(agents, self.players) {
                for rotation in 0..self.players {
                    let mut played: Vec<(f64, usize)> = Vec::new();
                    for (place, agent) in table.iter().enumerate() {
                        let seat = (place + rotation) % self.players;
                        let luck = of_agent[*agent] + of_seat[seat] + own * normal(rng);
                        played.push((self.ratings[*agent] / ELO + gumbel(luck), *agent));
                    }
                    played.sort_by(|a, b| b.0.total_cmp(&a.0));
                    let order: Vec<usize> = played.iter().map(|(_, agent)| *agent).collect();
                    games.add(set, &order);
                    independent.add(independent.games(), &order);
                }
            }
        }
        (games, independent)
    }

    /// Plays leagues and counts how often the intervals cover the ratings.
    pub(crate) fn coverage(&self, leagues: u64) -> Coverage {
        let agents = self.ratings.len();
        let (mut covered, mut naive, mut rejected) = (vec![0; agents], 0, 0);
        let covers = |rating: &Rating, truth: &f64| {
            let [low, high] = rating.interval();
            low.is_none_or(|low| low <= *truth) && high.is_none_or(|high| *truth <= high)
        };
        for league in 0..leagues {
            let (games, independent) = self.league(&mut Rng::new(league));
            let found = rate(&games, 0, self.ratings[0]);
            for ((covered, rating), truth) in covered.iter_mut().zip(&found.ratings).zip(self.ratings) {
                *covered += u64::from(covers(rating, truth));
            }
            let independent = rate(&independent, 0, self.ratings[0]);
            let pairs = independent.ratings.iter().zip(self.ratings).skip(1);
            naive += pairs.filter(|(rating, truth)| covers(rating, truth)).count();
            rejected += u64::from(found.goodness_of_fit.is_some_and(|found| found.p_value < 0.05));
        }
        let share = |count: u64| count as f64 / leagues as f64;
        Coverage {
            by_agent: covered[1..].iter().map(|count| share(*count)).collect(),
            naive: share(naive as u64) / (agents - 1) as f64,
            rejected: share(rejected),
        }
    }
}

/// A standard normal number, by the method of Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    let mut uniform = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), std::f64::consts::TAU * uniform());
    radius * angle.cos()
}

/// The number of Gumbel's distribution that is as large as this one of the standard normal
/// distribution.
fn gumbel(normal: f64) -> f64 {
    -(-Normal::standard().cdf(normal).ln()).ln()
}

/// All choices of `players` of the agents.
fn combinations(agents: usize, players: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..players {
        let longer = |table: &Vec<usize>| {
            let first = table.last().map_or(0, |last| last + 1);
            (first..agents).map(|agent| [&table[..], &[agent]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The models of the printed table.
pub(crate) const MODELS: [Model; 8] = {
    const SIX: &[f64] = &[0.0, 20.0, -40.0, 100.0, -200.0, 350.0];
    const MODEL: Model = Model { ratings: SIX, players: 4, sets: 100, agent_luck: 0.2, seat_luck: 0.2 };
    [
        MODEL,
        Model { agent_luck: 0.0, seat_luck: 0.0, ..MODEL },
        Model { agent_luck: 0.5, seat_luck: 0.0, ..MODEL },
        Model { agent_luck: 0.0, seat_luck: 0.5, ..MODEL },
        Model { sets: 20, ..MODEL },
        Model { sets: 500, ..MODEL },
        Model { ratings: &[0.0, 30.0, -100.0, 250.0], ..MODEL },
        Model { ratings: &[0.0, 30.0, -100.0, 250.0], players: 3, ..MODEL },
    ]
};
