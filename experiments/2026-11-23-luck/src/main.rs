//! Fits the numbers of luck, and measures how much of the variance of results is luck.
//!
//! - `fit`: the numbers from games of an agent with itself
//! - `ratio`: the variance of games without luck
//! - `cover`: the intervals of matches of equally strong agents

mod cover;
mod fit;
mod ratio;

use std::error::Error;

use jantaku_engine::Rules;

const USAGE: &str = "usage: jantaku-luck fit GAMES AGENT[,AGENT...] [PRESET]
       jantaku-luck ratio GAMES AGENT[,AGENT...] [PRESET]
       jantaku-luck cover MATCHES SETS AGENT AGENT [PRESET]";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rules = |preset: &[&str]| Rules::preset(preset.first().unwrap_or(&"tenhou")).ok_or("unknown preset");
    match words.as_slice() {
        ["ratio", games, agents, preset @ ..] => ratio::ratio(&rules(preset)?, games.parse()?, agents),
        ["fit", games, agent, preset @ ..] => fit::fit(&rules(preset)?, games.parse()?, agent),
        ["cover", matches, sets, one, other, preset @ ..] => {
            cover::cover(&rules(preset)?, matches.parse()?, sets.parse()?, [one, other])
        }
        _ => Err(USAGE.into()),
    }
}
