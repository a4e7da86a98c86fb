//! Estimates for any hand, by its best plan.

use jantaku_engine::{Concealed, Melds, TileKind, TileSet};

use super::estimator::Estimator;
use super::hand_estimate::{DiscardEstimates, HandClass, HandEstimate};
use super::plan::{Plan, Plans, count_of};
use super::shape::Shape;
use super::situation::Situation;
use super::win_model::WinMode;

impl Estimator<'_> {
    /// The estimates after each discard of these kinds.
    pub(super) fn after_discards(&self, hand: &Concealed, melds: &Melds, kinds: TileSet) -> DiscardEstimates {
        let mut estimates = DiscardEstimates::NONE;
        let may_call = self.agent.calls && (!self.agent.fast || melds.are_open());
        for plan in self.plans(hand, melds, may_call).iter() {
            self.add_plan(plan, hand, melds, hand.kinds() & kinds, &mut estimates);
        }
        self.look_ahead(hand, melds, hand.kinds() & kinds, &mut estimates);
        estimates
    }

    /// The estimate for a hand that waits for a draw or a call.
    pub(super) fn waiting(&self, hand: &Concealed, melds: &Melds) -> HandEstimate {
        let plans = self.plans(hand, melds, self.agent.calls);
        plans.iter().fold(HandEstimate::NONE, |best, plan| {
            let (shanten, ukeire) = plan.distance();
            best.or(match shanten {
                ..=0 => {
                    let [plain, riichi] = self.tenpai(hand, melds);
                    plain.or(riichi)
                }
                _ => {
                    let class = self.class(plan.mode, shanten, 1.0);
                    self.before_tenpai(&class, ukeire, self.han(plan, hand).now(), 1.0)
                }
            })
        })
    }

    fn plans(&self, hand: &Concealed, melds: &Melds, may_call: bool) -> Plans {
        Plans::new(self.situation, hand, melds, may_call, &self.params.plan)
    }

    /// Adds the estimates of a plan after each discard of `kinds`, where they are better.
    fn add_plan(
        &self,
        plan: &Plan,
        hand: &Concealed,
        melds: &Melds,
        kinds: TileSet,
        estimates: &mut DiscardEstimates,
    ) {
        let spare = hand.kinds() - plan.hand.kinds() - plan.kept;
        let after_spare = if spare.is_empty() { None } else { Some(plan.distance()) };
        // A discard that raises the shanten rarely wins. `fast` gives it no plan, so it is only for
        // folding.
        let options = if self.agent.fast {
            plan.hand.best_discards(plan.melds)
        } else {
            plan.hand.discard_options(plan.melds)
        };
        let least_of_options = options.best_shanten().map(|shanten| shanten.number() + plan.more);
        let least = after_spare.map(|(shanten, _)| shanten).into_iter().chain(least_of_options).min();
        let Some(least) = least else { return };
        let step_back = &self.params.win_model.step_back[usize::from(melds.are_open())];
        let step_back = step_back[(least.max(0) as usize).min(2)];
        let classes = [self.class(plan.mode, least, 1.0), self.class(plan.mode, least + 1, step_back)];
        let han = self.han(plan, hand);
        let shape = Shape::new(&plan.hand, self.situation);
        let add_tenpai = |kind: TileKind, estimates: &mut DiscardEstimates| {
            if estimates.plain[kind.index()].shanten > 0 {
                let mut rest = *hand;
                rest.remove_any(kind);
                let [plain, riichi] = self.tenpai(&rest, melds);
                estimates.plain[kind.index()] = estimates.plain[kind.index()].or(plain);
                estimates.riichi[kind.index()] = riichi;
            }
        };
        match after_spare {
            Some((..=0, _)) => (spare & kinds).iter().for_each(|kind| add_tenpai(kind, estimates)),
            Some((_, ukeire)) => {
                // The plan is the same after each of these discards.
                let found = self.before_tenpai(&classes[0], ukeire, han.now(), 1.0);
                for kind in (spare & kinds).iter() {
                    let best = &mut estimates.plain[kind.index()];
                    *best = best.or(found);
                }
            }
            None => {}
        }
        for option in options.as_slice() {
            let (kind, shanten) = (option.kind, option.shanten.number() + plan.more);
            if !kinds.contains(kind) {
                continue;
            }
            if shanten <= 0 {
                add_tenpai(kind, estimates);
            } else if let Some(class) = classes.get((shanten - least) as usize) {
                let ukeire = (option.ukeire & plan.kinds) | plan.more_kinds;
                let shape_factor = 1.0 - shape.lost(&self.params.shape, kind, shanten);
                let found = self.before_tenpai(class, ukeire, han.after(kind), shape_factor);
                let best = &mut estimates.plain[kind.index()];
                *best = best.or(found);
            }
        }
    }

    /// The expected han of a plan.
    fn han<'a>(&'a self, plan: &'a Plan, hand: &Concealed) -> Han<'a> {
        let value = &self.params.value;
        let sure = plan.yaku + plan.dora + f32::from(self.situation.dora_in(&plan.hand));
        let mut han = Han { situation: self.situation, plan, sure, tanyao: None, of_pairs: 0.0, pinfu: 0.0 };
        if plan.mode == WinMode::Riichi {
            let pairs = (hand.at_least(2) - hand.at_least(3)) & self.situation.valued;
            let may_be_pinfu = hand.at_least(3).is_empty() && pairs.is_empty();
            han.tanyao = Some((&value.tanyao, count_of(hand, TileSet::YAOCHUU)));
            han.of_pairs = value.valued_pair * (pairs & self.situation.unseen.kinds()).len() as f32;
            han.pinfu = if may_be_pinfu { value.pinfu } else { 0.0 };
        }
        han
    }

    /// The estimate for a plan that is not tenpai. `shape_factor` multiplies the win probability.
    fn before_tenpai(
        &self,
        class: &HandClass<'_>,
        ukeire: TileSet,
        han: f32,
        shape_factor: f32,
    ) -> HandEstimate {
        let points = match class.mode {
            WinMode::Riichi => self.params.value.of_riichi(han, self.extras),
            _ => self.params.value.of_han(han),
        };
        self.estimate(class, self.situation.unseen.count(ukeire) as f32, shape_factor, points, None)
    }
}

/// The expected han of a plan.
struct Han<'a> {
    situation: &'a Situation<'a>,
    plan: &'a Plan,
    /// The han of yaku and dora.
    sure: f32,
    /// In a closed hand, the probabilities of tanyao and the number of yaochuu tiles.
    tanyao: Option<(&'a [f32], u32)>,
    /// The expected han of pairs of valued honours.
    of_pairs: f32,
    /// The expected han of pinfu.
    pinfu: f32,
}

impl Han<'_> {
    /// With all tiles of the plan.
    fn now(&self) -> f32 {
        self.with_yaochuu(self.sure, 0)
    }

    /// After the discard of a tile of the plan.
    fn after(&self, discard: TileKind) -> f32 {
        let hand = &self.plan.hand;
        let last_is_red = TileSet::FIVES.contains(discard) && hand.reds_of(discard) == hand.count(discard);
        let sure = self.sure - f32::from(self.situation.dora_of(discard) + u8::from(last_is_red));
        self.with_yaochuu(sure, u32::from(discard.is_yaochuu()))
    }

    fn with_yaochuu(&self, sure: f32, discarded: u32) -> f32 {
        let Some((chances, yaochuu)) = self.tanyao else { return sure };
        let tanyao = chances.get(yaochuu.saturating_sub(discarded) as usize).copied().unwrap_or(0.0);
        sure + tanyao + self.of_pairs + self.pinfu
    }
}
