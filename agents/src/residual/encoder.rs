//! A candidate of a decision as a network reads it.

use std::sync::LazyLock;

use jantaku_engine::{Action, Observation, Tile, TileKind};

use crate::Candidate;
use crate::candidates::{Compared, Comparison, ComparisonKind};
use crate::encode::{Domain, EncoderId, SparseV1};

/// The encoder `candidate-v2`: the numbers of the active features of a candidate, and a few scalars.
///
/// The features state the action, then the features of `sparse-v1` for its tile and the tiles up to
/// two away in its suit, then those that belong to no kind of tile, such as who is in riichi. The
/// latter are the same for all candidates of a decision. The scalars are those of `sparse-v1` and
/// the estimates of `heuristic`.
#[derive(Clone, Copy, Debug)]
pub struct CandidateEncoder;

/// A candidate as a network reads it.
#[derive(Clone, PartialEq, Debug)]
pub struct EncodedCandidate {
    /// The numbers of its active features. None occurs twice.
    pub active: Vec<u16>,
    /// The scalars.
    pub scalars: [f32; CandidateEncoder::SCALARS],
}

/// The number of actions without their tile: discard and tsumogiri, each with nothing, riichi and open
/// riichi, then the actions from chi on.
const ACTIONS: u16 = 6 + (jantaku_engine::ActionId::COUNT as u16 - FIRST_CALL);
/// The number of the first action that is no discard: each tile and tsumogiri come before it, with
/// nothing, riichi and open riichi.
const FIRST_CALL: u16 = 3 * TILES;
/// The number of tiles of an action. The last stands for no tile.
const TILES: u16 = Tile::COUNT as u16 + 1;
/// The number of kinds of decisions.
const KINDS: u16 = ComparisonKind::ALL.len() as u16;
/// The number of ways in which a plan wins. The last stands for no plan.
const MODES: u16 = 6;

// The first features of the tile, the kind of decision, the way to win, the choice, and the tiles nearby.
const TILE: u16 = ACTIONS;
const KIND: u16 = TILE + TILES;
const MODE: u16 = KIND + KINDS;
const CHOICE: u16 = MODE + MODES;
const NEAR: u16 = CHOICE + 1;

/// The number of features for a row of `sparse-v1`. Five are for the tiles from two below to two above in
/// the suit, the tile itself included. The last is for an honour itself.
const OFFSETS: u16 = 6;

/// The number of rows of `sparse-v1` that have one feature for each kind of tile. The released network
/// freezes `sparse-v1`: the hash of its encoder covers these rows.
const ROWS: u16 = 102;

/// The number of features of `sparse-v1` that belong to no kind of tile.
const OTHERS: u16 = SparseV1::FEATURES - ROWS * 34;

/// What a feature of `sparse-v1` belongs to.
#[derive(Clone, Copy)]
enum FeatureGroup {
    /// A row, and a kind of tile.
    Kind(u16, u16),
    /// No kind of tile: the number of the feature among all without a kind.
    Other(u16),
}

/// The group of each feature of `sparse-v1`.
static GROUPS: LazyLock<Vec<FeatureGroup>> = LazyLock::new(|| {
    let (mut groups, mut rows, mut others) = (Vec::new(), 0.., 0..);
    for row in SparseV1::ENCODER.table().features {
        if row.domain == Domain::Kinds {
            let number = rows.next().expect("no end");
            groups.extend((0..row.domain.len()).map(|kind| FeatureGroup::Kind(number, kind)));
        } else {
            groups.extend(
                (0..row.domain.len()).zip(&mut others).map(|(_, number)| FeatureGroup::Other(number)),
            );
        }
    }
    groups
});

static ID: LazyLock<EncoderId> = LazyLock::new(|| {
    let rows = SparseV1::ENCODER.table().features.iter().map(|row| format!("{row:?}"));
    let scalars = SparseV1::ENCODER.table().scalars.iter().map(|scalar| format!("{scalar:?}"));
    let numbers = CandidateEncoder::NUMBERS.iter().map(|name| (*name).to_owned());
    let features = usize::from(CandidateEncoder::FEATURES);
    EncoderId::new("candidate-v2", 2, features, rows.chain(scalars).chain(numbers))
});

impl CandidateEncoder {
    /// The number of features.
    pub const FEATURES: u16 = CandidateEncoder::SHARED + OTHERS;
    /// The most active features of a candidate.
    pub const MAX_ACTIVE: usize = SparseV1::MAX_ACTIVE + 5;
    /// The number of the first feature of the tile and its neighbours.
    pub const NEAR: u16 = NEAR;
    /// The number of the first feature that all candidates of a decision have in common.
    pub const SHARED: u16 = NEAR + OFFSETS * ROWS;
    /// The scalars after those of `sparse-v1`: the estimates of `heuristic`. Points are in thousands.
    pub const NUMBERS: [&str; 12] = [
        "unit",
        "value",
        "gap",
        "risk",
        "risk_more",
        "win",
        "win_more",
        "root_points",
        "points",
        "shanten",
        "root_ukeire",
        "win_value",
    ];
    /// The number of scalars.
    pub const SCALARS: usize = SparseV1::SCALARS + CandidateEncoder::NUMBERS.len();

