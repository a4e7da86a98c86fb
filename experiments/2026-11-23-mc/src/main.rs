//! Measures what the rollouts of the agent `mc` tell.
//!
//! - `doubts`: how far the proposer and the rollouts are apart
//! - `gains`: what the search gains where the hidden hands are known
//! - `positions`: decisions with an answer that is known in the long run
//! - `play`: decisions in games of `heuristic`, and how they are played on

mod doubts;
mod gains;
mod play;
mod positions;

use std::error::Error;

use jantaku_agents::{Catalog, MonteCarlo};
use jantaku_engine::Rules;

const USAGE: &str = "usage: jantaku-mc doubts FIRST GAMES RATE DEALS [PRESET]
       jantaku-mc gains FIRST GAMES RATE WALLS AGENT [PRESET]
       jantaku-mc positions FIRST GAMES DEALS [PRESET]

All play GAMES games of heuristic from seed FIRST. RATE: one in so many decisions.
doubts plays all candidates of a decision in DEALS deals.
gains searches with AGENT, such as mc:rollouts=256, and plays the candidates on with
the true hands and WALLS random walls.
positions prints decisions in which a candidate is known to be wrong after DEALS deals.";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    let numbers = match words.first() {
        Some(&"gains") => 6,
        Some(&"positions") => 4,
        _ => 5,
    };
    let preset = if words.len() > numbers { words.pop() } else { None };
    let rules = Rules::preset(preset.unwrap_or("tenhou")).ok_or("unknown preset")?;
    match words[..] {
        ["doubts", first, games, rate, deals] => {
            let agent = search("mc:rollouts=2")?;
            let (first, games): (u64, u64) = (first.parse()?, games.parse()?);
            doubts::print(&agent, &rules, first..first + games, rate.parse()?, deals.parse()?)
        }
        ["gains", first, games, rate, walls, agent] => {
            let agent = search(agent)?;
            let (first, games): (u64, u64) = (first.parse()?, games.parse()?);
            gains::print(&agent, &rules, first..first + games, rate.parse()?, walls.parse()?);
            Ok(())
        }
        ["positions", first, games, deals] => {
            let agent = search("mc:rollouts=2")?;
            let (first, games): (u64, u64) = (first.parse()?, games.parse()?);
            positions::print(&agent, &rules, first..first + games, deals.parse()?)
        }
        _ => Err(USAGE.into()),
    }
}

fn search(name: &str) -> Result<MonteCarlo, Box<dyn Error>> {
    let named = Catalog::standard().agent(name)?;
    Ok(named.downcast::<MonteCarlo>().ok_or("the agent is not mc")?.clone())
}
