//! Two discards of the same hand, each played on to the end of the hand.
//!
//! While nobody else is in riichi, the discards differ in speed and value. Against riichi they
//! differ in danger.

use jantaku_agents::Candidate;
use jantaku_engine::{Action, Game, Phase, Riichi, Rng, Seat};

use crate::play::{self, NO_PLAN, Players};

/// `least` is the lowest shanten after any discard. `attack` is the worth without the risk of the
/// discard.
pub const COLUMNS: &str = "draws,riichi,least,\
    mode1,shanten1,ukeire1,points1,attack1,risk1,win1,gain1,\
    mode2,shanten2,ukeire2,points2,attack2,risk2,win2,gain2";

/// One in so many decisions is measured: without riichi, and against it.
const RATES: [usize; 2] = [8, 2];
/// The number of discards with the most worth among which pairs are chosen.
const BEST: usize = 6;

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        let free = o.side(seat).riichi() == Riichi::None && !o.legal().contains(Action::Tsumo.id());
        if o.phase() != Phase::Turn || !free {
            return;
        }
        let mut rng = play::sampling(game, seat);
        let riichi = play::riichi_of_others(&o);
        let judge = if riichi == 0 { &players.reckless_judge } else { &players.judge };
        if rng.below(RATES[riichi.min(1)]) > 0 {
            return;
        }
        let mut candidates = judge.explain(&o);
        candidates.retain(|candidate| candidate.shanten != NO_PLAN);
        let Some(least) = candidates.iter().map(|candidate| candidate.shanten).min() else { return };
        let pair = if riichi == 0 {
            for_speed(candidates, least, &mut rng)
        } else {
            for_danger(&candidates, &mut rng)
        };
        if let Some(pair) = pair {
            let [first, second] = pair.map(|candidate| played(players, game, seat, &candidate));
            lines += &format!("{},{riichi},{least},{first},{second}\n", play::draws_left(&o));
        }
    });
    lines
}

/// Columns of one of the discards.
fn played(players: &Players, game: &Game, seat: Seat, candidate: &Candidate) -> String {
    let ended = play::play_on(&players.released, game, seat, candidate.action);
    let (win, gain) = (u8::from(ended.winners.contains(seat)), ended.gain(seat));
    let Candidate { worth, risk, mode, shanten, ukeire, points, .. } = *candidate;
    let (mode, attack) = (mode as u8, worth + risk);
    format!("{mode},{shanten},{ukeire},{points:.0},{attack:.0},{risk:.0},{win},{gain}")
}

/// One of the two best discards and another good one.
fn for_speed(mut candidates: Vec<Candidate>, least: i8, rng: &mut Rng) -> Option<[Candidate; 2]> {
    candidates.retain(|candidate| candidate.shanten <= least + 1);
    candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
    candidates.truncate(BEST);
    if candidates.len() < 2 {
        return None;
    }
    let first = candidates.swap_remove(rng.below(2));
    let second = candidates.swap_remove(rng.below(candidates.len()));
    Some([first, second])
}

/// Two different ones of these: the best attack, the safest, the best and any discard.
fn for_danger(candidates: &[Candidate], rng: &mut Rng) -> Option<[Candidate; 2]> {
    let most = |of: fn(&Candidate) -> f32| {
        candidates.iter().max_by(|a, b| of(a).total_cmp(&of(b))).expect("a turn has candidates")
    };
    let kinds = [
        most(|candidate| candidate.value + candidate.risk),
        most(|candidate| -candidate.risk),
        most(|candidate| candidate.value),
        &candidates[rng.below(candidates.len())],
    ];
    let [first, second] = [rng.below(kinds.len()), rng.below(kinds.len())].map(|at| *kinds[at]);
    (first.action != second.action).then_some([first, second])
}
