//! The parameters of the agent's estimates.

use jantaku_engine::Rules;
use serde::Deserialize;

use super::interpolate::interpolated;
use crate::PlacementParams;

/// The parameters for games with one number of players.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParamSet {
    #[serde(rename = "outlook")]
    pub(super) win_model: WinModelParams,
    pub(super) wait: WaitParams,
    pub(super) look_ahead: LookAheadParams,
    pub(super) plan: PlanParams,
    pub(super) shape: ShapeParams,
    pub(super) value: ValueParams,
    pub(super) threat: ThreatParams,
    pub(super) danger: DangerParams,
    pub(super) push: PushParams,
    pub(super) call: CallParams,
    /// None if all kans follow rules.
    pub(super) kan: Option<KanParams>,
    pub(super) others: OthersParams,
    #[serde(rename = "standing")]
    pub(super) placements: PlacementParams,
}

/// The number of modes with a table: riichi, damaten, open, by tsumo only.
pub(super) const MODES: usize = 4;
/// The number of shanten classes, 0–5. A higher shanten counts as 5.
pub(super) const SHANTEN: usize = 6;
/// The numbers of draws left at which tables have values.
pub(super) const DRAWS_AT: [f32; 6] = [2.0, 5.0, 8.0, 11.0, 14.0, 17.0];

/// A value for each mode, shanten and number of draws left.
pub(super) type ModeTable = [[[f32; DRAWS_AT.len()]; SHANTEN]; MODES];

/// The win-probability model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WinModelParams {
    /// The win probability at the usual ukeire, by mode (riichi, damaten, open, by tsumo only),
    /// shanten 0–5 and draws left 2, 5, 8, 11, 14 and 17.
    pub win: ModeTable,
    /// The probability of tenpai at an exhaustive draw.
    pub tenpai: ModeTable,
    /// The mean number of discards until the hand ends.
    pub discards: ModeTable,
    /// The usual ukeire by mode and shanten 0–5.
    pub usual_ukeire: [[f32; SHANTEN]; MODES],
    /// The elasticity: the win probability scales with this power of the ukeire. By shanten 0–5 and
    /// draws left 2, 5, 8, 11, 14 and 17. Ukeire matter less with many draws left.
    pub elasticity: [[f32; DRAWS_AT.len()]; SHANTEN],
    /// The factor of the win probability after a discard that leaves one shanten more than the best
    /// discard, by the shanten of the best discard: 0, 1, more. For closed hands, then open ones.
    pub step_back: [[f32; 3]; 2],
    /// The factor of the win probability for damaten with a yaku instead of riichi, while no
    /// opponent, one, or more are tenpai.
    pub damaten: [f32; 3],
    /// The probability that a tenpai hand is still tenpai at the draw if the player has no draw
    /// left.
    pub last_tenpai: f32,
    /// The factor of the win probability for riichi in furiten.
    pub furiten_riichi: f32,
    /// The factor of the win probability while no opponent, one, or more are tenpai. For tenpai
    /// hands, then others.
    pub threats: [[f32; 3]; 2],
    /// The highest win probability.
    pub surest: f32,
}

/// The quality of waits: the weight of each unseen tile.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitParams {
    /// The weight by kind of tile: honours, terminals, ranks 2 and 8, 3 and 7, 4–6. With riichi,
    /// then without.
    pub tiles: [[f32; 5]; 2],
    /// The factor for suji of the player's own discards, with riichi and without.
    pub suji: [f32; 2],
    /// The factor for waits of more than one kind, with riichi and without.
    pub kinds: [f32; 2],
    /// Whether a discard that the hand then waits for makes it furiten, as the rules say.
    #[serde(default)]
    pub own_discard: bool,
}

/// The look-ahead from 1-shanten to the tenpai hands after it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LookAheadParams {
    /// The value of a discard scales with this power of the ratio of the tenpai hands' value to the
    /// usual one. 0 switches the look-ahead off.
    pub power: f32,
    /// The usual value of a tenpai hand, as a share of the value of a certain win.
    pub usual: f32,
    /// The ratio is clamped to this range.
    pub range: [f32; 2],
    /// Discards that are worse than the best one by more than this share are skipped.
    pub within: f32,
    /// The maximum number of discards.
    pub most: usize,
}

