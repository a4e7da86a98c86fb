//! The agent that is compared: what it answers, and what it expects of its choices.

use std::error::Error;
use std::path::Path;

use jantaku_agents::{Candidate, Catalog, Heuristic, NamedPolicy, Params, Policy};
use jantaku_engine::{Action, Declare, Observation, Rng, TileKind};

/// The agent that is compared.
pub struct Judge {
    policy: NamedPolicy,
    /// The same agent, if it is `heuristic`, whose choices have a worth.
    explainer: Option<Heuristic>,
}

/// What the agent answers to a decision.
pub struct Verdict {
    /// The action.
    pub action: Action,
    /// What the agent expects of its choices. Empty for other agents than `heuristic`.
    pub candidates: Vec<Candidate>,
}

/// The worth of actions that cannot win is lower.
const LEAST: f32 = -1e9;

impl Judge {
    /// The agent that a text of the catalog names.
    ///
    /// # Errors
    ///
    /// If the text names no agent that decides one action at a time.
    pub fn new(text: &str) -> Result<Judge, Box<dyn Error>> {
        let agent = Catalog::standard().agent(text)?;
        let policy = agent.policy().ok_or("the agent must decide one action at a time")?;
        let explainer = agent.name().strip_prefix("heuristic").map(with_options).transpose()?;
        Ok(Judge { policy, explainer })
    }

    /// The answer of the agent.
    pub fn of(&self, o: &Observation<'_>) -> Verdict {
        let seed = u64::from(o.decision_count()) << 8 | u64::from(o.live());
        let action = self.policy.choose(o, &mut Rng::new(seed));
        let candidates = self.explainer.as_ref().map_or_else(Vec::new, |agent| agent.explain(o));
        Verdict { action, candidates }
    }
}

/// The agent `heuristic` with the options after its name.
fn with_options(options: &str) -> Result<Heuristic, Box<dyn Error>> {
    let options = options.trim_start_matches(':').split(',');
    let options: Vec<(&str, &str)> = options.filter_map(|option| option.split_once('=')).collect();
    let params = options.iter().find(|(name, _)| *name == "params");
    let mut agent = match params {
        Some((_, path)) => Heuristic::new(Params::read(Path::new(path.trim_matches('"')))?),
        None => Heuristic::default(),
    };
    for (name, value) in options {
        match name {
            "calls" => agent.calls = value == "on",
            "defence" => agent.defence = value == "on",
            "damaten" => agent.damaten = value == "on",
            "placement" => agent.placement = value == "on",
            "params" => {}
            _ => return Err(format!("unknown option `{name}`").into()),
        }
    }
    Ok(agent)
}

impl Verdict {
    /// The best candidate among those that a test admits. None without candidates.
    pub fn best(&self, admits: impl Fn(Action) -> bool) -> Option<&Candidate> {
        let admitted = self.candidates.iter().filter(|candidate| admits(candidate.action));
        admitted.max_by(|a, b| a.value.total_cmp(&b.value))
    }

    /// The best discard of this kind.
    pub fn discard(&self, o: &Observation<'_>, kind: TileKind) -> Option<&Candidate> {
        self.best(|action| discarded(o, action).is_some_and(|(other, _)| other == kind))
    }

    /// The worth of the best candidate less that of another, if both can win.
    pub fn regret(&self, other: Option<&Candidate>) -> Option<f32> {
        let best = self.best(|_| true)?;
        let other = other.filter(|other| other.value > LEAST)?;
        Some(best.value - other.value)
    }
}

/// The discarded kind of an action, and the declaration with it. None for other actions.
pub fn discarded(o: &Observation<'_>, action: Action) -> Option<(TileKind, Declare)> {
    match action {
        Action::Discard { tile, declare } => Some((tile.kind(), declare)),
        Action::Tsumogiri { declare } => Some((o.drawn()?.kind(), declare)),
        _ => None,
    }
}

/// The worth in points for a table. Empty if the agent cannot win or has no candidates.
pub fn worth(candidate: Option<&Candidate>) -> String {
    let known = candidate.filter(|candidate| candidate.value > LEAST);
    known.map_or_else(String::new, |candidate| format!("{:.0}", candidate.value))
}
