//! Requests of matches: optional fields, resolved with defaults and checks.

use std::fmt;
use std::path::PathBuf;

use jantaku_agents::NamedAgent;
use jantaku_engine::{Players, Rules};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::matches::{Match, PrepareError};
use super::parts::games_per_part;
use super::plan::MatchPlan;
use super::sequential::Sprt;
use jantaku_sim::play::{Detail, Seatings, StartOptions};
use jantaku_sim::run::unchanged::{check_unchanged, field, rules_field};
use jantaku_sim::run::{
    AgentChoice, ConfigError, NamedRules, RequestError, RulesChoice, RunConfig, Shard, agents_of,
    check_effect, check_names, check_number, open_rules,
};

/// A match to play. Fields that are not set come from the match being resumed, or have their defaults.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct MatchRequest {
    /// Play this agent against the baseline; see `jantaku agents`
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "AGENT", requires = "baseline", conflicts_with = "agents")
    )]
    pub challenger: Option<AgentChoice>,
    /// Play the challenger against this agent
    #[cfg_attr(feature = "clap", arg(long, value_name = "AGENT", requires = "challenger"))]
    pub baseline: Option<AgentChoice>,
    /// Play these agents at one table, an agent for each seat
    #[cfg_attr(feature = "clap", arg(long, value_name = "A,B,C,D"))]
    pub agents: Option<AgentChoice>,
    /// Choose who sits where in the games of a set: 1-v-rest, the challenger in each seat in turn;
    /// 2-v-2, both agents in two seats, all six ways; all-orders, all orders of `--agents` around the
    /// table; rotations, each of `--agents` in each seat [default: 1-v-rest, or all-orders]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "SEATINGS",
        value_parser = jantaku_sim::options::one_of(Seatings::OF_SETS, Seatings::name)
    ))]
    pub seatings: Option<Seatings>,
    /// Play this many sets, or at most as many with `--sprt`
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", value_parser = jantaku_sim::options::number::<u64>(1..=super::MAX_SETS),
        allow_negative_numbers = true, required_unless_present_any = ["sprt", "plan", "resume"]
    ))]
    pub sets: Option<u64>,
    /// Stop as soon as it is clear whether the challenger places better by the second number or
    /// only the first, such as 0,0.05
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "D0,D1", value_parser = options::differences, allow_hyphen_values = true,
        conflicts_with = "agents"
    ))]
    pub sprt: Option<(f64, f64)>,
    /// Set the chance of each wrong decision of `--sprt` [default: 0.05]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "ALPHA[,BETA]", value_parser = options::risks, requires = "sprt"
    ))]
    #[serde(deserialize_with = "one_or_two")]
    pub risk: Option<(f64, f64)>,
    /// Choose the rules, a preset or a TOML file; `jantaku rules list` lists the presets
    /// [default: tenhou]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PRESET|FILE"))]
    pub rules: Option<RulesChoice>,
    /// Let all seats keep their own draws when a call changes the order of turns, so that the games of
    /// a set have more luck in common
    #[cfg_attr(feature = "clap", arg(long))]
    pub keep_draws: bool,
    /// Set the seed of the walls and of random choices [default: 0]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "S", value_parser = jantaku_sim::options::number::<u64>(0..=jantaku_sim::run::MAX_NUMBER),
        allow_negative_numbers = true
    ))]
    pub seed: Option<u64>,
    /// Keep the games as a run in this new or empty folder, with the result in result.json
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR", required_if_eq("resume", "true")))]
    pub out: Option<PathBuf>,
    /// Also report variance-reduced results (AIVAT): without the luck of the tiles, so with narrower
    /// intervals
    #[cfg_attr(feature = "clap", arg(long))]
    pub variance_reduction: bool,
    /// Choose the tables of the run: hands, also decisions, or also oracle [default: hands, or
    /// decisions with `--variance-reduction`]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "LEVEL", requires = "out",
        value_parser = jantaku_sim::options::one_of([Detail::Hands, Detail::Decisions, Detail::Oracle], Detail::name)
    ))]
    pub log: Option<Detail>,
    /// Play one share of the games, such as 2/4 for the second of four, and count nothing;
    /// `jantaku merge` joins the shares to a match, which `--resume` then counts
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "I/N", requires = "out",
        conflicts_with_all = ["sprt", "only", "by", "csv", "parquet", "markdown", "html"]
    ))]
    pub shard: Option<Shard>,
    /// Resume the match in the folder with its own options; a larger `--sets` extends it. With
    /// `--shard`, repeat all options: the share is resumed, or begun if there is none
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "sprt"))]
    pub resume: bool,
    /// How its agents start.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub start: StartOptions,
}

