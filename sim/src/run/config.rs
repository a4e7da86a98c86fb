//! The contents of `run.toml`.

use std::fmt::Display;
use std::ops::Range;

use jantaku_agents::labels::{LabelOptions, Labeller};
use jantaku_agents::{Catalog, NamedAgent, OnFault, ParseAgentError, label_of};
use jantaku_engine::replay::GameStart;
use jantaku_engine::{Players, Rules};
use serde::{Deserialize, Serialize};

use crate::VERSION;
use crate::dataset::{BranchPoint, Contents, SCHEMA_VERSION, TableKind};
use crate::play::{self, Detail, Job, Policies, Schedule, Seatings};
use crate::run::parameters::AgentParameters;
use crate::run::shard::Shard;

/// Games in a part unless the caller asks for another number: about 11 MB of decisions.
const GAMES_PER_PART: u64 = 1000;

/// The end of the name of a commit whose sources were modified before the build.
const MODIFIED: &str = "-dirty";

/// Everything needed to repeat a run: the contents of `run.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// Version of the tables.
    pub schema: u32,
    /// Version of the program.
    pub version: String,
    /// Commit that the program was built from, or `unknown`; with `-dirty` if its sources were
    /// modified.
    pub commit: String,
    /// Games of the whole run, all shards together. `None` if the number is not known yet: a
    /// sequential test has not ended the match, or not all logs have been read.
    #[serde(with = "known_games")]
    pub games: Option<u64>,
    /// Seed of the run.
    pub seed: u64,
    /// The agents, in the order that the seatings need.
    pub agents: Vec<String>,
    /// Who sits where in the games on the same walls. Matches and leagues have duplicate sets; each
    /// game of self-play and logs is on its own walls.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub seatings: Seatings,
    /// How much of each game is written; never [`Detail::None`] in a file.
    #[serde(rename = "log")]
    pub detail: Detail,
    /// Games in a part.
    pub games_per_part: u64,
    /// Share of the games in this folder; `None` for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Whether the run can be repeated: the agents are functions of their observations and random
    /// numbers, and the commit has all sources of the program.
    pub deterministic: bool,
    /// What a fault of an external engine causes. Matches and leagues keep it elsewhere.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub on_fault: OnFault,
    /// Whether the games come from logs. Their walls do not follow from seeds, so the run keeps them.
    #[serde(default, alias = "walls")]
    pub from_logs: bool,
    /// Name of the rule set as the user gave it.
    pub rules_name: String,
    /// [`Rules::hash`], 16 hexadecimal digits.
    pub rules_hash: String,
    /// Where the only game of the run branches from another game. None for games that the agents played
    /// from the first decision on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchPoint>,
    /// The parameters of the agents that play or label.
    #[serde(default, skip_serializing_if = "AgentParameters::is_empty")]
    pub parameters: AgentParameters,
    /// Which decisions are labelled, and how. None for no labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<LabelOptions>,
    /// The rules.
    pub rules: Rules,
}

/// The number of games in `run.toml`: 0 if it is not known yet.
mod known_games {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::ref_option, reason = "serde passes a reference to the field")]
    pub(super) fn serialize<S: Serializer>(games: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        games.unwrap_or(0).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        Ok(Some(u64::deserialize(from)?).filter(|games| *games > 0))
    }
}

/// A value of a [`RunConfig`] that is not valid or does not agree with another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {what}")]
pub struct ConfigError {
    /// The field.
    pub field: &'static str,
    /// What was expected and what was found.
    pub what: String,
}

impl ConfigError {
    /// A field, what it must be, and what it is.
    pub fn new(field: &'static str, expected: &dyn Display, found: &dyn Display) -> ConfigError {
        ConfigError { field, what: format!("expected {expected}, found {found}") }
    }

    /// A field that has no effect because of other fields, and why.
    pub fn without_effect(field: &'static str, why: &dyn Display) -> ConfigError {
        ConfigError { field, what: format!("without effect, because {why}") }
    }
}

/// Checks that agents can play under these rules.
///
/// # Errors
///
/// The first agent that cannot, with its reason.
pub fn check_rules<'a>(
    agents: impl IntoIterator<Item = &'a NamedAgent>,
    rules: &Rules,
) -> Result<(), ConfigError> {
    agents.into_iter().try_for_each(|agent| {
        let checked = agent.check_rules(rules);
        checked.map_err(|what| ConfigError { field: "agents", what: format!("`{agent}`: {what}") })
    })
}

