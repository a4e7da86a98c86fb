//! An agent that reports search info.

use std::path::Path;

use jantaku_agents::{Built, Catalog, Entry, Estimate, Greedy, NamedPolicy, Policy, Reply, SearchInfo};
use jantaku_engine::{Action, ActionId, ActionSet, Observation, Rng, Rules};
use jantaku_sim::play::Detail;
use jantaku_sim::run::{Run, RunConfig};

/// Plays like `greedy` and reports search info, which follows from the legal actions and the action.
struct Thinker;

const ENTRY: Entry = Entry {
    name: "thinker",
    about: "greedy with search info",
    options: &[],
    build: |_, _| Ok(Built::policy(Thinker)),
};

impl Policy for Thinker {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        Greedy::default().choose(o, rng)
    }

    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let action = self.choose(o, rng);
        Reply { action, search_info: search_info(o.legal(), action.id()).map(Box::new), took: None }
    }
}

/// The search info of [`Thinker`]: none, some or all parts.
pub fn search_info(legal: ActionSet, action: ActionId) -> Option<SearchInfo> {
    let [first, ..] = legal.words();
    let choice = first % 5 + u64::from(legal.len());
    let has = |bit: u64| choice >> bit & 1 == 1;
    let weights: Vec<f32> = legal.iter().map(|id| 1.0 + f32::from(id.number())).collect();
    let sum: f32 = weights.iter().sum();
    let estimate = |id: ActionId| {
        let standard_error = (has(0) && id.number().is_multiple_of(3)).then(|| f32::from(id.number()) / 8.0);
        (!id.number().is_multiple_of(4)).then(|| Estimate { mean: -f32::from(id.number()), standard_error })
    };
    (!choice.is_multiple_of(7)).then(|| SearchInfo {
        value: has(0).then(|| f32::from(action.number()) - 80.0),
        policy: has(1).then(|| weights.iter().map(|weight| weight / sum).collect()),
        probability: has(2).then(|| 1.0 / f32::from(1 + action.number())),
        action_values: has(1).then(|| legal.iter().map(estimate).collect()),
    })
}

/// A run of two games of [`Thinker`], named as a library user names an agent of their own.
pub fn run_of_thinker(folder: &Path, detail: Detail) {
    let agents = Catalog::standard().with(ENTRY).policies("thinker", 4).expect("an agent");
    let names = agents.iter().map(NamedPolicy::to_string).collect();
    let config = RunConfig {
        agents: names,
        games: Some(2),
        seed: 1,
        detail,
        ..RunConfig::new("tenhou", &Rules::default())
    };
    Run::create(folder, config)
        .expect("a new folder")
        .play(&mut agents.into(), &mut ())
        .expect("it is written");
}
