//! What a standing between two hands leads to, and what playing for it gains.
//!
//! - `play`: games of an agent with itself, hand by hand
//! - `fit`: the model of placements from these games
//! - `groups`: mean gains by group
//! - `gain`: what another agent gains in a single hand, by the situation
//! - `decisions`: what the decisions gain that two agents make differently

mod decisions;
mod fit;
mod gain;
mod groups;
mod play;

use std::error::Error;

use jantaku_engine::Rules;

const USAGE: &str = "usage: jantaku-standing fit GAMES PRESET FILE
       jantaku-standing gain GAMES BASE AGENT [PRESET]
       jantaku-standing decisions GAMES AGENT OTHER [PRESET]";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rules = |preset: &str| Rules::preset(preset).ok_or("unknown preset");
    match words.as_slice() {
        ["fit", games, preset, path] => fit::fit(&rules(preset)?, games.parse()?, path.as_ref()),
        ["decisions", games, agent, other, preset @ ..] => {
            let rules = rules(preset.first().copied().unwrap_or("tenhou"))?;
            decisions::decisions(&rules, games.parse()?, agent, other)
        }
        ["gain", games, base, agent, preset @ ..] => {
            let rules = rules(preset.first().copied().unwrap_or("tenhou"))?;
            gain::gain(&rules, games.parse()?, base, agent)
        }
        _ => Err(USAGE.into()),
    }
}
