//! Fits and judges what the agent `mc` believes of hidden hands.
//!
//! - `play`: games of `heuristic`, and the decisions in them
//! - `fit`: fits the weights of hands
//! - `judge`: log-loss, Brier scores and calibration on games with known hands

mod fit;
mod judge;
mod play;

use std::error::Error;

use jantaku_agents::inference::InferenceModel;
use jantaku_engine::Rules;

const USAGE: &str = "usage: jantaku-sampling fit STEPS PRESET FILE
       jantaku-sampling judge GAMES DRAWS PRESET FILE

fit writes FILE with the weights for the players of PRESET and starts from those in it.
judge reads FILE.";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rules = |preset: &str| Rules::preset(preset).ok_or("unknown preset");
    match words[..] {
        ["fit", steps, preset, file] => fit::fit(steps.parse()?, &rules(preset)?, file.as_ref()),
        ["judge", games, draws, preset, file] => {
            let model = InferenceModel::from_toml(&std::fs::read_to_string(file)?)?;
            let rules = rules(preset)?;
            judge::judge(games.parse()?, draws.parse()?, &rules, model.of(rules.players));
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}
