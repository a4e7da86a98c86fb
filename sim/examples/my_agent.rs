//! An agent of your own, and a match that shows how strong it is:
//!
//! ```sh
//! cargo run --release --example my_agent
//! ```

use jantaku_agents::{Built, Catalog, Entry, Greedy, Policy, Random};
use jantaku_engine::{Action, Observation, Rng, Rules};
use jantaku_sim::arena::{MatchPlan, play_match};
use jantaku_sim::play::{Detail, Seatings};
use jantaku_sim::run::RunConfig;

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
    let names = ["hasty", "greedy"].map(str::to_owned);
    let agents = Catalog::standard().with(ENTRY).policies(&names.join(","), 2)?;
    let agents: Vec<_> = names.iter().cloned().zip(agents).collect();
    let config = RunConfig::new("tenhou", &Rules::default(), names.to_vec(), 0, 1, Detail::None);
    let config = RunConfig { seatings: Seatings::OneVersusRest, ..config };
    let played = play_match(&config, &MatchPlan::of_sets(100), &agents, &mut ())?;
    for agent in played.counts.standing().ok_or("no set is complete")?.agents {
        println!("{:<8} mean placement {:.3}", agent.agent, agent.placement.value);
    }
    Ok(())
}
