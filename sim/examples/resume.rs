//! Plays a run, stops it, resumes it, and compares it with a run that never stopped.

use std::error::Error;
use std::fs;

use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, Watch};
use jantaku_sim::run::{Run, RunConfig};

/// Stops a run after its first wave of games. The field is whether that wave is over.
struct FirstWave(bool);

impl Watch for FirstWave {
    fn progress(&mut self, _: u64) {
        self.0 = true;
    }

    fn should_stop(&self) -> bool {
        self.0
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let [stopped, whole] = ["stopped", "whole"].map(|name| folder.path().join(name));
    let agents = ["greedy", "random", "tsumogiri", "greedy"].map(str::to_owned).to_vec();
    let config = RunConfig {
        agents,
        games: Some(1000),
        seed: 1,
        detail: Detail::Hands,
        games_per_part: 100,
        ..RunConfig::new("tenhou", &Rules::default())
    };
    let mut players = config.players()?;

    let mut run = Run::create(&stopped, config.clone())?;
    let played = run.play(&mut players, &mut FirstWave(false))?;
    println!("stopped after {} games; complete parts keep {}", played.finished, run.manifest().games);
    drop(run); // Unlocks the folder, as the end of the program does.

    let mut run = Run::resume(&stopped, Some(&config))?;
    println!("resumed at game {}", run.play(&mut players, &mut ())?.games.start);
    Run::create(&whole, config)?.play(&mut players, &mut ())?;

    for file in ["run.toml", "manifest.json", "games/part-000009.parquet", "hands/part-000009.parquet"] {
        assert!(fs::read(stopped.join(file))? == fs::read(whole.join(file))?, "{file} differs");
    }
    Ok(())
}
