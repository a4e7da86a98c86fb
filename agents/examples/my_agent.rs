//! An agent of your own: one file with the policy and its entry, and one line that adds the entry
//! to a catalog.
//!
//! ```sh
//! cargo run --example my_agent -- greedy,hasty:haste=0.25,random,hasty
//! ```

use jantaku_agents::{AgentOption, Built, Catalog, Entry, Greedy, OptionDefault, OptionKind, Policy, Random};
use jantaku_engine::{Action, Game, Observation, Rng, Rules};

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let catalog = Catalog::standard().with(ENTRY);
    let text = std::env::args().nth(1).unwrap_or_else(|| "greedy,hasty:haste=0.25,random,hasty".to_owned());
    let rules = Rules::default();
    let agents = catalog.policies(&text, usize::from(rules.players.count()))?;

    let mut game = Game::new(&rules, 1);
    while !game.is_over() {
        for seat in game.pending().iter() {
            let agent = &agents[seat.index()];
            let action = agent.choose(&game.observe(seat), &mut game.random_stream(seat, agent.salt()));
            game.submit(seat, action)?;
        }
    }
    for (agent, points) in agents.iter().zip(game.scores()) {
        println!("{points:>6}  {agent}");
    }
    Ok(())
}
