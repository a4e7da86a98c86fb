//! How much variance luck explains in games of equal agents.

use std::error::Error;
use std::time::Instant;

use jantaku_agents::{Catalog, Policy};
use jantaku_engine::{BySeat, FinalResult, Game, Observer, Rules};
use rayon::prelude::*;

use jantaku_sim::arena::luck::Luck;

/// Plays a game of an agent with itself.
pub fn play(rules: &Rules, seed: u64, agent: &dyn Policy, seen: &mut impl Observer) -> BySeat<FinalResult> {
    let mut game = Game::new_seen(rules, seed, seen);
    loop {
        let next = game.decisions().next();
        let Some((seat, _)) = next else { break };
        let action = agent.choose(&game.observe(seat), &mut game.random_stream(seat, agent.salt()));
        game.submit_seen(seat, action, seen).unwrap_or_else(|error| panic!("{error}"));
    }
    game.results().expect("the game is over")
}

/// Prints, for each agent and quantity: variance over plain variance, the correlation of luck and
/// outcome, the mean luck of the first seat with its standard error.
pub fn ratio(rules: &Rules, games: u64, agents: &str) -> Result<(), Box<dyn Error>> {
    println!("agent\tquantity\tgames\tratio\tbest\tmean luck\t±");
    for name in agents.split(',') {
        let policy = Catalog::standard().agent(name)?.policy().ok_or("no policy")?;
        let start = Instant::now();
        let count = rules.players.count();
        let played: Vec<([[f64; 4]; 3], [[f64; 4]; 3])> = (0..games)
            .into_par_iter()
            .map(|seed| {
                let mut luck = Luck::new(rules, seed);
                let results = play(rules, seed, &policy, &mut luck);
                let mut plain = [[0.0; 4]; 3];
                for (seat, result) in results.enumerate() {
                    plain[0][seat.index()] = f64::from(result.placement);
                    plain[1][seat.index()] = f64::from(result.result);
                    plain[2][seat.index()] = f64::from(result.points);
                }
                (plain, *luck.total())
            })
            .collect();
        for (quantity, title) in ["placement", "result", "points"].iter().enumerate() {
            let n = games as f64;
            let (mut plain, mut own, mut both) = (0.0, 0.0, 0.0);
            let mut first = (0.0, 0.0);
            for seat in 0..usize::from(count) {
                let mean = |of: &dyn Fn(&([[f64; 4]; 3], [[f64; 4]; 3])) -> f64| {
                    played.iter().map(of).sum::<f64>() / n
                };
                let (p, l) = (mean(&|game| game.0[quantity][seat]), mean(&|game| game.1[quantity][seat]));
                plain += mean(&|game| (game.0[quantity][seat] - p).powi(2));
                own += mean(&|game| (game.1[quantity][seat] - l).powi(2));
                both += mean(&|game| (game.0[quantity][seat] - p) * (game.1[quantity][seat] - l));
                if seat == 0 {
                    first = (l, (mean(&|game| (game.1[quantity][seat] - l).powi(2)) / n).sqrt());
                }
            }
            let ratio = (plain - 2.0 * both + own) / plain;
            let best = 1.0 - both * both / (plain * own);
            println!(
                "{name}\t{title}\t{games}\t{ratio:.4}\t{best:.4} at {:.3}\t{:.4}\t{:.4}",
                both / own,
                first.0,
                1.96 * first.1
            );
        }
        eprintln!(
            "{:.2} ms a game and thread",
            1000.0 * start.elapsed().as_secs_f64() * rayon::current_num_threads() as f64 / games as f64
        );
    }
    Ok(())
}
