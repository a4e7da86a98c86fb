//! The agent `heuristic`: a classical player.
//!
//! Each decision compares [`Candidate`]s by their worth: the points that the agent expects, and what
//! they change in the placement. The parts:
//!
//! - `scene`: facts that follow from the observation
//! - `plan`: ways to win with a hand, such as riichi, tanyao or honitsu
//! - `outlook`: the chance to win, from the distance, the ukeire and the draws left
//! - `shape`: what tiles do for a hand besides their ukeire
//! - `attack`: the worth of playing on with a hand
//! - `look_ahead`: the tenpai hands that may follow from 1-shanten
//! - `danger`, `threat`: who is likely tenpai, and what each discard risks
//! - `standing`: what points are worth for the result of the game
//! - `kept`: values of standings that a thread keeps
//! - `turn`, `claim`: the candidates of each decision
//! - `params`: all numbers, in `params.toml`
//!
//! `fast` makes it cheap enough for rollouts. It leaves out the look-ahead, the calls that a closed
//! hand may make after its discard, plans of discards that step back from the least shanten, and the
//! threats of players without riichi or two calls. Before the last two hands it plays for points.
//! Against three whole agents this costs 0.076 ± 0.007 placements (commit `5e820ff`).

mod attack;
mod claim;
mod danger;
mod end;
mod kept;
mod look_ahead;
mod outlook;
mod params;
mod plan;
mod scene;
mod shape;
mod standing;
mod threat;
mod turn;
mod wait;

use std::path::PathBuf;

use jantaku_engine::{Action, Observation, Phase, Players, Rng, Seat, TileKind};

use crate::entry::{Built, Entry};
use crate::option::{AgentOption, OptionDefault, OptionKind};
use crate::{PlacementModel, Policy};
use attack::{Prospect, Situation};
use kept::TablesId;
use outlook::Outlooks;
pub use outlook::WinMode;
use params::Numbers;
pub use params::{Params, ParamsError};
use scene::Scene;
pub use standing::{Utility, UtilityError};
use standing::{Worth, stage};
use threat::{Opponents, River, Threats};

const fn switch(name: &'static str, about: &'static str) -> AgentOption {
    AgentOption { name, kind: OptionKind::SWITCH, default: OptionDefault::Value("on"), about }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "heuristic",
    about: "a classical player: weighs speed, value, danger and placement",
    options: &[
        switch("calls", "chi and pon"),
        switch("defence", "weighs what each discard risks"),
        switch("value", "weighs what each win is worth"),
        switch("damaten", "stays without riichi where that is better"),
        switch("placement", "plays for the result of the game, not for points alone"),
        AgentOption {
            name: "fast",
            kind: OptionKind::SWITCH,
            default: OptionDefault::Value("off"),
            about: "estimates less, for rollouts: over twice as fast, 0.08 placements weaker",
        },
        AgentOption {
            name: "utility",
            kind: OptionKind::Text,
            default: OptionDefault::Value("result"),
            about: "what it plays for: points, result, placement, or a number for each place",
        },
        AgentOption {
            name: "version",
            kind: OptionKind::Choice(params::VERSIONS),
            default: OptionDefault::Value("1"),
            about: "released parameters; those of a version never change",
        },
        AgentOption {
            name: "params",
            kind: OptionKind::File,
            default: OptionDefault::Unset,
            about: "TOML file with parameters that replace those of the version",
        },
        AgentOption {
            name: "standing",
            kind: OptionKind::File,
            default: OptionDefault::Unset,
            about: "TOML file with another model of what a standing leads to",
        },
    ],
    build: |options, _| {
        // The only version is the default, so there is nothing to choose yet.
        let [params, standing] = ["params", "standing"].map(|name| options.value::<Option<PathBuf>>(name));
        let (params, files) = Params::with_files(params, standing)?;
        let agent = Heuristic {
            calls: options.value("calls"),
            defence: options.value("defence"),
            value: options.value("value"),
            damaten: options.value("damaten"),
            placement: options.value("placement"),
            fast: options.value("fast"),
            utility: options.value::<String>("utility").parse()?,
            ..Heuristic::new(params)
        };
        Ok(Built::policy(agent).with_files(files))
    },
};

