//! Estimates for tenpai hands: their waits, with and without riichi.

use jantaku_engine::{Concealed, Melds, Riichi, TileSet};

use super::estimator::Estimator;
use super::hand_estimate::{HandClass, HandEstimate};
use super::interpolate::interpolated;
use super::outcome_values::YAKUMAN;
use super::ron_cache::{Rons, Scorer};
use super::wait_weights::WaitWeights;
use super::win_model::WinMode;

impl Estimator<'_> {
    /// The estimates for a tenpai hand without riichi, and in riichi.
    pub(super) fn tenpai(&self, hand: &Concealed, melds: &Melds) -> [HandEstimate; 2] {
        self.tenpai_hands(melds).of(hand)
    }

    /// The terms for tenpai hands with these melds.
    pub(super) fn tenpai_hands<'b>(&'b self, melds: &'b Melds) -> TenpaiHands<'b> {
        TenpaiHands {
            estimator: self,
            melds,
            scorer: Scorer::new(self.situation.o, melds, Riichi::None),
            weights: WaitWeights::new(&self.params.wait, self.situation.discarded, Riichi::None),
        }
    }

    /// The estimate for a hand in riichi.
    pub(super) fn in_riichi(&self, hand: &Concealed, melds: &Melds) -> HandEstimate {
        self.riichi_hands(melds, self.situation.riichi()).of(hand)
    }

    /// The terms for hands in riichi with these melds.
    pub(super) fn riichi_hands<'b>(&'b self, melds: &'b Melds, riichi: Riichi) -> RiichiHands<'b> {
        RiichiHands {
            estimator: self,
            scorer: Scorer::new(self.situation.o, melds, riichi),
            weights: WaitWeights::new(&self.params.wait, self.situation.discarded, riichi),
            riichi,
            class: self.class(WinMode::Riichi, 0),
        }
    }

    /// Whether a hand with these waits is furiten after the discard.
    fn is_furiten(&self, waits: TileSet) -> bool {
        let by_discard = self.params.wait.own_discard && self.situation.is_complete();
        by_discard || waits.intersects(self.situation.discarded)
    }

    fn waits(&self, rons: &Rons, weights: &WaitWeights<'_>, riichi: Riichi) -> Waits {
        let (mut sums, mut kinds) = (Waits::default(), 0);
        for (kind, points) in rons.iter() {
            let unseen = self.situation.unseen.of(kind) as f32;
            if unseen > 0.0 && points > 0.0 {
                let left = unseen * weights.of(kind);
                sums.unseen += unseen;
                kinds += 1;
                sums.tiles += left;
                sums.points += left * points;
                if self.outcomes.is_last_hand() {
                    sums.value += left * self.value_of_ron(points, riichi);
                }
            }
        }
        sums.quality = weights.factor_for_kinds(kinds);
        sums
    }

    /// The value of a win with these points in the last hand, where a few points more can mean a
    /// better placement. In riichi, ippatsu, ura dora or tsumo may add one or two han.
    fn value_of_ron(&self, points: f32, riichi: Riichi) -> f32 {
        let dealer = if self.situation.is_dealer { self.params.value.dealer } else { 1.0 };
        if riichi == Riichi::None {
            return self.outcomes.exact_win(dealer * points);
        }
        let (mut points, mut value) = (points, 0.0);
        let [_, one, two] = self.params.value.more_han.map(|chance| self.more_han_share * chance);
        for chance in [1.0 - one - two, one, two] {
            value += chance * self.outcomes.exact_win(dealer * points);
            points = with_one_han_more(points);
        }
        value
    }

    /// The estimate for a tenpai hand with these waits. `factor` multiplies the win probability.
    fn estimate_waits(&self, class: &HandClass, waits: &Waits, factor: f32) -> HandEstimate {
        let points = match class.mode {
            WinMode::Riichi => self.params.value.after_riichi(waits.points(), self.more_han_share),
            _ => waits.points(),
        };
        let exact = self.outcomes.is_last_hand() && waits.tiles > 0.0;
        let value = exact.then(|| waits.value / waits.tiles);
        let tiles = if class.mode == WinMode::Tsumo { waits.unseen } else { waits.tiles * waits.quality };
        let estimate = self.estimate(class, tiles, [factor, 1.0], points, value);
        HandEstimate { ukeire: waits.unseen, ..estimate }
    }
}

/// The terms that the estimates for all tenpai hands with the same melds share.
pub(super) struct TenpaiHands<'a> {
    estimator: &'a Estimator<'a>,
    melds: &'a Melds,
    /// Of hands without riichi.
    scorer: Scorer<'a>,
    weights: WaitWeights<'a>,
}

