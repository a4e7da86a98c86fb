//! Estimates for any hand, by its best plan.

use jantaku_engine::{Concealed, DiscardAnalysis, DiscardOptions, Melds, TileKind, TileSet};

use super::discard_estimates::DiscardEstimates;
use super::estimator::Estimator;
use super::hand_estimate::{HandClass, HandEstimate};
use super::plan::{Plan, Plans, count_of};
use super::shape::Shape;
use super::situation::Situation;
use super::win_model::WinMode;

impl Estimator<'_> {
    /// The estimates after each discard of these kinds.
    pub(super) fn after_discards(&self, hand: &Concealed, melds: &Melds, kinds: TileSet) -> DiscardEstimates {
        let mut estimates = DiscardEstimates::none(hand.kinds());
        self.add_discards(&self.plans_to_discard(hand, melds), hand, melds, kinds, &mut estimates);
        estimates
    }

    /// Adds the estimates after each discard of these kinds, by the plans of the hand.
    pub(super) fn add_discards(
        &self,
        plans: &Plans,
        hand: &Concealed,
        melds: &Melds,
        kinds: TileSet,
        estimates: &mut DiscardEstimates,
    ) {
        let kinds = hand.kinds() & kinds;
        plans.iter().for_each(|plan| self.add_plan(plan, hand, melds, kinds, estimates));
        self.look_ahead(hand, melds, kinds, estimates);
    }

    /// The plans of a hand that is to discard.
    pub(super) fn plans_to_discard(&self, hand: &Concealed, melds: &Melds) -> Plans {
        self.plans(hand, melds, self.agent.calls && (!self.agent.fast || melds.are_open()))
    }

    /// An upper bound of the values after a discard.
    pub(super) fn highest_after_discard(&self, plans: &Plans, hand: &Concealed, melds: &Melds) -> f32 {
        let highest = plans.iter().fold(0.0, |highest: f32, plan| {
            let shanten = plan.shanten_after_discard(plan.shanten(), plan.spare(hand));
            let Some(shanten) = shanten else { return highest };
            let mut terms = self.terms(plan, shanten, hand, melds);
            terms.bound(self);
            terms.highest.into_iter().fold(highest, f32::max)
        });
        highest * self.look_ahead_changes(hand, melds).map_or(1.0, |changes| changes.most)
    }

    /// The estimate for a hand that waits for a draw or a call.
    pub(super) fn waiting(&self, hand: &Concealed, melds: &Melds) -> HandEstimate {
        let plans = self.plans(hand, melds, self.agent.calls);
        plans.iter().fold(HandEstimate::NONE, |best, plan| {
            let shanten = plan.shanten();
            if shanten <= 0 {
                let [plain, riichi] = self.tenpai(hand, melds);
                return best.or(plain.or(riichi));
            }
            let (class, han) = (self.class(plan.mode, shanten), self.han(plan, hand));
            if self.highest(&class, 1.0, &han) <= best.value {
                return best;
            }
            best.or(self.before_tenpai(&class, plan.ukeire(), han.now(), [1.0; 2]))
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
        let (spare, analysis) = (plan.spare(hand), plan.hand.discard_analysis(plan.melds));
        let of_hand = if plan.is_fixed() { 0 } else { analysis.shanten().number() };
        let Some(least) = plan.shanten_after_discard(of_hand + plan.more, spare) else { return };
        let mut terms = self.terms(plan, least, hand, melds);
        // `fast` estimates so few discards that bounds cost more than they save.
        if !self.agent.fast {
            terms.bound(self);
        }
        let spare = estimates.relevant(spare & kinds, terms.highest[0]);
        if least <= 0 {
            spare.iter().for_each(|kind| self.add_tenpai_after(kind, hand, melds, estimates));
        } else if !spare.is_empty() {
            // The plan is the same after each of these discards.
            let found = self.before_tenpai(&terms.classes[0], plan.ukeire(), terms.han.now(), [1.0; 2]);
            for kind in spare.iter() {
                let best = estimates.plain_mut(kind);
                *best = best.or(found);
            }
        }
        let highest = terms.highest[0].max(terms.highest[1]);
        let own = estimates.relevant(plan.hand.kinds() & kinds, highest);
        if !own.is_empty() {
            let (_, best) = analysis.least_discards();
            self.add_options(&terms, &analysis, own & best, estimates, (hand, melds));
            estimates.compete();
            // A discard that raises the shanten rarely wins. `fast` gives it no plan, so it is only for
            // folding.
            if !self.agent.fast {
                let others = estimates.relevant(own - best, terms.highest[1]);
                self.add_options(&terms, &analysis, others, estimates, (hand, melds));
            }
        }
        estimates.compete();
    }

    /// Adds the estimates of a plan after these discards of its own tiles, where they are better.
    fn add_options(
        &self,
        terms: &PlanTerms<'_>,
        analysis: &DiscardAnalysis<'_>,
        kinds: TileSet,
        estimates: &mut DiscardEstimates,
        (hand, melds): (&Concealed, &Melds),
    ) {
        if kinds.is_empty() {
            return;
        }
        let PlanTerms { plan, least, classes, factors, highest, han } = terms;
        let shape = Shape::new(&plan.hand, self.situation);
        let mut options = DiscardOptions::NONE;
        analysis.find(kinds, &mut options);
        for option in options.as_slice() {
            let (kind, shanten) = (option.kind, option.shanten.number() + plan.more);
            let at = (shanten - least) as usize;
            let best = estimates.plain_mut(kind);
            if shanten <= 0 {
                self.add_tenpai_after(kind, hand, melds, estimates);
            } else if highest[at] > best.value {
                let ukeire = (option.ukeire & plan.kinds) | plan.more_kinds;
                let shape_factor = 1.0 - shape.lost(&self.models.shape_losses, kind, shanten);
                let factors = [factors[at], shape_factor];
                *best = best.or(self.before_tenpai(&classes[at], ukeire, han.after(kind), factors));
            }
        }
    }

    /// Adds the estimates of the tenpai hand after a discard.
    fn add_tenpai_after(
        &self,
        kind: TileKind,
        hand: &Concealed,
        melds: &Melds,
        estimates: &mut DiscardEstimates,
    ) {
        if estimates.plain(kind).shanten > 0 {
            let mut rest = *hand;
            rest.remove_any(kind);
            let [plain, riichi] = self.tenpai(&rest, melds);
            *estimates.plain_mut(kind) = estimates.plain(kind).or(plain);
            *estimates.riichi_mut(kind) = riichi;
        }
    }

    /// The terms of a plan whose best discards leave this shanten.
    fn terms<'a>(&'a self, plan: &'a Plan, least: i8, hand: &Concealed, melds: &Melds) -> PlanTerms<'a> {
        let step_back = &self.params.win_model.step_back[usize::from(melds.are_open())];
        let factors = [1.0, step_back[(least.max(0) as usize).min(2)]];
        let classes = [self.class(plan.mode, least), self.class(plan.mode, least + 1)];
        let han = self.han(plan, hand);
        PlanTerms { plan, least, classes, factors, highest: [f32::INFINITY; 2], han }
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

    /// An upper bound of the values of a plan with this class and factor.
    fn highest(&self, class: &HandClass, factor: f32, han: &Han<'_>) -> f32 {
        self.highest_value(class, factor, self.points(class.mode, han.most()))
    }

    /// The estimate for a plan that is not tenpai. The factors multiply the win probability.
    fn before_tenpai(&self, class: &HandClass, ukeire: TileSet, han: f32, factors: [f32; 2]) -> HandEstimate {
        let ukeire = self.situation.unseen.count(ukeire) as f32;
        self.estimate(class, ukeire, factors, self.points(class.mode, han), None)
    }

    /// The estimated points of a win with this many han, without riichi.
    fn points(&self, mode: WinMode, han: f32) -> f32 {
        match mode {
            WinMode::Riichi => self.params.value.points_in_riichi(han, self.more_han_share),
            _ => self.params.value.points_with_han(han),
        }
    }
}

/// The terms that the estimates after all discards share in a plan.
struct PlanTerms<'a> {
    plan: &'a Plan,
    /// The shanten after the best discards. After others it is one higher.
    least: i8,
    /// For the best discards, then for others: the class of the hand after them, the factor of the win
    /// probability, and an upper bound of the values, which is infinite at first.
    classes: [HandClass; 2],
    factors: [f32; 2],
    highest: [f32; 2],
    han: Han<'a>,
}

impl PlanTerms<'_> {
    /// Finds the upper bounds of the values.
    fn bound(&mut self, estimator: &Estimator<'_>) {
        let bound = |at: usize| estimator.highest(&self.classes[at], self.factors[at], &self.han);
        self.highest = [bound(0), bound(1)];
    }
}

