//! The agent: its options, and the models behind its estimates.

use jantaku_engine::Observation;

use super::look_ahead_changes::Changes;
use super::opponent::TenpaiTable;
use super::outcome_cache::ModelsId;
use super::param_files::Params;
use super::params::ParamSet;
use super::shape::ShapeLosses;
use super::utility::Utility;
use super::wait_chances::WaitShapes;
use super::win_model::WinModel;
use crate::PlacementModel;
use crate::by_players::ByPlayers;

/// A classical player.
///
/// - It wins whenever it can.
/// - It discards, declares riichi and calls by expected value: the win probability times the value
///   of the win, minus the expected loss by dealing in. Both follow from measured tables.
/// - It plays for the result of the game: points count by themselves and through the placement that
///   they lead to.
/// - It declares kans that do not slow the hand or reduce its value much, unless another player
///   threatens and the hand is far from tenpai. From version 2 on, a hand in riichi declares them by
///   expected value. From version 3 on, it compares a daiminkan by expected value, and declares no ankan
///   that lowers the value of a tenpai hand. It declares kita unless that breaks tenpai or gives up
///   thirteen orphans.
/// - It goes for tenpai without a yaku in the last draws.
/// - It shows a tenpai hand at an exhaustive draw, and ends the game when it is in first place.
#[expect(clippy::struct_excessive_bools, reason = "each switches a component of its own")]
#[derive(Clone, Debug)]
pub struct Heuristic {
    /// Whether it makes chi, pon and daiminkan. If not, its hands stay closed.
    pub calls: bool,
    /// Whether it counts the risk of each discard.
    pub defence: bool,
    /// Whether it estimates the value of each win. If not, all wins count the same.
    pub value: bool,
    /// Whether it may keep a tenpai hand without riichi. If not, it declares riichi with every
    /// discard that allows it.
    pub damaten: bool,
    /// Whether it plays for the result of the game. If not, for points alone.
    pub placement: bool,
    /// Whether it leaves out slow estimates, for rollouts. These are the look-ahead, plans of
    /// closed hands that need calls after the discard, plans of discards that raise the shanten,
    /// hidden threats, and placement until the last two hands.
    pub fast: bool,
    /// What it maximises, if it plays for more than points.
    pub utility: Utility,
    pub(super) models: ByPlayers<Models>,
}

/// The parameters for games with one number of players, and the models built from them.
#[derive(Clone, Debug)]
pub(super) struct Models {
    pub id: ModelsId,
    pub params: ParamSet,
    pub win: WinModel,
    pub shapes: WaitShapes,
    pub tenpai: TenpaiTable,
    pub shape_losses: ShapeLosses,
    pub placements: PlacementModel,
    /// See [`ParamSet::bounds_estimates`].
    pub bounds_estimates: bool,
    /// How the look-ahead may change estimates. None if it is off.
    pub changes: Option<Changes>,
}

impl From<ParamSet> for Models {
    fn from(params: ParamSet) -> Models {
        Models {
            id: ModelsId::new(),
            win: WinModel::new(&params.win_model),
            shapes: WaitShapes::new(&params.danger),
            tenpai: TenpaiTable::new(&params.threat),
            shape_losses: ShapeLosses::new(&params.shape),
            placements: PlacementModel::new(&params.placements),
            bounds_estimates: params.bounds_estimates(),
            changes: params.look_ahead.changes(),
            params,
        }
    }
}

impl Heuristic {
    /// The agent with these parameters and all its components.
    pub fn new(params: Params) -> Heuristic {
        Heuristic {
            calls: true,
            defence: true,
            value: true,
            damaten: true,
            placement: true,
            fast: false,
            utility: Utility::Result,
            models: params.sets.map(Models::from),
        }
    }

    /// The models for the number of players in this game.
    pub(super) fn models(&self, o: &Observation<'_>) -> &Models {
        self.models.of(o.rules().players)
    }
}

impl Default for Heuristic {
    fn default() -> Heuristic {
        Heuristic::new(Params::released())
    }
}