/// A classical player.
///
/// - It wins whenever it can.
/// - It discards, declares riichi and calls for the most worth: the chance to win times the value
///   of the win, less the risk of dealing in. Both follow from measured tables.
/// - It plays for the result of the game: points count by themselves and through the placement that
///   they lead to.
/// - It declares kans that do not slow the hand or make it worth much less, unless another player
///   threatens and the hand is far from tenpai. It never makes a daiminkan. It declares kita unless
///   that takes tenpai or the way to thirteen orphans.
/// - It goes for tenpai without a yaku in the last draws.
/// - It shows a tenpai hand at an exhaustive draw, and ends the game when it is in first place.
#[expect(clippy::struct_excessive_bools, reason = "each switches a component of its own")]
#[derive(Clone, Debug)]
pub struct Heuristic {
    /// Whether it makes chi and pon. If not, its hands stay closed.
    pub calls: bool,
    /// Whether it weighs what each discard risks.
    pub defence: bool,
    /// Whether it weighs what each win is worth. If not, all wins count the same.
    pub value: bool,
    /// Whether it may keep a tenpai hand without riichi. If not, it declares riichi with every discard
    /// that allows it.
    pub damaten: bool,
    /// Whether it plays for the result of the game. If not, for points alone.
    pub placement: bool,
    /// Whether it leaves out estimates that cost much time, for rollouts: the look-ahead, plans of
    /// closed hands that need calls after the discard, plans of discards that step back, hidden
    /// threats, and placement until the last two hands.
    pub fast: bool,
    /// What it maximises, if it plays for more than points.
    pub utility: Utility,
    usual: Tables,
    three_players: Tables,
}

/// The numbers for games of one kind, and what follows from them.
#[derive(Clone, Debug)]
struct Tables {
    id: TablesId,
    params: Numbers,
    outlooks: Outlooks,
    placements: PlacementModel,
}

impl From<Numbers> for Tables {
    fn from(params: Numbers) -> Tables {
        Tables {
            id: TablesId::new(),
            outlooks: Outlooks::new(&params.outlook),
            placements: PlacementModel::new(&params.standing),
            params,
        }
    }
}

/// One way to answer a decision, and what the agent expects of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// What the agent compares: the expected change of the result, with the bonus for the placement,
    /// against neither winning nor dealing in. In units of what a point is worth in this standing.
    pub worth: f32,
    /// The part of the worth that the discard itself risks; for a call, that of the discard after
    /// it. Negative where dealing in is better than the other ways that the hand may end.
    pub risk: f32,
    /// The chance to win the hand.
    pub win: f32,
    /// Points of a win.
    pub points: f32,
    /// How the best plan after the action wins.
    pub mode: WinMode,
    /// The shanten of the best plan after the action.
    pub shanten: i8,
    /// Unseen tiles that lower this shanten.
    pub ukeire: f32,
}

impl Candidate {
    fn new(action: Action, worth: f32, risk: f32, prospect: &Prospect) -> Candidate {
        let Prospect { win, points, mode, shanten, ukeire, .. } = *prospect;
        Candidate { action, worth, risk, win, points, mode, shanten, ukeire }
    }
}

/// What the agent makes of an action that it does not compare with others, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// A kan, kita or kyuushu kyuuhai.
    pub action: Action,
    /// Whether the agent takes the action, unless it takes an earlier one.
    pub taken: bool,
    /// Why, in words.
    pub why: &'static str,
}

impl Heuristic {
    /// The agent with these parameters and all its components.
    #[must_use]
    pub fn new(params: Params) -> Heuristic {
        Heuristic {
            calls: true,
            defence: true,
            value: true,
            damaten: true,
            placement: true,
            fast: false,
            utility: Utility::Result,
            usual: params.usual.into(),
            three_players: params.three_players.into(),
        }
    }

