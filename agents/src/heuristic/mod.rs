//! The agent `heuristic`: a classical player.
//!
//! Each decision compares [`Candidate`]s by their expected value: points, and the change of the
//! placement that they cause. The parts, each building on those above it:
//!
//! - `interpolate`: linear interpolation in tables
//! - `params`: all numbers, in `params.toml`; `param_files` reads them, `param_checks` has their ranges
//! - `situation`: facts that follow from the observation
//! - `utility`: what the agent maximises
//! - `game_end`: whether the game ends after a hand
//! - `win_curve`, `outcome_cache`, `outcome_values`: the value of winning and losing points for the
//!   result of the game
//! - `win_model`: win probabilities by distance, ukeire and draws left
//! - `river`, `wait_chances`, `opponent`, `danger`: who is likely tenpai, and the expected loss of
//!   each discard
//! - `plan`: ways to win with a hand, such as riichi, tanyao or honitsu
//! - `shape`, `wait_weights`: the use of tiles besides their ukeire, and the quality of waits
//! - `ron_points`: the points of a win that a hand waits for
//! - `ron_cache`: the waits of tenpai hands and the points that they win
//! - `look_ahead_changes`: bounds on look-ahead corrections
//! - `agent`, `estimator`: the agent's options and models, and what all estimates of one decision share
//! - `hand_estimate`, `discard_estimates`: the expected value of a hand, and of the hands after each discard
//! - `tenpai`, `look_ahead`, `plan_estimate`: the expected value of tenpai hands, of the tenpai hands
//!   after 1-shanten, and of any hand by its best plan
//! - `candidate`, `turn`, `claim`: the candidates of each decision
//! - `unweighed`: estimates of actions that are never candidates
//! - [`candidates`]: the actions that are worth a comparison
//!
//! `fast` makes it cheap enough for rollouts. It skips the look-ahead, plans in which a closed hand
//! calls later, plans that raise the shanten, and threats of players with neither riichi nor two
//! calls. Before the last two hands it plays for points. Against three complete agents this costs
//! 0.076 ± 0.007 placements (commit `5e820ff`).

mod agent;
mod candidate;
pub mod candidates;
mod claim;
mod danger;
mod discard_estimates;
mod estimator;
mod game_end;
mod hand_estimate;
mod interpolate;
mod look_ahead;
mod look_ahead_changes;
mod opponent;
mod outcome_cache;
mod outcome_values;
mod param_checks;
mod param_files;
mod params;
mod plan;
mod plan_estimate;
mod river;
mod ron_cache;
pub(crate) mod ron_points;
mod shape;
mod situation;
mod tenpai;
mod turn;
mod unweighed;
mod utility;
mod wait_chances;
mod wait_weights;
mod win_curve;
mod win_model;

use std::path::PathBuf;

use jantaku_engine::{Action, Observation, Phase, Rng, Seat, TileKind};

use crate::Policy;
use crate::entry::{Built, Entry};
use crate::option::{AgentOption, OptionKind};
use crate::view::leads;
pub use agent::Heuristic;
use agent::Models;
use candidate::{Best, Candidates};
pub use candidate::{Candidate, Verdict};
use estimator::Estimator;
pub use param_files::{Params, ParamsError};
pub(crate) use plan::count_of;
use river::{River, early_discards};
use situation::Situation;
pub use utility::Utility;
use wait_chances::wait_chances;
pub use win_model::WinMode;

const fn switch(name: &'static str, about: &'static str) -> AgentOption {
    AgentOption::new(name, OptionKind::SWITCH, "on", about)
}

pub(crate) const ENTRY: Entry = Entry {
    name: "heuristic",
    about: "a classical player: weighs speed, value, danger and placement",
    options: &[
        switch("calls", "makes chi, pon and daiminkan"),
        switch("defence", "counts the risk of each discard"),
        switch("value", "estimates the value of each win"),
        switch("damaten", "stays without riichi where that is better"),
        switch("placement", "plays for the result of the game, not for points alone"),
        AgentOption::new(
            "fast",
            OptionKind::SWITCH,
            "off",
            "estimates less, for rollouts: over twice as fast, 0.08 placements weaker",
        ),
        Utility::OPTION,
        AgentOption::new(
            "version",
            OptionKind::Choice(param_files::VERSIONS),
            param_files::DEFAULT,
            "released parameters, which never change under the same version",
        ),
        AgentOption::unset(
            "params",
            OptionKind::File,
            "TOML file with parameters that replace those of the version",
        ),
        AgentOption::unset("standing", OptionKind::File, "TOML file with a different placement model"),
    ],
    build: |options, _| {
        let [params, standing] = ["params", "standing"].map(|name| options.optional::<PathBuf>(name));
        let (params, files) = Params::with_files(options.text("version"), params, standing)?;
        let agent = Heuristic {
            calls: options.is_on("calls"),
            defence: options.is_on("defence"),
            value: options.is_on("value"),
            damaten: options.is_on("damaten"),
            placement: options.is_on("placement"),
            fast: options.is_on("fast"),
            utility: options.text("utility").parse()?,
            ..Heuristic::new(params)
        };
        Ok(Built::policy(agent).with_files(files))
    },
};

