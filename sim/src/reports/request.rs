//! Requests of statistics and sweeps: optional fields, resolved with defaults and checks.

use jantaku_agents::NamedAgent;
use jantaku_engine::Rules;
use toml::Value;

use super::variants::{Variant, VariantError, Variants};
use crate::play::{Detail, Groups, Job, Policies, Schedule};
use crate::run::{AgentChoice, MAX_NUMBER, NamedRules, RequestError, check_number, check_rules};
use crate::stats::Target;

/// Games to play for their statistics. A field that is not given has its default.
#[derive(Clone, Debug, Default)]
pub struct StatsRequest {
    /// The number of games, or the most of them with a precision.
    pub games: Option<u64>,
    /// How precisely figures must be known, such as `points.mean=50`.
    pub precision: Vec<String>,
    /// One agent for all seats, or one for each; by default `greedy`.
    pub agents: Option<AgentChoice>,
    /// The rules.
    pub rules: Option<NamedRules>,
    /// The seed, as that of a run; by default 0.
    pub seed: Option<u64>,
}

/// Games that are ready to be played for their statistics.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The rules.
    pub rules: NamedRules,
    /// The seed, as that of a run.
    pub seed: u64,
    /// The number of games, or the most of them with targets.
    pub games: u64,
    /// The agents, one for each seat.
    pub agents: Vec<NamedAgent>,
    /// Figures that are to be known exactly enough.
    pub targets: Vec<Target>,
}

impl StatsRequest {
    /// Resolves the request.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or neither games nor a precision is given.
    pub fn resolve(&self) -> Result<Simulation, RequestError> {
        let rules = self.rules.clone().unwrap_or_default();
        let agents = seated(self.agents.as_ref(), &rules.rules)?;
        let groups = Groups::new(agents.iter().map(NamedAgent::name));
        let games = most_games(self.games, &self.precision)?;
        check_number("seed", self.seed, 0)?;
        let targets = targets(&self.precision, &groups, &[&rules.rules])?;
        Ok(Simulation { rules, seed: self.seed.unwrap_or(0), games, agents, targets })
    }
}

impl Simulation {
    /// The first games, such as those of a pilot.
    #[must_use]
    pub const fn job(&self, games: u64) -> Job<'_> {
        Job::new(&self.rules.rules, Schedule::selfplay(self.seed, games), Detail::None)
    }
}

/// Games to play under several rule sets. A field that is not given has its default.
#[derive(Clone, Debug, Default)]
pub struct SweepRequest {
    /// The rule sets. The others are compared with the first.
    pub rules: Vec<NamedRules>,
    /// Fields of the only rule set, with the values that they take and the texts of these.
    pub vary: Vec<(String, Vec<(String, Value)>)>,
    /// Whether each variant changes one field, instead of all combinations of the fields.
    pub one_at_a_time: bool,
    /// The number of games under each variant, or the most of them with a precision.
    pub games: Option<u64>,
    /// Differences that are to be known exactly enough.
    pub precision: Vec<String>,
    /// One agent for all seats, or one for each; by default `greedy`.
    pub agents: Option<AgentChoice>,
    /// The seed, as that of a run; by default 0.
    pub seed: Option<u64>,
}

/// A sweep that is ready to be played.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    /// The variants.
    pub variants: Variants,
    /// The agents, one for each seat.
    pub policies: Policies,
    /// The seed, as that of a run.
    pub seed: u64,
    /// The number of games under each variant, or the most of them with targets.
    pub games: u64,
    /// Differences that are to be known exactly enough.
    pub targets: Vec<Target>,
}

/// Why a request of a sweep cannot be fulfilled.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A field is not valid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The rule sets cannot be compared.
    #[error(transparent)]
    Variants(#[from] VariantError),
}

impl SweepRequest {
    /// Resolves the request.
    ///
    /// # Errors
    ///
    /// If a field is not valid, the rule sets cannot be compared, or an agent is not a policy.
    pub fn resolve(&self) -> Result<SweepPlan, SweepError> {
        let variant = |rules: &NamedRules| Variant { name: rules.name.clone(), rules: rules.rules };
        let variants =
            Variants::new(self.rules.iter().map(variant).collect(), &self.vary, self.one_at_a_time)?;
        let agents = seated(self.agents.as_ref(), &variants.all()[0].rules)?;
        let policies = agents.iter().map(|agent| {
            agent.to_policy().map_err(|cause| RequestError::Agents {
                field: "agents",
                text: agent.to_string(),
                cause: Box::new(cause),
            })
        });
        let policies = Policies::new(policies.collect::<Result<_, _>>()?);
        for rules in variants.rules() {
            check_rules(&agents, rules).map_err(RequestError::from)?;
        }
        let games = most_games(self.games, &self.precision)?;
        check_number("seed", self.seed, 0)?;
        let groups = Groups::new(agents.iter().map(NamedAgent::name));
        let targets = targets(&self.precision, &groups, &variants.rules())?;
        let named: Vec<(&str, &Rules)> =
            variants.all().iter().map(|variant| (variant.name.as_str(), &variant.rules)).collect();
        for (text, target) in self.precision.iter().zip(&targets) {
            let cannot = |what| RequestError::Value { field: "precision", value: text.clone(), what };
            target.check_variants(&groups, &named).map_err(cannot)?;
        }
        Ok(SweepPlan { variants, policies, seed: self.seed.unwrap_or(0), games, targets })
    }
}

impl SweepPlan {
    /// The first games under each variant.
    #[must_use]
    pub fn jobs(&self, games: u64) -> Vec<Job<'_>> {
        let schedule = Schedule::selfplay(self.seed, games);
        self.variants.rules().into_iter().map(|rules| Job::new(rules, schedule, Detail::None)).collect()
    }
}

/// The agents of all seats.
fn seated(agents: Option<&AgentChoice>, rules: &Rules) -> Result<Vec<NamedAgent>, RequestError> {
    let seats = usize::from(rules.players.count());
    match agents {
        Some(agents) => agents.seats("agents", seats),
        None => AgentChoice::Text("greedy".to_owned()).seats("agents", seats),
    }
}

/// The number of games, or the most of them with a precision.
fn most_games(games: Option<u64>, precision: &[String]) -> Result<u64, RequestError> {
    check_number("games", games, 1)?;
    let most = (!precision.is_empty()).then_some(MAX_NUMBER);
    games.or(most).ok_or_else(|| RequestError::field("games", &"a number from 1, or a precision", &"none"))
}

/// Figures that are to be known exactly enough.
fn targets(texts: &[String], groups: &Groups, variants: &[&Rules]) -> Result<Vec<Target>, RequestError> {
    let target = |text: &String| {
        let parse = |text: &str| Target::parse(text, groups, variants);
        parse(text).map_err(|error| {
            let is_list = text.contains(',') && text.split(',').all(|part| parse(part).is_ok());
            let what = if is_list {
                "expected one figure; give each its own precision".to_owned()
            } else {
                error.clone()
            };
            RequestError::Value { field: "precision", value: text.clone(), what }
        })
    };
    texts.iter().map(target).collect()
}