/// The expected han of a plan.
struct Han<'a> {
    situation: &'a Situation<'a>,
    plan: &'a Plan,
    /// The han of yaku and dora.
    sure: f32,
    /// In a plan for riichi, the probabilities of tanyao by the number of yaochuu tiles, and that number.
    tanyao: Option<(&'a [f32], u32)>,
    /// The expected han of pairs of valued honours.
    of_pairs: f32,
    /// The expected han of pinfu.
    pinfu: f32,
}

impl Han<'_> {
    /// The han with all tiles of the plan.
    fn now(&self) -> f32 {
        self.with_yaochuu(self.sure, 0)
    }

    /// The han after the discard of a tile of the plan.
    fn after(&self, discard: TileKind) -> f32 {
        let hand = &self.plan.hand;
        let reds = hand.reds_of(discard);
        let last_is_red = reds > 0 && reds == hand.count(discard);
        let sure = self.sure - f32::from(self.situation.dora_of(discard) + u8::from(last_is_red));
        self.with_yaochuu(sure, u32::from(discard.is_yaochuu()))
    }

    /// The highest number of han after any discard.
    fn most(&self) -> f32 {
        self.with_yaochuu(self.sure, 0).max(self.with_yaochuu(self.sure, 1))
    }

    fn with_yaochuu(&self, sure: f32, discarded: u32) -> f32 {
        let Some((chances, yaochuu)) = self.tanyao else { return sure };
        let tanyao = chances.get(yaochuu.saturating_sub(discarded) as usize).copied().unwrap_or(0.0);
        sure + tanyao + self.of_pairs + self.pinfu
    }
}
