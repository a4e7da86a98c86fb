//! What a caller asks to review.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use jantaku_agents::{Catalog, MonteCarlo, NamedAgent, quoted, without_label};
use jantaku_engine::Rules;
use jantaku_engine::replay::{RecordedGame, Spectator};
use jantaku_show::{HandChoice, HandFilter};

use super::decisions::Decisions;
use super::error::ReviewError;
use super::result::{KindSum, Review, ReviewedDecision};
use super::reviewer::Reviewer;
use super::seat::SeatChoice;
use super::threshold::LeastLoss;
use crate::dataset::Copied;
use crate::play::Watch;
use crate::replay::open::{GameOfRun, OpenError, game_of_log};
use crate::store;

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
    /// The least loss that is a mistake.
    pub least: LeastLoss,
    /// The maximum number of rollouts of all trials, in addition to those of the searches.
    pub rollouts: u64,
    /// Chooses the random numbers of the searches and trials.
    pub seed: u64,
    /// The rules of a log. They override the rules that it states.
    pub rules: Option<Rules>,
}

/// A game that is reviewed.
enum Game {
    OfRun(Box<GameOfRun>),
    OfLog(Box<RecordedGame>),
}

impl Game {
    fn open(request: &ReviewRequest) -> Result<Game, ReviewError> {
        let path: &Path = &request.path;
        if store::is_folder(path) {
            let game = request.game.ok_or_else(|| ReviewError::NoGame { run: path.to_owned() })?;
            return Ok(Game::OfRun(Box::new(GameOfRun::open(path, game)?)));
        }
        let recorded = game_of_log(path, request.game.unwrap_or(0), request.rules.as_ref())?;
        Ok(Game::OfLog(Box::new(recorded)))
    }

    const fn rules(&self) -> &Rules {
        match self {
            Game::OfRun(game) => &game.stored.rules,
            Game::OfLog(game) => &game.rules,
        }
    }

    /// The names of the players, as far as they are known.
    fn names(&self) -> &[String] {
        match self {
            Game::OfRun(game) => &game.stored.agents,
            Game::OfLog(game) => &game.names,
        }
    }

    /// The decisions that it has from another game, if any. Logs do not say that.
    fn copied(&self) -> Option<&Copied> {
        match self {
            Game::OfRun(game) => game.stored.copied.as_ref().filter(|copied| copied.decisions > 0),
            Game::OfLog(_) => None,
        }
    }

    /// Replays the game. Returns the first difference between a log and the rules, where it ends.
    fn replay(&self, spectator: &mut impl Spectator) -> Result<Option<String>, OpenError> {
        match self {
            Game::OfRun(game) => game.replay(spectator).map(|()| None),
            Game::OfLog(game) => Ok(game.replay(spectator).differences.first().map(ToString::to_string)),
        }
    }
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
        let search = search.map_err(|_| ReviewError::NoSearch { found: self.agent.name().to_owned() })?;
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
        let game = Game::open(self)?;
        let seat = self.seat.seat(game.rules().players, game.names())?;
        let first = game.copied().map_or(0, |copied| copied.decisions as usize);
        let mut decisions = Decisions::new(seat, self.hand, *game.rules(), first);
        let difference = game.replay(&mut decisions)?;
        self.check_hand(decisions.hands)?;
        let Decisions { found, clear, .. } = decisions;
        let mut reviewer = Reviewer::new(&search, self.least, self.seed, self.rollouts, watch);
        let examined = reviewer.review(found);
        let decisions: Vec<ReviewedDecision> = examined.iter().map(ReviewedDecision::of).collect();
        let rules_toml = game.rules().to_toml();
        Ok(Review {
            seat: seat.number(),
            player: game.names().get(seat.index()).filter(|name| !name.is_empty()).cloned(),
            agent,
            agent_text,
            rules: Rules::base_of(&rules_toml),
            rules_hash: format!("{:016x}", game.rules().hash()),
            rules_toml,
            least: self.least,
            copied: game.copied().cloned(),
            clear: clear + reviewer.clear,
            kinds: KindSum::of_kinds(&decisions),
            all: KindSum::of("all", decisions.iter()),
            decisions,
            difference,
            complete: !reviewer.is_stopped,
        })
    }

    /// Checks that the game has the hand to review.
    fn check_hand(&self, hands: HandFilter) -> Result<(), ReviewError> {
        match hands.missing() {
            None => Ok(()),
            Some(hand) => {
                let (path, last) = (self.path.clone(), hands.latest().unwrap_or(0));
                Err(ReviewError::NoHand { path, hand, last })
            }
        }
    }
}
