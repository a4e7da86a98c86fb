//! Decisions about other players' discards.

use jantaku_engine::{
    Action, ActionId, ChiPosition, Claimed, Concealed, Meld, MeldKind, Melds, Observation, Tile, TileKind,
    TileSet,
};

use super::attack::Situation;
use super::params::CallKind;
use super::{Candidate, Heuristic};

pub(super) fn choose(agent: &Heuristic, o: &Observation<'_>) -> Action {
    let mut best: Option<Candidate> = None;
    candidates(agent, o, |candidate| {
        if best.is_none_or(|best| candidate.worth > best.worth) {
            best = Some(candidate);
        }
    });
    best.map_or(Action::Pass, |best| best.action)
}

/// Calls `found` with passing and with each chi and pon.
///
/// The worth of a call counts its best discard. What the agent expects of calls is too bright, so
/// a measured margin is taken off.
pub(super) fn candidates(agent: &Heuristic, o: &Observation<'_>, mut found: impl FnMut(Candidate)) {
    agent.at(o, |situation| {
        let pass = situation.waiting(o.hand(), o.melds());
        found(Candidate::new(Action::Pass, pass.worth, 0.0, &pass));
        let shanten = o.hand().shanten(o.melds().len()).number();
        let margins = situation.params.call.of(o.melds().are_open());
        for action in o.legal().iter().map(ActionId::action) {
            let Some(call) = Call::of(o, action) else { continue };
            let kinds = call.rest.kinds() - call.forbidden;
            let prospects = situation.after_discards(&call.rest, &call.melds, kinds);
            let kind_of_call = situation.kind_of_call(action);
            for kind in kinds.iter() {
                let (prospect, risk) = (prospects.plain(kind), situation.threats.risk(kind));
                let margin = margins.of(kind_of_call, prospect.shanten < shanten, shanten);
                let useful = situation.usefulness(kind);
                found(Candidate::new(action, prospect.worth - risk - useful - margin, risk, prospect));
            }
        }
    });
}

impl Situation<'_> {
    fn kind_of_call(&self, call: Action) -> CallKind {
        let claimed = self.scene.o.offer().map(|offer| offer.tile.kind());
        match call {
            Action::Pon { .. } if claimed.is_some_and(|kind| self.scene.valued.contains(kind)) => {
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
