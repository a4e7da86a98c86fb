//! A review of a player's decisions. Tiles and actions are texts.

use jantaku_agents::{Arm, Estimate};
use jantaku_engine::Observation;
use jantaku_show::{DecisionKind, Grade, Judgement, KindSum, OtherAnswer, Sentence, text};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::confirm::Trial;
use super::decisions::PlayedDecision;
use super::reviewer::Examined;
use super::threshold::Threshold;
use crate::explain::{Ends, explain_loss};

/// A review of the decisions of one player in a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Review {
    /// The seat of the player.
    pub seat: u8,
    /// The agent of the run, or the name in the log. None if it is not known.
    pub player: Option<String>,
    /// The agent that searches: the name that the user gives it, or its text.
    pub agent: String,
    /// That agent with its options.
    pub agent_text: String,
    /// The preset that is closest to the rules of the game.
    pub rules: String,
    /// The hash of the rules.
    pub rules_hash: String,
    /// The rules as a file: the closest preset as `base`, and the fields that differ.
    pub rules_toml: String,
    /// The mistake threshold.
    pub threshold: Threshold,
    /// What a reader should know of the game, such as decisions copied from another game: they are not
    /// reviewed.
    pub notes: Vec<String>,
    /// Decisions with more than one action to compare.
    pub decisions: Vec<ReviewedDecision>,
    /// The number of decisions with one legal action, or one worth comparing.
    pub clear: usize,
    /// The sums of the kinds that occurred.
    pub kinds: Vec<KindSum>,
    /// The sum of all decisions.
    pub all: KindSum,
    /// Where the log and the rules differ. The rest of such a hand is not reviewed.
    #[serde(skip)]
    pub differences: Vec<String>,
    /// False if it was interrupted: later decisions are missing.
    pub complete: bool,
}

/// A decision of the player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReviewedDecision {
    /// The name of the hand, such as `East 1-0`.
    pub hand_name: String,
    /// The number of the hand in the game, from 0.
    pub hand: usize,
    /// Decision of the game, from 0, as `show` numbers them and `ask` accepts them.
    pub step: usize,
    /// Discards, discards against riichi, riichi or not, chi and pon, kans, others.
    pub kind: DecisionKind,
    /// What the player saw, one line for each part.
    pub position: String,
    /// The player's tiles and melds, and the tile that they can claim.
    pub tiles: String,
    /// The player's action.
    pub played: String,
    /// Action that was better in the trial, by more than a standard error; None if there is none.
    pub better: Option<String>,
    /// Points lost against the action that was tried; negative if that is worse, 0 without a trial;
    /// None if too few rollouts were left for the trial.
    pub loss: Option<f32>,
    /// The standard error of the loss.
    pub loss_error: Option<f32>,
    /// The grade of the action. A mistake surely loses more than the threshold, and no other agent finds the
    /// action good.
    pub grade: Grade,
    /// What other agents think of a loss that is above the threshold. They are asked about no other.
    pub others: Vec<OtherAnswer>,
    /// A sentence that explains a mistake, also a disputed one.
    #[serde(serialize_with = "in_english", deserialize_with = "from_english")]
    pub sentence: Option<Sentence>,
    /// The trial of the action that may be better. None if no action seemed to be.
    pub trial: Option<ReviewedTrial>,
    /// The expected result of the game after the player's action, in points, by the last search.
    pub value: f32,
    /// The standard error of the value.
    pub standard_error: f32,
    /// The number of determinizations in which that search played the action.
    pub determinizations: usize,
    /// The other actions in that search, best first.
    pub alternatives: Vec<Alternative>,
}

/// An alternative to the action played, in the last search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alternative {
    /// The action.
    pub action: String,
    /// By how much it is believed to be better than the action played, in points: the difference,
    /// shrunk towards what the prior expects.
    pub posterior: f32,
    /// Mean value in the rollouts less that of the action played, in points.
    pub difference: f32,
    /// The standard error of the difference.
    pub standard_error: f32,
    /// Determinizations in which it was played out.
    pub determinizations: usize,
}

/// A trial: the action played and another one in determinizations that no search has used.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReviewedTrial {
    /// Action that was tried in fresh determinizations.
    pub action: String,
    /// The number of fresh determinizations; both actions were played in each.
    pub determinizations: u64,
    /// Places lost by the action played.
    pub placement: f32,
    /// The standard error of the places lost.
    pub placement_error: f32,
    /// Whether the loss is above the threshold. None if the trial ended before that was certain.
    pub is_mistake: Option<bool>,
    /// How the hand ended after the action played.
    pub after_played: Ends,
    /// How it ended after the other action.
    pub after_other: Ends,
}

/// A sentence as its English text.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn in_english<S: Serializer>(sentence: &Option<Sentence>, serializer: S) -> Result<S::Ok, S::Error> {
    sentence.as_ref().map(ToString::to_string).serialize(serializer)
}

fn from_english<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Sentence>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(Sentence::from))
}

impl ReviewedDecision {
    /// Whether the trial ended before it was certain whether the decision is a mistake.
    pub fn is_undecided(&self) -> bool {
        self.trial.as_ref().is_some_and(|trial| trial.is_mistake.is_none())
    }