/// The chances of the two wrong decisions: one number for both, or one for each.
fn one_or_two<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<(f64, f64)>, D::Error> {
    struct OneOrTwo;

    impl<'de> Visitor<'de> for OneOrTwo {
        type Value = Option<(f64, f64)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("one or two numbers")
        }

        fn visit_f64<E: Error>(self, both: f64) -> Result<Self::Value, E> {
            Ok(Some((both, both)))
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Self::Value, A::Error> {
            let [alpha, beta] = [numbers.next_element()?, numbers.next_element()?];
            alpha.zip(beta).map(Some).ok_or_else(|| A::Error::invalid_length(1, &self))
        }
    }

    deserializer.deserialize_any(OneOrTwo)
}

/// Parsers of values on the command line.
#[cfg(feature = "clap")]
mod options {
    use super::Sprt;

    /// Parses two placement differences such as `0,0.05`.
    pub(super) fn differences(text: &str) -> Result<(f64, f64), String> {
        let (low, high) =
            text.split_once(',').and_then(|(low, high)| Some((real(low)?, real(high)?))).ok_or(
                "expected two placement differences, such as 0,0.05: the test decides whether the challenger \
                 places better by the second or only by the first",
            )?;
        let test = Sprt { low, high, alpha: 0.05, beta: 0.05 };
        test.check().map(|()| (low, high))
    }

    /// Parses one or two chances such as `0.05` or `0.01,0.05`.
    pub(super) fn risks(text: &str) -> Result<(f64, f64), String> {
        let (alpha, beta) = text.split_once(',').unwrap_or((text, text));
        let risks = real(alpha)
            .zip(real(beta))
            .ok_or("expected one or two chances of a wrong decision, such as 0.05 or 0.01,0.05")?;
        let test = Sprt { low: 0.0, high: 1.0, alpha: risks.0, beta: risks.1 };
        test.check().map(|()| risks)
    }

    /// A finite number.
    fn real(text: &str) -> Option<f64> {
        text.trim().parse().ok().filter(|number: &f64| number.is_finite())
    }
}

impl MatchRequest {
    /// Creates or finds the match. Plays nothing.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or the run cannot be created or resumed.
    pub fn resolve(&self) -> Result<Match, PrepareError> {
        let Some(folder) = self.out.as_ref().filter(|_| self.resume) else {
            let (config, agents) = self.config()?;
            return Match::new(config, agents, self.plan(), self.out.as_deref());
        };
        self.check()?;
        Match::resume(folder, &self.plan(), |config, plan| {
            self.check_resumed(config, plan)?;
            self.resumed_agents(config)
        })
    }

    /// Creates or finds the run of a share of the match, which [`Match::play_shard`] plays. Plays
    /// nothing.
    ///
    /// # Errors
    ///
    /// As [`MatchRequest::resolve`], or if the match has a test.
    pub fn resolve_shard(&self) -> Result<Match, PrepareError> {
        if self.sprt.is_some() {
            let what = "a sequential test needs the sets in order, so no shards".to_owned();
            return Err(RequestError::Field(ConfigError { field: "sprt", what }).into());
        }
        let Some(folder) = &self.out else {
            return Err(RequestError::field("out", &"a folder", &"none").into());
        };
        let (config, agents) = self.config()?;
        if self.resume
            && let Some(found) = Match::find_shard(folder, &config, agents.clone(), self.plan())?
        {
            return Ok(found);
        }
        Match::new(config, agents, self.plan(), Some(folder))
    }

    /// What the match plays.
    pub fn plan(&self) -> MatchPlan {
        let MatchRequest { sets, variance_reduction, start, .. } = *self;
        let StartOptions { tables, on_fault, .. } = start;
        MatchPlan { sets, tables, on_fault, variance_reduction, sprt: self.test() }
    }

    /// The test that can end the match.
    fn test(&self) -> Option<Sprt> {
        let (alpha, beta) = self.risk.unwrap_or((0.05, 0.05));
        self.sprt.map(|(low, high)| Sprt { low, high, alpha, beta })
    }

    /// The run of a new match, and its agents. Its number of games is unknown with a test.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or the agents, seatings and rules do not fit together.
    pub fn config(&self) -> Result<(RunConfig, Vec<NamedAgent>), RequestError> {
        self.check()?;
        let NamedRules { name, rules } = open_rules(self.rules.as_ref())?;
        let rules = Rules { keep_draws: self.keep_draws || rules.keep_draws, ..rules };
        let (agents, seatings) = self.seated(rules.players)?;
        if self.sets.is_none() && self.sprt.is_none() {
            return Err(RequestError::field("sets", &"a number, or a test", &"none"));
        }
        let (plan, per_set) = (self.plan(), seatings.games_per_set(rules.players));
        let config = RunConfig {
            games: plan.sprt.is_none().then_some(plan.most_sets().saturating_mul(per_set)),
            seed: self.seed.unwrap_or(0),
            agents: agents.iter().map(NamedAgent::to_string).collect(),
            seatings,
            detail: self.detail()?,
            games_per_part: games_per_part(&agents, self.start.tables, per_set),
            // A test ends the whole match, so it has no shares.
            shard: self.shard.filter(|_| plan.sprt.is_none()),
            ..RunConfig::new(&name, &rules)
        };
        config.check()?;
        Ok((config.played_by(&agents)?, agents))
    }

