//! The Plackett–Luce model of orders, and its fit by maximum likelihood.
//!
//! Each agent has a strength θ. The first place goes to an agent with a chance proportional to e^θ,
//! the second place in the same way among the others, and so on (Luce, *Individual Choice
//! Behavior*, 1959; Plackett, *Applied Statistics* 24, 1975, 193–202). So agent i finishes ahead of
//! agent j with the chance σ(θᵢ − θⱼ), against any others.

use super::matrix::Matrix;
use super::ranked::Order;

/// The logistic function: the chance to finish ahead of an agent that is weaker by this much.
pub(super) fn sigma(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Calls `each` for every place but the last, with the agents that are not placed yet and the
/// chance of each of them to get the place. The first of them got it.
fn places(strengths: &[f64], order: &Order, mut each: impl FnMut(&[(usize, f64)])) {
    // Only differences count, and large numbers have no exponential.
    let largest = order.agents().map(|agent| strengths[agent]).fold(f64::NEG_INFINITY, f64::max);
    let mut left = [(0, 0.0); 4];
    for place in 0..order.len() - 1 {
        let left = &mut left[..order.len() - place];
        for (entry, agent) in left.iter_mut().zip(order.agents().skip(place)) {
            *entry = (agent, (strengths[agent] - largest).exp());
        }
        let sum: f64 = left.iter().map(|(_, weight)| weight).sum();
        left.iter_mut().for_each(|(_, weight)| *weight /= sum);
        each(left);
    }
}

/// The logarithm of the chance of an order.
fn log_chance(strengths: &[f64], order: &Order) -> f64 {
    let mut sum = 0.0;
    places(strengths, order, |left| sum += left[0].1.ln());
    sum
}

/// Adds the derivative of [`log_chance`] by the strengths, times a factor.
pub(super) fn add_score(strengths: &[f64], order: &Order, factor: f64, score: &mut [f64]) {
    places(strengths, order, |left| {
        score[left[0].0] += factor;
        left.iter().for_each(|(agent, chance)| score[*agent] -= factor * chance);
    });
}

/// Adds the negative second derivative of [`log_chance`], times a factor.
fn add_information(strengths: &[f64], order: &Order, factor: f64, information: &mut Matrix) {
    places(strengths, order, |left| {
        for (agent, chance) in left {
            information[(*agent, *agent)] += factor * chance;
            left.iter().for_each(|(other, also)| information[(*agent, *other)] -= factor * chance * also);
        }
    });
}

/// Strengths of the greatest likelihood.
pub(super) struct Fit {
    /// The strengths. The first is 0.
    pub strengths: Vec<f64>,
    /// The inverse of the information without the first agent; its first row and column are 0.
    pub inverse: Matrix,
}

/// Fits strengths to orders, each with its number of games, by Newton's method.
///
/// There is exactly one best fit if no agents always finish ahead of all others (Hunter, *Annals of
/// Statistics* 32, 2004, 384–406). The caller makes sure of that.
pub(super) fn fit(agents: usize, orders: &[(Order, f64)]) -> Fit {
    /// Newton's method doubles the correct digits: after a step of this length, all are correct.
    const LAST_STEP: f64 = 1e-6;
    /// A step this short changes the likelihood by less than its precision.
    const MIN: f64 = 1e-10;
    let likelihood = |strengths: &[f64]| -> f64 {
        orders.iter().map(|(order, games)| games * log_chance(strengths, order)).sum()
    };
    let mut strengths = vec![0.0; agents];
    let mut best = likelihood(&strengths);
    loop {
        let (mut score, mut information) = (vec![0.0; agents], Matrix::zero(agents));
        for (order, games) in orders {
            add_score(&strengths, order, *games, &mut score);
            add_information(&strengths, order, *games, &mut information);
        }
        let inverse = information.inverse_after_first().expect("games connect all agents");
        let step = inverse.times(&score);
        let length = step.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
        let moved = |share: f64| -> Vec<f64> {
            strengths.iter().zip(&step).map(|(strength, by)| strength + share * by).collect()
        };
        if length <= LAST_STEP {
            return Fit { strengths: moved(1.0), inverse };
        }
        // The likelihood is concave: a short enough step raises it.
        let shares = std::iter::successors(Some(1.0), |share| Some(share / 2.0));
        let mut shares = shares.take_while(|share| share * length > MIN).map(moved);
        let Some((better, gain)) = shares.find_map(|strengths| {
            let found = likelihood(&strengths);
            (found > best).then_some((strengths, found))
        }) else {
            return Fit { strengths, inverse };
        };
        (strengths, best) = (better, gain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(agents: &[usize]) -> Order {
        Order::new(agents.iter().copied()).expect("at most four agents")
    }

    /// The chances of all orders add up to 1, and are those of the definition.
    #[test]
    fn chances_are_those_of_the_definition() {
        let strengths = [0.3, -1.0, 2.0];
        let mut sum = 0.0;
        for agents in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let [a, b, c] = agents.map(|agent| f64::exp(strengths[agent]));
            let chance = log_chance(&strengths, &order(&agents)).exp();
            assert!((chance - a / (a + b + c) * b / (b + c)).abs() < 1e-15);
            sum += chance;
        }
        assert!((sum - 1.0).abs() < 1e-15);
        // Large strengths do not overflow.
        let of = |agents| log_chance(&[2000.0, 1000.0], &order(agents));
        assert!(of(&[0, 1]).abs() < 1e-12 && of(&[1, 0]).is_infinite());
    }

    /// The derivatives are those of small differences.
    #[test]
    fn derivatives_are_slopes() {
        const STEP: f64 = 1e-5;
        let (strengths, order) = ([0.3, -1.0, 2.0, 0.5], order(&[1, 3, 0, 2]));
        let with = |agent: usize, by: f64| {
            let mut moved = strengths;
            moved[agent] += by;
            moved
        };
        let score_at = |strengths: &[f64]| {
            let mut score = [0.0; 4];
            add_score(strengths, &order, 1.0, &mut score);
            score
        };
        let mut information = Matrix::zero(4);
        add_information(&strengths, &order, 1.0, &mut information);
        for agent in 0..4 {
            let (up, down) = (with(agent, STEP), with(agent, -STEP));
            let slope = (log_chance(&up, &order) - log_chance(&down, &order)) / (2.0 * STEP);
            assert!((score_at(&strengths)[agent] - slope).abs() < 1e-9);
            let (up, down) = (score_at(&up), score_at(&down));
            for other in 0..4 {
                let slope = (up[other] - down[other]) / (2.0 * STEP);
                assert!((information[(agent, other)] + slope).abs() < 1e-9);
            }
        }
    }

    /// Two agents: the difference is the logit of the share. Shares near 1 need many steps.
    #[test]
    fn two_agents_have_the_logit_of_their_share() {
        for (ahead, behind) in [(1.0, 1.0), (3.0, 1.0), (1.0, 1e6)] {
            let orders = [(order(&[1, 0]), ahead), (order(&[0, 1]), behind)];
            let found = fit(2, &orders);
            let expected = f64::ln(ahead / behind);
            assert!((found.strengths[1] - expected).abs() < 1e-8, "{} {expected}", found.strengths[1]);
            let (n, p) = (ahead + behind, ahead / (ahead + behind));
            let variance = 1.0 / (n * p * (1.0 - p));
            assert!((found.inverse[(1, 1)] / variance - 1.0).abs() < 1e-6);
        }
    }
}