impl Heuristic {
    /// The agent's estimates for its choices: in its turn, discards and the kans that it compares by value;
    /// at a claim, calls and passing. Empty for other decisions.
    ///
    /// A call has one candidate for each discard after it.
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method has one lifetime, not any")]
    pub fn explain(&self, o: &Observation<'_>) -> Vec<Candidate> {
        if !compares(o) {
            return Vec::new();
        }
        self.estimate(o, |estimator| estimator.all_candidates())
    }

    /// The agent's choice in a decision, with its estimates.
    pub(crate) fn weigh(&self, o: &Observation<'_>) -> Weighed {
        let (unit, candidates) =
            self.estimate(o, |estimator| (estimator.outcomes.unit(), estimator.all_candidates()));
        let best = || {
            let mut best = Best::default();
            candidates.iter().for_each(|candidate| best.take(candidate.value, || *candidate));
            best.0.map_or(Action::Pass, |best| best.action)
        };
        Weighed { choice: self.by_rule(o).unwrap_or_else(best), unit, candidates }
    }

    /// The action that the agent takes without comparing candidates, if any.
    pub(crate) fn by_rule(&self, o: &Observation<'_>) -> Option<Action> {
        let wins = [Action::Tsumo, Action::Ron].into_iter().find(|win| o.legal().contains(win.id()));
        wins.or_else(|| match o.phase() {
            Phase::Turn => turn::by_rule(self, o),
            Phase::Claim if self.calls => None,
            Phase::End if leads(o) => Some(Action::EndGame),
            _ => Some(Action::Pass),
        })
    }

    /// The agent's verdicts on the kans, kita and kyuushu kyuuhai that it may declare in its turn.
    /// It decides these before it compares candidates. Kans that it compares by value have no verdict,
    /// and neither has a daiminkan.
    pub fn verdicts(&self, o: &Observation<'_>) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        if o.phase() == Phase::Turn {
            turn::verdicts(self, o, |verdict| {
                verdicts.push(verdict);
                false
            });
        }
        verdicts
    }

    /// The size of the unit of [`Candidate::value`] in this decision, in points of the result that
    /// the agent plays for.
    pub fn value_unit(&self, o: &Observation<'_>) -> f32 {
        self.estimate(o, |estimator| estimator.outcomes.unit())
    }

    /// The opponents who are likely tenpai, each with the expected loss to them by discarding each kind, by
    /// the index of the kind. Its unit is that of [`Candidate::risk`], which is the sum over all opponents.
    pub fn dangers(&self, o: &Observation<'_>) -> Vec<(Seat, [f32; TileKind::COUNT])> {
        self.estimate(o, |estimator| estimator.danger.by_opponent())
    }

    /// The probability that each kind is a wait of this seat if it is tenpai, by the index of the
    /// kind.
    ///
    /// Kinds on which the seat cannot win have probability 0: its own discards, and kinds that
    /// passed since its riichi or since its hand last changed.
    pub fn wait_chances(&self, o: &Observation<'_>, seat: Seat) -> [f32; TileKind::COUNT] {
        let Models { params, shapes, .. } = self.models(o);
        let river = River::new(o, seat, params.threat.early);
        let early = early_discards(o, params.threat.early)[seat.index()];
        wait_chances(&params.danger, shapes, &Situation::new(o), &river, early, seat)
    }
}

impl Policy for Heuristic {
    fn choose(&self, o: &Observation<'_>, _: &mut Rng) -> Action {
        self.by_rule(o).unwrap_or_else(|| {
            let mut best = Best::default();
            self.estimate(o, |estimator| estimator.candidates(&mut best));
            best.0.expect("a turn without a win leaves a discard, and a claim can be passed").action
        })
    }
}

/// The choice of an agent in a decision, with its estimates.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    pub choice: Action,
    /// See [`Heuristic::value_unit`].
    pub unit: f32,
    /// See [`Heuristic::explain`].
    pub candidates: Vec<Candidate>,
}

/// Whether the agent compares candidates in a decision of this phase.
pub(crate) fn compares(o: &Observation<'_>) -> bool {
    matches!(o.phase(), Phase::Turn | Phase::Claim)
}

impl Estimator<'_> {
    /// Finds the candidates of the decision.
    fn candidates(&self, found: &mut impl Candidates) {
        match self.situation.o.phase() {
            Phase::Turn => turn::candidates(self, found),
            Phase::Claim => claim::candidates(self, found),
            _ => {}
        }
    }

    fn all_candidates(&self) -> Vec<Candidate> {
        let mut all = Vec::with_capacity(USUAL_CANDIDATES);
        self.candidates(&mut all);
        all
    }
}

/// Few decisions have more candidates.
const USUAL_CANDIDATES: usize = 32;