/// The conditions for the plans of a hand.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanParams {
    /// A hand without a yaku aims for tenpai at the exhaustive draw if the player has at most this
    /// many draws left.
    pub formal_draws: usize,
    /// The maximum number of tiles outside a suit and the honours for honitsu.
    pub outside_honitsu: u32,
    /// The maximum number of tiles outside a suit for chinitsu.
    pub outside_chinitsu: u32,
    /// The maximum number of tiles of ranks 4–6 for chanta.
    pub outside_chanta: u32,
    /// The maximum number of tiles missing from the sequences of sanshoku and ittsuu.
    pub missing: u32,
    /// The minimum number of pairs and triplets for toitoi, melds included.
    pub groups: usize,
    /// A hand with at least this many yaochuu kinds aims for thirteen orphans instead of an
    /// abortive draw.
    pub orphans: u32,
    /// An ankan must leave at least this share of the hand's value.
    after_kan: f32,
    /// The same for a hand that is tenpai after the kan. None: `after_kan` applies there, too.
    after_kan_tenpai: Option<f32>,
}

impl PlanParams {
    /// The share of the hand's value that an ankan must leave.
    pub(super) fn after_kan(&self, is_tenpai: bool) -> f32 {
        self.after_kan_tenpai.filter(|_| is_tenpai).unwrap_or(self.after_kan)
    }
}

/// The use of tiles for a hand besides their ukeire.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeParams {
    /// The share of the win probability that a discard loses if a tile of the next rank is in the
    /// hand. By the rank (1 or 9, 2 or 8, and so on) and the shanten 1, 2, 3 or more. Two
    /// neighbours make a ryanmen, or grow into a better shape.
    pub next: [[f32; 3]; 5],
    /// The same if a tile two ranks away is in the hand, but none one rank away.
    pub gap: [f32; 3],
    /// The same for one tile of a pair.
    pub pair: [f32; 3],
    /// The same for one tile of a pair of valued honours that can still become a triplet.
    pub valued_pair: [f32; 3],
    /// The same for one tile of a triplet.
    pub triplet: [f32; 3],
    /// The value of keeping a tile of a suit, in points, by its rank.
    pub lone: [f32; 5],
    /// The value of keeping an honour, in points, by the han of its triplet, 0–2.
    pub honour: [f32; 3],
    /// The points subtracted for an honour that is valued for every player.
    pub shared: f32,
    /// The value of keeping a dora, in points, besides the han that it adds to a win.
    pub dora: f32,
    /// The value of keeping a tile, in points, for each opponent against whom it is safe to discard
    /// later. It counts while the player has at most `safe_draws` draws left.
    pub safe: f32,
    pub safe_draws: usize,
}

/// The points of wins.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValueParams {
    /// The points of every win if the agent does not estimate them.
    pub usual: f32,
    /// The estimate for a non-dealer without riichi, by han 1–13.
    pub by_han: [f32; 13],
    /// The estimate for a non-dealer in riichi, by the han without riichi, 0–12.
    pub riichi: [f32; 13],
    /// Pairs: the points of a ron without ippatsu and ura dora, and the mean points of a win in
    /// riichi.
    pub after_riichi: [[f32; 2]; 8],
    /// The actual points of a win, as an offset and a factor of the estimate, by shanten 0–4. For
    /// closed hands, then open ones.
    pub settles: [[[f32; 2]; 5]; 2],
    /// The factor of the estimate for the dealer.
    pub dealer: f32,
    /// The probability of tanyao in a closed hand, by the number of its yaochuu tiles, 0–3.
    pub tanyao: [f32; 4],
    /// The probability of pinfu in a closed hand without triplets.
    pub pinfu: f32,
    /// The probability that a pair of valued honours becomes a triplet.
    pub valued_pair: f32,
    /// The probabilities that ippatsu, ura dora and tsumo add zero, one or two han to a win in
    /// riichi.
    pub more_han: [f32; 3],
    /// The shares of ippatsu and of ura dora in those han. Rules without them reduce the value of
    /// riichi by this share.
    pub ippatsu: f32,
    pub ura: f32,
    /// The points that riichi must gain before the last hand, by the number of unseen tiles of the
    /// waits, 1–8. Compared with damaten with a yaku, then with a hand that wins by tsumo only.
    pub riichi_cost: [[f32; 8]; 2],
    /// How many more points riichi must gain for each point of a ron in damaten.
    #[serde(default)]
    pub riichi_cost_per_point: f32,
    /// The distribution of the points of wins around their mean: factors and their probabilities.
    pub spread: [[f32; 2]; 3],
    /// The share of tsumo among the player's wins.
    pub tsumo: f32,
    /// The minimum value of a point, for scores at which no outcome changes the placement.
    pub per_point: f32,
    /// `fast` plays for placement only in this many last hands of the game.
    pub last_hands: usize,
    /// The points lost with riichi sticks of hands that do not win, for each win of a closed hand
    /// that is not tenpai yet.
    pub lost_sticks: f32,
    /// The points that tenpai gains over noten at an exhaustive draw in which noten players pay
    /// `noten_pool` points together. Under other rules the gain is proportional to their payment.
    pub tenpai: f32,
    pub noten_pool: f32,
}

