//! What a caller asks to review.

use std::borrow::Cow;
use std::path::PathBuf;

use jantaku_agents::{Catalog, MonteCarlo, NamedAgent, quoted, without_label};
use jantaku_engine::Rules;
use jantaku_show::HandChoice;

use super::decisions::{Decisions, PlayedDecision};
use super::error::ReviewError;
use super::result::{Review, ReviewedDecision};
use super::reviewer::Reviewer;
use super::seat::SeatChoice;
use super::threshold::Threshold;
use crate::explain::References;
use jantaku_sim::play::Watch;
use jantaku_sim::replay::source::{DecisionContext, GameSource};
use jantaku_sim::run::RequestError;

/// A review of the decisions of one player. All numbers count from 0.
#[derive(Clone, Debug)]
pub struct ReviewRequest {
    /// A run or a log.
    pub path: PathBuf,
    /// The number of the game. A log has a game 0 by default.
    pub game: Option<u64>,
    /// The player.
    pub seat: SeatChoice,
    /// The only hand to review.
    pub hand: Option<HandChoice>,
    /// The agent that searches: `mc` with any options. Another agent is the prior of the usual search.
    pub agent: NamedAgent,
    /// The mistake threshold.
    pub threshold: Threshold,
    /// The maximum number of rollouts of all trials, in addition to those of the searches.
    pub rollouts: u64,
    /// Chooses the random numbers of the searches and trials.
    pub seed: u64,
    /// The rules of a log. They override the rules that it states.
    pub rules: Option<Rules>,
}

impl ReviewRequest {
    /// The usual agent.
    pub const AGENT: &str = "mc:rollouts=512";
    /// The usual maximum number of rollouts of all trials.
    pub const ROLLOUTS: u64 = 110_000;

    /// The search of the agent, and its name.
    fn search(&self) -> Result<(Cow<'_, MonteCarlo>, String), ReviewError> {
        if let Some(search) = self.agent.downcast::<MonteCarlo>() {
            return Ok((Cow::Borrowed(search), without_label(self.agent.name()).to_owned()));
        }
        let usual = Catalog::standard().agent(ReviewRequest::AGENT).expect("the catalog has the usual agent");
        let usual = usual.downcast::<MonteCarlo>().expect("the usual agent searches").clone();
        let prior = without_label(self.agent.name());
        let search = usual.with_prior(&self.agent);
        let search = search.map_err(|_| RequestError::Value {
            field: "agent",
            value: self.agent.name().to_owned(),
            what: "expected `mc`, which compares actions by search, or an agent that `mc` can start from, such as \
                   `residual`"
                .to_owned(),
        })?;
        Ok((Cow::Owned(search), format!("{},prior={}", ReviewRequest::AGENT, quoted(prior))))
    }

    /// Reviews the decisions. The searches use all threads of the rayon pool.
    ///
    /// The watch receives the number of searches and looks at trials. If it stops the review, the
    /// result has the decisions and trials so far.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or the game cannot be read or replayed.
    pub fn review(&self, watch: &mut dyn Watch) -> Result<Review, ReviewError> {
        let (search, agent_text) = self.search()?;
        let agent = match &search {
            Cow::Borrowed(_) => self.agent.label().to_owned(),
            Cow::Owned(_) => agent_text.clone(),
        };
        let game = GameSource::open(&self.path, self.game, self.rules.as_ref())?;
        let seat = self.seat.seat(game.rules().players, game.names())?;
        let mut decisions = Decisions::new(seat, self.hand, game.rules(), game.first_decision());
        let difference = game.replay(&mut decisions)?.into_iter().next();
        game.check_hand(&decisions.hands)?;
        let Decisions { found, clear, .. } = decisions;
        let mut reviewer = Reviewer::new(&search, self.threshold, self.seed, self.rollouts, watch);
        let examined = reviewer.review(found);
        let references = References::new(&self.agent);
        let others = |decision: &PlayedDecision| {
            let context = DecisionContext {
                observation: decision.snapshot.observe(),
                events: &[],
                seed: game.seed(),
                hand: decision.hand as u32 + 1,
            };
            references.answers(&context, decision.played, self.threshold.in_points())
        };
        let decisions = examined.iter().map(|one| ReviewedDecision::of(one, self.threshold, others));
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
            threshold: self.threshold,
            notes: game.notes().iter().map(ToString::to_string).collect(),
            clear: clear + reviewer.clear,
            kinds,
            all,
            decisions,
            difference,
            complete: !reviewer.is_stopped,
        })
    }
}
