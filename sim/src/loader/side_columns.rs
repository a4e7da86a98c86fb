//! What a batch has beside encodings and the facts of each decision, if it is asked for: what agents
//! reported, the concealed tiles of all seats, and what players do not see.

use jantaku_agents::SearchInfo;
use jantaku_agents::encode::{OracleV1, SuitOrder};
use jantaku_agents::labels::Label;
use jantaku_engine::{ActionId, ActionSet, BySeat, Concealed, Tile};

use super::sample::Sample;

/// A number for each action.
pub type ByAction = [f32; ActionId::COUNT];

/// For each seat, how many of each tile it conceals. Seats that do not play have none.
pub type ConcealedTiles = [[u8; Tile::COUNT]; 4];

/// What the player of a decision does not see, as planes of [`OracleV1`].
pub type OraclePlanes = [u8; OracleV1::BYTES];

/// What a sample has beside the snapshot and the facts of its decision, as far as the loader asks for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    /// What the agent reported.
    pub(super) search_info: Option<Box<SearchInfo>>,
    /// The concealed tiles of each seat, without the tile just drawn.
    pub(super) concealed: Option<BySeat<Concealed>>,
    /// What the player does not see.
    pub(super) oracle: Option<Box<OraclePlanes>>,
    /// The label by rollouts.
    pub(super) label: Option<Label>,
}

/// What agents reported with the decisions of a batch: row k of every list is decision k. NaN where
/// the agent reported nothing.
#[derive(Clone, Debug, Default)]
pub struct Reported {
    /// The expected results, on the scales of the agents.
    pub values: Vec<f32>,
    /// The probabilities of the actions; 0 for those that are not legal.
    pub policies: Vec<ByAction>,
    /// The probabilities with which the actions were chosen.
    pub probabilities: Vec<f32>,
    /// The expected results of the actions; NaN for those that were not examined.
    pub action_values: Vec<ByAction>,
    /// Their standard errors; NaN where the agent knows none.
    pub action_errors: Vec<ByAction>,
}

impl Reported {
    pub(super) fn of(samples: &[Sample]) -> Reported {
        let mut reported = Reported::default();
        samples.iter().for_each(|sample| reported.push(sample));
        reported
    }

    fn push(&mut self, sample: &Sample) {
        let nothing = SearchInfo::default();
        let info = sample.extras.as_ref().and_then(|extras| extras.search_info.as_deref());
        let SearchInfo { value, policy, probability, action_values } = info.unwrap_or(&nothing);
        let (legal, suits) = (sample.snapshot.observe().legal(), sample.suits);
        let by_action =
            |rest: f32, values: &mut dyn Iterator<Item = f32>| by_action(rest, values, legal, suits);
        let rest = if policy.is_some() { 0.0 } else { f32::NAN };
        let estimates = || action_values.iter().flatten().copied();
        let means = &mut estimates().map(|estimate| estimate.map_or(f32::NAN, |estimate| estimate.mean));
        let errors = &mut estimates()
            .map(|estimate| estimate.and_then(|estimate| estimate.standard_error).unwrap_or(f32::NAN));
        self.values.push(value.unwrap_or(f32::NAN));
        self.policies.push(by_action(rest, &mut policy.iter().flatten().copied()));
        self.probabilities.push(probability.unwrap_or(f32::NAN));
        self.action_values.push(by_action(f32::NAN, means));
        self.action_errors.push(by_action(f32::NAN, errors));
    }
}

/// The values of the legal actions in order, and `rest` for the other actions.
fn by_action(
    rest: f32,
    values: &mut dyn Iterator<Item = f32>,
    legal: ActionSet,
    suits: SuitOrder,
) -> ByAction {
    let mut all = [rest; ActionId::COUNT];
    for (id, value) in legal.iter().zip(values) {
        all[usize::from(suits.action(id).number())] = value;
    }
    all
}

/// The concealed tiles of all seats at each decision.
pub(super) fn concealed_tiles(samples: &[Sample]) -> Vec<ConcealedTiles> {
    samples.iter().map(tiles_of).collect()
}

/// What the players do not see at each decision.
pub(super) fn oracle_planes(samples: &[Sample]) -> Vec<OraclePlanes> {
    samples.iter().map(planes_of).collect()
}

fn planes_of(sample: &Sample) -> OraclePlanes {
    let oracle = sample.extras.as_ref().and_then(|extras| extras.oracle.as_ref());
    let mut planes = **oracle.expect("the loader asks for them");
    sample.suits.planes(&mut planes);
    planes
}

fn tiles_of(sample: &Sample) -> ConcealedTiles {
    let mut tiles = [[0; Tile::COUNT]; 4];
    let concealed = sample.extras.as_ref().and_then(|extras| extras.concealed.as_ref());
    for (seat, hand) in concealed.iter().flat_map(|hands| hands.enumerate()) {
        hand.tiles().for_each(|tile| tiles[seat.index()][sample.suits.tile(tile).index()] += 1);
    }
    tiles
}
