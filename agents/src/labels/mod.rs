//! Labels for training: decisions with the values of their actions, measured by rollouts.
//!
//! For some decisions of a game, a [`Labeller`] plays each of a few candidate actions to the end of
//! the hand, several times. All players have their *true* hands. Each time, the unseen part of the
//! wall has a new random order, the same for all candidates. So guessed hands cannot bias the mean
//! differences between candidates. Over many decisions, these differences show a learner what pays. Labels
//! are never for a player, because players do not see the hands behind them.
//!
//! - `options`: which decisions and actions are labelled, and how
//! - `rollouts`: plays the candidates

mod options;
mod rollouts;

use jantaku_engine::random::hash;
use jantaku_engine::{Game, Observation, Rng};

use crate::by_players::ByPlayers;
use crate::candidates::{Compared, ComparisonKind};
use crate::{Catalog, Heuristic, NamedPolicy, Params, ParseAgentError, PlacementModel, Utility};
pub use options::{KindShares, LabelOptions};
pub use rollouts::Sums;

/// Labels decisions.
#[derive(Clone, Debug)]
pub struct Labeller {
    options: LabelOptions,
    base: Heuristic,
    players: NamedPolicy,
    careful: NamedPolicy,
    utility: Utility,
    placements: ByPlayers<PlacementModel>,
}

/// A decision with the values of its candidates.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// What the candidates differ in.
    pub kind: ComparisonKind,
    /// The size of the unit of [`Candidate::value`](crate::Candidate::value) in this decision, in points.
    pub unit: f32,
    /// The number of deals. Each candidate was played once in each.
    pub deals: u16,
    /// The candidates. The first is the choice of the base agent.
    pub actions: Vec<LabelledAction>,
}

/// A candidate of a labelled decision, with its rollouts.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelledAction {
    /// The action, with the estimates of the base agent.
    pub compared: Compared,
    /// The standard deviation of the true difference around the mean that the gap predicts, in points, as
    /// it was measured for such decisions.
    pub doubt: f32,
    /// The values: expected results of the game at the end of the hand, in points.
    pub values: Sums,
    /// The values minus those of the first candidate in the same deals.
    pub differences: Sums,
}

impl Labeller {
    /// A labeller with the agents that the options name.
    ///
    /// # Errors
    ///
    /// If an agent is unknown, the base is not `heuristic`, or the others do not decide one action
    /// at a time.
    pub fn new(options: LabelOptions, catalog: &Catalog) -> Result<Labeller, ParseAgentError> {
        let base = catalog.agent(&options.base)?;
        let no_base = || {
            let base = &options.base;
            ParseAgentError::Wrong(format!(
                "agent `{base}` cannot be the base of labels; expected `heuristic` with any options"
            ))
        };
        let base = base.downcast::<Heuristic>().ok_or_else(no_base)?.clone();
        let policy = |text: &str| catalog.agent(text)?.to_policy();
        Ok(Labeller {
            utility: base.utility,
            base,
            players: policy(&options.players)?,
            careful: policy(&options.careful)?,
            placements: Params::released().placement_models(),
            options,
        })
    }

    /// The options.
    pub const fn options(&self) -> &LabelOptions {
        &self.options
    }

    /// Labels the decision `o` of a game. None if the options do not choose it, or if the base agent has
    /// nothing to compare.
    ///
    /// `key` identifies the decision and is the seed of its rollouts, so games may be labelled in any
    /// order.
    pub fn label(&self, game: &Game, o: &Observation<'_>, key: &[u64]) -> Option<Label> {
        if o.legal().len() < 2 {
            return None;
        }
        let mut rng = Rng::new(hash(key));
        // Most decisions are left out before anything is estimated.
        let chance = rng.uniform();
        if chance >= self.options.shares.largest() {
            return None;
        }
        let compared = self.base.compare(o, self.options.limits(), &mut rng).ok()?;
        (chance < self.options.shares.of(compared.kind)).then(|| self.play(game, o, compared, &mut rng))
    }
}
