//! An agent of your own, and a match that shows how strong it is:
//!
//! ```sh
//! cargo run --release --example my_agent
//! ```

use std::sync::Arc;

use jantaku_agents::{Built, Catalog, Entry, Greedy, Policy, Random};
use jantaku_engine::{Action, Observation, Rng};
use jantaku_measure::arena::MatchRequest;
use jantaku_sim::run::AgentChoice;

/// Plays greedily, but one action in ten at random.
struct Hasty;

impl Policy for Hasty {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        if rng.below(10) == 0 { Random.choose(o, rng) } else { Greedy::default().choose(o, rng) }
    }
}

/// The agent's name in the catalog, beside the built-in agents.
const ENTRY: Entry = Entry {
    name: "hasty",
    about: "greedy, with some random actions",
    options: &[],
    build: |_, _| Ok(Built::policy(Hasty)),
};

/// Plays a match of 100 sets, each with the agent in every seat against three `greedy`.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hasty = Catalog::standard().with(ENTRY).agent("hasty")?;
    let request = MatchRequest {
        challenger: Some(AgentChoice::Ready(vec![hasty])),
        baseline: Some(AgentChoice::Text("greedy".to_owned())),
        sets: Some(100),
        seed: Some(1),
        ..MatchRequest::default()
    };
    let mut game = request.resolve()?;
    let mut players = game.start(false, &Arc::default())?;
    for agent in game.play(&mut players, &mut ())?.agents {
        println!("{:<8} mean placement {:.3}", agent.agent, agent.placement.value);
    }
    Ok(())
}
