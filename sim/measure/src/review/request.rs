//! What a caller asks to review.

use std::borrow::Cow;
use std::path::PathBuf;

use jantaku_agents::{Catalog, MonteCarlo, NamedAgent, quoted, without_label};
use jantaku_engine::Rules;
use jantaku_show::HandChoice;
use serde::{Deserialize, Deserializer};

use super::decisions::{Decisions, PlayedDecision};
use super::error::ReviewError;
use super::result::{Review, ReviewedDecision};
use super::reviewer::Reviewer;
use super::seat::SeatChoice;
use super::threshold::Threshold;
use crate::explain::References;
use jantaku_sim::play::Watch;
use jantaku_sim::replay::source::{DecisionContext, GameSource};
use jantaku_sim::run::{AgentChoice, ConfigError, RequestError, RulesChoice, parsed};
use jantaku_sim::store;

/// A review of the decisions of one player. All numbers count from 0.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ReviewRequest {
    /// A run or a log.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub source: PathBuf,
    /// The number of the game. A log has a game 0 by default.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub game: Option<u64>,
    /// Review this player: a seat (0 is the first dealer), its wind in the first hand (E), or a name
    #[cfg_attr(feature = "clap", arg(long, value_name = "SEAT|WIND|NAME", allow_negative_numbers = true))]
    #[serde(deserialize_with = "parsed")]
    pub seat: SeatChoice,
    /// Review only this hand: a number from 0, or the first hand with a name such as E3 or E3-1
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|HAND", allow_negative_numbers = true))]
    #[serde(default, deserialize_with = "hand")]
    pub hand: Option<HandChoice>,
    /// Search with this agent: `mc` with any options, or another one, such as `residual`, as the prior of
    /// the usual search [default: mc:rollouts=512]
    #[cfg_attr(feature = "clap", arg(long, value_name = "AGENT"))]
    pub agent: Option<AgentChoice>,
    /// Call a loss of more than this many points a mistake [default: 2000, unless `--threshold-places` is
    /// given]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "POINTS", value_parser = options::points, allow_negative_numbers = true
    ))]
    pub threshold: Option<f32>,
    /// Call a loss of more than this part of a place a mistake, such as 0.05; with both, a mistake loses
    /// more by both measures
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "PLACES", value_parser = options::places, allow_negative_numbers = true
    ))]
    pub threshold_places: Option<f32>,
    /// Spend at most this many rollouts on confirming losses, after the searches [default: 110000]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", value_parser = jantaku_sim::options::number::<u64>(0..=u64::MAX),
        allow_negative_numbers = true
    ))]
    pub rollouts: Option<u64>,
    /// Choose the random numbers of the search [default: 0]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "S", value_parser = jantaku_sim::options::number::<u64>(0..=u64::MAX),
        allow_negative_numbers = true
    ))]
    pub seed: Option<u64>,
    /// Read a log under these rules, whatever it states: a preset or a file. Runs have their own
    #[cfg_attr(feature = "clap", arg(long, value_name = "PRESET|FILE"))]
    pub rules: Option<RulesChoice>,
}

fn hand<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<HandChoice>, D::Error> {
    parsed(deserializer).map(Some)
}

/// Parsers of values on the command line.
#[cfg(feature = "clap")]
mod options {
    /// Parses a threshold in points.
    pub(super) fn points(text: &str) -> Result<f32, String> {
        jantaku_sim::options::number::<u32>(0..=1_000_000)(text).map(|points| points as f32)
    }

    /// Parses a threshold in places.
    pub(super) fn places(text: &str) -> Result<f32, String> {
        let places = text.parse().ok().filter(|places| (0.0..=3.0).contains(places));
        places.ok_or_else(|| "expected a number of places from 0 to 3".to_owned())
    }
}

impl ReviewRequest {
    /// The default agent.
    pub const AGENT: &str = "mc:rollouts=512";
    /// The default maximum number of rollouts of all trials.
    pub const ROLLOUTS: u64 = 110_000;

    /// Opens the game.
    pub(super) fn open(&self) -> Result<GameSource, ReviewError> {
        if self.rules.is_some() && store::is_folder(&self.source) {
            let why = "a run keeps the rules of its games";
            return Err(RequestError::from(ConfigError::without_effect("rules", &why)).into());
        }
        let rules = self.rules.as_ref().map(RulesChoice::open).transpose().map_err(RequestError::from)?;
        Ok(GameSource::open(&self.source, self.game, rules.as_ref().map(|named| &named.rules))?)
    }

