//! Ratings of agents from the placements of their games.
//!
//! Ratings are [Plackett–Luce](super::plackett_luce) strengths on the scale of Elo. Games of one
//! set share their walls, so variances come from the sums over sets. `sim/docs/league.md` has the
//! formulas and their sources.
//!
//! # Why
//!
//! **Why are ratings the fit of a model to all games?** Early and late games count the same, so the
//! same games give the same digits after any interruption. Rejected: ratings that are updated game
//! by game (Elo, `TrueSkill`, Weng–Lin). They depend on the order of the games, and their
//! uncertainty assumes that games are independent.
//!
//! **Why is a tie half a game for each?** The rules that share places pay both the same, and equal agents then
//! have a share of 50 %. Rejected: models with one more parameter for ties (Rao–Kupper, Davidson), which say how
//! often agents tie, and not who is stronger. Also rejected: the order of seats. In rotations, agents keep their
//! neighbours, so of four equal agents that tie, each would finish ahead of the next in 75 % of games.
//!
//! **Why do ratings have a covariance clustered by set?** All games on the same walls depend on
//! each other, across tables. In simulated leagues whose walls suit some agents, 95 % intervals
//! cover the truth in 95 % of leagues; with games taken as independent, in 60 %
//! (`experiments/2026-11-22-ratings`). Rejected: the bootstrap over sets, which fits a thousand
//! times for the same interval.

use super::goodness_of_fit::{GoodnessOfFit, goodness_of_fit};
use super::group::Group;
use super::plackett_luce::sigma;
use super::ranked::RankedGames;
use crate::stats::t_quantile;

/// Points of Elo for each unit of strength: odds of 10 : 1 are 400 points.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The chance that the agent finishes ahead of another one, by their difference in Elo.
pub fn expected_share(difference: f64) -> f64 {
    sigma(difference / ELO)
}

/// The expected placement of an agent at a table with `players` − 1 copies of another one, by their
/// difference in Elo: 1 + (n − 1) (1 − σ(Δθ)).
///
/// ```
/// use jantaku_measure::arena::expected_placement;
///
/// assert_eq!(expected_placement(0.0, 4), 2.5);
/// assert!((expected_placement(100.0, 4) - 2.08).abs() < 0.01);
/// ```
pub fn expected_placement(difference: f64, players: u8) -> f64 {
    1.0 + f64::from(players - 1) * (1.0 - expected_share(difference))
}

/// The rating of an agent, in points of Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rating {
    /// The rating of the anchor, which the caller chose.
    Anchor(f64),
    /// A rating relative to the anchor.
    Finite {
        /// The rating of the greatest likelihood.
        value: f64,
        /// The ends of the 95 % interval. None if there is only one set, or all sets agree.
        interval: Option<(f64, f64)>,
    },
    /// The agent, or agents that it is compared with, always finished ahead of the anchor: the
    /// likelihood grows with the rating without bound.
    Above {
        /// With a lower rating, the agent would have a chance below 2.5 % to finish ahead in all
        /// games of all sets. None if no game has both agents.
        low: Option<f64>,
    },
    /// The agent, or agents that it is compared with, always finished behind the anchor.
    Below {
        /// With a higher rating, the agent would have a chance below 2.5 % to finish behind in all
        /// games of all sets. None if no game has both agents.
        high: Option<f64>,
    },
    /// No games compare the agent with the anchor.
    Unknown,
}

impl Rating {
    /// The rating. None if it is not finite or not known.
    pub const fn value(&self) -> Option<f64> {
        match self {
            Rating::Anchor(value) | Rating::Finite { value, .. } => Some(*value),
            Rating::Above { .. } | Rating::Below { .. } | Rating::Unknown => None,
        }
    }

    /// The ends of the 95 % interval. None if the games do not determine them.
    pub const fn interval(&self) -> [Option<f64>; 2] {
        match *self {
            Rating::Anchor(value) => [Some(value); 2],
            Rating::Finite { interval: Some((low, high)), .. } => [Some(low), Some(high)],
            Rating::Above { low } => [low, None],
            Rating::Below { high } => [None, high],
            Rating::Finite { interval: None, .. } | Rating::Unknown => [None; 2],
        }
    }
}

/// Ratings of all agents.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// By agent.
    pub ratings: Vec<Rating>,
    /// By two agents: the likelihood that the first is stronger, in the sense of 1 minus the
    /// p-value of a one-sided test. None for an agent and itself, and if the games do not determine
    /// it.
    pub los: Vec<Vec<Option<f64>>>,
    /// How well ratings explain the results. None for fewer than three agents that are compared
    /// with each other, or fewer than three sets.
    pub goodness_of_fit: Option<GoodnessOfFit>,
}