/// The probability that opponents are tenpai, and the points of a deal-in to them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ThreatParams {
    /// The probability of tenpai without riichi, by calls (0–4) and turn (4, 8, 12, 16).
    pub tenpai: [[f32; 4]; 5],
    /// The mean points of a ron by a non-dealer in riichi.
    pub riichi_loss: f32,
    /// The same for a closed hand without riichi.
    pub closed_loss: f32,
    /// The factor of the loss for a dealer.
    pub dealer: f32,
    /// The factor of the odds of tenpai, by the tsumogiri since the last discard from the hand,
    /// 0–3.
    pub unchanged: [f32; 4],
    /// The expected han of an open hand.
    pub open_han: f32,
    /// The expected additional han for each visible dora, for each triplet of valued honours, and
    /// for a hand that looks like a flush.
    pub dora_han: f32,
    pub valued_han: f32,
    pub flush_han: f32,
    /// The factor of the risk of a tile that is dora.
    pub dora_tile: f32,
    /// The probability that a player who shows all but one triplet of dragons or winds holds a pair
    /// of the last one.
    pub big_triplet: f32,
    /// The number of discards that count as early.
    pub early: u8,
    /// Opponents who are tenpai with a lower probability are ignored.
    pub least: f32,
    /// Opponents who are tenpai with at least this probability count as a threat.
    pub serious: f32,
}

/// The weights of wait shapes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DangerParams {
    /// Two-sided waits.
    pub ryanmen: f32,
    /// Closed waits.
    pub kanchan: f32,
    /// Edge waits.
    pub penchan: f32,
    /// Waits of a pair for a triplet.
    pub shanpon: f32,
    /// Waits of a single tile for a pair.
    pub tanki: f32,
    /// Shanpon and tanki waits for honours.
    pub honour_shanpon: f32,
    pub honour_tanki: f32,
    /// The mean number of these shapes in a tenpai hand.
    pub shapes: f32,
    /// Factors for closed hands and for open ones.
    pub closed: ClosedDangerParams,
    pub open: OpenDangerParams,
}

/// Factors for the waits of a closed hand besides the shapes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClosedDangerParams {
    /// High probabilities are damped: x becomes x / (1 + saturation · x).
    pub saturation: f32,
    /// The factors for number tiles and for honours that are dora.
    pub dora: f32,
    pub dora_honour: f32,
    /// The factor for tiles outside early discards.
    pub outside: f32,
}

/// Factors for the waits of an open hand besides the shapes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenDangerParams {
    /// The factor for all tiles.
    pub share: f32,
    /// The factor for honours.
    pub honours: f32,
    /// The factor for terminals if no meld has one.
    pub outside_tanyao: f32,
    /// The factor for the suit of a hand that looks like a flush, by melds 1–3.
    pub in_flush: [f32; 3],
    /// The factor for the other suits.
    pub outside_flush: f32,
}

/// When to push against a threat.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PushParams {
    /// The share of a deal-in's cost that the hand would not lose in any other way. Only for an
    /// agent that plays for points alone: others compare the values of all outcomes.
    pub risk_share: f32,
    /// The share of the value of pushing that remains under a threat, by shanten 0–5.
    pub under_threat: [f32; 6],
    /// The probability that a later discard deals in to one certain threat: for a hand that can
    /// still fold, and in riichi.
    pub future_danger: [f32; 2],
    /// The share of the expected loss by pushing that remains for a hand that can fold.
    pub folded: f32,
    /// The mean points that a certain threat costs if the player does not win. Only for an agent
    /// that plays for points alone.
    pub threat_cost: f32,
}

