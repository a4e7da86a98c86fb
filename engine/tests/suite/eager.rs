//! A player who reaches rare states.

use jantaku_engine::{Action, ActionId, Declare, Observation, Phase, Rng, Shanten};

/// Declares riichi, calls and kans often, and mostly discards towards tenpai.
pub fn choose(o: &Observation<'_>, rng: &mut Rng) -> Action {
    let rare = |action: &Action| match action {
        Action::Discard { declare, .. } | Action::Tsumogiri { declare } => *declare != Declare::Nothing,
        Action::Pass => false,
        _ => true,
    };
    let legal: Vec<Action> = o.legal().iter().map(ActionId::action).collect();
    let wanted: Vec<Action> = legal.iter().copied().filter(rare).collect();
    if !wanted.is_empty() && rng.below(3) > 0 {
        return wanted[rng.below(wanted.len())];
    }
    if o.phase() != Phase::Turn || rng.below(8) == 0 {
        return legal[rng.below(legal.len())];
    }
    let shanten_after = |action: &Action| {
        let mut hand = o.hand_with_draw();
        match action {
            Action::Discard { tile, .. } => hand.remove(*tile),
            Action::Tsumogiri { .. } => hand.remove(o.drawn().expect("a drawn tile")),
            _ => return Shanten::TENPAI,
        }
        hand.shanten(o.melds().len())
    };
    legal.into_iter().min_by_key(shanten_after).expect("a legal action")
}