/// Rates agents by their games. The anchor has the rating `at`.
///
/// The same games give the same digits, added in any order.
///
/// # Panics
///
/// If `anchor` is not the index of an agent.
pub fn rate(games: &RankedGames, anchor: usize, at: f64) -> Ratings {
    let reaches = reaches(games);
    let groups = groups(&reaches);
    let groups: Vec<Group> = groups.into_iter().map(|members| Group::new(games, members)).collect();
    let group_of = |agent: usize| groups.iter().find(|group| group.members.contains(&agent));
    let group_of = |agent: usize| group_of(agent).expect("every agent has a group");
    // In how many sets two agents met, for bounds if one always finished ahead. None if they never met.
    let with_both = games.sets_with_both();
    let sets = |ahead: usize, behind: usize| {
        Some(with_both[ahead.min(behind)][ahead.max(behind)]).filter(|sets| *sets > 0)
    };
    let rating = |agent: usize| {
        let group = group_of(agent);
        if agent == anchor {
            Rating::Anchor(at)
        } else if group.members.contains(&anchor) {
            let difference = group.difference(agent, anchor);
            let value = at + ELO * difference.value;
            let half = difference.error.map(|error| ELO * error * t_quantile(group.degrees()));
            Rating::Finite { value, interval: half.map(|half| (value - half, value + half)) }
        } else if reaches[agent][anchor] {
            Rating::Above { low: sets(agent, anchor).map(|sets| at + ELO * min_difference(sets)) }
        } else if reaches[anchor][agent] {
            Rating::Below { high: sets(anchor, agent).map(|sets| at - ELO * min_difference(sets)) }
        } else {
            Rating::Unknown
        }
    };
    let los = |agent: usize, other: usize| {
        let group = group_of(agent);
        if agent == other {
            None
        } else if group.members.contains(&other) {
            group.los(agent, other)
        } else if reaches[agent][other] {
            sets(agent, other).map(|sets| 1.0 - los_if_always_behind(sets))
        } else {
            sets(other, agent).map(los_if_always_behind)
        }
    };
    let all = 0..games.agents();
    let largest = groups.iter().max_by_key(|group| (group.members.len(), group.members.contains(&anchor)));
    Ratings {
        ratings: all.clone().map(rating).collect(),
        los: all.clone().map(|agent| all.clone().map(|other| los(agent, other)).collect()).collect(),
        goodness_of_fit: largest.and_then(goodness_of_fit),
    }
}

/// With 97.5 % confidence, the smallest difference in strength between two agents if the first
/// finished ahead in all games of this many sets.
///
/// If p is the chance that the first is ahead in all games of a set, then p^sets is at least 0.025.
/// In a single game the chance is at least p.
fn min_difference(sets: u64) -> f64 {
    let odds_against = (-0.025_f64.ln() / sets as f64).exp_m1();
    -odds_against.ln()
}

/// The likelihood that an agent is stronger if it finished behind in all games of this many sets: the
/// maximum chance of that against an equal agent.
fn los_if_always_behind(sets: u64) -> f64 {
    0.5_f64.powi(sets.min(1000) as i32)
}

/// By two agents: whether the first finished ahead of the second, directly or through other agents.
fn reaches(games: &RankedGames) -> Vec<Vec<bool>> {
    let all = 0..games.agents();
    let of = |agent| all.clone().map(|other| games.ahead(agent, other).0 > 0.0).collect();
    let mut reaches: Vec<Vec<bool>> = all.clone().map(of).collect();
    for through in all.clone() {
        for agent in all.clone().filter(|agent| *agent != through) {
            if reaches[agent][through] {
                for other in all.clone() {
                    reaches[agent][other] |= reaches[through][other];
                }
            }
        }
    }
    reaches
}

