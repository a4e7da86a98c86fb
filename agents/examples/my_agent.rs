//! An agent of your own, and a match that shows how strong it is.
//!
//! ```sh
//! cargo run --release --example my_agent
//! ```
//!
//! The agent is the type and the entry. The entry gives it a name and options, so that it stands
//! beside the built-in agents: `cargo run --release --example my_agent -- hasty:haste=0.5 random`.

use std::process::ExitCode;

use jantaku_agents::{AgentOption, Built, Catalog, Entry, Greedy, OptionDefault, OptionKind, Policy, Random};
use jantaku_engine::{Action, Observation, Rng, Rules};
use jantaku_sim::arena::play_match;
use jantaku_sim::play::{Detail, Seatings};
use jantaku_sim::run::RunConfig;

/// Plays greedily, but at random with the probability `haste`.
struct Hasty {
    haste: f64,
}

const ENTRY: Entry = Entry {
    name: "hasty",
    about: "greedy, with some random actions",
    options: &[AgentOption {
        name: "haste",
        kind: OptionKind::Number(0.0..=1.0),
        default: OptionDefault::Value("0.1"),
        about: "the probability of a random action",
    }],
    build: |options, _| Ok(Built::policy(Hasty { haste: options.value("haste") })),
};

impl Policy for Hasty {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        let is_hasty = (rng.below(1_000_000) as f64) < self.haste * 1e6;
        if is_hasty { Random.choose(o, rng) } else { Greedy::default().choose(o, rng) }
    }
}

fn main() -> ExitCode {
    let Err(error) = play() else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

/// Plays a match of 100 sets between two agents of the catalog.
fn play() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let names = match words.len() {
        0 => ["hasty", "greedy"].map(str::to_owned).to_vec(),
        2 => words,
        found => return Err(format!("expected two agents, found {found}").into()),
    };
    let agents = Catalog::standard().with(ENTRY).policies(&names.join(","), 2)?;
    let agents: Vec<_> = names.iter().cloned().zip(agents).collect();

    let config = RunConfig::new("tenhou", &Rules::default(), names, 0, 1, Detail::None);
    let config = RunConfig { seatings: Seatings::OneVersusRest, ..config };
    let played = play_match(&config, None, 100, &agents, &mut ())?;
    let standing = played.counts.standing().ok_or("no set is complete")?;
    for agent in standing.agents {
        let (mean, error) = (agent.placement.value, agent.placement.standard_error.unwrap_or(0.0));
        println!("{:<8} mean placement {mean:.3}, standard error {error:.3}", agent.agent);
    }
    Ok(())
}