    /// How much of each game is written.
    fn detail(&self) -> Result<Detail, RequestError> {
        let default = if self.variance_reduction { Detail::Decisions } else { Detail::Hands };
        match (&self.out, self.log) {
            (None, _) => Ok(Detail::None),
            (Some(_), Some(log)) if log < Detail::Hands => {
                Err(RequestError::field("log", &"hands, decisions or oracle", &log.name()))
            }
            (Some(_), log) => Ok(log.unwrap_or(default)),
        }
    }

    fn check(&self) -> Result<(), RequestError> {
        check_number("seed", self.seed, 0)?;
        check_number("sets", self.sets, 1)?;
        let has_out = self.out.is_some();
        check_effect("risk", self.risk.is_some(), "sprt", self.sprt.is_some())?;
        check_effect("log", self.log.is_some(), "out", has_out)?;
        check_effect("shard", self.shard.is_some(), "out", has_out)?;
        check_effect("resume", self.resume, "out", has_out)?;
        let wrong = |field| move |what| RequestError::Field(ConfigError { field, what });
        let Some(test) = self.test() else { return Ok(()) };
        test.check().map_err(wrong("sprt"))?;
        test.check_sets(self.sets).map_err(wrong("sets"))
    }

    /// Checks that the fields of the request agree with the match being resumed, its agents aside.
    fn check_resumed(&self, config: &RunConfig, plan: &MatchPlan) -> Result<(), RequestError> {
        let rules = &config.rules;
        let asked = self.rules.as_ref().map(RulesChoice::open).transpose()?.map(|asked| NamedRules {
            rules: Rules { keep_draws: rules.keep_draws, ..asked.rules },
            ..asked
        });
        let on = |given: bool| given.then_some(true);
        let text =
            |test: &Sprt| format!("{},{} with risks of {},{}", test.low, test.high, test.alpha, test.beta);
        let fields = [
            field("seatings", config.seatings.name(), self.seatings.map(Seatings::name)),
            field("sprt", plan.sprt.as_ref().map_or("none".to_owned(), text), self.test().as_ref().map(text)),
            rules_field(&config.rules_name, rules, asked),
            field("keep_draws", rules.keep_draws, on(self.keep_draws)),
            field("seed", config.seed, self.seed),
            field("log", config.detail.name(), self.log.map(Detail::name)),
            field("variance_reduction", plan.variance_reduction, on(self.variance_reduction)),
        ];
        Ok(check_unchanged("match", None, fields)?)
    }

    /// The agents, and who sits where.
    fn seated(&self, players: Players) -> Result<(Vec<NamedAgent>, Seatings), RequestError> {
        let (agents, default) = match (&self.challenger, &self.baseline, &self.agents) {
            (Some(challenger), Some(baseline), None) => {
                let challenger = challenger.one("challenger")?;
                let baseline = baseline.one("baseline")?;
                // A network that plays against itself is opened once.
                let is_same = challenger.name() == baseline.name();
                let baseline = if is_same { challenger.clone() } else { baseline };
                (vec![challenger, baseline], Seatings::OneVersusRest)
            }
            (None, None, Some(agents)) => {
                (agents.seats("agents", usize::from(players.count()))?, Seatings::AllOrders)
            }
            _ => {
                let expected = "a challenger and a baseline, or an agent for each seat";
                let given = [
                    ("challenger", self.challenger.is_some()),
                    ("baseline", self.baseline.is_some()),
                    ("agents", self.agents.is_some()),
                ];
                let given: Vec<&str> =
                    given.into_iter().filter_map(|(name, is_given)| is_given.then_some(name)).collect();
                let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
                return Err(RequestError::field("agents", &expected, &found));
            }
        };
        check_names(if self.agents.is_some() { "agents" } else { "challenger" }, &agents)?;
        let seatings = self.seatings.unwrap_or(default);
        if seatings.is_fixed() || seatings.agents(players) != agents.len() {
            let expected = if agents.len() == 2 { "1-v-rest or 2-v-2" } else { "all-orders or rotations" };
            return Err(RequestError::Value {
                field: "seatings",
                value: seatings.name().to_owned(),
                what: format!("expected {expected} for these agents"),
            });
        }
        Ok((agents, seatings))
    }

    /// The agents of a match that is resumed: those of its run. Agents in the request must be the same.
    fn resumed_agents(&self, config: &RunConfig) -> Result<Vec<NamedAgent>, RequestError> {
        if self.challenger.is_none() && self.agents.is_none() {
            return agents_of(config);
        }
        let (agents, _) = self.seated(config.rules.players)?;
        let found: Vec<&str> = agents.iter().map(NamedAgent::name).collect();
        if found != config.agents {
            let expected = format!("{} as in the match", config.agents.join(", "));
            let found = format!("{}; leave them out to resume the match as it is", found.join(", "));
            return Err(RequestError::field("agents", &expected, &found));
        }
        Ok(agents)
    }
}
