//! Decisions about other players' discards.

use jantaku_engine::{
    Action, ActionId, ChiPosition, Claimed, Concealed, Meld, MeldKind, Melds, Observation, Tile, TileKind,
    TileSet,
};

use super::agent::Heuristic;
use super::candidate::Candidate;
use super::estimator::Estimator;
use super::params::CallKind;

pub(super) fn choose(agent: &Heuristic, o: &Observation<'_>) -> Action {
    let mut best: Option<Candidate> = None;
    candidates(agent, o, |candidate| {
        if best.is_none_or(|best| candidate.value > best.value) {
            best = Some(candidate);
        }
    });
    best.map_or(Action::Pass, |best| best.action)
}

/// Calls `found` with passing, and with each chi and pon.
///
/// The estimates of calls are too optimistic, so a measured margin is subtracted from their values.
pub(super) fn candidates(agent: &Heuristic, o: &Observation<'_>, mut found: impl FnMut(Candidate)) {
    agent.estimate(o, |estimator| {
        let pass = estimator.waiting(o.hand(), o.melds());
        found(Candidate::new(Action::Pass, pass.value, 0.0, &pass));
        let shanten = o.hand().shanten(o.melds().len()).number();
        let margins = estimator.params.call.of(o.melds().are_open());
        for action in o.legal().iter().map(ActionId::action) {
            let Some(call) = Call::of(o, action) else { continue };
            let kinds = call.rest.kinds() - call.forbidden;
            let estimates = estimator.after_discards(&call.rest, &call.melds, kinds);
            let kind_of_call = estimator.kind_of_call(action);
            for kind in kinds.iter() {
                let (estimate, risk) = (estimates.plain(kind), estimator.danger.risk(kind));
                let margin = margins.of(kind_of_call, estimate.shanten < shanten, shanten);
                let keep = estimator.keep_value(kind);
                found(Candidate::new(action, estimate.value - risk - keep - margin, risk, estimate));
            }
        }
    });
}

impl Estimator<'_> {
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
}

impl Call {
    fn of(o: &Observation<'_>, action: Action) -> Option<Call> {
        let offer = o.offer()?;
        let claimed = offer.tile.kind();
        let (kind, own, reds): (MeldKind, [TileKind; 2], u8) = match action {
            Action::Chi { position, red } => {
                (MeldKind::Chi, ChiPosition::partners(position, claimed)?, u8::from(red))
            }
            Action::Pon { reds } => (MeldKind::Pon, [claimed; 2], reds),
            _ => return None,
        };
        let mut rest = *o.hand();
        let mut reds_left = reds;
        for kind in own {
            let red = reds_left > 0 && TileSet::FIVES.contains(kind);
            reds_left -= u8::from(red);
            rest.remove(if red { Tile::red(kind.suit()) } else { Tile::plain(kind) });
        }
        let low = own.into_iter().chain([claimed]).min()?;
        let reds = reds + u8::from(offer.tile.is_red());
        let mut melds = *o.melds();
        melds.push(Meld::new(kind, low, reds, Some(Claimed { tile: offer.tile, from: offer.from })));
        let kuikae = o.rules().kuikae;
        let forbidden = match action {
            Action::Chi { position, .. } => kuikae.after_chi(claimed, position),
            _ => kuikae.after_pon(claimed),
        };
        Some(Call { rest, melds, forbidden })
    }
}