    /// What the action was worth.
    pub fn judgement(&self) -> Judgement {
        let ReviewedDecision { kind, loss: cost, loss_error: cost_error, grade, .. } = *self;
        Judgement { others: self.others.clone(), ..Judgement::new(kind, cost, cost_error, grade) }
    }

    /// A decision with its verdict. `ask_others` asks other agents about a mistake.
    pub(super) fn of(
        examined: &Examined,
        threshold: Threshold,
        ask_others: impl FnOnce(&PlayedDecision) -> Vec<OtherAnswer>,
    ) -> ReviewedDecision {
        let Examined { decision, found, trial } = examined;
        let o = &decision.snapshot.observe();
        let (own, others) = found.arms.split_first().expect("a search has the action played");
        let value = own.estimate().unwrap_or(Estimate { mean: 0.0, standard_error: None });
        let alternative = |arm: &Arm| Alternative {
            action: o.describe(arm.action),
            posterior: arm.posterior,
            difference: arm.difference,
            standard_error: arm.error,
            determinizations: arm.worlds,
        };
        let mut alternatives: Vec<Alternative> = others.iter().map(alternative).collect();
        alternatives.sort_by(|a, b| b.posterior.total_cmp(&a.posterior));
        let nothing = Estimate { mean: 0.0, standard_error: Some(0.0) };
        let estimate = trial.as_ref().map_or(Some(nothing), Trial::loss);
        let (loss, loss_error) =
            (estimate.map(|loss| loss.mean), estimate.and_then(|loss| loss.standard_error));
        let better = trial.as_ref().filter(|_| loss > loss_error);
        let reviewed = trial.as_ref().map(|trial| ReviewedTrial::of(trial, o));
        let kind = DecisionKind::of(o, found.arms.iter().map(|arm| arm.action));
        let grade = grade(trial.as_ref(), better.and(loss), threshold);
        let mut judgement = Judgement::new(kind, loss, loss_error, grade);
        if grade == Grade::Mistake {
            judgement.compare(ask_others(decision), None);
        }
        let drawn = o.drawn().map_or_else(String::new, |tile| format!("+{tile}"));
        let offered = o.offer().map_or_else(String::new, |offer| format!(" on {}", offer.tile));
        ReviewedDecision {
            hand_name: decision.hand_name.clone(),
            hand: decision.hand,
            step: decision.step,
            kind,
            position: text::table_seen(o),
            tiles: format!("{}{drawn}{}{offered}", o.hand(), o.melds()),
            played: o.describe(decision.played),
            better: better.map(|trial| o.describe(trial.better)),
            loss,
            loss_error,
            grade: judgement.grade,
            others: judgement.others,
            sentence: trial
                .as_ref()
                .filter(|_| grade == Grade::Mistake)
                .map(|trial| explain_loss(o, [decision.played, trial.better], &trial.pairs)),
            trial: reviewed,
            value: value.mean,
            standard_error: value.standard_error.unwrap_or_default(),
            determinizations: own.worlds,
            alternatives,
        }
    }
}

/// The grade of an action after its trial. Only a trial finds a mistake; an action that it clears is at
/// most an inaccuracy. `loss` is that against an action that was better, if there is one.
fn grade(trial: Option<&Trial>, loss: Option<f32>, threshold: Threshold) -> Grade {
    match trial.map(|trial| trial.is_mistake) {
        Some(None) => Grade::Undecided,
        Some(Some(true)) => Grade::Mistake,
        _ => Grade::of(Some(loss.unwrap_or(0.0)), threshold.in_points()).min(Grade::Inaccuracy),
    }
}

impl ReviewedTrial {
    fn of(trial: &Trial, o: &Observation<'_>) -> ReviewedTrial {
        let placement = trial.pairs.placement.estimate();
        let [after_played, after_other] = Ends::of(&trial.pairs);
        ReviewedTrial {
            action: o.describe(trial.better),
            determinizations: trial.pairs.worlds,
            placement: placement.mean,
            placement_error: placement.standard_error.unwrap_or_default(),
            is_mistake: trial.is_mistake,
            after_played,
            after_other,
        }
    }
}

impl Review {
    /// The sums of the kinds that occurred, and of all decisions.
    pub(super) fn sums(decisions: &[ReviewedDecision]) -> (Vec<KindSum>, KindSum) {
        let of = |kind: DecisionKind| {
            let those = decisions.iter().filter(|one| one.kind == kind);
            sum(kind.name(), &those.collect::<Vec<_>>())
        };
        let kinds = DecisionKind::ALL.into_iter().map(of).filter(|sum| sum.compared > 0).collect();
        (kinds, sum("all", &decisions.iter().collect::<Vec<_>>()))
    }
}

/// The sum of these decisions, without a loss if no trial measured one.
fn sum(kind: &'static str, decisions: &[&ReviewedDecision]) -> KindSum {
    let judgements: Vec<Judgement> = decisions.iter().map(|one| one.judgement()).collect();
    let sum = KindSum::of(kind, judgements.iter());
    let is_measured = decisions.iter().any(|one| one.trial.is_some() && one.loss.is_some());
    if is_measured { sum } else { sum.without_loss() }
}
