//! A run of four networks, stopped and resumed.

use std::path::Path;
use std::sync::Arc;

use jantaku_agents::encode::Encoder;
use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, StartOptions, Watch};
use jantaku_sim::replay::verify::verify;
use jantaku_sim::run::{Run, RunConfig};

use crate::export;

/// Stops a run once a part is complete.
struct FirstPart(bool);

impl Watch for FirstPart {
    fn progress(&mut self, games: u64) {
        self.0 |= games >= 3;
    }

    fn should_stop(&self) -> bool {
        self.0
    }
}

/// Networks in Python's models, on libtorch and on the backend in Rust, play whole hanchan. The run
/// is stopped in the middle and resumed, and then replays without a difference.
#[test]
fn a_stopped_run_of_networks_is_resumed_whole() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let folder = folder.path();
    for encoder in Encoder::ALL {
        export(*encoder, &folder.join(format!("{encoder}.json")));
    }
    let agents = ["planes-v1.pt", "planes-v1.pt,temperature=1", "events-v1.pt", "sparse-v1.safetensors"];
    let agents = agents.map(|model| format!("neural:model={}/{model}", folder.display())).to_vec();
    let config = RunConfig {
        agents,
        games: Some(9),
        seed: 1,
        detail: Detail::Decisions,
        games_per_part: 3,
        ..RunConfig::new("tenhou", &Rules::default())
    };
    let named = config.named_agents().expect("the agents are in the catalog");
    let config = config.played_by(&named).expect("the networks were trained for these rules");

    let run = folder.join("run");
    let stopped = play(Run::create(&run, config.clone()).expect("a new run"), &mut FirstPart(false));
    assert!(stopped < 9, "the run was not stopped");
    let resumed = play(Run::resume(&run, Some(&config)).expect("the run resumes"), &mut ());
    assert_eq!(resumed, 9);
    assert_eq!(differences(&run), (9, Vec::new()));
}

/// Plays the rest of a run and returns the number of its games.
fn play(mut run: Run, watch: &mut impl Watch) -> u64 {
    let agents = run.config().named_agents().expect("the agents are in the catalog");
    let options = StartOptions { tables: Some(4), ..StartOptions::default() };
    let mut players = options.start(&agents, None, &Arc::default()).expect("the networks start");
    run.play(&mut players, watch).expect("networks answer legally");
    run.manifest().games
}

/// The games that were replayed, and where they differ from the run.
fn differences(run: &Path) -> (u64, Vec<String>) {
    let (mut differences, mut unreadable) = (Vec::new(), Vec::new());
    let games = verify(
        run,
        &mut (),
        |difference| differences.push(difference.to_string()),
        |error| unreadable.push(error.to_string()),
    );
    differences.append(&mut unreadable);
    (games.expect("the run is readable"), differences)
}
