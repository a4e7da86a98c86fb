//! Measures the parameters of the agent `heuristic` in games.
//!
//! Prints one line of CSV for each measured decision; `tables.py` makes tables of them.
//!
//! - `play`: the agents, and playing a hand on from a given action
//! - `hands`: how hands end, by their distance to a win
//! - `discards`: two discards of the same hand, each played on
//! - `calls`: a call and passing, each played on
//! - `damaten`: riichi and damaten, each played on
//! - `kans`: a kan and the best discard, each played on
//! - `roles`: two discards with different roles in the same hand, each played on
//! - `signs`: what everyone sees of a player's hand
//! - `threats`: whether players without riichi are tenpai, and the points of their hands
//! - `waits`: whether tiles are waits of a player in riichi
//! - `open_waits`: whether tiles are waits of an open tenpai hand
//! - `tune`: better numbers, by the points of single hands

mod calls;
mod damaten;
mod discards;
mod hands;
mod kans;
mod open_waits;
mod play;
mod roles;
mod signs;
mod threats;
mod tune;
mod waits;

use std::error::Error;

use jantaku_engine::Rules;
use play::Players;
use rayon::prelude::*;

const USAGE: &str = "usage: jantaku-heuristic MEASUREMENT GAMES [PRESET]
       jantaku-heuristic tune SETS PRESET FILE

MEASUREMENT: hands, discards, calls, damaten, kans, roles, threats, waits or
             open-waits";

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
        "damaten" => (damaten::COLUMNS, damaten::lines),
        "roles" => (roles::COLUMNS, roles::lines),
        "kans" => (kans::COLUMNS, kans::lines),
        "threats" => (threats::COLUMNS, threats::lines),
        "open-waits" => (open_waits::COLUMNS, open_waits::lines),
        "waits" => (waits::COLUMNS, waits::lines),
        _ => return Err(USAGE.into()),
    };
    let games: u64 = games.parse()?;
    let players = Players::new(Rules::preset(preset).ok_or("unknown preset")?)?;
    let lines: Vec<String> = (0..games).into_par_iter().map(|seed| measurement(&players, seed)).collect();
    print!("{columns}\n{}", lines.concat());
    Ok(())
}