/// When to call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CallParams {
    /// The margin by which a closed hand's call must beat passing, in points, if the best plan after it has a
    /// lower shanten than the hand before it.
    closed_nearer: Margins,
    /// The same for a call after which the shanten of the best plan is not lower.
    closed_as_far: Margins,
    /// The same two for an open hand.
    open_nearer: Margins,
    open_as_far: Margins,
    /// How much more a pon must gain if the hand has three tiles of the kind, in points.
    #[serde(default)]
    pub(super) pon_of_triplet: f32,
    /// The margin by which a daiminkan must beat passing, in points, by shanten 0–5. For closed hands, then
    /// open ones. None if the agent makes no daiminkan.
    daiminkan: Option<[[f32; 6]; 2]>,
}

/// Margins by the kind of call (chi, pon, pon of valued honours) and shanten 0–5.
type Margins = [[f32; 6]; 3];

/// The kinds of calls with margins of their own.
#[derive(Clone, Copy, Debug)]
pub(super) enum CallKind {
    Chi,
    Pon,
    ValuedPon,
}

impl CallParams {
    /// The margin of a chi or pon by a hand of this shanten, in points.
    pub(super) fn margin(&self, is_open: bool, kind: CallKind, is_nearer: bool, shanten: i8) -> f32 {
        let margins = match (is_open, is_nearer) {
            (false, true) => &self.closed_nearer,
            (false, false) => &self.closed_as_far,
            (true, true) => &self.open_nearer,
            (true, false) => &self.open_as_far,
        };
        margins[kind as usize][at(shanten)]
    }

    /// The margin of a daiminkan by a hand of this shanten, in points. None if the agent makes none.
    pub(super) fn daiminkan_margin(&self, is_open: bool, shanten: i8) -> Option<f32> {
        self.daiminkan.map(|margins| margins[usize::from(is_open)][at(shanten)])
    }
}

/// The index of a shanten in tables for shanten 0–5.
fn at(shanten: i8) -> usize {
    shanten.clamp(0, 5) as usize
}

/// Kans of a hand in riichi, compared with the discard by their expected value. Without these
/// parameters, they are declared by rule.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KanParams {
    /// What a kan is worth in addition to the value of the hand, in points: new dora and ura dora, and the
    /// replacement tile.
    pub riichi_bonus: f32,
}

/// Wins by opponents in a hand that the player neither wins nor deals into.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OthersParams {
    /// The rate of each opponent's wins per draw that the player has left: for any hand, and in
    /// addition for a tenpai hand.
    pub wins: [f32; 2],
    /// The mean points of a win by an opponent who has neither declared riichi nor called.
    pub points: f32,
    /// The share of tsumo among these wins.
    pub tsumo: f32,
}

impl ValueParams {
    /// The estimated points of a hand with this many han, without riichi.
    pub(super) fn points_with_han(&self, han: f32) -> f32 {
        interpolated(&self.by_han, han - 1.0)
    }

    /// The share of `more_han` that exists under these rules, 0–1: below 1 if they have no ippatsu or no
    /// ura dora.
    pub(super) const fn more_han_share(&self, rules: &Rules) -> f32 {
        let ippatsu = if rules.ippatsu { 0.0 } else { self.ippatsu };
        let ura = if rules.ura { 0.0 } else { self.ura };
        1.0 - ippatsu - ura
    }

    /// The estimated points in riichi of a hand that has this many han without riichi. `share` is
    /// [`ValueParams::more_han_share`].
    pub(super) fn points_in_riichi(&self, han: f32, share: f32) -> f32 {
        let usual = interpolated(&self.riichi, han);
        if share < 1.0 { between(self.points_with_han(han + 1.0), usual, share) } else { usual }
    }

    /// The mean points of a win in riichi, given the points of a ron without ippatsu and ura dora. `share`
    /// is [`ValueParams::more_han_share`].
    pub(super) fn after_riichi(&self, ron: f32, share: f32) -> f32 {
        let nodes = &self.after_riichi;
        let at = nodes.iter().position(|[node, _]| ron < *node).unwrap_or(nodes.len() - 1).max(1);
        let ([low, of_low], [high, of_high]) = (nodes[at - 1], nodes[at]);
        let usual = of_low + (of_high - of_low) * ((ron - low) / (high - low)).min(1.0);
        if share < 1.0 { between(ron, usual, share) } else { usual }
    }

    /// The points that tenpai gains over noten at an exhaustive draw under these rules.
    pub(super) fn tenpai_points(&self, rules: &Rules) -> f32 {
        let pool = rules.noten_pool.total(1, rules.players.count().into());
        self.tenpai * (pool as f32 / self.noten_pool)
    }
}

/// The value at this share of the way from `low` to `high`.
fn between(low: f32, high: f32, share: f32) -> f32 {
    low + share * (high - low)
}
