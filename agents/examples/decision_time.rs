//! The processor time of a decision of agents, and a hash of all their actions.
//!
//! ```sh
//! cargo run --release --package jantaku-agents --example decision_time -- 60 tenhou heuristic:version=3
//! ```
//!
//! Each agent plays this number of games under the preset, from seed 1000 on, alone on one thread. Two
//! programs with the same hash made the same decisions. The time includes the engine's. That of agents
//! with threads of their own, such as `mc`, is not complete. It needs Linux.

use std::error::Error;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jantaku_agents::{Catalog, Policy as _};
use jantaku_engine::{Game, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, preset, agents @ ..] = &arguments[..] else { return Err("GAMES PRESET AGENT…".into()) };
    let rules = Rules::preset(preset).ok_or("expected a preset")?;
    for name in agents {
        let agent = Catalog::standard().agent(name)?.to_policy()?;
        let (start, mut hash, mut decisions) = (processor_time()?, DefaultHasher::new(), 0_u64);
        for seed in 0..games.parse()? {
            let mut game = Game::new(&rules, 1000 + seed);
            while let Some(seat) = game.pending().iter().next() {
                let mut rng = game.random_stream(seat, agent.salt());
                let action = agent.choose(&game.observe(seat), &mut rng);
                action.id().number().hash(&mut hash);
                decisions += 1;
                game.submit(seat, action)?;
            }
        }
        let (seconds, hash) = (processor_time()? - start, hash.finish());
        let each = seconds * 1e9 / decisions as f64;
        println!("{name} {preset} {hash:016x}: {decisions} decisions, {seconds:.3} s, {each:.0} ns each");
    }
    Ok(())
}

/// The processor time of this thread until now, in seconds.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(text.split(' ').next().ok_or("expected three numbers")?.parse::<f64>()? * 1e-9)
}
