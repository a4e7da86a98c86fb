//! A review of a player's decisions. Tiles and actions are texts.

use serde::Serialize;

use super::kind::DecisionKind;

/// A review of the decisions of one player in a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The seat of the player.
    pub seat: u8,
    /// The agent of the run, or the name in the log. None if it is not known.
    pub player: Option<String>,
    /// The agent that searches.
    pub agent: String,
    /// Decisions with more than one action to compare.
    pub decisions: Vec<ReviewedDecision>,
    /// The number of decisions with one legal action, or one worth comparing.
    pub clear: usize,
    /// The sums of the kinds that occurred.
    pub kinds: Vec<KindSum>,
    /// The sum of all decisions.
    pub all: KindSum,
    /// Where the log and the rules differ, so that the review ends there.
    #[serde(skip)]
    pub difference: Option<String>,
    /// Whether the review covers all decisions up to the end of the game or to the difference.
    #[serde(skip)]
    pub complete: bool,
}

/// A decision of the player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReviewedDecision {
    /// The name of the hand, such as `East 1-0`.
    #[serde(skip)]
    pub hand_name: String,
    /// The number of the hand in the game, from 0.
    pub hand: usize,
    /// The number of the decision in the game, over all players, from 0.
    pub step: usize,
    /// What kind of choice it is.
    pub kind: DecisionKind,
    /// The player's tiles and melds, and the tile that they can claim.
    pub tiles: String,
    /// The player's action.
    pub played: String,
    /// The expected result of the game after it, in points.
    pub value: f32,
    /// The standard error of the value.
    pub standard_error: f32,
    /// The number of determinizations in which the action was played.
    pub determinizations: usize,
    /// The other actions, best first.
    pub alternatives: Vec<Alternative>,
    /// The action that the search would take instead.
    pub better: Option<String>,
    /// Points lost against it, as [`Alternative::posterior`] says; 0 if there is none.
    pub loss: f32,
    /// Whether the rollouts alone make it clear: they differ by more than two standard errors.
    pub is_mistake: bool,
}

/// An alternative to the action played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Alternative {
    /// The action.
    pub action: String,
    /// How much better the search believes it to be than the action played, in points: the
    /// difference in the rollouts, shrunk towards the prior.
    pub posterior: f32,
    /// The mean difference in the rollouts, in points.
    pub difference: f32,
    /// The standard error of the difference.
    pub standard_error: f32,
    /// The number of determinizations in which both were played.
    pub determinizations: usize,
}

/// The sum of the decisions of a kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KindSum {
    /// The name of the kind, or `all`.
    pub kind: &'static str,
    /// The decisions.
    pub compared: usize,
    /// Those with a better action.
    pub better: usize,
    /// The mistakes among them.
    pub mistakes: usize,
    /// Points lost in all of them.
    pub lost: f32,
}

impl KindSum {
    pub(super) fn of<'a>(
        kind: &'static str,
        decisions: impl Iterator<Item = &'a ReviewedDecision>,
    ) -> KindSum {
        let none = KindSum { kind, compared: 0, better: 0, mistakes: 0, lost: 0.0 };
        decisions.fold(none, |sum, decision| KindSum {
            kind,
            compared: sum.compared + 1,
            better: sum.better + usize::from(decision.better.is_some()),
            mistakes: sum.mistakes + usize::from(decision.is_mistake),
            lost: sum.lost + decision.loss,
        })
    }

    /// The sums of the kinds that occurred.
    pub(super) fn of_kinds(decisions: &[ReviewedDecision]) -> Vec<KindSum> {
        let of = |kind: DecisionKind| {
            KindSum::of(kind.name(), decisions.iter().filter(|decision| decision.kind == kind))
        };
        DecisionKind::ALL.into_iter().map(of).filter(|sum| sum.compared > 0).collect()
    }
}
