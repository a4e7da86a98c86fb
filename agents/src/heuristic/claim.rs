//! Decisions about other players' discards.
//!
//! # Why
//!
//! **Why does `heuristic` estimate a daiminkan as it estimates passing?** After both, the hand
//! waits for a draw. So the two estimates differ only in the melds, their fu and their dora. The
//! value of the extra draw and the new dora is measured, as a margin
//! (`experiments/2026-11-27-calls-and-kans`). Rejected: the mean over all replacement tiles. It
//! takes thirty times as long as a decision, for an action in 0.6 % of hands.

use jantaku_engine::{
    Action, ActionId, Claimed, Concealed, Meld, MeldKind, Melds, Observation, Tile, TileSet,
};

use super::candidate::{Candidate, Candidates};
use super::discard_estimates::{Contest, DiscardEstimates, by_place};
use super::estimator::Estimator;
use super::hand_estimate::HandEstimate;
use super::params::CallKind;
use super::plan::Plans;

/// Finds passing, a daiminkan that is compared by its value, and each chi and pon.
///
/// The estimates of calls are too optimistic, so a measured margin is subtracted from their values.
pub(super) fn candidates(estimator: &Estimator<'_>, found: &mut impl Candidates) {
    let o = estimator.situation.o;
    let pass = estimator.waiting(o.hand(), o.melds());
    found.take(pass.value, || Candidate::new(Action::Pass, pass.value, 0.0, &pass));
    let shanten = o.hand().shanten(o.melds().len()).number();
    let (params, is_open) = (&estimator.params.call, o.melds().are_open());
    if o.legal().contains(Action::Daiminkan.id())
        && let Some(margin) = params.daiminkan_margin(is_open, shanten)
    {
        let estimate = estimator.after_daiminkan();
        let value = estimate.value - margin;
        found.take(value, || Candidate::new(Action::Daiminkan, value, 0.0, &estimate));
    }
    for action in o.legal().iter().map(ActionId::action) {
        let Some(call) = Call::of(o, action) else { continue };
        let kinds = call.rest.kinds() - call.forbidden;
        let kind_of_call = estimator.kind_of_call(action);
        let of_triplet = if call.breaks_triplet { params.pon_of_triplet } else { 0.0 };
        let margin = |is_nearer| params.margin(is_open, kind_of_call, is_nearer, shanten) + of_triplet;
        let (margins, rest) = ([margin(true), margin(false)], &call.rest);
        let plans = estimator.plans_to_discard(rest, &call.melds);
        let to_beat = found.to_beat();
        if to_beat.is_some_and(|best| !estimator.may_beat(best, &plans, &call, kinds, margins)) {
            continue;
        }
        let mut estimates = DiscardEstimates::none(rest.kinds());
        if let Some(best) = to_beat {
            estimates.start(estimator.contest(best, &call, kinds, margins));
        }
        estimator.add_discards(&plans, rest, &call.melds, kinds, &mut estimates);
        for kind in kinds.iter() {
            let (estimate, risk) = (estimates.plain(kind), estimator.danger.risk(kind));
            let margin = margin(estimate.shanten < shanten);
            let value = estimate.value - risk - estimator.keep_value(kind) - margin;
            found.take(value, || Candidate::new(action, value, risk, estimate));
        }
    }
}

impl Estimator<'_> {
    /// The estimate after a daiminkan. The hand waits for a draw, as after passing.
    fn after_daiminkan(&self) -> HandEstimate {
        let o = self.situation.o;
        let offer = o.offer().expect("a daiminkan claims a discard");
        let kind = offer.tile.kind();
        let reds = o.hand().reds_of(kind) as u8 + u8::from(offer.tile.is_red());
        let claimed = Claimed { tile: offer.tile, from: offer.from };
        let mut melds = *o.melds();
        melds.push(Meld::new(MeldKind::Daiminkan, kind, reds, Some(claimed)));
        self.waiting(&o.hand().within(!TileSet::of(kind)), &melds)
    }

    /// Whether a call with one of these discards may have a value above `best`.
    fn may_beat(&self, best: f32, plans: &Plans, call: &Call, kinds: TileSet, margins: [f32; 2]) -> bool {
        let highest = self.highest_after_discard(plans, &call.rest, &call.melds);
        let margin = margins[0].min(margins[1]);
        let least_risk = self.danger.min_risks();
        kinds.iter().any(|kind| highest - least_risk(kind) - self.keep_value(kind) - margin > best)
    }

    /// The contest of the discards after a call.
    fn contest(&self, best: f32, call: &Call, kinds: TileSet, [one, other]: [f32; 2]) -> Contest {
        let margin = one.min(other);
        Contest {
            handicaps: by_place(call.rest.kinds(), |kind| {
                self.danger.risk(kind) + self.keep_value(kind) + margin
            }),
            more: one.max(other) - margin,
            rivals: kinds,
            are_all: false,
            best,
            look_ahead: self.look_ahead_changes(&call.rest, &call.melds),
        }
    }

    fn kind_of_call(&self, call: Action) -> CallKind {
        let claimed = self.situation.o.offer().map(|offer| offer.tile.kind());
        match call {
            Action::Pon { .. } if claimed.is_some_and(|kind| self.situation.valued.contains(kind)) => {
                CallKind::ValuedPon
            }
            Action::Pon { .. } => CallKind::Pon,
            _ => CallKind::Chi,
        }
    }
}

/// A chi or pon, and the hand after it, before the discard.
struct Call {
    rest: Concealed,
    melds: Melds,
    /// Kinds that the rules forbid to discard right after the call.
    forbidden: TileSet,
    /// Whether it is a pon with two tiles of a triplet.
    breaks_triplet: bool,
}

impl Call {
    fn of(o: &Observation<'_>, action: Action) -> Option<Call> {
        let offer = o.offer()?;
        let claimed = offer.tile.kind();
        let own = action.tiles_from_hand(claimed)?;
        let kuikae = o.rules().kuikae;
        let (kind, forbidden) = match action {
            Action::Chi { position, .. } => (MeldKind::Chi, kuikae.after_chi(claimed, position)),
            _ => (MeldKind::Pon, kuikae.after_pon(claimed)),
        };
        let breaks_triplet = kind == MeldKind::Pon && o.hand().count(claimed) == 3;
        let mut rest = *o.hand();
        own.into_iter().for_each(|tile| rest.remove(tile));
        let low = own.map(Tile::kind).into_iter().chain([claimed]).min()?;
        let reds = own.into_iter().chain([offer.tile]).map(|tile| u8::from(tile.is_red())).sum();
        let mut melds = *o.melds();
        melds.push(Meld::new(kind, low, reds, Some(Claimed { tile: offer.tile, from: offer.from })));
        Some(Call { rest, melds, forbidden, breaks_triplet })
    }
}