impl TenpaiHands<'_> {
    /// The estimates for a hand without riichi, and in riichi.
    pub(super) fn of(&self, hand: &Concealed) -> [HandEstimate; 2] {
        let estimator = self.estimator;
        let rons = self.scorer.rons(hand);
        let (plain, all) = (estimator.waits(&rons, &self.weights, Riichi::None), rons.waits);
        let furiten = estimator.is_furiten(all);
        if self.melds.are_open() {
            let mode = match (furiten, plain.tiles > 0.0) {
                (_, false) => WinMode::Draw,
                (true, true) => WinMode::Tsumo,
                (false, true) => WinMode::Open,
            };
            return [estimator.estimate_waits(&estimator.class(mode, 0), &plain, 1.0), HandEstimate::NONE];
        }
        self.closed(hand, &plain, all, furiten)
    }

    /// The same for a closed hand. `plain` has the sums over its waits without riichi, and `kinds` are all
    /// its waits.
    fn closed(&self, hand: &Concealed, plain: &Waits, kinds: TileSet, furiten: bool) -> [HandEstimate; 2] {
        let estimator = self.estimator;
        let in_riichi = estimator.riichi_hands(self.melds, Riichi::Single);
        let riichi = in_riichi.waits(hand).1;
        // A closed hand without a yaku can still win by tsumo.
        let (mode, waits) = match (furiten, plain.tiles > 0.0) {
            (false, true) => (WinMode::Damaten, plain),
            (true, true) => (WinMode::Tsumo, plain),
            (_, false) => (WinMode::Tsumo, &riichi),
        };
        let without = estimator.estimate_waits(&estimator.class(mode, 0), waits, 1.0);
        let may_riichi = estimator.situation.may_riichi();
        let mut with = if may_riichi { in_riichi.estimate_waits(&riichi, kinds) } else { HandEstimate::NONE };
        let value = &estimator.params.value;
        if !estimator.outcomes.is_last_hand() {
            let costs = &value.riichi_cost[usize::from(mode == WinMode::Tsumo)];
            let damaten = if mode == WinMode::Damaten { plain.points() } else { 0.0 };
            with.value -= interpolated(costs, riichi.unseen - 1.0) + value.riichi_cost_per_point * damaten;
        }
        // Riichi adds nothing to a yakuman.
        if plain.points() > YAKUMAN - 1.0 {
            with.value = with.value.min(without.value - estimator.situation.o.rules().riichi_stick as f32);
        }
        [without, with]
    }
}

/// The terms that the estimates for all hands in riichi with the same melds share.
pub(super) struct RiichiHands<'a> {
    estimator: &'a Estimator<'a>,
    scorer: Scorer<'a>,
    weights: WaitWeights<'a>,
    riichi: Riichi,
    class: HandClass,
}

impl RiichiHands<'_> {
    /// The estimate for a hand.
    pub(super) fn of(&self, hand: &Concealed) -> HandEstimate {
        let (kinds, waits) = self.waits(hand);
        self.estimate_waits(&waits, kinds)
    }

    /// The waits of a hand: the kinds, and their sums.
    fn waits(&self, hand: &Concealed) -> (TileSet, Waits) {
        let rons = self.scorer.rons(hand);
        (rons.waits, self.estimator.waits(&rons, &self.weights, self.riichi))
    }

    fn estimate_waits(&self, waits: &Waits, kinds: TileSet) -> HandEstimate {
        let is_furiten = self.estimator.is_furiten(kinds);
        let factor = if is_furiten { self.estimator.params.win_model.furiten_riichi } else { 1.0 };
        self.estimator.estimate_waits(&self.class, waits, factor)
    }
}

/// Sums over the waits of a hand.
#[derive(Clone, Copy, Default)]
struct Waits {
    /// The number of unseen tiles that win.
    unseen: f32,
    /// The sum of the weights of the unseen tiles.
    tiles: f32,
    /// The factor for the number of kinds.
    quality: f32,
    /// The sum over the unseen tiles of the weight times the points of a win.
    points: f32,
    /// In the last hand, the sum over the unseen tiles of the weight times the value of a win.
    value: f32,
}

impl Waits {
    /// The mean points of a win.
    fn points(self) -> f32 {
        if self.tiles > 0.0 { self.points / self.tiles } else { 0.0 }
    }
}

/// The points of a non-dealer ron with one han more. Below a mangan this doubles the points.
fn with_one_han_more(points: f32) -> f32 {
    let limits = [8000.0, 12000.0, 16000.0, 24000.0, 32000.0];
    let limit = limits.into_iter().find(|limit| *limit > points).unwrap_or(points);
    limit.min(2.0 * points)
}
