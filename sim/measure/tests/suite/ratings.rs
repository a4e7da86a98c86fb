//! Simulated leagues: whether ratings find the strengths, and how often intervals cover them.

use jantaku_engine::Rng;
use jantaku_measure::arena::{ELO, RankedGames, rate};

use crate::league_coverage::{MODELS, Model};

/// A game of the Plackett–Luce model, place by place. `weight` is e^θ of an agent.
fn order(rng: &mut Rng, table: &[usize], weight: impl Fn(usize) -> f64) -> Vec<usize> {
    let (mut left, mut order) = (table.to_vec(), Vec::new());
    while !left.is_empty() {
        let sum: f64 = left.iter().map(|agent| weight(*agent)).sum();
        let mut draw = sum * (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let is_next = |agent: &usize| {
            draw -= weight(*agent);
            draw < 0.0
        };
        let next = left.iter().position(is_next).unwrap_or(left.len() - 1);
        order.push(left.remove(next));
    }
    order
}

#[test]
fn known_strengths_are_found() {
    const RATINGS: [f64; 5] = [1500.0, 1500.0, 1620.0, 1300.0, 2100.0];
    let (mut rng, mut games) = (Rng::new(1), RankedGames::new(5));
    for set in 0..20_000 {
        for absent in 0..5 {
            let table: Vec<usize> = (0..5).filter(|agent| *agent != absent).collect();
            games.add(set, &order(&mut rng, &table, |agent| (RATINGS[agent] / ELO).exp()));
        }
    }
    let found = rate(&games, 0, RATINGS[0]);
    for (rating, truth) in found.ratings.iter().zip(RATINGS).skip(1) {
        let value = rating.value().expect("finite");
        let [low, high] = rating.interval().map(|end| end.expect("finite"));
        let half = high - low;
        // Two intervals are four standard errors.
        assert!((value - truth).abs() < half && half < 12.0, "{value} ± {half}, expected {truth}");
    }
    assert!(found.los[4][0].expect("sets") > 0.999_999);
    let fit = found.goodness_of_fit.expect("five agents");
    assert!(fit.p_value > 0.001 && !fit.is_poor(), "{fit:?}");
}

/// The experiment `experiments/2026-11-22-ratings` simulates more leagues of more models.
#[test]
fn intervals_cover_known_ratings_in_95_percent_of_leagues() {
    const LEAGUES: u64 = 200;
    let model = Model { sets: 60, ..MODELS[0] };
    let found = model.coverage(LEAGUES);
    println!("{:?}; as independent: {}; rejected: {}", found.by_agent, found.naive, found.rejected);
    // 200 leagues give the coverage of one rating to within 3 points in 95 % of cases; the mean of five
    // is closer.
    let mean = found.by_agent.iter().sum::<f64>() / found.by_agent.len() as f64;
    assert!((0.93..=0.97).contains(&mean), "{mean}");
    assert!(found.by_agent.iter().all(|covered| (0.915..=0.985).contains(covered)), "{:?}", found.by_agent);
    // Treating the games of a set as independent gives intervals that are too narrow.
    assert!(found.naive < 0.85, "{}", found.naive);
    // The test of goodness of fit rejects true ratings as rarely as it says.
    assert!((0.02..=0.08).contains(&found.rejected), "{}", found.rejected);
}

/// Each of three agents has an edge over the next one: no rating explains that.
#[test]
fn ratings_that_explain_nothing_are_reported() {
    let league = |edge: f64| {
        let (mut rng, mut games) = (Rng::new(3), RankedGames::new(4));
        for set in 0..2000 {
            for pair in [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]] {
                // The first of the three has an edge over the second.
                let weight = |agent: usize| {
                    let has_edge = agent == pair[0] && pair[1] != 3;
                    if has_edge { (edge / ELO).exp() } else { 1.0 }
                };
                games.add(set, &order(&mut rng, &pair, weight));
            }
        }
        rate(&games, 0, 0.0).goodness_of_fit.expect("four agents")
    };
    let found = league(60.0);
    assert!(found.is_poor() && found.p_value < 1e-6, "{found:?}");
    // Half the pairs are off by σ(60 Elo) − ½ = 8.5 points.
    let expected = (0.5 * (1.0 / (1.0 + (-60.0 / ELO).exp()) - 0.5_f64).powi(2)).sqrt();
    assert!((found.excess_rms - expected).abs() < 0.01, "{} {expected}", found.excess_rms);
    let [first, second] = [found.pairs[0].agent, found.pairs[0].other];
    assert!(first < 3 && second < 3, "{found:?}");
    assert!(!league(0.0).is_poor());
}
