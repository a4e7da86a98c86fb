//! Plays games of agents and prints a hash of all actions, the number of decisions, and their processor time.
use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::time::Instant;

use jantaku_agents::{Catalog, Policy};
use jantaku_engine::{Game, Rules};

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0) * 1e-9
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let games: u64 = arguments[0].parse()?;
    let preset = &arguments[1];
    let rules = Rules::preset(preset).ok_or("preset")?;
    for name in &arguments[2..] {
        let agent = Catalog::standard().agent(name)?.to_policy()?;
        let (start, wall) = (cpu(), Instant::now());
        let mut hash = DefaultHasher::new();
        let mut decisions = 0_u64;
        for seed in 0..games {
            let mut game = Game::new(&rules, 1000 + seed);
            let mut rngs: Vec<_> =
                rules.players.seats().map(|seat| game.random_stream(seat, agent.salt())).collect();
            while let Some(seat) = game.pending().iter().next() {
                let o = game.observe(seat);
                let action = agent.choose(&o, &mut rngs[seat.index()]);
                action.id().number().hash(&mut hash);
                decisions += 1;
                game.submit(seat, action).map_err(|e| e.to_string())?;
            }
        }
        let time = cpu() - start;
        println!(
            "{name} {preset} {:016x} {decisions} decisions {time:.3} s {:.0} ns wall {:.2}",
            hash.finish(),
            time * 1e9 / decisions as f64,
            wall.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
