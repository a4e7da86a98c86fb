//! Plays a run, stops it, resumes it, and compares it with a run that never stopped.

use std::error::Error;
use std::fs;
use std::path::Path;

use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, Watch};
use jantaku_sim::run::{Run, RunConfig};

/// Stops a run after its first wave of games.
struct FirstWave {
    is_over: bool,
}

impl Watch for FirstWave {
    fn progress(&mut self, _: u64) {
        self.is_over = true;
    }

    fn should_stop(&self) -> bool {
        self.is_over
    }
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_run() -> Result<(), Box<dyn Error>> {
    main()
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let [stopped, whole] = ["stopped", "whole"].map(|name| folder.path().join(name));
    let agents = ["greedy", "random", "tsumogiri", "greedy"].map(str::to_owned).to_vec();
    let config = RunConfig::new("tenhou", &Rules::default(), agents, 1000, 1, Detail::Hands);
    let config = RunConfig { games_per_part: 100, ..config };
    let agents = config.players()?;

    let mut run = Run::create(&stopped, config.clone())?;
    let played = run.play(&agents, &mut FirstWave { is_over: false })?;
    println!("stopped after {} games, {} are kept", played.tally.games, run.manifest().games);
    drop(run); // Unlocks the folder, as the end of the program does.

    let mut run = Run::resume(&stopped, Some(&config))?;
    println!("resumed at game {}", run.play(&agents, &mut ())?.games.start);
    Run::create(&whole, config)?.play(&agents, &mut ())?;

    let files = run.manifest().parts.iter().flat_map(|part| &part.files).map(|file| file.path.as_str());
    for file in files.chain(["run.toml", "manifest.json"]) {
        let read = |run: &Path| fs::read(run.join(file));
        assert!(read(&stopped)? == read(&whole)?, "{file} differs");
    }
    println!("all files are the same");
    Ok(())
}
