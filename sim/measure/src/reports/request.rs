//! Requests of statistics and sweeps: optional fields, resolved with defaults and checks.

use jantaku_agents::NamedAgent;
use jantaku_engine::Rules;
use serde::Deserialize;

use super::variants::{Variant, VariantError, Variants};
use super::vary::{VariantRules, Vary, variants, varied};
use crate::stats::Target;
use jantaku_sim::play::{Detail, Groups, Job, Policies, Schedule, StartOptions};
use jantaku_sim::run::{
    AgentChoice, ConfigError, MAX_NUMBER, NamedRules, RequestError, RulesChoice, check_effect, check_number,
    check_rules, one_or_more, open_rules,
};

/// Games to play for figures. Fields that are not set have their defaults.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct GamesRequest {
    /// Play this many games, or at most as many with `--precision`
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", value_parser = jantaku_sim::options::number::<u64>(1..=MAX_NUMBER),
        allow_negative_numbers = true
    ))]
    pub games: Option<u64>,
    /// Use one agent for all seats, or one for each; see `jantaku agents` [default: greedy]
    #[cfg_attr(feature = "clap", arg(long, value_name = "A[,B,C,D]"))]
    pub agents: Option<AgentChoice>,
    /// Play the games that `selfplay` plays with this seed [default: 0]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "S", value_parser = jantaku_sim::options::number::<u64>(0..=MAX_NUMBER),
        allow_negative_numbers = true
    ))]
    pub seed: Option<u64>,
    /// Play until no end of the figure's interval is farther than this from its value, such as
    /// `draws.four-kans=0.001%` (percentage points), `draws.four-kans=10%rel` (a tenth of the value)
    /// or `points.mean=50`; `--games` is then the maximum
    #[cfg_attr(feature = "clap", arg(long, value_name = "FIGURE[@GROUP]=DISTANCE"))]
    #[serde(deserialize_with = "one_or_more")]
    pub precision: Vec<String>,
}

/// Games to play for their statistics.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct StatsRequest {
    /// The games.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub play: GamesRequest,
    /// Use this preset or TOML file; see `jantaku rules list` [default: tenhou]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PRESET|FILE", conflicts_with = "runs"))]
    pub rules: Option<RulesChoice>,
    /// How the agents start.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub start: StartOptions,
}

/// Games that are ready to be played for their statistics.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The rules.
    pub rules: NamedRules,
    /// The seed, as that of a run.
    pub seed: u64,
    /// The number of games, or their maximum if there are targets.
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
        let rules = open_rules(self.rules.as_ref())?;
        let agents = seated(self.play.agents.as_ref(), &rules.rules)?;
        let groups = Groups::new(agents.iter().map(NamedAgent::name));
        let games = most_games(&self.play)?;
        let targets = targets(&self.play.precision, &groups, &[&rules.rules])?;
        Ok(Simulation { rules, seed: self.play.seed.unwrap_or(0), games, agents, targets })
    }
}

impl Simulation {
    /// The job that plays the first `games` games, such as a pilot.
    pub const fn job(&self, games: u64) -> Job<'_> {
        Job::new(&self.rules.rules, Schedule::selfplay(self.seed, games), Detail::None)
    }
}

/// Games to play under several rule sets.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SweepRequest {
    /// Add a preset or TOML file as a variant, with a name of its own if one is given; with
    /// `--vary`, give only one
    #[cfg_attr(feature = "clap", arg(long, value_name = "[NAME=]PRESET|FILE", required = true))]
    #[serde(deserialize_with = "variants")]
    pub rules: Vec<VariantRules>,
    /// Add a variant for each value of a rule field, such as `kiriage=true,false`; several fields
    /// give all combinations
    #[cfg_attr(feature = "clap", arg(long, value_name = "FIELD=V1,V2", allow_hyphen_values = true))]
    #[serde(deserialize_with = "varied")]
    pub vary: Vec<Vary>,
    /// Change one field in each variant, instead of all combinations
    #[cfg_attr(feature = "clap", arg(long, requires = "vary"))]
    pub one_at_a_time: bool,
    /// The games under each variant.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub play: GamesRequest,
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
    /// The number of games under each variant, or their maximum if there are targets.
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
        check_effect("one_at_a_time", self.one_at_a_time, "vary", !self.vary.is_empty())?;
        let variants = Variants::new(self.bases()?, &self.vary, self.one_at_a_time)?;
        let agents = seated(self.play.agents.as_ref(), &variants.all()[0].rules)?;
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
        let games = most_games(&self.play)?;
        let groups = Groups::new(agents.iter().map(NamedAgent::name));
        let targets = targets(&self.play.precision, &groups, &variants.rules())?;
        let named: Vec<(&str, &Rules)> =
            variants.all().iter().map(|variant| (variant.name.as_str(), &variant.rules)).collect();
        for (text, target) in self.play.precision.iter().zip(&targets) {
            let cannot = |what| RequestError::Value { field: "precision", value: text.clone(), what };
            target.check_variants(&groups, &named).map_err(cannot)?;
        }
        Ok(SweepPlan { variants, policies, seed: self.play.seed.unwrap_or(0), games, targets })
    }

    /// The rule sets of the request. Fails if one that is given as text has the name of another one with
    /// different rules.
    fn bases(&self) -> Result<Vec<Variant>, RequestError> {
        let mut bases: Vec<Variant> = Vec::new();
        for given in &self.rules {
            let NamedRules { name, rules } = given.open()?;
            let is_other = |other: &Variant| other.name == name && other.rules != rules;
            if given.text().is_some() && bases.iter().any(is_other) {
                let what =
                    format!("`{name}` names two rule sets; give each its own name, such as `mine=mjsoul`");
                return Err(ConfigError { field: "rules", what }.into());
            }
            bases.push(Variant { name, rules });
        }
        Ok(bases)
    }
}

impl SweepPlan {
    /// A job for each variant, with its first games.
    pub fn jobs(&self, games: u64) -> Vec<Job<'_>> {
        let schedule = Schedule::selfplay(self.seed, games);
        self.variants.rules().into_iter().map(|rules| Job::new(rules, schedule, Detail::None)).collect()
    }
}

/// The agents of all seats: by default `greedy`.
fn seated(agents: Option<&AgentChoice>, rules: &Rules) -> Result<Vec<NamedAgent>, RequestError> {
    let greedy = AgentChoice::Text("greedy".to_owned());
    agents.unwrap_or(&greedy).seats("agents", usize::from(rules.players.count()))
}

/// The number of games, or their maximum if a precision is requested: then by default [`MAX_NUMBER`]. Checks
/// the seed, too.
fn most_games(play: &GamesRequest) -> Result<u64, RequestError> {
    check_number("games", play.games, 1)?;
    check_number("seed", play.seed, 0)?;
    let most = (!play.precision.is_empty()).then_some(MAX_NUMBER);
    play.games
        .or(most)
        .ok_or_else(|| RequestError::field("games", &"a number from 1, or a precision", &"none"))
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
