//! The choice of an agent with its reasons. Actions are texts, such as `chi 34s`.

use jantaku_agents::candidates::Compared;
use jantaku_agents::residual::{Corrected, Residual};
use jantaku_agents::{
    Candidate, Estimate, Heuristic, MonteCarlo, NamedAgent, Reply, SearchInfo, Verdict, WinMode,
    without_label,
};
use jantaku_engine::{ActionId, Observation, Rng};
use serde::Serialize;

use super::reason;

/// An agent's choice and its reasons.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reasons {
    /// The agent: the name that the user gives it, or its text.
    pub agent: String,
    /// The agent with its options.
    pub text: String,
    /// Its choice.
    pub action: String,
    /// Why it chose that, in a few words.
    pub why: String,
    /// The unit of all values: points of the result of the game. None if only the agent knows it.
    pub unit: Option<&'static str>,
    /// What it reported with its choice.
    #[serde(flatten)]
    pub search_info: ReportedSearchInfo,
    /// The best candidate of each action, best first. None for agents without candidates.
    pub candidates: Option<Vec<CandidateReasons>>,
    /// What the network of `residual` adds to the estimates of `heuristic`, best first; empty where
    /// nothing is compared. None for other agents.
    pub corrections: Option<Vec<CorrectionReasons>>,
    /// Actions that the agent decides on before it compares candidates.
    pub verdicts: Vec<VerdictReasons>,
}

/// What an agent reported with a choice: [`SearchInfo`] with the actions as text.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ReportedSearchInfo {
    /// The result that it expects, in its own unit.
    pub value: Option<f32>,
    /// The probability with which it made this choice.
    pub probability: Option<f32>,
    /// Its probabilities of the legal actions.
    pub policy: Option<Vec<ActionProbability>>,
    /// Its estimates of the legal actions.
    pub action_values: Option<Vec<ActionValue>>,
}

/// The probability of a legal action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionProbability {
    /// The action.
    pub action: String,
    /// Its probability.
    pub value: f32,
}

/// The estimate of a legal action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionValue {
    /// The action.
    pub action: String,
    /// Its value. None if the agent did not examine it.
    pub value: Option<f32>,
    /// The standard error of the value, if the agent knows it.
    pub standard_error: Option<f32>,
}

/// An action that `heuristic` compares with others. See [`Candidate`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CandidateReasons {
    /// The action.
    pub action: String,
    /// The expected change of the result of the game, in points, with the bonus for the placement.
    /// None if the hand cannot win.
    pub value: Option<f32>,
    /// The part of the value that the discard itself risks, in points.
    pub risk: f32,
    /// The chance to win the hand, from 0 to 1.
    pub win: f32,
    /// Points of a win.
    pub points: f32,
    /// The shanten of the best plan after the action. The hand may be nearer to a win that is worth
    /// less.
    pub plan_shanten: i8,
    /// Unseen tiles that lower it.
    pub plan_ukeire: f32,
    /// How the plan wins: `riichi`, `damaten`, `open` or `tsumo`; `draw` for tenpai at an exhaustive
    /// draw.
    pub mode: String,
}

/// A candidate of `residual`. The numbers are points of the result of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CorrectionReasons {
    /// The action.
    pub action: String,
    /// The value by the estimate of `heuristic`, as in [`CandidateReasons`]. None if it decides on the
    /// action by rule, or the hand cannot win.
    pub base: Option<f32>,
    /// What the network adds to the action, compared with the choice of `heuristic`: 0 for that one.
    pub correction: f32,
    /// The sum. None also if `heuristic` makes its choice by rule.
    pub value: Option<f32>,
}

/// A kan, kita or kyuushu kyuuhai, which `heuristic` decides before it compares candidates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VerdictReasons {
    /// The action.
    pub action: String,
    /// Whether the agent takes it, unless it takes an earlier one.
    pub taken: bool,
    /// Its reason, in words.
    pub why: &'static str,
}

/// Below this, a candidate has a hand that cannot win.
pub(super) const NO_VALUE: f32 = -1e9;

