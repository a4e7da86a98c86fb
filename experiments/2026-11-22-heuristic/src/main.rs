//! Measures the parameters of the agent `heuristic` in games.
//!
//! Prints one line of CSV for each measured decision; `tables.py` makes tables of them.
//!
//! - `play`: the agents, and playing a hand on from a given action
//! - `hands`: how hands end, by their distance to a win
//! - `discards`: two discards of the same hand, each played on
//! - `calls`: a call and passing, each played on
//! - `waits`: whether tiles are waits of a player in riichi
//! - `tune`: better numbers, by the points of single hands

mod calls;
mod discards;
mod hands;
mod play;
mod tune;
mod waits;

use std::error::Error;

use jantaku_engine::Rules;
use play::Players;
use rayon::prelude::*;

const USAGE: &str = "usage: jantaku-heuristic hands|discards|calls|waits GAMES [PRESET]
       jantaku-heuristic tune SETS PRESET FILE";

/// Returns the lines of the game with this seed.
type Measurement = fn(&Players, u64) -> String;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (name, games, preset) = match words.as_slice() {
        [name, sets, preset, path] if name == "tune" => {
            let rules = Rules::preset(preset).ok_or("unknown preset")?;
            return tune::tune(&rules, sets.parse()?, path.as_ref());
        }
        [name, games] => (name, games, "tenhou"),
        [name, games, preset] => (name, games, preset.as_str()),
        _ => return Err(USAGE.into()),
    };
    let (columns, measurement): (&str, Measurement) = match name.as_str() {
        "hands" => (hands::COLUMNS, hands::lines),
        "discards" => (discards::COLUMNS, discards::lines),
        "calls" => (calls::COLUMNS, calls::lines),
        "waits" => (waits::COLUMNS, waits::lines),
        _ => return Err(USAGE.into()),
    };
    let games: u64 = games.parse()?;
    let players = Players::new(Rules::preset(preset).ok_or("unknown preset")?)?;
    let lines: Vec<String> = (0..games).into_par_iter().map(|seed| measurement(&players, seed)).collect();
    print!("{columns}\n{}", lines.concat());
    Ok(())
}