    /// What the agent expects of its choices: discards in its turn, calls and passing at a claim.
    /// Empty for other decisions.
    ///
    /// A call has one candidate for each discard after it.
    #[must_use]
    pub fn explain(&self, o: &Observation<'_>) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        match o.phase() {
            Phase::Turn => turn::candidates(self, o, |candidate| candidates.push(candidate)),
            Phase::Claim => claim::candidates(self, o, |candidate| candidates.push(candidate)),
            _ => {}
        }
        candidates
    }

    /// What the agent makes of the kans, kita and kyuushu kyuuhai that it may declare in its turn. It
    /// decides them before it compares its candidates. A daiminkan has no verdict: the agent never makes
    /// one.
    #[must_use]
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

    /// What one unit of a candidate's worth is in points of the result that the agent plays for.
    pub(crate) fn value_of_point(&self, o: &Observation<'_>) -> f32 {
        self.at(o, |situation| situation.worth.unit())
    }

    /// The chance that each kind is a wait of this seat if it is tenpai, by the index of the kind.
    ///
    /// Kinds on which the seat cannot win have chance 0: its own discards, and kinds that passed
    /// since its riichi or since its hand last changed.
    #[must_use]
    pub fn wait_chances(&self, o: &Observation<'_>, seat: Seat) -> [f32; TileKind::COUNT] {
        let params = &self.tables(o).params;
        let river = River::new(o, seat, params.threat.early);
        danger::wait_chances(&params.danger, &Scene::new(o), &river, seat)
    }

    /// Estimates the situation of a decision.
    fn at<T>(&self, o: &Observation<'_>, decide: impl FnOnce(&Situation<'_>) -> T) -> T {
        let scene = Scene::new(o);
        let Tables { id, params, outlooks, placements } = self.tables(o);
        let for_points = !self.placement || self.fast && stage(o) > params.value.last_hands;
        let utility = if for_points { Utility::Points } else { self.utility };
        let opponents = Opponents::new(params, &scene, self.defence, self.fast);
        let rivals = opponents.rivals(params);
        let worth = Worth::new(o, (params, placements, *id), utility, &rivals, scene.draws);
        let threats = Threats::new(params, &scene, &worth, &opponents);
        let extras = params.value.extras(o.rules());
        decide(&Situation {
            agent: self,
            params,
            outlooks,
            scene: &scene,
            worth: &worth,
            threats: &threats,
            extras,
        })
    }

    /// The tables for the players of this game.
    fn tables(&self, o: &Observation<'_>) -> &Tables {
        if o.rules().players == Players::Three { &self.three_players } else { &self.usual }
    }
}

impl Default for Heuristic {
    fn default() -> Heuristic {
        Heuristic::new(Params::released())
    }
}

impl Policy for Heuristic {
    fn choose(&self, o: &Observation<'_>, _: &mut Rng) -> Action {
        let wins = [Action::Tsumo, Action::Ron].into_iter().find(|win| o.legal().contains(win.id()));
        match (wins, o.phase()) {
            (Some(win), _) => win,
            (_, Phase::Turn) => turn::choose(self, o),
            (_, Phase::Claim) if self.calls => claim::choose(self, o),
            (_, Phase::End) if leads(o) => Action::EndGame,
            _ => Action::Pass,
        }
    }
}

/// Whether the player is in first place. The earlier seat wins a tie.
fn leads(o: &Observation<'_>) -> bool {
    let own = o.scores()[o.seat()];
    o.scores().enumerate().all(|(seat, points)| *points < own || *points == own && seat >= o.seat())
}

/// The value at a fractional index, between the nodes on a straight line.
fn interpolated(values: &[f32], at: f32) -> f32 {
    let at = at.clamp(0.0, values.len() as f32 - 1.0);
    // Conversion to 16 bits takes fewer instructions.
    let low = usize::from(at as u16).min(values.len() - 2);
    values[low] + (values[low + 1] - values[low]) * (at - low as f32)
}