impl Reasons {
    /// The reasons behind the reply of this agent to an observation.
    #[must_use]
    pub fn of(agent: &NamedAgent, reply: &Reply, o: &Observation<'_>) -> Reasons {
        let heuristic = agent.downcast::<Heuristic>();
        let residual = agent.downcast::<Residual>();
        let candidates: Option<Vec<CandidateReasons>> = heuristic.map(|heuristic| {
            let unit = heuristic.value_unit(o);
            let found = heuristic.best_estimates(o);
            found.iter().map(|candidate| CandidateReasons::of(candidate, unit, o)).collect()
        });
        let base = heuristic.or_else(|| residual.map(Residual::base));
        let verdicts = base.map(|heuristic| heuristic.verdicts(o)).unwrap_or_default();
        // `heuristic` takes no random numbers, so the comparison is that of the reply.
        let corrected = residual.and_then(|residual| residual.compare(o, &mut Rng::new(0)).ok());
        let search_info = reply.search_info.as_deref();
        let in_points = base.is_some() || agent.downcast::<MonteCarlo>().is_some();
        Reasons {
            agent: agent.label().to_owned(),
            text: without_label(agent.name()).to_owned(),
            action: o.describe(reply.action),
            why: reason::of(agent, reply, o, corrected.as_ref(), &verdicts),
            unit: in_points.then_some("points"),
            search_info: search_info
                .map(|search_info| ReportedSearchInfo::of(search_info, o))
                .unwrap_or_default(),
            candidates,
            corrections: residual
                .map(|_| corrected.as_ref().map_or_else(Vec::new, |found| corrections(found, o))),
            verdicts: verdicts.iter().map(|verdict| VerdictReasons::of(verdict, o)).collect(),
        }
    }
}

/// The candidates of a comparison, best first. Those without a value are last.
fn corrections(corrected: &Corrected, o: &Observation<'_>) -> Vec<CorrectionReasons> {
    let reasons = |(at, candidate): (usize, &Compared)| CorrectionReasons {
        action: o.describe(candidate.action),
        base: corrected.base_value(at),
        correction: corrected.corrections[at],
        value: corrected.value(at),
    };
    let mut all: Vec<_> = corrected.comparison.candidates.iter().enumerate().map(reasons).collect();
    let key = |one: &CorrectionReasons| one.value.unwrap_or(f32::NEG_INFINITY);
    all.sort_by(|a, b| key(b).total_cmp(&key(a)));
    all
}

impl ReportedSearchInfo {
    /// The search info of a player who made this observation.
    #[must_use]
    pub fn of(search_info: &SearchInfo, o: &Observation<'_>) -> ReportedSearchInfo {
        let SearchInfo { value, policy, probability, action_values } = search_info;
        let of_each = |(id, value): (ActionId, &f32)| ActionProbability {
            action: o.describe(id.action()),
            value: *value,
        };
        let estimated = |(id, estimate): (ActionId, &Option<Estimate>)| ActionValue {
            action: o.describe(id.action()),
            value: estimate.map(|estimate| estimate.mean),
            standard_error: estimate.and_then(|estimate| estimate.standard_error),
        };
        let legal = || o.legal().iter();
        ReportedSearchInfo {
            value: *value,
            probability: *probability,
            policy: policy.as_ref().map(|policy| legal().zip(policy).map(of_each).collect()),
            action_values: action_values.as_ref().map(|all| legal().zip(all).map(estimated).collect()),
        }
    }
}

impl CandidateReasons {
    /// The reasons with `unit` points for each unit of a value.
    fn of(candidate: &Candidate, unit: f32, o: &Observation<'_>) -> CandidateReasons {
        let Candidate { action, value, risk, win, points, mode, shanten, ukeire } = *candidate;
        CandidateReasons {
            action: o.describe(action),
            value: (value > NO_VALUE).then_some(unit * value),
            risk: unit * risk,
            win,
            points,
            plan_shanten: shanten,
            plan_ukeire: ukeire,
            mode: mode_name(mode),
        }
    }
}

/// A share with one decimal.
pub(super) fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn mode_name(mode: WinMode) -> String {
    format!("{mode:?}").to_lowercase()
}

impl VerdictReasons {
    fn of(verdict: &Verdict, o: &Observation<'_>) -> VerdictReasons {
        let Verdict { action, taken, why } = *verdict;
        VerdictReasons { action: o.describe(action), taken, why }
    }
}