    /// The identity of the encoder.
    pub fn id() -> &'static EncoderId {
        &ID
    }

    /// Encodes the candidates of a decision, in their order.
    pub fn encode(o: &Observation<'_>, comparison: &Comparison) -> Vec<EncodedCandidate> {
        let (mut active, mut scalars) = ([0; SparseV1::MAX_ACTIVE], [0.0; SparseV1::SCALARS]);
        let count = SparseV1::encode(o, &mut active, &mut scalars);
        let (mut by_kind, mut others) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for feature in &active[..count] {
            match GROUPS[usize::from(*feature)] {
                FeatureGroup::Kind(row, kind) => by_kind.push((row, kind)),
                FeatureGroup::Other(number) => others.push(CandidateEncoder::SHARED + number),
            }
        }
        let choice = &comparison.candidates[0];
        let encode = |compared: &Compared| {
            let mut active = Vec::with_capacity(96);
            let tile = tile_of(o, compared.action);
            active.push(number_of(compared.action));
            active.push(TILE + tile.map_or(TILES - 1, |tile| tile.index() as u16));
            active.push(KIND + comparison.kind as u16);
            active.push(MODE + compared.estimate.map_or(MODES - 1, |estimate| estimate.mode as u16));
            if compared.action == choice.action {
                active.push(CHOICE);
            }
            if let Some(tile) = tile {
                active.extend(by_kind.iter().filter_map(|place| near(*place, tile.kind())));
            }
            active.extend_from_slice(&others);
            let mut all = [0.0; CandidateEncoder::SCALARS];
            all[..SparseV1::SCALARS].copy_from_slice(&scalars);
            all[SparseV1::SCALARS..].copy_from_slice(&numbers(comparison.unit, compared, choice));
            EncodedCandidate { active, scalars: all }
        };
        comparison.candidates.iter().map(encode).collect()
    }
}

/// The feature of an action without its tile.
fn number_of(action: Action) -> u16 {
    match action {
        Action::Discard { declare, .. } => declare as u16,
        Action::Tsumogiri { declare } => 3 + declare as u16,
        _ => 6 + u16::from(action.id().number()) - FIRST_CALL,
    }
}

/// The tile that an action discards, declares or claims, or lets pass. None if it has none.
fn tile_of(o: &Observation<'_>, action: Action) -> Option<Tile> {
    match action {
        Action::Discard { tile, .. } => Some(tile),
        Action::Tsumogiri { .. } => o.drawn(),
        Action::Kan { kind } => Some(kind.into()),
        _ => o.offer().map(|offer| offer.tile),
    }
}

/// The feature for a feature of `sparse-v1` at this row and kind, relative to a tile. None if the
/// kind is not near the tile.
fn near((row, kind): (u16, u16), tile: TileKind) -> Option<u16> {
    let first = NEAR + OFFSETS * row;
    let own = u16::from(tile.number());
    if tile.is_honour() {
        return (kind == own).then_some(first + 5);
    }
    let is_near = kind / 9 == own / 9 && kind.abs_diff(own) <= 2;
    is_near.then_some(first + kind + 2 - own)
}

/// The scalars [`CandidateEncoder::NUMBERS`] of a candidate. All are 0 if it has no estimate.
fn numbers(unit: f32, compared: &Compared, choice: &Compared) -> [f32; CandidateEncoder::NUMBERS.len()] {
    let Some(estimate) = &compared.estimate else {
        return [0.0; CandidateEncoder::NUMBERS.len()];
    };
    let of_choice: &Candidate = choice.estimate.as_ref().unwrap_or(estimate);
    let points = |units: f32| (units * unit / 1000.0).clamp(-20.0, 20.0);
    let positive = |value: f32| value.max(0.0);
    [
        unit.clamp(0.0, 5.0),
        points(estimate.value),
        compared.gap.unwrap_or(0.0) / 1000.0,
        points(estimate.risk),
        points(estimate.risk - of_choice.risk),
        4.0 * estimate.win,
        10.0 * (estimate.win - of_choice.win),
        positive(estimate.points).sqrt() / 50.0,
        positive(estimate.points).min(20_000.0) / 8000.0,
        f32::from(estimate.shanten),
        positive(estimate.ukeire).sqrt() / 2.0,
        (estimate.win * estimate.points / 1000.0).clamp(-20.0, 20.0),
    ]
}