/// Groups of agents that reach each other, and so have finite differences.
fn groups(reaches: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (agent, reached) in reaches.iter().enumerate() {
        let is_own = |group: &&mut Vec<usize>| reached[group[0]] && reaches[group[0]][agent];
        match groups.iter_mut().find(is_own) {
            Some(group) => group.push(agent),
            None => groups.push(vec![agent]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(agents: usize, played: &[(u64, &[usize])]) -> RankedGames {
        let mut games = RankedGames::new(agents);
        played.iter().for_each(|(set, order)| games.add(*set, order));
        games
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{found}, expected {expected}");
    }

    /// Two agents, four sets: the rating is the logit of the share, and its variance is that of the
    /// shares of the sets.
    #[test]
    fn variances_come_from_sets() {
        // Agent 1 finishes ahead in 2, 1, 2 and 1 of 2 games: 6 of 8.
        let won: &[usize] = &[1, 0];
        let lost: &[usize] = &[0, 1];
        let played =
            games(2, &[(0, won), (0, won), (1, won), (1, lost), (2, won), (2, won), (3, lost), (3, won)]);
        let found = rate(&played, 0, 100.0);
        let theta = 3_f64.ln();
        near(found.ratings[1].value().expect("both won"), 100.0 + ELO * theta);
        // Residuals of 2 × 0.75 wins: ½, −½, ½, −½; information 8 × 0.75 × 0.25.
        let error = (4.0 / 3.0 * 4.0 * 0.25 / 1.5_f64.powi(2)).sqrt();
        // 3.182446 is the 97.5 % quantile of Student's t with three degrees of freedom.
        let [low, high] = found.ratings[1].interval().map(|end| end.expect("four sets"));
        near(high, 100.0 + ELO * (theta + 3.182_446 * error));
        near(low, 100.0 + ELO * (theta - 3.182_446 * error));
        // The t of 1.4268 with three degrees of freedom: the closed form of its distribution.
        let x = theta / error / 3_f64.sqrt();
        let t = 0.5 + (x / (1.0 + x * x) + x.atan()) / std::f64::consts::PI;
        near(found.los[1][0].expect("four sets"), t);
        near(found.los[0][1].expect("four sets"), 1.0 - t);
        assert_eq!((found.ratings[0], found.los[0][0]), (Rating::Anchor(100.0), None));
        // Two agents have one share, which their difference explains.
        assert_eq!(found.goodness_of_fit, None);
    }

    #[test]
    fn neither_order_nor_numbers_of_sets_matter() {
        let played: [(u64, &[usize]); 4] =
            [(0, &[0, 1, 2, 3]), (0, &[3, 1, 0, 2]), (1, &[2, 0, 3, 1]), (2, &[1, 3, 2, 0])];
        let found = rate(&games(4, &played), 1, 0.0);
        let mut other = played;
        other.reverse();
        assert_eq!(rate(&games(4, &other), 1, 0.0), found);
        let renumbered = played.map(|(set, order)| (10 + set, order));
        assert_eq!(rate(&games(4, &renumbered), 1, 0.0), found);
        // Another anchor moves all ratings by the same amount.
        let moved = rate(&games(4, &played), 3, 0.0);
        for agent in [0, 2] {
            let by = |ratings: &Ratings, from: usize| {
                ratings.ratings[agent].value().expect("finite")
                    - ratings.ratings[from].value().expect("finite")
            };
            near(by(&found, 3), by(&moved, 3));
        }
        assert_eq!(found.los, moved.los);
    }

    #[test]
    fn one_set_has_no_interval() {
        let found = rate(&games(2, &[(7, &[0, 1]), (7, &[1, 0]), (7, &[1, 0])]), 0, 0.0);
        assert!(matches!(found.ratings[1], Rating::Finite { interval: None, .. }), "{found:?}");
        assert_eq!(found.los[1][0], None);
        // Identical sets say nothing about others.
        let same = rate(&games(2, &[(0, &[0, 1]), (0, &[1, 0]), (1, &[1, 0]), (1, &[0, 1])]), 0, 0.0);
        assert_eq!(same.ratings[1], Rating::Finite { value: 0.0, interval: None });
    }

    /// Agent 3 always finishes first, agent 0 always last, and agent 4 met no other agent.
    #[test]
    fn agents_that_always_finish_ahead_have_no_finite_rating() {
        let played: &[(u64, &[usize])] =
            &[(0, &[3, 1, 2, 0]), (1, &[3, 2, 1, 0]), (1, &[3, 2, 1]), (2, &[3, 1, 2, 0])];
        let found = rate(&games(5, played), 1, 0.0);
        // In three sets without exception, the chance is at least 0.025^(1/3).
        let chance = 0.025_f64.cbrt();
        let bound = ELO * (chance / (1.0 - chance)).ln();
        let (Rating::Above { low: Some(low) }, Rating::Below { high: Some(high) }) =
            (found.ratings[3], found.ratings[0])
        else {
            panic!("{found:?}");
        };
        near(low, bound);
        near(high, -bound);
        // Between the others, two of four games are even.
        near(found.ratings[2].value().expect("finite"), 0.0);
        assert_eq!(found.ratings[4], Rating::Unknown);
        near(found.los[3][1].expect("they met"), 1.0 - 0.125);
        near(found.los[1][3].expect("they met"), 0.125);
        assert_eq!((found.los[4][1], found.los[1][4]), (None, None));
        // Without games, nothing is known.
        let nothing = rate(&RankedGames::new(3), 2, 5.0);
        assert_eq!(nothing.ratings, [Rating::Unknown, Rating::Unknown, Rating::Anchor(5.0)]);
    }

    /// The expected placement among equal others, by the chances of all orders.
    #[test]
    fn one_against_equal_others_has_the_expected_placement() {
        for players in [2_u8, 3, 4] {
            for difference in [-300.0, 0.0, 55.0, 200.0] {
                let mut orders = vec![vec![]];
                for _ in 0..players {
                    let longer = |order: &Vec<usize>| {
                        let left = (0..usize::from(players)).filter(|agent| !order.contains(agent));
                        left.map(|agent| [&order[..], &[agent]].concat()).collect::<Vec<_>>()
                    };
                    orders = orders.iter().flat_map(longer).collect();
                }
                let strength = |agent: usize| if agent == 0 { (difference / ELO).exp() } else { 1.0 };
                let mut mean = 0.0;
                for order in &orders {
                    let left =
                        |place: usize| order[place..].iter().map(|agent| strength(*agent)).sum::<f64>();
                    let chance: f64 =
                        (0..order.len()).map(|place| strength(order[place]) / left(place)).product();
                    let place = order.iter().position(|agent| *agent == 0).expect("it plays");
                    mean += chance * (place + 1) as f64;
                }
                near(expected_placement(difference, players), mean);
            }
        }
    }
}