    /// The agent that searches, or is the prior of the default search.
    fn agent(&self) -> Result<NamedAgent, RequestError> {
        let default = || AgentChoice::Text(ReviewRequest::AGENT.to_owned());
        self.agent.clone().unwrap_or_else(default).one("agent")
    }

    fn threshold(&self) -> Result<Threshold, RequestError> {
        for (field, size) in [("threshold", self.threshold), ("threshold_places", self.threshold_places)] {
            if let Some(found) = size.filter(|size| !(size.is_finite() && *size >= 0.0)) {
                return Err(RequestError::field(field, &"a number from 0", &found));
            }
        }
        Ok(Threshold::new(self.threshold, self.threshold_places))
    }

    /// The agent's own search, or the default search with the agent as its prior; and the name of the
    /// search. Fails if the agent can be neither.
    fn search(agent: &NamedAgent) -> Result<(Cow<'_, MonteCarlo>, String), ReviewError> {
        if let Some(search) = agent.downcast::<MonteCarlo>() {
            return Ok((Cow::Borrowed(search), without_label(agent.name()).to_owned()));
        }
        let default = Catalog::standard().agent(ReviewRequest::AGENT).expect("the catalog has the default");
        let default = default.downcast::<MonteCarlo>().expect("the default agent searches").clone();
        let prior = without_label(agent.name());
        let search = default.with_prior(agent);
        let search = search.map_err(|_| RequestError::Value {
            field: "agent",
            value: agent.name().to_owned(),
            what: "expected `mc`, which compares actions by search, or an agent that `mc` can start from, such as \
                   `residual`"
                .to_owned(),
        })?;
        Ok((Cow::Owned(search), format!("{},prior={}", ReviewRequest::AGENT, quoted(prior))))
    }

    /// Reviews the decisions. The searches use all threads of the rayon pool.
    ///
    /// The watch receives the number of searches and of interim checks of trials. If it stops the review,
    /// the result has the decisions and trials so far.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or the game cannot be read or replayed.
    pub fn review(&self, watch: &mut dyn Watch) -> Result<Review, ReviewError> {
        let (named, threshold, seed) = (self.agent()?, self.threshold()?, self.seed.unwrap_or(0));
        let (search, agent_text) = ReviewRequest::search(&named)?;
        let agent = match &search {
            Cow::Borrowed(_) => named.label().to_owned(),
            Cow::Owned(_) => agent_text.clone(),
        };
        let game = self.open()?;
        let seat = self.seat.seat(game.rules().players, game.names())?;
        let mut decisions = Decisions::new(seat, self.hand, game.rules(), game.first_decision());
        let differences = game.replay(&mut decisions)?;
        game.check_hand(&decisions.hands)?;
        let Decisions { found, clear, .. } = decisions;
        let rollouts = self.rollouts.unwrap_or(ReviewRequest::ROLLOUTS);
        let mut reviewer = Reviewer::new(&search, threshold, seed, rollouts, watch);
        let examined = reviewer.review(found);
        let references = References::new(&named);
        let others = |decision: &PlayedDecision| {
            let context = DecisionContext {
                observation: decision.snapshot.observe(),
                events: &[],
                seed: game.seed(),
                hand: decision.hand as u32 + 1,
            };
            references.answers(&context, decision.played, threshold.in_points())
        };
        let decisions = examined.iter().map(|one| ReviewedDecision::of(one, threshold, others));
        let decisions: Vec<ReviewedDecision> = decisions.collect();
        let (kinds, all) = Review::sums(&decisions);
        let rules_toml = game.rules().to_toml();
        Ok(Review {
            seat: seat.number(),
            player: game.names().get(seat.index()).filter(|name| !name.is_empty()).cloned(),
            agent,
            agent_text,
            rules: Rules::base_of(&rules_toml),
            rules_hash: format!("{:016x}", game.rules().hash()),
            rules_toml,
            threshold,
            notes: game.notes().iter().map(ToString::to_string).collect(),
            clear: clear + reviewer.clear,
            kinds,
            all,
            decisions,
            differences,
            complete: !reviewer.is_stopped,
        })
    }
}
