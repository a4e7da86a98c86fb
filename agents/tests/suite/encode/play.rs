//! Games that reach rare decisions.

use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Action, ActionId, Declare, Game, Observation, Phase, Rng, Rules, Shanten};

use crate::level::Size;

/// The number of hands that check each law.
pub fn hands() -> u32 {
    // Fewer hands do not reach every channel.
    Size(300, 300, 6000).get()
}

/// The rules of the presets in turn, without end.
pub fn rules() -> impl Iterator<Item = Rules> {
    PRESETS.iter().cycle().map(jantaku_engine::rules::Preset::rules)
}

/// Calls `check` for the observation of every decision of many hands, under all presets.
pub fn decisions(mut check: impl FnMut(&Observation<'_>, &mut Rng)) {
    let mut dealt = 0;
    for (seed, rules) in (0..).zip(rules()) {
        dealt += first_hands(&rules, seed, &mut check);
        if dealt > hands() {
            return;
        }
    }
}

/// Calls `check` for the observation of every decision of a game's first hands. Returns the number
/// of hands.
pub fn first_hands(rules: &Rules, seed: u64, check: &mut impl FnMut(&Observation<'_>, &mut Rng)) -> u32 {
    let (mut game, mut rng) = (Game::new(rules, seed), Rng::new(seed));
    while !game.is_over() && game.hand_count() < 5 {
        for seat in game.pending().iter() {
            let o = game.observe(seat);
            check(&o, &mut rng);
            let action = choose(&o, &mut rng);
            game.submit(seat, action).expect("a legal action is accepted");
        }
    }
    game.hand_count()
}

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