impl RunConfig {
    /// The configuration of a new run under these rules, of this version of the program. It has no
    /// agents yet.
    pub fn new(rules_name: &str, rules: &Rules) -> RunConfig {
        RunConfig {
            schema: SCHEMA_VERSION,
            version: VERSION.to_owned(),
            commit: crate::commit().to_owned(),
            games: None,
            seed: 0,
            agents: Vec::new(),
            seatings: Seatings::Fixed,
            detail: Detail::Decisions,
            games_per_part: GAMES_PER_PART,
            shard: None,
            deterministic: !crate::commit().ends_with(MODIFIED),
            on_fault: OnFault::Stop,
            from_logs: false,
            rules_name: rules_name.to_owned(),
            rules_hash: hash_text(rules),
            branch: None,
            parameters: AgentParameters::default(),
            labels: None,
            rules: *rules,
        }
    }

    /// The configuration of the run if these agents play it: with their parameters, and deterministic
    /// only if all of them are.
    ///
    /// # Errors
    ///
    /// If one of them cannot play under the rules of the run.
    pub fn played_by(self, agents: &[NamedAgent]) -> Result<RunConfig, ConfigError> {
        check_rules(agents, &self.rules)?;
        let deterministic = self.deterministic && agents.iter().all(NamedAgent::is_deterministic);
        Ok(RunConfig { deterministic, parameters: AgentParameters::of(agents), ..self })
    }

    /// The same run with these labels, and the parameters of the agents that make them.
    ///
    /// # Errors
    ///
    /// If an agent of the labels cannot be built or cannot play under the rules of the run.
    pub fn with_labels(self, labels: Option<LabelOptions>) -> Result<RunConfig, ConfigError> {
        let mut parameters = self.parameters.among(&self.agents);
        let labelled = RunConfig { labels, ..self };
        let agents = labelled.label_agents()?;
        check_rules(&agents, &labelled.rules).map_err(|error| ConfigError { field: "labels", ..error })?;
        parameters.add(&AgentParameters::of(&agents));
        Ok(RunConfig { parameters, ..labelled })
    }

    /// The agents of the labels; none without labels.
    fn label_agents(&self) -> Result<Vec<NamedAgent>, ConfigError> {
        let texts = self.labels.as_ref().map(LabelOptions::agents);
        let agents = texts.iter().flatten().map(|text| Catalog::standard().agent(text));
        agents.collect::<Result<_, _>>().map_err(|cause| wrong_labels(&cause))
    }

    /// Checks that the agents of the labels still have the parameters of the labels so far.
    ///
    /// # Errors
    ///
    /// The agent and the file that changed, was added or cannot be read, as a text.
    pub(crate) fn check_label_parameters(&self) -> Result<(), String> {
        let agents = self.label_agents().map_err(|error| error.to_string())?;
        let names: Vec<String> = agents.iter().map(NamedAgent::to_string).collect();
        self.parameters.among(&names).check()
    }

    /// The configuration of a run of games that come from logs, each with its own rules.
    pub fn for_logs(detail: Detail) -> RunConfig {
        let new = RunConfig::new("of each log", &Rules::default());
        RunConfig { from_logs: true, deterministic: false, detail, ..new }
    }

    /// The name of the rules, and whether a match changed them to keep draws.
    pub fn rules_in_words(&self) -> String {
        let kept = if self.rules.keep_draws { " with kept draws" } else { "" };
        format!("{}{kept}", self.rules_name)
    }

    /// Where its games start. Unused for games from logs.
    pub fn start(&self) -> GameStart {
        BranchPoint::start(self.branch.as_ref(), &self.rules)
    }

    /// Whether the program was built from uncommitted sources. Two such programs may differ
    /// although their commits have the same name.
    pub fn has_modified_sources(&self) -> bool {
        self.commit.ends_with(MODIFIED)
    }

    /// The numbers of the games in this folder. Without an end if their number is not known yet.
    pub fn range(&self) -> Range<u64> {
        let Some(games) = self.games else { return 0..u64::MAX };
        let of_shard = self.shard.and_then(|shard| shard.games(games, self.games_per_part));
        of_shard.unwrap_or(0..games)
    }

    /// How many games this folder has once it is complete. None if their number is not known yet.
    pub fn games_of_folder(&self) -> Option<u64> {
        let Range { start, end } = self.range();
        self.games.map(|_| end - start)
    }

    /// The games of the whole run. No games if their number is not known yet.
    pub fn schedule(&self) -> Schedule {
        let (games, players) = (self.games.unwrap_or(0), self.rules.players);
        Schedule { seed: self.seed, games, seatings: self.seatings, players }
    }

    /// The built-in agents of the run.
    ///
    /// # Errors
    ///
    /// If a name is not that of a built-in agent that decides one action at a time.
    pub fn players(&self) -> Result<play::Players, ParseAgentError> {
        Ok(play::Players::Policies(self.policies()?))
    }

    /// The agents of [`RunConfig::players`].
    ///
    /// # Errors
    ///
    /// As [`RunConfig::players`].
    pub fn policies(&self) -> Result<Policies, ParseAgentError> {
        let policies = Catalog::standard().policies(&self.agents.join(","), self.agents.len())?;
        Ok(Policies::new(policies))
    }

    /// The agents of the catalog that play the run. Not all of them need be policies.
    ///
    /// # Errors
    ///
    /// If a name is not that of an agent of the catalog.
    pub fn named_agents(&self) -> Result<Vec<NamedAgent>, ParseAgentError> {
        Catalog::standard().agents(&self.agents.join(","), self.agents.len())
    }

    /// The job of playing these games of the run.
    pub fn job(&self, games: Range<u64>) -> Job<'_> {
        Job { rules: &self.rules, schedule: self.schedule(), games, detail: self.detail }
    }

    /// What the run's dataset holds.
    pub fn contents(&self) -> Contents {
        Contents {
            detail: self.detail,
            walls: self.from_logs,
            labels: self.labels.is_some(),
            rules: self.rules,
            agents: self.agents.iter().map(|agent| label_of(agent).to_owned()).collect(),
            schedule: self.schedule(),
            branch: self.branch.clone(),
        }
    }

    /// The labeller of the decisions of the run. None if it has no labels.
    ///
    /// # Errors
    ///
    /// If an agent of the labels cannot be built.
    pub fn labeller(&self) -> Result<Option<Labeller>, ConfigError> {
        let Some(options) = &self.labels else { return Ok(None) };
        let labeller = Labeller::new(options.clone(), &Catalog::standard());
        labeller.map(Some).map_err(|cause| wrong_labels(&cause))
    }

    /// Whether the run has this table.
    pub fn keeps(&self, table: TableKind) -> bool {
        table.is_kept(self.detail, self.from_logs, self.labels.is_some())
    }

    /// The tables of the run.
    pub(crate) fn kept(&self) -> impl Iterator<Item = TableKind> {
        TableKind::ALL.into_iter().filter(|table| self.keeps(*table))
    }

    /// Checks that the values are valid and agree with each other.
    ///
    /// # Errors
    ///
    /// The first value that is wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        let rules = self.rules.check();
        rules.map_err(|wrong| ConfigError { field: "rules", what: wrong.to_string() })?;
        if self.labels.is_some() && self.detail < Detail::Decisions {
            return Err(ConfigError::new(
                "log",
                &"decisions or oracle, because `labels` needs decisions",
                &self.detail.name(),
            ));
        }
        self.labeller()?;
        if self.games_per_part == 0 {
            return Err(ConfigError::new("games_per_part", &"at least 1", &0));
        }
        if let (Some(shard), Some(games)) = (self.shard, self.games)
            && shard.games(games, self.games_per_part).is_none()
        {
            let parts = games.div_ceil(self.games_per_part);
            let plural = if parts == 1 { "" } else { "s" };
            let per_part = self.games_per_part;
            let expected = format!("at most {parts} shard{plural}, one for each part of {per_part} games");
            return Err(ConfigError::new("shard", &expected, &shard));
        }
        if let Some(branch) = &self.branch {
            let games = self.games_of_folder();
            if games != Some(1) {
                let expected = "a run of one game, which branches from another game";
                let found =
                    games.map_or("an unknown number of games".to_owned(), |games| format!("{games} games"));
                return Err(ConfigError::new("branch", &expected, &found));
            }
            branch.check(&self.rules).map_err(|what| ConfigError { field: "branch.first_hand", what })?;
        }
        let hash = hash_text(&self.rules);
        if self.rules_hash != hash {
            let expected = format!("{hash} for these `rules`");
            return Err(ConfigError::new("rules_hash", &expected, &self.rules_hash));
        }
        // The players of games from logs are in the table of games.
        if self.from_logs { Ok(()) } else { self.check_seatings() }
    }

    /// Checks that the seatings fit the agents and the number of players, and that the run and its parts
    /// have whole duplicate sets.
    fn check_seatings(&self) -> Result<(), ConfigError> {
        let (seatings, players) = (self.seatings, self.rules.players);
        if seatings == Seatings::TwoVersusTwo && players != Players::Four {
            return Err(ConfigError::new(
                "seatings",
                &"rules for four players for `2-v-2`",
                &players.count(),
            ));
        }
        let agents = seatings.agents(players);
        if self.agents.len() != agents {
            let why = if seatings.is_pair() { "" } else { ", one for each player" };
            return Err(ConfigError::new("agents", &format!("{agents}{why}"), &self.agents.len()));
        }
        let per_set = seatings.games_per_set(players);
        for (field, games) in [("games", self.games.unwrap_or(0)), ("games_per_part", self.games_per_part)] {
            if games % per_set != 0 {
                let expected = format!("a multiple of {per_set}, the games of a set");
                return Err(ConfigError::new(field, &expected, &games));
            }
        }
        Ok(())
    }
}

/// The error for labels with an agent that cannot be built.
fn wrong_labels(cause: &ParseAgentError) -> ConfigError {
    ConfigError { field: "labels", what: cause.to_string() }
}

fn hash_text(rules: &Rules) -> String {
    format!("{:016x}", rules.hash())
}
